"""Bodies and feet on moving ground: a platform takes along who stands on it, and the places of feet."""

from __future__ import annotations

from locomote.human._kernels.state import NEW, PLANTED, SWINGING, Arrival, Foot, Walker
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, multiply, quaternion, rotate, store
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector, add, smooth_step, subtract, vector
from locomote.world._kernels import ground

HANDOVER = 0.2  # s in which a foot takes over the body after landing, and lets it go after lift-off
LEAST_HOLD = 1e-3  # share that a foot keeps of the body that has none on the ground


@inline
def put(foot: Foot, place: Vector, flat: Quaternion, piece: int, ahead: float, pieces: Floats) -> None:
    """Choose the place of a foot: its ball and its rotation when flat, in the world, on a piece of the ground.

    The piece is taken where it will be ``ahead`` seconds from now.
    """
    foot.piece = piece
    foot.goal[0], foot.goal[1], foot.goal[2] = place
    store(foot.flat_turn, flat)
    if piece < 0:
        return
    at = pieces[piece]
    back = about_up(-at[ground.YAW] - ahead * at[ground.TURN])
    centre = (
        at[ground.X] + ahead * at[ground.VX],
        at[ground.Y] + ahead * at[ground.VY],
        at[ground.Z] + ahead * at[ground.VZ],
    )
    x, y, z = rotate(back, subtract(place, centre))
    foot.local_place[0], foot.local_place[1], foot.local_place[2] = x, y, z
    store(foot.local_turn, multiply(back, flat))


@inline
def follow(foot: Foot, pieces: Floats) -> None:
    """Move the place of a foot with its piece of the ground."""
    piece = foot.piece
    if piece < 0 or piece >= pieces.shape[0]:
        return
    at = pieces[piece]
    turn = about_up(at[ground.YAW])
    local = vector(foot.local_place)
    centre = at[ground.X], at[ground.Y], at[ground.Z]
    foot.goal[0], foot.goal[1], foot.goal[2] = add(centre, rotate(turn, local))
    store(
        foot.flat_turn,
        multiply(turn, quaternion(foot.local_turn)),
    )


@part
def carry(row: Walker, feet: Records, pieces: Floats, before: Floats) -> None:
    """Take a character along with the pieces of ground that it stands on.

    ``before (P, 4)`` is where the pieces were at the last step: x, y, z, yaw.
    """
    moves = False
    for leg in range(feet.shape[0]):
        if feet[leg].state == NEW:
            return
        moves |= feet[leg].piece >= 0 or feet[leg].last_piece >= 0
    if not moves:
        return
    x, z = row.x, row.z
    shift_x = shift_y = shift_z = turn = total = 0.0
    for leg in range(feet.shape[0]):
        foot = feet[leg]
        follow(foot, pieces)
        piece, hold = _held_by(foot)
        total += hold
        foot.last_height += _risen(foot.last_piece, pieces, before)
        if piece < 0:
            continue
        now, was = pieces[piece], before[piece]
        angle = now[ground.YAW] - was[3]
        dx, _, dz = rotate(about_up(angle), (x - was[0], 0.0, z - was[2]))
        shift_x += hold * (now[ground.X] + dx - x)
        shift_y += hold * (now[ground.Y] - was[1])
        shift_z += hold * (now[ground.Z] + dz - z)
        turn += hold * angle
    shift_x, shift_y, shift_z, turn = shift_x / total, shift_y / total, shift_z / total, turn / total
    for leg in range(feet.shape[0]):
        if feet[leg].state == SWINGING:
            arrival: Arrival = feet[leg].arrival
            dx, _, dz = rotate(about_up(turn), (arrival.ankle[0] - x, 0.0, arrival.ankle[2] - z))
            arrival.ankle[0], arrival.ankle[2] = x + shift_x + dx, z + shift_z + dz
            store(arrival.turn, multiply(about_up(turn), quaternion(arrival.turn)))
    row.x += shift_x
    row.z += shift_z
    row.yaw += turn
    row.ground += shift_y


@inline
def _held_by(foot: Foot) -> tuple[int, float]:
    """The piece of ground of the present or last stance of a foot, and how much it holds the body."""
    if foot.state == PLANTED:
        return foot.piece, LEAST_HOLD + smooth_step(foot.stood / HANDOVER)
    return foot.last_piece, LEAST_HOLD + 1.0 - smooth_step(foot.swung / HANDOVER)


@inline
def _risen(piece: int, pieces: Floats, before: Floats) -> float:
    """How far a piece has risen since the last step."""
    risen: float = pieces[piece, ground.Y] - before[piece, 1] if piece >= 0 else 0.0
    return risen


@inline
def carrier(feet: Records) -> int:
    """The piece of ground that holds a body most, -1 for the base."""
    best, most = -1, -1.0
    for leg in range(feet.shape[0]):
        piece, hold = _held_by(feet[leg])
        if hold > most:
            best, most = piece, hold
    return best


@inline
def velocity_of(piece: int, x: float, z: float, pieces: Floats) -> Vector:
    """The velocity of a piece of ground at a place, m/s."""
    if piece < 0:
        return 0.0, 0.0, 0.0
    at = pieces[piece]
    dx, dz = x - at[ground.X], z - at[ground.Z]
    return at[ground.VX] + at[ground.TURN] * dz, at[ground.VY], at[ground.VZ] - at[ground.TURN] * dx
