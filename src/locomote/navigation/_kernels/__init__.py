"""Compiled: neighbours, avoidance, steering and path-finding, for people and creatures alike."""
