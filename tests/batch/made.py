"""Corpora of made-up walks, and the command line as a process of its own, which can be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

import locomote as lm


def corpus(folder: Path, count: int, seconds: float = 1.5) -> list[Path]:
    """Walks with skating feet in two folders, each with a speed and a sway of its own.

    Parameters
    ----------
    folder : it is made
    count : clips
    seconds : of each
    """
    made = []
    for n in range(count):
        walk = lm.samples.performer(speed=1.0 + 0.5 * n / count, seconds=seconds, fps=30.0).motion
        sway = 0.02 * np.sin((4.0 + n) * walk.times)[:, None] * (1.0, 0.0, 1.0)
        path = folder / ("left" if n % 2 else "right/deep") / f"walk_{n:03d}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        lm.save(replace(walk, root_positions=walk.root_positions + sway, name=path.stem), path)
        made.append(path)
    return made


def damage(path: Path) -> None:
    """Cut a file off in the middle of its numbers."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, temporary ones as well, with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def command(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    """The command line as a process, which Ctrl-C ends even where who runs the tests does not heed it."""
    return subprocess.Popen(
        [sys.executable, "-c", "from locomote.cli import main; main()", *map(str, arguments)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=(lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) if os.name == "posix" else None,
    )


def wait_for(folder: Path, pattern: str, least: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many files are there, while a process makes them."""
    while len(list(folder.rglob(pattern))) < least:
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        time.sleep(0.01)
