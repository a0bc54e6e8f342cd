"""Retrievers for frameworks, each of which is an extra and is imported by its own module alone."""
