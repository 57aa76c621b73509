"""Planted feet in a packed clip: when each foot stands, and where, to a quarter of a millimetre."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.ndimage import maximum_filter1d, uniform_filter1d

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._lmz_bands import new_state
from locomote.formats._lmz_bytes import Reader, varints
from locomote.formats._lmz_coder import Bytes, Numbers
from locomote.formats._lmz_numbers import fresh
from locomote.formats._lmz_plant import ANKLE, BALL, HIP, KNEE, NUMBERS, decode_rows, encode_rows, needed_sink, plant
from locomote.math.fk import forward_kinematics
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Leg, Skeleton

if TYPE_CHECKING:
    from locomote.contacts import Contacts

_PLACE_STEP = 0.00025  # m
_TURN_STEP = 0.000625  # of a quaternion: as much at 20 cm
_EASE_SECONDS = 0.1  # over which a correction fades
_AROUND_SECONDS = 0.07  # before and after a contact in which the foot is kept as well
_UP = np.array([0.0, 1.0, 0.0])
_STEPS = np.array([_PLACE_STEP] * 3 + [_TURN_STEP] * 8)
_MAX_ROWS = 1 << 22


class Feet(NamedTuple):
    """Contacts and where the feet are in them."""

    legs: IntArray  # (L, 4) hip, knee, ankle, ball
    contacts: IntArray  # (K, 6) leg, start, stop, frames before and after over which it fades, first row
    numbers: Numbers  # (N, 11) steps

    def planted(
        self, skeleton: Skeleton, first: int, ease: int, roots: FloatArray, turns: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Root positions and rotations of frames from ``first`` on with the feet where they stood.

        Where a leg is too short for that the body sinks, smoothly over ``ease`` frames to both sides.
        """
        places, world = np.empty((len(turns), len(skeleton), 3)), np.empty_like(turns)
        forward_kinematics(skeleton.parents, skeleton.offsets[None], roots, turns, places, world)
        goals, bones = self.numbers * _STEPS, (skeleton.parents, skeleton.offsets)
        need = np.zeros(len(turns))
        needed_sink(first, self.legs, self.contacts, goals, bones, places, need)
        if np.any(need > 0.0):  # the mean of the largest around is nowhere less than what is needed
            width = 2 * ease + 1
            sink = uniform_filter1d(maximum_filter1d(need, width, mode="nearest"), width, mode="nearest")
            roots = roots - sink[:, None] * _UP
            places -= sink[:, None, None] * _UP
        out = turns.copy()
        plant(first, self.legs, self.contacts, goals, bones, places, world, out)
        return roots, out


def ease_of(fps: float) -> int:
    """Over how many frames a correction fades."""
    return max(round(_EASE_SECONDS * fps), 1)


def feet_of(motion: Motion, contacts: Contacts | None) -> Feet | None:
    """What is to be kept of the contacts of a motion; of legs that are two bones and a foot."""
    if contacts is None:
        return None
    if len(contacts) != len(motion):
        raise LocomoteError(f"the contacts are of {len(contacts)} frames, the motion has {len(motion)}")
    legs: list[tuple[int, int, int, int]] = []
    rows: list[Numbers] = []
    table: list[tuple[int, int, int]] = []
    places, turns = motion.world()
    for number, leg in enumerate(contacts.legs):
        if motion.translations is not None or not _is_plain(motion.skeleton, leg):
            continue
        ball = leg.ball if motion.skeleton.parents[leg.ball] == leg.ankle else leg.ankle
        for start, stop in _widened(contacts.intervals(number), len(motion), motion.fps):
            told = [places[start:stop, ball], *(rot.continuous(turns[start:stop, j]) for j in (leg.ankle, ball))]
            table.append((len(legs), int(start), int(stop)))
            rows.append(np.rint(np.concatenate(told, axis=1) / _STEPS).astype(np.int32))
        legs.append((leg.hip, leg.knee, leg.ankle, ball))
    if not table:
        return None
    return _feet(np.array(legs, dtype=np.int64), table, np.concatenate(rows), motion.fps)


def _widened(intervals: IntArray, frames: int, fps: float) -> list[tuple[int, int]]:
    """Contacts with the last of the way down and the first of the way up, which tell a contact from a foot near by."""
    more = max(round(_AROUND_SECONDS * fps), 1)
    out: list[tuple[int, int]] = []
    for start, stop in intervals.tolist():
        begin, end = max(start - more, 0), min(stop + more, frames)
        if out and begin <= out[-1][1] + 1:
            begin = out.pop()[0]
        out.append((begin, end))
    return out


def _is_plain(skeleton: Skeleton, leg: Leg) -> bool:
    up = skeleton.parents
    return leg.hip > 0 and up[leg.knee] == leg.hip and up[leg.ankle] == leg.knee and leg.detached_foot is None


