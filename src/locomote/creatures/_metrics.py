"""What a crowd of creatures is worth, looked at from outside: slip, penetration, crossing legs, plans."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.creatures._kernels.state import BLOCKED_GOAL, BLOCKED_WAY, SPACED, SPED, TURNED
from locomote.rotations import FloatArray
from locomote.world._kernels import map_layout as m

if TYPE_CHECKING:
    from locomote.creatures._crowd import Crowd

UNDER_WAY = (TURNED, SPED, SPACED, BLOCKED_WAY, BLOCKED_GOAL)  # plans of feet that were swinging already
NOTED = 1e-3  # m that a foot must be inside of something to be counted

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class CrowdFigures:
    """What was seen over all creatures of a crowd; lengths in millimetres, the largest of all frames."""

    creatures: int
    legs: int  # of each
    frames: int
    seconds: float
    speed: float  # m/s, the mean
    stance_slip: float  # of the tip of a standing leg from where it came down, seen from what it stands on
    penetration: float  # of a foot into the ground or a thing that stands still
    overrun: float  # of a foot into a thing that moves, which may have come over it
    overrun_share: float  # of all feet and frames, with a foot more than a millimetre inside of one that moves
    tip_error: float  # between the tip of a standing leg and where its foot is
    crossings: int  # pairs of standing legs that cross in the plan, counted in every frame
    plans: int
    replans: int  # of these, those of feet that were under way already
    couples: int  # footholds with a path that were weighed
    score: float  # mean of the chosen footholds, 1: the preferred one by the plain way
    blocked: int  # creatures that found no way for a foot, at the end

    @property
    def couples_a_plan(self) -> float:
        """Footholds weighed for each plan."""
        return self.couples / max(self.plans, 1)

    @property
    def replans_a_second(self) -> float:
        """Plans of feet under way, a second and creature."""
        return self.replans / max(self.seconds * self.creatures, 1e-9)

    def as_dict(self) -> dict[str, float]:
        """All figures by name."""
        rates = {"couples_a_plan": self.couples_a_plan, "replans_a_second": self.replans_a_second}
        return asdict(self) | rates


class Watch:
    """Looks at a crowd: call `look` after every step, then `figures`."""

    def __init__(self, crowd: Crowd) -> None:
        self.crowd = crowd
        self._seen = crowd._rows["visible"].copy()
        self._born, self._stands = self._supports()
        self._landed, _ = self._seen_from_supports()
        self._brought = np.zeros(crowd.planted.shape, dtype=np.bool_)
        self._foot_plans = crowd._feet["plans"].copy()
        self._counts = crowd.counts
        self.frames, self.seconds, self.way = 0, 0.0, 0.0
        self.slip = self.sunk = self.error = self.overrun = 0.0
        self.crossings = self.replans = self.overruns = 0
        count = len(crowd)
        self.scores, self.planned = np.zeros(count), np.zeros(count)  # of each creature: their sum and number

    def look(self, dt: float) -> None:
        """Take down the present frame, ``dt`` seconds after the one before."""
        crowd, feet = self.crowd, self.crowd._feet
        self.frames += 1
        self.seconds += dt
        self.way += float(np.mean(np.abs(crowd.speeds))) * dt
        seen = crowd._rows["visible"].copy()
        born, stands = self._supports()
        local, hips = self._seen_from_supports()
        stood = (seen & self._seen)[:, None] & (stands & self._stands & (born == self._born))
        slips = np.linalg.norm(local - self._landed, axis=-1)
        self.slip = max(self.slip, float(np.max(slips[stood], initial=0.0)))
        self._landed = np.where(stood[..., None], self._landed, local)
        self._born, self._stands, self._seen = born, stands, seen
        down = stands & seen[:, None]
        self.error = max(self.error, float(np.max(feet["error"][down], initial=0.0)))
        self.crossings += crossings(hips[..., [0, 2]], crowd.feet[..., [0, 2]], down)
        self._look_below()
        self._count_plans()

    def figures(self) -> CrowdFigures:
        """What was seen so far."""
        crowd, counts, feet = self.crowd, self.crowd.counts, self.crowd.blocked.size
        return CrowdFigures(
            creatures=len(crowd),
            legs=len(crowd.creature.morphology.legs),
            frames=self.frames,
            seconds=self.seconds,
            speed=self.way / max(self.seconds, 1e-9),
            stance_slip=1e3 * self.slip,
            penetration=1e3 * self.sunk,
            overrun=1e3 * self.overrun,
            overrun_share=self.overruns / max(self.frames * feet, 1),
            tip_error=1e3 * self.error,
            crossings=self.crossings,
            plans=counts["plans"] - self._counts["plans"],
            replans=self.replans,
            couples=counts["couples"] - self._counts["couples"],
            score=float(self.scores.sum() / max(self.planned.sum(), 1.0)),
            blocked=int(np.any(crowd.blocked, axis=1).sum()),
        )

    def _look_below(self) -> None:
        """How deep feet are in what is where they are."""
        feet, rows = self.crowd.feet, self.crowd._feet
        heights, slots = self.crowd.maps.surface(feet)
        deep = heights - feet[..., 1]
        under = np.where(self.crowd.planted, rows["anchor"]["support"], rows["goal_anchor"]["support"])
        # One that was brought inside is so until it is out again, also when it is already on a way of its own.
        brought = self._moving(slots) | self._moving(under) | self._brought
        self._brought = brought & (deep > NOTED)
        self.sunk = max(self.sunk, float(np.max(deep[~brought], initial=0.0)))
        self.overrun = max(self.overrun, float(np.max(deep[brought], initial=0.0)))
        self.overruns += int(np.count_nonzero(self._brought))

    def _moving(self, slots: npt.NDArray[np.int64]) -> BoolArray:
        """Whether there are things in these slots that move."""
        things = self.crowd.maps.arrays.things
        known = (slots >= 0) & (slots < len(things))
        out: BoolArray = known & (things[np.where(known, slots, 0), m.MOVES] > 0.0)
        return out

    def _count_plans(self) -> None:
        feet = self.crowd._feet
        new = feet["plans"] > self._foot_plans
        self._foot_plans = feet["plans"].copy()
        self.replans += int(np.count_nonzero(new & np.isin(feet["why"], UNDER_WAY)))
        found = new & ~feet["lost"]
        self.scores += np.where(found, feet["score"], 0.0).sum(axis=1)
        self.planned += found.sum(axis=1)

    def _supports(self) -> tuple[FloatArray, BoolArray]:
        """What each foot stands on, told apart by its life and slot, and which feet stand."""
        anchors = self.crowd._feet["anchor"]
        marks: FloatArray = anchors["support"] + 1e6 * anchors["born"]
        return marks, self.crowd.planted

    def _seen_from_supports(self) -> tuple[FloatArray, FloatArray]:
        """The tips of the legs as their rotations have them, in the frames of what they stand on; and the hips."""
        tips, hips = tips_and_hips(self.crowd)
        slots = self.crowd._feet["anchor"]["support"]
        things = self.crowd.maps.arrays.things
        on = (slots >= 0) & (slots < len(things))
        if np.any(on):
            rows = things[slots[on]]
            back = rot.from_yaw(-rows[:, m.YAW])
            tips[on] = rot.rotate(back, tips[on] - rows[:, [m.X, m.Y, m.Z]])
        return tips, hips


def tips_and_hips(crowd: Crowd) -> tuple[FloatArray, FloatArray]:
    """Where the tips and hips of all legs are, ``(N, F, 3)`` each, by the rotations of the poses alone.

    Of a foot that rolls it is where its tip would be if it lay flat, by what of it touches the ground.
    """
    from locomote.math.fk import forward_kinematics

    poses, morphology = crowd.poses, crowd.creature.morphology
    skeleton = morphology.skeleton
    positions = np.empty((len(poses), len(skeleton), 3))
    turns = np.empty((len(poses), len(skeleton), 4))
    forward_kinematics(
        skeleton.parents, skeleton.offsets[None], poses.root_positions, poses.rotations, positions, turns
    )
    last = [leg.joints[-1] for leg in morphology.legs]
    ends = np.broadcast_to(np.stack([leg.tip for leg in morphology.legs]), (len(poses), len(last), 3))
    hips = positions[:, [leg.hip for leg in morphology.legs]]
    tips = positions[:, last] + rot.rotate(turns[:, last], ends)
    rolls = crowd.creature.soles.rolls > 0
    if np.any(rolls):
        tips[:, rolls] = _lying(crowd, positions, turns)[:, rolls]
    return tips, hips


def _lying(crowd: Crowd, positions: FloatArray, turns: FloatArray) -> FloatArray:
    """Where the tips of feet that roll would be if they lay flat."""
    soles, lying = crowd.creature.soles, crowd._feet["sole"]
    ankles = soles.joints[:, 0]
    pivots = np.where(lying["posed"][..., None] < 0.0, soles.heels, soles.balls)
    back = np.broadcast_to(rot.inverse(crowd.creature.morphology.rest_pose[1][ankles]), turns[:, ankles].shape)
    touching = positions[:, ankles] + rot.rotate(rot.multiply(turns[:, ankles], back), pivots - soles.ankles)
    slopes = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -lying["slope"])
    return touching - rot.rotate(rot.multiply(rot.from_yaw(lying["yaw"]), slopes), pivots)


def crossings(hips: FloatArray, feet: FloatArray, down: BoolArray) -> int:
    """How many pairs of standing legs cross, straight from hip ``(N, F, 2)`` to foot in the plan."""
    first, second = np.triu_indices(feet.shape[1], 1)
    a, b, p, q = hips[:, first], feet[:, first], hips[:, second], feet[:, second]
    apart = _side(a, b, p) * _side(a, b, q) < 0.0
    apart &= _side(p, q, a) * _side(p, q, b) < 0.0
    return int(np.count_nonzero(apart & down[:, first] & down[:, second]))


def _side(start: FloatArray, end: FloatArray, point: FloatArray) -> FloatArray:
    """Positive where a point lies on one side of a line in the plan, negative on the other."""
    along, away = end - start, point - start
    out: FloatArray = along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
    return out
