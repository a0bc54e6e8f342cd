"""Words of English and of identifiers, and text made safe."""
