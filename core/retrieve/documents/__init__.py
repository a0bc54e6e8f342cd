"""Documents by what they say of themselves: their names, facets, and what is like them."""
