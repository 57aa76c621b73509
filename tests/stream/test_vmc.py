"""VMC as an independent OSC library receives it, posed as Unity would."""

import socket
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pythonosc.osc_bundle import OscBundle
from pythonosc.osc_message import OscMessage
from pythonosc.parsing.ntp import IMMEDIATELY
from scipy.spatial.transform import Rotation

from locomote.errors import LocomoteError, SkeletonError
from locomote.human import Body, Crowd, HumanModel
from locomote.human_skeleton import human_skeleton
from locomote.rotations import FloatArray
from locomote.stream import Engine, VmcSender, stage_of
from locomote.stream import _osc as osc
from locomote.stream._stage import Stage
from locomote.stream._vmc import MOST_BYTES, VmcPerformer, bones_of

from .conftest import PATIENCE

PARENTS = {  # of Unity's humanoid bones
    "Spine": "Hips", "Chest": "Spine", "UpperChest": "Chest", "Neck": "UpperChest", "Head": "Neck",
    **{f"{side}{bone}": parent.format(side) for side in ("Left", "Right") for bone, parent in {
        "Shoulder": "UpperChest", "UpperArm": "{}Shoulder", "LowerArm": "{}UpperArm", "Hand": "{}LowerArm",
        "UpperLeg": "Hips", "LowerLeg": "{}UpperLeg", "Foot": "{}LowerLeg", "Toes": "{}Foot",
    }.items()},
}  # fmt: skip
OURS = {
    "Chest": "Spine1", "UpperChest": "Spine2",
    **{f"{side}{bone}": f"{side}{ours}" for side in ("Left", "Right") for bone, ours in {
        "UpperArm": "Arm", "LowerArm": "ForeArm", "UpperLeg": "UpLeg", "LowerLeg": "Leg", "Toes": "ToeBase",
    }.items()},
}  # fmt: skip


def left_handed(quaternion: list[float]) -> FloatArray:
    """The matrix of Unity's x, y, z, w: the same numbers mean the same matrix in a left-handed space."""
    return Rotation.from_quat(quaternion).as_matrix()


def posed(messages: list[OscMessage]) -> dict[str, FloatArray]:
    """Where a receiver finds the bones, in Unity's space."""
    root = next(each.params for each in messages if each.address == "/VMC/Ext/Root/Pos")
    assert root[0] == "root"
    told = {each.params[0]: each.params[1:] for each in messages if each.address == "/VMC/Ext/Bone/Pos"}
    place, turn = {"": np.array(root[1:4])}, {"": left_handed(root[4:8])}
    for bone, numbers in told.items():
        parent = PARENTS.get(bone, "")
        place[bone] = place[parent] + turn[parent] @ np.array(numbers[:3])
        turn[bone] = turn[parent] @ left_handed(numbers[3:])
    return place


def check(messages: list[OscMessage], joints: FloatArray, names: tuple[str, ...]) -> None:
    """What is received are our joints in the mirror, to a tenth of a millimetre."""
    found = posed(messages)
    assert len(found) == 1 + len(names)
    for bone, place in found.items():
        if bone:
            ours = joints[names.index(OURS.get(bone, bone))] * (-1.0, 1.0, 1.0)
            assert np.linalg.norm(place - ours) < 1e-4, bone


def parse(datagram: bytes) -> list[OscMessage]:
    bundle = OscBundle(datagram)
    assert datagram[8:16] == IMMEDIATELY
    return [bundle.content(n) for n in range(bundle.num_contents)]


def moving() -> Any:
    stage = stage_of(3, seed=5)
    stage.groups["people"].crowd.command(leg_length=[0.75, 0.9, 1.05], within=0.0)
    for _ in range(150):
        stage.advance(1 / 60)
    return stage


def test_an_independent_reader_finds_every_joint_mirrored() -> None:
    stage = moving()
    crowd, frame = stage.groups["people"].crowd, stage.frame(60.0)
    performer = VmcPerformer(crowd.poses.skeleton)
    for who in range(3):
        (datagram,) = osc.bundles(performer.messages(frame.time, frame.groups[0], who), 16384)
        messages = parse(datagram)
        assert [each.address for each in messages[:3]] == ["/VMC/Ext/OK", "/VMC/Ext/T", "/VMC/Ext/Root/Pos"]
        assert messages[0].params == [1]
        assert messages[1].params == [pytest.approx(frame.time, rel=1e-6)]
        check(messages, crowd.poses.joint_positions()[who], crowd.poses.skeleton.names)


def test_bodies_are_sent_with_their_own_bones() -> None:
    stage, bodies = Stage(), [Body("female", 4), Body("male", 80)]
    crowd = Crowd(HumanModel.default(), 2, body=bodies, ground=stage.ground, obstacles=stage.obstacles)
    stage.add("people", crowd)
    frame, layout = stage.frame(60.0), stage.groups["people"].layout
    for who in range(2):
        messages = VmcPerformer(layout.skeleton, layout.offsets).messages(0.0, frame.groups[0], who)
        check([OscMessage(each) for each in messages], crowd.poses.joint_positions()[who], layout.skeleton.names)


