"""A shard of labelled walks as a file: plain arrays, or a table with a row for each frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from locomote.errors import MissingExtra

if TYPE_CHECKING:
    from locomote.human import Crowd, Recording

EXTENSIONS = (".npz", ".parquet")
_POINTS = ("heel", "ball", "toe")
_ROWS = 1 << 16  # of a group of the table, which is what a reader takes at a time


def needed(extension: str) -> None:
    """Say what is missing to write such files."""
    if extension == ".parquet":
        _pyarrow()


def write_shard(made: Recording, crowd: Crowd, target: Path) -> dict[str, Any]:
    """Write what people did, with who they are, and tell of it.

    Parameters
    ----------
    made : what they did, all of the crowd
    crowd : whose people they are
    target : .npz or .parquet file
    """
    about = _people(crowd)
    (_write_table if target.suffix.lower() == ".parquet" else _write_arrays)(made, about, target)
    people, frames = made.phases.shape
    size = target.stat().st_size
    return {
        "people": people,
        "frames": people * frames,
        "bytes": size,
        "bytes_a_frame": round(size / (people * frames), 1),
        "speed": round(float(made.speeds.mean(dtype=np.float64)), 4),
        "on_the_ground": round(float(made.contacts.any(axis=-1).mean()), 4),
        "events": len(made.events),
    }


def _people(crowd: Crowd) -> dict[str, npt.NDArray[Any]]:
    """Who they are, by name; NaN and "" where a body is the common one."""
    bodies = crowd.bodies
    figures = {
        name: np.array([np.nan if each is None else getattr(each, name) for each in bodies], dtype=np.float32)
        for name in ("age", "build", "stature")
    }
    return {
        "style_names": np.array(crowd.model.styles),
        "styles": np.asarray(crowd.styles, dtype=np.float32),
        "sex": np.array(["" if each is None else each.sex for each in bodies], dtype="U6"),
        **figures,
    }


def _write_arrays(made: Recording, about: dict[str, npt.NDArray[Any]], target: Path) -> None:
    """Poses as they are, to be read at the speed of the disk: packed they would be a tenth smaller, and slow."""
    from locomote.formats._files import atomic_path

    arrays: dict[str, Any] = {**made.arrays(), **about}
    with atomic_path(target) as temporary, open(temporary, "wb") as file:
        np.savez(file, **arrays)


def _write_table(made: Recording, about: dict[str, npt.NDArray[Any]], target: Path) -> None:
    from locomote.formats._files import atomic_path

    pa, parquet = _pyarrow()
    people, frames = made.phases.shape
    joints = made.rotations.shape[2]

    def many(values: npt.NDArray[Any]) -> Any:
        """Several numbers in each row."""
        width = int(np.prod(values.shape[2:]))
        return pa.FixedSizeListArray.from_arrays(pa.array(np.ascontiguousarray(values).reshape(-1)), width)

    def of_person(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.repeat(values[:, None], frames, axis=1)

    events = np.zeros((people, frames, 2, 2), dtype=bool)
    person, frame, foot, kind = made.events.T
    events[person, frame, foot, kind] = True
    columns: dict[str, Any] = {
        "person": of_person(made.who.astype(np.int64)).reshape(-1),
        "frame": np.tile(np.arange(frames, dtype=np.int32), people),
        "root_position": many(made.root_positions.astype(np.float32)),
        "rotations": many(made.rotations),
        "contacts": many(made.contacts),
        "events": many(events),
        "phase": made.phases.reshape(-1),
        "speed": made.speeds.reshape(-1),
        "turn_rate": made.turn_rates.reshape(-1),
        "running": made.running.reshape(-1),
        "leg_length": made.leg_lengths.reshape(-1),
        "offsets": many(of_person(made.offsets)),
        "styles": many(of_person(about["styles"])),
        **{name: of_person(about[name]).reshape(-1) for name in ("sex", "age", "build", "stature")},
    }
    names = made.arrays()
    meta = {
        "fps": f"{made.fps:g}",
        "joints": ",".join(names["joint_names"]),
        "parents": ",".join(map(str, names["parents"])),
        "styles": ",".join(about["style_names"]),
        "contacts": ",".join(f"{side} {point}" for side in names["feet"] for point in _POINTS),
        "events": ",".join(f"{side} {kind}" for side in names["feet"] for kind in names["event_kinds"]),
        "rotations": f"{joints} quaternions (w, x, y, z), local, that of the root in the world",
    }
    table = pa.table(columns).replace_schema_metadata(meta)
    with atomic_path(target) as temporary:
        parquet.write_table(
            table,
            temporary,
            row_group_size=_ROWS,
            compression="zstd",
            use_dictionary=["person", "sex", "age", "build", "stature"],
            use_byte_stream_split=[
                *("phase", "speed", "turn_rate", "running", "leg_length"),
                *(f"{name}.list.element" for name in ("root_position", "rotations")),
            ],
        )


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("pyarrow", "parquet", "a table of training data") from None
    return pyarrow, pyarrow.parquet
