"""A motion made ready to be drawn: its body, its floor, where it faces, and which feet are planted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect, fit_floor, foot_points
from locomote.contacts.footing import (
    Footing,
    GroundOrTimes,
    ObstaclesOrTimes,
    contacts_on,
    feet_on,
    obstacles_at,
)
from locomote.draw import _palette as palette
from locomote.draw._anatomy import figure_of
from locomote.draw._arrows import Arrows
from locomote.draw._figure import Figure
from locomote.draw._shapes import Mesh, Shapes, joined, skinned
from locomote.draw._skin import BoolArray, DrawnSkin, skin_of
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.world import Ground, Obstacles

_CALM = 0.35  # s; the facing and the followed path are smoothed over this time
_MARK_RADIUS = 0.028  # of the body's size: the disc under a planted heel or ball
_MARK_OF_FOOT = 0.25  # of the length of a foot's skin: the most that the disc under it has as radius
_MARK_FLAT = 0.10
_MARK_GAP = 0.04  # of the body's size: no disc lies farther below a planted heel
_SHANK = 0.035  # of the body's size: room around knees and feet in a close-up
_LARGEST_DROP = 0.03  # of the body's size by which feet are drawn lower or higher than their joints
_SKIN_POSES = 24  # at most so many frames show how large the skin is and where it stands
_CELLS = (
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1.0,
    2.0,
    5.0,
    10.0,
    20.0,
    50.0,
    100.0,
)  # m between grid lines

ContactsOrNot = Contacts | Literal[False] | None


@dataclass(frozen=True, eq=False)
class StagedMotion:
    """One motion on its floor."""

    motion: Motion
    figure: Figure
    positions: FloatArray  # (F, J, 3)
    turns: FloatArray  # (F, J, 4)
    feet: FloatArray  # (F, L, 3, 3) heel, ball, toe
    contacts: Contacts | None
    plane: FloatArray  # (3,) the drawn floor, under the soles: height, slope along x, slope along z
    yaws: FloatArray  # (F,) where the body faces, smoothed
    path: FloatArray  # (F, 3) the pelvis on the floor, smoothed
    footing: Footing | None = None  # the ground that takes the place of the plane
    around: ObstaclesOrTimes = None  # obstacles that stand there
    skin: DrawnSkin | None = None  # drawn in place of the figure
    arrows: Arrows | None = None

    @property
    def cell(self) -> float:
        """A round distance between grid lines that suits the size of the body, metres."""
        return min(_CELLS, key=lambda c: abs(np.log(c / (0.35 * self.figure.size))))

    @property
    def yaw(self) -> float:
        """Where the body faces on the whole."""
        return float(np.arctan2(np.mean(np.sin(self.yaws)), np.mean(np.cos(self.yaws))))

    def ground(self, frame: int) -> Ground | None:
        """The ground in one frame, if there is any but the plane."""
        return None if self.footing is None else self.footing.at(frame)

    @property
    def in_place(self) -> bool:
        """Whether the motion is shown where it is, because of what is around it."""
        return self.footing is not None or self.around is not None

    @property
    def stands(self) -> bool:
        """Whether all that is around the motion stands still."""
        return (self.footing is None or self.footing.stands) and not callable(self.around)

    def obstacles(self, frame: int) -> Obstacles | None:
        """The obstacles in one frame, if there are any."""
        return obstacles_at(self.around, float(self.motion.times[frame]))

    def floor_at(self, points: FloatArray) -> FloatArray:
        """The height of the floor under points ``(..., 3)``."""
        out: FloatArray = self.plane[0] + self.plane[1] * points[..., 0] + self.plane[2] * points[..., 2]
        return out

    def with_arrows(self, arrows: Arrows | None) -> StagedMotion:
        """The same with arrows, one set for every frame."""
        if arrows is not None and len(arrows) != len(self.motion):
            raise LocomoteError(f"arrows of {len(arrows)} frames for a motion of {len(self.motion)}")
        return replace(self, arrows=arrows)

    def shapes(self, frame: int) -> Shapes:
        """The body in one frame, with a disc on the floor under each planted heel and ball, and its arrows."""
        body = self._body(frame)
        more = None if self.arrows is None else self.arrows.shapes(frame, self.figure.size)
        return body if more is None else joined([body, more])

    def _body(self, frame: int) -> Shapes:
        none = np.zeros(self.feet.shape[1], dtype=bool)
        heel = none if self.contacts is None else self.contacts.heel[frame]
        toe = none if self.contacts is None else self.contacts.toe[frame]
        joints = self.positions[frame], self.turns[frame]
        if self.skin is not None:
            return self._skinned(self.skin, self.skin.posed(*joints, heel | toe), heel | toe, frame)
        body = self.figure.posed(*joints, self.feet[frame], heel, toe)
        heels, ground = self.feet[frame, heel, 0], self.ground(frame)
        if ground is not None:  # a heel may stick out over the edge of a step
            heels = heels[ground.height_above(heels) < _MARK_GAP * self.figure.size]
        spots = np.concatenate([heels, self.feet[frame, toe, 1]])
        radii = np.full(len(spots), _MARK_RADIUS * self.figure.size)
        return joined([body, self._marks(spots, radii, frame)]) if len(spots) else body

    def _skinned(self, skin: DrawnSkin, mesh: Mesh, planted: BoolArray, frame: int) -> Shapes:
        """The skin in one frame, with a disc on the floor under each planted foot."""
        body = skinned(mesh)
        down = [i for i in np.flatnonzero(planted).tolist() if len(skin.soles[i])]
        if not down:
            return body
        spots = np.array([skin.touching(mesh.vertices, i) for i in down])
        radii = np.minimum(_MARK_RADIUS * self.figure.size, _MARK_OF_FOOT * skin.foot_lengths[down])
        return joined([body, self._marks(spots, radii, frame)])

    def lower_legs(self, frame: int) -> Shapes:
        """From the knees down: what a close-up of the feet shows in one frame."""
        legs = self.motion.skeleton.roles.legs
        knees = self.positions[frame, [leg.knee for leg in legs]]
        ends = np.concatenate([np.stack([knees, self.feet[frame, :, k]], axis=1) for k in range(3)])
        count = len(ends)
        bones = Shapes(
            ends=ends,
            radii=np.full((count, 2), _SHANK * self.figure.size),
            flat_axes=np.tile([0.0, 1.0, 0.0], (count, 1)),
            flats=np.ones(count),
            colours=np.zeros((count, 3)),
        )
        if self.skin is None:
            return bones
        vertices = self.skin.body.posed(self.positions[frame], self.turns[frame])[self.skin.below_knees]
        return replace(bones, mesh=replace(bones.mesh, vertices=vertices))

    def centred(self, frame: int) -> Shapes:
        """The body in one frame on a level floor at height 0, over the origin and facing +Z."""
        middle = self.path[frame] * np.array([1.0, 0.0, 1.0])

        def level(points: FloatArray) -> FloatArray:
            out: FloatArray = points - middle
            out[..., 1] -= self.floor_at(points)
            return out

        return self.shapes(frame).placed(level).moved(rot.from_yaw(-self.yaws[frame]), np.zeros(3))

    def _marks(self, spots: FloatArray, sizes: FloatArray, frame: int) -> Shapes:
        count = len(spots)
        places = spots.copy()
        ground = self.ground(frame)
        if ground is None:
            places[:, 1] = self.floor_at(places)
            upright = np.tile([0.0, 1.0, 0.0], (count, 1))
        else:
            places[:, 1], upright = ground.heights(spots), ground.normal(spots)
        return Shapes(
            ends=np.repeat(places[:, None], 2, axis=1),
            radii=np.repeat(sizes[:, None], 2, axis=1),
            flat_axes=upright,
            flats=np.full(count, _MARK_FLAT),
            colours=np.tile(np.array(palette.PLANTED) / 255.0, (count, 1)),
        )


def prepare(
    motion: Motion,
    contacts: ContactsOrNot = None,
    ground: GroundOrTimes = None,
    closeup: bool = False,
    obstacles: ObstaclesOrTimes = None,
    skin: bool = True,
) -> StagedMotion:
    """Make a motion ready to be drawn. ``None`` detects its contacts, ``False`` draws it without any.

    Without a ``ground`` a floor is fitted under the feet. A ``closeup`` needs legs. Without ``skin`` a body that
    brings one is drawn around its bones all the same.
    """
    roles = checked_motion(motion, "draw").skeleton.roles
    if closeup and not roles.legs:
        raise LocomoteError("closeup: the body has no legs to look at")
    footing = None if ground is None else Footing(ground, motion)
    if not roles.legs:
        contacts = False if contacts is None else contacts
    elif contacts is None:
        contacts = detect(motion) if footing is None else contacts_on(motion, feet_on(motion, footing), footing)
    found = None if contacts is False else contacts
    if found is not None and len(found) != len(motion):
        raise LocomoteError(f"contacts of {len(found)} frames for a motion of {len(motion)} frames")
    positions, turns = motion.world()
    yaws = _facing(motion, positions, turns)
    figure = figure_of(motion.skeleton, positions, turns, yaws)
    cover, poses = None, {}
    if skin and motion.body is not None and len(motion.body.triangles):
        cover = skin_of(motion.skeleton, motion.body)
        picked = np.unique(np.linspace(0, len(motion) - 1, _SKIN_POSES).astype(int))
        poses = {int(f): cover.body.posed(positions[f], turns[f]) for f in picked}
        size = np.median([np.ptp(rot.rotate(rot.from_yaw(-yaws[f]), p), axis=0) for f, p in poses.items()], axis=0)
        figure = replace(figure, size=max(figure.size, float(size.max())))
    path = _calm(positions[:, roles.root], motion.fps)
    if footing is not None:
        feet = feet_on(motion, footing) if found is None else _on_ground(found, turns, figure, footing)
        plane = np.zeros(3)
        path[:, 1] = footing.heights(positions[:, roles.root])
        path[:, 1] = _calm(path, motion.fps)[:, 1]
        return StagedMotion(motion, figure, positions, turns, feet, found, plane, yaws, path, footing, obstacles, cover)
    feet = foot_points(motion) if found is None else _standing(found, turns, figure.sole)
    floor = found.floor if found is not None else fit_floor(motion) if roles.legs else None
    if floor is None:
        lowest = float(np.percentile(positions[:, :, 1].min(axis=1), 2))
        plane = np.array([lowest - float(figure.radii.max()), 0.0, 0.0])
    else:
        plane = np.array([floor.height - figure.sole, floor.slope_x, floor.slope_z])
    if cover is not None:
        plane[0] += _skin_above(plane, cover, poses, found)
    path[:, 1] = plane[0] + path[:, [0, 2]] @ plane[1:]
    return StagedMotion(motion, figure, positions, turns, feet, found, plane, yaws, path, around=obstacles, skin=cover)


def _skin_above(plane: FloatArray, skin: DrawnSkin, poses: dict[int, FloatArray], contacts: Contacts | None) -> float:
    """How high above a plane the skin stands: the lowest of each planted foot, or of the whole body, as is usual."""
    slope = np.array([-plane[1], 1.0, -plane[2]])
    over = {frame: vertices @ slope - plane[0] for frame, vertices in poses.items()}
    lowest = []
    if contacts is not None:
        for frame, heights in over.items():
            down = np.flatnonzero(contacts.heel[frame] | contacts.toe[frame])
            lowest += [float(heights[skin.soles[i]].min()) for i in down if len(skin.soles[i])]
    return float(np.median(lowest or [float(heights.min()) for heights in over.values()]))


def _on_ground(contacts: Contacts, turns: FloatArray, figure: Figure, footing: Footing) -> FloatArray:
    """The points of the feet, moved along with the foot so that planted soles lie on the ground.

    Joints lie above the sole by as much as the rig likes. Each foot is shifted as a whole, by what is usual when it
    stands, so that a foot that sinks or floats beside that still shows it.
    """
    feet = contacts.points.copy()
    over = feet[:, :, 1, 1] - footing.heights(feet[:, :, 1])
    most = _LARGEST_DROP * figure.size
    for i, leg in enumerate(contacts.legs):
        down = np.flatnonzero(contacts.toe[:, i])
        if len(down) == 0:
            continue
        drop = np.clip(figure.sole - float(np.median(over[down, i])), -most, most)
        up = drop * footing.normals(feet[:, i, 1])[down]
        local = np.median(rot.rotate(rot.inverse(turns[down, leg.ankle]), up), axis=0)
        feet[:, i] += rot.rotate(turns[:, leg.ankle], local)[:, None]
    return feet


def _standing(contacts: Contacts, turns: FloatArray, sole: float) -> FloatArray:
    """The points of the feet, moved down with the foot where a rig ends above its paws and hooves."""
    feet = contacts.points.copy()
    for i, leg in enumerate(contacts.legs):
        down = np.flatnonzero(contacts.toe[:, i])
        if len(down) == 0:
            continue
        above = contacts.floor.heights(feet[down, i, 1])
        if np.median(above) > sole:
            drop = np.stack([0 * above, -above, 0 * above], axis=1)
            local = np.median(rot.rotate(rot.inverse(turns[down, leg.ankle]), drop), axis=0)
            feet[:, i, 1:] += rot.rotate(turns[:, leg.ankle], local)[:, None]
    return feet


def _facing(motion: Motion, positions: FloatArray, turns: FloatArray) -> FloatArray:
    """The heading of the body, smoothed, ``(F,)``: square to the line from right hips to left ones."""
    roles = motion.skeleton.roles
    sides = {side: [leg.hip for leg in roles.legs if leg.side == side] for side in ("left", "right")}
    if sides["left"] and sides["right"]:
        across = positions[:, sides["left"]].mean(axis=1) - positions[:, sides["right"]].mean(axis=1)
        ahead = np.cross(across, (0.0, 1.0, 0.0))
    else:
        rest = motion.skeleton.rest_pose()[1][roles.root]
        ahead = rot.rotate(rot.multiply(turns[:, roles.root], rot.inverse(rest)), roles.forward)
    level = _calm(ahead, motion.fps)
    out: FloatArray = np.arctan2(level[:, 0], level[:, 2])
    return out


def _calm(values: FloatArray, fps: float) -> FloatArray:
    """Values ``(F, 3)`` smoothed over time; beyond its ends a clip is taken to go on as it came."""
    from scipy.ndimage import gaussian_filter1d

    more = min(len(values) - 1, int(4 * _CALM * fps))
    before = 2.0 * values[:1] - values[more:0:-1]
    after = 2.0 * values[-1:] - values[-2 : -2 - more : -1]
    longer = np.concatenate([before, values, after]) if more else values
    out: FloatArray = gaussian_filter1d(longer, _CALM * fps, axis=0, mode="nearest")[more : more + len(values)]
    return out
