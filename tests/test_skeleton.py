"""The tree of joints: what it accepts, what it refuses, and the rest pose."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import SkeletonError
from locomote.skeleton import Leg, Roles, Skeleton


def chain(count: int = 4) -> Skeleton:
    offsets = np.tile([0.0, -0.5, 0.0], (count, 1))
    return Skeleton(tuple(f"j{i}" for i in range(count)), np.arange(count) - 1, offsets)


def test_arrays_are_copied_and_frozen() -> None:
    offsets = np.zeros((2, 3))
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), offsets)
    offsets[:] = 7.0
    assert not skeleton.offsets.any()
    with pytest.raises(ValueError, match="read-only"):
        skeleton.offsets[0, 0] = 1.0


@pytest.mark.parametrize(
    ("names", "parents", "says"),
    [
        ((), [], "at least one joint"),
        (("a", "a"), [-1, 0], "given more than once: a"),
        (("a", "b"), [0, -1], "joint 0 .a. must be the root"),
        (("a", "b", "c"), [-1, 2, 0], "joint 1 .b.: its parent 2 must come before it"),
        (("a", "b"), [-1], "parents: expected shape"),
    ],
)
def test_what_is_not_a_tree_is_refused(names: tuple[str, ...], parents: list[int], says: str) -> None:
    with pytest.raises(SkeletonError, match=says):
        Skeleton(names, np.array(parents, dtype=np.int64), np.zeros((len(names), 3)))


def test_an_end_site_needs_its_joint_and_offsets_must_be_finite() -> None:
    with pytest.raises(SkeletonError, match="does not exist"):
        Skeleton(("a",), [-1], np.zeros((1, 3)), end_parents=[3], end_offsets=np.zeros((1, 3)))
    with pytest.raises(SkeletonError, match="finite"):
        Skeleton(("a",), [-1], np.full((1, 3), np.nan))


def test_lookups_name_what_exists() -> None:
    skeleton = chain(3)
    assert skeleton.index("j2") == 2
    assert skeleton.children(0) == [1]
    assert skeleton.ancestors(2) == [2, 1, 0]
    with pytest.raises(SkeletonError, match="no joint 'knee'; the joints are: j0, j1, j2"):
        skeleton.index("knee")


def test_roles_given_by_hand_are_used_and_scaled() -> None:
    leg = Leg("left", 0, 0, 1, 2, 3, 3, toe_offset=(0.0, 0.0, 0.1), chain=(0, 1, 2, 3))
    skeleton = chain().with_roles(Roles(root=0, legs=(leg,)))
    assert skeleton.roles.leg("left") is leg
    assert skeleton.leg_length() == pytest.approx(1.0)
    assert skeleton.scaled(2.0).roles.legs[0].toe_offset == (0.0, 0.0, 0.2)
    with pytest.raises(SkeletonError, match="no right leg in row 0; the legs of this skeleton: left 0"):
        skeleton.roles.leg("right")
    with pytest.raises(SkeletonError, match="does not hang below"):
        skeleton.chain_length(3, 1)
    with pytest.raises(SkeletonError, match="no legs"):
        chain().leg_length()


@given(st.floats(0.1, 10.0))
def test_a_scaled_body_is_the_body_scaled(factor: float) -> None:
    skeleton = chain()
    np.testing.assert_allclose(skeleton.scaled(factor).rest_pose()[0], factor * skeleton.rest_pose()[0])
