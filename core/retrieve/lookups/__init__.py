"""What a read index knows, derived once for each generation."""
