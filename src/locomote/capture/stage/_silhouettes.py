"""What a camera sees of a body, as black and white pictures."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from locomote.capture.stage._surfaces import Surface, surface_of
from locomote.draw._camera import Camera
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

Masks = npt.NDArray[np.bool_]


def silhouettes(subject: Motion | Surface | tuple[FloatArray, IntArray], camera: Camera | Sequence[Camera]) -> Masks:
    """The pixels that a body covers, ``(F, H, W)``, true inside; a pixel counts by its middle.

    Parameters
    ----------
    subject
        A motion (drawn with its own skin, a mannequin or rounded limbs), or a surface ``(F, V, 3)`` m with faces
        ``(T, 3)`` as `meshes` gives it.
    camera
        From where: one for all frames, or one for each of the F frames.
    """
    from locomote.capture._kernels.coverage import cover_frames

    vertices, faces = surface_of(subject)
    cameras = cameras_of(camera, len(vertices))
    out = np.zeros((len(vertices), cameras[0].height, cameras[0].width), dtype=np.bool_)
    eyes = np.array([one.eye for one in cameras], dtype=np.float64)
    inverses = np.array([one.inverse for one in cameras], dtype=np.float64)
    scratch = np.empty((vertices.shape[1], 3))
    cover_frames(vertices, faces, eyes, inverses, bool(cameras[0].perspective), scratch, out)
    return out


def cameras_of(camera: Camera | Sequence[Camera], frames: int) -> list[Camera]:
    """One camera for each frame, all with pictures of one size."""
    cameras = [camera] * frames if isinstance(camera, Camera) else list(camera)
    if len(cameras) != frames:
        raise LocomoteError(f"{len(cameras)} cameras for {frames} frames: give one, or one for each")
    if len({(one.width, one.height, one.perspective) for one in cameras}) > 1:
        raise LocomoteError("cameras of one film must have pictures of one size, all with or all without perspective")
    return cameras
