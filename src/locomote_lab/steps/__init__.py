"""Exact steps judged: set scenes, candidates, regeneration of records."""
