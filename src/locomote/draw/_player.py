"""Motions as a page of their own: a small player with their data in it, which needs nothing from anywhere."""

from __future__ import annotations

import base64
import html
import json
import os
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.contacts import detect
from locomote.draw import _palette as palette
from locomote.draw._skin import DrawnSkin, skin_of
from locomote.errors import LocomoteError
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


def player_page(motion: Motion | Sequence[Motion]) -> str:
    """The page as text."""
    cast = _cast(motion)
    data = json.dumps(_data(cast), separators=(",", ":"), allow_nan=False)
    script = files("locomote.draw").joinpath("player.js").read_text(encoding="utf-8")
    title = html.escape(cast[0].name or "motion") if len(cast) == 1 else f"{len(cast)} together"
    return _PAGE.format(title=title, data=data.replace("<", "\\u003c"), script=script)


def save_player(motion: Motion | Sequence[Motion], path: str | os.PathLike[str]) -> None:
    """Write a page with a player to a file.

    Parameters
    ----------
    motion : what it plays; several are played together, where they are
    path : .html
    """
    page = player_page(motion)
    with atomic_path(path) as temporary:
        Path(temporary).write_text(page, encoding="utf-8")


def player_frame(motion: Motion | Sequence[Motion]) -> str:
    """The page inside a frame, as a notebook shows it."""
    page = html.escape(player_page(motion), quote=True)
    return (
        f'<iframe srcdoc="{page}" width="{SIZE[0]}" height="{SIZE[1]}" '
        'style="border:1px solid #d8dde5;border-radius:6px" sandbox="allow-scripts"></iframe>'
    )


def show(motion: Motion | Sequence[Motion], path: str | os.PathLike[str] | None = None) -> None:
    """Play a motion, or several: into a file, in the notebook that one is in, or else in the browser."""
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


def _cast(motion: Motion | Sequence[Motion]) -> list[Motion]:
    """Who is shown, all at one rate and for as long as the shortest is."""
    given = list(motion) if isinstance(motion, (list, tuple)) else [motion]
    if not given:
        raise LocomoteError("save_player: no motion to play")
    cast: list[Motion] = [checked_motion(each, "save_player") for each in given]
    rate = min(cast[0].fps, FASTEST) if cast[0].fps <= 1.01 * FASTEST else FASTEST
    cast = [each if abs(each.fps - rate) <= 0.01 * rate else each.resampled(rate) for each in cast]
    frames = min(MOST_FRAMES, *map(len, cast))
    return [each[:frames] for each in cast]


class _Figure(NamedTuple):
    """One body as the player has it: joints, vertices, feet."""

    turn: FloatArray  # (F, J, 4) since vertices were attached
    shift: FloatArray  # (F, J, 3) m
    planted: npt.NDArray[np.bool_]  # (F, L)
    skin: DrawnSkin
    size: float  # m, the greatest extent of its first pose
    ground: float  # m


def _figure(shown: Motion, most: int) -> _Figure:
    skeleton = shown.skeleton
    body = default_body(skeleton) if shown.body is None else shown.body
    if len(body.vertices) > most:
        body = default_body(skeleton)
    skin = skin_of(skeleton, body)
    positions, turns = shown.world()
    contacts = detect(shown)
    planted = contacts.foot if contacts.foot.shape[1] else np.zeros((len(shown), 1), dtype=bool)
    # What carries the vertices is the turn since they were attached.
    turn = rot.multiply(turns, rot.inverse(skin.body.bind_rotations))
    shift = positions - rot.rotate(turn, skin.body.bind_positions)
    size = max(float(np.ptp(positions[0], axis=0).max()), 1e-3)
    return _Figure(turn, shift, planted, skin, size, contacts.floor.height)


def _data(cast: list[Motion]) -> dict[str, Any]:
    figures = [_figure(each, MOST_VERTICES // len(cast)) for each in cast]
    roots = np.stack([each.joint_positions()[:, each.skeleton.roles.root] for each in cast], axis=1)
    turn, shift = (np.concatenate([part[k] for part in figures], axis=1) for k in (0, 1))
    root = cast[0].skeleton.roles.root
    if len(cast) > 1:  # the camera follows the middle of all: a joint of its own behind theirs
        root, middle = turn.shape[1], roots.mean(axis=1, keepdims=True)
        turn = np.concatenate([turn, np.broadcast_to(rot.IDENTITY, (len(middle), 1, 4))], axis=1)
        shift = np.concatenate([shift, middle], axis=1)
    low, span = shift.min(axis=(0, 1)), np.maximum(np.ptp(shift, axis=(0, 1)), 1e-6)
    joints, vertices, legs = (
        np.cumsum([0, *counts])
        for counts in (
            [each.turn.shape[1] for each in figures],
            [len(each.skin.body.vertices) for each in figures],
            [each.planted.shape[1] for each in figures],
        )
    )
    skins = [each.skin for each in figures]
    painted = [_painted(skin.body.triangles, len(skin.body.vertices), skin.colours, skin.foot) for skin in skins]
    feet = [np.where(own >= 0, own + first, own) for (_, own), first in zip(painted, legs, strict=False)]
    tall = max(each.size for each in figures)
    size = tall + 0.8 * float(np.ptp(roots[0], axis=0).max())
    ground = min(each.ground for each in figures)
    heading = float(rot.yaw(cast[0].world()[1][0, cast[0].skeleton.roles.root]))
    return {
        "fps": cast[0].fps,
        "frames": len(cast[0]),
        "joint_count": turn.shape[1],
        "root": root,
        "legs": int(legs[-1]),
        "size": size,
        "cell": 10.0 ** round(float(np.log10(0.5 * tall))) * (1.0 if tall < 5.0 else 2.0),
        "aim": ground + 0.5 * tall,
        "ground": ground,
        "yaw": heading + 0.9,
        "green": list(palette.PLANTED),
        "low": low.tolist(),
        "span": span.tolist(),
        "vertices": _text(np.concatenate([skin.body.vertices for skin in skins]), np.float32),
        "triangles": _text(_after_each_other([skin.body.triangles for skin in skins], vertices), np.uint32),
        "joints": _text(_after_each_other([skin.body.joints[:, :4] for skin in skins], joints), np.uint16),
        "weights": _text(np.concatenate([np.round(255.0 * skin.body.weights[:, :4]) for skin in skins]), np.uint8),
        "paint": _text(np.concatenate([paint for paint, _ in painted]), np.uint8),
        "feet": _text(np.concatenate(feet), np.int16),
        "positions": _text(np.round((shift - low) / span * 2 * _WHOLE - _WHOLE), np.int16),
        "rotations": _text(np.round(turn * _WHOLE), np.int16),
        "planted": _text(np.concatenate([each.planted for each in figures], axis=1), np.uint8),
    }


def _after_each_other(tables: list[npt.NDArray[Any]], firsts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Tables of numbers that count anew in each body, as one in which they go on."""
    return np.concatenate([table + first for table, first in zip(tables, firsts, strict=False)])


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
