"""One simulated dog: its body, who drives it or what it is about, and how it is put back when physics fails."""

from __future__ import annotations

import logging
from typing import Any, NamedTuple

import numpy as np

from locomote._arguments import Notices
from locomote.math.constants import GRAVITY
from locomote.physics._animal import Animal
from locomote.physics._coming_to_rest import FROM_REST, Awaited
from locomote.physics._driving import CHUNK, STILL, Driver
from locomote.physics._gait_library import GaitLibrary, blended
from locomote.physics._gait_parameters import fitted, start_parameters
from locomote.physics._getting_up import Recover
from locomote.physics._kernels import animal_model as am
from locomote.physics._leap_planner import Planner
from locomote.physics._leaps import Leap
from locomote.physics._policy import Policy
from locomote.physics._simulation import Simulation
from locomote.physics._skills import Skill, let_go
from locomote.rotations import FloatArray
from locomote.world import Ground

CHUNK_STEPS = round(1000.0 * CHUNK)
DEEPEST = 5.0  # m below the lowest ground, where it has left the world
REMEMBERED = 0.5  # s between two places that are kept, to be put back to
SETTLES = 0.1  # s in which a gait becomes a stance, and a stance a gait
CATCHES, SLOW = "trot", 0.6  # by whose steps it catches itself when it is to stand, below so many m/s
UPSET = 0.08, 0.25  # hip heights aside and along, that the capture point of who stands is off, when it must step
CALM = 0.03, 0.10  # and when who steps can stand
STEPS_ON = 0.4  # s that it steps at least
BRAKES, MOST_LEAN = 1.0, 0.6  # 1/s, and m/s, by which it is asked to go back while it comes to rest
PAUSES = 0.6  # s that it stands, or steps on the spot, after a leap that came to rest
HEADS, GENTLE = 1.5, 0.6  # 1/s, turn rate for an angle to where it is to head; rad/s at most
ON_COURSE = 0.02  # rad
GOING, STANDING, FALLEN = "going", "standing", "fallen"

_log = logging.getLogger("locomote")


class Place(NamedTuple):
    """Where one stands."""

    x: float  # m
    z: float
    yaw: float  # rad


