"""``python -m locomote_build FOLDER [--only ROOM ...]``: compile all kernels into a folder."""

from __future__ import annotations

import argparse
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from locomote.math._ahead import INDEX, processor
from locomote.math._stamps import stamp_of

# Which rooms are compiled into one module: the smaller ones share the 150 kB that each module brings along.
MODULES = {
    "base": ("math", "formats", "ik", "world", "navigation", "pendulums", "spaces", "physics", "modal"),
    "human": ("human",),
    "creatures": ("creatures",),
    "steps": ("steps",),
    "draw": ("draw",),
    "capture": ("capture",),
}
AT_ONCE = 2  # processes


def main() -> None:
    """Rehearse, compile the modules side by side, write the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", choices=list(MODULES), default=list(MODULES))
    parser.add_argument("--calls", type=Path, help=argparse.SUPPRESS)  # of a child: what was rehearsed
    arguments = parser.parse_args()
    if arguments.calls is not None:
        _compile(arguments.only[0], arguments.calls, arguments.folder)
        return
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        calls = Path(folder) / "calls"
        _say("rehearsing")
        subprocess.run([sys.executable, "-c", REHEARSE, str(calls)], check=True, env=_environment("python"))
        _run_all(
            [
                [sys.executable, "-m", "locomote_build", str(arguments.folder), "--calls", str(calls), "--only", each]
                for each in arguments.only
            ]
        )
    _write_index(arguments.folder)


REHEARSE = """
import pickle, sys
from locomote_build.signatures import rehearsed
pickle.dump(rehearsed(), open(sys.argv[1], "wb"))
"""


def _environment(way: str) -> dict[str, str]:
    """Functions inside kernels are made by Numba's just-in-time compiler: for the same processor as the modules."""
    return {**os.environ, "LOCOMOTE_KERNELS": way, "NUMBA_CPU_NAME": processor(), "NUMBA_CPU_FEATURES": ""}


def _run_all(commands: list[list[str]]) -> None:
    waiting = list(reversed(commands))
    running: list[subprocess.Popen[bytes]] = []
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            running.append(subprocess.Popen(waiting.pop(), env=_environment("jit")))
        for each in running:
            if each.poll() is not None and each.returncode:
                raise SystemExit(each.returncode)
        running = [each for each in running if each.poll() is None]
        time.sleep(0.2)


def _compile(name: str, calls: Path, folder: Path) -> None:
    """One module, and its part of the index."""
    from locomote_build.export import Export, build
    from locomote_build.signatures import kernels

    began = time.perf_counter()
    known = kernels()
    exports, entries = [], {}
    for kernel, seen in pickle.loads(calls.read_bytes()).items():
        if kernel.split(".")[1] not in MODULES[name]:
            continue
        symbols = [f"{kernel.replace('.', '_')}_{n}" for n in range(len(seen))]
        exports += [
            Export(symbol, known[kernel].py_func, call.types) for symbol, call in zip(symbols, seen, strict=True)
        ]
        entries[kernel] = {
            "module": name,
            "stamp": stamp_of(known[kernel].py_func.__module__),
            "exports": [(symbol, call.kinds) for symbol, call in zip(symbols, seen, strict=True)],
        }
    path = build(name, exports, folder, processor())
    (folder / f"{name}.json").write_text(json.dumps(entries), encoding="utf-8")
    _say(
        f"{path.name}: {len(exports)} kernels, {path.stat().st_size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s"
    )


def _write_index(folder: Path) -> None:
    parts = [folder / f"{name}.json" for name in MODULES]
    found = {}
    for part in parts:
        if part.exists():
            found.update(json.loads(part.read_text(encoding="utf-8")))
            part.unlink()
    index = {"processor": processor(), "kernels": found}
    (folder / INDEX).write_text(json.dumps(index, separators=(",", ":")), encoding="utf-8")


def _say(message: str) -> None:
    sys.stderr.write(f"{message}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
