"""Knowledge articles: the shape a host gives them in, their texts, and what is searched of them."""
