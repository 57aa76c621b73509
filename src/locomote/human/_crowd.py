"""One person or ten thousand who walk and run as they are told, one call a frame."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote._arguments import Values, Who, rows_of, spread
from locomote.errors import LocomoteError
from locomote.human import _commands as commands
from locomote.human._beginnings import bodies_of, check_crowd, level_ground, places_of
from locomote.human._commands import Style
from locomote.human._goals import HumanGoals
from locomote.human._handover import Easing, Handovers
from locomote.human._kernels.scratch import make_scratch
from locomote.human._kernels.state import Foot, People, Walker
from locomote.human._kernels.step import step, units
from locomote.human._manners import Manners, no_manners, random_manners
from locomote.human._model import HumanModel
from locomote.human._navigation import HumanNavigation
from locomote.human._packing import PLANE, from_planes, lively_table, pack, samples_of
from locomote.human._queries import BoolArray, HumanQueries
from locomote.human._recording import Recordings
from locomote.human._stepping import make_stepper, needs_processor, pose_arrays
from locomote.human._targets import RUN_FROUDE, Targets
from locomote.human.jumps._model import JumpModel
from locomote.human_body import Body
from locomote.human_skeleton import COMMON, COMMON_PROPORTIONS, bone_offsets, hip_height, human_skeleton
from locomote.math.constants import GRAVITY
from locomote.math.records import zeros
from locomote.motion import Poses
from locomote.rotations import FloatArray
from locomote.world import Ground, Obstacles
from locomote.world._kernels.ground import Terrain

GROWN = 30.0  # years, of people of whom nothing is said
LEG = 0.9  # m, hip to ankle, of people of whom nothing is said


class Crowd(HumanQueries, HumanGoals, Handovers, Recordings):
    """Characters that share a model. All knobs may be turned at any time, for all or for some.

    ``step`` returns the same `Poses` each time, with arrays that the next step overwrites: take a ``copy()`` of what
    is to be kept.

    Parameters
    ----------
    model : what was learnt, such as ``HumanModel.default()``
    count : N
    seed : of phases and styles that are drawn at random
    leg_length : m, hip to ankle, number or (N,); 0.9, or that of the bodies, without it
    body : sex, age and build, one for all or one for each; the proportions of a grown man without it
    style : a name, or (N,) of them, a mixture by name, or weights (K,) or (N, K); random mixtures without it
    speed, heading : m/s and rad, number or (N,)
    gait : "auto", "walk", "run", or the share of running, number or (N,)
    positions : (N, 3) m; on a grid about the origin unless given
    phases : cycles, number or (N,); random without them
    ground : what they walk on; a level floor without it
    feet : planted feet stay where they are; else the motion of the model as it is
    obstacles : what they go round or jump over
    avoid : they keep out of one another's way; one for all or (N,)
    jumps : the model of jumps; the shipped one without it
    lively : how much strides differ from one another and those who stand breathe, sway and look about, number or (N,);
        0: every stride is the same
    manners : what they do besides their style; those of their age, and random ones unless a style is given, without it
    threads : that work on it at once; the motion is the same for any number
    device : "cpu", or "cuda" for a GPU: poses stay there, ``poses.on_device``, until they are asked for; nobody heeds
        obstacles, others or goals there
    """

    def __init__(
        self,
        model: HumanModel,
        count: int = 1,
        *,
        seed: int = 0,
        leg_length: Values | None = None,
        body: Body | Sequence[Body | None] | None = None,
        style: Style | None = None,
        speed: Values = 0.0,
        heading: Values = 0.0,
        gait: Values | str = "auto",
        positions: rot.ArrayLike | None = None,
        phases: Values | None = None,
        ground: Ground | None = None,
        feet: bool = True,
        obstacles: Obstacles | None = None,
        avoid: bool | BoolArray = False,
        jumps: JumpModel | None = None,
        lively: Values = 1.0,
        manners: Manners | None = None,
        threads: int = 1,
        device: str = "cpu",
    ) -> None:
        check_crowd(model, count)
        self.device = device
        if obstacles is not None or np.any(avoid):
            needs_processor(device, "obstacles or others")
        self.model = model
        self.holds_feet = feet
        jumps = (JumpModel.default() if jumps is None else jumps).for_model(model)
        self._packed = pack(model, jumps)
        if not feet:
            self._packed = self._packed._replace(lively=lively_table(rooted=True))
        self.bodies = bodies_of(body, count)
        self.proportions = tuple(COMMON_PROPORTIONS if each is None else each.proportions for each in self.bodies)
        if leg_length is None:
            leg_length = np.array([LEG if each is None else each.leg_length for each in self.bodies])
        styles = len(model.styles)
        self._state = People(
            walkers=zeros(Walker, count),
            weights=np.zeros((count, 2, styles)),
            feet=zeros(Foot, count, len(self._packed.legs)),
            cache=np.zeros((count, len(self._packed.basis) + 4 * 3 * PLANE), dtype=np.float32),
            bones=np.zeros((count, 3, PLANE), dtype=np.float32),
        )
        self._scratch = make_scratch(self._packed)
        self._targets = Targets(model, self._state)
        self.obstacles = Obstacles() if obstacles is None else obstacles
        self._ways = HumanNavigation(self._state, self._packed, model, jumps)
        self._ways.rows["heeds"] = avoid
        random = np.random.default_rng(seed)
        random_phases = random.random(count)
        random_styles = commands.random_styles(styles, count, random, seed)
        if manners is None:
            manners = random_manners(count, seed) if style is None else no_manners(count)
            manners = manners.aged(np.array([GROWN if each is None else each.age for each in self.bodies]))
        manners.check(count)
        self.manners = manners  # those they began with
        style = random_styles if style is None else style
        self._begin(leg_length, style, speed, heading, gait)
        walkers = self._state.walkers
        self._ways.rows["cruise"] = walkers["speed"]["value"]
        walkers["x"], walkers["y"], walkers["z"] = places_of(positions, count).T
        walkers["lively"] = manners.lively * spread("lively", lively, count)
        walkers["arm_swing"], walkers["wider"], walkers["toe_out"] = manners.arm_swing, manners.wider, manners.toe_out
        walkers["elbows"], walkers["running_elbows"] = manners.elbows.T
        walkers["spread"] = [own.spread for own in self.proportions]
        walkers["seed"], walkers["knot"] = random.integers(2**31, size=count), -1
        self.ground = level_ground(walkers["y"]) if ground is None else ground
        if phases is not None:
            walkers["cycles"] = spread("phases", phases, count)
        else:
            self._set_phases(random_phases)

        self._reference_leg = float(np.mean(walkers["leg"]["value"]))
        joints = len(COMMON)
        kinds = {own: kind for kind, own in enumerate(dict.fromkeys(self.proportions))}
        bones = np.array([bone_offsets(own) for own in kinds])[[kinds[own] for own in self.proportions]]
        self._state.bones[:, :, :joints] = np.moveaxis(bones, -1, -2)
        alike = len(kinds) == 1
        poses = Poses(
            human_skeleton(self._reference_leg, self.proportions[0] if alike else COMMON_PROPORTIONS),
            np.zeros((count, 3)),
            np.zeros((count, joints, 4)),
            scales=walkers["leg"]["value"] / self._reference_leg,
            known_positions=np.zeros((count, joints, 3)),
            offsets=None if alike else hip_height(self._reference_leg) * bones,
        )
        self._stepper = make_stepper(device, self._state, self._packed, poses, feet, threads)
        self._poses = self._stepper.poses
        self._take_ground(self.ground.arrays)
        self._easings: dict[int, Easing] = {}  # what is left of motions that walkers took over
        self.step(0.0)

    def __repr__(self) -> str:
        return f"<Crowd of {len(self)} people>"

    def _begin(
        self,
        leg_length: Values,
        style: Style,
        speed: Values,
        heading: Values,
        gait: Values | str,
    ) -> None:
        state, count = self._state.walkers, len(self)
        everyone, now = np.arange(count), np.zeros(count)
        state["leg"]["value"] = state["leg"]["target"] = LEG
        state["auto_gait"] = state["stale"] = True
        state["held"] = -1
        self._targets.resize(everyone, spread("leg_length", leg_length, count), now)
        self._targets.restyle(everyone, commands.spread_styles(self.model, style, count), now)
        self._targets.regait(everyone, *commands.spread_gaits(gait, count), now)
        self._targets.speed_up(everyone, spread("speed", speed, count), now)
        fast = state["speed"]["value"] ** 2 > RUN_FROUDE * GRAVITY * self._targets.hip_heights()
        automatic = state["auto_gait"]
        state["run"]["value"][automatic] = state["run"]["target"][automatic] = fast[automatic]
        state["stride_speed"] = state["speed"]["value"]
        state["yaw"] = spread("heading", heading, count)

    def _set_phases(self, phases: FloatArray) -> None:
        state = self._state.walkers
        state["cycles"] = phases
        # Who stands still waits in the pose from which one foot leaves first, left or right.
        still = state["speed"]["value"] == 0.0
        state["cycles"][still] = self._packed.timing.rest + 0.5 * (phases[still] < 0.5)

    def __len__(self) -> int:
        return len(self._state.walkers)

    @property
    def _people(self) -> People:
        """The state as it is now, to be read."""
        self._stepper.fetch()
        return self._state

    @property
    def changed(self) -> int:
        """Characters whose motion was synthesised anew in the last step."""
        return self._stepper.changed

    def step(self, dt: float) -> Poses:
        """Advance by ``dt`` seconds."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        if self.device == "cpu" and (self._ways.awake or len(self.obstacles)):
            self._ways.step(dt, self.obstacles)
        terrain = self.ground.arrays
        if terrain is not self._terrain:
            self._take_ground(terrain)
        before = self._pieces_before
        self._stepper.step(float(dt), terrain, before)
        if len(before):
            before[:] = terrain.pieces[:, :4]
        if self._easings:
            self._ease(dt)
        if self._targets.resizing > 0.0:
            self._targets.resizing -= dt
            scales = self._poses.scales
            np.divide(self._stepper.leg_lengths, self._reference_leg, out=scales)
        return self._poses

    def _take_ground(self, terrain: Terrain) -> None:
        """Walk on other pieces of ground from now on."""
        self._terrain = terrain
        self._pieces_before = terrain.pieces[:, :4].copy()  # x, y, z, yaw at the last step
        self._stepper.take_ground(terrain, self._pieces_before)

    def predict(self, seconds: float, fps: float = 60.0) -> Poses:
        """The poses some time from now if no command changes the course: what `step` will play at that rate.

        Parameters
        ----------
        seconds, fps : from now, and frames a second
        """
        from locomote.human._recording import check_seconds

        check_seconds(seconds, fps)
        ahead = self._people.copy()
        poses, ground, obstacles = self._poses.copy(), self.ground.copy(), self.obstacles.copy()
        ways, outputs = self._ways.copy_for(ahead), pose_arrays(poses)
        seconds, fps = float(seconds), float(fps)
        whole = math.floor(seconds * fps + 1e-6)
        for dt in [1.0 / fps] * whole + [seconds - whole / fps] * (seconds * fps - whole > 1e-6):
            before = ground.arrays[0][:, :4].copy()
            ground.advance(dt)
            obstacles.advance(dt)
            if ways.awake or len(obstacles):
                ways.step(dt, obstacles)
            step(dt, self.holds_feet, ahead, self._packed, ground.arrays, before, outputs, self._scratch)
        np.divide(ahead.walkers["leg"]["value"], self._reference_leg, out=poses.scales)
        return poses

    def command(
        self,
        *,
        speed: Values | None = None,
        turn_rate: Values | None = None,
        heading: Values | None = None,
        gait: Values | str | None = None,
        style: Style | None = None,
        leg_length: Values | None = None,
        toe_out: Values | None = None,
        wider: Values | None = None,
        within: Values | None = None,
        who: Who = None,
    ) -> None:
        """Give new targets, one number or one for each character meant by ``who``; what is left out stays.

        What is out of range is brought into it and said once to the log; a number that is not finite is an error.

        Parameters
        ----------
        speed : m/s
        turn_rate : rad/s, positive to the left
        heading : rad, in place of a rate
        gait : "auto", "walk", "run", or the share of running
        style : a name, a mixture by name, or weights
        leg_length : m
        toe_out : rad, or left and right as the last axis; feet turned outwards, below 0 inwards, from their next
            landing on
        wider : m, that each foot is further from the middle from its next landing on
        within : s, in which all are reached linearly; without it, in the time that a person would take
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        if turn_rate is not None and heading is not None:
            raise LocomoteError("turn_rate and heading: give one of them")
        # Everything is understood before anything is changed.
        count = len(rows)
        legs = None if leg_length is None else spread("leg_length", leg_length, count)
        weights = None if style is None else commands.spread_styles(self.model, style, count)
        gaits = None if gait is None else commands.spread_gaits(gait, count)
        speeds = None if speed is None else spread("speed", speed, count)
        rates = None if turn_rate is None else spread("turn_rate", turn_rate, count)
        headings = None if heading is None else spread("heading", heading, count)
        outwards = None if toe_out is None else commands.spread_feet("toe_out", toe_out, count)
        aside = None if wider is None else spread("wider", wider, count)
        seconds = None if within is None else spread("within", within, count)
        if seconds is not None:
            seconds = self._targets.notices.clamp("within", seconds, 0.0, commands.LONGEST, "s")
        self._stepper.fetch(rows)
        if legs is not None:
            self._targets.resize(rows, legs, seconds)
        if weights is not None:
            self._targets.restyle(rows, weights, seconds)
        if gaits is not None:
            self._targets.regait(rows, *gaits, seconds)
        if speeds is not None:
            self._targets.speed_up(rows, speeds, seconds)
        elif gaits is not None or legs is not None:
            self._targets.slow_down(rows)
        if rates is not None:
            self._targets.turn(rows, rates, seconds)
        elif speeds is not None:
            self._targets.turn_less(rows)
        if headings is not None:
            self._targets.head(rows, headings, seconds)
        self._ways.told(rows, speeds, turned=rates is not None or headings is not None)
        if outwards is not None:
            self._targets.toe_out(rows, outwards)
        if aside is not None:
            self._targets.widen(rows, aside)
        self._stepper.push(rows)

    @cached_property
    def _samples(self) -> npt.NDArray[np.float32]:
        return samples_of(self._packed)

    def unit(self, who: int = 0) -> FloatArray:
        """The whole cycle ``(S, C)`` that a character is playing, in the channels of the model's encoding."""
        samples = self._samples
        out = np.empty((1, samples.shape[1] // (3 * PLANE), 3 * PLANE), dtype=np.float32)
        row = int(rows_of(who, len(self))[0])
        units(self._people.cache[row : row + 1], samples, out)
        return from_planes(out[0])
