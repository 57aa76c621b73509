"""Compiled: banks of oscillators, and branches that keep their lengths."""
