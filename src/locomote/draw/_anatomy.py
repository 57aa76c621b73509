"""The shape of people, four-legged animals and any other tree of bones, from roles and bone lengths."""

from __future__ import annotations

import numpy as np

from locomote.draw import _palette as palette
from locomote.draw._figure import HEEL, TOE, Figure, Modeller
from locomote.rotations import FloatArray
from locomote.skeleton import Girths, IntArray, Leg, Roles, Skeleton

_LEFT, _UP, _AHEAD = np.eye(3)
_ADULT_LEG = 0.88  # m, hip to ankle; the radii of a person below are stated for this leg
_UPRIGHT = 0.7  # least upward share of the direction from hips to neck of a body that carries itself upright
_USUAL_POSES = 48  # at most so many frames show how the body usually stands


def figure_of(skeleton: Skeleton, positions: FloatArray, turns: FloatArray, yaws: FloatArray) -> Figure:
    """The capsules of a skeleton, from joints ``(F, J, 3)``, ``(F, J, 4)`` and where it faces ``(F,)``."""
    roles = skeleton.roles
    usual = _usual_frames(roles, positions)
    model = Modeller(skeleton, positions[usual], turns[usual], yaws[usual])
    size = max(float(np.max(np.ptp(model.usual[_below(skeleton, roles.root)], axis=0))), 1e-3)
    if not roles.legs:
        _bones(model, roles, _below(skeleton, roles.root), 0.03 * size)
        return _finished(model, roles, 0.0, size)
    leg = skeleton.leg_length()
    upright = len(roles.legs) == 2 and _is_upright(model, roles)
    if upright:
        unit, girths = leg / _ADULT_LEG, skeleton.girths
        _upright_trunk(model, roles, unit, girths)
        thickness = (0.092 * girths.limbs, 0.060 * girths.limbs, 0.038 * girths.limbs, 0.033)
    else:
        trunk = max(_trunk_length(model, roles), 0.35 * leg)
        unit = 0.5 * (trunk + leg) / _ADULT_LEG
        _long_trunk(model, roles, trunk)
        few = len(roles.legs) <= 4
        thickness = (0.085, 0.052, 0.034, 0.030) if few else (0.05, 0.04, 0.026, 0.014)
    for index, each in enumerate(roles.legs):
        _leg(model, index, each, unit, thickness)
    _arms(model, roles, unit, skeleton.girths.limbs)
    return _finished(model, roles, thickness[3] * unit, size)


def _usual_frames(roles: Roles, positions: FloatArray) -> IntArray:
    """The frames in which the trunk is pitched as usual; on two legs, those in which it is most upright."""
    picked = np.unique(np.linspace(0, len(positions) - 1, 4 * _USUAL_POSES).astype(np.int64))
    if not roles.legs:
        return picked[:1]
    hips = np.mean([positions[picked, leg.hip] for leg in roles.legs], axis=0)
    rise = positions[picked, _neck_base(roles), 1] - hips[:, 1]
    wanted = float(np.max(rise) if len(roles.legs) == 2 else np.median(rise))
    return picked[np.argsort(np.abs(rise - wanted), kind="stable")[:_USUAL_POSES]]


def _finished(model: Modeller, roles: Roles, sole: float, size: float) -> Figure:
    if not model.drawn:  # a single joint
        model.add(model.at(roles.root), model.at(roles.root), 0.5 * size, 0.5 * size)
    return model.figure(sole, size)


def _below(skeleton: Skeleton, joint: int) -> list[int]:
    """A joint and everything that hangs on it."""
    found = [joint]
    for j in range(joint + 1, len(skeleton)):
        if int(skeleton.parents[j]) in found:
            found.append(j)
    return found


def _neck_base(roles: Roles) -> int:
    if roles.neck:
        return roles.neck[0]
    if roles.spine:
        return roles.spine[-1]
    return roles.root if roles.head is None else roles.head


