"""What a kind of creature is made of and how it steps, for the kernels; filled without compiling anything.

The body frame is that of the rest pose about the centre of the body. F legs (and feet) of at most K joints, G gaits.
"""

from __future__ import annotations

from typing import NamedTuple

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

COURSE = 17  # moments of a stance, or of a swing, at which the pitch of a hand is given
TABLE = 257  # folds kept for evenly spaced distances between the nearest and the farthest
LIVES = 11  # how much of each motion of the body there is in a gait: the fields of `state.GaitLife`, in order
CHAIN = 3  # girdles from which on a body is a chain: its front leads, and each girdle is carried over its own ground


class GaitArrays(NamedTuple):
    """Some gaits: each known at M speeds, with up to K sectors a foot.

    A gait disk is one turn of a foot's cycle; its sectors, each a (start, duration) in turns, are the swings of the
    foot. Speeds are in units of sqrt(g h) and never fall; periods in units of sqrt(h / g), with h the height of the
    hips. Starts are unwrapped along the speeds, so that straight interpolation between two of them is right.
    """

    speeds: FloatArray  # (G, M)
    periods: FloatArray  # (G, M)
    sectors: FloatArray  # (G, M, F, K, 2)
    lifts: FloatArray  # (G, M) step height over hip height
    lives: FloatArray  # (G, M, LIVES) motions of the body, against what is usual
    flights: IntArray  # (G,) 1: all feet may be in the air at once
    natural: FloatArray  # (N, 2) signed speeds at which the first N gaits are left, downwards and upwards


class Folds(NamedTuple):
    """Legs that fold."""

    counts: IntArray  # (F,) joints of each leg
    joints: IntArray  # (F, K) their numbers in the skeleton, hip first
    hips: FloatArray  # (F, 3) in the body frame
    axes: FloatArray  # (F, 3, 3) rows: two directions of the plane of the leg and the one about which it folds
    bones: FloatArray  # (F, K, 3) the bone from each joint on, at rest, in those axes; the last ends at the tip
    bends: FloatArray  # (F, K, 2) rad by which a joint turns at a fold of -1 and at 1; 0 for the hip
    leads: FloatArray  # (F, K, 2) how much sooner than evenly, from rest on: 1 evenly, 2 first, 0 last
    spans: FloatArray  # (F, 2) nearest and farthest distance of the tip from the hip
    table: FloatArray  # (F, TABLE) folds for distances evenly between them
    drops: FloatArray  # (F,) how far the tip is below the hip at rest
    cones: FloatArray  # (F,) rad that the hip may turn from rest
    aims: FloatArray  # (F,) cosines of the same angles, a little less
    ways: FloatArray  # (F, TABLE, 3) directions from the hip to the tip for the distances of the table, body frame
    hip_parents: FloatArray  # (F, 4) inverse rotation of the hip's parent at rest, body frame
    hip_turns: FloatArray  # (F, 4) rotation of the hip at rest, body frame
    rests: FloatArray  # (F, K, 4) local rotations at rest
    hinges: FloatArray  # (F, K, 3) the axis of the fold in the frame of each joint


class Limbs(NamedTuple):
    """What bodies and steps ask of legs: how far they reach, not how they fold.

    Apart from `Folds` and `Soles`, because what is handed on to every stage of a frame must be small.
    """

    hips: FloatArray  # (F, 3), as of `Folds`
    spans: FloatArray  # (F, 2)
    drops: FloatArray  # (F,)
    aims: FloatArray  # (F,)
    ways: FloatArray  # (F, TABLE, 3)
    rolls: IntArray  # (F,), as of `Soles`
    ankles: FloatArray  # (F, 3)
    ankle_spans: FloatArray  # (F, 2) nearest and farthest distance of the ankle, or of the tip where there is none


class Soles(NamedTuple):
    """Feet, those that roll and those that are tips. Places are from the standing point at rest, in the body frame."""

    rolls: IntArray  # (F,) 1: has an ankle and rolls; 0: a tip
    ankles: FloatArray  # (F, 3)
    heels: FloatArray  # (F, 3) about what it pitches while the toes are up
    balls: FloatArray  # (F, 3) about what it pitches while the heel is up
    joints: IntArray  # (F, 2) the ankle, and the joint of toes that stay flat; -1 for none
    turns: FloatArray  # (F, 2, 4) their rotations at rest, body frame
    legs: Folds  # from the hip to the ankle where the foot rolls, to the tip elsewhere


