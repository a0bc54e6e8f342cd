"""What is kept of evaluations: saved runs and named settings."""
