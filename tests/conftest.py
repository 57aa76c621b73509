"""Shared by all tests: where the recorded motion lies, and what happens without it."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side already; before NumPy is imported

import hypothesis
import pytest

from locomote.math._compile import INTERPRETED

PATIENCE = 5.0  # s for which a test may run where kernels are not compiled
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# Timings vary with the machine and compiled code is slow on its first call: no deadline.
EXAMPLES = 5 if INTERPRETED else 50
hypothesis.settings.register_profile("house", deadline=None, derandomize=True, max_examples=EXAMPLES)
hypothesis.settings.load_profile("house")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("numba") is None or INTERPRETED:
        for item in items:
            if item.get_closest_marker("compiler"):
                item.add_marker(pytest.mark.skip(reason="needs Numba"))
    if DATA.is_dir():
        return
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="needs the recorded motion in ../shared/data"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    waiting = [r for r in terminalreporter.getreports("skipped") if "../shared/data" in str(r.longrepr)]
    terminalreporter.write_line(f"{len(waiting)} tests skipped for want of the recorded motion in ../shared/data")


@contextmanager
def _in_time() -> Iterator[None]:
    """What takes long ends early and does not count: kernels run uncompiled here, to see which of their lines run."""

    def stop(number: int, frame: FrameType | None) -> None:
        pytest.skip(f"takes more than {PATIENCE:g} s uncompiled")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


if INTERPRETED:

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup() -> Iterator[None]:
        with _in_time():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call() -> Iterator[None]:
        with _in_time():
            return (yield)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of recorded motion; a test that asks for it carries the mark ``data``."""
    return DATA
