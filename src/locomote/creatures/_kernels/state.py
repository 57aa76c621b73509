"""What is kept of creatures and their feet from frame to frame, known to those who fill it without compiling anything.

A creature is one row: where its body is (the centre, metres), how it is turned (yaw about +Y; pitch, nose up; roll,
left side up; radians) and how fast, what it was told, and what its feet gave back. Beside it are the state of its gait,
a row for each foot, for each node of the line of its trunk and for each girdle, and the disks of its feet.
"""

from __future__ import annotations

from typing import NamedTuple

from locomote.math.records import Record, Records
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray


class EffectShares(Record):
    """How much of each effect there is, 0 to 1.5."""

    bounce: float  # the girdles rise and fall with the steps
    flex: float  # the trunk bends where it turns
    sway: float  # the girdles turn with their feet
    nod: float  # the girdles pitch with their feet
    pushing: float  # the speed changes only while feet push
    roll: float  # the girdles roll and go from side to side with their feet
    head: float  # neck and head nod, or are held still and thrust ahead
    vary: float  # no stride is like the last


class HeadState(Record):
    """Where a head is held that is thrust ahead step by step; metres, in the world."""

    x: float  # where it is
    y: float
    z: float
    from_x: float  # where it was held last
    from_y: float
    from_z: float
    share: float  # of all this, eased: 0 it goes with the body
    sharing: float  # 1/s, how fast that changes
    pace: float  # m/s, the speed of the body as the head knows it: without its leaps
    pacing: float  # m/s2


class CreatureState(Record):
    """A body: where it is, what it was told, what its feet gave back."""

    x: float  # m
    y: float
    z: float
    yaw: float  # rad
    pitch: float
    roll: float
    speed: float  # m/s along the yaw, backwards below 0
    turn: float  # rad/s
    rising: float  # m/s
    pitching: float  # rad/s
    rolling: float  # rad/s
    wanted_speed: float  # m/s
    wanted_yaw: float  # rad
    wanted_turn: float  # rad/s
    by_yaw: bool  # turns to the wanted yaw, not at the wanted rate
    step_height: float  # m; negative: as the gait says
    pull_x: float  # m/s that the feet ask of the body, in the world
    pull_z: float
    floor: float  # m, the lowest that the centre may be, for what lies under the body
    stuck: int  # feet that find no way
    held: float  # share of its speed that the reach of its legs leaves it
    nimble: int  # feet that would be left behind and may step at once
    crouch: float  # m that the body is let down for its legs to reach
    crouching: float  # m/s
    lowest: float  # m, the lowest that the centre should have been
    comfort: float  # m, the height of the centre below which feet left behind rather step
    visible: bool  # seen; of others no limbs are posed
    plans: int  # made so far
    couples: int  # footholds with a path that were weighed so far
    reached: int  # legs posed so far
    auto_gait: bool  # the gait follows from the speed
    lead: float  # m from the centre ahead to the place about which the body turns: the front of long bodies
    push: float  # how much of a change of speed the feet give: 1 on the average, 0 while none pushes
    idle: float  # s for which a change of speed has waited for a foot that pushes
    lively: float  # share to which the feet go, eased: 1 they go, 0 they stand
    allowed: float  # share of the effects that the legs have allowed lately
    shove_x: float  # m/s by which the body was thrown out of its way, in the world
    shove_z: float
    head_yaw: float  # rad that the head is turned from the body
    neck: float  # rad that the neck nods, up
    head: HeadState
    effects: EffectShares  # eased from the wanted ones
    wanted_effects: EffectShares


class GaitLife(Record):
    """How much the body moves by its gait, against what the feet alone would give, or what is usual."""

    bounce: float
    sway: float
    nod: float
    fore: float  # bounce of the front girdle, against the others
    sag: float  # the back sags under its load
    roll: float  # of the front girdle; 1: the side that stands goes down
    hips: float  # roll of the others
    aside: float  # from side to side
    neck: float  # the neck nods
    late: float  # turns by which it does so after the steps
    hop: float  # the body rests while its feet stand and leaps while they are in the air


class StrideNoise(Record):
    """What makes strides differ."""

    seed: int
    amount: float  # 0: all strides are alike
    turns: float  # that the needle has gone
    knot: int  # the random number that was passed last
    tempo: float  # there, and at the next one
    next_tempo: float


class GaitState(Record):
    """Where in its gait a creature is. A needle common to all feet goes round once in a period."""

    needle: float  # turns, 0 to 1
    wanted: int  # the gait that is asked for: write here to change gait
    current: int  # the gait that is gone, or that the disks are on their way to
    before: int  # the gait before it
    progress: float  # of the transition: 0 just begun, 1 over
    transition: float  # s that a transition takes; 0: one period
    period: float  # s of one turn, now
    eased_period: float  # s, the same without its leaps
    easing: float  # how fast that changes
    lift: float  # step height over hip height, now
    life: GaitLife  # now
    from_period: float  # when the transition began, in time units
    from_lift: float
    from_life: GaitLife
    running: bool  # the needle turns; else it stands, and all feet with it
    noise: StrideNoise


# The disks of every foot, ``disks (DISKS, F, K, 2)`` of a creature: what the needle reads; what the transition began
# with; what the foot should have now; and, as the start of its first sector, by how much its next swing is late.
LIVE, ORIGIN, GOAL, LATE = range(4)
DISKS = 4
START, DURATION = range(2)  # of a sector, turns; a sector with the duration 0 is not there

STANCE, SWING = range(2)  # what the gait tells a foot to do


class SpineNode(Record):
    """A node of the line of a trunk."""

    x: float  # m, where the guiding line has it in the world
    z: float
    yaw: float  # rad, the turn of its joint from the body's yaw
    local_x: float  # m, where its joint is in the frame of the body, by the turns of all joints
    local_z: float


