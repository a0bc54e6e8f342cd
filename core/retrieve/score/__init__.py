"""Evidence for each row, fused into one score."""
