"""What makes creatures look alive, each effect with a knob of its own, and what throws them off their way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote._arguments import Notices, Values, Who, rows_of, spread
from locomote.creatures._creature import Creature
from locomote.creatures._kernels import layout as c
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

MOST = 1.5  # of an effect
HARDEST = 5.0  # m/s of a shove
LEANS = 0.6  # rad/s of tilting for each hip height a second of a shove


class Effects:
    """How lively the creatures of a crowd are; `Crowd` has all of this."""

    creature: Creature
    _rows: FloatArray
    _notices: Notices

    def __len__(self) -> int:
        return len(self._rows)

    def liven(
        self,
        *,
        bounce: Values | None = None,
        flex: Values | None = None,
        sway: Values | None = None,
        nod: Values | None = None,
        pushing: Values | None = None,
        who: Who = None,
    ) -> None:
        """Turn effects up or down at any time, 0 (off) to 1.5, for all or for some; they fade, nothing jumps.

        ``bounce``: girdles rise and fall with the steps. ``flex``: the trunk bends where it turns, and the head looks
        ahead. ``sway``: girdles turn with their feet. ``nod``: girdles pitch with their feet. ``pushing``: the speed
        changes only while feet push off.
        """
        rows = rows_of(who, len(self))
        given = {"bounce": bounce, "flex": flex, "sway": sway, "nod": nod, "pushing": pushing}
        told = {
            column: self._notices.clamp(name, spread(name, value, len(rows)), 0.0, MOST, "")
            for column, (name, value) in enumerate(given.items(), c.WANTED_BOUNCE)
            if value is not None
        }
        for column, values in told.items():
            self._rows[rows, column] = np.minimum(values, 1.0) if column == c.WANTED_PUSHING else values

    def push(self, velocity: npt.ArrayLike, who: Who = None) -> None:
        """Throw creatures off their way with ``velocity (2,)`` or ``(n, 2)`` as (x, z), m/s; they catch themselves.

        Feet that would be left behind step to where the body comes to a stop, before it does.
        """
        rows = rows_of(who, len(self))
        thrown = np.asarray(velocity, dtype=np.float64)
        if thrown.shape not in ((2,), (len(rows), 2)) or not np.all(np.isfinite(thrown)):
            raise LocomoteError(f"velocity: expected finite numbers of shape (2,) or ({len(rows)}, 2) as (x, z)")
        speed = np.linalg.norm(thrown, axis=-1)
        if np.any(speed > HARDEST):
            raise LocomoteError(f"velocity: {float(np.max(speed)):.3g} m/s throws anyone over; {HARDEST:g} at most")
        state = self._rows
        state[rows, c.SHOVE_X] += thrown[..., 0]
        state[rows, c.SHOVE_Z] += thrown[..., 1]
        sine, cosine = np.sin(state[rows, c.YAW]), np.cos(state[rows, c.YAW])
        thrown = np.broadcast_to(thrown, (len(rows), 2))
        ahead = sine * thrown[:, 0] + cosine * thrown[:, 1]
        aside = cosine * thrown[:, 0] - sine * thrown[:, 1]
        # The feet hold the body back: it tips over them towards where it was pushed.
        state[rows, c.PITCHING] -= LEANS * ahead / self.creature.morphology.hip_height
        state[rows, c.ROLLING] -= LEANS * aside / self.creature.morphology.hip_height

    @property
    def shoved(self) -> FloatArray:
        """How fast each body is still thrown off its way, ``(N,)`` m/s."""
        return np.hypot(self._rows[:, c.SHOVE_X], self._rows[:, c.SHOVE_Z])
