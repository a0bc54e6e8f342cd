"""The parts of the APIs page."""
