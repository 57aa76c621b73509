"""A Dask cluster of two processes of this machine does the same work, byte for byte."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from locomote import batch
from tests.batch.made import contents, corpus, damage

pytest.importorskip("distributed")

WALK = (
    "import sys, warnings; warnings.simplefilter('ignore'); "
    "from locomote import batch; "
    "walks = batch.Walks(count=6, seconds=0.5, shard=2); "
    "made = batch.walk(sys.argv[1] + '/shard-%03d.npz', walks, cluster=sys.argv[2]); "
    "print(made.done, made.kept, len(made.failures))"
)
RUN = (
    "import sys, warnings; warnings.simplefilter('ignore'); "
    "from locomote import batch; "
    "made = batch.run('clean', sys.argv[1], sys.argv[2], cluster=sys.argv[3]); "
    "print(made.done, made.kept, len(made.failures))"
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("cluster")
    told = folder / "scheduler.json"
    common = ["--scheduler-file", str(told), "--no-dashboard"]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", *common, "--port", "0", "--host", "127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", *common, "--nthreads", "1", "--nworkers", "2"]
    with (folder / "log").open("w") as log:
        started = [subprocess.Popen(each, cwd=folder, stdout=log, stderr=log) for each in (scheduler, worker)]
        try:
            while not told.exists() or not told.read_text().endswith("}"):
                assert all(each.poll() is None for each in started), (folder / "log").read_text()
                time.sleep(0.05)
            at = json.loads(told.read_text())["address"]
            wait = f"from distributed import Client; Client('{at}').wait_for_workers(2, timeout=120)"
            subprocess.run([sys.executable, "-c", wait], check=True, capture_output=True)
            yield at
        finally:
            for each in reversed(started):
                each.send_signal(signal.SIGINT)
            for each in started:
                each.wait(60)


def test_a_cluster_gives_the_same_bytes_and_lists_what_is_damaged(address: str, tmp_path: Path) -> None:
    clips = tmp_path / "clips"
    paths = corpus(clips, 5)
    damage(paths[2])
    here = batch.run("clean", clips, tmp_path / "here", workers=1)
    assert len(here.failures) == 1
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(clips), str(tmp_path / "there"), address],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["4", "0", "1"], done.stderr
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_a_cluster_makes_the_same_walks(address: str, tmp_path: Path) -> None:
    walks = batch.Walks(count=6, seconds=0.5, shard=2)
    assert batch.walk(tmp_path / "here" / "shard-%03d.npz", walks, workers=1).done == 3
    done = subprocess.run(
        [sys.executable, "-c", WALK, str(tmp_path / "there"), address], capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["3", "0", "0"], done.stderr
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
