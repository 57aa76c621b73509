from __future__ import annotations

import base64
import json
import re
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.body import capsule_body
from locomote.draw._player import FASTEST, player_frame, player_page

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
    from dataclasses import replace

    page = player_page(replace(WALK, name="</script><script>alert(1)</script>"))
    assert "<script>alert" not in page
