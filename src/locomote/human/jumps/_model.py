"""The fitted model of jumps: immutable, shareable, one file.

A jump is a unit of `SAMPLES` poses on the timeline of `timeline`: start, last toe-off at ``U_OFF``, first touch-down at
``U_LAND``, end. A pose is a vector of channels of the walking model (see `human._encoding`), with the pelvis in
hip heights relative to a reference on the floor that travels with the jump:
``pose(u) = parts[0](u) + l * parts[1](u) + f * parts[2](u)``, where ``l`` is the length in hip heights and ``f`` the
flight time in ``sqrt(hip height / g)``.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import atomic_path, read_bytes
from locomote.human._encoding import CHANNELS, MOVING, Encoding
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._laws import PRINTED, SpeedLaw
from locomote.human.jumps._units import played
from locomote.motion import Motion
from locomote.rotations import FloatArray

VERSION = 1
SIDES = ("left", "right")  # the foot that takes off, in the order of the sides of one-foot kinds
SLOPE_STEP = 0.1  # hip heights, or units of time, over which slopes are taken
SAME_CENTRES = 1e-5  # files hold float32


@dataclass(frozen=True, eq=False)
class JumpKind:
    """One kind of jump. Lengths in hip heights, times in ``sqrt(hip height / g)``, functions of (1, l, f)."""

    parts: FloatArray  # (sides, 3, SAMPLES, CHANNELS); one side where both feet take off, else left and right
    support: FloatArray  # (3,) duration from the start to toe-off
    landing: FloatArray  # (3,) duration from touch-down to the end
    lengths: tuple[float, float]  # shortest and longest recorded
    flights: tuple[float, float]
    least_flight: tuple[float, float]  # nobody flew shorter at a length: offset, slope over the length
    flight_law: tuple[float, float]  # usual flight time: offset, slope over the length
    reach: tuple[float, float]  # length minus the way of the body in flight: offset, slope over the length
    events: dict[str, tuple[float, float]]  # place on the timeline: offset, slope over the length
    units: int  # recorded jumps behind it
    hold: float = 1.0  # the place on the timeline up to which its poses count; then the gait takes over
    synthetic: bool = False  # made of other kinds, not recorded

    def at(self, length: float, flight: float) -> tuple[float, float]:
        """Length and flight time within what was recorded: poses are not extrapolated.

        Parameters
        ----------
        length, flight : hip heights, and sqrt(hip height / g)
        """
        inside = float(np.clip(length, *self.lengths))
        least = max(self.flights[0], self.least_flight[0] + self.least_flight[1] * inside)
        return inside, float(np.clip(flight, min(least, self.flights[1]), self.flights[1]))

    def poses(self, length: float, flight: float, side: int = 0) -> FloatArray:
        """The poses ``(SAMPLES, CHANNELS)`` of a jump.

        Parameters
        ----------
        length, flight : hip heights, and sqrt(hip height / g)
        side : 0 left, 1 right takes off
        """
        out: FloatArray = np.tensordot([1.0, *self.at(length, flight)], self.parts[side], axes=1)
        return out

    def durations(self, length: float, flight: float) -> tuple[float, float]:
        """How long support and landing take, in sqrt(hip height / g).

        Parameters
        ----------
        length, flight : hip heights, and sqrt(hip height / g)
        """
        terms = np.array([1.0, *self.at(length, flight)])
        return float(self.support @ terms), float(self.landing @ terms)

    def usual_flight(self, length: float) -> float:
        """The flight time that goes with a length."""
        return float(np.clip(self.flight_law[0] + self.flight_law[1] * length, *self.flights))

    def speed(self, length: float, flight: float) -> float:
        """The speed of the reference of a one-foot jump.

        Parameters
        ----------
        length, flight : hip heights, and sqrt(hip height / g)
        """
        return (length - self.reach[0] - self.reach[1] * length) / flight

    def event(self, name: str, length: float) -> float:
        """The place of an event on the timeline.

        Parameters
        ----------
        name, length : of the event, and hip heights
        """
        if name not in self.events:
            raise LocomoteError(f"no event {name!r}; the events are: {', '.join(self.events)}")
        offset, slope = self.events[name]
        return offset + slope * float(np.clip(length, *self.lengths))


@dataclass(frozen=True, eq=False)
class JumpModel:
    """Kinds of jumps by name: standing (both feet), moving (one foot, out of a run-up), or walking and running."""

    kinds: dict[str, JumpKind]
    centres: FloatArray  # (M, 4) of the walking model whose channels the poses are
    refit: dict[str, SpeedLaw] = field(default_factory=dict)  # by kind: run-up speed over length in the recordings
    push: float = timeline.PUSH  # over which the reference of a standing jump starts, before toe-off
    settle: float = timeline.SETTLE  # over which it stops, after touch-down
    about: str = ""  # recordings, acknowledgements, licence

    @cached_property
    def encoding(self) -> Encoding:
        """How channels become rotations."""
        return Encoding(self.centres)

    def kind(self, name: str) -> JumpKind:
        """A kind by name; walking and running run-ups share the moving kind where they have none of their own.

        Its jumps were recorded out of runs, so that one out of a walk is synthetic.
        """
        if name in self.kinds:
            return self.kinds[name]
        if name in PRINTED and "moving" in self.kinds:
            return replace(self.kinds["moving"], synthetic=name == "walking")
        raise LocomoteError(f"no kind of jump {name!r}; there are: {', '.join(self.kinds)}")

    def for_model(self, model: HumanModel) -> JumpModel:
        """These jumps in the channels of another walking model."""
        if self.centres.shape == model.centres.shape and np.abs(self.centres - model.centres).max() <= SAME_CENTRES:
            return self
        kinds = {name: replace(kind, parts=self._encoded(kind, model)) for name, kind in self.kinds.items()}
        return replace(self, kinds=kinds, centres=model.centres)

    def _encoded(self, kind: JumpKind, model: HumanModel) -> FloatArray:
        """The parts of a kind for other centres: exact in the middle of what was recorded, with the slopes there."""
        middle = np.array([1.0, np.mean(kind.lengths), np.mean(kind.flights)])
        out = np.zeros_like(kind.parts)
        for side, parts in enumerate(kind.parts):

            def channels(terms: FloatArray, parts: FloatArray = parts) -> FloatArray:
                return model.encoding.encode(*self.encoding.decode(np.tensordot(terms, parts, axes=1)))

            for term in (1, 2):
                step = np.zeros(3)
                step[term] = SLOPE_STEP
                out[side, term] = (channels(middle + step) - channels(middle - step)) / (2.0 * SLOPE_STEP)
            out[side, 0] = channels(middle) - np.tensordot(middle[1:], out[side, 1:], axes=1)
        return out

    def speed_for(
        self, kind: str, length: float, hip_height: float = REFERENCE_HIP_HEIGHT, law: str = "printed"
    ) -> float:
        """The run-up speed for a jump, m/s.

        Parameters
        ----------
        kind : of jump, by name
        length, hip_height, law : m, and "printed" or "refit"
        """
        return self.law(kind, law).speed(length, hip_height)

    def length_for(
        self, kind: str, speed: float, hip_height: float = REFERENCE_HIP_HEIGHT, law: str = "printed"
    ) -> float:
        """The length of the jump that a run-up is made for, m.

        Parameters
        ----------
        kind : of jump, by name
        speed : m/s
        hip_height, law : m, and "printed" or "refit"
        """
        return self.law(kind, law).length(speed, hip_height)

    def flight_for(self, kind: str, length: float, hip_height: float = REFERENCE_HIP_HEIGHT) -> float:
        """The usual flight time of a jump, s.

        Parameters
        ----------
        kind : of jump, by name
        length, hip_height : m
        """
        return self.kind(kind).usual_flight(length / hip_height) * timeline.time_unit(hip_height)

    def law(self, kind: str, law: str = "printed") -> SpeedLaw:
        """The line of run-up speed over length; a moving jump is one out of a run.

        Parameters
        ----------
        kind, law : of jump, by name, and "printed" or "refit"
        """
        laws = {"printed": PRINTED, "refit": self.refit}.get(law)
        if laws is None:
            raise LocomoteError(f"no law {law!r}; expected printed or refit")
        name = "running" if kind == "moving" else kind
        if name not in laws:
            raise LocomoteError(f"no {law} law of run-up speed for {kind!r}; there is: {', '.join(laws) or 'none'}")
        return laws[name]

    def motion(
        self, kind: str, length: float, flight: float | None = None, side: str = "left", fps: float = 60.0
    ) -> Motion:
        """One jump alone on the common skeleton with hips 1 m high.

        Parameters
        ----------
        kind : of jump, by name
        length : hip heights
        flight : sqrt(hip height / g); the usual one without it
        side : "left" or "right", that takes off
        fps : frames a second
        """
        one = self.kind(kind)
        f = one.usual_flight(length) if flight is None else flight
        poses = one.poses(length, f, SIDES.index(side) if len(one.parts) > 1 else 0)
        support, landing = one.durations(length, f)
        root, turns = self.encoding.decode(poses)
        t = timeline.times(timeline.nodes(), support, f, landing)
        if kind == "standing":
            way = timeline.standing_travel(t, length, support, f, self.push, self.settle)
        else:
            way = one.speed(length, f) * t
        return played(root, turns, way, support, f, landing, fps)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as one ``.npz`` file."""
        kinds = {name: {key: _plain(getattr(kind, key)) for key in _FIELDS} for name, kind in self.kinds.items()}
        refit = {name: [law.slope, law.offset, law.tolerance] for name, law in self.refit.items()}
        header = {
            "version": VERSION, "kinds": kinds, "refit": refit, "push": self.push, "settle": self.settle,
            "about": self.about,
        }  # fmt: skip
        arrays = {f"parts_{name}": kind.parts.astype(np.float32) for name, kind in self.kinds.items()}
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            np.savez_compressed(
                stream,
                header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
                centres=self.centres.astype(np.float32),
                **arrays,  # type: ignore[arg-type]
            )

    @staticmethod
    def load(path: str | os.PathLike[str]) -> JumpModel:
        """Read a model that `save` wrote."""
        path = Path(path)
        try:
            with np.load(io.BytesIO(read_bytes(path)), allow_pickle=False) as file:
                header = json.loads(file["header"].tobytes().decode())
                version = header["version"]
                if version != VERSION:
                    raise FormatError(path, f"jumps of version {version}; this program reads version {VERSION}")
                kinds = {
                    name: _kind(fields, file[f"parts_{name}"].astype(np.float64))
                    for name, fields in header["kinds"].items()
                }
                model = JumpModel(
                    kinds=kinds,
                    centres=file["centres"].astype(np.float64),
                    refit={name: SpeedLaw(*law) for name, law in header["refit"].items()},
                    push=float(header["push"]),
                    settle=float(header["settle"]),
                    about=str(header["about"]),
                )
        except (
            ValueError, KeyError, TypeError, AttributeError, OSError, EOFError, zipfile.BadZipFile,
        ) as error:  # fmt: skip
            raise FormatError(path, f"not a model of jumps: {error}") from None
        model._check(path)
        return model

    @staticmethod
    def default() -> JumpModel:
        """The model that comes with the package."""
        return JumpModel.load(Path(__file__).parents[2] / "assets" / "jumps.npz")

    def _check(self, path: Path) -> None:
        if self.centres.shape != (len(MOVING), 4) or not np.all(np.isfinite(self.centres)):
            raise FormatError(path, f"centres: expected finite numbers of shape {(len(MOVING), 4)}")
        for name, kind in self.kinds.items():
            sides = 1 if name == "standing" else 2
            shape = (sides, 3, timeline.SAMPLES, CHANNELS)
            if kind.parts.shape != shape or not np.all(np.isfinite(kind.parts)):
                raise FormatError(path, f"parts of {name}: expected finite numbers of shape {shape}")
            if kind.support.shape != (3,) or kind.landing.shape != (3,):
                raise FormatError(path, f"durations of {name}: expected three numbers each")


_FIELDS = (
    "support", "landing", "lengths", "flights", "least_flight", "flight_law", "reach", "events", "units", "hold",
    "synthetic",
)  # fmt: skip


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _kind(fields: dict[str, Any], parts: FloatArray) -> JumpKind:
    pairs = {key: _pair(fields[key]) for key in ("lengths", "flights", "least_flight", "flight_law", "reach")}
    return JumpKind(
        parts=parts,
        support=np.asarray(fields["support"], dtype=np.float64),
        landing=np.asarray(fields["landing"], dtype=np.float64),
        events={name: _pair(law) for name, law in fields["events"].items()},
        units=int(fields["units"]),
        hold=float(fields["hold"]),
        synthetic=bool(fields["synthetic"]),
        **pairs,
    )


def _pair(values: Any) -> tuple[float, float]:
    first, second = values
    return float(first), float(second)
