"""Bring the articles of a host over, and keep them as it has them."""
