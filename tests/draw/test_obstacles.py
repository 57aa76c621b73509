"""Pictures of motion among obstacles."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from locomote.draw import _palette as palette
from locomote.draw import film, film_together, frame, frame_together, sheet, strobe
from locomote.draw._backdrop import Backdrop, light_of
from locomote.draw._camera import camera
from locomote.draw._kernels.raster import MISS
from locomote.draw._props import _visible, obstacle_layer
from locomote.draw._stage import prepare
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.world import Ground, Obstacles
from tests.draw.test_raster import rays

STEPS = 2000


@pytest.fixture(scope="module")
def sole(walk: Motion) -> float:
    """The height of the level floor on which the walk goes, metres."""
    return float(prepare(walk).plane[0])


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB"), dtype=int)


def coloured(picture: Image.Image) -> np.ndarray:
    """Where limbs and planted feet are: their hues are stronger than those of water and blocks."""
    return np.ptp(pixels(picture), axis=-1) > 100


def beside(walk: Motion, index: int, aside: float) -> np.ndarray:
    """A place to the left of the body in a frame, for a walk along +Z; from the side the camera is on its right."""
    return walk.root_positions[index][[0, 2]] + (aside, 0.0)


def with_wall(walk: Motion, index: int, aside: float, height: float) -> Obstacles:
    middle = beside(walk, index, aside)
    out = Obstacles()
    half = np.array([0.0, 1.2])
    out.add_wall(middle - half, middle + half, height=height)
    return out


def test_a_wall_hides_what_is_behind_it_and_nothing_before_it(walk):
    def legs_and_head(obstacles) -> tuple[int, int]:
        seen = coloured(frame(walk, 20, view="side", size=(200, 200), obstacles=obstacles, contacts=False))
        return int(seen[130:].sum()), int(seen[:110].sum())

    legs, arms = legs_and_head(None)
    assert legs_and_head(with_wall(walk, 20, 0.9, 1.1))[0] == pytest.approx(legs, rel=0.02)
    hidden = legs_and_head(with_wall(walk, 20, -0.9, 0.9))
    assert hidden[0] < 0.02 * legs
    assert hidden[1] > 0.6 * arms


def test_puddles_hide_no_feet(walk):
    obstacles = Obstacles()
    obstacles.add_puddle(beside(walk, 20, 0.0), 3.0, 3.0)
    plain = frame(walk, 20, view="high", size=(200, 200), contacts=False)
    wet = frame(walk, 20, view="high", size=(200, 200), contacts=False, obstacles=obstacles)
    assert np.mean(coloured(plain) != coloured(wet)) < 0.002
    blue = pixels(wet)[..., 2] - pixels(wet)[..., 0]
    assert np.mean((blue > 30) & ~coloured(wet)) > 0.2


def test_no_obstacles_change_nothing(walk):
    plain = frame(walk, 5, size=(120, 120))
    assert np.array_equal(pixels(frame(walk, 5, size=(120, 120), obstacles=Obstacles())), pixels(plain))
    far = Obstacles()
    far.add_disk((900.0, 900.0), 2.0)
    assert np.array_equal(pixels(frame(walk, 5, size=(120, 120), obstacles=far)), pixels(plain))


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("over_ground", [False, True])
def test_prisms_are_cast_as_a_walk_along_every_ray_finds_them(perspective, over_ground):
    r = np.random.default_rng(3)
    obstacles = Obstacles()
    for _ in range(4):
        obstacles.add_box(r.uniform(-1.5, 1.5, 2), r.uniform(0.3, 1.2, 2), float(r.uniform(0.2, 1.0)), 0.7)
    obstacles.add_disk((0.0, 0.0), 0.3, 0.8)
    ground = None
    if over_ground:
        ground = Ground(0.1)
        ground.add_ramp((-2.0, -2.0), 4.0, 0.1, 0.6, width=8.0)
    eye = camera("high", (0.0, 0.3, 0.0), 0.4, (28, 20), 0.15, perspective)
    backdrop = Backdrop(np.array([0.0, 0.05, 0.1]), np.zeros((2, 2)), 40.0, 0.5, ground=ground)
    deep = np.full((20, 28), MISS, dtype=np.float32) if over_ground else None
    layer, depth = obstacle_layer(obstacles, backdrop, np.zeros(4), deep, eye, light_of(eye), 1)
    table, corners, spans = _visible(obstacles, backdrop)
    starts, ways = rays(eye, 1)
    far = float(np.linalg.norm(starts, axis=-1).max()) + 6.0
    step = far / STEPS
    points = starts[..., None, :] + np.linspace(0.0, far, STEPS)[:, None] * ways[..., None, :]
    solid = np.zeros(points.shape[:-1], dtype=bool)
    for o, (low, high) in enumerate(spans):
        count = int(table[o, 7])
        a, b = corners[o, :count], np.roll(corners[o, :count], -1, axis=0)
        within = (points[..., 1] > low) & (points[..., 1] < high)
        for (ax, az), (bx, bz) in zip(a, b, strict=True):
            within &= (bz - az) * (points[..., 0] - ax) - (bx - ax) * (points[..., 2] - az) > 0.0
        solid |= within
    if not over_ground:
        height, slope_x, slope_z = backdrop.plane
        below = points[..., 1] < height + slope_x * points[..., 0] + slope_z * points[..., 2]
        solid &= np.cumsum(below, axis=-1) == 0
    hit = solid.any(axis=-1)
    found = np.where(hit, step * solid.argmax(axis=-1), MISS)
    # A grazing ray may slip through an edge between two steps.
    assert np.mean(hit != (depth < MISS)) < 0.02
    both = hit & (depth < MISS)
    assert both.sum() > 80
    assert np.mean(np.abs(found - depth)[both] < 2.0 * step) > 0.99
    assert np.all(layer[depth < MISS][:, 3] > 0.99)


def test_obstacles_stand_on_the_ground(walk, sole):
    obstacles = Obstacles()
    obstacles.add_box((0.0, 3.0), (1.0, 1.0), 0.4)
    ground = Ground(sole)
    ground.add_box((0.0, 3.0), (3.0, 3.0), sole + 0.5)
    backdrop = Backdrop(np.zeros(3), np.zeros((2, 2)), 9.0, 0.5, ground=ground)
    low, high = _visible(obstacles, backdrop)[2][0]
    assert high == pytest.approx(sole + 0.9)
    assert low == pytest.approx(sole + 0.49)
    for view in ("side", "high"):
        picture = frame(walk, 20, view=view, size=(160, 160), ground=ground, obstacles=obstacles)
        assert coloured(picture).sum() > 300


def test_all_pictures_take_obstacles_as_they_stand_or_over_time(walk, tmp_path):
    obstacles = Obstacles()
    obstacles.add_box((0.5, 0.5), (0.3, 0.3), 0.5, velocity=(0.0, 1.0))
    obstacles.add_puddle((-0.6, 0.6), 0.8, 0.5)
    for given in (obstacles, obstacles.at):
        assert strobe(walk, poses=3, size=(300, 120), obstacles=given, contacts=False).size == (300, 120)
        assert sheet(walk, width=800, poses=3, obstacles=given).width == 800
        film(walk, tmp_path / "a.gif", size=(96, 64), fps=4, obstacles=given, against=walk)
        film_together([walk], tmp_path / "b.gif", size=(96, 64), fps=4, obstacles=given)
        for name in ("a.gif", "b.gif"):
            with Image.open(tmp_path / name) as read:
                assert read.n_frames > 4
    early, late = (
        pixels(frame_together([walk], t, size=(200, 120), view="high", obstacles=obstacles.at)) for t in (0.2, 0.9)
    )
    still = pixels(frame_together([walk], 0.9, size=(200, 120), view="high", obstacles=obstacles))
    assert not np.array_equal(late, still)
    assert not np.array_equal(early, late)


def test_a_film_has_the_colours_of_what_appears_later(walk, tmp_path):
    def appearing(time: float) -> Obstacles:
        out = Obstacles()
        if time > 0.5:
            out.add_puddle((0.0, 1.3), 4.0, 4.0)
        return out

    film(walk, tmp_path / "a.gif", size=(96, 64), fps=5, view="high", obstacles=appearing, contacts=False)
    with Image.open(tmp_path / "a.gif") as read:
        first = pixels(read)
        read.seek(read.n_frames - 1)
        last = pixels(read)
    wanted = palette.mixed(palette.FLOOR, palette.WATER, 0.66)
    for picture, wet in ((first, False), (last, True)):
        near = np.all(np.abs(picture - wanted) < 12, axis=-1)
        assert (near.mean() > 0.2) == wet


def test_bad_obstacles_are_named(walk):
    with pytest.raises(LocomoteError, match="obstacles: expected Obstacles, or a function from seconds"):
        frame(walk, 0, obstacles=lambda time: 3.0)
