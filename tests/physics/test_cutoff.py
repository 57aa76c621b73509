"""Flight tells what is noise: nothing carries a body in the air."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.contacts import Contacts
from locomote.contacts.feet import ADULT_LEG
from locomote.human_skeleton import COMMON
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.physics._forces import natural_cutoff

FPS, STANCE, FLIGHT, HOPS = 100.0, 22, 12, 8  # frames of either


def hops(noise: float) -> tuple[Motion, Contacts]:
    """A stiff body that hops, pushed in half sines, and is seen with noise (m)."""
    push = np.sin(np.pi * (np.arange(STANCE) + 0.5) / STANCE)
    push *= GRAVITY * (STANCE + FLIGHT) / push.sum()
    force = np.tile(np.concatenate([push, np.zeros(FLIGHT)]), HOPS)
    speed = np.cumsum(force - GRAVITY) / FPS
    path = np.cumsum(speed - speed.mean()) / FPS
    roots = np.zeros((len(path), 3))
    roots[:, 1] = 1.0 + path
    roots += np.random.default_rng(1).normal(0.0, noise, roots.shape) if noise else 0.0
    skeleton = COMMON.scaled(ADULT_LEG / COMMON.leg_length())
    support = np.where(np.tile(np.arange(STANCE + FLIGHT) < STANCE, HOPS), 2, 0)
    return Motion(skeleton, FPS, roots, rot.identity(len(roots), len(skeleton))), cast(
        Contacts, SimpleNamespace(support=support)
    )


def cutoff(noise: float, flies: bool = True) -> float:
    motion, contacts = hops(noise)
    if not flies:
        contacts = cast(Contacts, SimpleNamespace(support=np.ones(len(motion), dtype=int)))
    return natural_cutoff(motion, contacts, Masses.of(motion.skeleton, 70.0))


def test_clean_hops_keep_what_is_fast_and_noisy_ones_do_not() -> None:
    found = [cutoff(noise) for noise in (0.0, 0.0005, 0.003)]
    assert found[0] >= 15.0 > found[1] > found[2]
    assert found[2] == pytest.approx(8.0)


def test_walks_are_as_ever() -> None:
    assert cutoff(0.0, flies=False) == pytest.approx(8.0)
