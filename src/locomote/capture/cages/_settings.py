"""How a cage is fitted to what is seen of a frame."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """How a cage is fitted.

    Parameters
    ----------
    voxel : m, of the fields of meshes, and of the first look at silhouettes
    points : of the skin that are compared with what is seen
    soft : m from where a point should be, beyond which the cost grows no faster
    inside : what a point within a mesh costs beside one as far outside of it
    cover : what outlines of silhouettes without the body on them cost beside a body outside of silhouettes
    prior : weight of the latent prior
    steady : weight of the way from the latent point that is expected after the last frames
    local : whether quads are adjusted one by one after the latent fit
    pull : weight of the way of a quad from the latent pose, in that step
    rounds : of the latent fit and of the local one, at most
    carried : how much of the last frame's velocity the next one begins with
    """

    voxel: float = 0.02
    points: int = 1200
    soft: float = 0.05
    inside: float = 0.5
    cover: float = 1.0
    prior: float = 1e-4
    steady: float = 2e-3
    local: bool = True
    pull: float = 0.12
    rounds: tuple[int, int] = (5, 2)
    carried: float = 0.8
