"""What somebody meets who opens the studio for the first time: it moves, keys steer it, everything says what it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from locomote.human._model import HumanModel
from locomote.studio import Studio
from locomote.studio._helm import LEAD, PRESS, Helm
from locomote.studio._keys import KEYS
from locomote.studio._people import OWN, StudioPeople
from locomote.studio._stage import VIEW
from tests.studio.conftest import Visitor

TOOLTIPS = ("GuiSliderHandle", "GuiCheckboxHandle", "GuiDropdownHandle", "GuiButtonGroupHandle")
PANELS = ("People", "Steps", "Creatures", "Clips", "Pose", "Balance", "Dog", "Wind", "Modes")
UNCLEAR = ("let go", "pace", "anew", "rad", "stray", "take all away")  # words with two meanings here, or with none
LINE = 24.0  # px, of a label that is not broken


@pytest.fixture(scope="module")
def served() -> Iterator[Studio]:
    made = Studio(port=0, people=3, shadows=False)
    yield made
    made.stop()


def controls_of(studio: Studio) -> list[Any]:
    return list(studio.server.gui._gui_input_handle_from_uuid.values())


def press(studio: Studio, code: str) -> None:
    key = next(key for key in KEYS if key.code == code)
    studio.keys._last.clear()
    studio.keys.press(key, None)


def test_every_control_says_what_it_does(served: Studio) -> None:
    served.show("Creatures")
    for handle in controls_of(served):
        if type(handle).__name__ in TOOLTIPS:
            assert handle.hint, handle.label
    served.show("People")


def test_one_vocabulary(served: Studio) -> None:
    assert tuple(panel.title for panel in served.panels) == PANELS
    words = set()
    for handle in controls_of(served):
        words |= {str(handle.label), *map(str, getattr(handle, "options", ()))}
    gaits = {"pace"}  # of animals, which is what the word means everywhere
    for word in words - gaits:
        assert not any(part in word.replace("/", " ").split() or part == word for part in UNCLEAR), word
    for panel in served.panels:
        assert panel.about
        assert 2 <= len(panel.tries) <= 3


def test_keys_steer_whoever_is_shown(served: Studio) -> None:
    served.show("People")
    people = served.panels[0].people
    start, others = people.crowd.headings.copy(), people.crowd.speeds.copy()
    press(served, "arrowleft")
    press(served, "arrowup")
    for _ in range(150):
        served.tick()
    turned = np.remainder(people.crowd.headings - start + math.pi, math.tau) - math.pi
    assert turned[0] == pytest.approx(PRESS, abs=0.05)
    assert np.abs(turned[1:]).max() < 0.1  # they may give way
    assert people.crowd.speeds[0] == pytest.approx(1.5, abs=0.05)
    assert served.panels[0].speed.value == pytest.approx(1.5)
    np.testing.assert_allclose(people.crowd.speeds[1:], others[1:], atol=0.05)
    press(served, "N")
    assert people.chosen == 1
    press(served, "P")
    assert not served.playing.value
    press(served, "P")
    for title, heading in (("Creatures", lambda p: p.creatures.crowd.headings[0]),):
        served.show(title)
        before = float(heading(served.panel))
        press(served, "arrowright")
        for _ in range(240):
            served.tick()
        assert math.remainder(float(heading(served.panel)) - before, math.tau) == pytest.approx(-PRESS, abs=0.1)
    served.show("People")


def test_a_key_that_is_held_leads_no_further_than_a_hand_would() -> None:
    helm, heading = Helm(), 1.0
    goals = [helm.turn(0, heading, 1) for _ in range(10)]
    assert goals[0] == pytest.approx(heading + PRESS)
    assert goals[-1] == pytest.approx(heading + LEAD)
    assert helm.turn(0, heading, -1) == pytest.approx(heading + LEAD - PRESS)
    assert helm.turn(1, heading, -1) == pytest.approx(heading - PRESS)


def test_the_style_shown_is_that_of_the_person() -> None:
    people = StudioPeople(HumanModel.default(), 3)
    came = people.crowd.styles.copy()
    people.choose(1)
    people.mix_styles("proud", "swagger", 0.25)
    for _ in range(240):
        people.advance(1.0 / 60.0)
    assert people.style_in_words(1) == "proud 0.75, swagger 0.25"
    assert (people.manners[1].style, people.manners[1].share) == ("proud", 0.25)
    assert people.manners[0].style == OWN
    np.testing.assert_allclose(people.crowd.styles[[0, 2]], came[[0, 2]], atol=1e-6)
    people.mix_styles(OWN, "swagger", 0.0)
    for _ in range(240):
        people.advance(1.0 / 60.0)
    np.testing.assert_allclose(people.crowd.styles[1], came[1], atol=1e-6)
    people.set_count(2)
    people.set_count(4)
    assert people.manners[1].style == OWN


def test_the_panel_shows_the_manner_of_the_one_that_is_chosen(served: Studio) -> None:
    served.show("People")
    panel = served.panels[0]
    panel.people.choose(0)
    panel.people.mix_styles("calm", "eager", 0.5)
    panel.people.tell(gait="run")
    panel.people.choose(2)
    panel._show_chosen()
    assert (panel.style.value, panel.share.value, panel.gait.value) == (OWN, 0.0, "by speed")
    panel.people.choose(0)
    panel._show_chosen()
    assert (panel.style.value, panel.other.value, panel.share.value) == ("calm", "eager", 0.5)
    assert panel.gait.value == "run"


def seen_share(studio: Studio) -> float:
    """How much of the picture's height what is shown takes, from the camera of who opens the page now; all is in it."""
    camera, points = studio.server.initial_camera, studio.panel.subject()
    assert points is not None
    eye, aim = np.array(camera.position), np.array(camera.look_at)
    ahead = (aim - eye) / np.linalg.norm(aim - eye)
    right = np.cross(ahead, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    away = studio.stage.seen(points) - eye
    depth = away @ ahead
    assert depth.min() > 0.0
    half = depth * math.tan(0.5 * VIEW)
    across, up = (away @ right) / half, (away @ np.cross(right, ahead)) / half
    assert max(np.abs(across).max(), np.abs(up).max()) < 1.0
    assert -0.5 < 0.5 * (across.min() + across.max()) < -0.1  # to the left of the middle: right is the panel
    return 0.5 * float(max(np.ptp(across), np.ptp(up)))


@pytest.mark.parametrize("title", [title for title in PANELS if title not in ("Balance", "Dog")])
def test_the_camera_frames_what_is_shown(served: Studio, title: str) -> None:
    served.show("Steps" if title == "People" else "People")  # whoever was chosen there has gone on since
    served.show(title)
    assert seen_share(served) > 0.25
    if title == "Creatures":
        for kind in ("horse", "mouse", "centipede"):
            served.panel._change(lambda creatures, kind=kind: creatures.choose_kind(kind))
            assert seen_share(served) > 0.25
    served.show("People")


def test_clips_and_figures_have_one_definition() -> None:
    from locomote.studio._clips import Clips

    clips = Clips()
    clips.sample()
    (clip, _) = clips.slots
    assert clip is not None
    end = clip.motion.duration - 0.5 / clip.motion.fps
    from locomote.studio import _clips

    whole = _clips.contact_skate(clip.contacts, len(clip.motion) - 1, 100.0)
    assert whole == pytest.approx(clip.measures.skate_contact, rel=1e-12)
    drifts = [clip.reading(t).drift for t in np.arange(0.0, end, 1.0 / clip.motion.fps)]
    assert max(drifts) == pytest.approx(clip.measures.drift_max, rel=1e-12)
    skates = [clip.reading(t).speed for t in np.arange(1.0, end, 0.1)]
    assert min(skates) < 1000.0 * clip.measures.skate_contact < max(skates)
    assert "skate contact mm/s" in clips.table()


def test_arrow_keys_steer_in_the_browser_and_leave_the_camera(visitor: Visitor, studio: Studio) -> None:
    people, page = studio.panels[0].people, visitor.page
    with studio.lock:
        heading = float(people.crowd.headings[0])
    client = next(iter(studio.server.get_clients().values()))
    eye = np.array(client.camera.position)
    page.mouse.move(150.0, 200.0)
    page.keyboard.press("ArrowLeft")

    def turned() -> float:
        return math.remainder(float(people.crowd.headings[0]) - heading, math.tau)

    visitor.wait(lambda: turned() > 0.8 * PRESS, "a turn to the left")
    page.keyboard.press("ArrowUp")
    visitor.wait(lambda: people.crowd.speeds[0] > 1.45, "a quicker walk")
    np.testing.assert_allclose(np.array(client.camera.position), eye, atol=1e-6)
    # On a slider an arrow is for the slider.
    slider = visitor.row("speed m/s").get_by_role("slider").first
    slider.focus()
    with studio.lock:
        heading = float(people.crowd.headings[0])
    page.keyboard.press("ArrowLeft")
    visitor.wait(lambda: abs(people.crowd.speeds[0] - 1.45) < 0.02, "the slider moved")
    assert abs(turned()) < 0.2 * PRESS
    assert not studio.gate.refused


def test_the_panel_that_is_shown_is_marked_and_no_label_is_broken(visitor: Visitor, studio: Studio) -> None:
    page = visitor.page

    def fill(title: str) -> str:
        button = page.get_by_role("button", name=title, exact=True).first
        colour: str = button.evaluate("node => getComputedStyle(node).backgroundColor")
        return colour

    for title in ("Steps", "Creatures", "Modes", "Pose", "People"):
        visitor.press(title)
        visitor.wait(lambda title=title: studio.panel.title == title, title)
        page.wait_for_function(
            "title => [...document.querySelectorAll('button')].some(node => node.innerText == title"
            " && getComputedStyle(node).color == 'rgb(255, 255, 255)')",
            arg=title,
        )
        assert [fill(other) == fill(title) for other in PANELS].count(True) == 1
        heights = page.evaluate(
            "[...document.querySelectorAll('label')].map(node => [node.innerText, node.getBoundingClientRect().height])"
        )
        assert [text for text, height in heights if height > LINE] == []


def control(studio: Studio, kind: str, label: str) -> Any:
    return next(c for c in controls_of(studio) if type(c).__name__ == kind and c.label == label)


def click(group: Any, option: str) -> None:
    """Press a button of a group, as the page's message does."""
    group._impl.value = option
    for call in group._impl.update_cb:
        call(SimpleNamespace(client=None, client_id=None, target=group))


@pytest.mark.feature("PCA-094")
def test_a_session_from_sliders_to_an_obstacle_that_nobody_foresaw() -> None:
    """The view in three dimensions, sliders with numbers beside them, values reached in time, a button, a key."""
    studio = Studio(port=0, people=1, shadows=False)
    try:
        people = studio.panels[0].people
        assert seen_share(studio) > 0.25
        within, speed = (control(studio, "GuiSliderHandle", label) for label in ("reached in s", "speed m/s"))
        within.value = 4.0
        speed.value = 2.1
        speeds = []
        for _ in range(300):
            studio.tick()
            speeds.append(float(people.crowd.speeds[0]))
        at = np.array([1.3, 1.5, 1.7, 1.9, 2.1, 2.1])  # at every second of the way
        np.testing.assert_allclose([speeds[0], *speeds[59::60]], at, atol=0.06)
        click(control(studio, "GuiButtonGroupHandle", "do"), "jump")
        states = set()
        for _ in range(180):
            studio.tick()
            states.add(people.crowd.states[0])
        assert "flight" in states
        outlines = []
        for _ in range(6):
            press(studio, "O")
            outlines.append(people.obstacles.outline(list(people.obstacles)[-1]))
        assert len(people.obstacles) == 6
        x, z = people.crowd.positions[0, [0, 2]]
        heading = float(people.crowd.headings[0])
        middles = np.array([outline.mean(axis=0) for outline in outlines]) - [x, z]
        ahead = middles @ [math.sin(heading), math.cos(heading)]
        assert np.all((ahead > 2.0) & (ahead < 9.0))
        sizes = [float(np.linalg.norm(np.ptp(outline, axis=0))) for outline in outlines]
        for found in (ahead, sizes, [people.obstacles.height(one) for one in people.obstacles]):
            assert len({round(float(value), 3) for value in found}) >= 3  # none like the other
        for _ in range(240):  # and it goes on
            studio.tick()
        assert np.hypot(*(people.crowd.positions[0, [0, 2]] - [x, z])) > 1.0
    finally:
        studio.stop()
