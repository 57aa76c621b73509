"""The most likely pose that holds its handles, among poses spread as the nearest recorded ones are.

The nearest poses give an expected pose and a spread: what they do beside it, and a little of everything. Gauss and
Newton's steps are solved in the space of the misses, three for each handle, which are far fewer than the joints.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import (
    Quaternion,
    conjugate,
    exp,
    log,
    multiply,
    normalize,
    quaternion,
    rotate,
    slerp,
    store,
)
from locomote.math.vector import Floats, Ints, Vector, add, copy_into, subtract, vector
from locomote.spaces._kernels.bundles import HandleArrays
from locomote.spaces._kernels.geodesics import Matrix, from_cross, matrix_of, product, right_jacobian
from locomote.spaces._kernels.normal_equations import handle_rates, size_of_miss
from locomote.spaces._kernels.pose_match import match, placed
from locomote.spaces._kernels.posing_bundles import ROOT, DatabaseArrays, PosedArrays, Posing, PosingWork, RigArrays
from locomote.spaces._kernels.small_systems import add_square, dot_rows, solve_positive

_SUNK = 0.02  # m below the ground where soles may be: as far as recorded floors are off
_SOFT = 0.005  # m deeper than that weigh as much as one deviation
_SAME = 1e-4  # m²; poses nearer than a centimetre are as good as each other


@kernel
def pose_bodies(
    starts: Ints,
    linked: bool,
    handles: HandleArrays,
    rig: RigArrays,
    database: DatabaseArrays,
    posing: Posing,
    out: PosedArrays,
    work: PosingWork,
) -> None:
    """Fill poses; each of a sequence ``starts[s]`` to ``starts[s + 1]`` follows the one before it.

    Where ``linked``, ``out`` holds the pose before the first of each sequence in the place of the first.
    """
    for s in range(starts.shape[0] - 1):
        for n in range(starts[s], starts[s + 1]):
            follows = linked or n > starts[s]
            if follows:
                _remember(max(n - 1, starts[s]), rig, out, work)
            _expect(match(n, follows, posing, handles, rig, database, work), database, work)
            if follows:
                _draw_back(posing.lag, rig, work)
            out.rounds[n] = search(n, handles, rig, posing, work)
            _write(n, rig, out, work)


@kernel
def pose_as_expected(
    n: int, handles: HandleArrays, rig: RigArrays, posing: Posing, out: PosedArrays, work: PosingWork
) -> None:
    """Fill pose ``n`` from an expected pose and a spread that are there already."""
    out.rounds[n] += search(n, handles, rig, posing, work)
    _write(n, rig, out, work)


@part
def search(n: int, handles: HandleArrays, rig: RigArrays, posing: Posing, work: PosingWork) -> int:
    """Move from the expected pose to the most likely one that holds the handles; the number of rounds."""
    off, force = work.off, work.force
    off[:], force[:] = 0.0, 0.0
    cost, damping, calm = _misses(n, handles, rig, posing, work), 0.0, 0
    for made in range(posing.rounds):
        _step(damping, rig, work)
        for i in range(off.shape[1]):
            off[0, i] += off[1, i]
            force[0, i] += force[1, i]
        new = _misses(n, handles, rig, posing, work)
        settled = damping < 1.0 and abs(cost - new) <= posing.tolerance * (1.0 + cost)
        if settled or new <= cost:
            cost, damping = new, 0.25 * damping
        else:
            for i in range(off.shape[1]):
                off[0, i] -= off[1, i]
                force[0, i] -= force[1, i]
            _misses(n, handles, rig, posing, work)
            damping = 4.0 * damping + 1.0
        # Once may be chance: a step too far, that lands as high on the other side.
        calm = calm + 1 if settled else 0
        if calm == 2:
            return made + 1
    return posing.rounds


@part
def _expect(centre: Vector, database: DatabaseArrays, work: PosingWork) -> None:
    """Fill the expected pose and the spread from the nearest poses; the farthest of them counts nothing."""
    near, weights, spread, expected, root = work.near, work.costs, work.spread, work.expected, work.root
    count, size = near.shape[0], expected.shape[0]
    farthest, total = 0.0, 0.0
    for k in range(count):
        farthest = max(farthest, weights[k])
    for k in range(count):
        share = 1.0 - (weights[k] + _SAME) / (farthest + 1.001 * _SAME)
        weights[k] = share * share
        total += weights[k]
    expected[:], root[:] = 0.0, 0.0
    for k in range(count):
        weights[k] /= total
        pose = database.roots[near[k]]
        turn, shift = placed(near[k], centre, work)
        q, place = multiply(turn, quaternion(pose[3:])), add(rotate(turn, vector(pose)), shift)
        sign = 1.0 if q[0] * root[3] + q[1] * root[4] + q[2] * root[5] + q[3] * root[6] >= 0.0 else -1.0
        # The aligned root waits in the first rows of the spread until the mean is known.
        for c in range(3):
            spread[c, k] = place[c]
            root[c] += weights[k] * place[c]
        for c in range(4):
            root[3 + c] += weights[k] * sign * q[c]
        work.aligned[k, 0], work.aligned[k, 1], work.aligned[k, 2], work.aligned[k, 3] = q
        vectors = database.vectors[near[k]]
        for i in range(ROOT, size):
            expected[i] += weights[k] * vectors[i - ROOT]
    store(root[3:], normalize(quaternion(root[3:])))
    back = conjugate(quaternion(root[3:]))
    for k in range(count):
        by = math.sqrt(weights[k])
        place = spread[0, k], spread[1, k], spread[2, k]
        w = log(multiply(back, quaternion(work.aligned[k])))
        for c in range(3):
            spread[c, k] = by * w[c]
            spread[3 + c, k] = by * (place[c] - root[c])
        vectors = database.vectors[near[k]]
        for i in range(ROOT, size):
            spread[i, k] = by * (vectors[i - ROOT] - expected[i])


@part
def _draw_back(lag: float, rig: RigArrays, work: PosingWork) -> None:
    """Draw the expected pose to the one before."""
    expected, root, before = work.expected, work.root, work.before
    for c in range(3):
        root[c] += lag * (before[0, c] - root[c])
    store(root[3:], slerp(quaternion(root[3:]), quaternion(before[1]), lag))
    for j in range(1, rig.parents.shape[0]):
        at = rig.columns[j]
        if at >= 0:
            w = log(multiply(conjugate(quaternion(rig.mean[j])), quaternion(before[j + 1])))
            for c in range(3):
                expected[at + c] += lag * (w[c] - expected[at + c])


@inline
def _local(j: int, rig: RigArrays, work: PosingWork) -> tuple[Quaternion, Vector]:
    """The rotation of a joint, and its rotation vector from the mean."""
    at, e, off = rig.columns[j], work.expected, work.off[0]
    if at < 0:  # fingers and what else is not posed stay as they were
        return quaternion(work.before[j + 1]), (0.0, 0.0, 0.0)
    w = e[at] + off[at], e[at + 1] + off[at + 1], e[at + 2] + off[at + 2]
    return multiply(quaternion(rig.mean[j]), exp(w)), w


@inline
def _put(j: int, place: Vector, turn: Quaternion, w: Vector, work: PosingWork) -> None:
    """Store a joint in the world, and how it turns with its unknowns."""
    work.places[j, 0], work.places[j, 1], work.places[j, 2] = place
    store(work.world[j], turn)
    rate = product(matrix_of(turn), right_jacobian(w))
    for c in range(3):
        work.rates[j, c, 0], work.rates[j, c, 1], work.rates[j, c, 2] = rate[c]


@part
def _misses(n: int, handles: HandleArrays, rig: RigArrays, posing: Posing, work: PosingWork) -> float:
    """Fill the misses of the pose and their rates; what the pose costs."""
    off, rows = work.off[0], work.rows
    w = vector(off)
    turn = multiply(quaternion(work.root[3:]), exp(w))
    _put(0, add(vector(work.root), vector(off[3:])), turn, w, work)
    for i in range(handles.moved.shape[0]):
        j = handles.moved[i]
        p = rig.parents[j]
        above = quaternion(work.world[p])
        own, w = _local(j, rig, work)
        _put(j, add(vector(work.places[p]), rotate(above, vector(rig.offsets[j]))), multiply(above, own), w, work)
    rows[:] = 0.0
    cost = 0.0
    for i in range(off.shape[0]):
        cost += off[i] * work.force[0, i]
    for h in range(handles.joints.shape[0]):
        miss, by_move, by_turn = handle_rates(n, h, handles, work.places, work.world)
        weight = handles.weights[n, h] / posing.miss
        for c in range(3):
            work.miss[0, 3 * h + c] = weight * miss[c]
            cost += (weight * miss[c]) ** 2
        work.sizes[h] = size_of_miss(handles.kinds[h], miss)
        end = vector(work.places[handles.joints[h]])
        j = handles.joints[h]
        while j >= 0:
            at = rig.columns[j]
            if at >= 0:
                lever = from_cross(0.0, subtract(end, vector(work.places[j])), -1.0, 0.0)
                _fill(3 * h, at, weight, product(by_move, lever), by_turn, work.rates[j], rows)
            j = rig.parents[j]
        for c in range(3):
            for d in range(3):
                rows[3 * h + c, 3 + d] = weight * by_move[c][d]
    if posing.floor > 0.0:
        cost += _ground(posing, rig, work)
    return cost


@part
def _ground(posing: Posing, rig: RigArrays, work: PosingWork) -> float:
    """Fill a row for each point of the soles: how deep it is below the ground; what that costs."""
    cost, first = 0.0, work.rows.shape[0] - rig.soles.shape[0]
    for p in range(rig.soles.shape[0]):
        j, row = rig.soles[p], first + p
        point = rotate(quaternion(work.world[j]), vector(rig.sole_points[p]))
        tip = add(vector(work.places[j]), point)
        depth = posing.ground - _SUNK - tip[1]
        work.miss[0, row] = 0.0
        if depth > 0.0:
            weight = 1.0 / _SOFT
            work.miss[0, row] = -weight * depth
            cost += (weight * depth) ** 2
            work.rows[row, 4] = weight
            while j >= 0:
                at = rig.columns[j]
                if at >= 0:
                    x, _, z = subtract(tip, vector(work.places[j]))
                    for d in range(3):
                        # The height of a point changes by the part of (turn x lever) that points up.
                        work.rows[row, at + d] = weight * (work.rates[j, 2, d] * x - work.rates[j, 0, d] * z)
                j = rig.parents[j]
    return cost


@inline
def _fill(row: int, at: int, weight: float, one: Matrix, other: Matrix, rates: Floats, rows: Floats) -> None:
    """Rates of a miss by the three unknowns of a joint."""
    for c in range(3):
        turn = add(one[c], other[c])
        for d in range(3):
            rows[row + c, at + d] = weight * (turn[0] * rates[0, d] + turn[1] * rates[1, d] + turn[2] * rates[2, d])


@part
def _step(damping: float, rig: RigArrays, work: PosingWork) -> None:
    """Fill the step to the best pose for misses that change as their rates say."""
    rows, reached, system, spread, pull = work.rows, work.reached, work.system, work.spread, work.miss[1]
    off, force = work.off, work.force
    count, size = rows.shape
    near, eased = spread.shape[1], 1.0 / (1.0 + damping)
    reached[near:] = 0.0
    for r in range(count):
        pull[r] = -work.miss[0, r]
        along = work.along
        along[:] = 0.0
        for i in range(size):
            rate = rows[r, i]
            if rate != 0.0:
                pull[r] += eased * rate * off[0, i]
                reached[near + i, r] = rate * rig.loose[i]
                deviations = spread[i]
                for k in range(near):
                    along[k] += rate * deviations[k]
        for k in range(near):
            reached[k, r] = along[k]
    system[:] = 0.0
    for k in range(reached.shape[0]):
        add_square(reached[k], system)
    for r in range(count):
        for q in range(r + 1):
            system[r, q] = eased * system[r, q] + (1.0 if q == r else 0.0)
    solve_positive(system, pull)
    for k in range(near):
        work.along[k] = dot_rows(reached[k], pull)
    for i in range(size):
        total = 0.0
        for r in range(count):
            total += rows[r, i] * pull[r]
        total_off = rig.loose[i] * rig.loose[i] * total + dot_rows(spread[i], work.along)
        off[1, i] = eased * (total_off - off[0, i])
        force[1, i] = eased * (total - force[0, i])


@part
def _write(n: int, rig: RigArrays, out: PosedArrays, work: PosingWork) -> None:
    """Take the pose over."""
    off = work.off[0]
    for c in range(3):
        out.roots[n, c] = work.root[c] + off[3 + c]
    store(out.turns[n, 0], multiply(quaternion(work.root[3:]), exp(vector(off))))
    for j in range(1, rig.parents.shape[0]):
        store(out.turns[n, j], _local(j, rig, work)[0])
    copy_into(out.errors[n], work.sizes)


@part
def _remember(n: int, rig: RigArrays, out: PosedArrays, work: PosingWork) -> None:
    """Keep a pose as the one before."""
    for c in range(3):
        work.before[0, c] = out.roots[n, c]
    for j in range(rig.parents.shape[0]):
        p = rig.parents[j]
        own = quaternion(out.turns[n, j])
        store(work.before[j + 1], own)
        if p < 0:
            work.places[j, 0], work.places[j, 1], work.places[j, 2] = vector(out.roots[n])
            store(work.world[j], own)
        else:
            above = quaternion(work.world[p])
            place = add(vector(work.places[p]), rotate(above, vector(rig.offsets[j])))
            work.places[j, 0], work.places[j, 1], work.places[j, 2] = place
            store(work.world[j], multiply(above, own))
    for a in range(rig.anchors.shape[0]):
        copy_into(work.anchors[a], work.places[rig.anchors[a]])
