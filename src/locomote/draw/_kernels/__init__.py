"""Compiled: bodies, ground and obstacles as a camera sees them."""
