"""State by name: a class of annotated fields is the one declaration of a record that NumPy and the kernels share.

::

    class Ramp(Record):
        value: float  # m/s
        left: float  # s

    class Walker(Record):
        x: float
        speed: Ramp
        leg: int
        phases: Annotated[Floats, 4]

    rows = zeros(Walker, 100)
    rows["speed"]["value"] = 1.4

A row is ``walker = rows[n]``, its fields are ``walker.speed.value`` and ``walker.phases[2]``, in kernels and outside of
them; an inner record is handed on as it is: ``advance(walker.speed, dt)`` changes the row.
"""

from __future__ import annotations

from typing import Annotated, Any, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

Records = npt.NDArray[np.void]  # rows of one `Record`

_SCALARS = {float: np.dtype(np.float64), int: np.dtype(np.int64), bool: np.dtype(np.bool_)}


class Record:
    """What a row holds: fields annotated as float, int, bool, another `Record`, or arrays of a fixed shape.

    Arrays are ``Annotated[Floats, 3, 2]``, or ``Annotated[Records, Ramp, 4]`` for rows of another record.
    """


_LAYOUTS: dict[type[Record], np.dtype[np.void]] = {}


def dtype_of(record: type[Record]) -> np.dtype[np.void]:
    """The layout of a record, each field at an address that its kind wants; rows have their fields as attributes.

    It is always the same object: kernels tell what they are given by comparing it, field by field if it is another.
    """
    if record not in _LAYOUTS:
        _LAYOUTS[record] = np.dtype((np.record, _fields(record)))
    return _LAYOUTS[record]


def _fields(record: type[Record]) -> np.dtype[np.void]:
    hints = get_type_hints(record, include_extras=True)
    taken = [name for name in hints if hasattr(np.record, name)]
    if taken:
        raise TypeError(f"{record.__name__}.{taken[0]}: NumPy's records have an attribute of that name")
    return np.dtype([(name, *_field(hint)) for name, hint in hints.items()], align=True)


def _field(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) is Annotated:
        array, *shape = get_args(hint)
        if isinstance(shape[0], type):
            return _fields(shape[0]), tuple(shape[1:])
        kind = get_args(array)[-1]
        # NumPy before 2.5 spells NDArray[float64] out, as ndarray[..., dtype[float64]].
        return (get_args(kind) or (kind,))[0], tuple(shape)
    return (_SCALARS[hint],) if hint in _SCALARS else (_fields(hint),)


def zeros(record: type[Record], *shape: int) -> Records:
    """Rows of a record, all of it 0."""
    return np.zeros(shape, dtype_of(record))
