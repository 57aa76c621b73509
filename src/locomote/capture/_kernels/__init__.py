"""Compiled loops of the capture room."""
