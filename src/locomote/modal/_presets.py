"""The gaits of the source, stored by what their vibrations are for, so that they fit any body.

Numbers of modes differ from rig to rig; those of the source are kept for comparison only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.modal._gait import Channel, Gait
from locomote.modal._holds import Hold
from locomote.modal._modes import RIGID, Modes
from locomote.modal._poses import person_pose
from locomote.modal._roles import role_modes, sign_of
from locomote.skeleton import Skeleton

UP = 0.5 * math.pi
PERSON, QUADRUPED, LINKAGE = "person", "quadruped", "linkage"


class Part(NamedTuple):
    """One vibration of a preset, by its role (a letter of `ROLES`, a name of `RIGID`, or a number as "+0")."""

    role: str
    amplitude: float  # rad
    phase: float = 0.0  # rad
    harmonic: float = 1.0
    offset: float = 0.0  # rad


@dataclass(frozen=True)
class Preset:
    """A gait of the source for bodies of one kind."""

    name: str
    what: str
    kind: str  # whose: "person", "quadruped", "linkage"
    parts: tuple[Part, ...]
    numbers: tuple[int, ...]  # of the modes in the source
    freedom: int  # degrees of freedom of its body there
    frequency: float = 2.0  # Hz
    pose: str = "rest"
    stiffness: float | None = None  # N m/rad; None: what holds the body up
    factors: Mapping[str, float] = field(default_factory=dict)
    steady: str = ""  # "head" or "hands": what is held
    steps: tuple[float, ...] = ()  # turns at which the feet are in mid-swing, front to back and left before right
    swing: float = 0.0  # of the length of the legs, half the way of a foot
    ground: str = ""  # the gait of creatures that it is on the ground; none on the spot

    def gait(self, skeleton: Skeleton, masses: Masses | None = None) -> Gait:
        """The gait on a skeleton.

        Parameters
        ----------
        skeleton : of a person or a quadruped
        masses : what its joints carry; as `Masses.of` has it unless given
        """
        return self.on(self.modes(skeleton, masses))

    def modes(self, skeleton: Skeleton, masses: Masses | None = None) -> Modes:
        """The vibrations of a skeleton in the pose, with the springs and holds of this preset.

        Parameters
        ----------
        skeleton : of a person or a quadruped
        masses : what its joints carry; as `Masses.of` has it unless given
        """
        roles = skeleton.roles
        if not self.suits(skeleton):
            raise LocomoteError(f"preset {self.name!r} is for a {self.kind}; this body has {len(roles.legs)} legs")
        rest = person_pose(skeleton, self.pose)
        hold = []
        if self.steady == "head" and roles.head is not None:
            hold.append(Hold("turn", (skeleton.names[roles.head],)))
        if self.steady == "hands":
            hold.append(Hold("rail", tuple(skeleton.names[arm.wrist] for arm in roles.arms)))
        return Modes.of(
            skeleton, masses, rest=rest, stiffness=self.stiffness, factors=dict(self.factors), hold=tuple(hold)
        )

    def suits(self, skeleton: Skeleton) -> bool:
        """Whether a skeleton is of its kind, by its limbs.

        Parameters
        ----------
        skeleton : of any body
        """
        legs, arms = len(skeleton.roles.legs), len(skeleton.roles.arms)
        return {PERSON: legs == 2 and arms == 2, QUADRUPED: legs == 4}.get(self.kind, False)

    def on(self, modes: Modes) -> Gait:
        """The gait with given vibrations: the best of them for each part.

        Parameters
        ----------
        modes : of a body of the right kind
        """
        found = {} if modes.body is None else role_modes(modes)
        channels = []
        for part in self.parts:
            sign = 1.0
            if part.role.startswith("+"):
                index = modes.rigid + int(part.role)
            elif part.role in RIGID:
                if part.role not in modes.names:
                    continue  # it is held
                index = modes.names.index(part.role)
            elif part.role in found:
                index = found[part.role]
                sign = sign_of(part.role, index, modes)
            else:
                raise LocomoteError(f"preset {self.name!r}: no vibration of this body plays role {part.role}")
            told = (sign * part.amplitude, part.phase, part.harmonic, sign * part.offset)
            channels.append(Channel(index, *told))
        if not self.steps:
            return Gait(modes, tuple(channels), self.frequency)
        # Fore and hind legs share vibrations, each rig in its own way: how large and when each is, the steps tell.
        legs = [channel for channel in channels if channel.mode >= modes.rigid]
        swing = self.swing * (1.0 if modes.body is None else modes.body.leg_length)
        among = [channel.mode for channel in legs]
        fitted = Gait.fit(modes, self.steps, swing=swing, frequency=self.frequency, among=among)
        return fitted.with_channels([*(c for c in channels if c.mode < modes.rigid), *fitted.channels])


_SPINE = {"spine": 10.0}
_DOG = {"spine": 5.0}
_ALL = (
    # The source has 1; a loop whose hinges turn by 1 rad would go through itself. So many have a shape of length 1.
    Preset("ring", "a loop that rolls", LINKAGE, (Part("+0", 0.35), Part("+1", 0.35, UP)), (6, 7), 19, 5.25),
    Preset("chain", "a worm that creeps", LINKAGE, (Part("+0", 1.0), Part("+1", 1.0, UP)), (6, 7), 21, 5.0),
    Preset(
        "trot",
        "diagonal legs together",
        QUADRUPED,
        (Part("B", 0.5), Part("G", 0.5), Part("A", 0.5, UP), Part("F", 0.5, UP)),
        (9, 11, 19, 21),
        80,
        stiffness=20.0,
        factors=_DOG,
        steps=(0.5, 0.0, 0.0, 0.5),
        swing=0.3,
        ground="trot",
    ),
    Preset(
        "amble",
        "legs of one side together",
        QUADRUPED,
        (Part("B", 0.5), Part("G", 0.1), Part("A", 0.5, UP), Part("F", 0.3, UP)),
        (10, 11, 19, 21),
        80,
        stiffness=20.0,
        factors=_DOG,
        steps=(0.0, 0.5, 0.0, 0.5),
        swing=0.25,
        ground="pace",
    ),
    Preset(
        "gallop",
        "hind legs, then fore legs, with a back that bends",
        QUADRUPED,
        (
            Part("heave", 0.2),
            Part("H", 1.0, UP),
            Part("I", 1.0),
            Part("B", 0.2, UP),
            Part("D", 0.7, UP),
            Part("L", 1.0, UP),
        ),
        (4, 6, 8, 10, 11, 22),
        80,
        stiffness=20.0,
        factors=_DOG,
        steps=(0.46, 0.54, -0.04, 0.04),
        swing=0.35,
        ground="gallop",
    ),
    Preset(
        "walk",
        "a walk",
        PERSON,
        (Part("B", 0.5), Part("A", 0.76, UP), Part("G", 0.2, math.pi)),  # arms hang; the source has them out
        (6, 17),
        47,
        frequency=1.0,
        pose="standing",
        stiffness=100.0,
        factors=_SPINE,
        ground="walk",
    ),
    Preset(
        "jump",
        "jumps on the spot",
        PERSON,
        (Part("heave", 0.75, math.pi), Part("D", 0.75), Part("E", 0.25)),
        (4, 16, 24),
        47,
        pose="standing",
        stiffness=100.0,
        factors=_SPINE,
    ),
    Preset(
        "jacks",
        "jumping jacks: legs and arms spread at every other jump",
        PERSON,
        (
            Part("heave", 0.75, math.pi, 2.0),
            Part("J", 0.35, 0.25 * math.pi, 1.0, 0.27),
            Part("K", 0.95, 0.25 * math.pi),
            Part("D", 0.75, 0.0, 2.0),
            Part("E", 0.25, 0.0, 2.0),
        ),
        (4, 7, 10, 16, 24),
        47,
        frequency=1.0,
        pose="spread",
        stiffness=100.0,
        factors=_SPINE,
    ),
    Preset(
        "run",
        "a run on bent knees, elbows bent",
        PERSON,
        (Part("B", 0.5), Part("C", 0.5, UP), Part("A", 0.75, UP)),
        (6, 13, 15),
        47,
        pose="running",
        stiffness=100.0,
        factors=_SPINE,
        ground="run",
    ),
    Preset(
        "steady run",
        "a run with a head that does not turn",
        PERSON,
        (Part("B", 0.6), Part("G", 0.2, math.pi), Part("A", 0.3, UP), Part("F", 0.3, UP)),
        (5, 7, 13, 14),
        44,
        pose="running",
        stiffness=100.0,
        steady="head",
        ground="run",
    ),
    Preset(
        "cart",
        "a walk with both hands on a cart",
        PERSON,
        (Part("B", 0.5), Part("A", 0.5, UP), Part("C", 0.5, UP)),
        (2, 9, 10),
        42,
        pose="pushing",
        stiffness=100.0,
        factors=_SPINE,
        steady="hands",
        ground="walk",
    ),
)
PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}


def preset(name: str) -> Preset:
    """A gait of the source by its name: see `PRESETS`."""
    if name not in PRESETS:
        raise LocomoteError(f"no preset {name!r}; expected one of {', '.join(PRESETS)}")
    return PRESETS[name]
