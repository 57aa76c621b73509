"""What `locomote dog run` does: a course over time, a push, and the files that come of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from locomote.cli._human import check_place
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human.scenes._schedule import Schedule
    from locomote.physics import Dog
    from locomote.rotations import FloatArray

FILM_SIZE, FILM_FPS = (640, 360), 30.0
SIDES = {"left": (1.0, 0.0), "right": (-1.0, 0.0), "ahead": (0.0, 1.0), "back": (0.0, -1.0)}  # x and z, facing +Z


class Course(NamedTuple):
    """What it is told over time."""

    gait: str
    speed: Schedule
    turn_rate: Schedule

    @classmethod
    def parse(cls, gait: str, speed: str, turn_rate: str) -> Course:
        """From the texts of the command line."""
        from locomote.human.scenes._schedule import parse_schedule
        from locomote.physics._dog import BACKWARDS, FASTEST
        from locomote.physics._driving import SHARP

        return cls(
            gait,
            parse_schedule(speed, "--speed", -BACKWARDS, FASTEST),
            parse_schedule(turn_rate, "--turn-rate", -SHARP, SHARP, angle=True),
        )

    def check(self, dog: Dog) -> None:
        """Refuse a gait that it has not."""
        dog.command(gait=self.gait)

    def command(self, dog: Dog, time: float) -> None:
        """What is due."""
        dog.command(speed=self.speed.at(time), turn_rate=self.turn_rate.at(time))


class Push(NamedTuple):
    """A push from outside."""

    newtons: float
    begin: float  # s
    seconds: float
    to: str
    at: str

    @classmethod
    def parse(cls, newtons: float, begin: float, seconds: float, to: str, at: str) -> Push:
        """Checked."""
        from locomote.physics._simulation import SIDES as FRAMES

        if not math.isfinite(newtons):
            raise LocomoteError(f"--push {newtons}: expected finite newtons")
        if not 0.0 < seconds < math.inf:
            raise LocomoteError(f"--push-for {seconds}: expected seconds, more than 0")
        if to not in SIDES:
            raise LocomoteError(f"--push-to {to}: expected {', '.join(SIDES)}")
        if at not in FRAMES:
            raise LocomoteError(f"--push-on {at}: expected {' or '.join(FRAMES)}")
        return cls(newtons, begin, seconds, to, at)

    def force(self, heading: float) -> FloatArray:
        """N in the world, for one who heads somewhere (rad)."""
        return push_force(self.newtons, self.to, heading)


def push_force(newtons: float, to: str, heading: float) -> FloatArray:
    """N in the world of a push to a side of one who heads somewhere (rad)."""
    aside, ahead = SIDES[to]
    sin, cos = math.sin(heading), math.cos(heading)
    return newtons * np.array([aside * cos + ahead * sin, 0.0, ahead * cos - aside * sin])


def perform(
    dog: Dog,
    course: Course,
    push: Push | None,
    length: tuple[float, float],
    files: tuple[Path | None, Path | None, str],
    step: Callable[[int, int], None],
) -> dict[str, Any]:
    """Let it go for ``length`` (s, frames a second), write motion and film (with its view), and say how it went."""
    from locomote.cli._human import over_time
    from locomote.draw import film as draw_film
    from locomote.formats import save

    seconds, fps = length
    output, film, view = files
    waits = push

    def each(time: float) -> None:
        nonlocal waits
        course.command(dog, time)
        if waits is not None and time >= waits.begin - 1e-9:
            dog.push(waits.force(float(dog.headings[0])), waits.seconds, waits.at)
            waits = None
        step(round(time * fps), round(seconds * fps))

    motion = dog.record(seconds, fps, each=each)
    if output is not None:
        save(motion, output)
    if film is not None:
        under = over_time(dog.ground)
        draw_film(motion, film, contacts=False, size=FILM_SIZE, fps=FILM_FPS, view=view, progress=step, ground=under)
    path = float(np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1).sum())
    x, _, z = dog.positions[0]
    return {
        **{"creature": dog.animal.morphology.name, "mass": round(dog.animal.masses.total, 3)},
        **{"seconds": round(motion.duration, 4), "frames": len(motion), "path": round(path, 4)},
        **{"speed": round(float(dog.speeds[0]), 4), "gait": dog.gaits[0], "state": dog.states[0]},
        **{"fallen": bool(dog.fallen[0]), "falls": int(dog.falls[0]), "failures": int(dog.failures[0])},
        "end": {"x": round(float(x), 4), "z": round(float(z), 4)},
        "files": [str(file) for file in (output, film) if file is not None],
    }


def check_film(film: Path, view: str) -> None:
    """Refuse a film that could not be written, before any work is done for it."""
    from locomote.draw._camera import check_view
    from locomote.draw._films import check_film as check

    check(film, FILM_SIZE, FILM_FPS)
    check_view(view)
    check_place(film)