def _feet(legs: IntArray, table: list[tuple[int, int, int]], numbers: Numbers, fps: float) -> Feet:
    """Contacts with how far their corrections may reach: never past half way to the next."""
    most = ease_of(fps)
    contacts = np.zeros((len(table), 6), dtype=np.int64)
    row = 0
    for k, (leg, start, stop) in enumerate(table):
        before = start - table[k - 1][2] if k > 0 and table[k - 1][0] == leg else 2 * most
        after = table[k + 1][1] - stop if k + 1 < len(table) and table[k + 1][0] == leg else 2 * most
        contacts[k] = leg, start, stop, min(most, before // 2), min(most, (after + 1) // 2), row
        row += stop - start
    return Feet(legs, contacts, np.ascontiguousarray(numbers))


def pack_feet(feet: Feet) -> bytes:
    """The feet in bytes: second differences within a contact, differences from contact to contact."""
    head = [len(feet.legs), *feet.legs.ravel(), len(feet.contacts)]
    leg, end = 0, 0
    for number, start, stop in feet.contacts[:, :3]:
        end = end if number == leg else 0
        head += [number - leg, start - end, stop - start]
        leg, end = number, stop
    rows = _differences(feet)
    out: Bytes = np.empty(16 * rows.size + 64, dtype=np.uint8)
    size = encode_rows(rows, fresh(), np.zeros((2, NUMBERS), dtype=np.int64), new_state(), out)
    return varints(head) + out[:size].tobytes()


def _differences(feet: Feet) -> Numbers:
    rows = feet.numbers.copy()
    last: dict[int, Numbers] = {}
    for leg, start, stop, _, _, at in feet.contacts:
        own = feet.numbers[at : at + stop - start]
        speeds = np.diff(own, axis=0)
        rows[at] = own[0] - last.get(int(leg), np.zeros(NUMBERS, dtype=np.int32))
        rows[at + 1 : at + stop - start] = np.diff(speeds, axis=0, prepend=np.zeros((1, NUMBERS), dtype=np.int32))
        last[int(leg)] = own[-1]
    return rows


def unpack_feet(data: bytes, skeleton: Skeleton, frames: int, fps: float) -> Feet:
    """The feet whose bytes these are."""
    reader = Reader(data)
    count = reader.varint()
    if count > len(skeleton):
        raise LocomoteError(f"{count} legs are more than there are joints")
    legs = np.array([reader.varint() for _ in range(4 * count)], dtype=np.int64).reshape(count, 4)
    up = skeleton.parents
    if np.any(legs >= len(skeleton)) or np.any(legs[:, HIP] < 1):
        raise LocomoteError("a leg names a joint that does not exist")
    if np.any(up[legs[:, KNEE]] != legs[:, HIP]) or np.any(up[legs[:, ANKLE]] != legs[:, KNEE]):
        raise LocomoteError("a leg is not one")
    if np.any((legs[:, BALL] != legs[:, ANKLE]) & (up[legs[:, BALL]] != legs[:, ANKLE])):
        raise LocomoteError("a leg has no foot")
    table: list[tuple[int, int, int]] = []
    leg, end, total = 0, 0, 0
    for _ in range(reader.varint()):
        step, gap, length = reader.varint(), reader.varint(), reader.varint()
        leg, end = leg + step, end if step == 0 else 0
        table.append((leg, end + gap, end + gap + length))
        end, total = end + gap + length, total + length
        if leg >= count or length < 1 or end > frames or total > _MAX_ROWS:
            raise LocomoteError("a contact lies outside the clip")
    rows: Numbers = np.zeros((total, NUMBERS), dtype=np.int32)
    stream = np.frombuffer(reader.take(reader.left), dtype=np.uint8)
    decode_rows(rows, fresh(), np.zeros((2, NUMBERS), dtype=np.int64), new_state(), stream)
    return _summed(_feet(legs, table, rows, fps))


def _summed(feet: Feet) -> Feet:
    last: dict[int, IntArray] = {}
    numbers = np.empty(feet.numbers.shape, dtype=np.int64)
    for leg, start, stop, _, _, at in feet.contacts:
        rows = feet.numbers[at : at + stop - start].astype(np.int64)
        first = rows[0] + last.get(int(leg), np.zeros(NUMBERS, dtype=np.int64))
        rows[0] = 0
        numbers[at : at + stop - start] = first + np.cumsum(np.cumsum(rows, axis=0), axis=0)
        last[int(leg)] = numbers[at + stop - start - 1]
    return feet._replace(numbers=np.clip(numbers, -(1 << 30), 1 << 30).astype(np.int32))
