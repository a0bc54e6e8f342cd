"""Runs written for people: tables, charts, HTML, exports."""
