"""Compiled loops of pose spaces."""
