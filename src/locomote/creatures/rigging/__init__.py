"""Creatures from the files of any rig: legs, trunk and rest pose found by shape and by name."""
