"""What was found, tuned or audited, told to people who do not work with retrieval: slides."""
