"""What keeps people from being machines: no stride is like the last, and who stands breathes, sways and looks about.

All of it is slow noise: a few channels go smoothly from one random number to the next, one a cycle of the gait, or one
in some seconds of standing. The numbers follow from the seed of the walker, so that what looks ahead sees the same.
"""

from __future__ import annotations

import math

from locomote.human._kernels.state import MOODS, NO_JUMP, Walker
from locomote.math._compile import inline, part
from locomote.math.noise import normal
from locomote.math.vector import Floats, Floats32

TEMPO = 0  # channel of the rhythm; the others are those of `Model.lively`
STEPS = 1  # channel of the width of the steps
TEMPO_SPREAD = 0.03  # of the frequency, standard deviation
TEMPO_CHANGE = 0.3  # 1/s, at most
WIDTH_SPREAD = 0.01  # hip heights by which a foot is set down further out or in
RESTING = 0.35  # numbers a second of one who stands
BREATHS = 0.25  # a second


@inline
def live_on(row: Walker, dt: float) -> None:
    """Go on by ``dt``."""
    if row.lively == 0.0:
        return
    row.clock += dt
    row.life += dt * max(RESTING, row.pace)
    knot = int(row.life)
    if knot != row.knot:
        _draw(row, knot)
    # Steps that were planned to land on a line keep their time.
    off = (TEMPO_SPREAD * mood(row, TEMPO) if row.jump.state == NO_JUMP else 0.0) - row.rhythm
    row.rhythm += max(-TEMPO_CHANGE * dt, min(TEMPO_CHANGE * dt, off))


@part
def _draw(row: Walker, knot: int) -> None:
    """The random numbers at the knots before and after the present moment."""
    row.knot = knot
    for channel in range(MOODS):
        row.mood[channel] = normal(row.seed, channel, knot)
        row.next_mood[channel] = normal(row.seed, channel, knot + 1)


@inline
def mood(row: Walker, channel: int) -> float:
    """What a channel is now: 0 in the mean, 1 its standard deviation at the knots."""
    share = _since_knot(row)
    value: float = row.lively * (row.mood[channel] + share * (row.next_mood[channel] - row.mood[channel]))
    return value


@inline
def _since_knot(row: Walker) -> float:
    """How much of the next random numbers there is in the channels already."""
    u = row.life - row.knot
    return u * u * (3.0 - 2.0 * u)


@inline
def enliven(row: Walker, present: float, table: Floats, pose: Floats32) -> None:
    """Add to a pose what the moment makes of it; ``present`` is how much of the gait there is in it, see `Model`."""
    if row.lively == 0.0:
        return
    breath = row.lively * math.sin(2.0 * math.pi * BREATHS * row.clock + row.seed)
    still = 1.0 - min(1.0, max(0.0, present))
    moods, coming, share = row.mood, row.next_mood, _since_knot(row)
    for k in range(table.shape[0]):
        entry = table[k]
        channel = int(entry[1])
        amount = row.lively * (entry[2] + still * (entry[3] - entry[2]))
        noise = moods[channel] + share * (coming[channel] - moods[channel])
        pose[int(entry[0])] += amount * noise + entry[4] * breath