def _trunk_length(model: Modeller, roles: Roles) -> float:
    return float(np.linalg.norm(model.usual[_neck_base(roles)] - model.usual[roles.root]))


def _is_upright(model: Modeller, roles: Roles) -> bool:
    way = model.usual[_neck_base(roles)] - np.mean([model.usual[leg.hip] for leg in roles.legs], axis=0)
    length = float(np.linalg.norm(way))
    return length > 0.0 and bool(way[1] / length > _UPRIGHT)


def _upright_trunk(model: Modeller, roles: Roles, size: float, girths: Girths) -> None:
    """Pelvis, belly, chest, shoulders, neck and head of a person."""
    unit, stout = size * girths.chest, size * girths.belly
    spine = roles.spine or (roles.root,)
    waist, chest = spine[len(spine) // 3], spine[-1]
    low = float(np.mean([model.usual[leg.hip][1] for leg in roles.legs]))
    # On some rigs the neck begins between the shoulder blades: the shoulders say how high the trunk is.
    high = max(model.usual[j][1] for j in (_neck_base(roles), *(arm.shoulder for arm in roles.arms)))

    def level(joint: int, share: float, aside: float) -> int:
        """A point moving with a joint, at a share of the way from hips to shoulders, so far to the left."""
        up = low + share * (high - low) - model.usual[joint][1]
        return model.beside(joint, up * _UP + aside * unit * _LEFT)

    pelvis = [
        model.at(
            roles.root,
            model.way(roles.root, roles.root, leg.hip) + model.local(roles.root, 0.035 * unit * _UP),
        )
        for leg in roles.legs
    ]
    model.add(pelvis[0], pelvis[1], 0.094 * stout, 0.094 * stout)
    bottom, belly = level(roles.root, 0.12, 0.0), level(waist, 0.40, 0.0)
    ribs, collar = level(chest, 0.74, 0.0), level(chest, 0.98, 0.0)
    model.add(bottom, belly, 0.160 * stout, 0.142 * stout, flat=0.66, flat_along=(waist, _AHEAD))
    model.add(belly, ribs, 0.142 * stout, 0.176 * unit, flat=0.66, flat_along=(chest, _AHEAD))
    model.add(ribs, collar, 0.176 * unit, 0.100 * unit, flat=0.66, flat_along=(chest, _AHEAD))
    for arm in roles.arms:
        yoke = level(chest, 0.93, 0.09 if arm.side == "left" else -0.09)
        model.add(ribs, yoke, 0.100 * unit, 0.074 * unit)
        model.add(collar, yoke, 0.060 * unit, 0.074 * unit)
        model.add(yoke, model.at(arm.shoulder), 0.074 * unit, 0.056 * unit)
    if roles.head is not None:
        _head(model, roles.head, collar, size * girths.head)


def _head(model: Modeller, skull: int, collar: int, unit: float) -> None:
    """An egg on a neck: its size is a person's, whatever length the file gives to the head bone."""
    low = model.beside(skull, unit * (0.030 * _UP + 0.022 * _AHEAD))
    high = model.beside(skull, unit * (0.105 * _UP + 0.006 * _AHEAD))
    model.add(collar, low, 0.062 * unit, 0.056 * unit)
    model.add(low, high, 0.078 * unit, 0.106 * unit, flat=0.84, flat_along=(skull, _LEFT))
    nose = model.beside(skull, unit * (0.052 * _UP + 0.098 * _AHEAD))
    brow = model.beside(skull, unit * (0.085 * _UP + 0.092 * _AHEAD))
    model.add(nose, brow, 0.018 * unit, 0.012 * unit)


def _long_trunk(model: Modeller, roles: Roles, trunk: float) -> None:
    """A body carried level: a barrel under the back bone, neck, head and tail."""
    hips = [leg.hip for leg in roles.legs]
    rear = [leg.hip for leg in roles.legs if leg.row == max(each.row for each in roles.legs)]
    line = [j for j in (*roles.spine, _neck_base(roles)) if model.usual[j][2] > model.usual[rear, 2].mean()]
    girth = 0.20 * trunk
    back = model.at(roles.root, np.mean([model.way(roles.root, roles.root, hip) for hip in rear], axis=0))
    if not line or len(hips) > 4:  # one ball that holds the hips together
        back = model.at(roles.root, np.mean([model.way(roles.root, roles.root, hip) for hip in hips], axis=0))
        spread = np.linalg.norm(model.usual[hips] - np.mean(model.usual[hips], axis=0), axis=1)
        girth = max(girth, float(spread.max()))
        model.add(back, back, girth, girth)
        _side_branches(model, roles, back, girth)
    else:
        shares = np.linspace(0.0, 1.0, len(line) + 1)
        thick = girth * np.interp(shares, (0.0, 0.35, 0.75, 1.0), (0.92, 0.90, 1.10, 0.80))
        under = [back, *(model.beside(j, -0.45 * r * _UP) for j, r in zip(line, thick[1:], strict=True))]
        for a, b, ra, rb, joint in zip(under, under[1:], thick, thick[1:], line, strict=False):
            model.add(a, b, ra, rb, flat=0.82, flat_along=(joint, _LEFT))
    head = () if roles.head is None else (roles.head,)
    _chain(model, [*roles.neck, *head], 0.68 * girth, 0.50 * girth)
    if roles.head is not None:
        _muzzle(model, roles.head, girth)
    if roles.tail:
        model.add(back, model.at(roles.tail[0]), 0.50 * girth, 0.22 * girth)
        _chain(model, list(roles.tail), 0.22 * girth, 0.09 * girth)


def _side_branches(model: Modeller, roles: Roles, back: int, girth: float) -> None:
    """What hangs on the body beside legs and head, such as the abdomen of a spider."""
    known = {
        roles.root,
        *roles.spine,
        *roles.neck,
        *roles.tail,
        roles.head,
        *(j for g in roles.legs for j in g.chain),
    }
    for j in _below(model.skeleton, roles.root):
        parent = int(model.skeleton.parents[j])
        if j not in known and parent == roles.root:
            tip = _below(model.skeleton, j)[-1]
            model.add(back, model.at(tip), 0.5 * girth, 0.9 * girth)


def _muzzle(model: Modeller, head: int, girth: float) -> None:
    """From the skull to the joint that lies farthest ahead of it, or a usual length."""
    tip = max(_below(model.skeleton, head), key=lambda j: float(model.usual[j] @ _AHEAD))
    way = model.way(head, head, tip)
    if float((model.usual[tip] - model.usual[head]) @ _AHEAD) < 0.5 * girth:
        way = model.local(head, 1.3 * girth * _AHEAD)
    middle = model.at(head, 0.45 * way)
    model.add(model.at(head), middle, 0.60 * girth, 0.52 * girth)
    model.add(middle, model.at(head, way), 0.52 * girth, 0.28 * girth)


def _chain(model: Modeller, joints: list[int], first: float, last: float) -> None:
    """Capsules along consecutive joints, thinning evenly."""
    radii = np.linspace(first, last, max(len(joints), 2))
    for a, b, ra, rb in zip(joints, joints[1:], radii, radii[1:], strict=False):
        model.add(model.at(a), model.at(b), float(ra), float(rb))


def _leg(model: Modeller, index: int, leg: Leg, unit: float, thickness: tuple[float, ...]) -> None:
    """Thigh, shank and foot of one leg."""
    soft, strong = palette.limb_colour(leg.side), palette.side_colour(leg.side)
    hip, knee, ankle, ball = (unit * r for r in thickness)
    roles = model.skeleton.roles
    above = int(model.skeleton.parents[leg.hip])
    if above not in (-1, roles.root, *roles.spine):  # a shoulder blade, or a link from pelvis to hip
        model.add(model.at(above), model.at(leg.hip), 0.9 * hip, hip, soft)
    upper, lower = _between(leg.chain, leg.hip, leg.knee), _between(leg.chain, leg.knee, leg.ankle)
    _limb(model, upper, hip, knee, soft)
    _limb(model, lower, knee, ankle, soft, bulge=1.12 if len(thickness) == 4 and len(lower) == 2 else 1.0)
    heel_point, ball_point, toe_point = (model.foot_point(index, k) for k in range(3))
    flat_along = (leg.ankle, _UP)
    joint = model.at(leg.ankle)
    tip = 0.85 * ball
    model.add(joint, heel_point, ankle, ball, strong, foot=(index, HEEL))
    model.add(joint, ball_point, ankle, ball, strong, foot=(index, HEEL))
    model.add(heel_point, ball_point, 1.05 * ball, 1.2 * ball, strong, 0.84, flat_along, (index, HEEL))
    model.add(ball_point, toe_point, 1.2 * ball, tip, strong, 0.84, flat_along, (index, TOE))


def _between(chain: tuple[int, ...], first: int, last: int) -> list[int]:
    """The joints of a chain from one to another, both included."""
    if first in chain and last in chain:
        return list(chain[chain.index(first) : chain.index(last) + 1])
    return [first, last]


def _limb(
    model: Modeller, joints: list[int], first: float, last: float, colour: palette.Colour, bulge: float = 1.0
) -> None:
    """A tapered limb over any number of bones; ``bulge`` swells it a third of the way down, like a calf."""
    radii = np.linspace(first, last, max(len(joints), 2))
    for a, b, ra, rb in zip(joints, joints[1:], radii, radii[1:], strict=False):
        if bulge > 1.0:
            calf = model.at(a, 0.3 * model.skeleton.offsets[b])
            swollen = bulge * (0.7 * ra + 0.3 * rb)
            model.add(model.at(a), calf, float(ra), swollen, colour)
            model.add(calf, model.at(b), swollen, float(rb), colour)
        else:
            model.add(model.at(a), model.at(b), float(ra), float(rb), colour)


def _arms(model: Modeller, roles: Roles, unit: float, girth: float) -> None:
    """Upper arm, forearm and a hand of fixed size: the fingers of most recordings carry nothing."""
    for arm in roles.arms:
        soft = palette.limb_colour(arm.side)
        shoulder, elbow, wrist = (girth * unit * radius for radius in (0.062, 0.044, 0.030))
        model.add(model.at(arm.shoulder), model.at(arm.elbow), shoulder, elbow, soft)
        model.add(model.at(arm.elbow), model.at(arm.wrist), elbow, wrist, soft)
        way = model.way(arm.wrist, arm.elbow, arm.wrist)
        way = unit * way / max(float(np.linalg.norm(way)), 1e-9)
        knuckles, tips = model.at(arm.wrist, 0.08 * way), model.at(arm.wrist, 0.14 * way)
        strong = palette.side_colour(arm.side)
        model.add(model.at(arm.wrist), knuckles, 0.030 * unit, 0.038 * unit, strong)
        model.add(knuckles, tips, 0.038 * unit, 0.024 * unit, strong)


def _bones(model: Modeller, roles: Roles, joints: list[int], thickness: float) -> None:
    """Every bone alike, coloured by the side on which it lies: a body of which nothing is known."""
    spread = max(float(np.ptp(model.usual[joints] @ _LEFT)), 1e-9)
    for j in joints:
        parent = int(model.skeleton.parents[j])
        if parent not in joints:
            continue
        off = float(model.usual[j] @ _LEFT) / spread
        colour = palette.BODY if abs(off) < 0.05 else palette.limb_colour("left" if off > 0 else "right")
        model.add(model.at(parent), model.at(j), thickness, 0.7 * thickness, colour)
    for end in np.flatnonzero(np.isin(model.skeleton.end_parents, joints)):
        parent = int(model.skeleton.end_parents[end])
        model.add(
            model.at(parent),
            model.at(parent, model.skeleton.end_offsets[end]),
            0.7 * thickness,
            0.4 * thickness,
        )
