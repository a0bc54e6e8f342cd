"""What of a store can be found, asked in its own words and without labels."""
