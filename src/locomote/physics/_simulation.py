"""One animal in MuJoCo: its state, and the loop in which controller and physics take turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.math._compile import prepared
from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION, STEP, load_mujoco
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_control import control
from locomote.physics._kernels.animal_joints import level_ankle
from locomote.physics._kernels.animal_legs import foot_place, hip_target, leg_angles
from locomote.physics._kernels.animal_model import Views, make_asked, make_state
from locomote.rotations import FloatArray
from locomote.world import Ground

FASTEST = 300.0  # rad/s or m/s of any joint: beyond it a simulation has come apart
LOWEST, TILTED = 0.43, np.radians(90.0)  # of the hip height, and from upright: beyond these it has fallen
LOOK = 10  # steps after which the ground under and ahead of the feet is looked at again
SIDES = {"hips": am.REAR, "shoulders": am.FRONT}


class Simulation:
    """A body that stands, goes, falls and is pushed, and a controller that sees it every millisecond.

    ``asked`` is what the controller is asked for; ``state`` what it remembers.
    """

    def __init__(self, animal: Animal, ground: Ground | None = None, friction: float = FRICTION) -> None:
        self.animal, self.ground, self.friction, self.mujoco = animal, ground, friction, load_mujoco()
        self.model = animal.spec(friction, ground).compile()
        self.data = d = self.mujoco.MjData(self.model)
        self.body = animal.body(self.model)
        self.views = Views(
            d.qpos, d.qvel, d.xpos, d.xquat, d.xipos, d.xaxis, d.cvel, d.subtree_com, d.sensordata, d.qfrc_applied
        )
        self.asked, self.state = make_asked(), make_state(self.model.nbody)
        names, kind = animal.morphology.skeleton.names, self.mujoco.mjtObj.mjOBJ_BODY
        self.bodies = np.array([self.mujoco.mj_name2id(self.model, kind, name) for name in names])
        self._pushes: list[tuple[float, int, FloatArray]] = []
        self._control: Callable[..., None] | None = None
        self.reset()

    def reset(self, place: tuple[float, float] = (0.0, 0.0), yaw: float = 0.0) -> None:
        """Stand at a place ``(x, z)``, facing ``yaw``."""
        self.mujoco.mj_resetData(self.model, self.data)
        floor = 0.0 if self.ground is None else float(self.ground.heights([place])[0])
        self._stand()
        turn = rot.from_yaw(yaw)
        self.data.qpos[:3] = rot.rotate(turn, self.data.qpos[:3]) + np.array([place[0], floor, place[1]])
        self.data.qpos[3:7] = rot.multiply(turn, self.data.qpos[3:7])
        for mine, new in zip((*self.asked, *self.state), (*make_asked(), *make_state(self.model.nbody)), strict=True):
            mine[:] = new
        self.asked.legs[:, 0] = am.STANDS
        self.asked.yaw[:2] = yaw
        self._pushes.clear()
        self.mujoco.mj_forward(self.model, self.data)
        for leg in range(am.FEET):
            x, _, z = foot_place(self.body, self.views, leg)
            self.state.legs[leg, am.LANDS : am.LANDS + 2] = x, z
        self._look()

    def _stand(self) -> None:
        """Put the feet under the hips, as the controller wants them; a rig may rest with them elsewhere."""
        level = (1.0, 0.0, 0.0, 0.0)
        self.mujoco.mj_forward(self.model, self.data)
        for leg in range(am.FEET):
            thigh = int(self.body.links[leg, am.THIGH])
            hip = self.data.xpos[thigh]
            foot = foot_place(self.body, self.views, leg)
            mark = (foot[0], 0.0, hip[2] + self.body.under[leg])
            angles = leg_angles(self.body, level, tuple(hip), mark, 0.0, 0.0, leg)
            ankle, _ = level_ankle(level, angles, 0.0, 0.0)
            rest = self.body.rest[thigh]
            at = self.body.leg_angles[leg]
            turn = rot.multiply(rot.inverse(rest), rot.multiply(np.array(hip_target(angles[0], angles[1])), rest))
            self.data.qpos[at[0] : at[0] + 4] = turn
            self.data.qpos[at[1:3]] = angles[2], ankle

    def remember(self) -> tuple[Any, ...]:
        """All that a later `recall` needs to go on from here."""
        d = self.data
        kept = (d.qpos, d.qvel, d.qacc_warmstart, np.array([d.time]), *self.asked, *self.state)
        return tuple(each.copy() for each in kept)

    def recall(self, kept: tuple[Any, ...]) -> None:
        """Be as it was when `remember` was called; pushes are over."""
        d = self.data
        for mine, old in zip((d.qpos, d.qvel, d.qacc_warmstart), kept, strict=False):
            mine[:] = old
        d.time = float(kept[3][0])
        for mine, old in zip((*self.asked, *self.state), kept[4:], strict=True):
            mine[:] = old
        self._pushes.clear()
        self.mujoco.mj_forward(self.model, d)

    def advance(self, steps: int, gait: FloatArray, params: FloatArray) -> None:
        """Some milliseconds with one gait: ``gait (4, 2)``, swing begins and durations in turns; ``params (163,)``."""
        first, second, model, data = self.mujoco.mj_step1, self.mujoco.mj_step2, self.model, self.data
        # Copies, so that they are of the kinds that the kernel is prepared for, whatever the caller has.
        swings = np.array(gait, dtype=np.float64, order="C").reshape(am.FEET, 2)
        numbers = np.array(params, dtype=np.float64, order="C").reshape(am.PARAMETERS)
        arguments = self.body, self.views, swings, numbers, self.asked, self.state, STEP
        if self._control is None:
            self._control = prepared(control, *arguments)
        run = self._control
        for done in range(steps):
            if done % LOOK == 0:
                self._look()
                self._push()
            first(model, data)
            run(*arguments)
            second(model, data)

    def push(self, force: FloatArray, seconds: float, at: str = "shoulders") -> None:
        """Push with a force in the world, N, for a time from now on, at "shoulders" or "hips"."""
        wanted = np.asarray(force, dtype=np.float64)
        if wanted.shape != (3,) or not np.all(np.isfinite(wanted)) or not 0.0 < seconds < np.inf:
            raise LocomoteError(f"push: expected three finite newtons for a time above 0, got {force} for {seconds} s")
        if at not in SIDES:
            raise LocomoteError(f"push at {at!r}: expected {' or '.join(SIDES)}")
        self._pushes.append((self.data.time + seconds, int(self.body.frames[SIDES[at]]), wanted))

    def _push(self) -> None:
        self.data.xfrc_applied[:] = 0.0
        self._pushes = [each for each in self._pushes if each[0] > self.data.time + 1e-9]
        for _, body, force in self._pushes:
            self.data.xfrc_applied[body, :3] += force

    def _look(self) -> None:
        """Heights under the feet and where they go."""
        if self.ground is None:
            return
        for leg in range(am.FEET):
            last = max(int(self.body.links[leg, am.META]), int(self.body.links[leg, am.PAW]))
            x, _, z = self.data.xpos[last]
            goal = self.state.legs[leg, 6:8] if self.state.modes[leg, 0] == 0 else (x, z)
            self.asked.ground[leg] = self.ground.heights([(x, z), tuple(goal)])

    @property
    def time(self) -> float:
        """s since the beginning."""
        return float(self.data.time)

    @property
    def frames(self) -> FloatArray:
        """Places of pelvis and shoulders: the middle of their hips, ``(2, 3)`` m."""
        links = self.body.frames
        return np.asarray(self.data.xpos[links] + rot.rotate(self.data.xquat[links], self.body.origins))

    @property
    def feet(self) -> FloatArray:
        """Where the points are that feet stand on, ``(4, 3)`` m."""
        last = self.body.links.max(axis=1)
        return np.asarray(self.data.xpos[last] + rot.rotate(self.data.xquat[last], self.body.tips))

    @property
    def heights(self) -> FloatArray:
        """Of pelvis and shoulders above the ground, ``(2,)`` m."""
        places = self.frames
        floor = 0.0 if self.ground is None else self.ground.heights(places)
        return np.asarray(places[:, 1] - floor)

    @property
    def tilt(self) -> float:
        """How far a frame is from upright at most, rad."""
        up = [self.data.xmat[link, 4] for link in self.body.frames]  # for bodies whose rest axes are the world's
        if np.any(self.body.frame_rest[:, 0] < 1.0 - 1e-9):
            turns = rot.multiply(self.data.xquat[self.body.frames], rot.inverse(self.body.frame_rest))
            up = list(rot.rotate(turns, np.array([0.0, 1.0, 0.0]))[:, 1])
        return float(np.arccos(np.clip(min(up), -1.0, 1.0)))

    @property
    def speed(self) -> float:
        """Of both frames along the heading, m/s, smoothed."""
        yaw = self.asked.yaw[am.FRONT]
        v = self.state.speeds.mean(axis=0)
        return float(v[0] * np.sin(yaw) + v[2] * np.cos(yaw))

    @property
    def heading(self) -> float:
        """Where the line from hips to shoulders points, rad about +Y from +Z."""
        rear, front = self.frames
        return float(np.arctan2(front[0] - rear[0], front[2] - rear[2]))

    @property
    def sound(self) -> bool:
        """Whether all numbers are finite and no joint spins beyond reason."""
        return bool(np.all(np.abs(self.data.qvel) < FASTEST) and np.all(np.isfinite(self.data.qpos)))

    @property
    def fallen(self) -> bool:
        """Whether a frame is too low to be on its feet, or has tipped over."""
        low = float(self.heights.min()) < LOWEST * self.body.height
        return low or self.tilt > TILTED or not self.sound

    def pose(self) -> tuple[FloatArray, FloatArray]:
        """Place of the root ``(3,)`` and local rotations ``(J, 4)`` of the skeleton's joints."""
        turns = self.data.xquat[self.bodies]
        local = turns.copy()
        parents = self.animal.morphology.skeleton.parents
        local[1:] = rot.multiply(rot.inverse(turns[parents[1:]]), turns[1:])
        return self.data.xpos[self.bodies[0]].copy(), local
