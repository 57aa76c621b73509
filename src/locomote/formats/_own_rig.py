"""The file behind a body whose joints were changed since: what puts a motion back onto the joints of the file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.formats._gltf_sample import local_pose
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

_MOVES = 1e-6  # of the size of the body; a joint that strays further from its rest has a translation of its own


@dataclass(frozen=True, eq=False)
class OwnRig:
    """A file's skeleton and body, and where the joints of a body made from them are among its joints."""

    skeleton: Skeleton  # of the file
    body: Body  # of the file, with its source
    joints: IntArray  # (J,) the joint of the file behind each joint
    inside: FloatArray  # (J, 3) where it is in the frame of the joint, in the file's unit
    turn: FloatArray  # (4,) of the body in its rest pose, against the file
    scale: float  # of the body, against the file

    @classmethod
    def behind(cls, rig: Motion, joints: IntArray, body: Body, scale: float) -> OwnRig:
        """The link from a body to the rig that it was made of, from where both were bound."""
        assert rig.body is not None
        positions, turns = rig.skeleton.rest_pose()
        turn = rot.multiply(body.bind_rotations[0], rot.inverse(turns[joints[0]]))
        # The body was turned and shifted as a whole; the shift shows at any joint that was left in its place.
        seen = rot.rotate(turn, positions[joints])
        shift = np.median(body.bind_positions / scale - seen, axis=0)
        inside = rot.rotate(rot.inverse(body.bind_rotations), seen + shift - body.bind_positions / scale)
        return cls(rig.skeleton, rig.body, joints, inside, turn, scale)

    def restored(self, motion: Motion) -> Motion:
        """A motion of the body on all joints of the file, in the unit of the file; what has no part in it rests."""
        places, frames = motion.world()
        places = places / self.scale + rot.rotate(frames, self.inside)
        rest, rest_turns = self.skeleton.rest_pose()
        count, first = len(self.skeleton), int(self.joints[0])
        positions, turns = np.empty((len(motion), count, 3)), np.empty((len(motion), count, 4))
        kept = {int(j): k for k, j in enumerate(self.joints)}
        carried = self._weighted()
        led = rot.multiply(frames[:, 0], rot.inverse(rest_turns[first]))
        for j in range(count):
            parent = int(self.skeleton.parents[j])
            if j in kept:
                positions[:, j], turns[:, j] = places[:, kept[j]], frames[:, kept[j]]
            elif carried[j] and not any(k in kept for k in self.skeleton.ancestors(j)):
                # Skin that hangs on a node above the body goes with the body.
                positions[:, j] = places[:, 0] + rot.rotate(led, rest[j] - rest[first])
                turns[:, j] = rot.multiply(led, rest_turns[j])
            elif parent < 0:
                positions[:, j], turns[:, j] = rest[j], rest_turns[j]
            else:
                positions[:, j] = positions[:, parent] + rot.rotate(turns[:, parent], self.skeleton.offsets[j])
                turns[:, j] = rot.multiply(turns[:, parent], self.skeleton.rest_rotations[j])
        moved, local = local_pose(self.skeleton.parents, positions, turns)
        size = max(float(np.ptp(rest, axis=0).max()), 1e-9)
        stray = np.abs(moved[:, 1:] - self.skeleton.offsets[1:]).max(initial=0.0)
        return Motion(
            skeleton=self.skeleton,
            fps=motion.fps,
            root_positions=positions[:, 0],
            rotations=rot.continuous(local),
            translations=moved if stray > _MOVES * size else None,
            name=motion.name,
            body=self.body,
        )

    def _weighted(self) -> np.ndarray:
        """Which joints have skin of their own ``(count,)``."""
        out = np.zeros(len(self.skeleton), dtype=bool)
        out[np.unique(self.body.joints[self.body.weights > 0.0])] = True
        return out
