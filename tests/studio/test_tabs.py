"""The other worlds of the page in a real browser: stones, creatures, clips, poses."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import locomote as lm
from locomote.studio import Studio
from locomote.studio._creatures import EDITED
from tests.studio.conftest import Visitor


def test_a_stone_dragged_is_stepped_on(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Steps")
    visitor.wait(lambda: studio.panel.title == "Steps", "the stones")
    stones = studio.panel.stones
    visitor.wait(lambda: stones.landed, "the first steps")
    # One that is in sight, beside the panel, and well ahead of the walker.
    with studio.lock:
        ahead = [(stones.heading_for + 5 + k) % len(stones.places) for k in range(len(stones.places) - 7)]
        stone = max(ahead, key=lambda k: visitor.sight(tuple(stones.places[k])))
        before = stones.places[stone].copy()
    start, end = (
        visitor.floor_pixel(tuple(before)),
        visitor.floor_pixel(tuple(before + np.array([-0.12, 0.1]))),
    )
    visitor.drag(start, end, lambda: np.hypot(*(stones.places[stone] - before)) > 0.05, "the stone elsewhere")
    with studio.lock:
        placed = stones.places[stone].copy()
        stones.landed.pop(stone, None)
    visitor.wait(lambda: stone in stones.landed or bool(stones.problem), "a foot on the stone")
    assert stones.landed[stone] < 0.005
    assert np.allclose(stones.places[stone], placed)


def test_a_gait_edited_is_gone(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Creatures")
    visitor.wait(lambda: studio.panel.title == "Creatures", "the creatures")
    panel = studio.panel
    visitor.choose("creature", "wolf")
    visitor.wait(lambda: panel.creatures.creature.name == "wolf", "a wolf")
    own = "the gait of one's own"
    visitor.set_until("cycle s", 0.5, lambda: panel.creatures.crowd.gaits[0] == EDITED, own)
    visitor.wait(lambda: abs(panel.creatures.crowd.periods[0] - 0.5) < 0.05, "a quicker round")
    visitor.press("throw one")
    visitor.wait(lambda: len(panel.creatures.obstacles) == 1, "a crate at rest")
    assert panel.creatures.meter.reading.speed < 1.0


def test_clips_go_up_and_come_back(visitor: Visitor, studio: Studio, tmp_path: Path) -> None:
    walk = tmp_path / "walk.bvh"
    lm.save(lm.samples.performer(speed=1.2, seconds=3.0).motion, walk)
    visitor.press("Clips")
    visitor.wait(lambda: studio.panel.title == "Clips", "the clips")
    clips = studio.panel.clips
    visitor.upload("open clip", walk)
    visitor.wait(lambda: clips.slots[0] is not None, "the clip")
    visitor.press("clean")
    visitor.wait(lambda: clips.slots[1] is not None, "the clip cleaned")
    visitor.page.wait_for_selector("text=drift p95")
    assert visitor.download("motion", tmp_path).name == "takes.zip"
    visitor.upload("open clip", {"name": "x.bvh", "mimeType": "text/plain", "buffer": b"HIERARCHY\nROOT"})
    visitor.page.wait_for_selector("text=not done")
    assert clips.slots[0].motion.name == "walk"


def test_a_handle_dragged_takes_the_body_along(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Pose")
    visitor.wait(lambda: studio.panel.title == "Pose" and studio.panel.gizmos._nodes, "the handles")
    body = studio.panel.body
    visitor.picture()  # the camera has come to where it looks at the body from
    head = body.skeleton.roles.head
    before = body.world()[0][0]
    x, y, z = before[head]
    start, end = visitor.floor_pixel((x, z), y + 0.15), visitor.floor_pixel((x, z), y - 0.1)
    visitor.drag(start, end, lambda: body.world()[0][0, head, 1] < y - 0.1, "the head lower")
    feet = [leg.ankle for leg in body.skeleton.roles.legs]
    assert np.abs(body.world()[0][0, feet] - before[feet]).max() < 0.005
    assert not studio.gate.refused
    visitor.press("undo")
    visitor.wait(lambda: np.array_equal(body.world()[0][0], before), "the pose before")
