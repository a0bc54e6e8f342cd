"""Documents in Markdown and plain text: read, cut at headings, related to each other."""
