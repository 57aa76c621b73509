"""A person who plays clips: steady strides, standing about, starts, stops, and what is done from standing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from locomote.clips._footage import STEP, Camera, Footage, calmest, joined, until_still, whole_frames
from locomote.human._commands import Style
from locomote.human._crowd import LEG, Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import character_motion
from locomote.human_body import Body
from locomote.motion import Motion
from locomote.rotations import FloatArray

IDLE = 6.0  # s that one stands about, and
FADE = 1.5  # s in which that comes out of what follows
SETTLE = 3.0  # s until a gait is steady
STILL = 0.4  # s that one stands before and after an action, its joints slower than
STILLNESS = 0.02  # m/s
LONGEST = 8.0  # s that an action may take
FEET = ("left", "right")


@dataclass(frozen=True, eq=False)
class Actor:
    """Who plays the clips, and at how many frames a second."""

    model: HumanModel
    fps: float = 60.0
    leg_length: float | None = None  # m
    body: Body | None = None
    style: Style | None = None
    seed: int = 0

    @property
    def size(self) -> float:
        """Legs beside those of a common person."""
        if self.leg_length is not None:
            return self.leg_length / LEG
        return 1.0 if self.body is None else self.body.leg_length / LEG

    def camera(self, speed: float = 0.0, lively: float = 0.0, gait: str | float = "auto") -> Camera[Crowd]:
        """The person, who begins at a speed (m/s)."""
        crowd = Crowd(
            self.model, 1, seed=self.seed, leg_length=self.leg_length, body=self.body, style=self.style,
            speed=speed, gait=gait, phases=0.0, lively=lively,
        )  # fmt: skip

        def motion_of(roots: FloatArray, turns: FloatArray) -> Motion:
            legs = crowd.leg_lengths[[0] * len(roots)]
            return character_motion(self.fps, roots, turns, legs, crowd.proportions[0])

        return Camera(crowd, lambda: crowd.planted[0].any(axis=-1), motion_of, FEET)

    def cycle(self, name: str, speed: float, turn_rate: float = 0.0, gait: str | float = "auto") -> Footage:
        """Steady strides, from where a cycle is calmest on."""
        camera, frames, dt = self._steady(speed, turn_rate, gait)
        # A cycle before and one after the two that are used: a motion on another rig is eased at its ends.
        film = camera.film(name, 5 * frames, dt)
        return replace(film, start=frames + calmest(film, frames, frames), frames=frames, overlap=frames)

    def _steady(self, speed: float, turn_rate: float, gait: str | float) -> tuple[Camera[Crowd], int, float]:
        """The person at a strike of the right heel, frames of a cycle, and how long each is, seconds."""
        camera = self.camera(speed, gait=gait)
        crowd = camera.crowd
        crowd.command(turn_rate=turn_rate)
        camera.wait(SETTLE)
        camera.wait(_until(crowd, 0.0))
        frames, dt = whole_frames(1.0 / float(crowd.frequencies[0]), self.fps)
        for _ in range(3 * frames):  # feet come down at other moments now that frames have another length
            crowd.step(dt)
        return camera, frames, dt

    def idle(self, name: str) -> Footage:
        """Stands about, breathes, sways and looks."""
        camera = self.camera(lively=1.0)
        camera.wait(2.0)
        frames, fade = round(IDLE * self.fps), round(FADE * self.fps)
        return replace(camera.film(name, frames + fade + 1, 1.0 / self.fps), frames=frames, overlap=fade)

    def start(self, name: str, speed: float) -> Footage:
        """From standing to where steady walking begins."""
        steady = self.cycle(name, speed, gait="walk")
        camera = self._standing()
        camera.crowd.command(speed=speed, gait="walk")
        last = 0.0
        while abs(float(camera.crowd.speeds[0]) - speed) > 0.01 * speed and last < LONGEST:  # a rehearsal
            camera.wait(STEP)
            last += STEP
        stride = 1.0 / float(camera.crowd.frequencies[0])
        camera.wait(stride)
        last += stride + _until(camera.crowd, steady.start / steady.frames % 1.0)
        frames, dt = whole_frames(last, self.fps)
        camera = self._standing()
        before = camera.film(name, round(STILL / dt), dt)
        camera.crowd.command(speed=speed, gait="walk")
        return joined(before, camera.film(name, frames, dt))

    def stop(self, name: str, speed: float) -> Footage:
        """From where steady walking begins until it stands."""
        steady = self.cycle(name, speed, gait="walk")
        camera, _, dt = self._steady(speed, 0.0, "walk")
        for _ in range(steady.start):
            camera.crowd.step(dt)
        camera.crowd.command(speed=0.0)
        return until_still(camera.film(name, round(LONGEST / dt), dt), STILLNESS, STILL)

    def act(self, name: str, order: Callable[[Crowd], object]) -> Footage:
        """What one does from standing until one stands again."""
        camera = self._standing()
        before = camera.film(name, round(STILL * self.fps), 1.0 / self.fps)
        order(camera.crowd)
        after = camera.film(name, round(LONGEST * self.fps), 1.0 / self.fps)
        return joined(before, until_still(after, STILLNESS, STILL))

    def _standing(self) -> Camera[Crowd]:
        camera = self.camera()
        camera.wait(1.0)
        return camera


def _until(crowd: Crowd, phase: float) -> float:
    """Seconds until the person is at a phase of the cycle, 0 to 1."""
    return float((phase - crowd.cycles[0]) % 1.0 / crowd.frequencies[0])
