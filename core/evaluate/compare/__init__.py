"""Two runs or settings side by side: differences with intervals, gates, sweeps."""
