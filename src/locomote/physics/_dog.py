"""Simulated dogs, or other animals with four legs: bodies with weight that go as told, are pushed and may fall."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote._arguments import Notices, Values, Who, rows_of, spread
from locomote.creatures import Creature, Morphology
from locomote.errors import LocomoteError
from locomote.math.threads import Threads
from locomote.motion import Motion, Poses
from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION
from locomote.physics._dog_queries import DogQueries
from locomote.physics._driving import SHARP
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._leap_planner import LEAPS_FROM
from locomote.physics._one_dog import OneDog, Place
from locomote.physics._policy import policy_of
from locomote.physics._repertoire import make_skill
from locomote.world import Ground

APART = 2.0  # m between dogs at the beginning
FASTEST, BACKWARDS = 7.0, 1.0  # m/s
MOST = 1000  # dogs
LONGEST = 3600.0  # s of a recording

Each = Callable[[float], None]  # takes the time in seconds


class Dog(DogQueries):
    """Dogs simulated by MuJoCo, each with its own body, side by side at the beginning, all facing +Z.

    ``step`` returns the same `Poses` each time, with arrays that the next step overwrites: take a ``copy()`` of what is
    to be kept. Physics goes on in milliseconds, whatever the steps; what is left of one is kept for the next. Dogs do
    not feel one another.

    Parameters
    ----------
    count : N
    creature : "dog", another built-in animal with four legs, the file of a rig, a `Creature`, `Morphology` or `Animal`
    mass : kg of each; 34 of the dog, and what its volume says of any other, where none is given
    ground : level at height 0 without one; its pieces must rest
    friction : coefficient of paws on the ground
    seed : of the phases at which their strides begin
    library : gaits of the dog; those that come with the package without it
    controller : "tuned", or "policy": the same gaits, moved fifty times a second by a network that was taught to
        withstand pushes
    """

    def __init__(
        self,
        count: int = 1,
        creature: str | Path | Creature | Morphology | Animal = "dog",
        mass: float | None = None,
        ground: Ground | None = None,
        friction: float = FRICTION,
        seed: int = 0,
        library: GaitLibrary | None = None,
        controller: str = "tuned",
    ) -> None:
        policy = policy_of(controller)
        if not (isinstance(count, (int, np.integer)) and 1 <= count <= MOST):
            raise LocomoteError(f"count {count}: expected 1 to {MOST} dogs")
        if not 0.0 < friction < math.inf:
            raise LocomoteError(f"friction {friction}: expected a coefficient above 0")
        self.animal = animal_of(creature, mass)
        self.library = library or GaitLibrary.default()
        self.ground = ground
        self.time = 0.0  # s
        self._owed = 0.0  # s of a millisecond that has not passed yet
        self._notices = Notices()
        self._dogs = [OneDog(self.animal, self.library, ground, friction, policy) for _ in range(count)]
        self._threads = Threads(min(int(count), os.cpu_count() or 1))
        phases = np.random.default_rng(seed).uniform(0.0, 1.0, count)
        for n, dog in enumerate(self._dogs):
            dog.begin(Place(APART * (0.5 * (count - 1) - n), 0.0, 0.0), float(phases[n]))
        joints = len(self.animal.morphology.skeleton)
        self._poses = Poses(self.animal.morphology.skeleton, np.zeros((count, 3)), np.zeros((count, joints, 4)))
        self._publish()

    def __len__(self) -> int:
        return len(self._dogs)

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""
        return self._poses

    @property
    def radius(self) -> float:
        """Half of the length of a body, m."""
        return float(max(self.animal.morphology.box))

    def command(
        self,
        *,
        speed: Values | None = None,
        turn_rate: Values | None = None,
        heading: Values | None = None,
        gait: str | None = None,
        leaps: bool | None = None,
        who: Who = None,
    ) -> None:
        """Give new targets, one number or one for each dog meant by ``who``; what is left out stays.

        Parameters
        ----------
        speed : m/s, backwards below 0
        turn_rate : rad/s, to the left above 0
        heading : rad, to which they turn, in place of a turn rate
        gait : a name, to keep it at any speed, or "auto" (by speed)
        leaps : whether they leap over gaps, steps, barriers and edges ahead, in a trot; not at the beginning
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        if turn_rate is not None and heading is not None:
            raise LocomoteError("turn_rate and heading: give one of them")
        told = {
            name: None if value is None else spread(name, value, len(rows))
            for name, value in (("speed", speed), ("turn_rate", turn_rate), ("heading", heading))
        }
        if gait is not None and gait != "auto":
            self.library[gait]
        if leaps:
            self._check_leaper()
        if told["speed"] is not None:
            told["speed"] = self._notices.clamp("speed", told["speed"], -BACKWARDS, FASTEST, "m/s")
        if told["turn_rate"] is not None:
            told["turn_rate"] = self._notices.clamp("turn_rate", told["turn_rate"], -SHARP, SHARP, "rad/s")
        for k, n in enumerate(rows):
            one = {name: None if values is None else float(values[k]) for name, values in told.items()}
            dog = self._dogs[n]
            dog.driver.command(one["speed"], one["turn_rate"], gait)
            if leaps is not None and leaps != (dog.planner is not None):
                dog.heed(leaps)
            if one["turn_rate"] is not None:
                dog.heading = None
            if one["heading"] is not None:
                dog.heading = one["heading"]

    def push(self, force: npt.ArrayLike, seconds: float = 0.1, at: str = "shoulders", who: Who = None) -> None:
        """Push from outside, from now on.

        Parameters
        ----------
        force : (3,) N in the world
        seconds : for how long
        at : "shoulders" or "hips"
        who : all, one, a slice, indices or a mask
        """
        try:
            newtons = np.asarray(force, dtype=np.float64)
        except (TypeError, ValueError):
            raise LocomoteError(f"push {force!r}: expected three numbers, N") from None
        for n in rows_of(who, len(self)):
            self._dogs[n].simulation.push(newtons, seconds, at)

    def reset(self, who: Who = None) -> None:
        """Stand anew where they began; what they were told stays.

        Parameters
        ----------
        who : all, one, a slice, indices or a mask
        """
        for n in rows_of(who, len(self)):
            dog = self._dogs[n]
            dog.begin(dog.home, dog.phase)
        self._publish()

    def sit(self, who: Who = None) -> None:
        """Sit down, and stay so.

        Parameters
        ----------
        who : all, one, a slice, indices or a mask
        """
        self._skill("sit", who)

    def lie(self, who: Who = None) -> None:
        """Lie down, and stay so.

        Parameters
        ----------
        who : all, one, a slice, indices or a mask
        """
        self._skill("lie", who)

    def stand(self, who: Who = None) -> None:
        """Stand up from sitting or lying, or get up after a fall.

        Parameters
        ----------
        who : all, one, a slice, indices or a mask
        """
        self._skill("stand", who)

    def leap(
        self, height: float | None = None, distance: float | None = None, smooth: bool = False, who: Who = None
    ) -> None:
        """Leap, out of a stand or a trot; they come to rest where they land, or go on if they are too fast.

        Parameters
        ----------
        height, distance : m that the centre of mass rises to, and m through the air; the nearest that is known
        smooth : one between those that are known, where both are given
        who : all, one, a slice, indices or a mask
        """
        given = {"height": height, "distance": distance}
        for name, value in given.items():
            if value is not None and not math.isfinite(value):
                raise LocomoteError(f"leap: {name} {value} is not a finite number")
        self._check_leaper()
        made = []
        for n in rows_of(who, len(self)):
            dog = self._dogs[n]
            if dog.skill is not None or not (dog.driver.standing or dog.driver.gait == LEAPS_FROM):
                raise LocomoteError(f"leap: dog {n} must stand or trot first")
            speed = 0.0 if dog.driver.standing else float(dog.driver.going)
            made.append((dog, make_skill("leap", {**given, "speed": speed, "smooth": smooth})))
        for dog, skill in made:
            dog.do("leap", skill)

    def _check_leaper(self) -> None:
        if self.animal.morphology.name != "dog":
            raise LocomoteError(f"leap: known of the dog alone, not of {self.animal.morphology.name}")

    def _skill(self, name: str, who: Who, **options: Any) -> None:
        """Begin a skill of `locomote.physics._repertoire.SKILLS`."""
        made = [(self._dogs[n], make_skill(name, options)) for n in rows_of(who, len(self))]
        for dog, skill in made:
            dog.do(name, skill)

    def step(self, dt: float) -> Poses:
        """Advance by ``dt`` seconds."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        self.time += float(dt)
        self._owed += float(dt)
        steps = math.floor(1000.0 * self._owed + 1e-6)
        self._owed = max(self._owed - 0.001 * steps, 0.0)
        if steps:
            self._threads.run(lambda dog: dog.advance(steps), self._dogs)
        self._publish()
        return self._poses

    def _publish(self) -> None:
        poses = self._poses
        places, turns = zip(*(dog.world(self._owed) for dog in self._dogs), strict=True)
        world, parents = np.array(turns), poses.skeleton.parents
        poses.root_positions[:] = np.array(places)[:, 0]
        poses.rotations[:, 0] = world[:, 0]
        poses.rotations[:, 1:] = rot.multiply(rot.inverse(world[:, parents[1:]]), world[:, 1:])

    def record(self, seconds: float, fps: float = 60.0, who: int = 0, each: Each | None = None) -> Motion:
        """Step all of them for so long and give the motion of one, with its body.

        Parameters
        ----------
        seconds, fps : how long, and steps and frames a second
        who : the dog
        each : called before every step with the time since the beginning, s; may command and push
        """
        if not -len(self) <= who < len(self):
            raise LocomoteError(f"who {who}: there are dogs 0 to {len(self) - 1}")
        return self.record_all(seconds, fps, each)[who]

    def record_all(self, seconds: float, fps: float = 60.0, each: Each | None = None) -> list[Motion]:
        """Step all of them for so long and give the motions of all, with their bodies.

        Parameters
        ----------
        seconds, fps : how long, and steps and frames a second
        each : called before every step with the time since the beginning, s; may command and push
        """
        if not (math.isfinite(seconds) and 0.0 <= seconds <= LONGEST):
            raise LocomoteError(f"seconds {seconds}: expected 0 to {LONGEST:g}")
        if not (math.isfinite(fps) and fps > 0.0):
            raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
        frames = [self._poses.copy()]
        for frame in range(math.floor(seconds * fps + 1e-6)):
            if each is not None:
                each(frame / fps)
            frames.append(self.step(1.0 / fps).copy())
        roots, turns = (np.array([getattr(f, part) for f in frames]) for part in ("root_positions", "rotations"))
        form = self.animal.morphology
        return [
            Motion(form.skeleton, fps, roots[:, n], rot.continuous(turns[:, n]), name=form.name, body=form.body)
            for n in range(len(self))
        ]


def animal_of(creature: str | Path | Creature | Morphology | Animal, mass: float | None = None) -> Animal:
    """An animal with weight, from its name, the file of a rig, or what was made of one."""
    from locomote.creatures.catalogue._builtin import NAMES

    if mass is not None and not 0.0 < mass < math.inf:
        raise LocomoteError(f"mass {mass}: expected kilograms, more than 0")
    if isinstance(creature, Animal):
        if mass is None:
            return creature
        return Animal(creature.morphology, creature.masses.scaled_to(mass), creature.rigid_spine)
    if isinstance(creature, (str, Path)) and creature not in NAMES:
        if not Path(creature).exists():
            raise LocomoteError(f"{creature}: no such file, and no built-in creature; those are: {', '.join(NAMES)}")
        creature = Creature.from_rig(creature)
    form = creature.morphology if isinstance(creature, Creature) else creature
    return Animal.of(form if isinstance(form, Morphology) else str(form), mass)
