"""The facade that the app, the command line and notebooks all use."""
