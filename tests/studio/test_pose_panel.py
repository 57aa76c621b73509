"""The tab of the poses with a server and no page: what its gizmos and controls do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec.msgpack
import numpy as np
import pytest
from viser import _messages

import locomote as lm
from locomote.studio import Studio
from locomote.studio._gizmos import GizmoEvent
from locomote.studio._pose import StudioPose
from locomote.studio._pose_panel import NO_DRAG, PosePanel
from tests.studio.conftest import run_aside

NEAR = 0.005  # m
UNTURNED = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio(port=0, people=1, shadows=False)
    made.show("Pose")
    yield made
    made.stop()


@pytest.fixture
def panel(studio: Studio) -> PosePanel:
    found = studio.panel
    assert isinstance(found, PosePanel)
    found._begin("person")
    studio.playing.value = True
    show(studio)
    return found


def show(studio: Studio) -> None:
    for _ in range(2):
        studio.tick()


def body_of(panel: PosePanel) -> StudioPose:
    assert panel.body is not None
    return panel.body


def gizmo(panel: PosePanel, title: str) -> tuple[int, np.ndarray]:
    joint = next(grip.joint for grip in body_of(panel).state.grips if grip.title == title)
    return joint, np.array(panel.gizmos._nodes[joint][0].position)


def drag(panel: PosePanel, title: str, way: tuple[float, float, float], steps: int = 5) -> np.ndarray:
    """As a page drags: several messages come before the next frame. Gives back where to, on the page."""
    joint, start = gizmo(panel, title)
    turn = np.array([1.0, 0.0, 0.0, 0.0])
    panel.gizmos.put(GizmoEvent(joint, "start", start, turn))
    for k in range(1, steps + 1):
        panel.gizmos.put(GizmoEvent(joint, "update", start + np.array(way) * k / steps, turn))
    panel.gizmos.put(GizmoEvent(joint, "end", start + np.array(way), turn))
    show(panel.studio)
    return start + np.array(way)


def test_gizmos_sit_on_the_body_and_follow_it(panel: PosePanel) -> None:
    wanted = drag(panel, "left hand", (0.1, 0.5, 0.3))
    assert np.linalg.norm(gizmo(panel, "left hand")[1] - wanted) < NEAR
    places = body_of(panel).world()[0][0]
    for grip in body_of(panel).state.grips:
        assert gizmo(panel, grip.title)[1] == pytest.approx(places[grip.joint], abs=1e-3)
    assert panel.handle.value == "left hand"
    assert panel.pinned.value


def test_only_the_newest_of_many_drags_is_solved(panel: PosePanel, monkeypatch: pytest.MonkeyPatch) -> None:
    solved = []
    plain = StudioPose.drag
    monkeypatch.setattr(StudioPose, "drag", lambda self, *args: (solved.append(args[0]), plain(self, *args)))
    wanted = drag(panel, "right hand", (0.0, 0.3, 0.3), steps=200)
    assert len(solved) == 1
    assert np.linalg.norm(gizmo(panel, "right hand")[1] - wanted) < NEAR


def test_a_message_of_a_page_moves_the_body(panel: PosePanel) -> None:
    joint, start = gizmo(panel, "head")
    gate, scene, name = panel.studio.gate, panel.stage.scene, f"/handles/{joint}"
    asked = [
        _messages.TransformControlsDragStartMessage(name),
        _messages.TransformControlsUpdateMessage(name, UNTURNED, tuple(start - [0.0, 0.2, 0.0])),
        _messages.TransformControlsDragEndMessage(name),
    ]
    for message in asked:
        assert gate.problem(_packed(message), {}) is None
    acts = (
        scene._handle_transform_controls_drag_start(0, asked[0]),
        scene._handle_transform_controls_updates(0, asked[1]),
        scene._handle_transform_controls_drag_end(0, asked[2]),
    )
    for act in acts:
        run_aside(act)
    show(panel.studio)
    assert gizmo(panel, "head")[1] == pytest.approx(start - [0.0, 0.2, 0.0], abs=NEAR)


@pytest.mark.parametrize(
    ("turn", "place"),
    [
        (UNTURNED, (np.nan, 0.0, 0.0)),
        (UNTURNED, (0.0, 1.0)),
        (UNTURNED, (0.0, 1.0, 1e12)),
        (UNTURNED, ("up", 0.0, 0.0)),
        (UNTURNED, None),
        ((0.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0)),
        ((1.0,), (0.0, 1.0, 0.0)),
    ],
)
def test_broken_messages_are_refused(panel: PosePanel, turn: Any, place: Any) -> None:
    name = f"/handles/{gizmo(panel, 'head')[0]}"
    good = {"type": "TransformControlsUpdateMessage", "name": name, "wxyz": UNTURNED, "position": (0.0, 1.0, 0.0)}
    assert panel.studio.gate.problem(msgspec.msgpack.encode(good), {}) is None
    broken = msgspec.msgpack.encode({**good, "wxyz": turn, "position": place})
    assert panel.studio.gate.problem(broken, {}) is not None


def _packed(message: _messages.Message) -> bytes:
    return msgspec.msgpack.encode(message.as_serializable_dict())


def test_the_menu_pins_adds_and_removes(panel: PosePanel) -> None:
    panel._choose(gizmo(panel, "right hand")[0])
    panel.pinned.value = True
    assert body_of(panel).grip(gizmo(panel, "right hand")[0]).pinned
    before = gizmo(panel, "right hand")[1]
    drag(panel, "left hand", (0.1, 0.5, 0.2))
    assert gizmo(panel, "right hand")[1] == pytest.approx(before, abs=NEAR)
    panel.joint.value = "LeftForeArm"
    panel._do(lambda b: panel._choose(b.add(panel.joint.value).joint))
    show(panel.studio)
    assert panel.handle.value == "LeftForeArm"
    panel.turned.value = True
    show(panel.studio)
    node = panel.gizmos._nodes[gizmo(panel, "LeftForeArm")[0]][0]
    assert not node.disable_rotations
    panel._do(lambda b: b.remove(panel._joint()))
    show(panel.studio)
    assert "LeftForeArm" not in panel.handle.options
    assert len(panel.gizmos._nodes) == 6
    panel._do(StudioPose.undo)
    assert "LeftForeArm" in panel.handle.options


def test_a_clip_is_edited_and_kept(panel: PosePanel) -> None:
    walk = lm.samples.performer(speed=1.4, seconds=2.0).motion.resampled(30.0)
    panel._do(lambda b: b.put(walk))
    show(panel.studio)
    assert panel.what.value == "clip"
    panel._seek(0.5)
    panel.studio.playing.value = False
    show(panel.studio)
    wanted = drag(panel, "left hand", (0.1, 0.3, 0.0))
    assert gizmo(panel, "left hand")[1] == pytest.approx(wanted, abs=NEAR)
    assert not panel.studio.playing.value
    assert len(panel.drags.options) == 1
    assert panel.drags.value.startswith("1: left hand")
    assert not np.array_equal(panel.recorded()[0].rotations, walk.rotations)
    panel._do(panel._remove_drag)
    assert panel.drags.value == NO_DRAG
    assert np.array_equal(panel.recorded()[0].rotations, walk.rotations)
    assert "frame" in panel.reading()


def test_recording_is_no_trouble(panel: PosePanel) -> None:
    panel.studio.keeping.toggle()
    show(panel.studio)
    panel.studio.keeping.toggle()
    assert len(panel.recorded()[0]) == 1


def test_others_come_and_go(panel: PosePanel) -> None:
    drag(panel, "left hand", (0.1, 0.4, 0.2))
    before = body_of(panel).state
    panel.studio.show("Clips")
    assert not panel.gizmos._nodes
    panel.studio.show("Pose")
    show(panel.studio)
    assert body_of(panel).state is before
    assert len(panel.gizmos._nodes) == 6
