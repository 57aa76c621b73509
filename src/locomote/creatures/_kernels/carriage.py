"""How a body carries itself over its steps: girdles roll and go from side to side, the back sags, the neck nods.

All of it follows from when the feet stand, as waves about the middles of their stances, and is laid over what
`spine_pose.move_girdles` makes of the steps. How much of each there is, and with which sign, the gait says.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.bounce import heave
from locomote.creatures._kernels.model import Spine
from locomote.creatures._kernels.scratch import GirdlePose
from locomote.creatures._kernels.state import CreatureState, FootState, OneCreature
from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, multiply
from locomote.math.records import Records

ROLL = math.radians(5.0)  # rad to either side
ASIDE = 0.02  # of the hips' height to either side
ASIDE_LEADS = 0.1  # turns by which the body is aside before the middle of a fore foot's stance
SAG = 1.5  # rad that the girdles pitch for each height of the hips that the body is let down
FRONT_SAGS, REAR_SAGS = 0.75, 1.25  # shares of it
NOD = 2.6  # rad that the neck nods for each height of the hips that the front girdle heaves
NECK_SETTLES = math.log(2.0) / 0.03  # 1/s
MOST_NOD = 0.4  # rad
_LEADS = math.cos(2.0 * math.pi * ASIDE_LEADS), math.sin(2.0 * math.pi * ASIDE_LEADS)


@inline
def carry_on(dt: float, hip_height: float, one: OneCreature, spine: Spine, girdles: Records) -> None:
    """Roll, sideways motion and sag of the girdles, and the nod of the neck."""
    row, gait, count = one.row, one.gait, girdles.shape[0]
    rolling, nodding = row.lively * row.effects.roll, row.lively * row.effects.head
    _sag(hip_height, one, girdles)
    for k in range(count):
        fresh: GirdlePose = girdles[k]
        fresh.roll = fresh.aside = 0.0
        fresh.ahead = _leapt(row.lively * row.effects.bounce, one)
    if rolling == 0.0 and (nodding == 0.0 or count == 1):  # a body in one piece bounces, head and all
        row.neck = 0.0
        return
    life = gait.life
    aside, nod = 0.0, 0.0
    for f in range(one.feet.shape[0]):
        foot: FootState = one.feet[f]
        k, weight, lever = spine.carriers[f], spine.weights[f], spine.levers[f]
        turns = gait.needle - foot.middle
        share = weight if lever > 0.0 else -weight if lever < 0.0 else 0.0
        own: GirdlePose = girdles[k]
        wave = share * math.cos(2.0 * math.pi * turns)
        own.roll -= rolling * ROLL * wave * (life.roll if k == 0 else life.hips)
        if k == 0:
            aside += _LEADS[0] * wave - _LEADS[1] * share * math.sin(2.0 * math.pi * turns)
            nod += weight * heave(turns - life.late, foot.duty, gait.eased_period)
    for k in range(count):
        girdles[k].aside = rolling * life.aside * ASIDE * hip_height * aside
    _nod(dt, nodding * life.neck * NOD * nod / hip_height, row)


@inline
def _leapt(share: float, one: OneCreature) -> float:
    """How far a body that hops is ahead of one that goes steadily, m: it rests in the middle of the stance.

    The speed is 1 - 4/3 cos + 1/3 cos of twice the angle, of the mean one: flat where it is 0.
    """
    gait = one.gait
    hop = share * gait.life.hop
    if hop == 0.0:
        return 0.0
    last: FootState = one.feet[one.feet.shape[0] - 1]
    angle = 2.0 * math.pi * (gait.needle - last.middle)
    ahead = math.sin(2.0 * angle) / 12.0 - 2.0 * math.sin(angle) / 3.0
    return hop * one.row.speed * gait.period * ahead / math.pi


@inline
def rolled(bent: Quaternion, roll: float) -> Quaternion:
    """A rotation after one about the long axis of the body, of less than half a turn."""
    half = 0.5 * roll
    sine = half * (1.0 - half * half / 6.0)
    return multiply(bent, (math.sqrt(1.0 - sine * sine), 0.0, 0.0, sine))


@inline
def _sag(hip_height: float, one: OneCreature, girdles: Records) -> None:
    """Let the back between two girdles sag as far as its body is let down, and arch as far as it is thrown up."""
    if girdles.shape[0] != 2:
        return
    front: GirdlePose = girdles[0]
    rear: GirdlePose = girdles[1]
    load = SAG * one.gait.life.sag * one.row.effects.bounce * (front.heave + rear.heave) / (2.0 * hip_height)
    front.slope, rear.slope = front.slope - FRONT_SAGS * load, rear.slope + REAR_SAGS * load


@inline
def _nod(dt: float, wanted: float, row: CreatureState) -> None:
    """Move the neck to a nod, softly at its limit; what changes with the gait comes in a moment."""
    wanted = MOST_NOD * math.tanh(wanted / MOST_NOD)
    row.neck += (1.0 - math.exp(-NECK_SETTLES * dt)) * (wanted - row.neck)
