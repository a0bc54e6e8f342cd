"""The graph of references in a graph database that speaks Bolt, and as files."""
