"""Compiled loops of fitted bodies."""
