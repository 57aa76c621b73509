"""Driving a simulated animal: which gait at which speed, how one becomes another, where it heads (QUA-17, 18, 32)."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.physics._gait_library import GaitLibrary, blended
from locomote.physics._gait_parameters import fitted
from locomote.physics._kernels import animal_model as am
from locomote.physics._policy import ACTIONS, EVERY, LEAST, Policy, applied, observe
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

CHUNK = 0.01  # s after which speed, gait and heading are looked at again
AHEAD = 0.5  # m/s by which the speed that is asked for may differ from the one that there is
NEAR, LEARNS, TRIM = 0.7, 0.5, 0.6  # m/s from its goal at which it learns; 1/s; m/s at most
STRIDE = 0.3  # s over which its speed is averaged: it changes within a stride
# 1/s by which it keeps its line, in gaits by name (a trot goes straight by itself) and in others; of that on ice
KEEPS_LINE, KEEPS_ITS, SLIDES = {"walk": 0.6, "trot": 0.0}, 0.3, 0.25
VEERS, SWERVES = 0.15, 0.6  # rad at most; m/s aside by which who is pushed leaves its line anyway
# m/s aside from which who is pushed round lets itself be turned; s; rad/s at which it comes back to its course
YIELDS, GIVES_WAY, COMES_BACK = 0.5, 0.2, 0.6
STILL = 0.15  # m/s below which it stands
CHANGES = 0.3  # s over which one gait becomes another
RISES = 1.5  # m/s2 at which the speed that is asked for changes, where paws hold
SHARP, WIDE = 1.0, 0.5  # rad/s at most, in slow gaits and in canter and gallop
# Natural gaits by rising speed: name, and m/s of the dog below and above which each is left.
NATURAL = (("walk", -np.inf, 1.2), ("trot", 1.0, 2.4), ("canter", 2.1, 2.8), ("gallop", 2.5, np.inf))
# Not from a stand: m/s from which each may begin.
FAST = {"pace": 0.8, "canter": 2.1, "gallop": 2.5, "rotary gallop": 3.0}
# Thrown aside in a slow gait it catches itself by the quick steps of another: m/s aside, s that it takes, s to change.
SLOW, CATCHING, BRISK = ("walk",), "trot", 1.6  # m/s for which its steps are made
THROWN, CATCHES, HASTENS = 0.45, 0.7, 0.15
BRACES, BRACED, RELAXES = 0.2, 0.4, 0.5  # m/s aside from which it braces itself, and wholly; s to let go again
# From a canter it falls into a trot at a moment at which the same feet stand in both; s that it waits for that at most.
FALLS_INTO, WAITS, HELD_BACK = ("canter", "trot"), 0.5, 0.3  # and m/s that it is too slow
REMEMBERED = (
    "now",
    "_calm",
    "_tense",
    "goal",
    "going",
    "trim",
    "veer",
    "yielded",
    "standing",
    "brace",
    "catches",
    "waits",
    "_moves",
    "_look",
)  # not which gaits there are
SLIPPERY, SURE = 0.6, 0.9  # friction up to which bracing itself makes it fall, and from which it helps
REACHED = 12.0  # s after which `reach` gives up


class Driver:
    """Leads an animal by a speed and a turn rate, with gaits of a library; a policy may move them as it goes."""

    def __init__(
        self, simulation: Simulation, library: GaitLibrary | None = None, policy: Policy | None = None
    ) -> None:
        self.simulation, self.library = simulation, library or GaitLibrary.default()
        self.policy = policy
        self.tempo = simulation.animal.tempo
        self.speed, self.turn_rate = 0.0, 0.0  # m/s and rad/s that are asked for
        self.locked: str | None = None  # a gait that is to be kept
        self.rises = RISES * min(simulation.friction / SURE, 1.0)
        self.grip = float(np.clip((simulation.friction - SLIPPERY) / (SURE - SLIPPERY), 0.0, 1.0))
        self.reset()

    def reset(self) -> None:
        """As at the beginning: it stands, and of how it went before nothing is left."""
        self.held: float | None = None  # m/s in place of what is asked for, before something that needs it
        self.bound: str | None = None  # and a gait in place of the one that is to be kept
        self.rests = False  # whether it is to come to rest, whatever is asked for
        self.goal = 0.0  # m/s that is asked for now, on the way there
        self.going = 0.0  # m/s that it goes, averaged
        self.trim = 0.0  # m/s more that are asked of the controller, so that it goes as fast as it should
        self.brace = 0.0  # how far it is braced, up to 1
        self.catches = -CATCHES  # s for which it still catches itself after it was thrown aside; it rests as long
        self.waits = 0.0  # s for which it has waited to change from one gait to another
        self.gait = next((name for name, _, _ in NATURAL if name in self.library.gaits), next(iter(self.library.gaits)))
        self.standing = True
        self.begin()

    def begin(self) -> None:
        """The gait as it is at the speed that is asked for now, with nothing of what was before."""
        self.brace = 0.0
        self.veer = 0.0  # rad to the left that it points beside its course, so as not to stray from it
        self.yielded = 0.0  # rad by which a push has turned it off its course
        self._moves, self._look = np.zeros(ACTIONS), 0  # what the policy said last, and looks since then
        self.now: tuple[FloatArray, FloatArray] = self._at(self.goal / self.tempo, self.gait)
        self._calm = self._tense = self.now  # the gait on the way to another, and the same braced

    def command(self, speed: float | None = None, turn_rate: float | None = None, gait: str | None = None) -> None:
        """Ask for a speed (m/s), a turn rate (rad/s, to the left) and a gait ("auto" lets it choose)."""
        for what, value in (("speed", speed), ("turn_rate", turn_rate)):
            if value is not None and not np.isfinite(value):
                raise LocomoteError(f"{what}: expected a finite number, got {value}")
        if gait is not None and gait != "auto":
            self.library[gait]
        self.speed = self.speed if speed is None else float(speed)
        self.turn_rate = self.turn_rate if turn_rate is None else float(turn_rate)
        if gait is not None:
            self.locked = None if gait == "auto" else gait

    @property
    def wanted(self) -> float:
        """m/s that it is to have in the end."""
        if self.rests:
            return 0.0
        return self.speed if self.held is None else self.held

    @property
    def turning(self) -> float:
        """rad/s by which it is to turn, to the left."""
        return 0.0 if self.rests else self.turn_rate

    @property
    def course(self) -> float:
        """Where it is to go, rad about +Y from +Z; it may point a little beside it, or have been pushed off it."""
        return float(self.simulation.asked.yaw[am.FRONT]) - self.veer - self.yielded

    @property
    def kept(self) -> str | None:
        """The gait that is to be kept now; none where it follows from the speed."""
        return self.bound or self.locked

    def step(self, seconds: float) -> None:
        """Let time pass, in whole milliseconds."""
        left = round(seconds * 1000.0)
        while left > 0:
            steps = min(left, round(CHUNK * 1000.0))
            self.prepare(0.001 * steps)
            self.simulation.advance(steps, *self.now)
            left -= steps

    def reach(self, speed: float, near: float = 0.1, steady: float = 1.0) -> bool:
        """Go on until the speed has been near what is asked for a while, s; whether it was reached on its feet."""
        sim, since = self.simulation, 0.0
        end = sim.time + REACHED
        while sim.time < end and since < steady and not sim.fallen:
            self.step(CHUNK)
            close = abs(self.going - speed) < max(near, 0.1 * speed) and self.locked in (None, self.gait)
            since = since + CHUNK if close else 0.0
        return since >= steady

    def remember(self) -> tuple[Any, ...]:
        """All that a later `recall` needs to go on from here, with the gait of then."""
        return self.simulation.remember(), {name: getattr(self, name) for name in REMEMBERED}

    def recall(self, kept: tuple[Any, ...]) -> None:
        """Be as it was when `remember` was called, here or of another driver."""
        self.simulation.recall(kept[0])
        vars(self).update(kept[1])

    def prepare(self, dt: float) -> None:
        """Choose the gait, the speed and the heading for the next moment."""
        sim, asked = self.simulation, self.simulation.asked
        self.goal += float(np.clip(self.wanted - self.goal, -self.rises * dt, self.rises * dt))
        self.going += (sim.speed - self.going) * dt / (STRIDE + dt)
        short = self.goal - self.going
        if abs(short) < NEAR and abs(self.speed - self.goal) < 1e-6:  # not while it speeds up
            self.trim = float(np.clip(self.trim + LEARNS * short * dt, -TRIM, TRIM))
        goal = float(np.clip(self.goal, self.going - AHEAD, self.going + AHEAD))
        told = float(np.clip(self.goal + self.trim, sim.speed - AHEAD, sim.speed + AHEAD))
        was, quiet = self.standing, abs(self.wanted) < STILL and not self.turning
        self.standing = quiet and abs(sim.speed) < (4.0 if was else 1.5) * STILL
        most = WIDE if self.gait in FAST else SHARP
        turn = 0.0 if self.standing else float(np.clip(self.turning, -most, most))
        self._keep_line(turn, dt)
        self._give_way(dt)
        asked.speed[:] = 0.0 if self.standing else told, 0.0
        asked.yaw[2] = turn
        asked.yaw[am.FRONT] += turn * dt
        length = float(np.linalg.norm(sim.frames[1] - sim.frames[0]))
        lag = length / max(abs(sim.speed), 0.5)
        asked.yaw[am.REAR] += (asked.yaw[am.FRONT] - asked.yaw[am.REAR]) * min(dt / lag, 1.0)
        asked.legs[:, 0] = am.STANDS if self.standing else am.BY_GAIT
        if self.standing:
            asked.legs[:, 1:4] = 0.0
            self.trim = 0.0
        before = self.gait
        self._choose(goal / self.tempo)
        waits = (before, self.gait) == FALLS_INTO and self.waits < WAITS and not self._same_feet_stand(goal)
        waits &= self.going > self.goal - HELD_BACK  # who is held back must not wait
        self.gait, self.waits = (before, self.waits + dt) if waits else (self.gait, 0.0)
        thrown = float(sim.state.clock[4]) / self.tempo
        self.catches = CATCHES if thrown > THROWN and self.catches <= -CATCHES else self.catches - dt / self.tempo
        # Who slowly keeps its speed is always braced; who is on its way to a faster gait never, it would hold it back.
        keeps = not was and abs(self.wanted - self.goal) < 1e-6 and self.kept in (None, self.gait)
        keeps &= self.library[self.gait].braced is not None
        brace = 1.0 if self.gait in SLOW else min(max((thrown - BRACES) / (BRACED - BRACES), 0.0), 1.0)
        self.brace = max(self.brace - dt / RELAXES, brace if keeps else 0.0)
        name, pace, changes = self.gait, goal / self.tempo, CHANGES
        if self.gait in SLOW and self.catches > 0.0 and CATCHING in self.library.gaits:
            name, pace, changes, self.brace = CATCHING, max(pace, BRISK), HASTENS, 1.0
        share = dt / (changes + dt) if not was else 1.0
        self._calm = blended(self._calm, self._at(pace, name), share)
        self._tense = blended(self._tense, self._at(pace, name, braced=True), share)
        self.now = blended(self._calm, self._tense, self.grip * self.brace)
        if self.policy is not None:
            self.now = self._moved(self.policy)

    def _keep_line(self, turn: float, dt: float) -> None:
        """Point to a side by what makes up for how far it has strayed from its line to the other."""
        sim, before, course = self.simulation, self.veer, self.course
        v = sim.state.speeds.mean(axis=0)
        aside = v[0] * np.cos(course) - v[2] * np.sin(course)
        ahead = max(abs(sim.speed), 0.5 * self.tempo)
        keeps = KEEPS_LINE.get(self.gait, KEEPS_ITS) * max(self.grip, SLIDES) / self.tempo
        if self.standing or turn or not keeps:  # a new line begins
            self.veer -= before * min(dt / STRIDE, 1.0)
        elif sim.state.clock[4] < SWERVES * self.tempo and not self.yielded and abs(self.wanted - self.goal) < 1e-6:
            self.veer = float(np.clip(before - keeps * aside / ahead * dt, -VEERS, VEERS))
        sim.asked.yaw[am.FRONT] += self.veer - before

    def _give_way(self, dt: float) -> None:
        """Let a push turn it round: who holds its heading while its hips swing out is tripped by its own legs."""
        sim, before = self.simulation, self.yielded
        sways = self.gait in SLOW and self.policy is None  # as much as that while it sets off
        holds = self.standing or sways
        if not holds and sim.state.clock[4] > YIELDS * self.tempo:
            off = (sim.state.clock[3] - sim.asked.yaw[am.FRONT] + np.pi) % (2.0 * np.pi) - np.pi
            self.yielded += off * min(dt / GIVES_WAY / self.tempo, 1.0)
            sim.asked.yaw[am.REAR] += self.yielded - before
        else:
            back = COMES_BACK * dt
            self.yielded -= float(np.clip(before, -back, back))
        sim.asked.yaw[am.FRONT] += self.yielded - before

    def _moved(self, policy: Policy) -> tuple[FloatArray, FloatArray]:
        """The gait as a policy moves it; it rests while the animal stands and in gaits that it was not taught."""
        rests = self.standing or abs(self.goal) < LEAST * self.tempo
        network = None if rests else policy.networks.get(self.gait)
        if network is None:
            self._moves, self._look = np.zeros(ACTIONS), 0
        elif self._look == 0:
            self._moves = network.answer(observe(self))
        self._look = (self._look + 1) % EVERY
        return applied(self, self.now, self._moves)

    def _choose(self, goal: float) -> None:
        """The natural gait of a speed, one after the other; a gait that is asked for as soon as it may begin."""
        names = [row for row in NATURAL if row[0] in self.library.gaits]
        kept = self.kept
        if kept is not None and goal >= FAST.get(kept, 0.0) - (0.3 if self.gait == kept else 0.0):
            before = [row[0] for row in names]
            slow = kept not in FAST or self.gait in FAST or not before
            self.gait = kept if slow else self._next(names, kept)
            return
        if not names:
            return
        at = next((k for k, row in enumerate(names) if row[0] == self.gait), len(names) - 1)
        # Who is to go faster than a walk trots from the first step: a change while it speeds up would trip it.
        soon = max(goal, self.wanted / self.tempo) if self.goal < self.wanted - 1e-6 else goal
        if (soon if self.gait in SLOW else goal) > names[at][2] and at + 1 < len(names):
            self.gait = names[at + 1][0]
        elif at > 0 and (soon if names[at - 1][0] in SLOW else goal) < names[at][1]:
            self.gait = names[at - 1][0]
        else:
            self.gait = names[at][0]

    def _same_feet_stand(self, goal: float) -> bool:
        """Whether, at this moment of the stride, the same feet stand in the gait that goes on and in the one chosen."""
        graphs = np.stack([self.now[0], self._at(goal / self.tempo, self.gait)[0]])
        stands = (self.simulation.state.clock[0] - graphs[..., 0]) % 1.0 >= graphs[..., 1]
        return bool(np.all(stands[0] == stands[1]))

    def _next(self, names: list[tuple[str, float, float]], wanted: str) -> str:
        """A fast gait begins from a trot or a canter."""
        return wanted if self.gait == "trot" or "trot" not in self.library.gaits else "trot"

    def _at(self, speed: float, gait: str, braced: bool = False) -> tuple[FloatArray, FloatArray]:
        graph, params = self.library[gait].at(speed, braced)
        return graph, fitted(params, self.simulation.animal)
