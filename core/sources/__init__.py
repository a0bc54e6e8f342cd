"""What reads, links, chunks and renders each kind of file: one room for each kind, one seam."""
