"""A store on a Chroma server: address, lease, records in `specloupe-meta`."""
