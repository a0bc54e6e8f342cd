"""Who uses the pages, and what they may do."""
