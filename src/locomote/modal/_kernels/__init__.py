"""Compiled: vibrations played on skeletons."""
