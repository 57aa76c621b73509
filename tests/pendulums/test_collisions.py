"""Tips are pushed out of balls, capsules and the ground by the shortest way, and chains stay out."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums import Pendulums, Spring, Tree, push_out
from locomote.world import Ground

DOWN = rot.exp([np.pi, 0.0, 0.0])


def rope(links: int = 6, high: float = 1.0) -> Pendulums:
    """A chain that hangs down from a height, bars of 0.1 m."""
    tree = Tree.build(np.arange(links) - 1, 0.1, Spring.settling(0.5, 0.8))
    anchors = np.zeros((1, links, 3))
    anchors[0, :, 1] = high - 0.1 * np.arange(links)
    return Pendulums(tree, anchors, np.tile(DOWN, (1, links, 1)))


def test_what_touches_nothing_is_not_pushed() -> None:
    chain = rope()
    assert not np.any(push_out(chain, balls=[[1.0, 1.0, 1.0, 0.5]], ground=Ground()))


def test_a_tip_leaves_a_ball_and_a_capsule_by_the_shortest_way() -> None:
    chain = rope(1)
    tip = chain.tips[0, 0]
    ball = [0.03, tip[1], 0.0, 0.05]
    assert np.allclose(push_out(chain, balls=[ball])[0, 0], [-0.02, 0.0, 0.0])
    capsule = [0.0, tip[1] - 0.5, 0.02, 0.0, tip[1] + 0.5, 0.02, 0.05]
    assert np.allclose(push_out(chain, capsules=[capsule], clearance=0.01)[0, 0], [0.0, 0.0, -0.04])


def test_a_rope_that_is_let_down_lies_on_the_ground() -> None:
    chain = rope(8, 1.0)
    ground = Ground()
    anchors = chain.anchors.copy()
    for frame in range(240):
        lowered = anchors - [0.0, 0.5 * min(frame / 120, 1.0), 0.0]
        chain.step(1 / 60, lowered, pushes=push_out(chain, ground=ground))
    assert chain.tips[0, :, 1].min() > -0.03  # a push comes a step after its cause
    assert np.abs(np.linalg.norm(chain.tips - chain.anchors, axis=-1) - 0.1).max() < 1e-9


def test_a_ball_that_comes_by_pushes_a_rope_aside() -> None:
    chain = rope(8, 1.0)
    deepest = 0.0
    for frame in range(120):
        ball = [[0.01, 0.4, -0.5 + frame / 120, 0.12]]
        chain.step(1 / 60, pushes=push_out(chain, balls=ball))
        away = np.linalg.norm(chain.tips[0] - ball[0][:3], axis=-1)
        deepest = max(deepest, float(np.max(0.12 - away)))
    assert deepest < 0.05
    assert np.max(np.abs(chain.tips[0, :, 2])) > 0.02


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(LocomoteError, match="balls"):
        push_out(rope(), balls=[[1.0, 2.0]])
