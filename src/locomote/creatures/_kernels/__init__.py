"""Compiled: one frame of creatures, stage by stage."""
