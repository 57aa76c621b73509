"""The kernels of `kernels.py` compiled to PTX by Numba, on any machine, with a GPU or without."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from numba import cuda
from numba.cuda import dispatcher, types

from locomote.human._cuda.kernels import Queue, Tiles, make_kernels
from locomote.human._kernels.cycle_pose import LegArrays
from locomote.human._kernels.model import Model, Timing
from locomote.human._kernels.step import PoseArrays
from locomote.math import _compile
from locomote.world._kernels.ground import Terrain

CALLS = ("_go_on",)  # functions that stay calls: large, and called from many places
# Threads of a block, and blocks at once on a multiprocessor: more of them pay for the registers that are spilled.
BOUNDS = {"pose_all": (128, 5)}


def compile_kernels(
    sizes: tuple[int, int, int, int], capability: tuple[int, int], only: Collection[str] = ()
) -> dict[str, tuple[str, str]]:
    """Kernels, all or some of them, as PTX with the name of its entry, for a compute capability and later ones.

    ``sizes`` are those of `loading.sizes_of`.
    """
    kernels = make_kernels(*sizes)
    with _compiling_for(capability):
        return {
            name: _compiled(kernels[name], arguments, capability, BOUNDS.get(name))
            for name, arguments in _signatures().items()
            if not only or name in only
        }


def _compiled(
    kernel: Any, arguments: tuple[Any, ...], capability: tuple[int, int], bounds: tuple[int, int] | None
) -> tuple[str, str]:
    ptx, _ = cuda.compile_ptx(kernel, types.void(*arguments), device=False, cc=capability, launch_bounds=bounds)
    entry = re.search(r"\.visible \.entry (\w+)", ptx)
    assert entry is not None
    return ptx, entry[1]


def _signatures() -> dict[str, tuple[Any, ...]]:
    """The types of the arguments of all kernels."""
    number, truth, whole = types.float64, types.boolean, types.int64
    floats = [types.Array(types.float64, axes, "C") for axes in range(5)]
    floats32 = [types.Array(types.float32, axes, "C") for axes in range(4)]
    ints = [types.Array(types.int64, axes, "C") for axes in range(3)]
    columns = [types.Array(types.float64, axes, "A") for axes in range(4)]  # the person is the fastest axis
    numbers = types.Array(types.int32, 1, "C")
    timing = types.NamedTuple((floats[4], *[floats[1]] * 4, number, number), Timing)
    legs = types.NamedTuple((floats32[3], ints[2], floats32[3]), LegArrays)
    model = types.NamedTuple(
        (
            *(floats32[2], floats[3], floats[3], timing, floats32[2], floats32[2], ints[2], ints[1], ints[1]),
            *(floats[2], floats[2], floats32[3], floats[1], legs, floats[2]),
        ),
        Model,
    )
    state = types.NamedTuple((ints[1], ints[1], floats[1], floats32[1], floats32[1]), Tiles)
    ground = types.NamedTuple((floats[2], floats[2], floats[1]), Terrain)
    poses = types.NamedTuple((columns[2], columns[3], columns[3]), PoseArrays)
    queue = types.NamedTuple((numbers,) * 4, Queue)
    return {
        "advance_all": (number, truth, whole, state, model, ground, floats[2], queue),
        "fill_points": (whole, state, floats32[2]),
        "pose_all": (number, truth, whole, state, model, ground, poses, queue),
        "go_on": (number, truth, state, model, ground, poses, queue),
    }


@contextmanager
def _compiling_for(capability: tuple[int, int]) -> Iterator[None]:
    """Let Numba take functions inside kernels for functions of GPUs of a capability; some of them stay calls.

    It would ask the GPU of the machine, which there need not be, and inline all it can.
    """

    class Device:
        compute_capability = capability

    inside = [(function, options) for function, options in _compile.declared if "build" not in options]
    functions: list[Any] = [function for function, _ in inside]
    kept = [vars(function).get("_numba_type_") for function in functions]
    asked, dispatcher.get_current_device = dispatcher.get_current_device, lambda: Device
    made = [
        _Function(function, {"device": True, "opt": True}) for function in functions
    ]  # types do not hold on to them
    for function, compiled in zip(functions, made, strict=True):
        function._numba_type_ = types.Dispatcher(compiled)
    try:
        yield
    finally:
        dispatcher.get_current_device = asked
        for function, kind in zip(functions, kept, strict=True):
            if kind is None:
                del function._numba_type_
            else:
                function._numba_type_ = kind


class _Function(dispatcher.CUDADispatcher):
    """A function inside kernels, as one of GPUs."""

    def compile_device(self, arguments: Any, return_type: Any = None) -> Any:
        """Compile it for arguments of these types."""
        new = arguments not in self.overloads
        result = super().compile_device(arguments, return_type)
        if new and self.py_func.__name__ in CALLS:
            for function in result.library._module.functions:
                if function.name == result.fndesc.llvm_func_name:
                    function.attributes.add("noinline")
        return result
