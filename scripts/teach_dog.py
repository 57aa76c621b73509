"""Teach the simulated dog its learned controller: a network for some gaits, by pushes, low steps and slippery floors.

Run: python scripts/teach_dog.py GAITS FILE [--minutes 60] [--processes N] [--seed 0] [--begin GAIT]

GAITS share a network (``walk`` or ``walk,trot``); FILE is a policy that is gone on with, or begun. Proximal policy
optimisation: dogs act in processes of their own, numpy learns from what befell them. The networks that ship were
taught for some 0.7 to 2 million actions each (20 ms of a dog). Whether a network is worth shipping say the pushes of
`locomote dog pushes` and the tables of the dog's page.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one processor for each dog

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from locomote.physics import Policy
from locomote.physics._policy import Network
from locomote.rotations import FloatArray
from locomote_lab.dogs.ppo import Learner, Told, fresh
from locomote_lab.dogs.school import School

COUNT = 400  # actions of each dog in a round
TELLS = 20  # rounds between two lines

_school: School | None = None


def _open(gaits: Sequence[str], seed: int) -> None:
    global _school
    _school = School(gaits, seed + os.getpid())


def _attend(job: tuple[Network, FloatArray]) -> Told:
    assert _school is not None
    _school.tries.network, _school.tries.spread = job
    return _school.attend(COUNT)


def teach(gaits: Sequence[str], path: Path, minutes: float, processes: int, seed: int, begin: str) -> None:
    """Teach one network for these gaits, and write it into a file."""
    end = time.monotonic() + 60.0 * minutes
    random = np.random.default_rng(seed)
    policy = Policy.load(path) if path.exists() else Policy({})
    old = policy.networks.get(begin or gaits[0])
    with ProcessPoolExecutor(processes, initializer=_open, initargs=(gaits, seed)) as pool:
        learner = Learner(old or fresh(random), random)

        def ask() -> list[Any]:
            job = (learner.network(learner.actor), np.exp(learner.spread).astype(float))
            return [pool.submit(_attend, job) for _ in range(processes)]

        if old is None:  # what it sees, as it goes without help
            seen = np.concatenate([each.result().seen for each in ask()])
            learner.mean, learner.scale = (each.astype(np.float32) for each in (seen.mean(0), seen.std(0) + 0.1))
        waiting, rounds = ask(), 0
        lessons: list[tuple[str, bool, bool, float]] = []
        while time.monotonic() < end:
            told = [each.result() for each in waiting]
            waiting = ask()  # with the network of before: nobody waits while it learns
            learner.learn(told)
            rounds += 1
            lessons += [lesson for one in told for lesson in one.lessons]
            if rounds % TELLS == 0:
                reward = float(np.mean([one.rewards.mean() for one in told]))
                print(
                    f"{rounds} rounds, {(end - time.monotonic()) / 60.0:.1f} min left: reward {reward:.4f}", flush=True
                )
                print("".join(_told(lessons)), end="", flush=True)
                lessons = []
                _keep(policy, gaits, learner, path)
        for each in waiting:
            each.cancel()
    _keep(policy, gaits, learner, path)


def _told(lessons: list[tuple[str, bool, bool, float]]) -> list[str]:
    """How often dogs fell, pushed and not, and how far their speed was off."""
    out = []
    for gait, pushed in sorted({lesson[:2] for lesson in lessons}):
        some = [lesson for lesson in lessons if lesson[:2] == (gait, pushed)]
        fell, off = np.mean([lesson[2:] for lesson in some], axis=0)
        out.append(f"  {gait}{', pushed' * pushed}: {100.0 * fell:.0f} % of {len(some)} fell, {off:.2f} m/s off\n")
    return out


def _keep(policy: Policy, gaits: Sequence[str], learner: Learner, path: Path) -> None:
    network = learner.network(learner.smooth)
    replace(policy, networks={**policy.networks, **dict.fromkeys(gaits, network)}).save(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gaits", help="that share a network, with commas")
    parser.add_argument("file", type=Path, help="of the policy, which is gone on with")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--begin", default="", help="the gait whose network is begun with")
    told = parser.parse_args()
    teach(told.gaits.split(","), told.file, told.minutes, told.processes, told.seed, told.begin)


if __name__ == "__main__":
    main()
