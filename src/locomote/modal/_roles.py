"""Which vibrations are for what: legs that swing in turn, knees that bend together, arms that spread.

Letters are those of the source; H to K are ours, for gaits whose modes it picked by hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.modal._modes import Modes
from locomote.rotations import FloatArray

FAST = 3.0  # Hz above which a vibration counts for half: at equal energy it moves less
ASIDE = 0.3  # of the way of its feet that a gait goes sideways, at most
ROLES = {
    "A": "knees bend in turn",
    "B": "legs swing in turn",
    "C": "feet rise in turn",
    "D": "knees bend together",
    "E": "feet rise together",
    "F": "fore knees or elbows bend in turn",
    "G": "fore limbs swing in turn",
    "H": "hind legs swing together",
    "I": "fore limbs swing together",
    "J": "legs spread",
    "K": "fore limbs spread",
    "L": "fore knees or elbows bend together",
}
_FORE = "FGIKL"
_TURNED = "ABCFG"  # in turn; the others together
_WEIGHTS = {"A": 4.0, "B": 4.0, "C": 1.0, "E": 1.0}  # where two roles ask for one vibration; 2 for the others
_BENDS, _RISES, _SPREADS = "ADFL", "CE", "JK"  # the others swing


class Pair(NamedTuple):
    """What a left and a right limb do in each mode."""

    bends: FloatArray  # (M, 2) rad of knee or elbow
    ends: FloatArray  # (M, 2, 3) of the feet or hands, seen from the root: to the left, up, ahead; lengths of the limb
    spreads: FloatArray  # (M, 2) of the same, away from the middle: outwards for limbs that hang, up for spread ones


def pairs(modes: Modes) -> tuple[Pair, Pair | None]:
    """The hind legs, and the fore legs or arms, of a body with two sides."""
    body = modes.body
    if body is None:
        raise LocomoteError("roles are those of the limbs of a skeleton; make the vibrations by Modes.of")
    roles = body.skeleton.roles
    rows = sorted({leg.row for leg in roles.legs})
    found = {(leg.row, leg.side): (k, leg) for k, leg in enumerate(roles.legs)}
    both = [row for row in rows if {(row, "left"), (row, "right")} <= set(found)]
    if not both:
        raise LocomoteError("this body has no pair of legs, and so no roles of vibrations; use their numbers")

    def legs(row: int) -> Pair:
        two = [found[row, side] for side in ("left", "right")]
        knees = [_bend(modes, leg.knee) for _, leg in two]
        ends = modes.feet[:, [k for k, _ in two]] / body.leg_length
        ways = [body.feet[k] - body.world[0][leg.hip] for k, leg in two]
        return Pair(np.stack(knees, 1), ends, _spread(ends, ways))

    if len(both) > 1:
        return legs(both[-1]), legs(both[0])
    arms = {arm.side: arm for arm in roles.arms}
    if {"left", "right"} > set(arms) or not arms:
        return legs(both[-1]), None
    two = [arms[side] for side in ("left", "right")]
    ends = modes.moved([(arm.elbow, body.world[0][arm.wrist]) for arm in two])
    ends /= body.skeleton.chain_length(two[0].shoulder, two[0].wrist)
    ways = [body.world[0][arm.wrist] - body.world[0][arm.shoulder] for arm in two]
    return legs(both[-1]), Pair(np.stack([_bend(modes, arm.elbow) for arm in two], 1), ends, _spread(ends, ways))


def scores(modes: Modes) -> dict[str, FloatArray]:
    """How well each vibration plays each role ``(M,)``; below 0 it does the opposite, 0 for motions of the whole."""
    hind, fore = pairs(modes)
    slow = 1.0 / (1.0 + modes.frequencies / FAST)
    out = {}
    for role in ROLES:
        pair = fore if role in _FORE else hind
        if pair is None:
            continue
        left, right = told_of(role, pair).T
        apart, same = 0.5 * np.abs(left - right), 0.5 * np.abs(left + right)
        score = (apart - same if role in _TURNED else same - apart) * slow
        if role not in _SPREADS:
            score = score * _sagittal(pair)
        if role not in _SPREADS + _RISES:
            score = score * _own_share(role, pair)
        score[: modes.rigid] = 0.0
        out[role] = score
    return out


def told_of(role: str, pair: Pair) -> FloatArray:
    """What a role asks of a left and a right limb in each mode ``(M, 2)``: to bend, rise, spread, or swing ahead."""
    if role in _SPREADS:
        return pair.spreads
    return pair.bends if role in _BENDS else pair.ends[:, :, 1 if role in _RISES else 2]


def sign_of(role: str, mode: int, modes: Modes) -> float:
    """1 where a positive amplitude makes the left limb bend, rise, spread or swing ahead; -1 where it does not."""
    hind, fore = pairs(modes)
    pair = fore if role in _FORE else hind
    assert pair is not None  # it has the role
    return -1.0 if told_of(role, pair)[mode, 0] < 0.0 else 1.0


def role_modes(modes: Modes) -> dict[str, int]:
    """The vibration that plays each role: none plays two, and all roles together are played best."""
    from scipy.optimize import linear_sum_assignment

    told = {role: score for role, score in scores(modes).items() if score.max() > 0.0}
    table = np.stack([_WEIGHTS.get(role, 2.0) * np.maximum(score, 0.0) / score.max() for role, score in told.items()])
    found = dict(zip(*(index.tolist() for index in linear_sum_assignment(-table)), strict=True))
    return {role: found[k] for k, role in enumerate(told) if table[k, found[k]] > 0.0}


def describe(modes: Modes) -> list[str]:
    """What each vibration is, in a few words."""
    known = {} if modes.body is None else {index: role for role, index in role_modes(modes).items()}
    out = []
    for i in range(len(modes)):
        if modes.names[i]:
            out.append(modes.names[i])
        elif i in known:
            out.append(f"{known[i]}: {ROLES[known[i]]}")
        else:
            out.append(_largest_part(modes, i))
    return out


def _largest_part(modes: Modes, i: int) -> str:
    """The joint that turns most."""
    starts = np.cumsum([0, *(len(link.axes) for link in modes.linkage.links)])
    each = np.add.reduceat(modes.rates[i] ** 2, starts[:-1])
    return modes.linkage.links[int(np.argmax(each))].name


def _bend(modes: Modes, joint: int) -> FloatArray:
    """How far a hinge bends in each mode, ``(M,)`` rad."""
    body = modes.body
    assert body is not None
    where = {int(j): k for k, j in enumerate(body.joints[1:])}
    if joint not in where:
        return np.zeros(len(modes))
    starts = np.cumsum([0, *(len(link.axes) for link in modes.linkage.links)])
    at = where[joint]
    return np.asarray(modes.rates[:, starts[at]])


def _spread(ends: FloatArray, ways: list[FloatArray]) -> FloatArray:
    """How far ends go away from the middle, square to their limbs in the plane across the body."""
    out = []
    for k, (way, sign) in enumerate(zip(ways, (1.0, -1.0), strict=True)):
        across = sign * np.array([-way[1], way[0], 0.0])
        out.append(ends[:, k] @ (across / max(float(np.linalg.norm(across)), 1e-9)))
    return np.stack(out, axis=1)


def _own_share(role: str, pair: Pair) -> FloatArray:
    """How much of what a pair does is bending, or swinging: a leg that swings bends its knee a little as well."""
    bends, swings = (pair.bends**2).sum(axis=1), (pair.ends[:, :, 2] ** 2).sum(axis=1)
    return np.asarray((bends if role in _BENDS else swings) / (bends + swings + 1e-12))


def _sagittal(pair: Pair) -> FloatArray:
    """1 for vibrations whose feet go ahead and up, less for those that go aside."""
    all_ways = np.sqrt((pair.ends**2).sum(axis=(1, 2)) + (pair.bends**2).sum(axis=1)) + 1e-12
    share = np.sqrt((pair.ends[:, :, 0] ** 2).sum(axis=1)) / all_ways
    return np.asarray(np.where(share <= ASIDE, 1.0, 0.5 * ASIDE / np.maximum(share, ASIDE)))
