"""The ground that people and creatures walk on: heights, stairs, slopes, and platforms that move."""

from locomote.world.ground import Ground

__all__ = ["Ground"]
