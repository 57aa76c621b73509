"""Scenarios of a simulated dog that goes: each is played by one call and told in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from locomote.motion import Motion
from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._one_dog import OneDog
from locomote.physics._pushes import DIRECTIONS
from locomote.physics._repertoire import make_skill
from locomote.world import Ground

FPS = 60.0


class Recorder:
    """A simulated dog, and the poses it went through."""

    def __init__(self, animal: Animal | None = None, ground: Ground | None = None, friction: float = FRICTION) -> None:
        self.ground = ground
        self.dog = OneDog(animal or Animal.of(), GaitLibrary.default(), ground, friction)
        self.simulation, self.driver = self.dog.simulation, self.dog.driver
        self.places: list[np.ndarray] = []
        self.turns: list[np.ndarray] = []
        self._left = 0.0

    @property
    def fell(self) -> bool:
        """Whether it ever did."""
        return self.dog.falls > 0 or self.dog.fallen

    def run(self, seconds: float, until: Callable[[], bool] | None = None) -> bool:
        """Go on for a time, or until something is so; False once it has fallen."""
        end = self.simulation.time + seconds
        while self.simulation.time < end - 1e-6 and not self.fell:
            self.frame()
            if until is not None and until():
                break
        return not self.fell

    def frame(self) -> None:
        """One frame more, whatever happens."""
        self._left += 1000.0 / FPS
        steps = int(self._left)
        self._left -= steps
        self.dog.advance(steps)
        place, turns = self.simulation.pose()
        self.places.append(place)
        self.turns.append(turns)

    def do(self, name: str, seconds: float, **options: float) -> None:
        """Begin a skill by its name, and go on for a time."""
        self.dog.do(name, make_skill(name, options))
        for _ in range(round(seconds * FPS)):
            self.frame()

    def motion(self, name: str) -> Motion:
        """All that was kept."""
        body = self.simulation.animal.morphology
        return Motion(body.skeleton, FPS, np.array(self.places), np.array(self.turns), name=name, body=body.body)


@dataclass(frozen=True)
class Scenario:
    """Something to play."""

    title: str
    make: Callable[[], tuple[Recorder, str]]

    def play(self, film: Path | None = None) -> str:
        """Play it, film it where a path is given, and tell how it went."""
        recorder, told = self.make()
        if film is not None:
            from locomote.draw import film as make_film

            make_film(recorder.motion(self.title), film, contacts=False, ground=recorder.ground, view="three-quarter")
        return told


def verdict(recorder: Recorder) -> str:
    """Whether it is on its feet."""
    return "fell" if recorder.fell else "on its feet"


def fastest(library: GaitLibrary) -> float:
    """m/s of the fastest gait that is tuned."""
    return max(float(gait.speeds[-1]) for gait in library.gaits.values())


def ramp() -> tuple[Recorder, str]:
    """S1: from a stand to the fastest gait and back, gaits by themselves."""
    r = Recorder()
    top, best = fastest(r.driver.library), 0.0
    seen: list[str] = []
    for speed in (*np.arange(0.5, top + 0.01, 0.5), *np.arange(top - 0.5, -0.01, -0.5)):
        r.driver.command(speed=float(max(speed, 0.0)))
        for _ in range(8):
            r.run(0.25)
            best = max(best, r.simulation.speed)
            if not seen or seen[-1] != r.driver.gait:
                seen.append(r.driver.gait)
    return r, f"{' - '.join(seen)}, at most {best:.1f} m/s: {verdict(r)}"


def pushes() -> tuple[Recorder, str]:
    """S2: pushed from eight sides, one after the other, in a trot."""
    r = Recorder()
    r.driver.command(speed=1.4, gait="trot")
    r.run(3.0)
    done = 0
    for at, x, z in DIRECTIONS:
        r.simulation.push(200.0 * np.array([x, 0.0, z]), 0.1, at)
        if not r.run(2.5):
            break
        done += 1
    return r, f"{done} of 8 pushes of 200 N for 0.1 s: {verdict(r)}"


def rope() -> tuple[Recorder, str]:
    """S3: held back by a rope at full speed; slower gaits by themselves (QUA-32)."""
    r = Recorder()
    top = fastest(r.driver.library)
    r.driver.command(speed=top)
    r.run(10.0, lambda: r.simulation.speed > 0.95 * top)
    seen = [r.driver.gait]
    force = 0.0
    while r.simulation.time < 40.0 and not r.fell and r.simulation.speed > 0.9 and force < 160.0:
        force += 2.0
        r.simulation.push(np.array([0.0, 0.0, -force]), 0.1, "hips")
        r.run(0.1)
        if seen[-1] != r.driver.gait:
            seen.append(r.driver.gait)
    return r, f"{' - '.join(seen)} by up to {force:.0f} N: {verdict(r)}"


def steps(high: float = 0.04, seed: int = 0, length: float = 8.0) -> Ground:
    """Random low steps across the way."""
    random, ground = np.random.default_rng(seed), Ground()
    z = 1.2
    while z < length:
        deep = float(random.uniform(0.3, 0.8))
        ground.add_box((0.0, z + 0.5 * deep), (4.0, deep), float(random.uniform(0.0, high)))
        z += deep
    return ground


def blind() -> tuple[Recorder, str]:
    """S4: random steps of up to 4 cm that it does not see."""
    r = Recorder(ground=steps())
    r.driver.command(speed=1.2, gait="trot")
    r.run(9.0)
    return r, f"{r.simulation.frames[1, 2]:.1f} m over steps of up to 4 cm: {verdict(r)}"


def spines() -> tuple[Recorder, str]:
    """S10: a flexible back beside a fused one, by the swing of the trunk's pitch."""
    swing = []
    for rigid in (True, False):
        r = Recorder(Animal.dog(rigid_spine=rigid))
        gait = next(name for name in ("canter", "trot") if name in r.driver.library.gaits)
        r.driver.command(speed=float(r.driver.library[gait].speeds[-1]), gait=gait)
        r.run(5.0)
        line = []
        for _ in range(120):
            r.run(1.0 / FPS)
            rear, front = r.simulation.frames
            line.append(np.degrees(np.arctan2(front[1] - rear[1], front[2] - rear[2])))
        swing.append((float(np.std(line)), verdict(r)))
    (stiff, told), (soft, also) = swing
    return r, f"{gait}: pitch swings by {stiff:.1f} degrees fused ({told}), {soft:.1f} flexible ({also})"


def eight() -> tuple[Recorder, str]:
    """S12: a figure of eight at a trot."""
    r = Recorder()
    r.driver.command(speed=1.2, gait="trot")
    r.run(2.0)
    turned = 0.0
    for side in (1.0, -1.0):
        r.driver.command(turn_rate=0.6 * side)
        begun = r.simulation.heading
        last, whole = begun, 0.0
        end = r.simulation.time + 20.0
        while abs(whole) < 2.0 * np.pi and r.simulation.time < end and r.run(0.1):
            now = r.simulation.heading
            whole += (now - last + np.pi) % (2.0 * np.pi) - np.pi
            last = now
        turned += abs(whole)
    return r, f"turned by {np.degrees(turned):.0f} of 720 degrees: {verdict(r)}"
