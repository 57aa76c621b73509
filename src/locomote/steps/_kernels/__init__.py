"""Compiled: exact steps chosen, blended, chained and posed."""
