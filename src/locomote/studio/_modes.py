"""The natural vibrations of a body on the page: mixed, made into gaits, stiffened, and put on the ground."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from locomote.creatures import NAMES, Creature, Morphology
from locomote.creatures import Gait as CreatureGait
from locomote.creatures._synergy import modes_of, played_by_modes
from locomote.errors import LocomoteError
from locomote.human_skeleton import human_skeleton
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.modal import PRESETS, Channel, Crowd, Gait, Modes, Preset
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.studio._creatures import StudioCreatures
from locomote.studio._frames import PageFrame, posed
from locomote.studio._pieces import Look, look_of
from locomote.studio._recording import Take

PERSON, LEG = "person", 0.86  # m, of the person
BODIES = (PERSON, *NAMES)
MIX, NO_LEG = "mix", "none"
BACK = "back"  # a gait of creatures that go backwards, which steps alone do not tell
SHOWN = 6  # of the slowest vibrations, that can be mixed
SWAY, WIDEST = math.radians(12.0), math.radians(35.0)  # rad, of the first one at the beginning, and of any at most
STIFF = 10.0  # times as stiff is a stiff leg
SOFTEST, STIFFEST = 0.25, 4.0  # times as stiff as usual is the whole body
FPS = 60.0


class StudioModes:
    """One body that vibrates in the air, or goes on the ground as its vibrations have it."""

    def __init__(self, name: str = "wolf") -> None:
        self.stiffness, self.grounded, self.take = 1.0, False, Take(FPS)
        self._ground: StudioCreatures | None = None
        self.choose(name)

    def choose(self, name: str) -> None:
        """Another body: its first vibration is seen, all its legs are sound."""
        if name not in BODIES:
            raise LocomoteError(f"body {name!r}: expected {', '.join(BODIES)}")
        self.creature = _person() if name == PERSON else Creature.build(name)
        morphology = self.creature.morphology
        self.name, self.skeleton, self.body = name, morphology.skeleton, morphology.body
        self.look: Look = look_of(self.skeleton, self.body)
        self.usual = modes_of(morphology)
        roles = self.skeleton.roles.legs
        self.legs = {self.skeleton.names[leg.toe]: [self.skeleton.names[j] for j in leg.chain] for leg in roles}
        own = self.creature.gaits.gaits
        self._own = {gait.name: gait for gait in own if gait.name != BACK and _usual_speed(gait) > 0.0}
        self._known: dict[str, Gait] = {}
        suited = [preset.name for preset in PRESETS.values() if preset.suits(self.skeleton)]
        self.gaits = (MIX, *dict.fromkeys([*suited, *self._own]))
        self.amounts = [SWAY, *[0.0] * (SHOWN - 1)]
        self.gait, self.leg = MIX, NO_LEG
        self.take.clear()
        self._turns, self._way = 0.0, 0.0  # cycles that were played, and m that were gone
        self._begin()

    def mix(self, amounts: Sequence[float]) -> None:
        """How much of each of the slowest vibrations, rad ``(SHOWN,)``."""
        if len(amounts) != SHOWN or not all(abs(each) <= WIDEST for each in amounts):
            raise LocomoteError(f"mix: expected {SHOWN} amplitudes up to {WIDEST:.2f} rad, got {list(amounts)}")
        self.amounts = [float(each) for each in amounts]
        self._begin(MIX)

    def play(self, gait: str) -> None:
        """A gait by its name, or the mix."""
        if gait not in self.gaits:
            raise LocomoteError(f"gait {gait!r}: expected {', '.join(self.gaits)}")
        self._begin(gait)

    def stiffen(self, stiffness: float | None = None, leg: str | None = None) -> None:
        """The whole body so many times as stiff as usual, and one leg much stiffer."""
        if stiffness is not None and not SOFTEST <= stiffness <= STIFFEST:
            raise LocomoteError(f"stiffness: expected {SOFTEST} to {STIFFEST} times the usual one, got {stiffness}")
        if leg is not None and leg not in (NO_LEG, *self.legs):
            raise LocomoteError(f"stiff leg {leg!r}: expected {', '.join((NO_LEG, *self.legs))}")
        self.stiffness = self.stiffness if stiffness is None else stiffness
        self.leg = self.leg if leg is None else leg
        self._begin()

    def put_down(self, grounded: bool) -> None:
        """On the ground, where feet hold, or in the air."""
        self.grounded = grounded
        self._begin()

    def _begin(self, gait: str | None = None) -> None:
        """Make the vibrations and who plays them, in the moment in which they were."""
        self.gait = self.gait if gait is None else gait
        factors = {} if self.stiffness == 1.0 else {"*": self.stiffness}
        factors |= dict.fromkeys(self.legs.get(self.leg, ()), STIFF)
        self.modes: Modes = self.usual.stiffened(factors) if factors else self.usual
        self._factors = factors
        if self.grounded:
            self._put_down()
            return
        if self.gait == MIX:
            made = self._mixed()
        else:
            if self.gait not in self._known:  # a gait of many legs takes a second
                self._known[self.gait] = self._made()
            made = self._known[self.gait].hurt(factors) if factors else self._known[self.gait]
        self.crowd = Crowd(made, positions=[(0.0, 0.0, self._way)])
        self.crowd.command(pace=0.0)
        self.crowd.step(self._turns / made.frequency)
        self.crowd.command(pace=0.0 if self.gait == MIX else 1.0)

    def _mixed(self) -> Gait:
        """Vibrations each at its own frequency."""
        first = self.modes.rigid
        frequencies = self.modes.frequencies[first : first + SHOWN]
        told = zip(self.amounts, frequencies / frequencies[0], strict=True)
        channels = tuple(Channel(first + k, amount, harmonic=float(times)) for k, (amount, times) in enumerate(told))
        return Gait(self.modes, channels, float(frequencies[0]))

    def _made(self) -> Gait:
        """The gait of the body as it usually is."""
        preset = self._preset()
        if preset is not None:
            return preset.gait(self.skeleton, Masses.of(self.skeleton, body=self.body))
        return played_by_modes(self.creature.morphology, self._own[self.gait], self.usual)

    def _preset(self) -> Preset | None:
        """The gait of the source that is chosen, if it is one."""
        preset = PRESETS.get(self.gait)
        return preset if preset is not None and preset.suits(self.skeleton) else None

    def _put_down(self) -> None:
        """As ``creatures.Crowd(gait="modal")`` goes, with these springs; what stays on the spot goes by speed."""
        self._ground = self._ground or StudioCreatures()
        modes, name, preset = self.modes, self.gait, self._preset()
        if preset is not None and preset.ground:
            name, modes = preset.ground, preset.modes(self.skeleton, Masses.of(self.skeleton, body=self.body))
            modes = modes.stiffened(self._factors) if self._factors else modes
        self._ground.begin(self.creature.by_modes(modes))
        gait = self._own.get(name)
        if gait is not None:
            self._ground.set_gait(gait.name)
            self._ground.tell(speed=_usual_speed(gait) * math.sqrt(GRAVITY * self.creature.morphology.hip_height))

    @property
    def ground(self) -> StudioCreatures | None:
        """The creature on the ground, while it is there."""
        return self._ground if self.grounded else None

    @property
    def poses(self) -> Poses:
        """The pose now."""
        return self.crowd.poses if self.ground is None else self.ground.crowd.poses

    def advance(self, dt: float) -> None:
        """Let time pass."""
        if self.ground is not None:
            self.ground.advance(dt)
            return
        self.crowd.step(dt)
        self._turns += dt * self.crowd.gait.frequency
        self._way += 0.0 if self.gait == MIX else dt * self.crowd.speed

    def seen(self) -> PageFrame:
        """What is to be seen now; feet in the air touch nothing."""
        if self.ground is not None:
            return self.ground.frame
        none = np.zeros((1, len(self.legs), 0), dtype=np.bool_)
        positions, turns = posed(self.skeleton, self.poses.root_positions, self.poses.rotations)
        return PageFrame(positions, turns, np.ones(1), np.zeros((*none.shape, 3)), none)

    def centre(self) -> FloatArray:
        """Where it is, on the ground ``(3,)``."""
        x, z = (0.0, self._way) if self.ground is None else self.ground.crowd.positions[0, [0, 2]]
        return np.array([x, 0.0, z])


def _usual_speed(gait: CreatureGait) -> float:
    """In the middle of its table, rather below than above, in units of the creature; 0 where it goes nowhere."""
    moving = gait.speeds[gait.speeds > 0.0]
    return float(moving[(len(moving) - 1) // 2]) if len(moving) else 0.0


def _person() -> Creature:
    legs = [(f"{side}UpLeg", f"{side}ToeBase") for side in ("Left", "Right")]
    return Creature.of(Morphology.from_names(human_skeleton(LEG), legs, head="Head", name=PERSON))
