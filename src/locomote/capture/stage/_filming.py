"""Films of a body before a textured background that pans, with noise and with colours of choice; and where from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.capture.stage._figures import dressed
from locomote.capture.stage._silhouettes import cameras_of
from locomote.capture.stage._surfaces import meshes
from locomote.draw._backdrop import light_of
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._shapes import skinned
from locomote.draw._skin import skin_of
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

Frames = npt.NDArray[np.uint8]

_SAMPLES = 2  # rays a pixel, in each direction
_GRAINS = (48.0, 17.0, 6.0)  # pixels: sizes of the blotches of a background
_CALM = 0.35  # s; a camera that goes along does not follow every step


@dataclass(frozen=True)
class Look:
    """How a film looks.

    Parameters
    ----------
    subject : colour of the body, 0 to 255
    background : mean colour of what is behind it, 0 to 255
    texture : standard deviation of the background's blotches, 0 to 255
    pan : pixels to the right and down by which the background moves from frame to frame
    noise : standard deviation of the noise of every pixel and colour, 0 to 255
    """

    subject: tuple[float, float, float] = (172.0, 120.0, 70.0)
    background: tuple[float, float, float] = (112.0, 132.0, 96.0)
    texture: float = 14.0
    pan: tuple[float, float] = (0.0, 0.0)
    noise: float = 0.0


def film(motion: Motion, camera: Camera | Sequence[Camera], look: Look | None = None, seed: int = 0) -> Frames:
    """Colour pictures of a body, ``(F, H, W, 3)``.

    Parameters
    ----------
    motion
        What is filmed, F frames, drawn as `meshes` has it.
    camera
        From where: one for all frames, or one for each of them, see `cameras_beside`.
    look
        Colours, texture and movement of the background, noise.
    seed
        Of texture and noise.
    """
    from locomote.draw._kernels.raster import SEEN, shade

    told = Look() if look is None else look
    body = dressed(motion).body
    assert body is not None  # what is dressed has one
    cameras = cameras_of(camera, len(motion))
    skin = skin_of(motion.skeleton, body)
    positions, turns = motion.world()
    random = np.random.default_rng(seed)
    width, height = cameras[0].width, cameras[0].height
    reach = np.ceil(np.abs(told.pan) * np.array(len(motion) - 1)).astype(int) + 1
    wall = _wall(height + reach[1], width + reach[0], told, random)
    standing = np.zeros(len(motion.skeleton.roles.legs), dtype=bool)
    painted = np.tile(np.asarray(told.subject) / 255.0, (len(body.triangles), 1))
    out = np.empty((len(motion), height, width, 3), dtype=np.uint8)
    drawn = np.empty((height, width, 4), dtype=np.float32)
    for f, eye in enumerate(cameras):
        hits = cast(skinned(skin.posed(positions[f], turns[f], standing)), eye, _SAMPLES)
        seen = np.full(hits.depth.shape, SEEN, dtype=np.int8)
        shade(hits, painted, eye.rays(_SAMPLES), light_of(eye), seen, 1.0, 1e9, drawn)
        behind = _panned(wall, f, told.pan, (height, width), reach)
        picture = 255.0 * drawn[..., :3] + (1.0 - drawn[..., 3:]) * behind
        picture += told.noise * random.standard_normal(picture.shape, dtype=np.float32)
        out[f] = np.clip(np.round(picture), 0, 255).astype(np.uint8)
    return out


def cameras_beside(
    motion: Motion,
    size: tuple[int, int] = (320, 240),
    distance: float = 0.0,
    side: str = "right",
    still: bool = False,
) -> list[Camera]:
    """One camera for every frame that goes along beside a body and sees it square from the side.

    The height of the cameras is the same in all frames, so that the body bobs in the picture.

    Parameters
    ----------
    motion
        Who is filmed, F frames.
    size
        Width and height of a picture, pixels.
    distance
        From the body, m; 0 is so far that the rays are parallel.
    side
        "right" (it goes from left to right in the picture) or "left".
    still
        A camera that does not go along, and sees the whole way.
    """
    from scipy.ndimage import gaussian_filter1d

    if side not in ("right", "left"):
        raise LocomoteError(f"side {side!r}: expected right or left")
    surface = meshes(checked_motion(motion, "a camera")).vertices
    low, high = surface.min(axis=1), surface.max(axis=1)
    middle = 0.5 * (low + high)
    path = gaussian_filter1d(middle, _CALM * motion.fps, axis=0, mode="nearest")
    path[:] = path.mean(axis=0) if still else path
    path[:, 1] = 0.5 * (low[:, 1].min() + high[:, 1].max())
    ahead = _ahead(motion)
    towards = np.cross(ahead, (0.0, 1.0, 0.0)) * (1.0 if side == "right" else -1.0)
    right = np.cross((0.0, 1.0, 0.0), towards)
    off = surface - path[:, None]
    wide = np.abs(off @ right).max() / (0.42 * size[0])
    tall = np.abs(off[..., 1]).max() / (0.42 * size[1])
    scale = float(max(wide, tall))  # metres a pixel
    down = np.array([0.0, -1.0, 0.0])
    corner = -0.5 * scale * (size[0] * right + size[1] * down)
    if distance > 0.0:
        axes = np.array([scale * right, scale * down, corner - distance * towards]) / distance
        return [Camera(at + distance * towards, axes, True, *size) for at in path]
    far = 4.0 * float(np.abs(off).max())
    axes = np.array([scale * right, scale * down, -towards])
    return [Camera(at + far * towards + corner, axes, False, *size) for at in path]


def _ahead(motion: Motion) -> FloatArray:
    """The level direction in which a body faces on the whole."""
    legs, joints = motion.skeleton.roles.legs, motion.joint_positions()
    sides = [[leg.hip for leg in legs if leg.side == side] for side in ("left", "right")]
    facing = rot.rotate(motion.rotations[:, 0], (0.0, 0.0, 1.0)).mean(axis=0)
    if sides[0] and sides[1]:
        facing = np.cross(joints[:, sides[0]].mean(axis=(0, 1)) - joints[:, sides[1]].mean(axis=(0, 1)), (0, 1, 0))
    level = facing * np.array([1.0, 0.0, 1.0])
    size = float(np.linalg.norm(level))
    return level / size if size > 1e-9 else np.array([0.0, 0.0, 1.0])


def _wall(height: int, width: int, look: Look, random: np.random.Generator) -> FloatArray:
    """A background of blotches of several sizes, ``(H, W, 3)``."""
    from scipy.ndimage import gaussian_filter

    out = np.zeros((height, width, 3))
    for grain in _GRAINS:
        spots = gaussian_filter(random.standard_normal((height, width, 3)), (grain / 4, grain / 4, 0), mode="wrap")
        out += spots / max(float(spots.std()), 1e-12)
    return np.asarray(np.asarray(look.background) + look.texture / np.sqrt(len(_GRAINS)) * out)


def _panned(
    wall: FloatArray, frame: int, pan: tuple[float, float], size: tuple[int, int], reach: npt.NDArray[np.int64]
) -> FloatArray:
    """The part of the background that is behind one frame, between pixels as well."""
    out = wall
    for axis, step, most, length in ((1, pan[0], reach[0], size[1]), (0, pan[1], reach[1], size[0])):
        at = (most - 1 if step > 0.0 else 0.0) - step * frame
        whole = int(np.clip(np.floor(at), 0, most - 1))
        share = at - whole
        now = np.take(out, np.arange(whole, whole + length), axis=axis)
        after = np.take(out, np.arange(whole + 1, whole + 1 + length), axis=axis)
        out = (1.0 - share) * now + share * after
    return out
