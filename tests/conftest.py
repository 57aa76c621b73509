"""Shared by all tests: where the recorded motion lies, and what happens without it."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # tests run side by side already; before NumPy is imported

import hypothesis
import pytest

from locomote.math._compile import INTERPRETED, choice

PATIENCE = float(os.environ.get("LOCOMOTE_PATIENCE", "5"))  # s for which a test may run where kernels are not compiled
UNCOMPILED: set[str] = set()  # kernels of a wheel that ran a hundred times as slow, for arguments of unforeseen kinds
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# Timings vary with the machine and compiled code is slow on its first call: no deadline.
EXAMPLES = 5 if INTERPRETED else 50
hypothesis.settings.register_profile("house", deadline=None, derandomize=True, max_examples=EXAMPLES)
# Examples that nobody has seen; one that fails is printed with what brings it back.
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=500, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "house"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if importlib.util.find_spec("numba") is None or INTERPRETED:
        for item in items:
            if item.get_closest_marker("compiler"):
                item.add_marker(pytest.mark.skip(reason="needs Numba"))
    if DATA.is_dir():
        return
    # A test that goes through many recorded files is skipped once: without the files there is nothing to go through.
    kept: list[pytest.Item] = []
    seen: set[str] = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="needs the recorded motion in ../shared/data"))
            if name in seen:
                continue
            seen.add(name)
        kept.append(item)
    config.hook.pytest_deselected(items=sorted(set(items) - set(kept), key=lambda item: item.nodeid))
    items[:] = kept


def _uncompiled() -> list[str]:
    """The kernels of the package of which it was said that they ran as plain Python."""
    return sorted(told for told in choice.told if told.startswith("locomote."))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    UNCOMPILED.update(getattr(node, "workeroutput", {}).get("uncompiled", ()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):  # one of several processes
        session.config.workeroutput["uncompiled"] = _uncompiled()
        return
    UNCOMPILED.update(_uncompiled())
    if UNCOMPILED and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    waiting = [r for r in terminalreporter.getreports("skipped") if "../shared/data" in str(r.longrepr)]
    terminalreporter.write_line(f"{len(waiting)} tests skipped for want of the recorded motion in ../shared/data")
    for name in sorted(UNCOMPILED):
        terminalreporter.write_line(f"{name} ran as plain Python: the rehearsal of the wheel has no such call")


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
