"""Oriented quads at the joints of any two-legged body: where they are, which joints carry them, how large they are."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from locomote.capture.cages._blocks import Block, Cage, bridged, depths
from locomote.capture.cages._stance import HEAD, LIMBS, TRUNK, Stance, head_of
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import Arm, Leg, Skeleton

MARGIN = (1.15, 0.008)  # of the skin's extent in the plane of a quad; and m more, for a leg of 0.9 m
_SLAB = 0.03  # of a leg's length: how near to the plane of a quad skin counts
_NEAR = 0.22  # of a leg's length: skin that far from the middle of a quad at hip or shoulder belongs to something else
_PUSH = 1.1  # of what is missing, by which quads are widened while skin is outside of the cage
_PUSH_MORE = 5e-4  # m
_INSIDE = 1e-6  # m
_ROUNDS = 250
_WIDEST = 0.15  # of a leg's length: beyond where it was placed, at most
_APART = 0.004  # of a leg's length: from the plane of a quad to the others of its block, at least
OUTSIDE = 0.12  # of the skin: what may stay outside of the cage of a body that is shaped in an unusual way
_BARE = 0.05  # of a leg's length: half a quad where there is no skin
_USUAL_LEG = 0.9  # m


@dataclass(frozen=True)
class Turn:
    """The turn of a quad: of joint ``first``, of ``second``, or so far between them."""

    first: int
    second: int
    share: float = 1.0  # of the second


@dataclass
class Quad:
    """One quad while it is being placed."""

    name: str
    centre: FloatArray
    normal: FloatArray
    across: FloatArray  # first axis of its plane
    carrier: int  # the joint with which its centre goes
    turn: Turn
    limbs: tuple[int, ...]  # whose skin it has to enclose
    ends: int | None = None  # the quad with which it moves, of one that closes a head or a hand
    extents: FloatArray = field(default_factory=lambda: np.zeros((2, 2)))  # [axis, below or above], m

    @property
    def axes(self) -> FloatArray:
        """Across, along and normal as columns."""
        u = self.across - self.normal * float(self.across @ self.normal)
        u = u / np.linalg.norm(u)
        return np.stack([u, np.cross(self.normal, u), self.normal], axis=1)

    def corners(self) -> FloatArray:
        """``(4, 3)``, counter-clockwise as seen from where it faces."""
        (a, b), (c, d) = self.extents
        plane = np.array([[a, c], [b, c], [b, d], [a, d]])
        out: FloatArray = self.centre + plane @ self.axes[:, :2].T
        return out


@dataclass
class Placed:
    """All quads of a body, and the blocks between them."""

    quads: list[Quad]
    blocks: list[Block]

    def corners(self) -> FloatArray:
        """``(Q, 4, 3)``."""
        return np.stack([quad.corners() for quad in self.quads])


def place(skeleton: Skeleton, stance: Stance) -> tuple[Placed, Cage]:
    """Quads around a body in its stance, and their cage, which has all of its skin inside."""
    length = skeleton.leg_length()
    placed = _placed(skeleton, stance, length)
    for quad in placed.quads:
        quad.extents = _extents(quad, stance, length)
    _separate(placed, length)
    names = [quad.name for quad in placed.quads]
    _grow(placed, stance, length)
    return placed, bridged(placed.corners(), placed.blocks, names)


def _placed(skeleton: Skeleton, stance: Stance, length: float) -> Placed:
    """Trunk and head, then each limb from the body outwards."""
    roles, at = skeleton.roles, stance.positions
    line = [roles.root, *roles.spine, *roles.neck]
    head = head_of(skeleton)
    if head not in line:
        line.append(head)
    hips = np.mean([at[leg.hip] for leg in roles.legs], axis=0)
    shoulders = np.mean([at[arm.shoulder] for arm in roles.arms], axis=0) if roles.arms else at[line[-1]]
    up, left = stance.up, stance.left
    low = float(hips @ up) + 0.075 * length
    armpits = float(shoulders @ up) - 0.15 * length
    neck = max(float(at[roles.neck[0]] @ up) if roles.neck else -np.inf, float(shoulders @ up) + 0.045 * length)
    aside = np.abs((stance.vertices - at[line[-1]]) @ left) > 0.12 * length
    neck = max(neck, float(np.max(stance.vertices[aside & (stance.limbs != HEAD)] @ up, initial=neck)) + 0.035 * length)
    skull = max(float(at[head] @ up), neck + 0.04 * length)
    top = float(np.max(stance.vertices[stance.limbs == HEAD] @ up, initial=skull + 0.1 * length)) + 0.02 * length
    heights = {"pelvis": low, "waist": 0.5 * (low + armpits), "chest": armpits, "neck": neck, "head base": skull}
    quads = []
    for name, height in heights.items():
        centre, carrier, turn = _on_line(line, at, up, height)
        if name in ("pelvis", "head base"):  # which do not bend
            carrier = roles.root if name == "pelvis" else head
            turn = Turn(carrier, carrier)
        limbs = (HEAD, TRUNK) if name == "neck" else (HEAD,) if name == "head base" else (TRUNK,)
        quads.append(Quad(name, centre, up, left, carrier, turn, limbs))
    over = quads[4].centre + (top - skull) * up
    quads.append(Quad("head top", over, up, left, head, quads[4].turn, (HEAD,), ends=4))
    pelvis, chest = [0], [2, 3]
    blocks: list[Block] = [(0, 1), (1, 2), (3, 4), (4, 5)]
    for number, limb in enumerate(LIMBS):
        side, kind = limb.split()
        first = len(quads)
        if kind == "leg":
            quads += [quad for leg in roles.legs if leg.side == side for quad in _leg(leg, number, stance, length)]
        else:
            quads += [q for arm in roles.arms if arm.side == side for q in _arm(arm, number, stance, length, line)]
        if len(quads) == first:
            continue
        (pelvis if kind == "leg" else chest).append(first)
        blocks += [(q, q + 1) for q in range(first, len(quads) - 1)]
    for limb_end in (q for q in quads if q.name.endswith("hand end")):
        limb_end.ends = quads.index(limb_end) - 1
    return Placed(quads, [tuple(pelvis), tuple(chest), *blocks])


def _on_line(line: list[int], at: FloatArray, up: FloatArray, height: float) -> tuple[FloatArray, int, Turn]:
    """A place of the trunk at a height, the joint below it, and a turn that goes smoothly from bone to bone."""
    heights = at[line] @ up
    k = int(np.clip(np.searchsorted(heights, height) - 1, 0, len(line) - 2))
    share = float(np.clip((height - heights[k]) / max(heights[k + 1] - heights[k], 1e-9), 0.0, 1.0))
    centre = at[line[k]] + share * (at[line[k + 1]] - at[line[k]])
    centre = centre + (height - float(centre @ up)) * up
    if share < 0.5 and k > 0:
        return centre, line[k], Turn(line[k - 1], line[k], 0.5 + share)
    if share >= 0.5:
        return centre, line[k], Turn(line[k], line[k + 1], share - 0.5)
    return centre, line[k], Turn(line[k], line[k])


def _leg(leg: Leg, number: int, stance: Stance, length: float) -> list[Quad]:
    at, name = stance.positions, leg.side
    thigh, shank = at[leg.knee] - at[leg.hip], at[leg.ankle] - at[leg.knee]
    thigh, shank = thigh / np.linalg.norm(thigh), shank / np.linalg.norm(shank)
    middle = stance.vertices[(stance.limbs == TRUNK)] if np.any(stance.limbs == TRUNK) else at[[leg.hip]]
    drop = float((at[leg.hip] @ stance.up) - np.min(middle @ stance.up))
    hip = at[leg.hip] + float(np.clip(drop + 0.02 * length, 0.08 * length, 0.14 * length)) * thigh
    slant = shank + stance.ahead
    own = stance.vertices[stance.limbs == number]
    tip = float(np.max(own @ stance.ahead, initial=float(at[leg.toe] @ stance.ahead) + 0.05 * length))
    floor = float(np.min(own @ stance.up, initial=float(at[leg.ball] @ stance.up) - 0.02 * length))
    toe = at[leg.ball] + (tip + 0.012 * length - float(at[leg.ball] @ stance.ahead)) * stance.ahead
    toe = toe + (floor + 0.035 * length - float(toe @ stance.up)) * stance.up
    left, limbs = stance.left, (number,)
    return [
        Quad(f"{name} hip", hip, thigh, left, leg.hip, Turn(leg.hip, leg.hip), limbs),
        Quad(f"{name} knee", at[leg.knee], shank + thigh, left, leg.knee, Turn(leg.hip, leg.knee, 0.5), limbs),
        Quad(f"{name} ankle", at[leg.ankle], slant, left, leg.ankle, Turn(leg.ankle, leg.ankle), limbs),
        Quad(f"{name} toe", toe, stance.ahead, left, leg.ball, Turn(leg.ball, leg.ball), limbs),
    ]


def _arm(arm: Arm, number: int, stance: Stance, length: float, line: list[int]) -> list[Quad]:
    at, name = stance.positions, arm.side
    out = stance.left if name == "left" else -stance.left
    upper, fore = at[arm.elbow] - at[arm.shoulder], at[arm.wrist] - at[arm.elbow]
    upper, fore = upper / np.linalg.norm(upper), fore / np.linalg.norm(fore)
    carrier = line[-1] if arm.clavicle is None else arm.clavicle
    cut = at[arm.shoulder] - 0.05 * length * out - 0.05 * length * stance.up
    own = stance.vertices[stance.limbs == number]
    reach = float(np.max(own @ fore, initial=float(at[arm.wrist] @ fore) + 0.1 * length)) + 0.012 * length
    tip = at[arm.wrist] + (reach - float(at[arm.wrist] @ fore)) * fore
    tilt = np.cos(np.radians(20.0)) * out + np.sin(np.radians(20.0)) * stance.up
    over, limbs, ahead = at[arm.shoulder] + 0.1 * length * upper, (number,), stance.ahead
    return [
        Quad(f"{name} clavicle", cut, tilt, ahead, carrier, Turn(carrier, carrier), (number, TRUNK)),
        Quad(f"{name} shoulder", over, upper, ahead, arm.shoulder, Turn(arm.shoulder, arm.shoulder), limbs),
        Quad(f"{name} elbow", at[arm.elbow], fore + upper, ahead, arm.elbow, Turn(arm.shoulder, arm.elbow, 0.5), limbs),
        Quad(f"{name} wrist", at[arm.wrist], fore, ahead, arm.wrist, Turn(arm.wrist, arm.wrist), limbs),
        Quad(f"{name} hand end", tip, fore, ahead, arm.wrist, Turn(arm.wrist, arm.wrist), limbs),
    ]


def _extents(quad: Quad, stance: Stance, length: float) -> FloatArray:
    """How far the skin reaches in the plane of a quad, with a margin."""
    quad.normal = quad.normal / np.linalg.norm(quad.normal)
    own = stance.vertices[np.isin(stance.limbs, quad.limbs)] - quad.centre
    if len(quad.limbs) > 1 and quad.limbs[0] >= 0:
        own = own[np.linalg.norm(own, axis=1) < _NEAR * length]
    plane = own @ quad.axes
    slabs = (1e9,) if quad.name.startswith("head") else (1.0, 2.0, 4.0)  # a head is a box from its base to its top
    for thick in slabs:
        near = plane[np.abs(plane[:, 2]) < thick * _SLAB * length, :2]
        if len(near) >= 6:
            break
    else:
        return _BARE * length * np.array([[-1.0, 1.0], [-1.0, 1.0]])
    low, high = near.min(axis=0), near.max(axis=0)
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    half = np.maximum(MARGIN[0] * half + MARGIN[1] * length / _USUAL_LEG, 0.3 * _BARE * length)
    return np.stack([middle - half, middle + half], axis=1)


def _separate(placed: Placed, length: float) -> None:
    """Narrow quads that reach over the plane of another one of their block: each must be a face of its hull."""
    least = _APART * length
    for block in placed.blocks:
        for q in block:
            plane = placed.quads[q]
            for other in (placed.quads[r] for r in block if r != q):
                side = float(np.sign(plane.normal @ (other.centre - plane.centre)))
                slopes = side * (plane.normal @ other.axes[:, :2])
                axis = int(np.argmax(np.abs(slopes)))
                over = least - float(np.min(side * ((other.corners() - plane.centre) @ plane.normal)))
                if over > 0.0 and abs(slopes[axis]) > 1e-3:
                    end = 0 if slopes[axis] > 0.0 else 1
                    shift = over / abs(float(slopes[axis]))
                    shift = min(shift, 0.9 * float(np.ptp(other.extents[axis])))
                    other.extents[axis, end] += shift if end == 0 else -shift


def _grow(placed: Placed, stance: Stance, length: float) -> None:
    """Widen the quads of blocks that leave skin outside, until none is."""
    most = [quad.extents + _WIDEST * length * np.array([-1.0, 1.0]) for quad in placed.quads]
    for _ in range(_ROUNDS):
        away = depths(stance.vertices, placed.corners(), placed.blocks)
        nearest = np.argmin(away, axis=1)
        missing, second = np.partition(away, 1, axis=1)[:, :2].T
        # What lies in a quad between two blocks is inside of both together.
        outside = np.flatnonzero((missing > -_INSIDE) & (second > _INSIDE))
        if not len(outside):
            return
        for b in np.unique(nearest[outside]):
            rows = outside[nearest[outside] == b]
            _widen([placed.quads[q] for q in placed.blocks[b]], stance.vertices[rows], missing[rows])
        for quad, own in zip(placed.quads, most, strict=True):
            quad.extents = np.clip(quad.extents, own[:, :1], own[:, 1:])
        _separate(placed, length)
    if len(outside) <= OUTSIDE * len(away):
        return
    worst = placed.blocks[int(nearest[outside[0]])]
    said = ", ".join(placed.quads[q].name for q in worst)
    raise LocomoteError(f"cage: {len(outside)} vertices of the skin stay outside, the first at {said}")


def _widen(quads: list[Quad], points: FloatArray, missing: FloatArray) -> None:
    """Push out those sides of the quads of a block beyond which points lie, the nearer quad the more."""
    local = np.stack([(points - quad.centre) @ quad.axes for quad in quads])  # (q, P, 3)
    near = 1.0 / (np.abs(local[:, :, 2]) + 0.02)
    near /= near.sum(axis=0)
    for quad, own, share in zip(quads, local, near, strict=True):
        middle, half = quad.extents.mean(axis=1), np.maximum(0.5 * np.ptp(quad.extents, axis=1), _PUSH_MORE)
        beyond = (own[:, :2] - middle) / half
        push = _PUSH * share * (missing + _PUSH_MORE)
        for axis in range(2):
            most = np.abs(beyond[:, axis]) >= 0.7 * np.max(np.abs(beyond), axis=1)
            for end, sign in ((0, -1.0), (1, 1.0)):
                asked = most & (sign * beyond[:, axis] > 0.0)
                quad.extents[axis, end] += sign * float(np.max(push[asked], initial=0.0))
