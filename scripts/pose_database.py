"""Writes the recorded poses that come with the package, from the corpus of single poses in ../shared/data."""

from __future__ import annotations

import time
from pathlib import Path

import locomote as lm
from locomote_lab.posing import Corpus

ROOT = Path(__file__).resolve().parents[1]
COUNT = 6000


def main() -> None:
    corpus = Corpus.load(ROOT.parent / "shared" / "data")
    start = time.process_time()
    database = lm.spaces.PoseDatabase.of(list(corpus.common()), COUNT)
    path = ROOT / "src" / "locomote" / "assets" / "poses.npz"
    database.save(path)
    print(
        f"{path.name}: {len(database)} poses, every other within {1e3 * database.radius:.0f} mm, "
        f"{path.stat().st_size / 1e6:.2f} MB, {time.process_time() - start:.0f} s; "
        f"without the people {', '.join(sorted(corpus.held_out()))}"
    )


if __name__ == "__main__":
    main()
