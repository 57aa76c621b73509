"""People everywhere at once, looked at frame by frame: scenes with speeds, grounds and people drawn from a seed.

Each scene gives motions at 60 frames a second and says which recorded motion they are like.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from locomote import steps
from locomote.human import Crowd, HumanModel, record_all
from locomote.measures import Range, recorded_range
from locomote.measures.body import BodyEvents, body_events
from locomote.motion import Motion
from locomote.world import Ground, Obstacles

FPS = 60.0
LANE = 6.0  # m between people who have nothing to do with each other
PEOPLE = 4  # of a scene
DROP_BEYOND = 3.0  # cm that an ankle may come down in a frame beyond the recorded
KNEE_STEP = {"walk": 12.0, "run": 20.0}  # deg a frame
TRUNK_JOLT = 3.0  # % of the hip height
PEAK = 1.25  # times the recorded 99th percentile
PEAKS = ("knee_peak", "head_peak", "pelvis_peak", "wrist_peak")

Random = np.random.Generator
Tell = Callable[[Crowd], None]


class Scene(NamedTuple):
    """What people do, and what recorded motion that is like."""

    like: str  # "walk", "run", "turn" or "jump"
    record: Callable[[HumanModel, Random], list[Motion]]
    recorded: bool = True  # that there are recorded people who do the same, with whom peaks can be compared


class Verdict(NamedTuple):
    """One motion of a scene."""

    scene: str
    like: str
    events: BodyEvents
    recorded: bool = True

    def faults(self) -> list[str]:
        """What the eye would see, in words; nothing if all is well."""
        limits = allowed(self.like, self.recorded)
        return [
            f"{name} {value:.1f} (at most {limits[name]:.1f})"
            for name, value in self.events._asdict().items()
            if name in limits and value is not None and value > limits[name]
        ]


def allowed(like: str, recorded: bool = True) -> dict[str, float]:
    """The most of every figure that passes; peaks count where the same was ``recorded``."""
    run = like == "run"
    limits = {"knee_step": KNEE_STEP["run" if run else "walk"], "trunk_jolt": TRUNK_JOLT}
    limits["ankle_drop"] = DROP_BEYOND + _recorded("ankle_drop", like).p99
    return limits | {name: PEAK * _recorded(name, like).p99 for name in PEAKS if recorded}


def _recorded(figure: str, like: str) -> Range:
    found = recorded_range(figure, like)
    assert found is not None
    return found


def judge(seed: int, names: list[str] | None = None, model: HumanModel | None = None) -> list[Verdict]:
    """Every scene once, with people, speeds and sizes drawn from a seed.

    Parameters
    ----------
    seed : of everything that is drawn
    names : of `SCENES`; all without them
    model : the shipped one without it
    """
    model = HumanModel.default() if model is None else model
    out = []
    for number, name in enumerate(SCENES):
        if names is None or name in names:
            scene = SCENES[name]
            motions = scene.record(model, np.random.default_rng([seed, number]))
            out += [Verdict(name, scene.like, body_events(motion), scene.recorded) for motion in motions]
    return out


def _lanes() -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.stack([LANE * np.arange(PEOPLE), np.zeros(PEOPLE), np.zeros(PEOPLE)], axis=1)


def _crowd(model: HumanModel, random: Random, speed: float | tuple[float, float], **more: object) -> Crowd:
    speeds = random.uniform(*speed, PEOPLE) if isinstance(speed, tuple) else speed
    arguments: dict[str, object] = {"positions": _lanes(), "leg_length": random.uniform(0.78, 0.98, PEOPLE)} | more
    return Crowd(model, PEOPLE, seed=int(random.integers(2**31)), speed=speeds, **arguments)  # type: ignore[arg-type]


def _played(crowd: Crowd, seconds: float, *orders: tuple[float, Tell]) -> list[Motion]:
    """The motions of a crowd that is told something at some moments."""

    def before(time: float) -> None:
        for moment, tell in orders:
            if abs(time - moment) < 0.5 / FPS:
                tell(crowd)

    return record_all(crowd, seconds, FPS, before)


def _steady(low: float, high: float) -> Callable[[HumanModel, Random], list[Motion]]:
    return lambda model, random: _played(_crowd(model, random, (low, high)), 6.0)


def _stairs(down: bool) -> Callable[[HumanModel, Random], list[Motion]]:
    def record(model: HumanModel, random: Random) -> list[Motion]:
        rise, tread = random.uniform(0.12, 0.19), random.uniform(0.27, 0.33)
        ground = Ground()
        if down:
            ground.add_box((0.0, -50.0), (400.0, 2.0 * 52.0), top=8 * rise)
            ground.add_stairs((0.0, 2.0), 8, rise, tread, width=400.0, down=True, base=0.0)
        else:
            ground.add_stairs((0.0, 2.0), 8, rise, tread, width=400.0, landing=50.0, base=0.0)
        places = _lanes()
        places[:, 1] = 8 * rise if down else 0.0
        places[:, 2] = random.uniform(-1.5, -0.5, PEOPLE)
        return _played(_crowd(model, random, (0.7, 1.4), positions=places, ground=ground), 8.0)

    return record


def _slope(sign: float) -> Callable[[HumanModel, Random], list[Motion]]:
    def record(model: HumanModel, random: Random) -> list[Motion]:
        ground = Ground(-200.0)
        rise = sign * 100.0 * math.tan(math.radians(random.uniform(5.0, 15.0)))
        ground.add_ramp((0.0, -100.0), 200.0, -rise, rise, width=400.0)
        return _played(_crowd(model, random, (0.8, 1.6), ground=ground), 6.0)

    return record


def _over(make: Callable[[Obstacles, float, Random], None]) -> Callable[[HumanModel, Random], list[Motion]]:
    def record(model: HumanModel, random: Random) -> list[Motion]:
        things = Obstacles()
        for x in _lanes()[:, 0]:
            make(things, float(x), random)
        crowd = _crowd(model, random, (1.0, 1.6), obstacles=things)
        crowd.go_to(_lanes()[:, 0], 9.0)
        return _played(crowd, 9.0)

    return record


def _box(things: Obstacles, x: float, random: Random) -> None:
    things.add_box((x, random.uniform(3.5, 5.0)), (4.0, random.uniform(0.1, 0.35)), height=random.uniform(0.06, 0.25))


def _puddle(things: Obstacles, x: float, random: Random) -> None:
    things.add_puddle((x, random.uniform(3.5, 5.0)), random.uniform(0.3, 0.9), 4.0)


def _pillar(things: Obstacles, x: float, random: Random) -> None:
    things.add_disk((x + random.uniform(-0.2, 0.2), random.uniform(3.5, 5.0)), random.uniform(0.25, 0.6), height=2.0)


def _avoiding(model: HumanModel, random: Random) -> list[Motion]:
    angles = 2.0 * math.pi * (np.arange(PEOPLE) + random.uniform(-0.2, 0.2, PEOPLE)) / PEOPLE
    places = 5.0 * np.stack([np.sin(angles), np.zeros(PEOPLE), np.cos(angles)], axis=1)
    crowd = _crowd(model, random, (1.1, 1.5), positions=places, heading=angles + math.pi, avoid=True)
    crowd.go_to(-places[:, 0], -places[:, 2])
    return _played(crowd, 9.0)


def _turning(model: HumanModel, random: Random) -> list[Motion]:
    crowd = _crowd(model, random, (1.0, 1.5))

    def tell(crowd: Crowd) -> None:
        crowd.command(heading=crowd.headings + random.uniform(-1.6, 1.6, PEOPLE))

    return _played(crowd, 7.0, *((float(moment), tell) for moment in random.uniform(1.0, 4.0, 2)))


def _speeds(low: float, high: float) -> Callable[[HumanModel, Random], list[Motion]]:
    def record(model: HumanModel, random: Random) -> list[Motion]:
        def tell(crowd: Crowd) -> None:
            crowd.command(speed=random.uniform(low, high, PEOPLE))

        return _played(_crowd(model, random, (low, high)), 8.0, (1.0, tell), (3.5, tell), (6.0, tell))

    return record


def _stops(model: HumanModel, random: Random) -> list[Motion]:
    stop, speeds = float(random.uniform(1.0, 2.0)), random.uniform(0.8, 1.5, PEOPLE)
    orders = (stop, lambda crowd: crowd.command(speed=0.0)), (stop + 3.0, lambda crowd: crowd.command(speed=speeds))
    return _played(_crowd(model, random, (0.8, 1.6)), 7.0, *orders)


def _arrives(model: HumanModel, random: Random) -> list[Motion]:
    crowd = _crowd(model, random, (1.0, 1.6))
    crowd.go_to(_lanes()[:, 0] + random.uniform(-2.0, 2.0, PEOPLE), random.uniform(2.0, 5.0, PEOPLE))
    return _played(crowd, 7.0)


def _exact(model: HumanModel, random: Random) -> list[Motion]:
    out = []
    for _ in range(PEOPLE):
        count, length = 8, random.uniform(0.45, 0.75)
        side = np.arange(count) % 2
        z = length * (1 + np.arange(count)) + random.uniform(-0.06, 0.06, count)
        x = np.where(side, 0.1, -0.1) + random.uniform(-0.04, 0.04, count)
        stones = np.column_stack([x, np.zeros(count), z])
        plan = steps.plan_over_stones(stones, start=(0, 0), goal=(0, float(z[-1] + length)))
        out.append(steps.walk(plan))
    return out


SCENES = {
    "slow walk": Scene("walk", _steady(0.4, 0.8)),
    "walk": Scene("walk", _steady(0.9, 1.8)),
    "run": Scene("run", _steady(2.4, 4.5)),
    "stairs up": Scene("walk", _stairs(down=False), recorded=False),
    "stairs down": Scene("walk", _stairs(down=True), recorded=False),
    "uphill": Scene("walk", _slope(1.0), recorded=False),
    "downhill": Scene("walk", _slope(-1.0), recorded=False),
    "box": Scene("walk", _over(_box)),
    "puddle": Scene("jump", _over(_puddle)),
    "going round": Scene("turn", _over(_pillar)),
    "avoiding": Scene("turn", _avoiding),
    "turning": Scene("turn", _turning),
    "changes of speed": Scene("walk", _speeds(0.5, 1.7)),
    "changes of gait": Scene("run", _speeds(1.0, 4.0)),
    "stops": Scene("walk", _stops),
    "arriving": Scene("turn", _arrives),
    "standing": Scene("walk", lambda model, random: _played(_crowd(model, random, 0.0), 6.0)),
    "exact steps": Scene("walk", _exact),
}
