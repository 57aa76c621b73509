"""Creatures that come with the package, made of numbers alone, and gaits for any number of legs."""

from locomote.creatures.catalogue._builtin import NAMES, build

__all__ = ["NAMES", "build"]
