"""Compiled: trees of pendulums and cloth."""