class OneDog:
    """A simulation with its driver; time passes in milliseconds."""

    def __init__(
        self,
        animal: Animal,
        library: GaitLibrary,
        ground: Ground | None,
        friction: float,
        policy: Policy | None = None,
    ) -> None:
        self.simulation = Simulation(animal, ground, friction)
        self.driver = Driver(self.simulation, library, policy)
        self.skill: Skill | None = None
        self.skill_name = ""
        self.awaits: Awaited | None = None  # what it is told to do as soon as it stands
        self.heading: float | None = None  # rad, to which it turns
        self.planner: Planner | None = None  # of leaps over what lies ahead
        self.failures, self.falls = 0, 0
        self.lowest = 0.0 if ground is None else float(ground.arrays.grid.min())
        graph, params = library[CATCHES].at(0.0) if CATCHES in library.gaits else self.driver.now
        self._catch = graph, fitted(params, animal)
        apart = np.array(self._catch[1])  # the same with feet as far apart as they rest
        apart[am.PLACE + 1 : am.PLACE + 8 : 2] = np.abs(self.simulation.body.hips[:, 0])
        self._squares = graph, apart
        self._stance = graph, fitted(start_parameters(0.5), animal)
        self._ahead = self.simulation.mujoco.MjData(self.simulation.model)
        self._notices = Notices()
        self._rest = float((self.simulation.frames.mean(axis=0) - self.simulation.feet.mean(axis=0))[2])  # m ahead
        self.begin(Place(0.0, 0.0, 0.0), 0.0)

    def begin(self, home: Place, phase: float) -> None:
        """Stand at a place; the stride begins at a phase, turns."""
        self.home, self.phase = home, phase
        self._kept = home, home
        self._put(home)

    def _put(self, place: Place) -> None:
        sim = self.simulation
        sim.reset((place.x, place.z), place.yaw)
        sim.state.clock[0] = self.phase
        if sim.ground is not None:  # on a slope no foot begins inside of the ground
            feet = sim.data.xpos[sim.body.links[:, am.META]]
            floor = float(sim.ground.heights([(place.x, place.z)])[0])
            sim.data.qpos[1] += max(float(sim.ground.heights(feet).max()) - floor, 0.0)
            sim.mujoco.mj_forward(sim.model, sim.data)
        self.skill, self.skill_name, self.awaits = None, "", None
        self.driver.reset()
        self._now = self._stance
        self._left, self._since, self._steps, self._lean, self._pauses = 0, 0.0, 0.0, 0.0, 0.0
        self._leads, self._eases = "stance", 0.0  # what it follows, and s in which it still eases into that

    def do(self, name: str, skill: Skill) -> None:
        """Begin a skill; what it was about ends. Who goes comes to rest before it sits or lies."""
        waits = name in FROM_REST and self.skill is None and not self.simulation.fallen
        self.awaits = Awaited(name, skill) if waits else None
        self.driver.rests = waits
        if not waits or self._is_due(0.0):
            self._begin(name, skill)

    def _is_due(self, dt: float) -> bool:
        """Whether it is to begin what it waits for."""
        stands = self._leads == "stance" and self._eases <= 0.0
        return self.awaits is not None and self.awaits.is_due(self.simulation, stands, dt)

    def _begin(self, name: str, skill: Skill) -> None:
        self.skill, self.skill_name = skill, name
        asked, self.driver.held = self.simulation.asked, None
        if name != FALLEN:  # who falls on the way does what it was told when it is up again
            self.awaits, self.driver.rests = None, False
        asked.strength[0], asked.thrust[:] = 1.0, 0.0  # what a leap that is broken off would leave
        asked.frames[:, am.HOLDS :] = 1.0
        asked.frames[:, am.MORE_ROLL], asked.bend[:] = 0.0, 0.0  # and a policy

    def heed(self, leaps: bool) -> None:
        """Whether it leaps over what lies ahead."""
        if self.planner is not None:
            self.planner.leave(self.driver)
        self.planner = Planner() if leaps else None

    def remember(self) -> tuple[Any, ...]:
        """All that a later `recall` needs to go on from here; not what a skill remembers."""
        return self.simulation.remember(), *({k: vars(one)[k] for k in names} for one, names in self._memory())

    def recall(self, kept: tuple[Any, ...]) -> None:
        """Be as it was when `remember` was called."""
        self.simulation.recall(kept[0])
        self.skill, self.skill_name, self.awaits = None, "", None
        for (one, _), values in zip(self._memory(), kept[1:], strict=True):
            vars(one).update(values)
        self.driver.rests = False

    def _memory(self) -> tuple[tuple[object, tuple[str, ...]], ...]:
        driven = tuple(set(vars(self.driver)) - {"simulation", "library", "tempo", "policy"})
        mine = ("heading", "_now", "_left", "_since", "_steps", "_lean", "_kept", "_leads", "_eases", "_pauses")
        return (self, mine), (self.driver, driven)

    @property
    def fallen(self) -> bool:
        """Whether it is down, and not because it was told to."""
        return self.simulation.fallen and (self.skill is None or isinstance(self.skill, Recover))

    @property
    def about(self) -> str:
        """A skill by name, or whether it goes, stands or has fallen."""
        if self.fallen or isinstance(self.skill, Recover):
            return FALLEN
        return self.skill_name or (STANDING if self.driver.standing else GOING)

    def advance(self, steps: int) -> None:
        """Some milliseconds; what to do is settled every ten of them, however they are counted out."""
        sim = self.simulation
        while steps > 0:
            self._mend()
            if self._left == 0:
                self._prepare()
                self._left = CHUNK_STEPS
            now = min(steps, self._left)
            sim.advance(now, *self._now)
            self._left -= now
            steps -= now
        self._mend()

    def _prepare(self) -> None:
        sim, driver = self.simulation, self.driver
        if self.skill is None and sim.fallen:
            self.falls += 1
            self._begin(FALLEN, Recover())
        if self.skill is not None:
            if self.skill.prepare(driver, CHUNK):
                self._now, self._leads = driver.now, ""
                return
            self._pauses = PAUSES if isinstance(self.skill, Leap) and abs(sim.speed) < SLOW else 0.0
            self.skill, self.skill_name = None, ""
            let_go(driver)
        self._pauses = max(self._pauses - CHUNK, 0.0)
        driver.rests = self.awaits is not None or self._pauses > 0.0
        if self.awaits is not None and self._is_due(CHUNK):
            self._begin(self.awaits.name, self.awaits.skill)
            return self._prepare()
        leap = self.planner.look(driver) if self.planner and self.awaits is None else None
        if leap is not None:
            self._begin("leap", Leap(leap.launch))
            return self._prepare()
        if self.heading is not None:
            off = (self.heading - driver.course + np.pi) % (2.0 * np.pi) - np.pi
            rate = 0.0 if abs(off) < ON_COURSE else float(np.clip(HEADS * off, -GENTLE, GENTLE))
            driver.turn_rate = rate
        driver.prepare(CHUNK)
        rests = abs(driver.wanted) < STILL and not driver.turning
        driver.standing = rests and self._is_calm()
        sim.asked.legs[:, 0] = am.STANDS if driver.standing else am.BY_GAIT
        self._lean = float(np.clip(self._lean - BRAKES * sim.speed * CHUNK, -MOST_LEAN, MOST_LEAN)) if rests else 0.0
        if rests and not driver.standing:
            sim.asked.speed[0] = self._lean
        leads = "stance" if driver.standing else "catch" if rests and abs(sim.speed) < SLOW else "driver"
        catch = self._catch if self.awaits is None else self._squares
        goal = {"stance": self._stance, "catch": catch, "driver": driver.now}[leads]
        self._eases = SETTLES if leads != self._leads else max(self._eases - CHUNK, 0.0)
        self._leads = leads
        self._now = blended(self._now, goal, CHUNK / (self._eases + CHUNK))  # wholly once it has settled
        self._remember()

    def _is_calm(self) -> bool:
        """Whether it can stand: who is pushed steps on the spot until the body comes to rest over its feet.

        That it will is judged by its capture point: where it is, and where its speed would carry it.
        """
        sim = self.simulation
        yaw = sim.asked.yaw[am.FRONT]
        left, ahead = np.array([np.cos(yaw), -np.sin(yaw)]), np.array([np.sin(yaw), np.cos(yaw)])
        speed = sim.state.speeds.mean(axis=0)[[0, 2]]
        off = (sim.frames.mean(axis=0) - sim.feet.mean(axis=0))[[0, 2]] - self._rest * ahead
        falls = off + np.sqrt(sim.body.height / GRAVITY) * speed
        aside, along = abs(float(falls @ left)) / sim.body.height, abs(float(falls @ ahead)) / sim.body.height
        square = self.awaits is None or self.awaits.is_square(sim)
        if self._steps <= 0.0:
            if aside < UPSET[0] and along < UPSET[1] and square:
                return True
            self._steps = STEPS_ON
        self._steps = max(self._steps - CHUNK, CHUNK)
        calm = aside < CALM[0] and along < CALM[1] and np.count_nonzero(sim.views.touch) >= 2
        if self._steps <= CHUNK and calm and square:
            self._steps = 0.0
        return self._steps <= 0.0

    def _remember(self) -> None:
        self._since += CHUNK
        if self._since >= REMEMBERED and not self.simulation.fallen:
            x, _, z = self.simulation.frames.mean(axis=0)
            self._kept = self._kept[1], Place(float(x), float(z), self.simulation.heading)
            self._since = 0.0

    def _mend(self) -> None:
        """Put it back to where it last stood well, if its numbers make no sense or it has left the world."""
        sim = self.simulation
        lost = False
        if self._sound():
            lost = float(sim.data.qpos[1]) < self.lowest - DEEPEST
            if not lost:
                return
        self.failures += 1
        place = self._kept[0]
        why = "fell out of the world" if lost else "came apart"
        self._notices.once(why, f"a simulated dog {why} and is put back to ({place.x:.2f}, {place.z:.2f})")
        self._put(place)

    def _sound(self) -> bool:
        """Whether the simulation makes sense; MuJoCo itself begins anew at the origin where it finds none."""
        warned, kinds = self.simulation.data.warning, self.simulation.mujoco.mjtWarning
        bad = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC)
        return self.simulation.sound and not any(warned[int(kind)].number for kind in bad)

    def world(self, seconds: float) -> tuple[FloatArray, FloatArray]:
        """Joints ``(J, 3)`` and their rotations ``(J, 4)`` in the world, less than a millisecond from now."""
        sim, ahead = self.simulation, self._ahead
        ahead.qpos[:] = sim.data.qpos
        sim.mujoco.mj_integratePos(sim.model, ahead.qpos, sim.data.qvel, seconds)
        sim.mujoco.mj_kinematics(sim.model, ahead)
        return ahead.xpos[sim.bodies], ahead.xquat[sim.bodies]
