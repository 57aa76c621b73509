from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from locomote.draw import _palette as palette
from locomote.draw import sheet
from locomote.draw._footprints import find_prints, print_scale
from locomote.draw._stage import prepare
from locomote.errors import LocomoteError
from locomote.formats import load


def planted_pixels(picture: Image.Image) -> int:
    """Pixels of the colour of planted feet outside of the header, which explains it."""
    pixels = np.asarray(picture, dtype=float)[90:].reshape(-1, 3)
    wanted = np.array(palette.PLANTED) / np.linalg.norm(palette.PLANTED)
    return int(np.sum((pixels @ wanted > 0.997 * np.linalg.norm(pixels, axis=1)) & (pixels.sum(axis=1) > 100)))


def test_a_sheet_shows_poses_prints_and_plots(walk, planted, tmp_path):
    picture = sheet(walk, tmp_path / "s.png", contacts=planted, width=1000, poses=5)
    assert picture.width == 1000
    assert planted_pixels(picture) > 100
    with Image.open(tmp_path / "s.png") as read:
        assert read.size == picture.size
    bare = sheet(walk, contacts=False, width=1000, poses=5)
    assert bare.height < picture.height - 300  # no plots without contacts
    assert planted_pixels(bare) == 0


def test_two_clips_share_one_sheet(walk, planted):
    one = sheet(walk, contacts=planted, width=900, poses=4)
    two = sheet(walk, contacts=planted, against=walk, width=1800, poses=4)
    assert two.width == 1800
    assert two.height == pytest.approx(one.height, abs=80)
    left, right = np.asarray(two)[:, :890], np.asarray(two)[:, 910:]
    assert np.mean(left < 200) > 0.01
    assert np.mean(right < 200) > 0.01


def test_the_same_input_gives_the_same_sheet(walk, planted):
    assert np.array_equal(*(sheet(walk, contacts=planted, width=700, poses=3) for _ in range(2)))


def test_a_single_frame_has_a_sheet(walk):
    assert sheet(walk[:1], width=700).width == 700


def test_prints_lie_left_and_right_of_the_path(walk, planted):
    prints = find_prints(prepare(walk, planted))
    assert [side for side, _ in prints.outlines] == ["left", "right"]
    left, right = (outline.mean(axis=0) for _, outline in prints.outlines)
    assert left[1] > right[1]
    assert right[0] > left[0]  # the right foot stood later, farther along
    assert np.ptp(prints.path[:, 0]) == pytest.approx(1.3 * walk.duration, rel=0.15)
    scale = print_scale(prints, 500, 100)
    assert np.all(np.ptp(prints.bounds, axis=0) * scale <= np.array([500, 100]) + 1e-6)


def test_bad_arguments_are_named(walk, tmp_path):
    with pytest.raises(LocomoteError, match=r"no picture format '\.pdf'"):
        sheet(walk, tmp_path / "s.pdf")
    with pytest.raises(LocomoteError, match="at least 600"):
        sheet(walk, width=100)


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "rigs/khronos_Fox.glb",
        "rigs/quaternius_Spider.glb",
        "rigs/quaternius_Crab.glb",
        "rigs/quaternius_Horse.glb",
    ],
)
def test_animals_have_sheets(data, name):
    motion = load(data / name)
    picture = np.asarray(sheet(motion, width=900, poses=4))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
