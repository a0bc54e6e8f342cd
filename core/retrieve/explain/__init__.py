"""Why every considered chunk is in or out."""
