"""Bodies and feet on moving ground: a platform takes along who stands on it, and the places of feet."""

from __future__ import annotations

from locomote.human._kernels import drive
from locomote.human._kernels import footplants as plants
from locomote.human._kernels.footplants import NEW, PLANTED, SWINGING
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Vector, add, smooth_step, subtract, vector
from locomote.world._kernels import ground

HANDOVER = 0.2  # s in which a foot takes over the body after landing, and lets it go after lift-off
LEAST_HOLD = 1e-3  # share that a foot keeps of the body that has none on the ground


@inline
def put(foot: Floats, place: Vector, flat: Quaternion, piece: int, ahead: float, pieces: Floats) -> None:
    """Choose the place of a foot: its ball and its rotation when flat, in the world, on a piece of the ground.

    The piece is taken where it will be ``ahead`` seconds from now.
    """
    foot[plants.PIECE] = piece
    foot[plants.GOAL], foot[plants.GOAL + 1], foot[plants.GOAL + 2] = place
    store(foot[plants.FLAT : plants.FLAT + 4], flat)
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
    foot[plants.LOCAL], foot[plants.LOCAL + 1], foot[plants.LOCAL + 2] = x, y, z
    store(foot[plants.LOCAL + 3 : plants.LOCAL + 7], multiply(back, flat))


@inline
def follow(foot: Floats, pieces: Floats) -> None:
    """Move the place of a foot with its piece of the ground."""
    piece = int(foot[plants.PIECE])
    if piece < 0 or piece >= pieces.shape[0]:
        return
    at = pieces[piece]
    turn = about_up(at[ground.YAW])
    local = vector(foot[plants.LOCAL : plants.LOCAL + 3])
    centre = at[ground.X], at[ground.Y], at[ground.Z]
    foot[plants.GOAL], foot[plants.GOAL + 1], foot[plants.GOAL + 2] = add(centre, rotate(turn, local))
    store(
        foot[plants.FLAT : plants.FLAT + 4],
        multiply(turn, quaternion(foot[plants.LOCAL + 3 : plants.LOCAL + 7])),
    )


@part
def carry(row: Floats, feet: Floats, pieces: Floats, before: Floats) -> None:
    """Take a character along with the pieces of ground that it stands on.

    ``before (P, 4)`` is where the pieces were at the last step: x, y, z, yaw.
    """
    moves = False
    for leg in range(feet.shape[0]):
        if feet[leg, plants.STATE] == NEW:
            return
        moves |= feet[leg, plants.PIECE] >= 0.0 or feet[leg, plants.LAST_PIECE] >= 0.0
    if not moves:
        return
    x, z = row[drive.X], row[drive.Z]
    shift_x = shift_y = shift_z = turn = total = 0.0
    for leg in range(feet.shape[0]):
        foot = feet[leg]
        follow(foot, pieces)
        piece, hold = _held_by(foot)
        total += hold
        foot[plants.LAST_HEIGHT] += _risen(int(foot[plants.LAST_PIECE]), pieces, before)
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
        if feet[leg, plants.STATE] == SWINGING:
            arrival = feet[leg, plants.ARRIVAL :]
            dx, _, dz = rotate(about_up(turn), (arrival[0] - x, 0.0, arrival[2] - z))
            arrival[0], arrival[2] = x + shift_x + dx, z + shift_z + dz
            store(arrival[3:7], multiply(about_up(turn), quaternion(arrival[3:7])))
    row[drive.X] += shift_x
    row[drive.Z] += shift_z
    row[drive.YAW] += turn
    row[drive.GROUND] += shift_y


@inline
def _held_by(foot: Floats) -> tuple[int, float]:
    """The piece of ground of the present or last stance of a foot, and how much it holds the body."""
    if foot[plants.STATE] == PLANTED:
        return int(foot[plants.PIECE]), LEAST_HOLD + smooth_step(foot[plants.STOOD] / HANDOVER)
    return int(foot[plants.LAST_PIECE]), LEAST_HOLD + 1.0 - smooth_step(foot[plants.SWUNG] / HANDOVER)


@inline
def _risen(piece: int, pieces: Floats, before: Floats) -> float:
    """How far a piece has risen since the last step."""
    risen: float = pieces[piece, ground.Y] - before[piece, 1] if piece >= 0 else 0.0
    return risen


@inline
def carrier(feet: Floats) -> int:
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
