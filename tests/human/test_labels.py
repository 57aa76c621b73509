"""Several people recorded at once, with labels, in a file that NumPy reads by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.creatures import Crowd as Creatures
from locomote.errors import FormatError, LocomoteError
from locomote.human import Body, Crowd, HumanModel, Recording, record_labelled

MODEL = HumanModel.default()


def test_several_are_the_same_as_one_by_one() -> None:
    def crowd() -> Crowd:
        return Crowd(MODEL, 4, seed=2, speed=1.2)

    several = crowd().record(0.5, who=[2, 0])
    assert len(several) == 2
    for who, motion in zip((2, 0), several, strict=True):
        alone = crowd().record(0.5, who=who)
        assert np.array_equal(alone.rotations, motion.rotations)
        assert np.array_equal(alone.root_positions, motion.root_positions)
    assert len(crowd().record(0.1, who=None)) == 4
    assert len(crowd().record(0.1, who=slice(1, 3))) == 2
    last = crowd().record(0.1, who=-1)
    assert np.array_equal(last.rotations, crowd().record(0.1, who=3).rotations)
    with pytest.raises(LocomoteError, match="characters 0 to 3"):
        crowd().record(0.1, who=[4])
    with pytest.raises(LocomoteError, match="who"):
        crowd().record(0.1, who="all")  # type: ignore[call-overload]


def test_several_creatures() -> None:
    motions = Creatures("dog", 3, speed=0.5).record(0.2, who=[0, 2])
    assert [len(motion) for motion in motions] == [13, 13]
    assert len(Creatures("dog", 3).record(0.1, who=None)) == 3


def test_labels_come_back_and_say_what_the_motions_do(tmp_path: Path) -> None:
    bodies = [None, Body(sex="female", age=8.0), Body(sex="male", age=60.0, build=1.0)]
    crowd = Crowd(MODEL, 3, seed=1, speed=[1.0, 1.2, 3.5], body=bodies)
    made = record_labelled(crowd, 4.0, 60.0)
    made.save(tmp_path / "crowd.npz")
    back = Recording.load(tmp_path / "crowd.npz")
    with np.load(tmp_path / "crowd.npz") as plain:
        assert set(plain["feet"]) == {"left", "right"}
        assert plain["rotations"].shape == (3, 241, len(plain["joint_names"]), 4)
    for name in ("contacts", "events", "phases", "speeds", "rotations", "who"):
        assert np.array_equal(getattr(made, name), getattr(back, name))
    assert np.allclose(back.speeds[:, -1], [1.0, 1.2, 3.5], atol=0.05)
    twin = Crowd(MODEL, 3, seed=1, speed=[1.0, 1.2, 3.5], body=bodies).record(4.0, who=None)
    for row, motion in enumerate(twin):
        own = back.motion(row)
        assert np.abs(own.joint_positions() - motion.joint_positions()).max() < 1e-5
        feet = motion.joint_positions()[:, [leg.ball for leg in motion.skeleton.roles.legs]]
        still = back.contacts[row, 1:, :, 1] & back.contacts[row, :-1, :, 1]
        assert np.linalg.norm(np.diff(feet, axis=0), axis=-1)[still].max() < 0.01
        mine = back.events[back.events[:, 0] == row]
        for foot in (0, 1):
            kinds = mine[mine[:, 2] == foot][:, 3]
            assert len(kinds) > 3
            assert np.all(np.diff(kinds) != 0)  # strike, lift, strike ...
    with pytest.raises(LocomoteError, match="3 recorded people"):
        back.motion(3)
    with pytest.raises(LocomoteError, match=r"\.npz"):
        made.save(tmp_path / "crowd.txt")
    (tmp_path / "bad.npz").write_bytes(b"no")
    with pytest.raises(FormatError):
        Recording.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("style", ["brisk", "marcher", "strider"])
def test_left_and_right_are_labelled_alike(style: str) -> None:
    """Feet roll over softly; a label that hung on the sign of an angle gave one foot a third more contact."""
    made = record_labelled(Crowd(MODEL, 20, seed=0, speed=1.4, style=style), 6.0, 60.0)
    share = made.contacts[:, 120:].mean(axis=(0, 1))
    assert np.abs(share[0] - share[1]).max() < 0.06


def test_over_many_people_left_and_right_agree() -> None:
    made = record_labelled(Crowd(MODEL, 300, seed=0, speed=1.2), 3.0, 30.0)
    share = made.contacts.mean(axis=(0, 1))
    assert np.abs(share[0] - share[1]).max() < 0.02
