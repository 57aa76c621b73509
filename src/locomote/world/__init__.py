"""The ground that people and creatures walk on, and the obstacles that stand and move on it."""

from locomote.world._ground import Ground
from locomote.world._maps import Maps
from locomote.world._obstacles import ObstacleArrays, Obstacles

__all__ = ["Ground", "Maps", "ObstacleArrays", "Obstacles"]
