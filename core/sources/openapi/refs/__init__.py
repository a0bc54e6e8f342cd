"""What refers to what, and what does not resolve."""
