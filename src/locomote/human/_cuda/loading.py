"""Kernels for the GPU of this machine: those shipped or kept from last time, otherwise compiled, and kept."""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human._kernels.model import Model

SHIPPED = Path(__file__).with_name("kernels.json.gz")
CAPABILITY = (7, 5)  # what shipped kernels are compiled for; later GPUs take them, too
ROOMS = ("math", "world/_kernels", "human/_kernels", "human/jumps/_kernels", "human/_cuda")  # what they are made of

_log = logging.getLogger("locomote")

Kernels = dict[str, tuple[str, str]]  # PTX and the name of its entry, by the name of the kernel


def load_kernels(xp: Any, model: Model) -> dict[str, Any]:
    """Functions that launch the kernels, by name, see `DevicePeople`; ``xp`` is CuPy."""
    capability = tuple(int(digit) for digit in str(xp.cuda.Device().compute_capability))
    code = _machine_code(xp, kernels_for(sizes_of(model)), f"sm{capability[0]}{capability[1]}")
    return {name: _launcher(xp, *each) for name, each in code.items()}


def sizes_of(model: Model) -> tuple[int, int, int, int]:
    """What kernels are compiled for: joints, numbers of a plane of a pose, parts of the motion space, styles."""
    return len(model.masses), model.joints.shape[1], len(model.basis), len(model.styles)


def kernels_for(sizes: tuple[int, int, int, int]) -> Kernels:
    """The kernels for models of these sizes: shipped, kept, or compiled now."""
    key = key_for(sizes)
    kept = cache_folder() / f"{key}.json.gz"
    for path in (SHIPPED, kept):
        found = _read(path)
        if found is not None and found["key"] == key:
            return {name: tuple(each) for name, each in found["kernels"].items()}
    try:
        from locomote.human._cuda.compiling import compile_kernels
    except ImportError as error:
        raise LocomoteError(
            "device 'cuda': no kernels come with this package, and compiling them needs Numba: "
            'pip install "locomote[cuda]"'
        ) from error
    _log.warning("compiling the kernels for GPUs: some minutes, once")
    kernels = compile_kernels(sizes, CAPABILITY)
    write_kernels(kept, key, kernels)
    return kernels


def key_for(sizes: tuple[int, int, int, int]) -> str:
    """What kernels for these sizes, from these sources, are known by."""
    return f"{stamp()}-{'-'.join(map(str, sizes))}"


def write_kernels(path: Path, key: str, kernels: Kernels) -> None:
    """Keep kernels in a file, whole or not at all."""
    _write(path, gzip.compress(json.dumps({"key": key, "kernels": kernels}).encode(), mtime=0))


def stamp() -> str:
    """A sum over the text of all that kernels are made of."""
    package, total = Path(__file__).parents[2], hashlib.sha256()
    for room in ROOMS:
        for path in sorted((package / room).glob("*.py")):
            total.update(f"{room}/{path.name}".encode() + path.read_bytes())
    return total.hexdigest()[:16]


def cache_folder() -> Path:
    """Where kernels are kept for next time; a temporary folder where there is no home to write to."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        base = str(Path("~/Library/Caches").expanduser())
    else:
        base = os.environ.get("XDG_CACHE_HOME", "") or str(Path("~/.cache").expanduser())
    for folder in (Path(base) / "locomote", Path(tempfile.gettempdir()) / "locomote"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.gettempdir())


def _machine_code(xp: Any, kernels: Kernels, architecture: str) -> dict[str, tuple[bytes, str]]:
    """Code for this GPU: the driver takes a minute to make it of PTX, so it is kept, too."""
    code = {}
    for name, (ptx, entry) in kernels.items():
        path = cache_folder() / f"{hashlib.sha256(ptx.encode()).hexdigest()[:16]}-{name}-{architecture}.cubin"
        if not path.exists():
            _log.warning("preparing %s for this GPU: up to a minute, once", name)
            link = xp.cuda.function.LinkState()
            link.add_ptr_data(ptx.encode(), f"{name}.ptx")
            _write(path, link.complete())
        code[name] = path.read_bytes(), entry
    return code


def _launcher(xp: Any, code: bytes, entry: str) -> Any:
    """A function that launches a kernel: blocks, threads of each, pointer to the pointers to its parameters."""
    module = xp.cuda.function.Module()
    module.load(code)
    kernel, launch = module.get_function(entry), xp.cuda.driver.launchKernel

    def run(blocks: int, threads: int, parameters: int) -> None:
        stream = xp.cuda.get_current_stream().ptr
        launch(kernel.ptr, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, 0)

    return run


def _read(path: Path) -> Any:
    try:
        return json.loads(gzip.decompress(path.read_bytes()))
    except (OSError, ValueError, EOFError):
        return None


def _write(path: Path, data: bytes) -> None:
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)
