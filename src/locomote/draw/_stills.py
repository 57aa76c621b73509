"""Single pictures: one frame, or a row of poses."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

import numpy as np
from PIL import Image

from locomote.contacts.footing import GroundOrTimes, ObstaclesOrTimes
from locomote.draw import _palette as palette
from locomote.draw._arrows import Arrows
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import Camera, camera, check_view, cut_place, fitting_scale
from locomote.draw._follow import FINER, check_closeup
from locomote.draw._panels import panels
from locomote.draw._saving import save_picture
from locomote.draw._scene import render
from locomote.draw._shapes import Shapes, extent, joined
from locomote.draw._stage import ContactsOrNot, StagedMotion, prepare
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

_GAP = 0.06  # of the body's size between neighbouring poses
_LEAST_STEP = 0.62  # of the width of a pose, between poses that are shown where they were
_REACH = 1.5  # of the body's size: how far the floor of a still is seen around the body


def frame(
    motion: Motion,
    index: int,
    path: str | PathLike[str] | None = None,
    *,
    contacts: ContactsOrNot = None,
    view: str = "three-quarter",
    size: tuple[int, int] = (640, 640),
    background: palette.Colour | None = palette.PAPER,
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    closeup: str | None = None,
    skin: bool = True,
    arrows: Arrows | None = None,
) -> Image.Image:
    """One frame of a motion.

    Parameters
    ----------
    motion : what is shown, with its skin if it has one
    index : of the frame; may count from the end
    path : of a picture to write
    contacts : found unless given; False leaves them out
    view, size : one of `VIEWS`, and pixels
    background : red, green, blue, 0 to 255; None for a transparent picture
    ground, obstacles : what it goes over and what stands there, as they are or as functions of the time in seconds
    closeup : "feet" shows only what is below the knees
    skin : without it all are drawn around their bones
    arrows : such as those of forces, drawn with the body
    """
    motion = checked_motion(motion, "draw")
    if not -len(motion) <= index < len(motion):
        raise LocomoteError(f"frame {index}: the motion has frames 0 to {len(motion) - 1}")
    view, near = check_view(view, ground is not None), check_closeup(closeup)
    clip = prepare(motion, contacts, ground, near, obstacles, skin).with_arrows(arrows)
    at = index % len(motion)
    shapes = clip.shapes(at)
    yaw = float(clip.yaws[at])
    shown = clip.lower_legs(at) if near else shapes
    eye = fitted(shown, view, yaw, size, margin=0.09, perspective=view != "top")
    spot = clip.path[at, [0, 2]]
    cell = clip.cell * FINER if near else clip.cell
    backdrop = Backdrop(clip.plane, np.array([spot, spot]), _REACH * clip.figure.size, cell)
    backdrop = standing_on(backdrop, clip, [at], view, yaw)
    picture = render(shapes, backdrop, eye, clip.figure.size, background)
    return save_picture(picture, path)


def strobe(
    motion: Motion,
    path: str | PathLike[str] | None = None,
    *,
    contacts: ContactsOrNot = None,
    poses: int = 8,
    view: str = "side",
    size: tuple[int, int] = (1600, 500),
    background: palette.Colour | None = palette.PAPER,
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    closeup: str | None = None,
    skin: bool = True,
    arrows: Arrows | None = None,
) -> Image.Image:
    """Poses evenly spaced in time, side by side from left to right on one floor.

    On a ``ground`` or among ``obstacles`` that stand still the poses are where they were, and fewer if they would hide
    one another. Where these move, on the spot, and in a ``closeup`` of the feet every pose has a picture of its own.

    Parameters
    ----------
    motion : what is shown, with its skin if it has one
    path : of a picture to write
    contacts : found unless given; False leaves them out
    poses : how many
    view, size : one of `VIEWS`, and pixels
    background : red, green, blue, 0 to 255; None for a transparent picture
    ground, obstacles : what it goes over and what stands there, as they are or as functions of the time in seconds
    closeup : "feet" shows only what is below the knees
    skin : without it all are drawn around their bones
    arrows : such as those of forces, drawn with the body
    """
    view = check_view(view, ground is not None)
    near = check_closeup(closeup)
    clip = prepare(motion, contacts, ground, near, obstacles, skin).with_arrows(arrows)
    frames = pose_frames(len(motion), poses)
    if near or clip.in_place:
        apart = [] if near else _places_apart(clip, poses, view)
        if len(apart) < 2:
            return save_picture(panels(clip, frames, view, size, near, background), path)
        return save_picture(_in_place(clip, apart, view, size, background), path)
    shapes, middles = spread(clip, frames, view)
    eye = fitted(shapes, view, 0.0, size, margin=0.035)
    picture = render(shapes, plain_floor(middles, clip), eye, clip.figure.size, background)
    return save_picture(picture, path)


def _places_apart(clip: StagedMotion, poses: int, view: str) -> list[int]:
    """As many frames as stand clear of one another on ground that stands still; none if it moves."""
    if not clip.stands:
        return []
    right = camera(view, (0, 0, 0), clip.yaw, (2, 2), 1.0).axes[0]
    for count in range(poses, 1, -1):
        frames = pose_frames(len(clip.motion), count)
        reach = np.array([extent(clip.shapes(f), right) for f in frames])
        steps = np.diff(reach.mean(axis=1))
        if np.all(steps > _LEAST_STEP * np.diff(reach, axis=1).max()):
            return frames
    return []


def _in_place(
    clip: StagedMotion, frames: list[int], view: str, size: tuple[int, int], background: palette.Colour | None
) -> Image.Image:
    """Several poses of one motion at once, where they were."""
    shapes = joined([clip.shapes(f) for f in frames])
    eye = fitted(shapes, view, clip.yaw, size, margin=0.06)
    ends = clip.path[[frames[0], frames[-1]]][:, [0, 2]]
    backdrop = Backdrop(clip.plane, ends, _REACH * clip.figure.size, clip.cell)
    backdrop = standing_on(backdrop, clip, frames, view, clip.yaw)
    return render(shapes, backdrop, eye, clip.figure.size, background)


def standing_on(backdrop: Backdrop, clip: StagedMotion, frames: list[int], view: str, yaw: float) -> Backdrop:
    """The backdrop with ground and obstacles of the first of some frames; ground is cut open before the bodies."""
    backdrop = replace(backdrop, obstacles=clip.obstacles(frames[0]))
    ground = clip.ground(frames[0])
    if ground is None:
        return backdrop
    cut = cut_place(view, yaw, clip.path[frames], clip.figure.size)
    return replace(backdrop, ground=ground, cut=cut)


def pose_frames(count: int, poses: int) -> list[int]:
    """At most ``poses`` frames, evenly spaced from the first to the last."""
    if poses < 1:
        raise LocomoteError(f"poses: expected at least 1, got {poses}")
    return sorted({round(float(f)) for f in np.linspace(0, count - 1, poses)}) if poses > 1 else [count // 2]


def spread(clip: StagedMotion, frames: list[int], view: str, spacing: float | None = None) -> tuple[Shapes, FloatArray]:
    """The poses of some frames set apart so that none hides another, and the place of each ``(N, 3)``."""
    right = camera(view, (0, 0, 0), 0.0, (2, 2), 1.0).axes[0]
    bodies = [clip.centred(f) for f in frames]
    step = needed_spacing(clip, bodies, view) if spacing is None else spacing
    places = np.arange(len(frames))[:, None] * step * right
    still = np.array([1.0, 0.0, 0.0, 0.0])
    # Each pose is centred on what is seen of it, not on its pelvis, so that the gaps come out even.
    shifts = [place - np.mean(extent(b, right)) * right for place, b in zip(places, bodies, strict=True)]
    return joined([b.moved(still, shift) for b, shift in zip(bodies, shifts, strict=True)]), places


def needed_spacing(clip: StagedMotion, bodies: list[Shapes], view: str) -> float:
    """The distance at which no two neighbouring poses overlap, with a gap between them."""
    right = camera(view, (0, 0, 0), 0.0, (2, 2), 1.0).axes[0]
    widths = np.array([np.diff(extent(b, right))[0] for b in bodies])
    pairs = 0.5 * (widths[1:] + widths[:-1])
    # The first and the last must not reach beyond their shares of a row.
    least = (widths[0], widths[-1], 0.9 * widths.max(), 0.2 * clip.figure.size)
    return float(max([*pairs, *least])) + _GAP * clip.figure.size


def plain_floor(middles: FloatArray, clip: StagedMotion) -> Backdrop:
    """A level floor at height 0 without lines: between poses set apart a grid would mislead."""
    ends = middles[[0, -1]][:, [0, 2]]
    return Backdrop(np.zeros(3), ends, 0.9 * clip.figure.size, clip.cell, lines=0.0)


def fitted(
    shapes: Shapes,
    view: str,
    yaw: float,
    size: tuple[int, int],
    *,
    margin: float,
    perspective: bool = False,
) -> Camera:
    """A camera that shows all shapes, with a margin as a share of the picture's height on every side."""
    plain = camera(view, (0, 0, 0), yaw, (2, 2), 1.0)
    right, up, look = plain.axes[0], -plain.axes[1], plain.axes[2]
    middle = np.zeros(3)
    for axis in (right, up):
        middle += np.mean(extent(shapes, axis)) * axis
    middle += float(np.mean(shapes.points @ look)) * look
    edge = margin * size[1]
    points = shapes.points - middle
    aside = np.abs(np.stack([points @ right, points @ up], axis=1)) + shapes.around[:, None]
    scale = fitting_scale(aside, -points @ look, size, (edge, edge), perspective)
    return camera(view, middle, yaw, size, scale, perspective)
