"""The ground that people and creatures walk on, the obstacles that stand and move on it, and the wind over it."""

from locomote.world._ground import Ground
from locomote.world._maps import Maps
from locomote.world._obstacles import ObstacleArrays, Obstacles
from locomote.world._wind import Wind

__all__ = ["Ground", "Maps", "ObstacleArrays", "Obstacles", "Wind"]
