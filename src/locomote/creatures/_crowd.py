"""One creature or thousands of a kind, on any ground, one call a frame."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote._arguments import Notices, Rows, Values, Who, rows_of, spread
from locomote.creatures._appendages import Appendages
from locomote.creatures._bursting import Bursting
from locomote.creatures._creature import Creature
from locomote.creatures._effects import Effects
from locomote.creatures._gaits import Gait
from locomote.creatures._goals import CreatureGoals
from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.spine_layout import CHAIN, GIRDLE_COLUMNS, NODE_COLUMNS
from locomote.creatures._navigation import CreatureNavigation
from locomote.creatures._queries import BoolArray, CreatureQueries
from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.world import Ground, Maps, Obstacles
from locomote.world._surface import places_of

if TYPE_CHECKING:
    from locomote.creatures._kernels.foot_plan import Manner

SPACING = 3.0  # body lengths between the creatures of a new crowd
FASTEST = 15.0  # m/s
FASTEST_TURN = 2.0  # rad/s
NEAR, FAR = 8.0, 60.0  # m from the eye, for creatures a metre long: all details, and the fewest
MOST_COUPLES = 40  # footholds weighed after the first possible one, near by
WIDEST_SLICE = 0.4  # m, far away
CLEARANCE = 0.02  # m that swinging feet keep above all they pass, for legs 0.8 m long
EDGE = 0.8  # worth of a foothold at an edge


class Crowd(CreatureQueries, CreatureGoals, Effects, Bursting):
    """Creatures of one kind. All knobs may be turned at any time, for all or for some.

    ``step`` returns the same `Poses` each time, with arrays that the next step overwrites: take a ``copy()`` of what is
    to be kept. What moves in the world (``ground``, ``obstacles``) is moved by their own ``advance``.
    """

    def __init__(
        self,
        creature: Creature | str,
        count: int = 1,
        *,
        seed: int = 0,
        speed: Values = 0.0,
        heading: Values = 0.0,
        gait: str = "auto",
        positions: rot.ArrayLike | None = None,
        ground: Ground | None = None,
        obstacles: Obstacles | None = None,
        maps: Maps | None = None,
        threads: int = 1,
    ) -> None:
        if not (isinstance(count, (int, np.integer)) and count >= 1):
            raise LocomoteError(f"count {count}: a crowd has at least one creature")
        if not (isinstance(threads, (int, np.integer)) and threads >= 1):
            raise LocomoteError(f"threads {threads}: expected 1 or more")
        self.creature = Creature.build(creature) if isinstance(creature, str) else creature
        if maps is None:
            ground = Ground() if ground is None else ground
            maps = Maps(ground, Obstacles() if obstacles is None else obstacles, self.creature.cell)
        elif ground is not None or obstacles is not None:
            raise LocomoteError("maps: they bring their own ground and obstacles; give either, not both")
        self.maps = maps
        self._threads = int(threads)
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._notices = Notices()
        self._detail = False
        feet = len(self.creature.morphology.legs)
        self._rows = np.zeros((count, c.CREATURE_COLUMNS))
        self._feet = np.zeros((count, feet, c.FOOT_COLUMNS))
        spine = self.creature.spine
        self._nodes = np.zeros((count, len(spine.places), NODE_COLUMNS))
        self._swells = np.zeros((count, len(spine.girdles), GIRDLE_COLUMNS))
        self._random = np.random.default_rng(seed)
        self._make_poses(count)
        self._pack()
        self._begin(gait, spread("speed", speed, count))
        self._place(positions, spread("heading", heading, count))
        self._ways = CreatureNavigation(self._rows, self._feet, self.creature, self.maps)
        self.appendages = Appendages(self.creature.morphology, count)
        self.step(0.0)

    def _make_poses(self, count: int) -> None:
        morphology = self.creature.morphology
        rest_turns = morphology.skeleton.rest_rotations
        self._poses = Poses(
            morphology.skeleton, np.zeros((count, 3)), np.tile(rest_turns, (count, 1, 1)).astype(np.float64)
        )
        joints = max(len(leg.joints) for leg in morphology.legs)
        self._places = np.zeros((count, len(morphology.legs), joints + 1, 3))

    def _pack(self) -> None:
        """The gaits and manners for the kernels, made again when a gait is added."""
        from locomote.creatures._kernels.swing_plan import SAMPLES

        self._gaits = self.creature.gaits.arrays
        count, feet = self._feet.shape[:2]
        sectors = self._gaits.sectors.shape[3]
        if not hasattr(self, "_disks"):
            self._gait_rows = np.zeros((count, g.COLUMNS))
            self._swinging = np.zeros((count, feet), dtype=np.int64)
            self._curves = np.zeros((count, feet, SAMPLES, 3))
            self._disks = np.zeros((count, g.DISKS, feet, sectors, 2))
        elif sectors > self._disks.shape[3]:
            more = sectors - self._disks.shape[3]
            self._disks = np.pad(self._disks, ((0, 0), (0, 0), (0, 0), (0, more), (0, 0)))
        self._manner = self._make_manner()

    def _make_manner(self) -> Manner:
        from locomote.creatures._kernels.foot_plan import Manner

        morphology = self.creature.morphology
        size = float(np.mean(morphology.reaches)) / 0.8
        feet = morphology.rest_feet - morphology.centre
        return Manner(
            hip_height=morphology.hip_height,
            time_unit=self.creature.time_unit,
            radius=float(np.mean(np.hypot(feet[:, 0], feet[:, 2]))),
            boxes=np.array([leg.foot_box for leg in morphology.legs]),
            clearance=CLEARANCE * size,
            slice=self.creature.slice * size,
            edge=EDGE,
            detail=1.0 if self._detail else 0.0,
            near=NEAR * size,
            far=FAR * size,
            most_couples=float(MOST_COUPLES),
            widest_slice=WIDEST_SLICE * size,
            peaks=self.creature.swing_peaks,
        )

    def _place(self, positions: rot.ArrayLike | None, headings: FloatArray) -> None:
        """Stand every creature on the ground where it begins."""
        from locomote.creatures._kernels.feet import plant_all
        from locomote.creatures._kernels.spine_guide import straighten_all

        morphology, count = self.creature.morphology, len(self)
        places = _places(positions, count, SPACING * 2.0 * max(morphology.box))
        rows, feet = self._rows, self._feet
        rows[:, c.X], rows[:, c.Z], rows[:, c.YAW] = places[:, 0], places[:, 1], headings
        rows[:, c.WANTED_YAW], rows[:, c.BY_YAW] = headings, 1.0
        rows[:, c.STEP_HEIGHT], rows[:, c.VISIBLE], rows[:, c.HELD] = -1.0, 1.0, 1.0
        spine = self.creature.spine
        rows[:, c.LEAD] = spine.places[0, 2] if len(spine.girdles) >= CHAIN else 0.0
        effects = [*self.creature.effects.values()]
        rows[:, c.BOUNCE : c.BOUNCE + c.EFFECTS] = rows[:, c.WANTED_BOUNCE : c.WANTED_BOUNCE + c.EFFECTS] = effects
        rows[:, c.LIVELY] = self._rows[:, c.SPEED] != 0.0
        swings = self._disks[:, g.LIVE, :, 0]
        feet[:, :, c.DUTY] = 1.0 - swings[..., 1]
        feet[:, :, c.MIDDLE] = swings[..., 0] + swings[..., 1] + 0.5 * feet[:, :, c.DUTY]
        offsets = (morphology.rest_feet - morphology.centre)[:, [0, 2]]
        feet[:, :, c.SPACING_X], feet[:, :, c.SPACING_Z] = offsets[:, 0], offsets[:, 1]
        x, z = self._spaced(self._begin_in_stride())
        self.maps.update()
        feet[:, :, c.FOOT_X], feet[:, :, c.FOOT_Z] = x, z
        feet[:, :, c.SOLE_YAW] = headings[:, None]
        plant_all(feet, self.maps.arrays)
        rows[:, c.Y] = feet[:, :, c.FOOT_Y].mean(axis=1) + self.creature.height
        rows[:, c.FLOOR] = -math.inf
        straighten_all(rows, self._nodes, feet, spine)

    def _begin_in_stride(self) -> FloatArray:
        """Begin in mid-stride: how far ahead of its place under the body each foot is ``(N, F)``, metres."""
        live, needles = self._disks[:, g.LIVE], self._gait_rows[:, g.NEEDLE, None, None]
        starts, lengths = live[..., 0], live[..., 1]
        since = (needles - starts) % 1.0
        swings = (since < lengths) & (lengths > 0.0)
        stance = 1.0 - lengths.sum(axis=-1)  # for feet that swing more than once a cycle only roughly
        gone = np.where(lengths > 0.0, (needles - starts - lengths) % 1.0, np.inf).min(axis=-1)
        along = 0.5 - np.minimum(gone / np.maximum(stance, 1e-6), 1.0)
        share = np.where(swings, since / np.maximum(lengths, 1e-6), 0.0).max(axis=-1)
        aloft: BoolArray = np.any(swings, axis=-1)
        along = np.where(aloft, share - 0.5, along)
        moving = np.flatnonzero(self._rows[:, c.SPEED])
        self._gait_rows[moving, g.RUNNING] = 1.0  # in mid-stride: the needle does not wait for the next lift
        self._swinging[moving] = aloft[moving]
        way = self._rows[:, c.SPEED] * self._gait_rows[:, g.PERIOD]
        out: FloatArray = along * stance * way[:, None]
        return out

    def _spaced(self, ahead: FloatArray | float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Where every foot has its place under the body now, in the plan, or so far ahead of it."""
        rows, feet = self._rows, self._feet
        sine, cosine = np.sin(rows[:, c.YAW, None]), np.cos(rows[:, c.YAW, None])
        x, z = feet[:, :, c.SPACING_X], feet[:, :, c.SPACING_Z] + ahead
        return rows[:, c.X, None] + cosine * x + sine * z, rows[:, c.Z, None] + cosine * z - sine * x

    def _begin(self, gait: str, speeds: FloatArray) -> None:
        from locomote.creatures._kernels.gait_disks import start_all

        rows, count = self._rows, len(self)
        speeds = self._notices.clamp("speed", speeds, -FASTEST, FASTEST, "m/s")
        rows[:, c.SPEED] = rows[:, c.WANTED_SPEED] = speeds
        rows[:, c.AUTO_GAIT] = float(gait == "auto")
        index = 0 if gait == "auto" else self.creature.gaits.index(gait)
        unit = math.sqrt(9.81 * self._manner.hip_height)
        time_units = np.full(count, self._manner.time_unit)
        needles = self._random.random(count)
        start_all(needles, index, speeds / unit, time_units, self._gait_rows, self._disks, self._gaits)
        if gait == "auto":
            natural = self._gaits.natural
            for n, speed in enumerate(speeds / unit):
                fit = [i for i, (low, high) in enumerate(natural) if low <= speed <= high]
                if fit and fit[0] != 0:
                    one = slice(n, n + 1)
                    args = needles[one], fit[0], (speeds / unit)[one], time_units[one]
                    start_all(*args, self._gait_rows[one], self._disks[one], self._gaits)

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""
        return self._poses

    def command(
        self,
        *,
        speed: Values | None = None,
        heading: Values | None = None,
        turn_rate: Values | None = None,
        gait: str | Gait | None = None,
        within: float | None = None,
        step_height: Values | None = None,
        spacing: npt.ArrayLike | None = None,
        burst: bool | None = None,
        who: Who = None,
    ) -> None:
        """Give new targets, one number or one for each creature meant by ``who``; what is left out stays.

        ``gait`` is a name, ``auto`` (by speed), ``random``, or a `Gait` of your own; it is reached ``within`` seconds,
        or one period. ``step_height`` in metres; a negative one leaves it to the gait. ``spacing (F, 2)`` or
        ``(n, F, 2)`` is where the feet have their places under the body: x to the left, z ahead, metres. With ``burst``
        the speed comes in bursts from rest to what was told and back; with the gait ``random`` each has another one.
        """
        rows = rows_of(who, len(self))
        if turn_rate is not None and heading is not None:
            raise LocomoteError("turn_rate and heading: give one of them")
        count = len(rows)
        speeds = None if speed is None else spread("speed", speed, count)
        headings = None if heading is None else spread("heading", heading, count)
        rates = None if turn_rate is None else spread("turn_rate", turn_rate, count)
        heights = None if step_height is None else spread("step_height", step_height, count)
        places = None if spacing is None else self._spread_spacing(spacing, count)
        if gait is not None:
            self._change_gait(rows, gait, within)
        state = self._rows
        self._ways.told(rows, speeds, headings is not None or rates is not None)
        if speeds is not None:
            state[rows, c.WANTED_SPEED] = self._notices.clamp("speed", speeds, -FASTEST, FASTEST, "m/s")
            self._feet[rows, :, c.LOST] = 0.0
            self._told_speeds(rows)
        if burst is not None:
            self._set_bursts(rows, burst)
        if headings is not None:
            state[rows, c.WANTED_YAW], state[rows, c.BY_YAW] = headings, 1.0
            self._feet[rows, :, c.LOST] = 0.0
        if rates is not None:
            most = FASTEST_TURN
            state[rows, c.WANTED_TURN] = self._notices.clamp("turn_rate", rates, -most, most, "rad/s")
            state[rows, c.BY_YAW] = 0.0
        if heights is not None:
            state[rows, c.STEP_HEIGHT] = np.minimum(heights, 0.6 * self._manner.hip_height)
        if places is not None:
            self._feet[rows, :, c.SPACING_X : c.SPACING_Z + 1] = places

    def _spread_spacing(self, spacing: npt.ArrayLike, count: int) -> FloatArray:
        feet = self._feet.shape[1]
        places = np.asarray(spacing, dtype=np.float64)
        if places.shape not in ((feet, 2), (count, feet, 2)) or not np.all(np.isfinite(places)):
            raise LocomoteError(f"spacing: expected finite numbers of shape ({feet}, 2) or ({count}, {feet}, 2)")
        hips = (self.creature.morphology.hips - self.creature.morphology.centre)[:, [0, 2]]
        off = np.linalg.norm(places - hips, axis=-1)
        far = off > self.creature.morphology.reaches
        if np.any(far):
            which = int(np.argwhere(far)[0][-1])
            name = self.creature.morphology.legs[which].name
            raise LocomoteError(
                f"spacing: leg {name} reaches {self.creature.morphology.reaches[which]:.3g} m from its hip, "
                f"not {float(off[..., which].max()):.3g}"
            )
        return np.broadcast_to(places, (count, feet, 2))

    def _change_gait(self, rows: Rows, gait: str | Gait, within: float | None) -> None:
        if within is not None and not (math.isfinite(within) and within >= 0.0):
            raise LocomoteError(f"within {within}: expected seconds, 0 or more")
        if isinstance(gait, Gait):
            self.creature = self.creature.with_gait(gait)
            self._pack()
            gait = gait.name
        if gait == "random":
            from locomote.creatures._random_gaits import random_gait

            drawn = random_gait(self.creature.gaits.gaits[0].feet, self._random)
            self.creature = self.creature.with_gait(drawn)
            self._pack()
            gait = drawn.name
        if gait != "auto":
            index = self.creature.gaits.index(gait)
            self._notices.once(f"gait {gait}", self.creature.gaits.gaits[index].complaint())
            self._gait_rows[rows, g.WANTED] = index
        self._rows[rows, c.AUTO_GAIT] = float(gait == "auto")
        self._gait_rows[rows, g.TRANSITION] = 0.0 if within is None else within

    def look_from(self, eye: npt.ArrayLike | None, visible: npt.ArrayLike | None = None) -> None:
        """Leave out what cannot be seen from ``eye (3,)``: farther creatures weigh fewer footholds, others none.

        ``visible (N,)`` says which are in view, all if not given; the others' legs are not posed. With None everything
        is worked out again.
        """
        self._detail = eye is not None
        self._rows[:, c.VISIBLE] = 1.0
        if eye is not None:
            place = np.asarray(eye, dtype=np.float64)
            if place.shape != (3,) or not np.all(np.isfinite(place)):
                raise LocomoteError(f"eye: expected three finite numbers, got {eye!r}")
            self._rows[:, c.AWAY] = np.linalg.norm(self.positions - place, axis=1)
            if visible is not None:
                self._rows[:, c.VISIBLE] = spread("visible", np.asarray(visible, dtype=np.float64), len(self))
        self._manner = self._make_manner()

    def step(self, dt: float) -> Poses:
        """Advance by ``dt`` seconds."""
        self._run(dt, np.zeros(0, dtype=np.int64))
        self.appendages.step(dt, self._poses, self.maps)
        return self._poses

    def trace(self, dt: float) -> list[str]:
        """Advance by ``dt`` seconds and say in which order the stages were gone through for the first creature."""
        noted = np.full(2 * len(c.STAGES), -1, dtype=np.int64)
        self._run(dt, noted)
        self.appendages.step(dt, self._poses, self.maps)
        return [c.STAGES[stage] for stage in noted[noted >= 0]]

    def _run(self, dt: float, trace: npt.NDArray[np.int64]) -> None:
        from locomote.creatures._kernels.step import step_creatures

        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        self.maps.update()
        self._ways.step(dt)
        self._burst(dt)
        arguments: tuple[Any, ...] = (
            *(self._rows, self._gait_rows, self._disks, self._swinging, self._feet, self._curves),
            *(self._nodes, self._swells, self._gaits, self.creature.folds, self.creature.soles),
            *(self.creature.trunk, self.creature.spine, self._manner, self.maps.arrays),
            *(self._poses.root_positions, self._poses.rotations, self._places, trace),
        )
        if self._pool is None or len(self) < 2 * self._threads:
            step_creatures(dt, 0, len(self), *arguments)
            return
        ends = np.linspace(0, len(self), self._threads + 1).astype(int).tolist()
        running = [self._pool.submit(step_creatures, dt, first, last, *arguments) for first, last in pairwise(ends)]
        for each in running:
            each.result()

    def record(self, seconds: float, fps: float = 60.0, who: int = 0) -> Motion:
        """Step the whole crowd and its world for so long and give the motion of one creature, with its body."""
        from locomote.creatures._recording import record

        return record(self, seconds, fps, who)


def _places(positions: rot.ArrayLike | None, count: int, spacing: float) -> FloatArray:
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
