"""The room of the Audit page: start it, see what is found, what is not, and what would mend it."""
