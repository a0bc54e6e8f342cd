"""The page of the knowledge articles: what they are for, what is lacking, where they come from."""
