"""Files of a store: manifest, originals, facts, journal, locks, records."""
