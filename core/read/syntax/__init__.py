"""JSON and YAML with their lines, within bounds."""
