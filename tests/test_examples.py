"""Every example runs as it stands, and the examples in docstrings say what they print."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest

import locomote

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_example_runs(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_the_first_lines_a_user_reads_are_true() -> None:
    assert doctest.testmod(locomote).failed == 0
