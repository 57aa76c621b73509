"""Compiled: jumps of people, from the decision over the run-up to the landing."""
