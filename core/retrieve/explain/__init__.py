"""Why each chunk considered is in the context or left out."""
