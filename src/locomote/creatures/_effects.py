"""What makes creatures look alive, each effect with a knob of its own, and what throws them off their way."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote._arguments import Notices, Values, Who, rows_of, spread
from locomote.creatures._creature import Creature
from locomote.errors import LocomoteError
from locomote.math.records import Records
from locomote.rotations import FloatArray

MOST = 1.5  # of an effect
HARDEST = 5.0  # m/s of a shove
LEANS = 0.6  # rad/s of tilting for each hip height a second of a shove


class Effects:
    """How lively the creatures of a crowd are; `Crowd` has all of this."""

    creature: Creature
    _rows: Records
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
        roll: Values | None = None,
        head: Values | None = None,
        vary: Values | None = None,
        who: Who = None,
    ) -> None:
        """Turn effects up or down at any time, 0 (off) to 1.5, for all or for some; they fade, nothing jumps.

        Parameters
        ----------
        bounce : girdles rise and fall with the steps
        flex : the trunk bends where it turns, and the head looks ahead
        sway : girdles turn with their feet
        nod : girdles pitch with their feet
        pushing : the speed changes only while feet push off
        roll : girdles roll and go from side to side with their feet
        head : neck and head nod; birds hold the head still and thrust it ahead
        vary : no stride is like the last; with 0 all are alike
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        given = {"bounce": bounce, "flex": flex, "sway": sway, "nod": nod, "pushing": pushing}
        given |= {"roll": roll, "head": head, "vary": vary}
        told = {
            name: self._notices.clamp(name, spread(name, value, len(rows)), 0.0, MOST, "")
            for name, value in given.items()
            if value is not None
        }
        for name, values in told.items():
            self._rows["wanted_effects"][name][rows] = np.minimum(values, 1.0) if name == "pushing" else values

    def push(self, velocity: npt.ArrayLike, who: Who = None) -> None:
        """Throw creatures off their way; they catch themselves.

        Feet that would be left behind step to where the body comes to a stop, before it does.

        Parameters
        ----------
        velocity : (2,) or (n, 2) m/s, as (x, z)
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        thrown = np.asarray(velocity, dtype=np.float64)
        if thrown.shape not in ((2,), (len(rows), 2)) or not np.all(np.isfinite(thrown)):
            raise LocomoteError(f"velocity: expected finite numbers of shape (2,) or ({len(rows)}, 2) as (x, z)")
        speed = np.linalg.norm(thrown, axis=-1)
        if np.any(speed > HARDEST):
            raise LocomoteError(f"velocity: {float(np.max(speed)):.3g} m/s throws anyone over; {HARDEST:g} at most")
        state = self._rows
        state["shove_x"][rows] += thrown[..., 0]
        state["shove_z"][rows] += thrown[..., 1]
        yaws = state["yaw"][rows]
        sine, cosine = np.sin(yaws), np.cos(yaws)
        thrown = np.broadcast_to(thrown, (len(rows), 2))
        ahead = sine * thrown[:, 0] + cosine * thrown[:, 1]
        aside = cosine * thrown[:, 0] - sine * thrown[:, 1]
        # The feet hold the body back: it tips over them towards where it was pushed.
        state["pitching"][rows] -= LEANS * ahead / self.creature.morphology.hip_height
        state["rolling"][rows] -= LEANS * aside / self.creature.morphology.hip_height

    @property
    def shoved(self) -> FloatArray:
        """How fast each body is still thrown off its way, ``(N,)`` m/s."""
        out: FloatArray = np.hypot(self._rows["shove_x"], self._rows["shove_z"])
        return out
