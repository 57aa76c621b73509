"""Where markers were not seen, and what of the body could not be told from the others."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.capture.markers._subject import Subject
from locomote.capture.markers._tables import Attached
from locomote.rotations import FloatArray


class Gap(NamedTuple):
    """A stretch in which a marker, or all markers of a part of the body, were not seen."""

    what: str  # the name of the marker; the joint of a part; "all markers"
    first: int  # frame
    frames: int
    bridged: bool  # False where nothing else told where it was: the pose was carried over the gap

    def __str__(self) -> str:
        how = "told by the others" if self.bridged else "carried over from before and after"
        return f"{self.what}: frames {self.first} to {self.first + self.frames - 1}, {how}"


def gaps_of(seen: FloatArray, attached: Attached, subject: Subject) -> tuple[Gap, ...]:
    """The gaps of every marker, then of every part of the body none of whose markers were seen.

    Parameters
    ----------
    seen : (F, M, 3) m, NaN where a marker was not seen
    attached : the markers
    subject : the body they are on
    """
    there: npt.NDArray[np.bool_] = np.array(np.isfinite(seen[..., 0]))
    skeleton = subject.skeleton
    below = np.zeros((len(skeleton), len(skeleton)), dtype=np.bool_)  # [j, a]: j is a, or hangs on it
    for j in range(len(skeleton)):
        below[j, skeleton.ancestors(j)] = True
    out = []
    for m, name in enumerate(attached.names):
        # A bone is told by other markers on it, or on what hangs on it.
        joint = int(attached.joints[m])
        others = below[attached.joints, joint] & (np.arange(len(attached)) != m)
        told = np.sum(there[:, others], axis=1) >= 2
        for first, last in runs(np.array(~there[:, m])):
            out.append(Gap(name, first, last - first, bool(told[first:last].all())))
    for joint in np.unique(attached.joints).tolist():
        own = attached.joints == joint
        if own.sum() > 1:
            for first, last in runs(np.array(~there[:, own].any(axis=1))):
                out.append(Gap(f"all of {subject.skeleton.names[joint]}", first, last - first, False))
    for first, last in runs(np.array(~there.any(axis=1))):
        out.append(Gap("all markers", first, last - first, False))
    return tuple(out)


def runs(flags: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First frame, and the one after the last, of every stretch of frames that are true."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in list(pairwise(edges))[::2]]