def test_the_root_is_on_the_ground_and_faces_where_the_person_goes() -> None:
    stage = moving()
    crowd, frame = stage.groups["people"].crowd, stage.frame(60.0)
    messages = VmcPerformer(crowd.poses.skeleton).messages(0.0, frame.groups[0], 1)
    root = OscMessage(messages[2]).params
    assert root[1:4] == pytest.approx((crowd.positions[1] * (-1, 1, 1)).tolist(), abs=1e-5)
    forward = left_handed(root[4:8]) @ (0.0, 0.0, 1.0)
    heading = crowd.headings[1]
    assert forward == pytest.approx([-np.sin(heading), 0.0, np.cos(heading)], abs=1e-6)


def test_left_stays_left() -> None:
    stage = stage_of(1, wander=False)
    frame = stage.frame(60.0)
    messages = VmcPerformer(stage.groups["people"].crowd.poses.skeleton).messages(0.0, frame.groups[0], 0)
    found = posed([OscMessage(each) for each in messages])
    assert found["LeftUpperLeg"][0] < -0.05 < 0.05 < found["RightUpperLeg"][0], "who faces +z has +x at the right"
    assert found["LeftToes"][2] > found["LeftFoot"][2] + 0.05


def test_a_frame_too_long_for_a_packet_goes_in_several_whole_bundles() -> None:
    stage = moving()
    frame = stage.frame(60.0)
    crowd = stage.groups["people"].crowd
    messages = VmcPerformer(crowd.poses.skeleton).messages(0.0, frame.groups[0], 0)
    datagrams = list(osc.bundles(messages, MOST_BYTES))
    assert len(datagrams) == 2
    assert all(len(each) <= MOST_BYTES for each in datagrams)
    check(
        [each for datagram in datagrams for each in parse(datagram)],
        crowd.poses.joint_positions()[0],
        crowd.poses.skeleton.names,
    )


def test_people_are_sent_to_one_port_each() -> None:
    sockets = two_ports()
    got: list[list[OscMessage]] = [[], []]

    def receive(n: int) -> None:
        got[n] = parse(sockets[n].recv(65536))

    # Nobody goes anywhere: messages and frames that are a moment apart are of the same places.
    with Engine(stage_of(3, seed=1, wander=False), 60.0) as engine:
        threads = [threading.Thread(target=receive, args=(n,)) for n in range(2)]
        for thread in threads:
            thread.start()
        with VmcSender(engine, "localhost", sockets[0].getsockname()[1], who=(2, 0)):
            for thread in threads:
                thread.join()
        latest = engine.latest.groups[0].places
    for messages, who in zip(got, (2, 0), strict=True):
        root = next(each.params for each in messages if each.address == "/VMC/Ext/Root/Pos")
        assert np.linalg.norm(np.array(root[1:4]) * (-1, 1, 1) - latest[who]) < 0.2
    for each in sockets:
        each.close()


def two_ports() -> list[socket.socket]:
    """Two sockets on ports next to each other."""
    while True:
        first, second = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
        first.bind(("127.0.0.1", 0))
        first.settimeout(PATIENCE)
        second.settimeout(PATIENCE)
        try:
            second.bind(("127.0.0.1", first.getsockname()[1] + 1))
        except OSError:
            first.close()
            second.close()
        else:
            return [first, second]


def test_what_cannot_be_sent_is_said() -> None:
    with (
        Engine(stage_of(0, {"wolf": 1}), 60.0) as engine,
        pytest.raises(LocomoteError, match="no group of people"),
    ):
        VmcSender(engine)
    engine = Engine(stage_of(2), 60.0)
    with pytest.raises(LocomoteError, match="characters 0 to 1"):
        VmcSender(engine, who=(2,))
    with pytest.raises(LocomoteError, match="no host"):
        VmcSender(engine, "no such host")
    with pytest.raises(LocomoteError, match="port 65535 for 2 people"):
        VmcSender(engine, port=65535, who=(0, 1))


def test_bones_are_found_by_what_joints_are_for() -> None:
    skeleton = human_skeleton()
    bones = bones_of(skeleton)
    assert len(bones) == len(skeleton) == 22
    assert bones[skeleton.index("LeftToeBase")] == "LeftToes"
    assert set(bones.values()) == {"Hips", *PARENTS}
    from locomote.creatures import Creature

    with pytest.raises(SkeletonError, match="VMC"):
        bones_of(Creature.build("spider").morphology.skeleton)


Value = st.one_of(
    st.integers(-(2**31), 2**31 - 1), st.floats(width=32, allow_nan=False), st.text("abcxyz/_ ", max_size=20)
)


@given(st.lists(st.lists(Value, max_size=6), max_size=12), st.integers(64, 400))
def test_any_message_is_read_back_by_an_independent_reader(values: list[list[Any]], most: int) -> None:
    messages = [osc.message(f"/some/where/{n}", *each) for n, each in enumerate(values)]
    read = [one for datagram in osc.bundles(messages, most) for one in parse(datagram)]
    assert [each.address for each in read] == [f"/some/where/{n}" for n in range(len(values))]
    assert [list(each.params) for each in read] == values
    assert all(len(each) % 4 == 0 for each in messages)
