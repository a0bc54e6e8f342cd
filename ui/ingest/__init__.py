"""Ingesting specifications, and what was found in them."""
