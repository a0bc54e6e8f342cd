"""Find, fetch and unpack files, and tell what they look like."""
