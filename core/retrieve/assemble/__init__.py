"""What goes into the context, and how fully each chunk is written."""
