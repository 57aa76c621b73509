"""How much of each motion of the body there is: as its gait has it, eased over from the gait before."""

from __future__ import annotations

from locomote.creatures._kernels.gait_sectors import GaitKnot, life_at
from locomote.creatures._kernels.model import GaitArrays
from locomote.creatures._kernels.state import GaitState
from locomote.math._compile import inline, part


@inline
def live_up_to(at: GaitKnot, state: GaitState, gaits: GaitArrays) -> None:
    """Bring all shares to where the transition is that is under way."""
    u, life, was = state.progress, state.life, state.from_life
    v = 1.0 - u
    life.bounce = v * was.bounce + u * life_at(at, 0, gaits)
    life.sway = v * was.sway + u * life_at(at, 1, gaits)
    life.nod = v * was.nod + u * life_at(at, 2, gaits)
    life.fore = v * was.fore + u * life_at(at, 3, gaits)
    life.sag = v * was.sag + u * life_at(at, 4, gaits)
    life.roll = v * was.roll + u * life_at(at, 5, gaits)
    life.hips = v * was.hips + u * life_at(at, 6, gaits)
    life.aside = v * was.aside + u * life_at(at, 7, gaits)
    life.neck = v * was.neck + u * life_at(at, 8, gaits)
    life.late = v * was.late + u * life_at(at, 9, gaits)
    life.hop = v * was.hop + u * life_at(at, 10, gaits)


@part
def keep_life(state: GaitState) -> None:
    """Remember all shares as those from which a transition begins."""
    life, was = state.life, state.from_life
    was.bounce, was.sway, was.nod = life.bounce, life.sway, life.nod
    was.fore, was.sag, was.roll, was.hips = life.fore, life.sag, life.roll, life.hips
    was.aside, was.neck, was.late, was.hop = life.aside, life.neck, life.late, life.hop
