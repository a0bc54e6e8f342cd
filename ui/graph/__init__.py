"""The reference graph drawn, and the chunk that is chosen in it."""
