"""Labelled question sets: reading, labels, gold, lint, exchange formats."""
