"""What a kernel was compiled from: a sum over the text of its module and of all that it takes functions from."""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
COMPILERS = [HERE / name for name in ("_options.py", "_linking.py", "_jit.py")]  # what shapes the code of all kernels
RUNNERS = {f"locomote.math.{name}" for name in ("_compile", "_ahead", "_kinds", "_stamps")}  # what does not


def stamp_of(module: str) -> str:
    """The stamp of a kernel in this module: the same for the same text, whenever and wherever it was written."""
    sums = sorted((name, _sum(str(sys.modules[name].__file__))) for name in sources_of(module))
    sums += [(path.name, _sum(str(path))) for path in COMPILERS]
    return hashlib.sha256("".join(f"{name} {each}\n" for name, each in sums).encode()).hexdigest()


def sources_of(module: str) -> set[str]:
    """Names of a module and of all those, of the same package, from which it takes anything."""
    package = module.partition(".")[0] + "."  # of the kernel, whichever room it is in
    found = set(RUNNERS)
    waiting = {module}
    while waiting:
        name = waiting.pop()
        found.add(name)
        for thing in vars(sys.modules[name]).values():
            other = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
            if (
                isinstance(other, str)
                and other.startswith(package)
                and other not in found | RUNNERS
                and _is_plain(other)
            ):
                waiting.add(other)
    return found - RUNNERS


def _is_plain(name: str) -> bool:
    """Whether it is a module and no package: what a package holds depends on what was imported before."""
    module = sys.modules.get(name)
    return module is not None and not hasattr(module, "__path__") and getattr(module, "__file__", None) is not None


def _sum(path: str) -> str:
    """The sum of a file, which is read again only if it has changed since."""
    file = Path(path).stat()
    return _sum_of(path, file.st_mtime_ns, file.st_size)


@functools.lru_cache(maxsize=1024)
def _sum_of(path: str, time: int, size: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
