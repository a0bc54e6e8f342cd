"""A chunk as text: compact notation, signature, embedded text."""
