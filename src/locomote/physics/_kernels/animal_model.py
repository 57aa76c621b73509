"""What the controller of a simulated animal knows: its body, what MuJoCo says of it, its gait and what is asked."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.math.vector import Floats, Ints

REAR, FRONT = 0, 1
FEET, FRAMES, LINKS = 4, 2, 4
THIGH, SHANK, META, PAW = range(LINKS)

# The parameters of a gait, in blocks of one vector (Q.6): beginnings of the blocks.
KNOTS = 6  # of trajectories over the stride
H, PITCH, NECK, PUSH = 0, 12, 24, 36  # frame heights, frame pitches, neck and head pitches, forces over the leg's angle
PLACE, WARP, LIFT, TRACK = 68, 76, 92, 102  # step places, swing time, swing height, swing tracking gain
TOE, REACT, SPRING, DRIVE, PERIOD = 118, 134, 138, 142, 143
GRIP = 144  # of its load that a foot is trusted to hold along the ground, when its hip turns the frame
# Reflexes of who is thrown aside, for rear and front: the share of the force against it that hips give and a factor of
# that force; how much further to the left feet land for roll (m/rad), roll rate (m s/rad), the slide of the other frame
# (s) and the error of the heading (m/rad); how far the frame leans for its own slide and for the other's (rad s/m).
REFLEX, REFLEXES = 145, 8
LED, AGAINST, BY_ROLL, BY_ROLL_RATE, BY_OTHER, BY_HEADING, LEANS, LEANS_BY_OTHER = range(REFLEXES)
HASTE, CROUCH = REFLEX + 2 * REFLEXES, REFLEX + 2 * REFLEXES + 1  # faster steps (s/m) and lower frames (s) for a slide
PARAMETERS = CROUCH + 1
PUSH_KNOTS, WARP_KNOTS, LIFT_KNOTS, TRACK_KNOTS = 4, 4, 5, 4

# What a leg does: as its gait says; stands; swings to a place that is given; takes angles that are given.
BY_GAIT, STANDS, REACHES, POSED = range(4)


class AnimalBody(NamedTuple):
    """A body as the controller sees it: two leg frames, four legs (L1, R1, L2, R2), spine, neck and tail."""

    frames: Ints  # (2,) bodies: pelvis, shoulders
    origins: Floats  # (2, 3) middle of the hips of a frame, in its body
    frame_rest: Floats  # (2, 4) orientation at rest
    shares: Floats  # (2,) of the weight that a frame carries
    leg_frame: Ints  # (4,) 0 rear, 1 front
    links: Ints  # (4, 4) bodies of thigh, shank, metapodium, paw; -1 where there is none
    leg_dofs: Ints  # (4, 5) of hip (3 of them), knee, ankle, ankle roll, paw; -1 where there is none
    leg_angles: Ints  # (4, 5) places of the same in qpos
    leg_joints: Ints  # (4, 5) and MuJoCo's joints
    hips: Floats  # (4, 3) in the axes of the frame at rest, from its origin
    planes: Floats  # (4, 5) thigh (up, forward), shank (up, forward) at rest in the leg's plane; offset aside
    metas: Floats  # (4, 3) from the ankle to the joint of the paw at rest, in the world
    paws: Floats  # (4, 3) from there to the point that stands
    tips: Floats  # (4, 3) that point in the frame of the last body
    under: Floats  # (4,) m before its hip that it is when it stands, and in the middle of a stance
    spine: Ints  # (S, 2) bodies from rear to front whose joints bend, and 1, or -1 where the joint belongs to the rear
    neck: Ints  # (N,) bodies up to the head
    tail: Ints  # (M,)
    ball_dofs: Ints  # (B,) first degree of freedom of a body with a ball joint, -1 without
    parents: Ints  # (B,)
    rest: Floats  # (B, 4) orientations at rest
    masses: Floats  # (B,) kg
    spans: Floats  # (S,) share of the way from rear to front at which a spine body's mass is
    gains: Floats  # see `GAINS`
    height: float  # m of the hips at rest


# Gains, in order: of hips, knees, ankles, paws, spine, neck, tail (N m/rad), frames (N m/rad, N m s/rad), damping of
# swinging hips and of the twist of standing ones (N m s/rad), most torque (N m), share of the frame torque by the
# spine, damping of knees and ankles in MuJoCo's model (N m s/rad)
HIP, KNEE, ANKLE, PAW_GAIN, SPINE, NECK_GAIN, TAIL, FRAME, FRAME_DAMP, HIP_DAMP, MOST, SPINE_SHARE = range(12)
KNEE_DAMP, ANKLE_DAMP, GAINS = 12, 13, 14


class Views(NamedTuple):
    """Arrays of MuJoCo's data, each in its own memory."""

    qpos: Floats
    qvel: Floats
    places: Floats  # (B, 3) xpos
    turns: Floats  # (B, 4) xquat
    centres: Floats  # (B, 3) xipos
    axes: Floats  # (joints, 3) xaxis, by joint
    rates: Floats  # (B, 6) cvel
    middle: Floats  # (B, 3) subtree_com
    touch: Floats  # (4,) N under the feet, sensordata
    torques: Floats  # (dofs,) qfrc_applied, written


