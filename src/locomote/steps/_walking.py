"""From a plan of footsteps to the motion of a whole body whose feet stand exactly on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._blending import WalkerBody, body, default_database, pack
from locomote.steps._database import PLAIN, StepDatabase
from locomote.steps._gait import gait_sheets
from locomote.steps._plan import FootPlan, check_all
from locomote.steps._plan_filling import facings, filter_sums, landing_times
from locomote.steps._shaping import follow_ground, is_level, swing_arms
from locomote.world import Ground

if TYPE_CHECKING:
    from locomote.steps._kernels.layout import ChainPlants, ChosenSteps, GaitSheets, MadeWalks

MODES = ("nearest", "extrapolate", "exact")
CANDIDATES = ("plain", "regions", "optimal")
UPPER_BODIES = ("blend", "dominant")
MOST_ARM_GAIN = 2.0
AT_ONCE = 300  # plants, about
MODEL_SHARE = 0.9  # of the human model's gait: the mean of two guesses at a person is nearer than either
SLOWEST, FASTEST = 1.0, 1000.0  # frames a second


@dataclass(frozen=True)
class Options:
    """How steps are chosen and put together.

    ``mode`` says what happens to steps outside of what was recorded: the nearest step as it is, extrapolated steps, or
    the exact place. ``candidates`` are the corners of the tetrahedron of steps around the one asked for, better ones
    chosen one by one, or the best four together. ``location``, ``orientation`` and ``timing`` weigh what makes steps
    alike.
    """

    mode: str = "exact"
    candidates: str = "optimal"
    upper_body: str = "dominant"
    location: float = 1.0
    orientation: float = 1.0
    timing: float = 1.0
    soft: float = 2.0  # weight of orientation and timing beside location in the choice of the best four
    most: float = 0.35  # by which weights of extrapolated steps go below 0 and above 1
    rhythm: float = 0.15  # of the usual duration, by which a step whose time is free takes longer or shorter
    arm_gain: float = 1.0  # of the swing of the arms about their mean
    gait: float | None = None  # share of the human model's gait in ordinary walking; None: 0.9 for the shipped steps
    fit_root: bool = True
    filters: bool = True

    def __post_init__(self) -> None:
        for name, known in (("mode", MODES), ("candidates", CANDIDATES), ("upper_body", UPPER_BODIES)):
            if getattr(self, name) not in known:
                raise LocomoteError(f"{name} {getattr(self, name)!r}: expected {', '.join(known)}")
        for name in ("location", "orientation", "timing", "soft", "most", "rhythm", "arm_gain"):
            if not (np.isfinite(getattr(self, name)) and getattr(self, name) >= 0.0):
                raise LocomoteError(f"{name} {getattr(self, name)}: expected a number, 0 or more")
        if self.gait is not None and not 0.0 <= self.gait <= 1.0:
            raise LocomoteError(f"gait {self.gait}: expected 0 to 1")
        if self.arm_gain > MOST_ARM_GAIN:
            raise LocomoteError(f"arm_gain {self.arm_gain}: expected 0 to {MOST_ARM_GAIN:g}")


@dataclass(frozen=True, eq=False)
class Walk:
    """A motion and how it came about. Rows of plants are those of the plan; the first two have no step."""

    motion: Motion
    plan: FootPlan
    places: FloatArray  # (P, 3) m, where the feet really stand: the plan's places, except in the nearest mode
    foot_yaws: FloatArray  # (P,) rad
    lifts: FloatArray  # (P,) s, when the foot leaves for the plant
    lands: FloatArray  # (P,) s, when it comes down
    outside: FloatArray  # (P,) m by which a step is outside of what was recorded
    corners: IntArray  # (P, 4) recorded steps that it is made of
    weights: FloatArray  # (P, 4)
    stands: IntArray  # (2, F) the plant on which the left and right foot stand, -1 in the air
    sinks: FloatArray  # (2, F) m, by which the body had to sink for its legs to reach, and by which it did

    @property
    def late(self) -> FloatArray:
        """Seconds by which feet come down later than asked for ``(P,)``; NaN where the plan leaves it free."""
        begin = np.fmax.reduce(self.plan.times[:2]) if np.any(np.isfinite(self.plan.times[:2])) else 0.0
        out: FloatArray = self.lands - (self.plan.times - begin)
        return out


def walk(
    plan: FootPlan,
    *,
    database: StepDatabase | None = None,
    leg_length: float = 0.9,
    fps: float = 60.0,
    mode: str = "exact",
    ground: Ground | None = None,
    options: Options | None = None,
) -> Motion:
    """The motion of a person whose feet stand where the plan says.

    Parameters
    ----------
    plan : where feet stand
    database : of steps; the shipped one without it
    leg_length, fps : m, and frames a second
    mode : "exact", "extrapolate" or "nearest": what happens to steps outside of what was recorded
    ground : that gives the heights of plants
    options : how steps are chosen, in place of the mode
    """
    return trace([plan], database=database, leg_length=leg_length, fps=fps, mode=mode, ground=ground, options=options)[
        0
    ].motion


def trace(
    plans: Sequence[FootPlan],
    *,
    database: StepDatabase | None = None,
    leg_length: float = 0.9,
    fps: float = 60.0,
    mode: str = "exact",
    ground: Ground | None = None,
    options: Options | None = None,
    checked: bool = False,
) -> list[Walk]:
    """The walks of many people at once, with all that is known about them.

    Parameters
    ----------
    plans : one for each
    database : of steps; the shipped one without it
    leg_length, fps : m, and frames a second
    mode : "exact", "extrapolate" or "nearest": what happens to steps outside of what was recorded
    ground : that gives the heights of plants
    options : how steps are chosen, in place of the mode
    checked : plans are not looked at again: they were, or come from a planner that makes no others
    """
    if not SLOWEST <= fps <= FASTEST:
        raise LocomoteError(f"fps {fps}: expected {SLOWEST:g} to {FASTEST:g} frames a second")
    options = Options(mode=mode) if options is None else options
    plans = [plan if ground is None else _on_ground(plan, ground) for plan in plans]
    if not checked:
        check_all(plans, leg_length)
    person = body(float(leg_length))
    out: list[Walk] = []
    begin = 0
    while begin < len(plans):  # some at a time: what is in work stays small
        end, plants = begin + 1, len(plans[begin])
        while end < len(plans) and plants + len(plans[end]) <= AT_ONCE:
            plants += len(plans[end])
            end += 1
        out += _some(plans[begin:end], database, person, fps, options, ground)
        begin = end
    return out


def _some(
    plans: Sequence[FootPlan],
    database: StepDatabase | None,
    person: WalkerBody,
    fps: float,
    options: Options,
    ground: Ground | None,
) -> list[Walk]:
    plants = plants_of(plans)
    chosen = choose(plants, database, person, options)
    ends = plants.firsts[1:] - 1
    counts = np.floor((chosen.lands[ends] + chosen.finals[ends]) * fps + 1e-6).astype(np.int64) + 1
    frame_firsts = np.concatenate([[0], np.cumsum(counts)])
    made = make(plants, chosen, database, person, options, fps, frame_firsts, ground)
    return [_walk(k, plan, plants, chosen, person, fps, frame_firsts, made) for k, plan in enumerate(plans)]


def _on_ground(plan: FootPlan, ground: Ground) -> FootPlan:
    places = plan.places.copy()
    places[:, 1] = ground.heights(places)
    return replace(plan, places=places)


def plants_of(plans: Sequence[FootPlan]) -> ChainPlants:
    """All plants of the plans in a row."""
    from locomote.steps._kernels.layout import ChainPlants

    firsts = np.concatenate([[0], np.cumsum([len(plan) for plan in plans])])
    yaws = np.concatenate([plan.yaws for plan in plans])
    return ChainPlants(
        firsts.astype(np.int64),
        np.concatenate([plan.sides for plan in plans]),
        np.concatenate([plan.places for plan in plans]),
        yaws,
        facings(plans),
        np.concatenate([landing_times(plan) for plan in plans]),
        np.full(len(yaws), np.nan),
        np.full(len(yaws), -np.inf),
        np.zeros(len(yaws), dtype=np.int64),
    )


def choose(
    plants: ChainPlants,
    database: StepDatabase | None,
    person: WalkerBody,
    options: Options,
    kept: ChosenSteps | None = None,
) -> ChosenSteps:
    """The recorded steps for all plants; those of frozen plants are ``kept``."""
    from locomote.steps._kernels.chain import choose_steps
    from locomote.steps._kernels.choose import StepWishes
    from locomote.steps._kernels.layout import ChosenSteps

    steps, clips = pack(default_database() if database is None else database)
    count = len(plants.sides)
    wishes = StepWishes(
        float(options.location),
        float(options.orientation),
        float(options.timing),
        float(options.soft),
        CANDIDATES.index(options.candidates),
        MODES.index(options.mode),
        float(options.most),
        max(float(options.rhythm), 1e-6),
    )
    index: Any = lambda *shape: np.full((count, *shape), -1, dtype=np.int64)  # noqa: E731
    number: Any = lambda *shape: np.zeros((count, *shape))  # noqa: E731
    chosen = kept or ChosenSteps(
        index(4), number(4), number(4), index(), index(), number(3), number(), number(),
        number(), number(), number(), number(), number(),
    )  # fmt: skip
    choose_steps(plants, steps, clips, wishes, person.measures, chosen)
    return chosen


def make(
    plants: ChainPlants,
    chosen: ChosenSteps,
    database: StepDatabase | None,
    person: WalkerBody,
    options: Options,
    fps: float,
    frame_firsts: IntArray,
    ground: Ground | None = None,
) -> MadeWalks:
    """All walks as frames and poses; on a ``ground`` feet lie flat on it, or swing over it."""
    from locomote.steps._kernels.blend import ROWS
    from locomote.steps._kernels.layout import MadeWalks, PlayedChains, PlayManner
    from locomote.steps._kernels.play import MADE, SHAPED, WHOLE, play_chains

    clips = pack(default_database() if database is None else database).clips
    count, longest = int(frame_firsts[-1]), int(np.diff(frame_firsts).max())
    made = MadeWalks(
        np.empty((ROWS, longest)),
        np.empty((2, count), dtype=np.int64),
        np.zeros(count),
        np.empty((2, count)),
        np.empty((count, 3)),
        np.empty((count, len(person.skeleton), 4)),
    )

    share = _gait_share(database, options)
    played = PlayedChains(plants, chosen, clips, frame_firsts, gait_sheets(share))
    manner = PlayManner(
        float(fps),
        UPPER_BODIES.index(options.upper_body),
        filter_sums(fps),
        options.fit_root,
        options.filters,
    )

    def play(begin: int, end: int, stage: int, gait: GaitSheets = played.gait) -> None:
        play_chains(played._replace(gait=gait), person.measures, manner, begin, end, stage, made)

    chains = len(frame_firsts) - 1
    if ground is None and options.arm_gain == 1.0:
        play(0, chains, WHOLE)
        return made
    for chain in range(chains):
        level = ground is None or is_level(chain, plants, chosen, ground)
        play(chain, chain + 1, MADE, gait_sheets(share if level else 0.0))
        first, last = int(frame_firsts[chain]), int(frame_firsts[chain + 1])
        frames = made.frames[:, : last - first]
        swing_arms(frames, options.arm_gain)
        if ground is not None:
            follow_ground(frames, made.stands[:, first:last], chain, plants, chosen, person, fps, ground)
        play(chain, chain + 1, SHAPED)
    return made


def _gait_share(database: StepDatabase | None, options: Options) -> float:
    """The share of the human model's gait: steps of one's own, or of a style, are walked as they were recorded."""
    if options.gait is not None:
        return float(options.gait)
    shipped = database is None or database.about == default_database().about
    plain = database is None or not np.any(database.tags != database.styles.index(PLAIN))
    return MODEL_SHARE if shipped and plain else 0.0


def pose(frames: FloatArray, person: WalkerBody) -> tuple[FloatArray, FloatArray]:
    """Root positions ``(F, 3)`` and rotations ``(F, J, 4)`` of a sheet of frames."""
    from locomote.steps._kernels.pose import pose_frames

    count = frames.shape[1]
    roots, rotations = np.empty((count, 3)), np.empty((count, len(person.skeleton), 4))
    pose_frames(frames, person.measures, roots, rotations)
    return roots, rotations


def _walk(
    k: int,
    plan: FootPlan,
    plants: ChainPlants,
    chosen: ChosenSteps,
    person: WalkerBody,
    fps: float,
    frame_firsts: IntArray,
    made: MadeWalks,
) -> Walk:
    rows = slice(int(plants.firsts[k]), int(plants.firsts[k + 1]))
    played = slice(int(frame_firsts[k]), int(frame_firsts[k + 1]))
    under = made.stands[:, played]
    return Walk(
        Motion(person.skeleton, fps, made.roots[played], made.rotations[played], name="steps"),
        plan,
        chosen.places[rows],
        chosen.foot_yaws[rows],
        chosen.lifts[rows],
        chosen.lands[rows],
        person.measures.size * chosen.off[rows],
        chosen.corners[rows],
        chosen.weights[rows],
        np.where(under >= 0, under - rows.start, -1),
        made.sinks[:, played],
    )