class GirdleState(Record):
    """How a girdle of a long body follows its own feet and ground."""

    heave: float  # m above the plane of all feet
    heaving: float  # m/s
    held: float  # m that it is held down for its legs to reach
    holding: float  # m/s
    yaw: float  # rad that it turns with its feet
    yawing: float  # rad/s
    told_yaw: float  # rad that its feet asked for last


class Anchor(Record):
    """A place on a thing or on the ground, which it moves with."""

    support: int  # slot of the thing, -1 for the ground
    born: int  # its generation
    x: float  # m, in the frame of the thing
    y: float
    z: float


class GirdleFrame(Record):
    """Where the girdle that carries a leg has the middle of the body, in the frame of the body."""

    x: float  # m
    z: float
    sine: float  # of the angle by which it is turned from the body
    cosine: float


class SoleState(Record):
    """How a foot that rolls lies."""

    stood: float  # s since it came down
    yaw: float  # rad, where the foot points, kept while it stands
    slope: float  # rad, toes up, of the ground that it treads
    pitch: float  # rad from that ground that the gait asks for: below 0 toes up, above 0 heel up
    pitching: float  # rad/s
    posed: float  # rad, the pitch as far as the leg allows
    ankle_x: float  # m from the foot to its ankle, in the world, as the gait asks for
    ankle_y: float
    ankle_z: float


STANDING, SWINGING = range(2)  # states of a foot

# Whose step a foot takes: of the gait, or of its own; one that must step away stands where it cannot stay.
GAIT_STEP, OWN_STEP, MUST_STEP = range(3)


class FootState(Record):
    """A foot: where it is, where it goes, and how it was planned."""

    state: int  # STANDING or SWINGING
    x: float  # m
    y: float
    z: float
    vx: float  # m/s
    vy: float
    vz: float
    anchor: Anchor  # where it stands
    spacing_x: float  # m, where it stands under the body, body frame
    spacing_z: float
    wish_x: float  # m, the footprint that it prefers
    wish_y: float
    wish_z: float
    goal_x: float  # m, the footprint that was chosen, as it was then
    goal_y: float
    goal_z: float
    goal_anchor: Anchor
    elapsed: float  # s of the running plan
    duration: float  # s
    planned: float  # s that the running plan was made for
    length: float  # m of the curve
    gone: float  # share of the curve that is behind it
    pace: float  # shares of the curve a second at which it goes
    began_y: float  # m, the ground from which the swing began
    swung: float  # s since the foot left the ground
    plan_yaw: float  # rad or rad/s, what was wanted when it was planned
    plan_speed: float  # m/s
    plan_spacing_x: float  # m
    plan_spacing_z: float
    plan_version: int  # of the tiles of the map that the curve touches
    age: int  # frames since the plan
    step: int  # GAIT_STEP, OWN_STEP or MUST_STEP
    served: bool  # the swing that the gait asks for has begun, or was given up
    lost: bool  # no way was found for its last step
    plans: int  # made so far
    why: int  # the reason of the last plan
    score: float  # of the chosen footprint and its way, 0 to 1
    off_x: float  # m from the preferred to the chosen footprint
    off_z: float
    error: float  # m between the tip and where the foot is
    slack: float  # m that a standing foot may still be left behind
    carrier: GirdleFrame
    highest: float  # m, the highest that the centre may be for a standing foot to stay in reach
    soon_highest: float  # m, the same a moment later
    lowest: float  # m, the lowest that it may be for a foot that comes down
    lifts: float  # s after which a standing foot lifts, by its gait
    stretch: float  # m from its hip to where it is
    aimed: float  # cosine of the angle by which its hip is turned
    middle: float  # turns of the gait's needle at which the stance is half over, eased
    duty: float  # share of a cycle for which the foot stands, eased
    shifting: float  # turns/s by which the middle moves
    stretching: float  # 1/s, how fast the duty changes
    sole: SoleState


class Creatures(NamedTuple):
    """All that is kept of N creatures with F feet, M nodes and G girdles."""

    rows: Records  # (N,) CreatureState
    gaits: Records  # (N,) GaitState
    disks: FloatArray  # (N, DISKS, F, K, 2)
    swinging: IntArray  # (N, F) STANCE or SWING
    feet: Records  # (N, F) FootState
    curves: FloatArray  # (N, F, SAMPLES, 3) along which feet swing
    nodes: Records  # (N, M) SpineNode
    girdles: Records  # (N, G) GirdleState


class OneCreature(NamedTuple):
    """One of them."""

    row: CreatureState
    gait: GaitState
    disks: FloatArray
    swinging: IntArray
    feet: Records
    curves: FloatArray
    nodes: Records
    girdles: Records


class CreaturePoses(NamedTuple):
    """What is seen of N creatures with J joints and F legs of at most K joints."""

    root_positions: FloatArray  # (N, 3)
    rotations: FloatArray  # (N, J, 4) local
    places: FloatArray  # (N, F, K + 1, 3) of the joints and tips of legs, in the world


# Why a foot was planned.
BEGIN, TURNED, SPED, SPACED, BLOCKED_WAY, BLOCKED_GOAL, OVERSTRETCHED, SETTLING, CARRIED_OFF = range(1, 10)
REASONS = (
    "",
    "begin",
    "heading",
    "speed",
    "spacing",
    "path",
    "target",
    "overstretched",
    "settling",
    "support",
)

# The stages of a frame, in their order.
STAGES = ("command", "gait", "body", "plan", "feet", "height", "legs", "feedback")
COMMAND, GAIT, BODY, PLAN, FEET, HEIGHT, LEGS, FEEDBACK = range(8)
