"""Compiled: one frame of walking people, their bodies, feet and ways."""
