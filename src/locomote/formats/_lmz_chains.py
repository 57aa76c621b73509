"""What goes together in the limbs of one clip: small turns of the channels of chains of joints, kept with the clip.

The joints of a back bend alike, those of a leg one against the other; a clip of some seconds pays for telling so.
"""

from __future__ import annotations

import numpy as np

from locomote.formats._lmz_bytes import Reader
from locomote.formats._lmz_chart import APART, Chart
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

_LONGEST = 5  # joints in one chain: it is kept by the square of its channels
_STEP = 1.0 / 127.0


def chains(skeleton: Skeleton) -> list[IntArray]:
    """The channels of every chain, from `APART` on: joints of which each is the only child of the one before."""
    children = np.bincount(skeleton.parents[1:], minlength=len(skeleton))
    found: list[list[int]] = []
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        chain = next((c for c in found if c[-1] == parent), None) if children[parent] == 1 else None
        if chain is None or len(chain) == _LONGEST:
            found.append([j])
        else:
            chain.append(j)
    return [(3 + 3 * np.array(chain)[:, None] + np.arange(3) - APART).reshape(-1) for chain in found]


def size_of(skeleton: Skeleton) -> int:
    """How many bytes turns of all chains take."""
    return sum(len(part) ** 2 for part in chains(skeleton))


def fit_chains(chart: Chart, motion: Motion) -> FloatArray:
    """The principal axes of every chain as they come back from a file, ``(N, N)``, N = 3 J - 1; see `Chart.turn`."""
    rows = chart.numbers(motion)[:, APART : APART + 3 * len(chart.skeleton) - 1]
    rows = rows - rows.mean(axis=0)
    turn = np.eye(rows.shape[1])
    for part in chains(chart.skeleton):
        _, vectors = np.linalg.eigh(rows[:, part].T @ rows[:, part])
        turn[np.ix_(part, part)] = vectors[:, ::-1].T
    return chains_of(Reader(bytes_of_chains(turn, chart.skeleton)), chart.skeleton)


def bytes_of_chains(turn: FloatArray, skeleton: Skeleton) -> bytes:
    """One byte a number."""
    return b"".join(np.rint(turn[np.ix_(part, part)] / _STEP).astype(np.int8).tobytes() for part in chains(skeleton))


def chains_of(reader: Reader, skeleton: Skeleton) -> FloatArray:
    """The turn whose bytes come next."""
    turn = np.eye(3 * len(skeleton) - 1)
    for part in chains(skeleton):
        told = np.frombuffer(reader.take(len(part) ** 2), dtype=np.int8)
        turn[np.ix_(part, part)] = told.reshape(len(part), -1) * _STEP
    return turn
