"""Settings found by trying: every limit and threshold recomputed from one search a question."""
