"""glTF animations: their tracks of keys, the frame rate behind the key times, and values between keys."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._gltf_document import Document, Json
from locomote.rotations import FloatArray

_RATES = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 90.0, 100.0, 120.0, 240.0)  # frames per second
_DEFAULT_RATE = 30.0
_RATE_RANGE = (5.0, 1000.0)  # frames per second that a spacing of keys may stand for
_MAX_NOTED_RATE = 1e4  # frames per second; more is damage
_ON_FRAME = 0.02  # frames; a key this near to a frame is meant to lie on it
_FLOAT32_STEP = 1.2e-7  # relative; key times are stored with this precision
_WIDTHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}


@dataclass(frozen=True, eq=False)
class Track:
    """The keys of one property of one node."""

    times: FloatArray  # (K,) seconds, not decreasing
    values: FloatArray  # (K, width); (3 K, width) with tangents for CUBICSPLINE; rotations are wxyz
    mode: str  # LINEAR, STEP or CUBICSPLINE
    turns: bool  # the values are rotations

    def in_frames(self, fps: float) -> Track:
        """The same track with its times in frames; keys that are meant to lie on a frame do so exactly."""
        values = self.values
        if self.mode == "CUBICSPLINE":
            values = values / np.tile([fps, 1.0, fps], len(self.times))[:, None]  # tangents were per second
        return replace(self, times=on_frames(self.times, fps), values=values)

    def at(self, times: FloatArray) -> FloatArray:
        """The values at some times; before the first and after the last key they stand still."""
        if len(self.times) == 1:
            middle = self.values[1 if self.mode == "CUBICSPLINE" else 0]
            return np.tile(rot.normalize(middle) if self.turns else middle, (len(times), 1))
        before = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, len(self.times) - 2)
        span = self.times[before + 1] - self.times[before]
        t = np.clip((times - self.times[before]) / np.where(span > 0.0, span, 1.0), 0.0, 1.0)
        if self.mode == "CUBICSPLINE":
            out = self._cubic(before, t[:, None], span[:, None])
        elif self.mode == "STEP" or np.all((t == 0.0) | (t == 1.0)):  # no frame lies between keys
            out = self.values[np.where(t >= 1.0, before + 1, before)]
        elif self.turns:
            keys = rot.normalize(self.values)
            return rot.slerp(keys[before], keys[before + 1], t)
        else:
            out = (1.0 - t[:, None]) * self.values[before] + t[:, None] * self.values[before + 1]
        return rot.normalize(out) if self.turns else out

    def _cubic(self, before: np.ndarray, t: FloatArray, span: FloatArray) -> FloatArray:
        keys = self.values.reshape(len(self.times), 3, -1)  # in-tangent, value, out-tangent
        start, leave = keys[before, 1], keys[before, 2] * span
        end, arrive = keys[before + 1, 1], keys[before + 1, 0] * span
        out: FloatArray = (
            (2 * t**3 - 3 * t**2 + 1) * start
            + (t**3 - 2 * t**2 + t) * leave
            + (3 * t**2 - 2 * t**3) * end
            + (t**3 - t**2) * arrive
        )
        return out


@dataclass(frozen=True, eq=False)
class Animation:
    """One animation: tracks by node and property, and its first and last key time."""

    name: str
    tracks: dict[tuple[int, str], Track]
    start: float
    end: float
    fps: float  # as noted by our own writer, else as the key times suggest


def animation_names(document: Document) -> list[str]:
    """The names of all animations; ``animation_3`` where a file gives none."""
    names = [item.get("name") for item in document.items("animations")]
    return [name if isinstance(name, str) and name else f"animation_{a}" for a, name in enumerate(names)]


def choose(document: Document, wanted: str | int | None) -> int | None:
    """The index of an animation by name or index; the first by default, `None` where there is none."""
    names = animation_names(document)
    if wanted is None:
        return 0 if names else None
    if isinstance(wanted, str) and wanted in names:
        return names.index(wanted)
    number = int(wanted) if isinstance(wanted, int) or wanted.isdecimal() else -1
    if 0 <= number < len(names):
        return number
    known = ", ".join(f"{a} {name}" for a, name in enumerate(names)) or "none"
    raise LocomoteError(f"{document.path}: no animation {wanted!r}; there are: {known}")


def read_animation(document: Document, a: int) -> Animation:
    """One animation with its keys checked and, where they lie on frames, put exactly there."""
    place = f"animations[{a}]"
    item = document.items("animations")[a]
    samplers = document.list_of(item, "samplers", place)
    tracks: dict[tuple[int, str], Track] = {}
    for c, channel in enumerate(document.list_of(item, "channels", place)):
        spot = f"{place}.channels[{c}]"
        target = document.dict_of(channel, "target", spot)
        path = target.get("path")
        if "node" not in target or not isinstance(path, str) or path not in _WIDTHS:
            continue  # morph weights, or a property of an extension
        s = document.integer(channel, "sampler", spot)
        if s >= len(samplers):
            raise document.error(spot, f"'sampler' is {s}, but there are {len(samplers)} samplers")
        node = document.index(target, "node", spot, "nodes")
        tracks[node, path] = _track(document, samplers[s], path, f"{place}.samplers[{s}]")
    if not tracks:
        return Animation(animation_names(document)[a], {}, 0.0, 0.0, _DEFAULT_RATE)
    start = min(float(track.times[0]) for track in tracks.values())
    end = max(float(track.times[-1]) for track in tracks.values())
    fps = _noted_rate(item) or _rate_of_keys([track.times for track in tracks.values()])
    return Animation(animation_names(document)[a], tracks, start, end, fps)


def _track(document: Document, sampler: Json, path: str, place: str) -> Track:
    mode = sampler.get("interpolation", "LINEAR")
    if mode not in ("LINEAR", "STEP", "CUBICSPLINE"):
        raise document.error(place, "interpolation must be LINEAR, STEP or CUBICSPLINE")
    times = document.accessor(document.index(sampler, "input", place, "accessors"), ["SCALAR"])[:, 0]
    values = document.accessor(document.index(sampler, "output", place, "accessors"), [_WIDTHS[path]])
    times, values = times.astype(np.float64), values.astype(np.float64)
    wanted = len(times) * (3 if mode == "CUBICSPLINE" else 1)
    if not len(times) or len(values) != wanted:
        raise document.error(place, f"{len(times)} key times need {wanted} values, there are {len(values)}")
    if np.any(np.diff(times) < 0.0):
        raise document.error(place, f"its key times go back after key {int(np.argmax(np.diff(times) < 0.0))}")
    turns = path == "rotation"
    return Track(times, values[:, [3, 0, 1, 2]] if turns else values, mode, turns)


def _noted_rate(item: Json) -> float | None:
    """The frame rate that our own writer leaves in an animation."""
    extras = item.get("extras")
    value = extras.get("fps") if isinstance(extras, dict) else None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0.0 < value <= _MAX_NOTED_RATE:
        return float(value)
    return None


def _rate_of_keys(all_times: list[FloatArray]) -> float:
    """The usual rate of the commonest spacing of keys, else one at which every key lies on a frame."""
    times = np.unique(np.concatenate(all_times))
    gaps = np.diff(times)
    gaps = gaps[gaps > 1e-6]
    if not len(gaps):
        return _DEFAULT_RATE
    spacings, counts = np.unique(np.round(gaps, 4), return_counts=True)
    common = spacings[np.argmax(counts)]
    rate = float(1.0 / np.mean(gaps[np.abs(gaps - common) < 1e-4]))
    nearest = min(_RATES, key=lambda usual: abs(usual - rate))
    if abs(nearest - rate) < 0.01 * rate:
        return nearest
    for usual in _RATES:
        if np.all(on_frames(times, usual) % 1.0 == 0.0):
            return usual
    return rate if _RATE_RANGE[0] <= rate <= _RATE_RANGE[1] else _DEFAULT_RATE


def on_frames(times: FloatArray, fps: float) -> FloatArray:
    """Times in frames; one that misses a frame by no more than rounding is put on it."""
    frames = times * fps
    nearest = np.round(frames)
    near = np.abs(frames - nearest) <= _ON_FRAME + _FLOAT32_STEP * np.abs(frames)
    return np.where(near, nearest, frames)
