"""How a crowd of creatures begins: what is kept of it, in which gait it goes, and where it stands."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from locomote.creatures._creature import Creature
from locomote.creatures._kernels.model import CHAIN, GaitArrays, Manner
from locomote.creatures._kernels.state import (
    DISKS,
    LIVE,
    CreatureState,
    FootState,
    GaitState,
    GirdleState,
    SpineNode,
)
from locomote.creatures._longest_ways import longest_ways
from locomote.creatures._queries import BoolArray
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.math.records import Records, zeros
from locomote.motion import Poses
from locomote.rotations import ArrayLike, FloatArray
from locomote.world import Maps
from locomote.world._surface import places_of

SPACING = 3.0  # body lengths between the creatures of a new crowd
CLEARANCE = 0.02  # m that swinging feet keep above all they pass, for legs 0.8 m long
EDGE = 0.8  # worth of a foothold at an edge


class CrowdBeginning:
    """The state of a crowd and its beginning; `Crowd` has all of this."""

    creature: Creature
    maps: Maps
    _random: np.random.Generator
    _rows: Records
    _gait_rows: Records
    _feet: Records
    _nodes: Records
    _girdles: Records
    _disks: FloatArray
    _swinging: npt.NDArray[np.int64]
    _curves: FloatArray
    _poses: Poses
    _places: FloatArray
    _gaits: GaitArrays
    _manner: Manner
    _kernel: Callable[..., None] | None  # of a step, prepared for the kinds of these arrays

    def _make_state(self, count: int) -> None:
        """Room for creatures that are nowhere yet."""
        morphology, spine = self.creature.morphology, self.creature.spine
        self._rows = zeros(CreatureState, count)
        self._gait_rows = zeros(GaitState, count)
        self._feet = zeros(FootState, count, len(morphology.legs))
        self._nodes = zeros(SpineNode, count, len(spine.places))
        self._girdles = zeros(GirdleState, count, len(spine.girdles))
        rest_turns = morphology.skeleton.rest_rotations
        self._poses = Poses(
            morphology.skeleton, np.zeros((count, 3)), np.tile(rest_turns, (count, 1, 1)).astype(np.float64)
        )
        joints = max(len(leg.joints) for leg in morphology.legs)
        self._places = np.zeros((count, len(morphology.legs), joints + 1, 3))

    def _pack(self) -> None:
        """The gaits and manners for the kernels, made again when a gait is added."""
        from locomote.creatures._kernels.swing_scratch import SAMPLES

        self._gaits = self.creature.gaits.arrays
        count, feet = self._feet.shape[:2]
        sectors = self._gaits.sectors.shape[3]
        if not hasattr(self, "_disks"):
            self._swinging = np.zeros((count, feet), dtype=np.int64)
            self._curves = np.zeros((count, feet, SAMPLES, 3))
            self._disks = np.zeros((count, DISKS, feet, sectors, 2))
        elif sectors > self._disks.shape[3]:
            more = sectors - self._disks.shape[3]
            self._disks = np.pad(self._disks, ((0, 0), (0, 0), (0, 0), (0, more), (0, 0)))
        self._manner, self._kernel = self._make_manner(), None

    def _make_manner(self) -> Manner:
        morphology = self.creature.morphology
        size = float(np.mean(morphology.reaches)) / 0.8
        feet = morphology.rest_feet - morphology.centre
        return Manner(
            hip_height=morphology.hip_height,
            time_unit=self.creature.time_unit,
            radius=float(np.mean(np.hypot(feet[:, 0], feet[:, 2]))),
            boxes=np.array([leg.foot_box for leg in morphology.legs]),
            longest=float(np.min(longest_ways(self.creature))),
            clearance=CLEARANCE * size,
            slice=self.creature.slice * size,
            edge=EDGE,
            peaks=self.creature.swing_peaks,
        )

    def _begin(self, gait: str, speeds: FloatArray) -> None:
        """Begin with a gait and at speeds ``(N,)``, at some moment of the cycle."""
        from locomote.creatures._kernels.gait_disks import start_all

        rows, count = self._rows, len(self._rows)
        rows["speed"] = rows["wanted_speed"] = speeds
        rows["auto_gait"] = gait == "auto"
        index = 0 if gait == "auto" else self.creature.gaits.index(gait)
        unit = math.sqrt(GRAVITY * self._manner.hip_height)
        time_units = np.full(count, self._manner.time_unit)
        needles = self._random.random(count)
        self._gait_rows["noise"]["seed"] = (needles * 2**31).astype(np.int64)
        self._gait_rows["noise"]["knot"] = -1  # none is drawn yet
        start_all(needles, index, speeds / unit, time_units, self._gait_rows, self._disks, self._gaits)
        if gait == "auto":
            natural = self._gaits.natural
            for n, speed in enumerate(speeds / unit):
                fit = [i for i, (low, high) in enumerate(natural) if low <= speed <= high]
                if fit and fit[0] != 0:
                    one = slice(n, n + 1)
                    args = needles[one], fit[0], (speeds / unit)[one], time_units[one]
                    start_all(*args, self._gait_rows[one], self._disks[one], self._gaits)

    def _place(self, positions: ArrayLike | None, headings: FloatArray) -> None:
        """Stand every creature on the ground where it begins."""
        from locomote.creatures._kernels.feet import plant_all
        from locomote.creatures._kernels.spine_guide import straighten_all

        morphology, count = self.creature.morphology, len(self._rows)
        places = _places(positions, count, SPACING * 2.0 * max(morphology.box))
        rows, feet = self._rows, self._feet
        rows["x"], rows["z"], rows["yaw"] = places[:, 0], places[:, 1], headings
        rows["wanted_yaw"], rows["by_yaw"] = headings, True
        rows["step_height"], rows["visible"], rows["held"], rows["allowed"] = -1.0, True, 1.0, 1.0
        self._gait_rows["eased_period"], rows["push"] = self._gait_rows["period"], 1.0
        rows["comfort"] = rows["lowest"] = -math.inf
        feet["soon_highest"] = math.inf
        spine = self.creature.spine
        rows["lead"] = spine.places[0, 2] if len(spine.girdles) >= CHAIN else 0.0
        for name, share in self.creature.effects.items():
            rows["effects"][name] = rows["wanted_effects"][name] = share
        rows["lively"] = rows["speed"] != 0.0
        swings = self._disks[:, LIVE, :, 0]
        feet["duty"] = 1.0 - swings[..., 1]
        feet["middle"] = swings[..., 0] + swings[..., 1] + 0.5 * feet["duty"]
        offsets = morphology.rest_feet - morphology.centre
        feet["spacing_x"], feet["spacing_z"] = offsets[:, 0], offsets[:, 2]
        x, z = self._spaced(self._begin_in_stride())
        self.maps.update()
        feet["x"], feet["z"] = x, z
        feet["sole"]["yaw"] = headings[:, None]
        plant_all(feet, self.maps.arrays)
        rows["y"] = feet["y"].mean(axis=1) + self.creature.height
        rows["floor"] = -math.inf
        straighten_all(rows, self._nodes, feet, spine)

    def _begin_in_stride(self) -> FloatArray:
        """Begin in mid-stride: how far ahead of its place under the body each foot is ``(N, F)``, metres."""
        live, needles = self._disks[:, LIVE], self._gait_rows["needle"][:, None, None]
        starts, lengths = live[..., 0], live[..., 1]
        since = (needles - starts) % 1.0
        swings = (since < lengths) & (lengths > 0.0)
        stance = 1.0 - lengths.sum(axis=-1)  # for feet that swing more than once a cycle only roughly
        gone = np.where(lengths > 0.0, (needles - starts - lengths) % 1.0, np.inf).min(axis=-1)
        along = 0.5 - np.minimum(gone / np.maximum(stance, 1e-6), 1.0)
        share = np.where(swings, since / np.maximum(lengths, 1e-6), 0.0).max(axis=-1)
        aloft: BoolArray = np.any(swings, axis=-1)
        along = np.where(aloft, share - 0.5, along)
        moving = np.flatnonzero(self._rows["speed"])
        self._gait_rows["running"][moving] = True  # in mid-stride: the needle does not wait for the next lift
        self._swinging[moving] = aloft[moving]
        way = self._rows["speed"] * self._gait_rows["period"]
        out: FloatArray = along * stance * way[:, None]
        return out

    def _spaced(self, ahead: FloatArray | float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Where every foot has its place under the body now, in the plan, or so far ahead of it."""
        rows, feet = self._rows, self._feet
        yaws = rows["yaw"][:, None]
        sine, cosine = np.sin(yaws), np.cos(yaws)
        x, z = feet["spacing_x"], feet["spacing_z"] + ahead
        return rows["x"][:, None] + cosine * x + sine * z, rows["z"][:, None] + cosine * z - sine * x


def _places(positions: ArrayLike | None, count: int, spacing: float) -> FloatArray:
    """Places ``(N, 2)`` as (x, z): as given (also as (x, y, z)), or on a square grid about the origin."""
    if positions is None:
        side = math.ceil(math.sqrt(count))
        row, column = np.divmod(np.arange(count), side)
        middle = 0.5 * (side - 1) if count > 1 else 0.0
        return spacing * np.stack([column - middle, row - middle], axis=1)
    places: FloatArray = np.asarray(positions, dtype=np.float64)
    if places.shape not in ((2,), (3,), (count, 2), (count, 3)) or not np.all(np.isfinite(places)):
        raise LocomoteError(f"positions: expected finite numbers of shape ({count}, 2) as (x, z)")
    return np.broadcast_to(places_of(places), (count, 2))
