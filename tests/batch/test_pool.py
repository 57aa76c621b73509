"""Processes as an executor: one that dies takes only its own task along."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import wait

import pytest

from locomote.batch._pool import Workers
from locomote.errors import LocomoteError


def test_tasks_are_done_by_processes_of_one_thread_each() -> None:
    with Workers(2) as pool:
        answers = [pool.submit(os.getenv, name) for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS")]
        assert [answer.result() for answer in answers] == ["1", "1"]
        assert pool.submit(os.getpid).result() != os.getpid()


def test_a_process_that_is_killed_fails_its_own_task_and_no_other() -> None:
    with Workers(2) as pool:
        slow = pool.submit(time.sleep, 1.0)
        killed = pool.submit(signal.raise_signal, signal.SIGKILL)
        after = [pool.submit(os.getpid) for _ in range(4)]
        with pytest.raises(LocomoteError, match="killed, as happens where memory runs out"):
            killed.result()
        assert slow.result() is None
        assert len([each.result() for each in after]) == 4


def test_an_error_in_a_task_is_told_and_its_process_goes_on() -> None:
    with Workers(1) as pool:
        first = pool.submit(os.getpid).result()
        with pytest.raises(LocomoteError, match="FileNotFoundError"):
            pool.submit(os.listdir, "/nowhere/at/all").result()
        assert pool.submit(os.getpid).result() == first


def test_what_libraries_print_does_not_disturb_the_answers() -> None:
    with Workers(1) as pool:
        assert pool.submit(os.write, 1, b"").result() == 0
        pool.submit(print, "printed by a task").result()
        assert pool.submit(len, "abc").result() == 3


def test_processes_end_at_once_when_they_are_told_to() -> None:
    pool = Workers(2)
    busy = [pool.submit(time.sleep, 600.0) for _ in range(5)]
    while len(pool._running) < 2:
        time.sleep(0.01)
    pids = [process.pid for process in pool._running]
    pool.shutdown(cancel_futures=True)
    wait(busy)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
