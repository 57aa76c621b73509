"""Many files: two processes against one, what a kill, a cluster and damaged files change, and labelled walks.

    python benchmarks/batch.py [--count 2000] [--people 2000]

By the clock, as both cores are what it is about: nothing else should run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

from _kernels import Table, from_tests
from _page import write_page
from locomote.batch import Walks, walk
from locomote.human import Recording

made = from_tests("batch.made")

SECONDS = 3.0  # of a clip
RATIO = 1.8  # two processes against one, to be reached
PART = 4  # of the clips, one in so many for what is not about speed
DAMAGED = 100  # of these one in so many
SHARD, WALKED = 250, 10.0  # people in a file, s
SEVERAL = 2  # processes


def clean(clips: Path, out: Path, *how: object) -> tuple[float, str]:
    """Seconds of the verb as it is typed, and what it said."""
    start = time.perf_counter()
    process = made.command("batch", "clean", clips, "-o", out, "--json-lines", *how)
    said, told = process.communicate()
    if process.returncode not in (0, 1):
        raise SystemExit(told)
    return time.perf_counter() - start, said


def speed_rows(clips: Path, count: int, folder: Path) -> list[list[str]]:
    made.command("batch", "clean", next(clips.rglob("*.bvh")), "-o", folder / "first").communicate()  # compiles
    one = clean(clips, folder / "one", "--workers", 1)[0]
    two = clean(clips, folder / "two", "--workers", SEVERAL)[0]
    same = made.contents(folder / "one") == made.contents(folder / "two")
    for name in ("one", "two"):
        shutil.rmtree(folder / name)
    return [
        ["one", f"{one:.1f}", f"{count / one:.1f}", "1.00", "", ""],
        ["two", f"{two:.1f}", f"{count / two:.1f}", f"{one / two:.2f}", f"{RATIO:g}", _yes(same)],
    ]


def same_rows(clips: Path, folder: Path) -> list[list[str]]:
    """The same bytes after a kill, on a cluster, and of the others beside damaged files."""
    paths = sorted(clips.rglob("*.bvh"))
    count = len(paths)
    clean(clips, folder / "plain", "--workers", SEVERAL)
    plain = made.contents(folder / "plain")

    process = made.command("batch", "clean", clips, "-o", folder / "killed", "--workers", SEVERAL)
    made.wait_for(folder / "killed", "walk_*.bvh", count // 2, process)
    process.kill()
    process.communicate()
    left = len(list((folder / "killed").rglob("walk_*.bvh")))
    _, said = clean(clips, folder / "killed", "--workers", SEVERAL)
    again = _last(said)["done"]
    rows = [
        [f"killed when {left} of {count} were there", f"{again}", "0", _yes(made.contents(folder / "killed") == plain)]
    ]

    with cluster(folder) as address:
        _, said = clean(clips, folder / "cluster", "--cluster", address)
    rows.append(
        ["Dask, two processes", f"{_last(said)['done']}", "0", _yes(made.contents(folder / "cluster") == plain)]
    )

    damaged = paths[::DAMAGED]
    for path in damaged:
        made.damage(path)
    _, said = clean(clips, folder / "rest", "--workers", SEVERAL)
    rest = made.contents(folder / "rest")
    others = {path.relative_to(clips).as_posix() for path in set(paths) - set(damaged)}
    same = {name for name in rest if name.endswith(".bvh")} == others and all(
        rest[each] == plain[each] for each in others
    )
    told = _last(said)
    rows.append([f"{len(damaged)} damaged files", f"{told['done']}", f"{told['failed']}", _yes(same)])
    return rows


@contextlib.contextmanager
def cluster(folder: Path) -> Iterator[str]:
    """A scheduler of this machine with two processes of one thread each."""
    told = folder / "scheduler.json"
    common = ["--scheduler-file", str(told), "--no-dashboard"]
    scheduler = ["dask_scheduler", *common, "--port", "0", "--host", "127.0.0.1"]
    worker = ["dask_worker", *common, "--nthreads", "1", "--nworkers", f"{SEVERAL}"]
    with (folder / "log").open("w") as log:
        started = [
            Popen([sys.executable, "-m", f"distributed.cli.{first}", *rest], cwd=folder, stdout=log, stderr=log)
            for first, *rest in (scheduler, worker)
        ]
        try:
            while not told.exists() or not told.read_text().endswith("}"):
                time.sleep(0.05)
            address = json.loads(told.read_text())["address"]
            ready = f"from distributed import Client; Client('{address}').wait_for_workers({SEVERAL}, timeout=120)"
            subprocess.run([sys.executable, "-c", ready], check=True, capture_output=True)
            yield address
        finally:
            for each in reversed(started):
                each.send_signal(signal.SIGINT)
            for each in started:
                each.wait(60)


def walk_rows(people: int, folder: Path) -> list[list[str]]:
    rows = []
    walks = Walks(count=people, speed=(0.5, 3.0), seconds=WALKED, shard=SHARD)
    for ending in ("npz", "parquet"):
        for workers in (1, SEVERAL):
            out = folder / f"{ending}-{workers}"
            start = time.perf_counter()
            walk(out / f"shard-%05d.{ending}", walks, workers=workers)
            spent = time.perf_counter() - start
            files = list(out.glob(f"*.{ending}"))
            size = sum(path.stat().st_size for path in files)
            frames = people * Recording.load(folder / "npz-1" / "shard-00000.npz").phases.shape[1]
            rows.append(
                [
                    f".{ending}",
                    f"{workers}",
                    f"{frames:,}",
                    f"{spent:.1f}",
                    f"{frames / spent:,.0f}",
                    f"{size / frames:.0f}",
                ]
            )
            if out.name != "npz-1":
                shutil.rmtree(out)
    return rows


def _last(said: str) -> dict[str, int]:
    out: dict[str, int] = json.loads(said.splitlines()[-1])
    return out


def _yes(same: bool) -> str:
    return "yes" if same else "**no**"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--people", type=int, default=2000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made.corpus(folder / "clips", asked.count, SECONDS)
        made.corpus(folder / "part", asked.count // PART, SECONDS)
        speed = speed_rows(folder / "clips", asked.count, folder)
        same = same_rows(folder / "part", folder)
        walked = walk_rows(asked.people, folder)
    part = asked.count // PART
    method = (
        "`locomote batch clean` as it is typed, start and end of its processes included, by the clock, on two cores:\n"
        f"{asked.count:,} synthetic walks of {SECONDS:g} s at 30 frames a second with skating feet, .bvh, in folders.\n"
        f"What is about bytes and not about speed: {part:,} clips, two processes; SIGKILL to the command when half\n"
        "of the results are there, and the same command again. Labelled walks:\n"
        f"{asked.people:,} people of {WALKED:g} s at 30 frames a second, 0.5 to 3 m/s, all styles, {SHARD} in a file."
    )
    tables: list[Table] = [
        (
            f"{asked.count:,} clips cleaned",
            ["processes", "s", "clips a second", "times as fast", "to be reached", "the same bytes"],
            speed,
        ),
        ("What must not change a byte", ["", "done then", "listed as failed", "results as without it"], same),
        (
            "Labelled walks",
            ["format", "processes", "frames of one person", "s", "frames a second", "bytes a frame"],
            walked,
        ),
    ]
    write_page("batch", "Many files", method, tables)


if __name__ == "__main__":
    main()
