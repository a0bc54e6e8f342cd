"""Numbers and dates as the reader of a page writes them."""
