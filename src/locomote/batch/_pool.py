"""Processes of this machine as an executor: one task each at a time, and one that dies takes only its own task along.

`concurrent.futures.ProcessPoolExecutor` gives all tasks up when a process is killed, and does not say in which one.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

from locomote.errors import LocomoteError

P = ParamSpec("P")
R = TypeVar("R")

# As many processes as cores are busy already: each does its work in one thread.
ONE_THREAD = dict.fromkeys(
    (
        *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"),
        *("NUMEXPR_NUM_THREADS", "NUMBA_NUM_THREADS"),
    ),
    "1",
)
PATIENCE = 10.0  # s that a process has to end by itself


class WorkerDied(LocomoteError):
    """A process ended in the middle of a task."""


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers(Executor):
    """A number of processes, each started with its first task.

    Parameters
    ----------
    count : processes
    """

    def __init__(self, count: int) -> None:
        if not (isinstance(count, int) and count >= 1):
            raise LocomoteError(f"workers {count}: expected a whole number, 1 or more")
        self._tasks: SimpleQueue[tuple[Future[Any], bytes] | None] = SimpleQueue()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._over = False  # nothing more is taken
        self._hurry = False  # nor finished
        self._threads = [Thread(target=self._serve, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Have a function of a module called in some process."""
        call = pickle.dumps((fn, args, kwargs))
        future: Future[R] = Future()
        with self._lock:
            if self._over:
                raise RuntimeError("the workers were sent home")
            self._tasks.put((future, call))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when all is done; with ``cancel_futures`` at once, whatever they are about."""
        with self._lock:
            self._over, self._hurry = True, self._hurry or cancel_futures
            if cancel_futures:
                for process in self._running:
                    process.kill()
                while not self._tasks.empty():
                    waiting = self._tasks.get()
                    if waiting is not None:
                        waiting[0].cancel()
                        waiting[0].set_running_or_notify_cancel()  # whoever waits for it is told
            for _ in self._threads:
                self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()

    def _serve(self) -> None:
        """What one thread does: have its process do one task after the other."""
        process: subprocess.Popen[bytes] | None = None
        while (task := self._tasks.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            process = process or self._start()
            try:
                good, value = _ask(process, call)
            except (EOFError, OSError, pickle.UnpicklingError):
                future.set_exception(WorkerDied(_how(self._end(process))))
                process = None
                continue
            if good:
                future.set_result(value)
            else:
                future.set_exception(LocomoteError(value))
        if process is not None:
            self._end(process)

    def _start(self) -> subprocess.Popen[bytes]:
        paths = os.pathsep.join(path for path in sys.path if path)
        with self._lock:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "locomote.batch._worker"],
                env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for us to heed
            )
            self._running.add(process)
            if self._hurry:
                process.kill()
        return process

    def _end(self, process: subprocess.Popen[bytes]) -> int:
        """Wait for a process that has, or is given, nothing more to do; its exit code."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        process.stdout.close()
        with self._lock:
            self._running.discard(process)
        return code


def _ask(process: subprocess.Popen[bytes], call: bytes) -> tuple[bool, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(call)
    process.stdin.flush()
    answer: tuple[bool, Any] = pickle.load(process.stdout)
    return answer


def _how(code: int) -> str:
    if code == -9:
        return "its worker was killed, as happens where memory runs out"
    return f"its worker died, {f'signal {-code}' if code < 0 else f'exit code {code}'}"
