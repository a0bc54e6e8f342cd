"""The read index of a server's store, kept on this machine."""
