"""A motion as a page of its own: a small player with the motion's data in it, which needs nothing from anywhere."""

from __future__ import annotations

import base64
import html
import json
import os
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.contacts import detect
from locomote.draw import _palette as palette
from locomote.draw._skin import skin_of
from locomote.formats._files import atomic_path
from locomote.mannequin import default_body
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

FASTEST = 30.0  # frames a second that are kept
MOST_FRAMES = 900
MOST_VERTICES = 40_000  # of a body; more detailed ones are shown as a plain one
SIZE = (720, 420)  # px of the player in a notebook
_WHOLE = 32767  # of the numbers that stand for places and rotations

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
html, body {{ margin: 0; height: 100%; font: 13px system-ui, sans-serif; color: #1c212b; background: #fff; }}
body {{ display: flex; flex-direction: column; }}
canvas {{ flex: 1; min-height: 0; width: 100%; touch-action: none; cursor: grab; }}
div {{ display: flex; gap: 10px; align-items: center; padding: 6px 12px; border-top: 1px solid #d8dde5; }}
input {{ flex: 1; }} span {{ min-width: 9em; color: #687180; }} b {{ font-weight: 600; }}
</style></head><body>
<canvas id="view"></canvas>
<div><b>{title}</b><button id="play">pause</button><input id="bar" type="range" min="0" value="0">
<span id="clock"></span></div>
<script id="motion" type="application/json">{data}</script>
<script>{script}</script>
</body></html>
"""


def player_page(motion: Motion) -> str:
    """The page as text."""
    data = json.dumps(_data(motion), separators=(",", ":"), allow_nan=False)
    script = files("locomote.draw").joinpath("player.js").read_text(encoding="utf-8")
    return _PAGE.format(title=html.escape(motion.name or "motion"), data=data.replace("<", "\\u003c"), script=script)


def save_player(motion: Motion, path: str | os.PathLike[str]) -> None:
    """Write a page with a player to a file.

    Parameters
    ----------
    motion : what it plays
    path : .html
    """
    motion = checked_motion(motion, "save_player")
    with atomic_path(path) as temporary:
        Path(temporary).write_text(player_page(motion), encoding="utf-8")


def player_frame(motion: Motion) -> str:
    """The page inside a frame, as a notebook shows it."""
    page = html.escape(player_page(motion), quote=True)
    return (
        f'<iframe srcdoc="{page}" width="{SIZE[0]}" height="{SIZE[1]}" '
        'style="border:1px solid #d8dde5;border-radius:6px" sandbox="allow-scripts"></iframe>'
    )


def show(motion: Motion, path: str | os.PathLike[str] | None = None) -> None:
    """Play a motion: into a file, in the notebook that one is in, or else in the browser."""
    if path is not None:
        save_player(motion, path)
        return
    try:
        from IPython import get_ipython
        from IPython.display import HTML, display

        if get_ipython() is not None:
            display(HTML(player_frame(motion)))
            return
    except ImportError:
        pass
    import tempfile
    import webbrowser

    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(player_page(motion))
    webbrowser.open(Path(file.name).as_uri())


def _data(motion: Motion) -> dict[str, Any]:
    shown = motion.resampled(FASTEST) if motion.fps > 1.01 * FASTEST else motion
    shown = shown[:MOST_FRAMES]
    skeleton = shown.skeleton
    body = default_body(skeleton) if shown.body is None else shown.body
    if len(body.vertices) > MOST_VERTICES:
        body = default_body(skeleton)
    skin = skin_of(skeleton, body)
    positions, turns = shown.world()
    contacts = detect(shown)
    planted = contacts.foot if contacts.foot.shape[1] else np.zeros((len(shown), 1), dtype=bool)
    # What carries the vertices is the turn since they were attached.
    turn = rot.multiply(turns, rot.inverse(skin.body.bind_rotations))
    shift = positions - rot.rotate(turn, skin.body.bind_positions)
    low, span = shift.min(axis=(0, 1)), np.maximum(np.ptp(shift, axis=(0, 1)), 1e-6)
    paint, feet = _painted(skin.body.triangles, len(skin.body.vertices), skin.colours, skin.foot)
    size = max(float(np.ptp(positions[0], axis=0).max()), 1e-3)
    heading = float(rot.yaw(turns[0, skeleton.roles.root]))
    ground = contacts.floor.height
    return {
        "fps": shown.fps,
        "frames": len(shown),
        "joint_count": len(skeleton),
        "root": skeleton.roles.root,
        "legs": planted.shape[1],
        "size": size,
        "cell": 10.0 ** round(float(np.log10(0.5 * size))) * (1.0 if size < 5.0 else 2.0),
        "aim": ground + 0.5 * size,
        "ground": ground,
        "yaw": heading + 0.9,
        "green": list(palette.PLANTED),
        "low": low.tolist(),
        "span": span.tolist(),
        "vertices": _text(skin.body.vertices, np.float32),
        "triangles": _text(skin.body.triangles, np.uint32),
        "joints": _text(skin.body.joints[:, :4], np.uint16),
        "weights": _text(np.round(255.0 * skin.body.weights[:, :4]), np.uint8),
        "paint": _text(paint, np.uint8),
        "feet": _text(feet, np.int8),
        "positions": _text(np.round((shift - low) / span * 2 * _WHOLE - _WHOLE), np.int16),
        "rotations": _text(np.round(turn * _WHOLE), np.int16),
        "planted": _text(planted, np.uint8),
    }


def _painted(
    triangles: npt.NDArray[np.int64], count: int, colours: FloatArray, foot: npt.NDArray[np.int64]
) -> tuple[FloatArray, FloatArray]:
    """Colours ``(V, 3)`` and feet ``(V,)`` of the vertices, from those of the triangles around them."""
    paint, feet = np.zeros((count, 3)), np.full(count, -1.0)
    for corner in range(3):
        paint[triangles[:, corner]] = np.round(255.0 * colours)
        feet[triangles[:, corner]] = foot
    return paint, feet


def _text(values: npt.ArrayLike, kind: type) -> str:
    return base64.b64encode(np.ascontiguousarray(np.asarray(values).astype(kind)).tobytes()).decode("ascii")
