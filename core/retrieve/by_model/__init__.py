"""Stages that a language model takes; whatever it says or does not say, the rules go on."""
