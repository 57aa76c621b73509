"""The ground that people and creatures walk on, and the obstacles that stand and move on it."""

from locomote.world.ground import Ground
from locomote.world.maps import Maps
from locomote.world.obstacles import ObstacleArrays, Obstacles

__all__ = ["Ground", "Maps", "ObstacleArrays", "Obstacles"]
