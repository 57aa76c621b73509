"""Compiled: heights of the ground, distances to obstacles, grid maps."""
