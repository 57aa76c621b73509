"""A stage with several characters, drawn by the engine of usdview: everyone is there, and where we have them.

It is run beside the tests, as Blender is: see `test_blender`. It needs ``moderngl`` in that Python as well.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import ndimage

import locomote as lm
from locomote.motion import Motion

from .test_blender import BLENDER

HERE = Path(__file__).resolve().parent
FRAMES = (0, 10, 25)

pytestmark = [pytest.mark.xdist_group("blender")]


def ready() -> bool:
    if BLENDER is None:
        return False
    probe = [BLENDER, "-c", "import moderngl; moderngl.create_context(standalone=True, backend='egl', require=450)"]
    return subprocess.run(probe, capture_output=True, check=False, timeout=60).returncode == 0


@pytest.fixture(scope="module")
def cast() -> list[Motion]:
    people = lm.human.HumanModel.default()
    walks = [
        lm.human.Crowd(people, 1, seed=n, speed=1.2, positions=[[1.3 * n, 0.0, 0.0]]).record(seconds=1.0, fps=30)
        for n in range(3)
    ]
    wolf = lm.creatures.Crowd("wolf", 1, speed=1.0, positions=[[-1.8, 0.0, 0.0]]).record(seconds=1.0, fps=30)
    return [*walks, wolf]


@pytest.fixture(scope="module")
def drawn(cast: list[Motion], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if not ready():
        pytest.skip("needs Blender's Python with moderngl, and EGL")
    folder = tmp_path_factory.mktemp("usdview")
    lm.save(cast, folder / "scene.usdc")
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(BLENDER), str(HERE / "in_usdview.py"), str(folder / "scene.usdc"), str(folder / "out.npz")]
        + [str(frame) for frame in FRAMES],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=300,
    )
    assert "done" in done.stdout, done.stdout + done.stderr
    return dict(np.load(folder / "out.npz"))


def test_all_characters_are_drawn_where_they_are(cast: list[Motion], drawn: dict[str, Any]) -> None:
    assert len(drawn["roots"]) == len(cast)
    for frame in FRAMES:
        painted = drawn[f"painted{frame}"]
        height, width = painted.shape
        islands, count = ndimage.label(ndimage.binary_dilation(painted, iterations=2))
        assert count == len(cast), "each a figure of its own"
        found = set()
        for motion in cast:
            joints = motion.joint_positions()[frame]
            ends = np.c_[joints, np.ones(len(joints))] @ drawn["view"]
            x, y = (ends[:, :2] / ends[:, 3:]).T
            column, row = np.rint(0.5 * (x + 1.0) * width - 0.5), np.rint(0.5 * (1.0 - y) * height - 0.5)
            under = islands[row.astype(int), column.astype(int)]
            assert (under > 0).mean() > 0.95, "joints lie within the figure"
            (island,) = set(under[under > 0].tolist())
            found.add(island)
        assert len(found) == len(cast)
    moved = drawn[f"painted{FRAMES[0]}"] ^ drawn[f"painted{FRAMES[2]}"]
    assert moved.sum() > 200, "they move"
