"""A stage that runs, a server for it, and the receivers of the examples."""

import importlib
import importlib.util
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from websockets.sync import client

from locomote.stream import Engine, Server, Stage, stage_of

ROOT = Path(__file__).resolve().parents[2]
RECEIVERS = ROOT / "examples" / "stream"
BLENDER = "locomote_blender"
PATIENCE = 60.0  # s after which a test gives up; the machine may be busy with other tests
connect = partial(client.connect, open_timeout=PATIENCE)


def receiver(name: str) -> ModuleType:
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, RECEIVERS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def blender_module(name: str) -> ModuleType:
    """A module of the add-on for Blender, without Blender, which the add-on itself needs."""
    if BLENDER not in sys.modules:
        package = ModuleType(BLENDER)
        package.__path__ = [str(ROOT / "integrations" / "blender" / BLENDER)]
        sys.modules[BLENDER] = package
    return importlib.import_module(f"{BLENDER}.{name}")


def small_stage(**options: Any) -> Stage:
    return stage_of(3, {"wolf": 2}, seed=3, **options)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with Engine(small_stage(), 60.0) as running:
        yield running


@pytest.fixture(scope="module")
def server(engine: Engine) -> Iterator[Server]:
    with Server(engine, port=0) as running:
        yield running
