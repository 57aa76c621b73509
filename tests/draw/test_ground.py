"""Pictures of motion on the ground, and close-ups of the feet."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from locomote.contacts.footing import Footing, contacts_on, feet_on
from locomote.draw import VIEWS, film, film_together, frame, frame_together, sheet, strobe
from locomote.draw import _palette as palette
from locomote.draw._camera import CUTS, camera
from locomote.draw._follow import Follower
from locomote.draw._stage import prepare
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import identity
from locomote.samples import performer
from locomote.skeleton import Skeleton
from locomote.world import Ground


@pytest.fixture(scope="module")
def sole(walk: Motion) -> float:
    """The height of the level ground on which the walk goes, metres."""
    return float(prepare(walk).plane[0])


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB"), dtype=int)


def coloured(picture: Image.Image) -> np.ndarray:
    """Where limbs and planted feet are: nothing else has a hue."""
    return np.ptp(pixels(picture), axis=-1) > 60


@pytest.mark.parametrize("view", VIEWS)
def test_on_level_ground_the_body_is_seen_as_on_a_floor(walk, sole, view):
    if view in ("three-quarter", "high"):
        return  # seen from higher up over ground
    plain = frame(walk, 12, view=view, size=(240, 200))
    on_ground = frame(walk, 12, view=view, size=(240, 200), ground=Ground(sole))
    assert np.mean(coloured(plain) != coloured(on_ground)) < 0.004


def test_every_view_knows_where_the_ground_is_cut():
    assert set(CUTS) == set(VIEWS)


def test_stairs_show_treads_risers_and_a_section(walk, sole):
    ground = Ground(sole)
    ground.add_stairs((0.0, 1.3), 4, width=3.0)
    side = pixels(frame(walk, 20, view="side", size=(300, 300), ground=ground, contacts=False))
    assert np.any(np.all(np.abs(side - palette.SECTION) <= 3, axis=-1))
    edges = np.all(side < 140, axis=-1) & (np.ptp(side, axis=-1) < 40)
    assert edges.sum() > 100
    bare = pixels(frame(walk, 20, view="side", size=(300, 300), ground=Ground(sole), contacts=False))
    dark = np.all(bare < 140, axis=-1) & (np.ptp(bare, axis=-1) < 40)
    assert edges.sum() > dark.sum() + 100


def test_what_stands_before_a_body_hides_it(walk, sole):
    behind, before = Ground(sole), Ground(sole)
    spot = walk.root_positions[10]
    # From the side the camera stands at -x.
    behind.add_box((spot[0] + 2.0, spot[2]), (0.5, 6.0), sole + 0.6)
    before.add_box((spot[0] - 0.35, spot[2]), (0.1, 6.0), sole + 0.6)
    free, hidden = (coloured(frame(walk, 10, view="side", size=(200, 200), ground=g)) for g in (behind, before))
    assert hidden[:90].sum() == pytest.approx(free[:90].sum(), rel=0.02)  # the upper body looks over it
    assert free[150:].sum() > 100
    assert hidden[150:].sum() < 0.1 * free[150:].sum()


def test_ground_before_the_cut_is_taken_away(walk, sole):
    ground = Ground(sole)
    spot = walk.root_positions[10]
    ground.add_box((spot[0] - 2.0, spot[2]), (0.5, 6.0), sole + 3.0)  # a wall between camera and body
    assert coloured(frame(walk, 10, view="side", size=(200, 200), ground=ground)).sum() > 1000


def test_a_foot_in_the_ground_is_seen_through_it(walk, sole):
    shallow, deep = (
        coloured(frame(walk, 10, view="side", size=(240, 240), ground=Ground(sole + d), contacts=False))
        for d in (0.0, 0.25)
    )
    faint = pixels(frame(walk, 10, view="side", size=(240, 240), ground=Ground(sole + 0.25), contacts=False))
    assert deep[190:].sum() < 0.5 * shallow[190:].sum()
    tinted = np.ptp(faint[190:], axis=-1) > 25
    assert tinted.sum() > 0.5 * shallow[190:].sum()


def test_the_camera_follows_up_and_down(walk, sole):
    lifted = Motion(
        walk.skeleton,
        walk.fps,
        walk.root_positions + np.arange(len(walk))[:, None] * (0, 0.02, 0),
        walk.rotations,
    )

    def lift(time: float) -> Ground:
        return Ground(sole + 0.02 * time * walk.fps)

    clip = prepare(lifted, ground=lift)
    assert np.allclose(clip.path[:, 1], sole + 0.02 * np.arange(len(walk)), atol=0.02)
    shot = Follower(clip, "side")
    rows = [
        np.flatnonzero(coloured(shot.picture(f, (160, 120), shot.scale((160, 120)))).any(axis=1))[-1]
        for f in (5, 25, 45)
    ]
    assert np.ptp(rows) <= 8


def test_feet_stand_on_stairs(sole):
    """A walk whose every frame is shifted to a landing has the contacts of the walk itself."""
    walk = performer(1.3, seconds=2.0, fps=60.0).motion
    level = prepare(walk)
    ground = Ground(sole)
    ground.add_box((0.0, 0.0), (4.0, 20.0), sole + 0.5)
    raised = walk.moved(offset=(0.0, 0.5, 0.0))
    clip = prepare(raised, ground=ground)
    assert clip.contacts is not None
    assert level.contacts is not None
    assert np.mean(clip.contacts.foot == level.contacts.foot) > 0.97


def test_feet_on_a_platform_are_planted_as_on_the_floor():
    walk = performer(1.3, seconds=2.0, fps=60.0).motion
    base = float(prepare(walk).plane[0])
    ground = Ground(base - 1.0)
    ground.add_platform((0.0, 0.0), (9.0, 30.0), base, velocity=(0.4, 0.1, 0.7))
    way = walk.times[:, None] * np.array([0.4, 0.1, 0.7])
    carried = Motion(walk.skeleton, walk.fps, walk.root_positions + way, walk.rotations)
    footing = Footing(ground.at, carried)
    moving = contacts_on(carried, feet_on(carried, footing), footing)
    still = prepare(walk).contacts
    assert still is not None
    assert np.mean(moving.foot == still.foot) > 0.97


def test_on_a_slope_heels_are_level_with_the_ground():
    walk = performer(1.3, seconds=2.0, fps=60.0).motion
    base = float(prepare(walk).plane[0])
    angle = 0.2
    tilt = np.array([np.cos(-angle / 2), np.sin(-angle / 2), 0.0, 0.0])  # about x: ahead goes up
    ground = Ground(-50.0)
    ground.add_ramp((0.0, -20.0), 40.0, -20.0 * np.tan(angle), 20.0 * np.tan(angle), width=20.0)
    climbing = walk.moved(offset=(0.0, -base, 0.0)).moved(tilt)
    feet = feet_on(climbing, Footing(ground, climbing))
    plain = feet_on(walk, Footing(Ground(base), walk))
    up = np.array([0.0, np.cos(angle), -np.sin(angle)])
    np.testing.assert_allclose(feet @ up, plain[..., 1] - base, atol=0.002)


def test_strobes_show_poses_where_they_were_and_panels_otherwise(walk, sole):
    longer = performer(1.3, seconds=3.0, fps=30.0).motion
    ground = Ground(sole)
    ground.add_stairs((3.0, 0.0), 3)
    placed = pixels(strobe(longer, poses=6, size=(600, 200), ground=ground, contacts=False))
    assert coloured(Image.fromarray(placed.astype(np.uint8))).sum() > 500
    panels = strobe(longer, poses=4, size=(600, 200), ground=ground.at, contacts=False)
    assert panels.size == (600, 200)
    for k in range(4):
        part = np.asarray(panels)[:, 150 * k + 4 : 150 * k + 140].astype(int)
        assert (np.ptp(part, axis=-1) > 60).sum() > 100
    clear = strobe(walk[:2], poses=2, size=(200, 120), ground=ground, contacts=False, background=None)
    assert clear.mode == "RGBA"


def test_closeups_magnify_the_feet(walk, sole):
    for ground in (None, Ground(sole)):
        whole, near = (
            coloured(frame(walk, 20, view="side", size=(200, 200), ground=ground, closeup=c)).sum()
            for c in (None, "feet")
        )
        assert near > 2.5 * whole
    clip = prepare(walk)
    shots = [Follower(clip, "side", closeup) for closeup in (False, True)]
    assert shots[1].scale((640, 360)) < 0.5 * shots[0].scale((640, 360))
    # All that is below the knees stays in the picture.
    for f in range(0, len(walk), 5):
        scale = shots[1].scale((640, 360))
        middle = clip.path[f] - float(np.mean(shots[1].up)) * shots[1]._axes[1]
        eye = camera("side", middle, clip.yaw, (640, 360), scale, perspective=True)
        at = eye.pixels(clip.lower_legs(f).ends)
        assert np.all((at > 0) & (at < (640, 360)))


def test_sheets_and_films_take_ground_and_closeups(walk, sole, tmp_path):
    ground = Ground(sole)
    ground.add_platform((0.0, 0.0), (4.0, 9.0), sole, velocity=(0.0, 0.0, 0.1))
    page = sheet(walk, width=800, poses=4, ground=ground, against=walk)
    assert page.width == 800
    close = sheet(walk, width=800, poses=4, closeup="feet", contacts=False)
    assert coloured(close).sum() > 2000
    film(walk, tmp_path / "a.gif", size=(160, 96), fps=5, ground=ground.at, closeup="feet", against=walk)
    film_together(
        [walk, walk.moved(offset=(1.0, 0.0, 0.0))], tmp_path / "b.gif", size=(96, 64), fps=4, ground=ground.at
    )
    for name, size in (("a.gif", (160, 96)), ("b.gif", (96, 64))):
        with Image.open(tmp_path / name) as read:
            assert read.size == size
            assert read.n_frames > 4
    together = frame_together([walk], 0.5, size=(120, 120), ground=ground)
    assert coloured(together).sum() > 100


def test_moving_ground_is_drawn_where_it_is_at_the_time(walk, sole):
    ground = Ground(sole)
    ground.add_shuttle((1.5, 0.0), (1.0, 1.0), sole + 0.5, (0.0, 0.4, 0.0), 2.0)
    stills = [frame_together([walk], t, size=(240, 160), ground=ground.at) for t in (0.0, 0.5)]
    assert not np.array_equal(*(np.asarray(s)[:60] for s in stills))


def test_hills_have_pictures(walk):
    picture = pixels(frame(walk, 5, view="side", size=(160, 160), ground=Ground.rough(1, (8, 8), 0.2)))
    assert np.any(np.all(np.abs(picture - palette.SECTION) <= 3, axis=-1))


def test_bad_arguments_are_named(walk, tmp_path):
    with pytest.raises(LocomoteError, match="closeup 'hands': expected one of feet"):
        film(walk, tmp_path / "a.gif", closeup="hands")
    with pytest.raises(LocomoteError, match="ground: expected a Ground"):
        frame(walk, 0, ground=lambda time: 3.0)
    stick = Motion(Skeleton(("root", "tip"), [-1, 0], [[0, 0, 0], [0, 1, 0]]), 30.0, np.zeros((2, 3)), identity(2, 2))
    with pytest.raises(LocomoteError, match="closeup: the body has no legs"):
        frame(stick, 0, closeup="feet")
    assert frame(stick, 0, ground=Ground(-0.2), size=(60, 60)).size == (60, 60)
