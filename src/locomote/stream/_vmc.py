"""Virtual Motion Capture: people as OSC over UDP, for Unity, Unreal, Blender and VTuber programs.

Unity is left-handed: y is up, z forward and x to the right, where ours goes to the left. A place (x, y, z) becomes
(-x, y, z), a rotation (w, x, y, z) becomes the quaternion x, -y, -z, w; left stays left. The protocol knows one
performer only, so each person goes to a port of its own.

The root is the person's place on the ground and where it faces; the hips are relative to it. A program that leaves the
root out shows the person walking on the spot.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.rotations import FloatArray
from locomote.skeleton import Roles, Skeleton
from locomote.stream import _osc as osc
from locomote.stream._engine import Engine
from locomote.stream._faces import face
from locomote.stream._frames import Frame, GroupFrame, GroupLayout
from locomote.stream._sending import Sender, datagrams, resolved

PORT = 39539  # that programs listen on as a rule
MOST_BYTES = 1472  # of a datagram that fits into one packet of Ethernet
MOST_BYTES_LOCAL = 16384  # within one machine there are larger packets: a frame stays in one bundle
SPINE = ("Spine", "Chest", "UpperChest")


def bones_of(skeleton: Skeleton) -> dict[int, str]:
    """Joints and the names that Unity's HumanBodyBones has for them, by what the joints are for."""
    roles = skeleton.roles
    if len(roles.legs) != 2:
        raise SkeletonError(f"VMC: {len(roles.legs)} legs; the protocol is for people")
    bones = {roles.root: "Hips", **_spine(skeleton, roles)}
    if roles.neck:
        bones[roles.neck[0]] = "Neck"
    if roles.head is not None:
        bones[roles.head] = "Head"
    for leg in roles.legs:
        side = leg.side.capitalize()
        bones |= {leg.hip: f"{side}UpperLeg", leg.knee: f"{side}LowerLeg", leg.ankle: f"{side}Foot"}
        if leg.ball != leg.ankle:
            bones[leg.ball] = f"{side}Toes"
    for arm in roles.arms:
        side = arm.side.capitalize()
        if arm.clavicle is not None:
            bones[arm.clavicle] = f"{side}Shoulder"
        bones |= {arm.shoulder: f"{side}UpperArm", arm.elbow: f"{side}LowerArm", arm.wrist: f"{side}Hand"}
    for joint in bones:
        parent = int(skeleton.parents[joint])
        if parent >= 0 and parent not in bones:
            raise SkeletonError(f"VMC: {skeleton.names[parent]} is no bone of Unity's, but carries one")
    return dict(sorted(bones.items()))


def _spine(skeleton: Skeleton, roles: Roles) -> dict[int, str]:
    if len(roles.spine) > len(SPINE):
        raise SkeletonError(f"VMC: {len(roles.spine)} joints of a spine, Unity has {len(SPINE)}")
    return dict(zip(roles.spine, SPINE, strict=False))


def place_in_unity(place: FloatArray) -> FloatArray:
    """Places ``(..., 3)`` in Unity's left-handed space."""
    return place * (-1.0, 1.0, 1.0)


def turn_in_unity(rotation: FloatArray) -> FloatArray:
    """Rotations ``(..., 4)`` wxyz as Unity's x, y, z, w."""
    return rotation[..., [1, 2, 3, 0]] * (1.0, -1.0, -1.0, 1.0)


