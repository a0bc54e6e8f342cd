"""The articles that answer a support message, how well they cover it, and what is missing."""
