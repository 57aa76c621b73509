"""The published correction of branch lengths: mode by mode, a bend that grows slower than its amplitude."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.modal.trees._kernels.lengths import restore_lengths
from locomote.modal.trees._kernels.product import in_rows
from locomote.modal.trees._species import Species
from locomote.rotations import FloatArray

_SAMPLES = 21  # amplitudes at which a mode is walked
_BENDS = np.geomspace(0.02, 4.0, 24)  # over the largest amplitude: how soon it bends
FARTHEST = 0.25  # of the height: the largest displacement that is looked at


class SourceCorrection(NamedTuple):
    """``u = s first + s² second`` with ``s = arctan(bend q) / bend``, for every mode."""

    bends: FloatArray  # (M,)
    first: FloatArray  # (M, N, 3)
    second: FloatArray  # (M, N, 3)


def source_correction(species: Species) -> SourceCorrection:
    """Fit every mode to the walk from parents to children; sums of modes it does not see (WND-08)."""
    tree, ones = species.branches, np.ones(_SAMPLES, dtype=np.float32)
    bends, first, second = np.empty(len(species.rates)), np.empty_like(species.shapes), np.empty_like(species.shapes)
    for i, shape in enumerate(species.shapes):
        most = FARTHEST * species.height / float(np.max(np.linalg.norm(shape, axis=1)))
        amplitudes = np.linspace(-most, most, _SAMPLES)
        walked = in_rows(species.nodes + amplitudes[:, None, None] * shape)
        restore_lengths(tree, len(species), len(species), ones, walked)
        wanted = (walked - tree.rest).astype(np.float64)[:, : 3 * len(species)]
        best = np.inf
        for bend in _BENDS / most:
            s = np.arctan(bend * amplitudes) / bend
            basis = np.stack([s, s * s], axis=1)
            found = np.linalg.lstsq(basis, wanted, rcond=None)[0]
            off = float(np.sum((basis @ found - wanted) ** 2))
            if off < best:
                best, bends[i] = off, bend
                first[i], second[i] = found.reshape(2, -1, 3)
    return SourceCorrection(bends, first, second)
