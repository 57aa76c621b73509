from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from locomote.draw import VIEWS, frame, strobe
from locomote.draw import _palette as palette
from locomote.draw._stage import prepare
from locomote.draw._stills import needed_spacing, pose_frames, spread
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import from_yaw, identity
from locomote.skeleton import Skeleton


def near(picture: Image.Image, colour: palette.Colour) -> int:
    """How many pixels have the hue of a colour, whatever their shade."""
    pixels = np.asarray(picture.convert("RGB"), dtype=float).reshape(-1, 3)
    wanted = np.array(colour) / np.linalg.norm(colour)
    length = np.linalg.norm(pixels, axis=1)
    return int(np.sum((pixels @ wanted > 0.997 * length) & (length > 60)))


@pytest.mark.parametrize("view", VIEWS)
def test_a_frame_has_its_size_and_shows_both_sides(walk, view):
    picture = frame(walk, 10, view=view, size=(200, 160), contacts=False)
    assert picture.size == (200, 160)
    assert picture.mode == "RGB"
    if view != "side":  # from the side one arm and leg may be hidden
        assert near(picture, palette.LEFT_LIMB) > 20
    assert near(picture, palette.RIGHT_LIMB) > 20


def test_planted_feet_are_coloured_and_only_they(walk, planted):
    assert near(frame(walk, 5, contacts=planted), palette.PLANTED) > 100
    assert near(frame(walk, 5, contacts=False), palette.PLANTED) == 0


def test_contacts_are_found_if_not_given(walk):
    assert near(frame(walk, len(walk) // 2), palette.PLANTED) > 100


def test_without_a_background_the_picture_is_transparent(walk):
    picture = frame(walk, 0, size=(120, 120), background=None, contacts=False)
    alpha = np.asarray(picture)[..., 3]
    assert picture.mode == "RGBA"
    assert alpha[0, 0] == 0
    assert alpha.max() == 255


def test_frames_count_from_the_end_too(walk):
    last = frame(walk, len(walk) - 1, size=(80, 80), contacts=False)
    assert np.array_equal(last, frame(walk, -1, size=(80, 80), contacts=False))


def test_a_picture_does_not_depend_on_where_and_which_way_the_body_goes(walk):
    moved = walk.moved(from_yaw(2.0), (4.0, 0.0, -3.0))
    one, two = (np.asarray(frame(m, 12, size=(96, 96), contacts=False), dtype=int) for m in (walk, moved))
    body = np.abs(one - two)[:60]  # the grid of the floor stays in the world, the body above it is the same
    assert np.mean(body > 8) < 0.01


def test_poses_of_a_strobe_do_not_overlap(walk):
    clip = prepare(walk, False)
    frames = pose_frames(len(walk), 6)
    _, places = spread(clip, frames, "side")
    assert np.allclose(np.diff(places, axis=0), places[1] - places[0])
    widths = [np.ptp(clip.centred(f).ends[..., 2]) for f in frames]
    spacing = needed_spacing(clip, [clip.centred(f) for f in frames], "side")
    assert all(0.5 * (a + b) < spacing for a, b in pairwise(widths))
    picture = np.asarray(strobe(walk, poses=6, contacts=False, size=(900, 300), background=None))
    seen = (picture[:210, :, 3] > 128).any(axis=0)  # above the floor
    starts = np.flatnonzero(np.diff(np.concatenate([[0], seen])) == 1)
    assert len(starts) == 6


def test_pose_frames_go_from_first_to_last():
    assert pose_frames(100, 4) == [0, 33, 66, 99]
    assert pose_frames(3, 10) == [0, 1, 2]
    assert pose_frames(9, 1) == [4]


def tree(count: int) -> Motion:
    """A body of which nothing is known but its bones."""
    parents = [-1, *[max(0, j - 3) for j in range(1, count)]]
    offsets = np.random.default_rng(count).normal(size=(count, 3)) * 0.2
    skeleton = Skeleton(tuple(f"bone{j}" for j in range(count)), np.array(parents), offsets)
    return Motion(skeleton, 30.0, np.zeros((2, 3)), identity(2, count))


@pytest.mark.parametrize("count", [1, 2, 9])
def test_any_tree_of_bones_can_be_drawn(count):
    picture = np.asarray(frame(tree(count), 0, size=(100, 100)))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("factor", [0.002, 60.0])
def test_small_and_large_bodies_look_alike(walk, factor):
    one, two = (
        np.asarray(frame(m, 7, size=(96, 96), contacts=False, background=None))[..., 3]
        for m in (walk, walk.scaled(factor))
    )
    assert np.mean(np.abs(one[:50].astype(int) - two[:50]) > 40) < 0.02


def test_bad_arguments_are_named(walk, planted, tmp_path):
    with pytest.raises(LocomoteError, match="expected one of side, front, three-quarter, top"):
        frame(walk, 0, view="above")
    with pytest.raises(LocomoteError, match=f"frames 0 to {len(walk) - 1}"):
        frame(walk, len(walk))
    with pytest.raises(LocomoteError, match=r"\.png, \.jpg, \.jpeg, \.webp"):
        frame(walk, 0, tmp_path / "a.tga", contacts=False)
    with pytest.raises(LocomoteError, match="at least 1"):
        strobe(walk, poses=0)
    with pytest.raises(LocomoteError, match="for a motion of 5 frames"):
        frame(walk[:5], 0, contacts=planted)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.png", "a.JPG", "a.webp"])
def test_pictures_are_written_whole(walk, tmp_path, name):
    picture = frame(walk, 0, tmp_path / name, size=(64, 64), contacts=False, background=None)
    assert [p.name for p in tmp_path.iterdir()] == [name]
    with Image.open(tmp_path / name) as read:
        assert read.size == picture.size
