"""What is up in a file that does not say: seen by legs and floor, said, and settable; who sleeps is not stood up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.cli import app
from locomote.formats import load, save
from locomote.formats._upright import guess_up, turned_up
from locomote.motion import Motion
from tests import made_rigs as made

WALK = made.walker(3.0)
NAMES = WALK.skeleton.names
BODIES = {"stands at zero": WALK, "all along X at zero": made.along_one_axis(WALK)}


@pytest.mark.parametrize("up", ["y", "z", "x", "-y", "-z", "-x"])
@pytest.mark.parametrize("body", BODIES)
def test_a_bvh_file_is_stood_up(body: str, up: str, tmp_path: Path) -> None:
    motion = BODIES[body]
    save(motion, tmp_path / "walk.bvh", up=up)
    read = load(tmp_path / "walk.bvh", unit="m")
    np.testing.assert_allclose(made.placed(read, NAMES), made.placed(motion, NAMES), atol=1e-5)
    assert any("up:" in note for note in read.notes) == (up != "y")
    given = load(tmp_path / "walk.bvh", unit="m", up=up)
    assert not any("up:" in note for note in given.notes)
    np.testing.assert_allclose(made.placed(given, NAMES), made.placed(motion, NAMES), atol=1e-5)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)])
def test_who_lies_on_the_floor_stays_there(axis: tuple[float, float, float]) -> None:
    stand = WALK[:1]._take(np.zeros(120, dtype=np.int64))
    lying = stand.moved(rot.from_axis_angle(np.array(axis), 0.5 * np.pi))
    assert guess_up(lying) is None
    rolling = [rot.from_axis_angle(np.array(axis), angle) for angle in np.linspace(0.0, 0.5 * np.pi, 60)]
    falls = Motion(
        WALK.skeleton, 60.0, np.zeros((60, 3)), np.stack([rot.multiply(q, WALK.rotations[0]) for q in rolling])
    )
    falls.rotations[:, 1:] = WALK.rotations[0, 1:]
    assert guess_up(falls) is None


def test_silent_names_are_stood_up_by_their_shape() -> None:
    skeleton, _ = made.silent((*made.MIDDLE, *made.LEG, *made.ARM), made.TOES)
    motion = Motion(skeleton, 30.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    assert guess_up(motion) is None
    tipped = turned_up(motion, "-z")  # as if read from a file with -Z up that was taken for Y up
    found = guess_up(tipped)
    assert found is not None
    assert len(turned_up(tipped, found.axis).skeleton.roles.legs) == 2


def test_the_command_line_says_and_takes_it(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    save(WALK, tmp_path / "walk.bvh", up="z", unit="cm")
    save(made.walker(0.1), tmp_path / "rig.bvh", up="z", unit="cm")
    paths = [str(tmp_path / name) for name in ("walk.bvh", "rig.bvh", "out.glb")]
    run = CliRunner().invoke(app, ["retarget", *paths[:2], "-o", paths[2]])
    assert run.exit_code == 0
    assert "up: z guessed" in run.output
    upright = load(paths[2]).joint_positions()
    assert np.ptp(upright[0, :, 1]) > 1.3
    given = ["--up", "z", "--unit", "cm", "--rig-up", "z", "--rig-unit", "cm", "--animation", "0"]
    run = CliRunner().invoke(app, ["retarget", *paths[:2], "-o", paths[2], *given])
    assert run.exit_code != 0  # a BVH file has one animation
    run = CliRunner().invoke(app, ["retarget", *paths[:2], "-o", paths[2], *given[:-2]])
    assert run.exit_code == 0
    assert "guessed" not in run.output
    np.testing.assert_allclose(load(paths[2]).joint_positions(), upright, atol=1e-4)
    run = CliRunner().invoke(app, ["measure", paths[0], "--up", "y"])
    assert "doubtful" in run.output
