"""Who is solved: a skeleton, how each of its joints may turn, and which of them are locked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.formats._files import split_name
from locomote.ik import JointLimit
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

if TYPE_CHECKING:
    from locomote.creatures import Morphology

LOCKED = JointLimit(swing=0.0, twist=(0.0, 0.0))
PERSON = "human"
_SPINE = JointLimit(swing=np.radians(45.0), twist=(-np.radians(30.0), np.radians(30.0)))


@dataclass(frozen=True, eq=False)
class Subject:
    """A body that markers are solved for.

    Parameters
    ----------
    skeleton
        Its joints, metres.
    limits
        How joints turn, by name: a limit without swing is a hinge, one without twist as well is locked. Joints that
        are not named are free; the root always is.
    name
        What it is called; "human" and "rat" have built-in marker tables.
    body
        Its skin, kept in what is found.
    firm
        Joints of its back and tail, by name, which leave the usual pose less readily than those of limbs.
    """

    skeleton: Skeleton
    limits: Mapping[str, JointLimit] = field(default_factory=dict)
    name: str = ""
    body: Body | None = None
    firm: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for joint in self.limits:
            self.skeleton.index(joint)

    def locked(self, *joints: str, at: Motion | None = None) -> Subject:
        """The same body, some of whose joints do not turn.

        Parameters
        ----------
        joints
            Names; a name without its side, as ``subtalar``, is not completed: give both.
        at
            The pose in which they are locked, by its first frame; as at rest without one.
        """
        limits = dict(self.limits)
        for joint in joints:
            j = self.skeleton.index(joint)
            known = limits.get(joint, LOCKED)
            rest = known.rest if at is None else tuple(float(v) for v in at.rotations[0, j])
            limits[joint] = replace(LOCKED, rest=rest)  # type: ignore[arg-type]
        return replace(self, limits=limits)

    def scaled(self, factor: float) -> Subject:
        """The same body, larger or smaller.

        Parameters
        ----------
        factor
            How many times as large.
        """
        if not 0.0 < factor < np.inf:
            raise LocomoteError(f"a body scaled by {factor}: expected a number above 0")
        return replace(self, skeleton=self.skeleton.scaled(factor), body=None if factor != 1.0 else self.body)

    def with_skeleton(self, skeleton: Skeleton) -> Subject:
        """The same joints on bones of other lengths.

        Parameters
        ----------
        skeleton
            With the same names.
        """
        if skeleton.names != self.skeleton.names:
            raise LocomoteError("another skeleton: expected joints of the same names")
        return replace(self, skeleton=skeleton, body=None)

    def kind(self, joint: int) -> int:
        """How many unknowns a joint has: 0 locked, 1 a hinge, 3 free or in a cone."""
        limit = self.limits.get(self.skeleton.names[joint])
        if joint == 0 or limit is None or limit.swing > 0.0:
            return 3
        return 1 if limit.twist[1] > limit.twist[0] else 0

    def usual(self) -> FloatArray:
        """Local rotations ``(J, 4)`` from which joints that nothing is seen of do not go."""
        out = np.array(self.skeleton.rest_rotations)
        for name, limit in self.limits.items():
            if limit.rest is not None:
                out[self.skeleton.index(name)] = limit.rest
        return out

    def size(self) -> float:
        """The greatest distance between two joints at rest, m: what springs of joints are measured by."""
        places = self.skeleton.rest_pose()[0]
        return float(np.max(np.linalg.norm(places[:, None] - places, axis=-1)))


def human(height: float = 1.75, newer: bool = True) -> Subject:
    """A person of OpenSim's kind: hinges at knees, ankles, toes, elbows; balls at hips, shoulders and lumbar spine.

    Parameters
    ----------
    height
        m; `calibrate` finds it from markers.
    newer
        Hips of the models since 2016, or those of the one before, as older files of joint coordinates have them.
    """
    from locomote.formats._opensim_model import REFERENCE_HEIGHT, human_joint_axes, human_skeleton

    if not 0.2 < height < 3.0:
        raise LocomoteError(f"height {height}: expected metres, 0.2 to 3")
    skeleton = human_skeleton(height / REFERENCE_HEIGHT, 1.0 if newer else -1.0)
    limits = dict.fromkeys(("lumbar2", "torso", "head"), LOCKED)
    limits["lumbar1"] = JointLimit(swing=np.radians(60.0), twist=(-0.9, 0.9))
    for joint, (axis, low, high) in human_joint_axes().items():
        limits[joint] = JointLimit.hinge(axis, low, high)
    for side in "lr":
        limits[f"femur_{side}"] = JointLimit(swing=np.radians(140.0), twist=(-1.2, 1.2))
        limits[f"hand_{side}"] = LOCKED
    return Subject(skeleton, limits, PERSON)


def subject(rig: str | PathLike[str] | Motion | Skeleton | Subject) -> Subject:
    """Somebody to solve markers for.

    Parameters
    ----------
    rig
        "human", a built-in creature by name, any file with a skeleton (hinges of robot and MuJoCo models are kept), a
        motion, a skeleton.
    """
    if isinstance(rig, Subject):
        return rig
    if isinstance(rig, Skeleton):
        return Subject(rig)
    if isinstance(rig, Motion):
        return Subject(_plain(rig).skeleton, name=rig.name, body=rig.body)
    if str(rig) == PERSON:
        return human()
    path = Path(rig)
    if not path.suffix:
        from locomote.creatures.catalogue._builtin import NAMES, build

        if str(rig) not in NAMES:
            offer = ", ".join((PERSON, *NAMES))
            raise LocomoteError(f"no body {str(rig)!r}: expected a file with a skeleton, or one of {offer}")
        return of_creature(build(str(rig)))
    if split_name(path)[1] in (".xml", ".urdf"):
        return _of_model(path)
    motion = _plain(load(path))
    return Subject(motion.skeleton, name=path.stem, body=motion.body)


def of_creature(creature: Morphology) -> Subject:
    """A creature: its legs turn as its animal's do, its trunk, neck and tail bend.

    Parameters
    ----------
    creature
        Built in, or of any rig.
    """
    skeleton = creature.skeleton
    limits = {}
    for leg in creature.legs:
        for k, joint in enumerate(leg.joints):
            row = leg.limits
            rest, axis = (tuple(float(v) for v in values[k]) for values in (row.rest, row.axes))
            low, high = (float(v) for v in row.twist[k])
            limits[skeleton.names[joint]] = JointLimit(axis, float(row.swing[k]), (low, high), rest)  # type: ignore[arg-type]
    line = [skeleton.names[joint] for joint in (*creature.spine, *creature.tail) if joint > 0]
    limits |= {joint: _SPINE for joint in line if joint not in limits}
    return Subject(skeleton, limits, creature.name, creature.body, tuple(line))


def _of_model(path: Path) -> Subject:
    """A model of rigid bodies with its hinges."""
    from locomote.formats import mjcf, urdf
    from locomote.formats._files import read_bytes

    data = read_bytes(path)
    model = (mjcf if split_name(path)[1] == ".xml" else urdf).parse(data, path)
    rows = zip(model.skeleton.names[1:], model.axes[1:], model.swing[1:], model.twist[1:], strict=True)
    limits = {}
    for name, axis, swing, twist in rows:
        x, y, z = (float(v) for v in axis)
        limits[name] = JointLimit((x, y, z), float(swing), (float(twist[0]), float(twist[1])))
    return Subject(model.skeleton, limits, path.stem)


def _plain(motion: Motion) -> Motion:
    if motion.translations is not None:
        raise LocomoteError(
            f"{motion.name or 'the rig'}: its joints move against their parents; markers turn joints only"
        )
    return motion


def head_level(motion: Motion) -> Motion:
    """A person on whose head no marker is: it stays level and looks where the chest points, as people's heads do."""
    skeleton, turns = motion.skeleton, motion.rotations.copy()
    chest = rot.multiply(turns[:, 0], turns[:, skeleton.index("lumbar1")])
    level = rot.exp(rot.log(rot.multiply(rot.inverse(chest), rot.from_yaw(rot.yaw(chest)))) / 2.0)
    turns[:, skeleton.index("neck")] = turns[:, skeleton.index("head")] = level
    return replace(motion, rotations=rot.canonical(turns))
