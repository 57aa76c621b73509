"""A simulated dog on the page: told how fast to go, pushed and pulled, and what was recorded of it."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.physics import Dog
from locomote.rotations import FloatArray
from locomote.studio._grips import Grip
from locomote.studio._helm import Helm
from locomote.studio._pieces import Look, look_of
from locomote.studio._recording import Take

# To a side of the dog: x to its left and z ahead.
PUSHES = {"left": (1.0, 0.0), "right": (-1.0, 0.0), "ahead": (0.0, 1.0), "back": (0.0, -1.0)}
AT = ("shoulders", "hips")
PULL = 400.0  # N for each metre that a handle is dragged away
WEIGHT_LONG = 1.2  # m of an arrow of one body weight
THICK = 0.16  # m from the line of its back, within which a click is for it
SHOWN = 0.6  # s that the arrow of a push is seen, which itself is often shorter than a frame
STILL = 0.005  # m/s
FPS = 60.0


class StudioDog:
    """One dog with weight."""

    def __init__(self) -> None:
        self.dog = Dog()
        form = self.dog.animal.morphology
        self.skeleton = form.skeleton
        self.look: Look = look_of(form.skeleton, form.body)
        rear, front = self.dog.animal.parts.frames
        self.joints = {"shoulders": front, "hips": rear}
        self.grips = tuple(Grip(joint, at) for at, joint in self.joints.items())
        self.held: int | None = None
        self.newtons, self.seconds, self.at = 150.0, 0.1, AT[0]
        self._handle = np.zeros(3)
        self._shown: tuple[FloatArray, str, float] | None = None  # N, where, s that are left of the arrow
        self.take = Take(FPS)
        self.helm = Helm()

    def world(self) -> tuple[FloatArray, FloatArray]:
        """Joints ``(1, J, 3)`` and their rotations ``(1, J, 4)`` in the world."""
        poses = self.dog.poses
        return Motion(self.skeleton, FPS, poses.root_positions, poses.rotations).world()

    def begin(self) -> None:
        """Stand anew, at the origin."""
        self.held, self._shown = None, None
        self.dog.reset()

    def advance(self, dt: float) -> None:
        """Let time pass; what is held is pulled at."""
        if dt <= 0.0:
            return
        dt = min(dt, 0.05)
        if self.held is not None:
            force = self.pull()
            if np.any(force):
                self.dog.push(force, dt, self._where(self.held))
        self.dog.step(dt)
        if self._shown is not None:
            force, at, left = self._shown
            self._shown = (force, at, left - dt) if left > dt else None

    def _where(self, joint: int) -> str:
        return next(at for at, mine in self.joints.items() if mine == joint)

    def drag(self, joint: int, place: FloatArray) -> None:
        """Pull at a handle that is dragged to a place; the farther away, the harder."""
        self.held, self._handle = joint, np.array(place, dtype=np.float64)

    def pull(self) -> FloatArray:
        """The force at the handle that is held, N ``(3,)``; not above that of a push."""
        if self.held is None:
            return np.zeros(3)
        force = PULL * (self._handle - self.world()[0][0, self.held])
        size = float(np.linalg.norm(force))
        return np.asarray(force * min(1.0, self.newtons / max(size, 1e-9)))

    def release(self) -> None:
        """Nobody pulls at the handle any more."""
        self.held = None

    def turn(self, presses: int) -> None:
        """Let it go more to the left, or to the right below 0, by so many presses of a key."""
        self.dog.command(heading=self.helm.turn(0, float(self.dog.headings[0]), presses))

    def push(self, where: str) -> None:
        """Push to a side of the dog: "left", "right", "ahead", "back"."""
        if where not in PUSHES:
            raise LocomoteError(f"push {where!r}: expected {', '.join(PUSHES)}")
        aside, ahead = PUSHES[where]
        self.push_along(rot.rotate(rot.from_yaw(float(self.dog.headings[0])), np.array([aside, 0.0, ahead])), self.at)

    def push_along(self, direction: FloatArray, at: str) -> None:
        """Push along a direction ``(3,)`` of the world, of which only the level part counts."""
        level = np.array([direction[0], 0.0, direction[2]], dtype=np.float64)
        size = float(np.linalg.norm(level))
        if not size > 1e-6:
            raise LocomoteError("push: look at it from the side, to push it from there")
        force = self.newtons / size * level
        self.dog.push(force, self.seconds, at)
        self._shown = force, at, max(SHOWN, self.seconds)

    def click(self, origin: FloatArray, direction: FloatArray) -> bool:
        """Push it away from who clicked, at whatever of shoulders and hips is nearer; whether the click hit it."""
        ray = np.asarray(direction, dtype=np.float64) / max(float(np.linalg.norm(direction)), 1e-9)
        joints = self.world()[0][0]
        hips, shoulders = (joints[self.joints[at]] for at in ("hips", "shoulders"))
        line = [hips + share * (shoulders - hips) for share in np.linspace(-0.2, 1.2, 15)]

        def off(place: FloatArray) -> float:
            away = place - origin
            return float(np.linalg.norm(away - (away @ ray) * ray))

        if min(off(place) for place in line) > THICK:
            return False
        self.push_along(ray, "hips" if off(hips) < off(shoulders) else "shoulders")
        return True

    def arrows(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Pushes and pulls that act: places and vectors ``(M, 3)`` m, and zeros ``(M,)``."""
        places, unit = self.world()[0][0], WEIGHT_LONG / (self.dog.animal.masses.total * GRAVITY)
        shown = [(self.pull(), self._where(self.held))] if self.held is not None else []
        if self._shown is not None:
            shown.append(self._shown[:2])
        starts = np.array([places[self.joints[at]] for _, at in shown]).reshape(-1, 3)
        return starts, unit * np.array([force for force, _ in shown]).reshape(-1, 3), np.zeros(len(shown))

    def planted(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Which feet touch the ground, ``(1, 4)`` in the order of its legs."""
        out = np.zeros((1, len(self.dog.foot_names)), dtype=np.bool_)
        out[0, list(self.dog.animal.parts.order)] = self.dog.planted[0]
        return out

    def reading(self) -> str:
        """How fast it goes, and how."""
        dog = self.dog
        feet = int(dog.planted[0].sum())
        state = "**fallen**: press *start again*" if dog.fallen[0] else dog.states[0]
        speed = abs(dog.speeds[0]) if abs(dog.speeds[0]) < STILL else dog.speeds[0]  # no minus before a zero
        return f"**{speed:.2f} m/s**, {dog.gaits[0]}, {state}; {feet} feet on the ground"

    def recorded(self) -> list[Motion]:
        """What was recorded."""
        return self.take.motions(self.skeleton, "dog", self.dog.animal.morphology.body)
