"""Compiled loops of marker solving."""