class VmcPerformer:
    """The messages of one person, frame by frame."""

    def __init__(self, skeleton: Skeleton, offsets: FloatArray | None = None) -> None:
        """A skeleton, and the offsets ``(N, J, 3)`` of bodies that have their own."""
        self._bones = bones_of(skeleton)
        self._joints = np.array(list(self._bones), dtype=np.int64)
        self._offsets = place_in_unity((skeleton.offsets[None] if offsets is None else offsets)[:, self._joints])
        # In Unity's rest pose no bone is turned: what ours are turned there is taken out on both sides.
        _, rest = skeleton.rest_pose()
        parents = skeleton.parents[self._joints]
        above = np.where(parents[:, None] >= 0, rest[parents], rot.identity(1))
        self._before, self._after = above, rot.inverse(rest[self._joints])

    def messages(self, time: float, group: GroupFrame, who: int) -> list[bytes]:
        """What is told of one person of a frame."""
        place = group.places[who].astype(np.float64)
        heading = float(group.headings[who])
        facing = rot.from_yaw(heading)
        turns = group.rotations[who, self._joints].astype(np.float64)
        turns = rot.multiply(rot.multiply(self._before, turns), self._after)
        turns[0] = rot.multiply(rot.inverse(facing), turns[0])
        places = self._offsets[who % len(self._offsets)] * float(group.scales[who])
        hips = rot.rotate(rot.inverse(facing), group.root_positions[who].astype(np.float64) - place)
        places[0] = place_in_unity(hips)
        root = *place_in_unity(place).tolist(), *turn_in_unity(facing).tolist()
        rows = np.concatenate([places, turn_in_unity(turns)], axis=1).tolist()
        return [
            osc.message("/VMC/Ext/OK", 1),
            osc.message("/VMC/Ext/T", float(time)),
            osc.message("/VMC/Ext/Root/Pos", "root", *root),
            *(
                osc.message("/VMC/Ext/Bone/Pos", bone, *row)
                for bone, row in zip(self._bones.values(), rows, strict=True)
            ),
        ]


def face_messages(time: float, who: int) -> list[bytes]:
    """What is told of the face of a person at a time, seconds."""
    values = [osc.message("/VMC/Ext/Blend/Val", name, value) for name, value in face(time, who).items()]
    return [*values, osc.message("/VMC/Ext/Blend/Apply")]


class VmcSender(Sender):
    """Sends people of an engine's stage to programs that show avatars.

    Parameters
    ----------
    engine : whose frames
    host : of the receiver
    port : of the first person; the next are sent to the ports after it
    group : of people, by name
    who : their indices
    """

    def __init__(
        self,
        engine: Engine,
        host: str = "127.0.0.1",
        port: int = PORT,
        *,
        group: str = "people",
        who: Sequence[int] = (0,),
    ) -> None:
        super().__init__(engine, "VMC")
        self.group, self.who = group, tuple(who)
        if not self.who or not 1 <= port <= 65536 - len(self.who):
            raise LocomoteError(f"VMC: port {port} for {len(self.who)} people: expected 1 to 65535 for each")
        self.addresses = [(resolved(host, "VMC"), port + number) for number in range(len(self.who))]
        local = ipaddress.ip_address(self.addresses[0][0]).is_loopback
        self._most = MOST_BYTES_LOCAL if local else MOST_BYTES
        self.failed = 0  # datagrams that could not be sent
        self._check(engine.latest)
        self._performers: dict[int, VmcPerformer] = {}  # by the identity of the skeleton

    def _check(self, frame: Frame) -> None:
        index = frame.layout.index(self.group)
        if index is None or frame.layout.groups[index].kind != "people":
            raise LocomoteError(f"VMC: there is no group of people named {self.group!r}")
        layout = frame.layout.groups[index]
        if min(self.who) < 0 or max(self.who) >= layout.count:
            raise LocomoteError(f"VMC: {self.group} has characters 0 to {layout.count - 1}, not {self.who}")
        bones_of(layout.skeleton)

    def _run(self) -> None:
        with datagrams(self.addresses[0][0]) as out:
            for frame in self._frames():
                index = frame.layout.index(self.group)
                if index is not None:
                    self._send(out, frame, frame.layout.groups[index], frame.groups[index])

    def _send(self, out: socket.socket, frame: Frame, layout: GroupLayout, group: GroupFrame) -> None:
        performer = self._performers.get(id(layout.skeleton))
        if performer is None:
            performer = VmcPerformer(layout.skeleton, layout.offsets)
            self._performers = {id(layout.skeleton): performer}
        for who, address in zip(self.who, self.addresses, strict=True):
            if who >= layout.count:
                continue
            for messages in (performer.messages(frame.time, group, who), face_messages(frame.time, who)):
                for datagram in osc.bundles(messages, self._most):
                    try:
                        out.sendto(datagram, address)
                    except OSError:  # nobody listens yet, or the network is down: the next frame may get through
                        self.failed += 1
        self.sent += 1
