"""The ground that people and creatures walk on, the obstacles that stand and move on it, and the wind over it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade
from locomote.world._ground import Ground
from locomote.world._obstacles import ObstacleArrays, Obstacles

if TYPE_CHECKING:
    from locomote.world._maps import Maps
    from locomote.world._wind import Wind

__all__ = ["Ground", "Maps", "ObstacleArrays", "Obstacles", "Wind"]

# People who walk need no wind, and no grid maps.
__getattr__, __dir__ = facade(__name__, {"Maps": "_maps", "Wind": "_wind"}, ("Ground", "ObstacleArrays", "Obstacles"))
