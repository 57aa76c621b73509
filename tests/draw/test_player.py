from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.body import capsule_body
from locomote.draw._player import FASTEST, player_frame, player_page
from locomote.errors import LocomoteError

WALK = lm.samples.performer(speed=1.3, seconds=2.0).motion


def data_of(page: str) -> dict[str, object]:
    found = re.search(r'<script id="motion" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    out: dict[str, object] = json.loads(found[1])
    return out


def array(text: object, kind: type) -> np.ndarray:
    return np.frombuffer(base64.b64decode(str(text)), dtype=kind)


def test_the_page_has_everything_in_it(tmp_path: Path) -> None:
    path = tmp_path / "walk.html"
    WALK.show(path)
    page = path.read_text()
    assert "http://" not in page
    assert "https://" not in page
    assert "src=" not in page
    assert "<iframe" in WALK._repr_html_()
    assert 'sandbox="allow-scripts"' in player_frame(WALK)


def test_the_data_are_the_motion() -> None:
    data = data_of(player_page(WALK))
    shown = WALK.resampled(FASTEST)
    assert data["frames"] == len(shown)
    places = array(data["positions"], np.int16).reshape(len(shown), len(WALK.skeleton), 3)
    turns = array(data["rotations"], np.int16).reshape(len(shown), len(WALK.skeleton), 4) / 32767.0
    shift = np.array(data["low"]) + np.array(data["span"]) * (places + 32767.0) / 65534.0
    body = capsule_body(WALK.skeleton)
    frame = len(shown) // 2
    positions = shift[frame] + lm.rotations.rotate(turns[frame], body.bind_positions)
    assert positions == pytest.approx(shown.joint_positions()[frame], abs=2e-3)
    assert array(data["planted"], np.uint8).any()


def test_names_cannot_break_out_of_the_page() -> None:
    page = player_page(replace(WALK, name="</script><script>alert(1)</script>"))
    assert "<script>alert" not in page


def test_several_motions_play_together_where_they_are() -> None:
    other = replace(WALK, root_positions=WALK.root_positions + np.array([1.5, 0.0, 0.5]))[: len(WALK) // 2]
    data = data_of(player_page([WALK, other]))
    shown = [each.resampled(FASTEST) for each in (WALK, other)]
    frames, joints = len(shown[1]), len(WALK.skeleton)
    assert data["frames"] == frames
    assert data["joint_count"] == 2 * joints + 1  # the last is the middle, which the camera follows
    places = array(data["positions"], np.int16).reshape(frames, 2 * joints + 1, 3)
    turns = array(data["rotations"], np.int16).reshape(frames, 2 * joints + 1, 4) / 32767.0
    shift = (places + 32767.0) / 65534.0 * np.array(data["span"]) + np.array(data["low"])
    roots = [each.root_positions[:frames] for each in shown]
    assert shift[:, data["root"]] == pytest.approx((roots[0] + roots[1]) / 2.0, abs=2e-3)
    # The second body moves as the first one does, 1.5 m and 0.5 m further; so do its vertices.
    assert turns[:, joints : 2 * joints] == pytest.approx(turns[:, :joints], abs=1e-3)
    moved = shift[:, joints : 2 * joints] - shift[:, :joints]
    assert moved == pytest.approx(np.broadcast_to((1.5, 0.0, 0.5), moved.shape), abs=2e-3)
    rest = array(data["vertices"], np.float32).reshape(-1, 3)
    own = array(data["joints"], np.uint16).reshape(-1, 4)
    half = len(rest) // 2
    assert np.array_equal(own[half:], own[:half] + joints)
    feet = array(data["feet"], np.int16)
    assert np.array_equal(feet[half:], np.where(feet[:half] < 0, -1, feet[:half] + 2))
    assert array(data["triangles"], np.uint32).max() < len(rest)


def test_crowds_show_what_they_do_next(tmp_path: Path) -> None:
    people = lm.human.Crowd(lm.human.HumanModel.default(), 3, speed=1.2)
    before = people.positions.copy()
    people.show(0.5, tmp_path / "people.html", who=[0, 2])
    assert np.linalg.norm(people.positions - before, axis=1).min() > 0.3
    assert data_of((tmp_path / "people.html").read_text(encoding="utf-8"))["legs"] == 4
    lm.creatures.Crowd("spider", 2, speed=0.4).show(0.2, tmp_path / "spiders.html")
    assert data_of((tmp_path / "spiders.html").read_text(encoding="utf-8"))["legs"] == 16


def test_no_motion_is_no_page(tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match="no motion to play"):
        lm.draw.save_player([], tmp_path / "none.html")
    assert not list(tmp_path.iterdir())
