"""How far joints may turn: the ellipsoids of a pose space, for the bodies that move."""

from __future__ import annotations

import numpy as np

from locomote.physics._kernels.contact_rows import Ranges
from locomote.physics._reduced import ReducedBody
from locomote.rotations import FloatArray


def ranges_of(body: ReducedBody, include: FloatArray | None = None) -> Ranges:
    """The ranges of the joints of a body.

    Parameters
    ----------
    body : whose
    include : (k,) coordinates of a pose that lies within; ranges that it leaves grow until it does not
    """
    joints, space = body.joints[1:], body.space
    centres, matrices = space.limit_centres[joints], space.limit_matrices[joints].copy()
    if include is not None:
        off = np.einsum("kja,k->ja", space.directions[:, joints], include) - centres
        reach = np.einsum("ja,jab,jb->j", off, matrices, off)
        matrices /= np.maximum(1.0, _ROOM * reach)[:, None, None]
    return Ranges(np.arange(1, len(body.joints)), np.ascontiguousarray(centres), np.ascontiguousarray(matrices))


_ROOM = 1.3  # of the square of the radius that a pose needs, so that it can move on
