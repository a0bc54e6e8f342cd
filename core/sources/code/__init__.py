"""Source code: its functions, classes and modules, and who calls whom."""
