"""The ground as a text file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.world import Ground

EVERYTHING = """
height = 0.1
[[box]]
centre = [5, 5]
size = [1, 2]
top = 0.6
yaw = "90deg"
[[stairs]]
start = [0, 2]
count = 3
rise = 0.2
tread = 0.3
landing = 1.0
[[stairs]]
start = [0, 3.6]
count = 3
rise = 0.2
tread = 0.3
down = true
[[slope]]
start = [-5, 0]
length = 4
angle = "10deg"
[[ramp]]
start = [-10, 0]
length = 2
low = 0.1
high = 0.5
[[kerb]]
start = [10, 0]
rise = 0.15
[[platform]]
centre = [20, 0]
size = [2, 2]
top = 0.5
velocity = [0, 0, 1]
turn_rate = 0.1
[[shuttle]]
centre = [30, 0]
size = [2, 2]
top = 0.5
travel = [0, 0.3, 0]
period = 4
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "ground.toml"
    path.write_text(text)
    return path


def test_a_file_builds_what_the_methods_build(tmp_path):
    ground = Ground.read(written(tmp_path, EVERYTHING))
    other = Ground(0.1)
    other.add_box((5, 5), (1, 2), 0.6, math.pi / 2)
    other.add_stairs((0, 2), 3, 0.2, 0.3, landing=1.0)
    other.add_stairs((0, 3.6), 3, 0.2, 0.3, down=True)
    other.add_slope((-5, 0), 4, math.radians(10))
    other.add_ramp((-10, 0), 2, 0.1, 0.5)
    other.add_kerb((10, 0), rise=0.15)
    other.add_platform((20, 0), (2, 2), 0.5, velocity=(0, 0, 1), turn_rate=0.1)
    other.add_shuttle((30, 0), (2, 2), 0.5, (0, 0.3, 0), 4)
    for at in (0.0, 1.3):
        for mine, theirs in zip(ground.at(at).arrays, other.at(at).arrays, strict=True):
            assert np.array_equal(mine, theirs)


def test_terrain_is_rough_or_a_raster(tmp_path):
    rough = Ground.read(written(tmp_path, "[terrain]\nseed = 4\namplitude = 0.2\nsize = [10, 10]"))
    assert np.array_equal(rough.arrays[1], Ground.rough(4, (10, 10), 0.2).arrays[1])
    heights = np.arange(6.0).reshape(2, 3)
    np.save(tmp_path / "hills.npy", heights)
    np.savetxt(tmp_path / "hills.csv", heights, delimiter=",")
    for name in ("hills.npy", "hills.csv"):
        text = f'[terrain]\nfile = "{name}"\ncell = 0.5\ncorner = [1, 2]'
        raster = Ground.read(written(tmp_path, text))
        assert np.array_equal(raster.arrays[1], heights)
        assert np.array_equal(raster.arrays[2], (1.0, 2.0, 0.5))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[[stair]]\ncount = 3",
            "the ground: unknown key 'stair'; there are: height, terrain, box, ramp, slope, stairs",
        ),
        ("[[box]]\ncenter = [0, 0]", "box 1: unknown key 'center'; there are: centre, size, top, yaw"),
        ("[[box]]\ncentre = [0, 0]", "box 1: size: missing; needed are centre, size, top"),
        (
            "[[box]]\ncentre = [0]\nsize = [1, 1]\ntop = 1",
            r"box 1: centre: expected 2 numbers such as \[0.0, 0.0\]",
        ),
        ("[[box]]\ncentre = [0, 0]\nsize = [1, -1]\ntop = 1", "box 1: size: expected two lengths above 0"),
        (
            "[[stairs]]\nstart = [0, 0]\ncount = 2.5",
            "stairs 1: count: expected a whole number instead of 2.5",
        ),
        ("[[stairs]]\nstart = [0, 0]\ncount = 2\ndown = 1", "stairs 1: down: expected true or false"),
        (
            "[[slope]]\nstart = [0, 0]\nlength = 2\nangle = 'steep'",
            'slope 1: angle: expected radians, or degrees such as "30deg"',
        ),
        ("[[slope]]\nstart = [0, 0]\nlength = 2\nangle = '80deg'", "slope 1: angle: expected at most"),
        (
            "[[box]]\ncentre = [0, 0]\nsize = [1, 1]\ntop = nan",
            "box 1: top: expected a number instead of nan",
        ),
        ("[box]\ncentre = [0, 0]", r"box: expected tables \[\[box\]\]"),
        ("terrain = 3", r"terrain: expected a table \[terrain\]"),
        ("height = 1\n[terrain]\nseed = 1", "height and terrain exclude one another"),
        ("[terrain]\nfile = 'none.npy'\ncell = 0.1", "terrain: file: none.npy: no such file"),
        (
            "[terrain]\nfile = 'hills.tif'\ncell = 0.1",
            r"terrain: file: hills.tif: expected a \.npy, \.csv or \.png file",
        ),
        (
            "[terrain]\nfile = 'hills.png'\ncell = 0.1",
            "terrain: height: missing; needed are file, cell, height",
        ),
        (
            "[terrain]\nfile = 'hills.png'\ncell = 0.1\nheight = 1",
            r"terrain: .*hills\.png: no such file",
        ),
        ("[terrain]\nfile = 'ground.toml'", "terrain: cell: missing; needed are file, cell"),
        ("height = ", "not a TOML file"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path, text, says):
    with pytest.raises(LocomoteError, match=says) as caught:
        Ground.read(written(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "ground.toml"))
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LocomoteError, match=r"none\.toml: no such file"):
        Ground.read(tmp_path / "none.toml")
    with pytest.raises(LocomoteError, match="cannot be read"):
        Ground.read(tmp_path)


def test_damaged_rasters_are_refused(tmp_path):
    (tmp_path / "bad.npy").write_bytes(b"not an array")
    (tmp_path / "bad.csv").write_text("1,2\n3,x\n")
    for name in ("bad.npy", "bad.csv"):
        with pytest.raises(LocomoteError, match=f"terrain: file: {name}: cannot be read"):
            Ground.read(written(tmp_path, f'[terrain]\nfile = "{name}"\ncell = 0.5'))
