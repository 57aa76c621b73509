"""Recorded people: angles beside OpenSim's, bodies fitted by markers; the command line; damaged files."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.capture import markers, stage
from locomote.cli import app
from locomote.errors import FormatError
from locomote.formats.markers import read_markers, write_markers

RUN = CliRunner()


@pytest.fixture
def lab(data: Path):  # type: ignore[no-untyped-def]
    sys.path.insert(0, str(Path(__file__).parents[3] / "benchmarks"))
    import _marker_trials as module

    module.DATA = data / "human"
    return module


@pytest.mark.data
def test_markers_of_the_other_trial_give_the_angles_of_this_one(lab) -> None:  # type: ignore[no-untyped-def]
    table = markers.MarkerTable.load("human")
    for gait, name in (("walk", "opencap_s2_walking1"), ("run", "treadmill_hamner_s08_run300")):
        trial = next(one for one in lab.trials(gait) if one.name == name)
        attached = lab.by_others(trial, lab.others(trial), table)
        found = lab.compare(trial, markers.solve(trial.markers, trial.subject(), attached).motion)
        assert max(float(np.sqrt(np.mean(off**2))) for off in found.off.values()) < 7.0
        assert found.knee < 20.0
        assert found.ankle < 20.0


@pytest.mark.data
def test_the_built_in_table_finds_the_size_of_a_person(lab) -> None:  # type: ignore[no-untyped-def]
    trial = lab.trials("walk")[0]
    whose = trial.subject(named=False)
    attached = lab.placed(trial, whose, markers.MarkerTable.load("human"))
    fitted = markers.calibrate(trial.markers, whose, attached, lengths=False)
    assert fitted.subject.skeleton.leg_length() == pytest.approx(trial.truth.skeleton.leg_length(), rel=0.04)


def made(path: Path, height: float = 1.6) -> tuple[lm.Motion, Path]:
    """Markers of a person of OpenSim's kind who bends all joints, in a file."""
    person = markers.human(height)
    count = 60
    wave = np.sin(np.linspace(0.0, 4.0 * np.pi, count))
    turns = np.tile(person.usual(), (count, 1, 1))
    from locomote import rotations as rot

    for name, axis, size in (("femur_l", 0, 0.5), ("femur_r", 0, -0.5), ("humerus_l", 0, 0.4), ("lumbar1", 1, 0.2)):
        turns[:, person.skeleton.index(name)] = rot.exp(size * wave[:, None] * np.eye(3)[axis])
    for name in ("tibia_l", "tibia_r", "ulna_l", "ulna_r"):
        limit = person.limits[name]
        bend = 0.6 + 0.4 * wave if name.startswith("ulna") else -0.6 - 0.4 * wave
        turns[:, person.skeleton.index(name)] = rot.from_axis_angle(np.array(limit.axis), bend)
    motion = lm.Motion(person.skeleton, 100.0, np.tile([0.2, 0.9, 0.1], (count, 1)), turns)
    table = markers.MarkerTable.load("human")
    names = [f"{side}{spot.names[0]}" for spot in table.spots for side in (("L_", "R_") if spot.sided else ("",))]
    seen = stage.markers(motion, markers.place_markers(names, person, table), noise=0.001, seed=1).markers
    write_markers(seen, path)
    return motion, path


def test_a_body_of_unknown_size_is_found_from_markers_alone(tmp_path: Path) -> None:
    truth, path = made(tmp_path / "made.trc")
    seen = read_markers(path)
    whose = markers.human()
    fitted = markers.calibrate(seen, whose, markers.place_markers(seen.names, whose, markers.MarkerTable.load("human")))
    assert fitted.subject.skeleton.leg_length() == pytest.approx(truth.skeleton.leg_length(), rel=0.02)
    found = markers.solve(seen, fitted.subject, fitted.attached)
    away = np.linalg.norm(found.motion.joint_positions() - truth.joint_positions(), axis=-1)
    assert away[:, [truth.skeleton.index(j) for j in ("tibia_l", "talus_r", "ulna_l")]].mean() < 0.012


def test_the_command_line_solves_and_tells(tmp_path: Path) -> None:
    _, path = made(tmp_path / "made.trc")
    result = RUN.invoke(app, ["solve", str(path), "-o", str(tmp_path / "out.glb"), "--json", "--fit", "size"])
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["frames"] == 60
    assert told["rms_mm"] < 15.0
    assert lm.load(tmp_path / "out.glb").fps == pytest.approx(100.0)
    assert "locomote solve walk.trc" in RUN.invoke(app, ["solve", "--help"]).output


def test_markers_are_written_as_they_are_read(tmp_path: Path) -> None:
    walk = lm.samples.performer(speed=1.3, seconds=0.2).motion
    seen = stage.markers(walk, gaps={"Hips 1": [(3, 6)]}).markers
    write_markers(seen, tmp_path / "w.trc")
    again = read_markers(tmp_path / "w.trc")
    assert again.names == seen.names
    assert again.fps == pytest.approx(seen.fps)
    np.testing.assert_allclose(again.positions, seen.positions, atol=1e-6)
    with pytest.raises(lm.LocomoteError, match=r"written as \.trc"):
        write_markers(seen, tmp_path / "w.c3d")


def test_damaged_files_and_empty_units_are_one_line_or_read(tmp_path: Path) -> None:
    _, path = made(tmp_path / "made.trc")
    lines = path.read_text().splitlines()
    fields = lines[2].split("\t")
    fields[4] = ""
    (tmp_path / "unitless.trc").write_text("\n".join([*lines[:2], "\t".join(fields), *lines[3:]]))
    np.testing.assert_allclose(read_markers(tmp_path / "unitless.trc").positions, read_markers(path).positions)
    cut = path.read_text()[: len(path.read_text()) // 2].rsplit("\n", 1)[0]
    (tmp_path / "cut.trc").write_text(cut)
    assert len(read_markers(tmp_path / "cut.trc").times) < 60
    for name, text in (("a.trc", "PathFileType\n1\n2\n3\n4\n5"), ("b.trc", "\n".join(lines[:5])), ("c.trc", "x" * 99)):
        (tmp_path / name).write_text(text)
        with pytest.raises(FormatError) as told:
            read_markers(tmp_path / name)
        assert "\n" not in str(told.value)
    with pytest.raises(lm.LocomoteError, match=r"trc or \.c3d"):
        read_markers(tmp_path / "made.csv")
