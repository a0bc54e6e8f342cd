"""Rows ranked, APIs chosen, results picked."""
