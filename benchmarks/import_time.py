"""How long `import locomote` and `locomote --help` take, beside a bare interpreter and NumPy alone."""

from __future__ import annotations

import subprocess
import sys
import time

from _page import write_page

CASES = {
    "bare interpreter": "pass",
    "import numpy": "import numpy",
    "import locomote": "import locomote",
    "locomote, load and save": "import locomote as lm; lm.load, lm.save",
    "locomote --help": "from locomote.cli import app; app(['--help'], standalone_mode=False)",
}
REPEATS = 7


def seconds(code: str) -> float:
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def main() -> None:
    times = {name: seconds(code) for name, code in CASES.items()}
    base = times["bare interpreter"]
    rows = [[name, f"{t:.3f}", f"{t - base:.3f}", f"{t / times['import numpy']:.2f}"] for name, t in times.items()]
    write_page(
        "import",
        "Import and start-up",
        f"Whole processes, best of {REPEATS} runs. The aim is under 0.5 s for `import locomote`, without Numba.",
        [("", ["", "seconds", "over the bare interpreter", "against `import numpy`"], rows)],
    )


if __name__ == "__main__":
    main()
