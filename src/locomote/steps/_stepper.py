"""A person who walks live, foot by foot, as places for the feet come in."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._handover import Handover, check_common
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.steps._blending import body
from locomote.steps._chain_rows import STOP, grown, what_stays, without
from locomote.steps._database import StepDatabase
from locomote.steps._easing import Ease, away, between, rows_of
from locomote.steps._handover import fading
from locomote.steps._live_pose import live_pose
from locomote.steps._plan import LEFT, RIGHT, SIDES, FootPlan, check
from locomote.steps._walking import Options, choose, make, plants_of

if TYPE_CHECKING:
    from locomote.human._crowd import Crowd
    from locomote.steps._kernels.layout import ChosenSteps

RATE = 60.0  # frames a second that are made ahead
HURRY = 0.1  # s at least from now on until a foot leaves for a place that has just been given
MOST_PLANTS = 512  # that may be given ahead


class Stepper:
    """A walker that is fed with plants and gives a pose a frame.

    Plants 0 and 1 are where the feet stand at the beginning, left and right; `add` gives the next ones. A plant may be
    changed until the foot leaves for it. Without further plants the walker stops in the stance it has reached.

    Parameters
    ----------
    left, right : (2,) m as (x, z) or (3,), the balls of the feet
    yaws : rad, of the left and the right foot; free without them
    database : of steps; the shipped one without it
    leg_length : m
    options : how steps are chosen
    """

    def __init__(
        self,
        left: rot.ArrayLike,
        right: rot.ArrayLike,
        *,
        yaws: tuple[float, float] | None = None,
        database: StepDatabase | None = None,
        leg_length: float = 0.9,
        options: Options | None = None,
    ) -> None:
        self._body = body(float(leg_length))
        self._leg_length = float(leg_length)
        self._database = database
        options = Options() if options is None else options
        # Live steps are the recorded ones: the gait of ordinary walking looks further ahead than plants are known.
        self._options = replace(options, gait=0.0) if options.gait is None else options
        self.time = 0.0
        places = np.stack([_place("left", left), _place("right", right)])
        free = np.full(2, np.nan)
        self._first = 0  # index of the first plant that is still known
        self._plan = FootPlan(
            np.array([LEFT, RIGHT]),
            places,
            free if yaws is None else np.asarray(yaws, dtype=np.float64),
            free.copy(),
        )
        self._begin = 0.0  # s, at which the chain of the plants still known begins
        self._chosen: ChosenSteps | None = None
        self._frames = np.empty((0, 0))
        self._eased = Ease()
        self._held: FloatArray | None = None  # rows of the pose in which it waits for its first step
        self._held_speed: FloatArray | None = None
        n = len(self._body.skeleton)
        self._poses = Poses(self._body.skeleton, np.zeros((1, 3)), np.tile(rot.IDENTITY, (1, n, 1)))

    @classmethod
    def from_crowd(
        cls,
        crowd: Crowd,
        who: int = 0,
        *,
        database: StepDatabase | None = None,
        options: Options | None = None,
    ) -> Stepper:
        """A walker that goes on from the pose and the foot places of one in a crowd, who stands on both feet.

        Parameters
        ----------
        crowd : of people
        who : the walker
        database : of steps; the shipped one without it
        options : how steps are chosen
        """
        check_common(crowd, who)
        waits = crowd.landings[who]
        if np.any(waits > 0.0):
            side = int(np.argmax(waits))
            raise LocomoteError(
                f"walker {who}: the {SIDES[side]} foot is in the air for {waits[side]:.2f} s; "
                "take over when both feet stand"
            )
        leg = float(crowd.leg_lengths[who])
        now, soon = crowd.poses, crowd.predict(1.0 / RATE)
        rows = [rows_of(leg, poses.root_positions[who], poses.rotations[who]) for poses in (now, soon)]
        places = crowd.footholds[who]
        from locomote.steps._kernels import blend as at

        yaws = tuple(float(rows[0][at.FEET + at.FOOT_ROWS * side + at.YAW]) for side in range(2))
        out = cls(places[0], places[1], yaws=(yaws[0], yaws[1]), database=database, leg_length=leg, options=options)
        out._held, out._held_speed = rows[0], RATE * away(rows[0], rows[1])
        return out

    @property
    def plan(self) -> FootPlan:
        """The plants from the one under the standing foot on; older ones are forgotten."""
        return self._plan

    @property
    def first(self) -> int:
        """The index of the first plant of `plan`."""
        return self._first

    @property
    def ahead(self) -> int:
        """How many plants no foot has left for yet."""
        if self._chosen is None:
            return len(self._plan) - 2
        return int(np.sum(self._chosen.lifts[2:] > self.time - self._begin))

    def add(
        self,
        side: int,
        x: float,
        z: float,
        y: float = 0.0,
        yaw: float | None = None,
        time: float | None = None,
    ) -> int:
        """The next place for a foot; gives its index.

        Parameters
        ----------
        side : LEFT or RIGHT
        x, z, y : m, of the ball
        yaw : rad; free without it
        time : s, the stepper's, when it is to come down; free without it
        """
        if self.ahead >= MOST_PLANTS:
            raise LocomoteError(f"{MOST_PLANTS} plants are ahead already; step on first")
        plan = self._plan
        grown = FootPlan(
            np.append(plan.sides, int(side)),
            np.concatenate([plan.places, [[float(x), float(y), float(z)]]]),
            np.append(plan.yaws, np.nan if yaw is None else float(yaw)),
            np.append(plan.times, np.nan if time is None else float(time)),
        )
        self._take(grown, None)
        return self._first + len(self._plan) - 1

    def change(
        self,
        index: int,
        *,
        x: float | None = None,
        z: float | None = None,
        y: float | None = None,
        yaw: float | None = None,
        time: float | None = None,
    ) -> None:
        """Move a plant for which no foot has left yet, or turn it, or ask for another time.

        Parameters
        ----------
        index : of the plant
        x, z, y : m, of the ball; what is left out stays
        yaw : rad
        time : s, the stepper's, when it is to come down
        """
        i = index - self._first
        if not 2 <= i < len(self._plan):
            raise LocomoteError(
                f"plant {index}: expected one from {self._first + 2} to {self._first + len(self._plan) - 1}"
            )
        if self._chosen is not None and self._chosen.lifts[i] <= self.time - self._begin:
            raise LocomoteError(f"plant {index}: the foot has left for it already")
        plan = self._plan
        places, yaws, times = plan.places.copy(), plan.yaws.copy(), plan.times.copy()
        for column, value in enumerate((x, y, z)):
            if value is not None:
                places[i, column] = float(value)
        if yaw is not None:
            yaws[i] = float(yaw)
        if time is not None:
            times[i] = float(time)
        self._take(FootPlan(plan.sides, places, yaws, times), i)

    def step(self, dt: float) -> Poses:
        """Go on by ``dt`` seconds; the pose is overwritten by the next step."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        self.time += dt
        roots, turns = live_pose(self._rows(self.time), self._body)
        self._poses.root_positions[:] = roots
        self._poses.rotations[:] = turns
        return self._poses

    def hand_back(self) -> Handover:
        """What a crowd needs to take the walker over, see `locomote.human.Crowd.place`; both feet should stand."""
        from locomote.steps._kernels import blend as at

        now, before = self._rows(self.time), self._rows(max(self.time - 1.0 / RATE, 0.0))
        plants = self._standing()
        places = [self._plan.places[max(i, 0)] for i in plants]
        after = self._plan.sides[2:]
        if self._chosen is not None:
            after = after[self._chosen.lifts[2:] > self.time - self._begin]
        rates = RATE * away(before, now)
        return Handover(
            self._poses.copy(),
            rates[3 * at.JOINTS : 3 * at.JOINTS + 3],
            float(rot.yaw(now[:4])),
            np.stack(places),
            np.array([now[at.FEET + at.FOOT_ROWS * side + at.YAW] for side in range(2)]),
            int(after[0]) if len(after) else 1 - int(self._plan.sides[-1]),
            min(plants) >= 0,
            self._leg_length,
            partial(fading, self._leg_length, now, rates),
        )

    @property
    def stands(self) -> bool:
        """Whether both feet stand."""
        return min(self._standing()) >= 0

    @property
    def standing(self) -> tuple[int, int]:
        """The indices of the plants under the left and the right foot, -1 for one in the air."""
        left, right = (plant if plant < 0 else self._first + plant for plant in self._standing())
        return left, right

    def _standing(self) -> list[int]:
        """The plants under the left and the right foot, -1 in the air."""
        out = [int(np.flatnonzero(self._plan.sides == side)[0]) for side in (LEFT, RIGHT)]
        if self._chosen is None:
            return out
        now = self.time - self._begin
        for i in range(2, len(self._chosen.lands)):
            if self._chosen.lifts[i] <= now:
                out[self._plan.sides[i]] = i if self._chosen.lands[i] <= now else -1
        return out

    def _take(self, plan: FootPlan, changed: int | None) -> None:
        """Make the chain anew: what has begun stays, and the pose goes on without a jump."""
        yaws = plan.yaws.copy()
        if self._chosen is not None:
            # Feet that stand one before the other do not tell where the body faces; how they point does.
            yaws[:2] = np.where(np.isnan(yaws[:2]), self._chosen.foot_yaws[:2], yaws[:2])
        check(FootPlan(plan.sides, plan.places, yaws, plan.times), self._leg_length)
        was = None
        if self._chosen is not None or self._held is not None:
            # How it would have gone on: what went before may be another chain.
            now = self._rows(self.time)
            was = now, RATE * away(now, self._rows(self.time + 1.0 / RATE))
        if self._held is not None and self._held_speed is not None:
            was = self._held, self._held_speed
        kept, begin = 0, self.time
        self._plan = FootPlan(plan.sides, plan.places, plan.yaws, plan.times)
        if self._chosen is not None:
            dropped, kept, begin = what_stays(plan.sides, self._chosen, self.time, self._begin, changed)
            self._plan, self._chosen = without(dropped, self._plan, self._chosen)
            self._first += len(dropped)
        self._make(kept, begin)
        self._held = self._held_speed = None
        if was is not None:
            raw, soon = self._raw(self.time), self._raw(self.time + 1.0 / RATE)
            new = raw, RATE * away(raw, soon)
            stands = [plant >= 0 for plant in self._standing()]
            self._eased = Ease.from_to(was, new, stands, self._body.measures.sole, self.time)

    def _make(self, kept: int, begin: float) -> None:
        """Choose and play the steps of the plan; the first ``kept`` are chosen already."""
        plan, old = self._plan, self._chosen
        timed = FootPlan(plan.sides, plan.places, plan.yaws, np.concatenate([[begin, begin], plan.times[2:]]))
        plants = plants_of([timed])
        fixed = 2 + kept
        if old is not None:
            plants.known_yaws[:fixed] = old.foot_yaws[:fixed]
        else:
            plants.known_yaws[:2] = plan.yaws[:2]
        plants.frozen[2:fixed] = 1
        plants.ready[:] = self.time + HURRY - begin
        kept_rows = None if old is None else grown(old, fixed, len(plan), begin - self._begin)
        self._begin = begin
        self._chosen = choose(plants, self._database, self._body, self._options, kept_rows)
        length = float(self._chosen.lands[-1] + self._chosen.finals[-1])
        frames = np.array([0, math.floor(length * RATE + 1e-6) + 2])
        self._frames = make(plants, self._chosen, self._database, self._body, self._options, RATE, frames).frames

    def _raw(self, time: float) -> FloatArray:
        """The rows of the frames made ahead at a time; after them it comes to rest."""
        last = (self._frames.shape[1] - 1) / RATE
        at = max(time - self._begin, 0.0)
        if at > last - STOP:
            # Time itself slows down: both feet stand already.
            beyond = min(at - last + STOP, 2.0 * STOP)
            at = last - STOP + beyond - beyond * beyond / (4.0 * STOP)
        at = min(max(at, 0.0) * RATE, self._frames.shape[1] - 1.0)
        i = min(int(at), self._frames.shape[1] - 2)
        return between(self._frames[:, i], self._frames[:, i + 1], at - i)

    def _rows(self, time: float) -> FloatArray:
        if self._held is not None:
            return self._held
        if self._chosen is None:
            raise LocomoteError("a stepper needs a plant to step to: add one first")
        return self._eased.onto(self._raw(time), time, self._body.measures.sole)


def _place(name: str, place: rot.ArrayLike) -> FloatArray:
    values = np.asarray(place, dtype=np.float64)
    if values.shape == (2,):
        values = np.array([values[0], 0.0, values[1]])
    if values.shape != (3,) or not np.all(np.isfinite(values)):
        raise LocomoteError(f"{name}: expected (x, z) or (x, y, z), got {place!r}")
    return values
