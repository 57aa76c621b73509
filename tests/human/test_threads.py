"""Crowds on several threads: the same motion, bit for bit, for any number of them."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.math.threads import Threads


@pytest.fixture(scope="module")
def model():
    return HumanModel.default()


def played(model, threads, avoid):
    random = np.random.default_rng(3)
    places = np.stack([random.uniform(-6, 6, 37), np.zeros(37), random.uniform(-6, 6, 37)], axis=1)
    crowd = Crowd(model, 37, seed=5, speed=random.uniform(0, 3, 37), positions=places, avoid=avoid, threads=threads)
    for frame in range(90):
        if frame == 20:
            crowd.command(speed=1.5, turn_rate=0.4, who=slice(0, 37, 2))
            crowd.jump(0.9, who=[3, 36])
        poses = crowd.step(1.0 / 60.0)
    return poses.rotations, poses.joint_positions(), crowd.planted, crowd.changed


@pytest.mark.parametrize("avoid", [False, True])
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_the_motion_is_the_same_for_any_number_of_threads(model, threads, avoid):
    for one, many in zip(played(model, 1, avoid), played(model, threads, avoid), strict=True):
        np.testing.assert_array_equal(one, many)


def test_every_row_is_in_one_piece_and_every_piece_is_run_by_a_thread_of_its_own():
    threads = Threads(4)
    pieces = threads.pieces(103)
    assert len(pieces) == 4
    assert [row for first, last in pieces for row in range(first, last)] == list(range(103))
    together = threading.Barrier(4, timeout=60.0)  # they pass only if all four are there at once
    assert sorted(threads.run(lambda piece: (together.wait(), piece)[1], pieces)) == pieces
    assert Threads(4).pieces(5) == [(0, 5)]  # too few to share


@pytest.mark.parametrize("count", [0, -1, 1.5])
def test_a_number_of_threads_that_is_none_says_so(model, count):
    with pytest.raises(LocomoteError, match=rf"threads {count}: expected 1 or more"):
        Crowd(model, 2, threads=count)
