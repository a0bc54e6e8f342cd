"""Bytes become values with places, for every kind of source."""
