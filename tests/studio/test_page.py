"""The page in a real browser: what a visitor does is seen in the world, and the other way round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import locomote as lm
from locomote.studio import Studio
from tests.studio.conftest import Visitor

pytestmark = pytest.mark.xdist_group("studio page")  # one visit, one test after the other


def people_of(studio: Studio):
    return studio.panels[0].people


def test_the_page_shows_people_and_their_feet(visitor: Visitor) -> None:
    page = visitor.page
    assert "locomote studio" in page.title() or page.get_by_text("locomote studio").first.is_visible()
    page.wait_for_function("() => document.body.innerText.includes('mm/s')")
    picture = page.screenshot()
    assert len(picture) > 20_000  # not an empty page


def test_sliders_change_the_walk(visitor: Visitor, studio: Studio) -> None:
    people = people_of(studio)
    visitor.set_number("speed m/s", 0.8)
    visitor.wait(lambda: abs(people.crowd.speeds[0] - 0.8) < 0.05, "a slower walk")
    visitor.set_number("leg length m", 1.1)
    visitor.wait(lambda: people.crowd.leg_lengths[0] > 1.05, "longer legs")
    visitor.set_number("turn °/s", 30)
    visitor.wait(lambda: people.crowd.turn_rates[0] > 0.4, "a turn")
    visitor.choose("gait", "run")
    visitor.wait(lambda: people.crowd.gaits[0] > 0.9, "a run")
    visitor.choose("gait", "by speed")
    visitor.set_number("turn °/s", 0)
    visitor.set_number("leg length m", 0.9)
    visitor.set_number("speed m/s", 1.3)
    visitor.wait(lambda: people.meter.reading.speed < 1.0, "feet that stay")


def test_a_puddle_dropped_ahead_is_jumped(visitor: Visitor, studio: Studio) -> None:
    people, seen = people_of(studio), set()
    visitor.wait(lambda: abs(people.crowd.speeds[0] - 1.3) < 0.1, "a plain walk")
    visitor.press("puddle")
    visitor.wait(lambda: len(people.obstacles) == 1, "the puddle")
    visitor.wait(lambda: seen.add(people.crowd.states[0]) or "flight" in seen, "a jump")
    visitor.press("remove all")
    visitor.wait(lambda: len(people.obstacles) == 0, "a clean floor")


def test_clicks_send_people_and_put_things_in_their_way(visitor: Visitor, studio: Studio) -> None:
    people = people_of(studio)
    with studio.lock:
        studio.following.value = False
        place = people.crowd.positions[0]
        studio.stage.look_at(place)
    goal = (float(place[0]) - 1.0, float(place[2]) - 0.5)
    visitor.pause()
    visitor.click_floor(goal)
    visitor.wait(lambda: people.way_of(0) is not None, "a goal")
    assert np.hypot(*(np.array(people.way_of(0)[0]) - goal)) < 0.15
    visitor.choose("on click", "box")
    spot = (goal[0] - 1.0, goal[1] + 1.0)
    visitor.click_floor(spot)
    visitor.wait(lambda: len(people.obstacles) == 1, "a box")
    (box,) = people.obstacles
    assert np.hypot(*(people.obstacles.outline(box).mean(axis=0) - spot)) < 0.15
    start, end = visitor.floor_pixel(spot, 0.45), visitor.floor_pixel((spot[0] + 0.8, spot[1] - 0.4), 0.45)
    visitor.drag(start, end, lambda: people.obstacles.outline(box).mean(axis=0)[0] > spot[0] + 0.4, "the box dragged")
    visitor.choose("on click", "remove")
    visitor.click_floor(tuple(people.obstacles.outline(box).mean(axis=0)))
    visitor.wait(lambda: len(people.obstacles) == 0, "the box removed")
    visitor.choose("on click", "go there")
    studio.following.value = True


def test_a_crowd_comes_by_a_slider(visitor: Visitor, studio: Studio) -> None:
    people = people_of(studio)
    visitor.set_number("people", 30)
    visitor.wait(lambda: len(people) == 30, "thirty people")
    frames = studio.frames
    visitor.wait(lambda: studio.frames > frames + 30, "frames of the crowd")
    assert people.meter.reading.speed < 1.0
    visitor.set_number("people", 1)
    visitor.wait(lambda: len(people) == 1, "one again")


def record(visitor: Visitor, studio: Studio) -> None:
    """Record a second of whatever goes on."""
    visitor.press("record")
    visitor.wait(lambda: studio.keeping.seconds > 1.0, "a recording")
    visitor.press("stop")


def test_what_is_recorded_can_be_downloaded_and_read(visitor: Visitor, studio: Studio, tmp_path: Path) -> None:
    people = people_of(studio)
    visitor.press("walk freely")
    visitor.set_number("speed m/s", 1.4)
    visitor.wait(lambda: people.crowd.speeds[0] > 1.3, "a walk")
    record(visitor, studio)
    for ending in (".glb", ".bvh", ".usda"):
        visitor.choose("format", ending)
        motion = lm.load(visitor.download("motion", tmp_path))
        assert len(motion) > 30
        assert lm.measure(motion).drift_p95 < 10.0


def test_a_picture_and_a_film_are_downloaded(
    visitor: Visitor, studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(visitor, studio)
    monkeypatch.setattr("locomote.studio._saving.PICTURE", (160, 90))
    monkeypatch.setattr("locomote.studio._recording.FILM_SIZE", (96, 54))
    path = visitor.download("picture", tmp_path)
    assert path.name == "picture.png"
    with Image.open(path) as picture:
        assert picture.size == (160, 90)
    path = visitor.download("film", tmp_path)
    assert path.name == "film.mp4"
    imageio = pytest.importorskip("imageio_ffmpeg")
    frames, seconds = imageio.count_frames_and_secs(str(path))
    assert frames > 15
    assert seconds > 0.8


def test_scenes_go_out_and_come_back(visitor: Visitor, studio: Studio, tmp_path: Path) -> None:
    people = people_of(studio)
    with studio.lock:
        people.clear_things()
    visitor.press("wall")
    visitor.wait(lambda: len(people.obstacles) == 1, "a wall")
    path = visitor.download("scene", tmp_path)
    visitor.press("remove all")
    visitor.wait(lambda: len(people.obstacles) == 0, "a clean floor")
    visitor.upload("open scene", path)
    visitor.wait(lambda: len(people.obstacles) == 1, "the wall of the scene")


@pytest.mark.parametrize("content", [b"\x00\x01", b'model = "/etc/passwd"\n[[character]]\ngo_to=[0,1]\n'])
def test_hostile_uploads_change_nothing(visitor: Visitor, studio: Studio, content: bytes) -> None:
    people = people_of(studio)
    before = len(people.obstacles), len(people)
    visitor.upload("open scene", {"name": "../../evil.toml", "mimeType": "text/plain", "buffer": content})
    visitor.page.wait_for_selector("text=not done")
    assert (len(people.obstacles), len(people)) == before
