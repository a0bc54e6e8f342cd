"""Questions that a model wrote for a store's elements, and what they say of its rows."""
