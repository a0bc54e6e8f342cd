"""The reference graph as a picture, and the chunk selected in it."""
