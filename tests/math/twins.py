"""Plain NumPy versions of the kernels: slow, readable, by another way where there is one."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.ik._limits import JointLimits
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

HALVINGS, STALL, DAMPING, CCD_WIDEST = 3, 0.03, 0.1, 0.5
RESTARTS = [
    (0.5, 0, 0),
    (0.5, 0.6, 0),
    (0.5, -0.6, 0),
    (0.5, 0, 0.6),
    (0.5, 0, -0.6),
    (0.1, 0, 0),
    (0.9, 0, 0),
]
DLS_WIDEST, LONGEST_PULL, PATIENCE = 0.5, 0.3, 0.25


def forward_kinematics(
    parents: IntArray, offsets: FloatArray, roots: FloatArray, rotations: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """World positions and rotations, joint by joint over all poses at once."""
    positions = np.empty((*rotations.shape[:-1], 3))
    world = np.empty_like(rotations)
    positions[:, 0], world[:, 0] = roots, rotations[:, 0]
    for j in range(1, len(parents)):
        k = parents[j]
        positions[:, j] = positions[:, k] + rot.rotate(world[:, k], offsets[:, j])
        world[:, j] = rot.multiply(world[:, k], rotations[:, j])
    return positions, world


def two_bone(
    hips: FloatArray,
    knees: FloatArray,
    ankles: FloatArray,
    goals: FloatArray,
    poles: FloatArray,
    softness: float,
) -> tuple[FloatArray, FloatArray]:
    """Limbs that are bent and have a pole well off their line, with goals away from the hip."""
    a, b = _length(knees - hips), _length(ankles - knees)
    reach = _length(goals - hips)
    most, least = a + b, np.abs(a - b)
    shorter = np.minimum(a, b)
    soft_most, soft_least = np.minimum(softness * most, shorter), np.minimum(softness * least, shorter)
    eased_out = most - soft_most * np.exp(-np.maximum(reach - most + soft_most, 0.0) / soft_most)
    eased_in = least + soft_least * np.exp(np.minimum(reach - least - soft_least, 0.0) / soft_least)
    reach = np.where(reach > most - soft_most, eased_out, np.where(reach < least + soft_least, eased_in, reach))

    # Bend the knee in its old plane until the ankle is at the right distance, then turn the rigid limb.
    normal = rot._unit(np.cross(knees - hips, ankles - knees))
    inner = np.arccos(np.sum((hips - knees) * (ankles - knees), axis=-1) / (a * b))
    new_inner = np.arccos(np.clip((a**2 + b**2 - reach**2) / (2 * a * b), -1.0, 1.0))
    bend = rot.from_axis_angle(normal, inner - new_inner)
    bent_ankles = knees + rot.rotate(bend, ankles - knees)

    def frame(line: FloatArray, side: FloatArray) -> FloatArray:
        x = rot._unit(line)
        y = rot._unit(side - x * np.sum(side * x, axis=-1, keepdims=True))
        return np.stack([x, y, np.cross(x, y)], axis=-1)

    old = frame(bent_ankles - hips, knees - hips)
    new = frame(goals - hips, poles)
    rigid = rot.from_matrix(new @ np.swapaxes(old, -1, -2))
    return rigid, rot.multiply(rigid, bend)


def _length(v: FloatArray) -> FloatArray:
    return np.linalg.norm(v, axis=-1)


def clamp_rotation(q: FloatArray, limits: JointLimits, j: int) -> FloatArray:
    """A local rotation of joint ``j`` brought within its limits."""
    axis = limits.axes[j]
    swing, twist = rot.swing_twist(rot.multiply(rot.inverse(limits.rest[j]), q), axis)
    angle = float(rot.log(twist) @ axis)
    low, high = limits.twist[j]
    if not low <= angle <= high:
        angle = low if (low - angle) % (2 * np.pi) < (angle - high) % (2 * np.pi) else high
    vector = rot.log(swing)
    vector *= min(1.0, limits.swing[j] / max(np.linalg.norm(vector), 1e-300))
    return rot.multiply(limits.rest[j], rot.multiply(rot.exp(vector), rot.exp(angle * axis)))


class Chain:
    """One chain and its goal, for `ccd`."""

    def __init__(
        self, bones: FloatArray, place: FloatArray, base: FloatArray, goal: FloatArray, limits: JointLimits
    ) -> None:
        self.bones, self.place, self.base, self.goal, self.limits = bones, place, base, goal, limits
        self.joints = len(bones)

    def pose(self, q: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """Places of the joints and the tip, the world rotations of the joints' parents, and the error."""
        places, parents = [self.place], [self.base]
        for j in range(self.joints):
            parents.append(rot.multiply(parents[-1], q[j]))
            places.append(places[-1] + rot.rotate(parents[-1], self.bones[j]))
        return np.array(places), np.array(parents), float(_length(self.goal - places[-1]))

    def sweep(self, q: FloatArray) -> FloatArray:
        q = q.copy()
        for j in reversed(range(self.joints)):
            places, parents, _ = self.pose(q)
            back = rot.inverse(parents[j])
            tip, aim = rot.rotate(back, places[-1] - places[j]), rot.rotate(back, self.goal - places[j])
            if self.limits.swing[j] <= 0.0:
                axis = rot.rotate(self.limits.rest[j], self.limits.axes[j])
                a, b = tip - axis * (tip @ axis), aim - axis * (aim @ axis)
                turn = rot.exp(axis * np.arctan2(axis @ np.cross(a, b), a @ b))
            else:
                turn = rot.between(tip, aim)
            for k in range(HALVINGS):
                part = rot.slerp(q[j], rot.multiply(turn, q[j]), 0.5**k)
                new = clamp_rotation(part, self.limits, j)
                moved = rot.rotate(rot.multiply(new, rot.inverse(q[j])), tip)
                if _length(moved - aim) < _length(tip - aim):
                    q[j] = new
                    break
        return q

    def newton(self, q: FloatArray) -> FloatArray:
        still = np.zeros(self.joints, dtype=bool)
        for _ in range(2):
            places, parents, error = self.pose(q)
            columns = np.zeros((3, self.joints, 3))  # of the Jacobian: for each joint three world axes, or one
            axes = np.zeros((self.joints, 3, 3))
            for j in range(self.joints):
                axes[j] = np.eye(3)
                if self.limits.swing[j] <= 0.0:
                    hinge = rot.multiply(parents[j], self.limits.rest[j])
                    axes[j] = [rot.rotate(hinge, self.limits.axes[j]), np.zeros(3), np.zeros(3)]
                columns[:, j] = np.cross(axes[j], places[-1] - places[j]).T
            jacobian = (columns * ~still[:, None]).reshape(3, -1)
            square = jacobian @ jacobian.T
            square += np.eye(3) * ((DAMPING * error) ** 2 + 1e-12 * np.trace(square))
            pull = np.linalg.solve(square, self.goal - places[-1])
            steps = np.einsum("cja,c->ja", columns, pull)
            trial, ran_in = q.copy(), False
            for j in np.flatnonzero(~still):
                turn = rot.rotate(rot.inverse(parents[j]), steps[j] @ axes[j])
                turn *= min(1.0, CCD_WIDEST / max(_length(turn), 1e-12))
                free = rot.multiply(rot.exp(turn), q[j])
                trial[j] = clamp_rotation(free, self.limits, j)
                if abs(free @ trial[j]) < 1.0 - 1e-12:
                    still[j] = ran_in = True
            if self.pose(trial)[2] < error:
                q = trial
            if not ran_in:
                break
        return q

    def stretch(self, q: FloatArray) -> FloatArray:
        q = q.copy()
        for j in range(self.joints):
            places, parents, _ = self.pose(q)
            aim = rot.rotate(rot.inverse(parents[j]), self.goal - places[j])
            turn = rot.between(rot.rotate(q[j], self.bones[j]), aim)
            q[j] = clamp_rotation(rot.multiply(turn, q[j]), self.limits, j)
        return q

    def start_again(self, twist: float, swing_a: float, swing_b: float) -> FloatArray:
        out = []
        limits = self.limits
        for rest, axis, swing, (low, high) in zip(limits.rest, limits.axes, limits.swing, limits.twist, strict=True):
            side = [0.0, axis[2], -axis[1]] if abs(axis[0]) < 0.7 else [-axis[2], 0.0, axis[0]]
            side = rot._unit(side)
            swung = rot.exp(swing * (swing_a * side + swing_b * np.cross(axis, side)))
            out.append(rot.multiply(rest, rot.multiply(swung, rot.exp(axis * (low + twist * (high - low))))))
        return np.array(out)


