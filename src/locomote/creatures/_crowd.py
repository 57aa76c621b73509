"""One creature or thousands of a kind, on any ground, one call a frame."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote._arguments import Notices, Rows, Values, Who, rows_of, spread
from locomote.creatures._appendages import Appendages
from locomote.creatures._beginnings import CrowdBeginning
from locomote.creatures._bursts import Bursting
from locomote.creatures._creature import Creature
from locomote.creatures._effects import Effects
from locomote.creatures._gaits import Gait
from locomote.creatures._goals import CreatureGoals
from locomote.creatures._kernels.model import CreatureBody
from locomote.creatures._kernels.state import STAGES, CreaturePoses, Creatures
from locomote.creatures._navigation import CreatureNavigation
from locomote.creatures._queries import CreatureQueries
from locomote.errors import LocomoteError
from locomote.math._compile import prepared
from locomote.math.threads import Threads
from locomote.motion import SHOWN, SHOWN_FPS, Motion, Poses, show_together
from locomote.rotations import FloatArray
from locomote.world import Ground, Maps, Obstacles

FASTEST = 15.0  # m/s
FASTEST_TURN = 2.0  # rad/s


class Crowd(CrowdBeginning, CreatureQueries, CreatureGoals, Effects, Bursting):
    """Creatures of one kind. All knobs may be turned at any time, for all or for some.

    ``step`` returns the same `Poses` each time, with arrays that the next step overwrites: take a ``copy()`` of what is
    to be kept. What moves in the world (``ground``, ``obstacles``) is moved by their own ``advance``.

    Parameters
    ----------
    creature : one of `creatures.NAMES`, or a `Creature`
    count : N
    seed : of all that is drawn at random
    speed, heading : m/s and rad, number or (N,)
    gait : a name, "auto" (by speed), or "modal" (by speed, trunk and arms by the body's natural vibrations)
    positions : (N, 2) m as (x, z), or (N, 3); on a grid about the origin unless given
    ground, obstacles : what they walk on and among
    maps : of a world that crowds share, in place of ground and obstacles
    threads : that work on it at once
    """

    def __init__(
        self,
        creature: Creature | str,
        count: int = 1,
        *,
        seed: int = 0,
        speed: Values = 0.0,
        heading: Values = 0.0,
        gait: str = "auto",
        positions: rot.ArrayLike | None = None,
        ground: Ground | None = None,
        obstacles: Obstacles | None = None,
        maps: Maps | None = None,
        threads: int = 1,
    ) -> None:
        if not (isinstance(count, (int, np.integer)) and count >= 1):
            raise LocomoteError(f"count {count}: a crowd has at least one creature")
        if not isinstance(creature, (Creature, str)):
            raise LocomoteError(f"a crowd takes a Creature or the name of one, got {type(creature).__name__}")
        self.creature = Creature.build(creature) if isinstance(creature, str) else creature
        if gait == "modal":
            self.creature, gait = self.creature.by_modes(), "auto"
        if maps is None:
            ground = Ground() if ground is None else ground
            maps = Maps(ground, Obstacles() if obstacles is None else obstacles, self.creature.cell)
        elif ground is not None or obstacles is not None:
            raise LocomoteError("maps: they bring their own ground and obstacles; give either, not both")
        self.maps = maps
        self._threads = Threads(threads)
        self._notices = Notices()
        self._random = np.random.default_rng(seed)
        self._make_state(count)
        self._pack()
        speeds = spread("speed", speed, count)
        self._begin(gait, self._notices.clamp("speed", speeds, -FASTEST, FASTEST, "m/s"))
        self._place(positions, spread("heading", heading, count))
        self._ways = CreatureNavigation(self._rows, self._feet, self.creature, self.maps)
        self.appendages = Appendages(self.creature.morphology, count, self.creature.synergy.joints)
        self.step(0.0)

    def __repr__(self) -> str:
        return f"<Crowd of {len(self)}: {self.creature.morphology.name}>"

    @property
    def poses(self) -> Poses:
        """The poses of the last step."""
        return self._poses

    def command(
        self,
        *,
        speed: Values | None = None,
        heading: Values | None = None,
        turn_rate: Values | None = None,
        gait: str | Gait | None = None,
        within: float | None = None,
        step_height: Values | None = None,
        spacing: npt.ArrayLike | None = None,
        burst: bool | None = None,
        who: Who = None,
    ) -> None:
        """Give new targets, one number or one for each creature meant by ``who``; what is left out stays.

        Parameters
        ----------
        speed : m/s, backwards below 0
        heading : rad, to which they turn
        turn_rate : rad/s, in place of a heading
        gait : a name, "auto" (by speed), "random", or a `Gait` of your own
        within : s, in which the gait is reached; one period without it
        step_height : m; a negative one leaves it to the gait
        spacing : (F, 2) or (n, F, 2) m, places of the feet under the body: x to the left, z ahead
        burst : the speed comes in bursts from rest to what was told and back; the gait "random" gives each another gait
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        if turn_rate is not None and heading is not None:
            raise LocomoteError("turn_rate and heading: give one of them")
        count = len(rows)
        speeds = None if speed is None else spread("speed", speed, count)
        headings = None if heading is None else spread("heading", heading, count)
        rates = None if turn_rate is None else spread("turn_rate", turn_rate, count)
        heights = None if step_height is None else spread("step_height", step_height, count)
        places = None if spacing is None else self._spread_spacing(spacing, count)
        if gait is not None:
            self._change_gait(rows, gait, within)
        state = self._rows
        self._ways.told(rows, speeds, headings is not None or rates is not None)
        if speeds is not None:
            state["wanted_speed"][rows] = self._notices.clamp("speed", speeds, -FASTEST, FASTEST, "m/s")
            self._feet["lost"][rows] = False
            self._told_speeds(rows)
        if burst is not None:
            self._set_bursts(rows, burst)
        if headings is not None:
            state["wanted_yaw"][rows], state["by_yaw"][rows] = headings, True
            self._feet["lost"][rows] = False
        if rates is not None:
            most = FASTEST_TURN
            state["wanted_turn"][rows] = self._notices.clamp("turn_rate", rates, -most, most, "rad/s")
            state["by_yaw"][rows] = False
        if heights is not None:
            state["step_height"][rows] = np.minimum(heights, 0.6 * self._manner.hip_height)
        if places is not None:
            self._feet["spacing_x"][rows], self._feet["spacing_z"][rows] = places[..., 0], places[..., 1]

    def _spread_spacing(self, spacing: npt.ArrayLike, count: int) -> FloatArray:
        feet = self._feet.shape[1]
        places = np.asarray(spacing, dtype=np.float64)
        if places.shape not in ((feet, 2), (count, feet, 2)) or not np.all(np.isfinite(places)):
            raise LocomoteError(f"spacing: expected finite numbers of shape ({feet}, 2) or ({count}, {feet}, 2)")
        hips = (self.creature.morphology.hips - self.creature.morphology.centre)[:, [0, 2]]
        off = np.linalg.norm(places - hips, axis=-1)
        far = off > self.creature.morphology.reaches
        if np.any(far):
            which = int(np.argwhere(far)[0][-1])
            name = self.creature.morphology.legs[which].name
            raise LocomoteError(
                f"spacing: leg {name} reaches {self.creature.morphology.reaches[which]:.3g} m from its hip, "
                f"not {float(off[..., which].max()):.3g}"
            )
        return np.broadcast_to(places, (count, feet, 2))

    def _change_gait(self, rows: Rows, gait: str | Gait, within: float | None) -> None:
        if within is not None and not (math.isfinite(within) and within >= 0.0):
            raise LocomoteError(f"within {within}: expected seconds, 0 or more")
        if isinstance(gait, Gait):
            self.creature = self.creature.with_gait(gait)
            self._pack()
            gait = gait.name
        if gait == "random":
            from locomote.creatures._random_gaits import random_gait

            drawn = random_gait(self.creature.gaits.gaits[0].feet, self._random)
            self.creature = self.creature.with_gait(drawn)
            self._pack()
            gait = drawn.name
        if gait != "auto":
            index = self.creature.gaits.index(gait)
            self._notices.once(f"gait {gait}", self.creature.gaits.gaits[index].complaint())
            self._gait_rows["wanted"][rows] = index
        self._rows["auto_gait"][rows] = gait == "auto"
        self._gait_rows["transition"][rows] = 0.0 if within is None else within

    def in_view(self, visible: npt.ArrayLike | None = None) -> None:
        """Pose the legs of those alone that are in view; the others walk on, but their legs stay as they were.

        Parameters
        ----------
        visible : (N,), which are in view; all unless given
        """
        shown = np.asarray(True if visible is None else visible, dtype=np.float64)
        self._rows["visible"] = spread("visible", shown, len(self)) > 0.0

    def step(self, dt: float) -> Poses:
        """Advance by ``dt`` seconds."""
        self._run(dt, np.zeros(0, dtype=np.int64))
        return self._poses

    def trace(self, dt: float) -> list[str]:
        """Advance by ``dt`` seconds and say in which order the stages were gone through for the first creature."""
        noted = np.full(2 * len(STAGES), -1, dtype=np.int64)
        self._run(dt, noted)
        return [STAGES[stage] for stage in noted[noted >= 0]]

    def _run(self, dt: float, trace: npt.NDArray[np.int64]) -> None:
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        dt = float(dt)
        self.maps.update()
        self._ways.step(dt)
        self._burst(dt)
        kind, poses = self.creature, self._poses
        arguments: tuple[Any, ...] = (
            Creatures(
                *(self._rows, self._gait_rows, self._disks, self._swinging),
                *(self._feet, self._curves, self._nodes, self._girdles),
            ),
            CreatureBody(
                *(self._gaits, kind.folds, kind.limbs, kind.soles, kind.paws, kind.neck),
                *(kind.trunk, kind.spine, self._manner, kind.synergy),
            ),
            self.maps.arrays,
            CreaturePoses(poses.root_positions, poses.rotations, self._places),
            trace,
        )
        if self._kernel is None:
            from locomote.creatures._kernels.step import step_creatures

            self._kernel = prepared(step_creatures, dt, 0, len(self), *arguments)
        run, appendages = self._kernel, self.appendages
        swings = appendages.begin(dt)

        def go(piece: tuple[int, int]) -> None:
            run(dt, *piece, *arguments)
            if swings:
                appendages.swing(dt, poses, self.maps, piece)

        self._threads.run(go, self._threads.pieces(len(self)))

    @overload
    def record(self, seconds: float, fps: float = 60.0, who: int = 0) -> Motion: ...

    @overload
    def record(self, seconds: float, fps: float = 60.0, *, who: Sequence[int] | slice | None) -> list[Motion]: ...

    def record(
        self, seconds: float, fps: float = 60.0, who: int | Sequence[int] | slice | None = 0
    ) -> Motion | list[Motion]:
        """Step the whole crowd and its world for so long and give the motion of one creature, or those of several.

        Parameters
        ----------
        seconds, fps : how long, and steps and frames a second
        who : one; or several, as indices or a slice, and `None` for all, which gives a list
        """
        from locomote.creatures._recording import record, record_all

        if isinstance(who, (int, np.integer)) and not isinstance(who, bool):
            return record(self, seconds, fps, int(who))
        return record_all(self, seconds, fps, rows_of(who, len(self)).tolist())

    def show(
        self,
        seconds: float = 5.0,
        path: str | os.PathLike[str] | None = None,
        who: Sequence[int] | slice | None = None,
    ) -> None:
        """Step the crowd and play what its creatures did: in the notebook or the browser, or as a page of its own.

        Parameters
        ----------
        seconds : how long
        path : .html file to write in place of that
        who : indices or a slice; the first 30 unless given
        """
        show_together(self.record(seconds, SHOWN_FPS, who=slice(SHOWN) if who is None else who), path)
