"""A learned second controller: a small network that moves the numbers of a gait fifty times a second.

It sees what the controller sees (speeds, heights and turns of both frames, feet, the phase of the stride) and answers
with offsets to where feet land, to heights, turns, tempo and forces of the gait that goes on. Without it a gait goes
as it was tuned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._archives import load_archive, save_archive
from locomote.physics._animal import DOG_MASS
from locomote.physics._kernels import animal_model as am
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.physics._driving import Driver

FORMAT, VERSION = "locomote dog policy", 2
ASSET = Path(__file__).resolve().parent.parent / "assets" / "dog_policy.npz"
EVERY = 2  # looks of the driver between two answers
LAYERS, FARTHEST = 3, 5.0  # of a network; deviations by which what is seen counts at most
CONTROLLERS = "tuned", "policy"
LEAST = 0.3  # m/s of the dog below which it does not act
GAITS = ("walk", "trot", "canter", "gallop", "pace", "rotary gallop")
MOST = 1.5  # of the scale of an action, which it never exceeds
NEWTONS = 200.0  # that count as 1 under a foot of the dog
REACHED = np.array([0.0, 0.45, 0.0])  # m from the feet of the dog up to its frames
# Beginnings of the blocks of an action, and what an action of 1 is: m that each foot lands further (ahead, left); m,
# rad and rad by which the frames are higher, pitched and rolled (rear, front); m/s (ahead, left); share of the period;
# rad of the spine (nod, turn); N under each foot that stands (left, up, ahead); share of the lift of feet;
# rad/s of turning.
PLACES, HEIGHTS, PITCHES, ROLLS, SPEEDS, TEMPO, SPINE, FORCES, LIFTS, TURN = 0, 8, 10, 12, 14, 16, 17, 19, 31, 32
SCALES = np.concatenate([
    np.tile([0.1, 0.15], 4), np.full(2, 0.05), np.full(2, 0.2), np.full(2, 0.25), np.full(2, 0.5), [0.2],
    np.full(2, 0.3), np.tile([60.0, 100.0, 60.0], 4), [0.5, 0.5],
])  # fmt: skip
ACTIONS = len(SCALES)
SEEN = 48 + len(GAITS)


def observe(driver: Driver) -> FloatArray:
    """What a policy sees, ``(54,)``: lengths, speeds and times in units of the dog's, axes of the animal's heading."""
    sim, asked, state = driver.simulation, driver.simulation.asked, driver.simulation.state
    length, tempo = sim.animal.length, sim.animal.tempo
    yaw = float(state.clock[3])
    turn = np.array([[np.cos(yaw), 0.0, -np.sin(yaw)], [0.0, 1.0, 0.0], [np.sin(yaw), 0.0, np.cos(yaw)]])
    frames = sim.frames
    speeds = state.speeds @ turn.T / tempo - (0.0, 0.0, asked.speed[0] / tempo)
    links = sim.body.frames
    ups = rot.rotate(rot.multiply(sim.data.xquat[links], rot.inverse(sim.body.frame_rest)), np.array([0.0, 1.0, 0.0]))
    rates = sim.data.cvel[links, :3] @ turn.T * tempo
    feet = sim.feet
    arms = (feet - frames[sim.body.leg_frame]) @ turn.T / length
    floor = asked.ground[:, 0].mean()
    phase = 2.0 * np.pi * state.clock[0] * np.array([1.0, 2.0])
    off = (asked.yaw[:2] - yaw + np.pi) % (2.0 * np.pi) - np.pi
    kind = np.array([1.0 if driver.gait == name else 0.0 for name in GAITS])
    return np.concatenate([
        speeds.ravel(), 10.0 * ((frames[:, 1] - floor) / length - REACHED[1]), 3.0 * (ups @ turn.T)[:, [0, 2]].ravel(),
        3.0 * off, 0.3 * rates.ravel(), 3.0 * (arms + REACHED).ravel(), np.sin(phase), np.cos(phase),
        state.modes[:, 0], np.minimum(sim.views.touch / (NEWTONS * sim.animal.masses.total / DOG_MASS), 3.0),
        [2.0 * state.clock[4] / tempo, driver.goal / tempo - 2.0, driver.brace, driver.grip], kind,
    ])  # fmt: skip


def applied(driver: Driver, gait: tuple[FloatArray, FloatArray], action: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A gait moved by an action ``(33,)``; what is no number of a gait is asked of the controller."""
    sim, asked = driver.simulation, driver.simulation.asked
    length, tempo, weight = sim.animal.length, sim.animal.tempo, sim.animal.masses.total / DOG_MASS
    a = np.clip(action, -MOST, MOST) * SCALES
    graph, params = gait[0], gait[1].copy()
    side = np.where(sim.body.hips[:, 0] > 0.0, 1.0, -1.0)
    params[am.PLACE : am.PLACE + 8 : 2] += a[PLACES : PLACES + 8 : 2] * length
    params[am.PLACE + 1 : am.PLACE + 8 : 2] += side * a[PLACES + 1 : PLACES + 8 : 2] * length
    for frame in range(2):
        begin = am.H + am.KNOTS * (1 - frame)
        params[begin : begin + am.KNOTS] += a[HEIGHTS + frame] * length
        begin = am.PITCH + am.KNOTS * frame
        params[begin : begin + am.KNOTS] += a[PITCHES + frame]
    params[am.PERIOD] *= 1.0 + a[TEMPO]
    params[am.LIFT : am.LIFT + 10] *= 1.0 + a[LIFTS]
    asked.frames[:, am.MORE_ROLL] = a[ROLLS : ROLLS + 2]
    asked.speed[:] += a[[SPEEDS, SPEEDS + 1]] * tempo
    asked.bend[:2] = a[SPINE : SPINE + 2]
    asked.yaw[2] += a[TURN] / tempo
    yaw = float(sim.state.clock[3])
    left, ahead = np.array([np.cos(yaw), 0.0, -np.sin(yaw)]), np.array([np.sin(yaw), 0.0, np.cos(yaw)])
    forces = a[FORCES : FORCES + 12].reshape(4, 3) * weight
    asked.thrust[:, :3] = forces[:, :1] * left + forces[:, 2:] * ahead
    asked.thrust[:, 1] += forces[:, 1]
    return graph, params


