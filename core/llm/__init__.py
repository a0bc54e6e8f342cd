"""A language model at an OpenAI-compatible endpoint: asked within time, money and bounds."""