def ccd(chain: Chain, q: FloatArray, tolerance: float, max_rounds: int) -> tuple[FloatArray, float]:
    """The rotations of one chain that reaches for its goal, and the error left."""
    q = np.array([clamp_rotation(q[j], chain.limits, j) for j in range(chain.joints)])
    length, distance = float(np.sum(_length(chain.bones))), float(_length(chain.goal - chain.place))
    least = max(distance - length, 0.0)
    enough = least + tolerance * length
    best, best_error, rounds = q, chain.pose(q)[2], 0
    starts = [chain.stretch(q) if distance > (1 - tolerance) * length and best_error > enough else q]
    if least == 0.0:
        starts += [chain.start_again(*shares) for shares in RESTARTS]
    for q in starts:
        error, before = chain.pose(q)[2], np.inf
        while error > enough and rounds < max_rounds and before - error > STALL * (error - least):
            rounds, before = rounds + 1, error
            q = chain.newton(chain.sweep(q))
            error = chain.pose(q)[2]
        if error < best_error - 1e-9 * length:
            best, best_error = q, error
        if best_error <= enough or rounds >= max_rounds:
            break
    return best, best_error


def dls_round(
    parents: IntArray,
    offsets: FloatArray,
    root: FloatArray,
    q: FloatArray,
    joints: IntArray,
    points: FloatArray,
    goals: FloatArray,
    weights: FloatArray,
    levels: IntArray,
    freedom: FloatArray,
    damping: float,
    top: int,
) -> FloatArray:
    """One round of damped least squares for one body and the first ``top`` levels, by singular values."""
    count = len(parents)
    positions, world = (x[0] for x in forward_kinematics(parents, offsets[None], root[None], q[None]))
    axes = rot.to_matrix(world)  # columns: the own axes of each joint, in the world
    step, projector = np.zeros(3 * count), np.eye(3 * count)
    paths = [_path(parents, int(joint)) for joint in joints]
    lengths = [_length(p) + sum(_length(offsets[j]) for j in path[:-1]) for p, path in zip(points, paths, strict=True)]
    size = max(lengths)
    damping *= size
    for level in range(top):
        rows, gaps = [np.zeros((0, 3 * count))], [np.zeros(0)]
        for g in np.flatnonzero((levels == level) & (weights > 0)):
            tip = positions[joints[g]] + rot.rotate(world[joints[g]], points[g])
            jacobian = np.zeros((3, count, 3))
            for j in paths[g]:
                jacobian[:, j] = np.cross(axes[j].T, tip - positions[j]).T * freedom[j]
            gap = goals[g] - tip
            gap *= min(1.0, LONGEST_PULL * size / _length(gap))
            rows.append(weights[g] * jacobian.reshape(3, -1))
            gaps.append(weights[g] * gap)
        jacobian, gap = np.concatenate(rows), np.concatenate(gaps)
        gap = gap - jacobian @ step
        u, sigma, v = np.linalg.svd(jacobian @ projector, full_matrices=False)
        keep = sigma > 1e-12 * damping
        u, sigma, v = u[:, keep], sigma[keep], v[keep]
        weak = np.maximum(1.0 - sigma**2 / (4 * damping**2), 0.0)
        resistance = sigma**2 + (damping * weak) ** 2
        step = step + v.T @ (sigma / (resistance + PATIENCE * size * _length(gap)) * (u.T @ gap))
        projector = projector @ (np.eye(3 * count) - v.T @ np.diag(sigma**2 / resistance) @ v)
    turn = step.reshape(count, 3) * freedom
    turn *= min(1.0, DLS_WIDEST / np.max(np.abs(turn)))
    return rot.multiply(q, rot.exp(turn))


def _path(parents: IntArray, joint: int) -> list[int]:
    path = [joint]
    while parents[path[-1]] >= 0:
        path.append(int(parents[path[-1]]))
    return path
