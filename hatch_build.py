"""Build hook: with ``LOCOMOTE_AHEAD=1`` the kernels are compiled and go into a wheel for this platform.

It may also name a folder where they were compiled before. Without it the wheel is plain Python, and Numba compiles the
kernels on their first use.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NEEDED = ["numba>=0.60", "numpy>=2", "scipy>=1.12", "pillow>=10.1", "mujoco>=3.2", "proxsuite>=0.6", "setuptools"]


class KernelsHook(BuildHookInterface):  # type: ignore[misc]
    """Compiles the kernels into ``locomote/_native``."""

    @property
    def _asked(self) -> bool:
        return self.target_name == "wheel" and os.environ.get("LOCOMOTE_AHEAD", "0") not in ("", "0")

    def dependencies(self) -> list[str]:
        """What compiling needs on top of what building does."""
        return NEEDED if self._asked else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and say that the wheel is for this platform and Python."""
        if not self._asked or version == "editable":
            return
        before = Path(os.environ["LOCOMOTE_AHEAD"])
        folder = before if before.is_dir() else self._compiled()
        build_data["pure_python"], build_data["infer_tag"] = False, True
        build_data["force_include"].update({str(file): f"locomote/_native/{file.name}" for file in folder.iterdir()})

    def _compiled(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="locomote-native-"))
        # From the folder of the sources: an isolated environment may hide it from the search path.
        command = [sys.executable, "-m", "locomote_build", str(folder)]
        subprocess.run(command, check=True, cwd=Path(self.root) / "src")
        return folder
