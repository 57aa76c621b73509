"""Compiled loops of forces and dynamics."""
