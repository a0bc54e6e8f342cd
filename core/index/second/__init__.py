"""The second look: a vector by a better model for each text of a store, made at leisure."""
