"""Poses from a few handles: recorded poses say how the rest of the body follows."""
