"""One question's answer scored: rank metrics, context metrics, ragas, causes of misses."""
