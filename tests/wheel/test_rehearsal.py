"""A wheel can be built: every kernel is called in the rehearsal, with nothing that an isolated build has not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

pytest.importorskip("locomote_build", reason="a wheel is tested, which brings no sources of the build")

ROOT = Path(__file__).resolve().parents[2]
REHEARSE = """
import sys
for name in sys.argv[1:]:
    sys.modules[name] = None  # as if it were not installed
from locomote_build.signatures import rehearsed
rehearsed()
"""

pytestmark = pytest.mark.compiler


def _names(requirements: list[str]) -> set[str]:
    """Of distributions, as they are compared."""
    found = [re.match(r"[\w.-]+", each) for each in requirements]
    return {re.sub(r"[-_.]+", "-", each.group()).lower() for each in found if each}


def _not_in_a_build() -> list[str]:
    """What may be imported here, but not where `hatch_build` says what an isolated build needs."""
    pytest.importorskip("hatchling")
    from hatch_build import NEEDED

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    asked = _names([*project["dependencies"], *(each for extra in extras for each in extra)]) - {"locomote"}
    absent = asked - _names(NEEDED)
    modules = {module for module, owners in packages_distributions().items() if _names(owners) <= absent}
    return sorted(modules | {name.replace("-", "_") for name in absent})  # some do not say which modules they bring


def test_every_kernel_is_called_in_the_rehearsal_with_what_an_isolated_build_has() -> None:
    absent = _not_in_a_build()
    assert "typer" in absent
    done = subprocess.run(
        [sys.executable, "-c", REHEARSE, *absent],
        env={**os.environ, "LOCOMOTE_KERNELS": "python"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_kernels_of_every_room_go_into_one_module() -> None:
    from locomote_build.__main__ import MODULES
    from locomote_build.signatures import kernels

    held = [room for rooms in MODULES.values() for room in rooms]
    assert sorted({name.split(".")[1] for name in kernels()}) == sorted(held)
