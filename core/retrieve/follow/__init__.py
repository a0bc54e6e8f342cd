"""References, breadth first, and what is necessary among them."""
