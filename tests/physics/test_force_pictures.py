"""Arrows of forces, tables, and the verb of the command line."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app
from locomote.physics import forces


@pytest.fixture(scope="module")
def walk():
    return lm.samples.performer(speed=1.4).motion[:120]


def test_arrows_of_forces_are_seen_where_legs_would_hide_them(walk):
    found = forces(walk, 70.0)
    standing = int(np.argmax(found.force[..., 1].max(axis=1)))
    plain, arrowed = (
        np.asarray(lm.draw.frame(walk, standing, size=(200, 200), view="side", arrows=arrows), dtype=int)
        for arrows in (None, found.arrows())
    )
    changed = np.abs(plain - arrowed).max(axis=2) > 40
    assert 100 < np.count_nonzero(changed) < 2000
    rows = np.flatnonzero(changed.any(axis=1))
    assert np.ptp(rows) > 40  # an arrow of one body weight is 0.8 m long


def test_arrows_of_another_length_are_refused(walk):
    arrows = lm.draw.Arrows(np.zeros((3, 1, 3)), np.ones((3, 1, 3)))
    with pytest.raises(lm.LocomoteError, match="arrows of 3 frames for a motion of 120"):
        lm.draw.frame(walk, 0, arrows=arrows)
    with pytest.raises(lm.LocomoteError, match="expected starts and vectors"):
        lm.draw.Arrows(np.zeros((3, 1, 3)), np.ones((3, 2, 3)))


def test_red_says_that_a_foot_would_slip(walk):
    stands = lm.contacts.detect(walk).foot
    ice, dry = (forces(walk, 70.0, friction=friction).arrows().warned[stands].mean() for friction in (0.1, 0.8))
    assert ice > 0.3
    assert dry < 0.05


def test_the_verb_writes_a_table_that_adds_up_to_the_weight(walk, tmp_path):
    lm.save(walk, tmp_path / "walk.bvh")
    path = tmp_path / "forces.csv"
    ran = CliRunner().invoke(app, ["forces", str(tmp_path / "walk.bvh"), "--mass", "60", "-o", str(path), "--torques"])
    assert ran.exit_code == 0, ran.output
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(walk)
    total = np.mean([float(row["left_force_y_N"]) + float(row["right_force_y_N"]) for row in rows])
    assert total == pytest.approx(60.0 * 9.81, rel=0.05)
    assert "LeftUpLeg_torque_x_Nm" in rows[0]


def test_the_verb_says_what_no_body_could_do_and_exits_1(walk, tmp_path):
    fast = lm.Motion(walk.skeleton, 3.0 * walk.fps, walk.root_positions, walk.rotations)
    lm.save(fast, tmp_path / "fast.bvh")
    ran = CliRunner().invoke(app, ["forces", str(tmp_path / "fast.bvh"), "--json"])
    assert ran.exit_code == 1
    assert json.loads(ran.stdout)["warnings"]


@pytest.mark.parametrize(
    ("options", "message"),
    [(["-o", "forces.txt"], "written as .csv"), (["--prior", "x"], "expected one of gait, effort")],
)
def test_bad_options_are_one_line(walk, tmp_path, options, message):
    lm.save(walk, tmp_path / "walk.bvh")
    ran = CliRunner().invoke(app, ["forces", str(tmp_path / "walk.bvh"), *options])
    assert ran.exit_code != 0
    assert message in str(ran.exception)
    assert not (tmp_path / "forces.txt").exists()