class Paws(NamedTuple):
    """Fore feet that bend at the wrist. Places are from the standing point at rest, in the body frame."""

    bends: IntArray  # (F,) 1: has a wrist of its own; 0: all joints of the leg fold together
    joints: IntArray  # (F, 2) the wrist, and the joint of the digits
    wrists: FloatArray  # (F, 3) from the digits to the wrist
    digits: FloatArray  # (F, 3) from the standing point to the digits
    turns: FloatArray  # (F, 2, 4) rotations of the joints at rest, body frame
    courses: FloatArray  # (2, COURSE) rad that the hand points ahead of rest, over the stance and over the swing
    legs: Folds  # from the hip to the wrist where there is one, to the tip elsewhere


class Neck(NamedTuple):
    """The neck of a creature that holds its head still in space and thrusts it ahead, step by step."""

    holds: int  # 1: it does
    joints: IntArray  # (3,) in the list of the trunk: where the neck begins, where it folds, and the head
    far: float  # m, the longest that the neck is drawn out
    room: float  # m that the head may go to and fro


class BodyTrunk(NamedTuple):
    """What is not leg, metres."""

    half_width: float
    half_length: float
    height: float  # of the centre over the feet at rest
    belly: float  # from the centre down to the lowest part of the body
    tilt: float  # share of the ground's slope that the body follows


class Spine(NamedTuple):
    """A trunk that bends; lengths in metres.

    The *line* runs from the front girdle back to the last one through M nodes, which are joints of the trunk; a trunk
    that does not bend has one node. The *trunk* is the T joints from the root to the head and to all girdles, each
    behind its parent. All places are of the rest pose, about the centre of the body.
    """

    lengths: FloatArray  # (M - 1,) from node to node
    places: FloatArray  # (M, 3) of the nodes
    drives: IntArray  # (M, 2) pieces of the line that turn with the joint of a node; -2: none
    limit: float  # rad between two pieces of the line
    straightens: float  # 1/s at which a standing body loses its bend
    joints: IntArray  # (T,) numbers in the skeleton
    parents: IntArray  # (T,) in this list; -1 for the root
    nodes: IntArray  # (T,) the node with whose joint it turns
    offsets: FloatArray  # (T, 3) places of the joints
    rests: FloatArray  # (T, 4) their rotations, in the body frame
    parent_rests: FloatArray  # (T, 4) inverse rotations of their parents
    behind: IntArray  # (T,) the girdle at or behind it
    ahead: IntArray  # (T,) the girdle at or ahead of it
    slopes: FloatArray  # (T, 4) of its bone, by heave and slope of the girdles behind and ahead
    shares: FloatArray  # (T,) of the roll of the girdle ahead; the rest is of the one behind
    sways: FloatArray  # (T, 2) of the yaws of the girdles behind and ahead
    heads: FloatArray  # (T,) 0 for the trunk, rising to 1 for the head
    nods: FloatArray  # (T,) share of the nodding of the neck: 0 for the trunk
    girdles: IntArray  # (G,) their joints, in the list of the trunk, from front to back
    carriers: IntArray  # (F,) the girdle of each leg
    weights: FloatArray  # (F,) of the legs, 1 together for each girdle
    levers: FloatArray  # (F,) from girdle to foot across, positive to the left; 0 for a leg in the middle


class Synergy(NamedTuple):
    """How the rest of a body goes with its feet, by its natural vibrations; all empty where it does not.

    What a foot does is three numbers, m from its place under the body: aside, up, ahead; 3 F of them for all feet.
    """

    turns: FloatArray  # (T, 3, 3 F) rad/m, rotation vectors of the joints of the trunk, body frame
    shifts: FloatArray  # (G, 3, 3 F) of the girdles: aside, up, ahead
    joints: IntArray  # (X,) that are neither trunk nor leg
    rests: FloatArray  # (X, 4) their local rotations
    bends: FloatArray  # (X, 3, 3 F) rad/m, rotation vectors in their own frames
    farthest: float  # m, about as far as ways of feet count


class Manner(NamedTuple):
    """How the creatures of a crowd step; lengths in metres."""

    hip_height: float
    time_unit: float  # s, the root of hip height over gravity
    radius: float  # from the centre to the feet at rest, in the plan
    longest: float  # way that the body can go while a foot stands
    boxes: FloatArray  # (F, 2) half widths and half lengths of the feet
    clearance: float
    slice: float
    edge: float  # worth of a footprint at an edge
    peaks: FloatArray  # (F,) share of the way of a foot after which a level step is highest


class CreatureBody(NamedTuple):
    """All of it."""

    gaits: GaitArrays
    folds: Folds
    limbs: Limbs
    soles: Soles
    paws: Paws
    neck: Neck
    trunk: BodyTrunk
    spine: Spine
    manner: Manner
    synergy: Synergy
