"""How stiff the joints of a body must be for it to stand."""

from __future__ import annotations

import numpy as np

from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.modal._holds import Hold
from locomote.modal._jointed import JointedBody
from locomote.modal._modes import _null_space
from locomote.modal._rows import point_rows, rows_of, tree_columns
from locomote.rotations import FloatArray

SAGS = 0.05  # of the length of its legs that a body sinks under its own weight


def sag(body: JointedBody) -> float:
    """How far the hips or the head of a body sink under its weight, m, on feet that stay where and as they are.

    By the springs at their rest pose alone. Without legs it is how far any part of the body sinks, held at its root.
    """
    linkage, columns = body.linkage, tree_columns(body.linkage)
    down = _static(body, columns)
    roles = body.skeleton.roles
    if roles.legs:
        joints = [*(leg.hip for leg in roles.legs), *([] if roles.head is None else [roles.head])]
        heights = [point_rows(linkage, body.body(j), body.world[0][j])[1] for j in joints]
        return float(np.max(np.abs(np.stack(heights) @ columns @ down)))
    heights = [point_rows(linkage, b, linkage.centre[b])[1] for b in range(len(linkage))]
    return float(np.max(np.abs(np.stack(heights) @ columns @ down)))


def holding(body: JointedBody, share: float = SAGS) -> float:
    """The factor by which all springs must be stiffer for a body to sink by so much under its own weight.

    Parameters
    ----------
    body : with its springs
    share : of the length of its legs
    """
    if not 0.0 < share < 1.0:
        raise LocomoteError(f"share {share:g}: expected a part of the length of the legs, above 0 and below 1")
    return max(sag(body) / (share * body.leg_length), 1e-12)


def _static(body: JointedBody, columns: FloatArray) -> FloatArray:
    """Where springs and weight are in balance, in the coordinates of the tree."""
    linkage = body.linkage
    legs = body.skeleton.roles.legs
    names = tuple(dict.fromkeys(body.skeleton.names[leg.toe] for leg in legs)) or (body.skeleton.names[0],)
    free = _null_space(Hold("fixed", names).rows(body) @ columns)
    inner = rows_of(linkage).turns @ columns @ free
    weight = np.zeros((len(linkage), 6))
    weight[:, 4] = -GRAVITY * linkage.mass
    stiff = (inner.T * linkage.stiffness) @ inner
    down: FloatArray = free @ np.linalg.solve(stiff, free.T @ (columns.T @ weight.reshape(-1)))
    return down
