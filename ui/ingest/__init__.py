"""Specifications read into the store, and what was found in them."""
