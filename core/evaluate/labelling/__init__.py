"""Labelling questions by hand: the queue, what each person says, where they differ, the set."""
