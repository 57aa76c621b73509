"""A creature: what it is made of and how it steps; shared by all that are alike."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from locomote.creatures._gaits import Gait, GaitSet
from locomote.creatures._kernels.model import BodyTrunk, Folds, Limbs, Neck, Paws, Soles, Spine, Synergy
from locomote.creatures._morphology import Morphology
from locomote.creatures._spines import BEND
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import ArrayLike, FloatArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from locomote.modal import Modes

FEW_LEGS = 3  # up to so many, the trunk stays upright on slopes
UPRIGHT = 0.25  # share of a slope that it then follows
CELL = 0.07  # m, of the maps for a creature whose legs are as long as LEG
LEG = 0.8  # m
CELLS = (0.02, 0.10)  # m, the finest and the coarsest
LEAST_BELLY = 0.15  # of the height of the centre, between it and the underside of the body
FORE_PEAK, HIND_PEAK = 0.7, 0.3  # of the way of a foot, in dogs
HIGHEST = 0.96  # of the reach of its legs that a creature stands up, at most
FLAT_FOOTED = 0.98  # of the reach from hip to ankle, where its feet lie flat
ROLLS = 0.7  # m, the height of hips up to which girdles roll as those of dogs do; larger animals roll less
SPRAWLED = 0.7  # of the height of its hips that the feet of a creature stand out sideways, from which on it winds


@dataclass(frozen=True, eq=False)
class Creature:
    """A body with legs, its gaits, and how it carries itself."""

    morphology: Morphology
    gaits: GaitSet
    tilt: float  # share of the ground's slope that the trunk follows
    slice: float = 0.1  # m, steps of height in which going round is weighed against going over
    bend: float = BEND  # rad between two joints of its trunk, at most, in the plan
    modes: Modes | None = None  # the natural vibrations by which trunk and arms go with the feet

    def __repr__(self) -> str:
        body = self.morphology
        return f"<Creature {body.name!r}: {len(body.legs)} legs, {len(body.skeleton)} joints>"

    @classmethod
    def build(cls, name: str) -> Creature:
        """One of the creatures that come with the package: see `names`."""
        from locomote.creatures.catalogue._builtin import build

        return cls.of(build(name))

    @classmethod
    def of(cls, morphology: Morphology, gaits: GaitSet | None = None) -> Creature:
        """A creature from its morphology.

        Parameters
        ----------
        morphology : its skeleton, legs and trunk
        gaits : those that suit its legs unless given
        """
        from locomote.creatures.catalogue._gait_presets import gaits_of

        known = gaits_of(morphology) if gaits is None else gaits
        if len(known.gaits[0].feet) != len(morphology.legs):
            raise LocomoteError(f"gaits for {len(known.gaits[0].feet)} feet do not fit {len(morphology.legs)} legs")
        tilt = 1.0 if len(morphology.legs) > FEW_LEGS else UPRIGHT
        return cls(morphology, known, tilt)

    @classmethod
    def from_rig(
        cls,
        path: str | PathLike[str],
        legs: Sequence[tuple[str, str]] | None = None,
        forward: str | ArrayLike | None = None,
        height: float | None = None,
    ) -> Creature:
        """A creature from a file of a rig.

        Parameters
        ----------
        path : any format that `load` reads
        legs : names of hip and tip of each; found by the body's shape without them
        forward : an axis such as "-x", or a vector; needed where the front looks like the back
        height : m, to which the body is scaled
        """
        return cls.of(Morphology.from_rig(path, legs, forward, height))

    def with_gait(self, gait: Gait) -> Creature:
        """The same creature with one more gait."""
        return replace(self, gaits=self.gaits.with_gait(gait))

    def by_modes(self, modes: Modes | None = None) -> Creature:
        """The same creature whose trunk and arms go with its feet as its natural vibrations have it.

        Parameters
        ----------
        modes : of its skeleton; found by its masses, with the springs that hold it up, unless given
        """
        from locomote.creatures._synergy import modes_of

        return replace(self, modes=modes_of(self.morphology) if modes is None else modes)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.morphology.name

    @cached_property
    def folds(self) -> Folds:
        """How its legs fold."""
        from locomote.creatures._leg_folding import fold_legs
        from locomote.creatures._rolling_feet import feet_that_roll

        if self.takes is None:
            return fold_legs(self.morphology)
        rolls = feet_that_roll(self.morphology)  # these fold above the ankle
        return fold_legs(
            self.morphology, takes=[None if roll else own for roll, own in zip(rolls, self.takes, strict=True)]
        )

    @cached_property
    def takes(self) -> list[FloatArray] | None:
        """How the joints of each leg turn to lift its foot by its natural vibrations; nothing without them."""
        from locomote.creatures._synergy import takes_of

        return None if self.modes is None else takes_of(self.morphology, self.spine, self.modes)

    @property
    def limbs(self) -> Limbs:
        """How far its legs reach."""
        folds, soles = self.folds, self.soles
        return Limbs(
            folds.hips, folds.spans, folds.drops, folds.aims, folds.ways, soles.rolls, soles.ankles, soles.legs.spans
        )

    @cached_property
    def soles(self) -> Soles:
        """How its feet roll."""
        from locomote.creatures._rolling_feet import soles_of

        return soles_of(self.morphology, self.folds, self.takes)

    @cached_property
    def paws(self) -> Paws:
        """How its fore feet bend at the wrist."""
        from locomote.creatures._paws import paws_of

        return paws_of(self.morphology, self.folds, self.upright, self.takes)

    @cached_property
    def neck(self) -> Neck:
        """How its neck holds its head."""
        from locomote.creatures._necks import neck_of

        return neck_of(self.morphology, self.spine)

    @cached_property
    def upright(self) -> bool:
        """Whether it goes on two pairs of legs that stand under it, as dogs and horses do."""
        from locomote.creatures.catalogue._gait_presets import sprawls

        ranks = self.morphology.ranks
        return len(ranks) == 4 and len(set(ranks)) == 2 and not sprawls(self.morphology)

    @cached_property
    def spine(self) -> Spine:
        """How its trunk bends."""
        from locomote.creatures._spines import spine_of

        return spine_of(self.morphology, self.bend, self.upright)

    @cached_property
    def synergy(self) -> Synergy:
        """How the rest of it goes with its feet."""
        from locomote.creatures._synergy import synergy_of

        return synergy_of(self.morphology, self.spine, self.modes)

    @property
    def effects(self) -> dict[str, float]:
        """How lively it is where nobody says otherwise: see `Crowd.command`."""
        feet, hips = self.morphology.rest_feet, self.morphology.hips
        out = float(np.mean(np.abs(feet[:, 0]) / np.maximum(hips[:, 1] - feet[:, 1], 1e-9)))
        sway = 1.0 if out > SPRAWLED else 0.5
        roll = min(1.0, ROLLS / self.morphology.hip_height) if self.upright else 0.0
        shares = {"bounce": 1.0, "flex": 1.0, "sway": sway, "nod": 0.45, "pushing": 1.0}
        head = 1.0 if self.upright or self.neck.holds else 0.0
        if self.modes is not None:  # vibrations in their place; none of them knows of weight and bounce
            shares, roll, head = shares | {"sway": 0.0, "nod": 0.0}, 0.0, 0.0
        return shares | {"roll": roll, "head": head, "vary": 1.0}

    @cached_property
    def swing_peaks(self) -> FloatArray:
        """The share of its way after which each foot is highest on level ground ``(F,)``.

        Upright animals on four legs lift the hind feet early and the fore feet late in their swings.
        """
        ranks = np.array(self.morphology.ranks)
        if not self.upright:
            return np.full(len(ranks), 0.5)
        return np.where(ranks == ranks.min(), FORE_PEAK, HIND_PEAK)

    @cached_property
    def cell(self) -> float:
        """The side of a cell of its maps, metres: in keeping with its legs."""
        return float(np.clip(CELL * float(np.mean(self.morphology.reaches)) / LEG, *CELLS))

    @property
    def height(self) -> float:
        """How high it carries its centre over level ground, metres: at rest, or lower where its legs are straight."""
        hips, feet = self.morphology.hips, self.morphology.rest_feet
        aside = np.hypot(feet[:, 0] - hips[:, 0], feet[:, 2] - hips[:, 2])
        reach = HIGHEST * self.folds.spans[:, 1]
        drop = np.sqrt(np.maximum(reach**2 - aside**2, (0.2 * reach) ** 2))
        rolls, ankles = self.soles.rolls > 0, feet + self.soles.ankles
        aside = np.hypot(ankles[:, 0] - hips[:, 0], ankles[:, 2] - hips[:, 2])
        reach = FLAT_FOOTED * self.soles.legs.spans[:, 1]
        over_ankles = ankles[:, 1] - feet[:, 1] + np.sqrt(np.maximum(reach**2 - aside**2, (0.2 * reach) ** 2))
        drop = np.where(rolls, np.minimum(drop, over_ankles), drop)
        lowered = float(np.max(np.maximum(hips[:, 1] - feet[:, 1] - drop, 0.0)))
        return self.morphology.thickness - lowered

    @cached_property
    def trunk(self) -> BodyTrunk:
        """Its trunk, for the kernels."""
        width, length = self.morphology.box
        return BodyTrunk(width, length, self.height, self._belly(), self.tilt)

    def _belly(self) -> float:
        """From the centre down to the lowest part of the body that is no leg."""
        morphology = self.morphology
        limbs = {joint for leg in morphology.legs for joint in leg.joints}
        for joint, parent in enumerate(morphology.skeleton.parents):
            if int(parent) in limbs:
                limbs.add(joint)
        points = [morphology.rest_pose[0][[j for j in range(len(morphology.skeleton)) if j not in limbs]]]
        body = morphology.body
        if body is not None:
            leading = body.joints[np.arange(len(body.joints)), np.argmax(body.weights, axis=1)]
            points.append(body.vertices[~np.isin(leading, list(limbs))])
        every = np.concatenate(points)
        width, length = morphology.box
        near = (np.abs(every[:, 0]) <= width) & (np.abs(every[:, 2]) <= length)
        lowest = float(every[near, 1].min()) if np.any(near) else float(morphology.centre[1])
        deep = float(morphology.centre[1]) - lowest
        return min(max(deep, LEAST_BELLY * morphology.thickness), 0.9 * morphology.thickness)

    @property
    def time_unit(self) -> float:
        """The root of hip height over gravity, seconds, in which gaits are counted."""
        return math.sqrt(self.morphology.hip_height / GRAVITY)
