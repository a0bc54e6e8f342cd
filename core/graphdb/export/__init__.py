"""The graph of a store as files, for whoever has no server, or another one."""
