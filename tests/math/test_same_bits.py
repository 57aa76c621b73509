"""Ten seconds of everything, compiled ahead of time and just in time: the same bits.

Needs a wheel with compiled kernels, and Numba beside it: ``python3 tasks.py bare`` runs it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from locomote.math import _ahead

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "same_motion.py"
PARTS = ("people", "jumps", "ways", "steps", "creature spider", "creature wolf", "pendulums")


@pytest.mark.compiler
@pytest.mark.skipif(not (_ahead.FOLDER / _ahead.INDEX).exists(), reason="no kernels compiled ahead of time")
def test_ahead_of_time_and_just_in_time_move_alike_bit_for_bit(tmp_path: Path) -> None:
    sums = {}
    for way in ("ahead", "jit"):
        kept = tmp_path / f"{way}.json"
        command = [sys.executable, str(SCRIPT), "--seconds", "10", "--json", str(kept), "--only", *PARTS]
        # Twice just in time, and the second counts: what was just compiled may be shared between kernels.
        for _ in range(1 if way == "ahead" else 2):
            subprocess.run(command, check=True, env={**os.environ, "LOCOMOTE_KERNELS": way})
        sums[way] = json.loads(kept.read_text())
    assert len(sums["jit"]) == len(PARTS)
    assert sums["ahead"] == sums["jit"]