@dataclass(frozen=True, eq=False)
class Network:
    """A few layers, tanh in between."""

    mean: FloatArray  # (54,) of what is seen
    scale: FloatArray
    weights: tuple[FloatArray, ...]  # (inputs, outputs) of each layer
    biases: tuple[FloatArray, ...]

    def answer(self, seen: FloatArray) -> FloatArray:
        """The action ``(33,)`` for what is seen."""
        x = np.clip((seen - self.mean) / self.scale, -FARTHEST, FARTHEST)
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            x = np.tanh(x @ weight + bias)
        return np.asarray(x @ self.weights[-1] + self.biases[-1])


@dataclass(frozen=True, eq=False)
class Policy:
    """Networks by gait; in a gait that has none the animal goes as it was tuned."""

    networks: Mapping[str, Network]

    @classmethod
    def default(cls) -> Policy:
        """The policy of the dog that comes with the package."""
        return _default()

    def save(self, path: str | Path) -> None:
        """Write one ``.npz`` file; a network that serves several gaits is in it once, in 16 bits."""
        kinds = {id(network): network for network in self.networks.values()}
        serves = [[gait for gait, network in self.networks.items() if id(network) == one] for one in kinds]
        arrays: dict[str, Any] = {}
        for k, network in enumerate(kinds.values()):
            arrays[f"{k}.mean"], arrays[f"{k}.scale"] = network.mean, network.scale
            for n, (weight, bias) in enumerate(zip(network.weights, network.biases, strict=True)):
                arrays[f"{k}.weight{n}"], arrays[f"{k}.bias{n}"] = weight.astype(np.float16), bias.astype(np.float16)
        header = {"format": FORMAT, "version": VERSION, "serves": serves, "layers": LAYERS}
        save_archive(Path(path), header, arrays)

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read what `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _policy, "a policy")


def _policy(header: dict[str, Any], arrays: dict[str, Any]) -> Policy:
    networks, layers = {}, range(header["layers"])
    for k, gaits in enumerate(header["serves"]):
        weights, biases = (tuple(arrays[f"{k}.{what}{n}"].astype(float) for n in layers) for what in ("weight", "bias"))
        shapes = [weight.shape for weight in weights]
        fits = all(one[1] == next_one[0] for one, next_one in pairwise(shapes))
        if shapes[0][0] != SEEN or shapes[-1][1] != ACTIONS or not fits:
            raise LocomoteError(f"a policy: expected layers from {SEEN} to {ACTIONS} numbers, got {shapes}")
        network = Network(arrays[f"{k}.mean"], arrays[f"{k}.scale"], weights, biases)
        networks.update(dict.fromkeys(gaits, network))
    return Policy(networks)


def policy_of(controller: str) -> Policy | None:
    """The policy of a controller by its name, "tuned" (none) or "policy"."""
    if controller not in CONTROLLERS:
        raise LocomoteError(f"controller {controller!r}: expected {' or '.join(CONTROLLERS)}")
    return Policy.default() if controller == CONTROLLERS[1] else None


@cache
def _default() -> Policy:
    return Policy.load(ASSET)