class Asked(NamedTuple):
    """What is asked of the animal; written by the program between steps."""

    speed: Floats  # (2,) m/s forward and to the left
    yaw: Floats  # (3,) rad of rear and front, rad/s
    frames: Floats  # (2, 5) see below
    legs: Floats  # (4, 8) what it does; place (3) in the world; angles of hip (pitch, aside), knee, ankle, rad; of a
    # leg that stands the place is a shift (x and z), and of one that stands or reaches the first angle is `ROCKED`
    stiff: Floats  # (5,) factors of the gains of neck, spine, legs, frames, tail
    strength: Floats  # (1,) factor of the most torque
    bend: Floats  # (3,) rad: extra rotation vector of the spine, rear to front
    ground: Floats  # (4, 2) heights under the feet and where they go, m
    thrust: Floats  # (4, 5) N in the world with which the ground is to push feet that stand; pitch of their toes, rad;
    # share of the damping of their knees and ankles that is undone


# Column of `Asked.legs`: pitch of the metapodium of a leg that stands or reaches, rad from rest, positive with the toe
# down; about -1.35 lays it flat on the ground
ROCKED = 4
# and of a leg that is posed: angles of ankle roll and paw, rad
POSED_ROLL, POSED_PAW = 1, 2

# Columns of `Asked.frames`: added height (m), added pitch and roll (rad), and factors of the height
# force and of the orientation torque; without the last, legs give what the thrusts of their feet need
MORE_HEIGHT, MORE_PITCH, MORE_ROLL, HOLDS, TURNS = range(5)


# Columns of `AnimalState.legs` (LEG_ROW): phase of the swing, or 1 more than that of the stance; place of lift-off (3);
# s without contact; m that it was lowered in search of the ground; x and z where it is to land
PHASE, LIFTED, UNFELT, DOWN, LANDS = 0, 1, 4, 5, 6


class AnimalState(NamedTuple):
    """What a step changes."""

    clock: (
        Floats  # (5,) stride (turns); time (s); turn rate that is wanted (rad/s); heading; how far it is thrown (m/s)
    )
    modes: Ints  # (4, 3) 1 stands or 0 swings; trips; what it did as `Asked.legs` said
    legs: Floats  # (4, 8) see `LEG_ROW`
    speeds: Floats  # (2, 3) of the frames, smoothed
    wanted: Floats  # (2, 3) torque on the frames that is wanted; written for those who check
    torques: Floats  # (B, 3) on each body by its joint, in the world
    goals: Floats  # (4, 8) angles that the legs were led to: hip pitch, aside, knee, ankle; and their rates, smoothed


def make_asked() -> Asked:
    """Stand still."""
    asked = Asked(
        speed=np.zeros(2), yaw=np.zeros(3), frames=np.zeros((2, 5)), legs=np.zeros((4, 8)), stiff=np.ones(5),
        strength=np.ones(1), bend=np.zeros(3), ground=np.zeros((4, 2)), thrust=np.zeros((4, 5)),
    )  # fmt: skip
    asked.frames[:, HOLDS:] = 1.0
    return asked


def make_state(bodies: int) -> AnimalState:
    """A state before the first step."""
    state = AnimalState(
        np.zeros(5), np.ones((4, 3), dtype=np.int64), np.zeros((4, 8)), np.zeros((2, 3)), np.zeros((2, 3)),
        np.zeros((bodies, 3)), np.zeros((4, 8)),
    )  # fmt: skip
    state.modes[:, 1:] = 0
    return state
