"""Verbs of the authors: validate, bench, study."""
