"""How a verb starts where nothing is compiled yet: what is done in seconds runs as plain Python.

Meanwhile a child process compiles the kernels, so that the next call finds them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from locomote.cli._shared import say


class Job(NamedTuple):
    """What a verb is mostly about."""

    module: str  # and
    kernel: str  # where nearly all of its time goes
    plain: float  # s that a frame of one character takes as plain Python
    compiling: float  # s that compiling takes


PEOPLE = "people"
CREATURES = "creatures"
JOBS = {
    PEOPLE: Job("locomote.human._kernels.step", "step", 0.0025, 25.0),
    CREATURES: Job("locomote.creatures._kernels.step", "step_creatures", 0.007, 50.0),
}

allowed = False  # only the command line itself decides for a whole process; whoever imports the package does


def start(job: str, frames: float, quiet: bool) -> None:
    """Settle how kernels run: before any does.

    Parameters
    ----------
    job : what it is about, of `JOBS`
    frames : character-frames, or a fair guess
    quiet : do not say it
    """
    from locomote.math import _compile

    about = JOBS[job]
    if not allowed or frames * about.plain > about.compiling:
        return
    kernel: _compile.Kernel = getattr(import_module(about.module), about.kernel)
    if _compile.choice.way != "auto" or kernel.way != "jit":
        return
    from locomote.math._jit import is_kept

    if is_kept(kernel.dispatcher):
        return
    _compile.choice.way = "python"
    text = "compiled in the background for the next time" if _compile_beside(job) else "being compiled already"
    say(f"kernels are not compiled yet: this runs as plain Python; they are {text}", quiet)


def _compile_beside(job: str) -> bool:
    """Start a child that compiles, unless there is one."""
    from locomote.math._jit import temporary_folder

    folder = temporary_folder()
    mark = None if folder is None else folder / f"compiling-{job}"
    if mark is not None and _is_running(mark):
        return False
    child = subprocess.Popen(
        [sys.executable, "-m", __name__, job],
        env={**os.environ, "LOCOMOTE_KERNELS": "jit"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    if mark is not None:
        mark.write_text(str(child.pid), encoding="ascii")
    return True


def _is_running(mark: Path) -> bool:
    if os.name == "nt":  # there, asking would end it
        return False
    try:
        os.kill(int(mark.read_text(encoding="ascii")), 0)
    except (OSError, ValueError):
        return False
    return True


def compile_all(job: str) -> None:
    """Compile what a job may need, without being in the way of others."""
    from locomote.stream._staging import rehearse

    if hasattr(os, "nice"):
        os.nice(10)
    rehearse(job == PEOPLE, [] if job == PEOPLE else ["spider"])


if __name__ == "__main__":
    compile_all(sys.argv[1])
