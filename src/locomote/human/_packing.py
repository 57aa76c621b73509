"""A model of human motion as the few plain arrays that the kernel takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.human._encoding import MOVING
from locomote.human._model import REFERENCE_HIP_HEIGHT, STRIKE_PHASE, HumanModel
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._model import JumpModel
from locomote.human_skeleton import COMMON, TOE_LENGTH, heel_offset, hip_height
from locomote.masses import Masses
from locomote.motion import Motion
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.human._kernels.cycle_pose import LegArrays
    from locomote.human._kernels.model import Model
    from locomote.math.records import Records

Floats32 = npt.NDArray[np.float32]

PLANE = 24  # numbers in a plane of a pose: 22 joints, the root, one to fill up a vector register
PARTS_STEP = 8  # the kernel takes the parts of the motion space in eights
AFTER_PASSING = 0.05  # cycles after the feet pass, where the pose is nearest to standing: the swinging foot is low
WIDEST_KNEE = np.radians(140.0)
WIDEST_ELBOW = np.radians(150.0)
# A foot of a walker stands by then after the strike, s: until then the heels of recorded ones slow down.
LAND_AFTER = 0.026
LEAST_LAND_AFTER = 0.015  # cycles
# Cycles before the toe-off of walk and run: the tip of the toes is slow until then.
LEAVE_BEFORE = (0.03, 0.02)
TAKE_OFF_SPEEDS = ((1.1, 1.7), (1.8, 3.2))  # m/s, walk and run
RUNNING_FLIGHT = 0.45  # of an ordinary running step, s sqrt(gravity / hip height)
LEAST_SHOWN = 0.75  # of the shortest recorded flight, at which nothing of a jump shows
KINDS = ("standing", "walking", "running")  # of jumps, in the order of the units
# What slow noise does: joint, axis (0 x, 1 y, 2 z), and the spread of one who walks, of one who stands (rad; of the
# place in hip heights), and breath. Arms hang: about y they swing, about z they spread.
LIVELY = (
    ("Spine", 0, 0.028, 0.012, 0.0),
    ("Spine", 2, 0.028, 0.010, 0.0),
    ("Spine1", 1, 0.012, 0.010, 0.0),
    ("Spine2", 0, 0.006, 0.008, 0.010),
    ("Head", 1, 0.03, 0.10, 0.0),
    ("Head", 0, 0.08, 0.03, -0.006),
    ("LeftArm", 1, 0.05, 0.012, 0.0),
    ("RightArm", 1, 0.05, 0.012, 0.0),
    ("LeftForeArm", 1, 0.05, 0.02, 0.0),
    ("RightForeArm", 1, 0.05, 0.02, 0.0),
    ("place", 0, 0.0, 0.007, 0.0),
    ("place", 2, 0.0, 0.005, 0.0),
)
LEG = ("UpLeg", "Leg", "Foot", "ToeBase")
HINGES = {  # joint: axis (1 x, 2 y, 3 z), sense of the bend, widest bend
    "LeftLeg": (1, 1.0, WIDEST_KNEE),
    "RightLeg": (1, 1.0, WIDEST_KNEE),
    "LeftForeArm": (2, -1.0, WIDEST_ELBOW),
    "RightForeArm": (2, 1.0, WIDEST_ELBOW),
}


def pack(model: HumanModel, jumps: JumpModel) -> Model:
    """Lay the models of walking and of jumping out for the kernel."""
    from locomote.human._kernels.model import Model, Timing

    components, samples, _ = model.basis.shape
    parts = -(-(1 + components) // PARTS_STEP) * PARTS_STEP
    nodes = np.zeros((parts, samples, 3 * PLANE))
    nodes[0] = to_planes(model.mean)
    nodes[1 : 1 + components] = to_planes(model.basis)
    controls = _control_points(nodes)
    controls = np.concatenate([controls[:, -1:], controls, controls[:, :1]], axis=1)
    widths = np.diff(model.frequency_speeds)
    areas = 0.5 * (model.frequency[..., 1:] + model.frequency[..., :-1]) * widths
    integral = np.concatenate([np.zeros((*areas.shape[:-1], 1)), np.cumsum(areas, axis=-1)], axis=-1)
    # A foot stands from the first touch of heel, ball or toe to the last one.
    feet = model.footplants.reshape(*model.frequency.shape, 2, 3, 2)
    strikes, offs = feet[..., 0].min(axis=-1), feet[..., 1].max(axis=-1)
    offs = offs - np.array(LEAVE_BEFORE)[:, None, None]
    soon = np.maximum(LAND_AFTER * model.frequency[:, 0, :, None], LEAST_LAND_AFTER)
    strikes[:, 0] = np.minimum(strikes[:, 0], STRIKE_PHASE + soon)
    contacts = [strikes[..., 0], offs[..., 0], strikes[..., 1], offs[..., 1]]
    timing = np.stack([model.frequency, integral, *contacts], axis=-1)
    resting = passing_phase(model) + AFTER_PASSING
    swings = PLANE + np.array([COMMON.index(side + part) for part in ("Arm", "ForeArm") for side in ("Left", "Right")])
    legs = np.array([[COMMON.index(side + part) for part in LEG] for side in ("Left", "Right")])
    joints = _joints(model)
    return Model(
        basis=controls.reshape(parts, -1).astype(np.float32),
        curve=np.ascontiguousarray(model.curve),
        styles=np.concatenate([model.offset, model.slope, model.ranges], axis=-1),
        timing=Timing(
            table=timing,
            speeds=np.array(model.frequency_speeds, dtype=np.float64),
            centre=np.array(model.gait_centre, dtype=np.float64),
            slowest=np.array(model.slowest, dtype=np.float64),
            fastest=model.speed_limits[:, 1].astype(np.float64),
            exponent=float(model.exponent),
            rest=float(resting),
        ),
        stands=to_planes(model.stand).astype(np.float32),
        joints=joints,
        arms=np.array([COMMON.index("LeftArm"), COMMON.index("RightArm")]),
        swings=swings,
        swing_means=np.ascontiguousarray(nodes[:, :, swings].mean(axis=1)),
        legs=legs,
        sole=np.array(
            [
                heel_offset(1.0) / hip_height(1.0),
                COMMON.offsets[COMMON.index("LeftToeBase")],
                [0.0, 0.0, TOE_LENGTH],
            ]
        ),
        jumps=_jumps(jumps, model),
        masses=Masses.of(COMMON).joint_shares(COMMON),
        leg_arrays=_leg_arrays(controls.astype(np.float32), legs, joints),
        lively=lively_table(),
    )


def _leg_arrays(controls: Floats32, legs: npt.NDArray[np.int64], joints: Floats32) -> LegArrays:
    """The legs by themselves, from the control points ``(P, S + 2, 3 PLANE)`` of whole poses."""
    from locomote.human._kernels.cycle_pose import LEG_PLANE, LEG_ROOT, LegArrays

    columns = np.zeros((len(legs), LEG_PLANE), dtype=np.int64)
    columns[:, 1:LEG_ROOT], columns[:, LEG_ROOT] = legs, len(COMMON)
    entries = (columns[:, None] + PLANE * np.arange(3)[:, None]).reshape(len(legs), -1)
    basis = np.stack([controls[:, :, leg].reshape(len(controls), -1) for leg in entries])
    return LegArrays(basis, entries, np.stack([joints[:, leg] for leg in columns]))


def lively_table(rooted: bool = False) -> FloatArray:
    """What slow noise does to a pose; ``rooted``: the place of the body stays where the motion has it."""
    rows = []
    for channel, (joint, axis, walking, standing, breath) in enumerate(LIVELY, start=2):
        column = len(COMMON) if joint == "place" else COMMON.index(joint)
        if not (rooted and joint == "place"):
            rows.append((axis * PLANE + column, channel, walking, standing, breath))
    return np.array(rows)


def jump_units(jumps: JumpModel) -> Records:
    """The numbers of the units of jumps that kernels take: one row of `JumpUnits`."""
    from locomote.human.jumps._kernels.jump_setup import JumpUnits
    from locomote.math.records import zeros

    shipped = JumpModel.default()
    standing, walking, running = ((jumps if _has(jumps, name) else shipped).kind(name) for name in KINDS)
    units = zeros(JumpUnits, 1)
    own = units["standing"]
    own["push"], own["settle"] = jumps.push, jumps.settle
    own["support"], own["landing"], own["flight"] = standing.support, standing.landing, standing.flight_law
    own["lengths"], own["flights"] = standing.lengths, standing.flights
    for kind, own in ((walking, units["walking"]), (running, units["running"])):
        length, flight = np.mean(kind.lengths), np.mean(kind.flights)
        own["recorded"] = float(kind.support @ [1.0, length, flight]) / float(flight)
        # What is recorded to its end goes over into the gait while the body lands.
        own["hold"] = min(kind.hold, timeline.U_LAND)
        own["short"], own["long"] = min(RUNNING_FLIGHT, LEAST_SHOWN * kind.flights[0]), kind.flights[0]
        own["lengths"], own["flights"] = kind.lengths, kind.flights
    return units


def _has(jumps: JumpModel, name: str) -> bool:
    """Whether a model knows a kind of jump; what it does not know is that of the shipped one."""
    return name in jumps.kinds or (name != "standing" and "moving" in jumps.kinds)


def take_off_places(model: HumanModel) -> FloatArray:
    """Hip heights from the body ahead to the ball of a foot in the middle of its support before a jump.

    ``(K, 3, 2)``: of every style, walk and run, the line over the speed (m/s): offset and slope; then of a stand.
    """
    from locomote.human._kernels.stance import MIDDLE
    from locomote.human.jumps._kernels.jump_course import JUMP_AIR

    samples, chain = model.mean.shape[0], [0, *(COMMON.index("Right" + part) for part in LEG[:3])]
    out = np.zeros((len(model.styles), 3, 2))
    for gait, speeds in enumerate(TAKE_OFF_SPEEDS):
        ahead = []
        for speed in speeds:
            plants = [
                model.footplants_at(speed / REFERENCE_HIP_HEIGHT, float(gait), weights)
                for weights in np.eye(len(model.styles))
            ]
            strikes = np.array([[plant[:3, 0].min(), plant[3:, 0].min()] for plant in plants])
            land = (strikes[:, 0] - strikes[:, 1]) % 1.0
            phases = (strikes[:, 1] + MIDDLE * (land - JUMP_AIR)) % 1.0
            at = phases * samples
            before, share = at.astype(int), (at % 1.0)[:, None]
            ends = []
            for node in (before % samples, (before + 1) % samples):
                ends.append(
                    model.mean[node] + np.einsum("km,mkc->kc", model.coordinates(gait, speed), model.basis[:, node])
                )
            ahead.append(_ball_ahead(model, (1.0 - share) * ends[0] + share * ends[1], chain))
        out[:, gait, 1] = (ahead[1] - ahead[0]) / (speeds[1] - speeds[0])
        out[:, gait, 0] = ahead[0] - speeds[0] * out[:, gait, 1]
    out[:, 2, 0] = _ball_ahead(model, model.stand, chain)
    return out


def _ball_ahead(model: HumanModel, poses: FloatArray, chain: list[int]) -> FloatArray:
    """How far ahead of the body the ball of the right foot is in poses ``(F, C)``, were the foot flat."""
    root, turns = model.encoding.decode(poses, chain)
    positions, world = Motion(COMMON, 1.0, root, turns).world()
    forward = rot.rotate(world[:, chain[-1]], np.array([0.0, 0.0, 1.0]))
    yaws = np.arctan2(forward[:, 0], forward[:, 2])
    ball = rot.rotate(rot.from_yaw(yaws), COMMON.offsets[COMMON.index("RightToeBase")])
    out: FloatArray = positions[:, chain[-1], 2] + ball[:, 2]
    return out


def _jumps(jumps: JumpModel, model: HumanModel) -> Floats32:
    """Control points ``(U, 3, (N + 2) 3 PLANE)``: standing, then out of a walk and out of a run.

    Those two are from the left and from the right foot.
    """
    shipped = JumpModel.default().for_model(model)
    units = np.concatenate([(jumps if _has(jumps, name) else shipped).kind(name).parts for name in KINDS])
    nodes = to_planes(units)
    count = nodes.shape[2]
    rows = np.zeros((count + 2, count + 2))
    rows[0, :3] = rows[-1, -3:] = 1.0, -2.0, 1.0  # the ends are straight
    for i in range(count):
        rows[i + 1, i : i + 3] = 0.125, 0.75, 0.125
    ends = np.pad(nodes, ((0, 0), (0, 0), (1, 1), (0, 0)))
    controls = np.einsum("ij,upjc->upic", np.linalg.inv(rows), ends)
    out: Floats32 = controls.reshape(*units.shape[:2], -1).astype(np.float32)
    return out


def samples_of(packed: Model) -> Floats32:
    """The samples ``(P, S * 3 * PLANE)`` of which the basis holds the control points."""
    parts = len(packed.basis)
    controls = packed.basis.astype(np.float64).reshape(parts, -1, 3 * PLANE)
    nodes = 0.125 * controls[:, :-2] + 0.75 * controls[:, 1:-1] + 0.125 * controls[:, 2:]
    return nodes.reshape(parts, -1).astype(np.float32)


def _control_points(nodes: FloatArray) -> FloatArray:
    """Control points ``(P, S, W)`` of the periodic quadratic splines that go through the nodes."""
    count = nodes.shape[1]
    # A spline's value at a node is 1/8, 3/4, 1/8 of the control points around it: divide by that filter.
    response = 0.75 + 0.25 * np.cos(2.0 * np.pi * np.arange(count // 2 + 1) / count)
    out: FloatArray = np.fft.irfft(np.fft.rfft(nodes, axis=1) / response[:, None], count, axis=1)
    return out


def to_planes(frames: FloatArray) -> FloatArray:
    """Channels ``(..., C)`` as planes ``(..., 3 * PLANE)``."""
    out = np.zeros((*frames.shape[:-1], 3, PLANE))
    out[..., len(COMMON)] = frames[..., :3]
    logs = frames[..., 3:].reshape(*frames.shape[:-1], len(MOVING), 3)
    out[..., list(MOVING)] = np.moveaxis(logs, -1, -2)
    return out.reshape(*frames.shape[:-1], 3 * PLANE)


def from_planes(planes: npt.NDArray[np.floating]) -> FloatArray:
    """The inverse of `to_planes`."""
    parts = planes.astype(np.float64).reshape(*planes.shape[:-1], 3, PLANE)
    logs = np.moveaxis(parts[..., list(MOVING)], -1, -2).reshape(*planes.shape[:-1], -1)
    return np.concatenate([parts[..., len(COMMON)], logs], axis=-1)


def passing_phase(model: HumanModel) -> float:
    """The phase at which the left foot passes the right one in a slow walk."""
    root, turns = model.encoding.decode(model.unit(float(model.slowest[0])))
    ankles = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]
    along = Motion(COMMON, 1.0, root, turns).joint_positions()[:, ankles, 2]
    ahead = along[:, 0] - along[:, 1]
    rising = [s for s in range(len(ahead) // 2) if ahead[s] <= 0.0 < ahead[s + 1]]
    if not rising:
        return 0.25
    s = rising[0]
    return float(s + ahead[s] / (ahead[s] - ahead[s + 1])) / len(ahead)


def _joints(model: HumanModel) -> Floats32:
    joints = np.zeros((11, PLANE), dtype=np.float32)
    joints[0] = 1.0
    joints[:4, list(MOVING)] = rot.normalize(model.centres).T
    joints[4:7, : len(COMMON)] = COMMON.offsets.T
    joints[7, : len(COMMON)] = COMMON.parents
    for name, (axis, sense, widest) in HINGES.items():
        joints[8:, COMMON.index(name)] = axis, sense, np.tan(0.5 * widest)
    return joints
