from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.creatures.mesh import SkinPiece, ball, spike, tube


def volume(piece: SkinPiece) -> float:
    a, b, c = (piece.vertices[piece.triangles[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


def test_a_straight_tube_has_the_volume_of_a_cylinder_with_round_ends() -> None:
    piece = tube([(0, 0, 0), (0, 0, 2.0)], [3], [(0.0, 0.1, 0.1), (1.0, 0.1, 0.1)], around=48, dome=1.0, corner=0.0)
    ball_and_cylinder = np.pi * 0.01 * 2.0 + 4.0 / 3.0 * np.pi * 0.001
    assert volume(piece) == pytest.approx(ball_and_cylinder, rel=0.03)
    assert set(piece.joints[piece.weights > 0.0].tolist()) == {3}


def test_width_lies_along_the_side_and_height_square_to_it() -> None:
    stations = [(0.0, 0.3, 0.2, 0.1), (1.0, 0.3, 0.2, 0.1)]
    piece = tube([(0, 0, 1.0), (0, 0, -1.0)], [0], stations, side=(1.0, 0.0, 0.0))
    low, high = piece.vertices.min(axis=0), piece.vertices.max(axis=0)
    assert np.allclose([low[0], high[0]], [-0.3, 0.3])
    assert np.allclose([low[1], high[1]], [-0.1, 0.2])  # above is side x direction: +Y for a tube towards -Z


def test_skin_follows_both_bones_alike_at_a_joint_and_one_alone_beyond() -> None:
    line = [(0, 0, 0), (0, 0, 1.0), (0, 1.0, 1.0)]
    piece = tube(line, [5, 9], [(0.0, 0.1, 0.1), (2.0, 0.1, 0.1)], rings=20, blend=0.3, around=8)
    rings = piece.weights[: 8 * (len(piece.weights) // 8)].reshape(-1, 8, 2)[2:-2, 0]
    at = np.linspace(0.0, 2.0, len(rings))
    assert np.allclose(rings[np.abs(at - 1.0) < 1e-9], 0.5)
    assert np.allclose(rings[at < 0.69], [1.0, 0.0])
    assert np.allclose(rings[at > 1.31], [0.0, 1.0])
    assert np.all(np.diff(rings[:, 1]) >= 0.0)


@given(
    radii=st.tuples(*[st.floats(0.01, 2.0)] * 3),
    along=st.tuples(*[st.floats(-1.0, 1.0)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1),
)
def test_a_ball_is_an_egg_of_its_radii(radii: tuple[float, ...], along: tuple[float, ...]) -> None:
    piece = ball(2, (1.0, 2.0, 3.0), radii, along, around=32)
    assert volume(piece) == pytest.approx(4.0 / 3.0 * np.pi * np.prod(radii), rel=0.06)
    assert np.allclose(piece.vertices.mean(axis=0), (1.0, 2.0, 3.0), atol=1e-6 + 0.02 * max(radii))


def test_a_spike_ends_at_its_tip() -> None:
    piece = spike(0, (0, 0, 0), (0, 0.5, 0), 0.05, (1.0, 0.0, 0.0))
    assert piece.vertices[:, 1].max() == pytest.approx(0.5, abs=0.01)
    assert volume(piece) > 0.0
