"""What the page Tune draws: what to try, how far it is, and what came out."""
