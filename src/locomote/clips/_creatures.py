"""The clips of a creature: stands, walks, runs, turns, starts and stops, on its own body or the rig it was made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from locomote.clips._clip import Clip
from locomote.clips._footage import Camera, Footage, calmest, joined, steadiest, until_still, whole_frames
from locomote.clips._people import checked
from locomote.clips._seam import with_even_seam
from locomote.clips._standing import Tip, with_standing_feet
from locomote.creatures import NAMES, Creature, Crowd
from locomote.creatures._recording import creature_motion
from locomote.human._recording import check_seconds
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray

WALK, RUN = 0.4, 1.0  # of the root of gravity times hip height
TURNING = 0.2  # rad in the time unit of the body, of those who walk in a circle
CORNER = np.radians(90.0)  # by which one turns on the spot
IDLE = 2.0  # s
FINER = 4  # steps a frame: the feet of fast creatures come down between frames
CYCLES = 16  # that are looked at for the two most alike
MOST_CYCLES = 4  # that a loop has, where not every one is like the next
ALIKE = 1e-3  # of the reach of a leg, by which joints may differ from one loop to the next
FASTEST_TURN = 1.5  # rad/s
SETTLE = 5.0  # s until a gait is steady
STILL = 0.4  # s that one stands before and after an action, its joints slower than
STILLNESS = 0.01  # of the root of gravity times hip height
LONGEST = 8.0  # s that an action may take


@dataclass(frozen=True, eq=False)
class CreatureActor:
    """Who plays the clips, and at how many frames a second."""

    creature: Creature
    fps: float = 60.0
    seed: int = 0

    @property
    def pace(self) -> float:
        """The root of gravity times hip height, m/s."""
        return float(np.sqrt(GRAVITY * self.creature.morphology.hip_height))

    def camera(self) -> Camera[Crowd]:
        """The creature, which stands; no stride of it differs from another."""
        crowd = Crowd(self.creature, 1, seed=self.seed)
        crowd.liven(vary=0.0)

        def motion_of(roots: FloatArray, turns: FloatArray) -> Motion:
            return creature_motion(crowd, self.fps, roots, turns)

        return Camera(
            crowd, lambda: crowd.planted[0], motion_of, tuple(leg.name for leg in self.creature.morphology.legs)
        )

    def cycle(self, name: str, speed: float, turn_rate: float = 0.0) -> Footage:
        """Steady strides, those most like the next ones, from where a cycle is calmest on."""
        camera = self.camera()
        camera.crowd.command(speed=speed, turn_rate=turn_rate)
        camera.wait(SETTLE, FINER)
        frames, dt = whole_frames(float(camera.crowd.periods[0]), self.fps)
        film = camera.film(name, (CYCLES + MOST_CYCLES) * frames, dt, FINER)
        alike = ALIKE * float(self.creature.morphology.reaches.mean())
        found = []
        for cycles in range(1, MOST_CYCLES + 1):  # some step alike only every other time
            found.append((*steadiest(film, cycles * frames, 3, CYCLES * frames), cycles * frames))
            if found[-1][0] < alike:
                break
        _, first, frames = min(found)
        first += calmest(film, first, frames)
        return replace(film, start=first, frames=frames, overlap=frames)

    def idle(self, name: str) -> Footage:
        """Stands."""
        camera = self.camera()
        camera.wait(2.0)
        frames = round(IDLE * self.fps)
        return replace(camera.film(name, 2 * frames + 1, 1.0 / self.fps), frames=frames, overlap=frames)

    def act(self, name: str, order: Callable[[Crowd], object]) -> Footage:
        """What one does from standing until one stands again."""
        camera = self.camera()
        camera.wait(1.0)
        before = camera.film(name, round(STILL * self.fps), 1.0 / self.fps)
        order(camera.crowd)
        after = camera.film(name, round(LONGEST * self.fps), 1.0 / self.fps, FINER)
        return joined(before, until_still(after, STILLNESS * self.pace, STILL))

    def start(self, name: str, speed: float) -> Footage:
        """From standing to a whole cycle at speed."""
        camera = self.camera()
        camera.wait(1.0)
        before = camera.film(name, round(STILL * self.fps), 1.0 / self.fps)
        camera.crowd.command(speed=speed)
        after = camera.film(name, round(LONGEST * self.fps), 1.0 / self.fps, FINER)
        pace = np.linalg.norm(np.diff(after.travel.places, axis=0), axis=1) * self.fps
        slow = np.flatnonzero(np.abs(pace - speed) > 0.02 * speed)
        last = int(slow[-1]) + 1 + round(float(camera.crowd.periods[0]) * self.fps) if len(slow) else 0
        return joined(before, replace(after, frames=min(last, after.frames)))

    def stop(self, name: str, speed: float) -> Footage:
        """From speed until it stands."""
        camera = self.camera()
        camera.crowd.command(speed=speed)
        camera.wait(SETTLE, FINER)
        camera.crowd.command(speed=0.0)
        after = camera.film(name, round(LONGEST * self.fps), 1.0 / self.fps, FINER)
        return until_still(after, STILLNESS * self.pace, STILL)


def _circle(sign: float) -> Callable[[CreatureActor], Footage]:
    def play(actor: CreatureActor) -> Footage:
        name = "walk_left" if sign > 0.0 else "walk_right"
        return actor.cycle(name, WALK * actor.pace, sign * min(TURNING / actor.creature.time_unit, FASTEST_TURN))

    return play


def _corner(sign: float) -> Callable[[CreatureActor], Footage]:
    name = "turn_left" if sign > 0.0 else "turn_right"
    return lambda actor: actor.act(name, lambda crowd: crowd.command(heading=sign * CORNER))


_CLIPS: dict[str, Callable[[CreatureActor], Footage]] = {
    "idle": lambda actor: actor.idle("idle"),
    "walk": lambda actor: actor.cycle("walk", WALK * actor.pace),
    "run": lambda actor: actor.cycle("run", RUN * actor.pace),
    "walk_left": _circle(1.0),
    "walk_right": _circle(-1.0),
    "turn_left": _corner(1.0),
    "turn_right": _corner(-1.0),
    "start": lambda actor: actor.start("start", WALK * actor.pace),
    "stop": lambda actor: actor.stop("stop", WALK * actor.pace),
}
CREATURE_CLIPS = tuple(_CLIPS)


def creature_clips(
    creature: Creature | str | os.PathLike[str],
    names: Sequence[str] | None = None,
    *,
    fps: float = 60.0,
    seed: int = 0,
) -> list[Clip]:
    """Clips of a creature; those of one made of a rig's file are written into the nodes of that file.

    Parameters
    ----------
    creature : one of `creatures.NAMES`, the file of a rig, or a `Creature`
    names : of idle, walk, run, walk_left, walk_right, turn_left, turn_right, start, stop; all without them
    fps : frames a second; steady strides are fitted to whole frames
    seed : of what is drawn at random
    """
    check_seconds(1.0, fps)
    if not isinstance(creature, Creature):
        creature = Creature.build(str(creature)) if creature in NAMES else Creature.from_rig(creature)
    return list(play_creature(checked(names, CREATURE_CLIPS), CreatureActor(creature, fps, seed)))


def play_creature(names: Sequence[str], actor: CreatureActor) -> Iterator[Clip]:
    """The clips one after the other."""
    tips = [Tip(leg.joints, leg.tip) for leg in actor.creature.morphology.legs]
    for name in names:
        footage = _CLIPS[name](actor)
        clip = footage.cut()
        if clip.loop and name != "idle":
            clip = with_even_seam(with_standing_feet(clip, footage.stands, tips), footage.stands, tips)
        yield clip
