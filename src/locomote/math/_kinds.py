"""Of which kind an argument is: all that compiled code takes for granted of it and does not look at.

A kind is made of strings, numbers and lists, as JSON has them:

- ``"float64"``, ``"int64"``, ``"bool"`` ...: one number
- ``["array", "<f8", 2, "C", true]``: type (a sum over the fields if it is a record), axes, memory layout (``A`` is
  any), whether it may be written to
- ``["tuple", "module.Class", [...]]``: a tuple of kinds, named or not

`key_of` is the short form of the same, which is made at every call.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np

Kind = Any  # a string, or a list of kinds: what JSON holds

_NUMBERS: dict[type, str] = {bool: "bool", int: "int64", float: "float64", type(None): "none"}
_WHOLE = ("bool", "int64")


def kind_of(value: Any) -> Kind:
    """The kind of an argument; None if compiled code takes nothing of that kind."""
    if isinstance(value, np.ndarray):
        return _kind_of_array(value)
    if isinstance(value, tuple):
        return _kind_of_tuple(value)
    if isinstance(value, np.generic):
        return value.dtype.name if value.dtype.names is None else None
    return _NUMBERS.get(type(value))


def _kind_of_array(array: Any) -> Kind:
    flags = array.flags
    if not flags.aligned or type(array) is not np.ndarray:
        return None
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return ["array", type_name(array.dtype), array.ndim, layout, bool(flags.writeable)]


def _kind_of_tuple(values: tuple[Any, ...]) -> Kind:
    kinds = [kind_of(value) for value in values]
    return None if None in kinds else ["tuple", _class_name(type(values)), kinds]


def _class_name(of: type) -> str:
    return "" if of is tuple else f"{of.__module__}.{of.__qualname__}"


def type_name(dtype: np.dtype[Any]) -> str:
    """What tells a type of elements apart: its short name, or a sum over the names and places of its fields."""
    return dtype.str if dtype.names is None else _sum_of_fields(dtype)


@functools.lru_cache(maxsize=1024)
def _sum_of_fields(dtype: np.dtype[Any]) -> str:
    return hashlib.sha256(repr(_layout(dtype)).encode()).hexdigest()[:16]


def _layout(dtype: np.dtype[Any]) -> Any:
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _layout(base), shape
    if dtype.fields is None:
        return dtype.str
    fields = [(name, _layout(field[0]), field[1]) for name, field in dtype.fields.items()]
    return fields, dtype.itemsize


def takes(kind: Kind, given: Kind) -> bool:
    """Whether code that was compiled for arguments of one kind may be given another."""
    if kind == given:
        return True
    if isinstance(kind, str) or isinstance(given, str):
        return kind == "float64" and given in _WHOLE
    if kind[0] != given[0]:
        return False
    if kind[0] == "tuple":
        return kind[1] == given[1] and len(kind[2]) == len(given[2]) and all(map(takes, kind[2], given[2]))
    _, name, axes, layout, written = kind
    return bool(name == given[1] and axes == given[2] and layout in ("A", given[3]) and (given[4] or not written))


def takes_copy(kind: Kind, given: Kind) -> bool:
    """Whether code that was compiled for arguments of one kind may be given copies of another, laid out as it wants."""
    if isinstance(kind, str) or isinstance(given, str) or kind[0] != given[0]:
        return takes(kind, given)
    if kind[0] == "tuple":
        return kind[1] == given[1] and len(kind[2]) == len(given[2]) and all(map(takes_copy, kind[2], given[2]))
    return bool(kind[1:3] == given[1:3])


def key_of(value: Any) -> Any:
    """What differs between arguments of different kinds, as fast as it can be told; see `holds`."""
    if type(value) is np.ndarray:
        return id(value.dtype), value.ndim, value.flags.num
    if isinstance(value, tuple):
        return type(value), *map(key_of, value)
    return type(value)


def types_in(value: Any) -> list[Any]:
    """The types of elements in an argument: as long as they are kept, no other has the same key."""
    if isinstance(value, np.ndarray):
        return [value.dtype]
    return [each for part in value for each in types_in(part)] if isinstance(value, tuple) else []
