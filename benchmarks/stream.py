"""Fifty clients for two minutes, ten of which never read: does anyone wait, does memory grow, what does it cost?"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from _page import write_page
from locomote.stream import Engine, Server, VmcSender, stage_of
from locomote.stream._staging import rehearse
from locomote.stream._wire import HEADER, record

SECONDS = 120.0
SETTLING = 5.0  # s at the beginning that do not count
READERS, STALLED = 40, 10
PEOPLE = 100
RATE = 60.0
PERIOD = 1.0 / RATE
METHOD = f"""{PEOPLE} people who wander and keep out of each other's way, at {RATE:g} frames a second, every frame of
all of them to {READERS} WebSocket clients in another process of the same machine, {{seconds}} s without and
{{seconds}} s with {STALLED} stalled clients beside them. A stalled client connects and never reads; it is
not let go during the run, as it would be by default after 40 s. A delay is from the moment a frame is
handed to the listeners until a client has it; missed are frames that a client never got; lost are frames
that the engine gave up because it was more than 0.1 s late. Memory is that of the serving process, first
and last quarter of the run. Last in each row, how late a third process that does nothing but sleep for a
frame's time wakes up meanwhile. The machine has two cores for all of this and much other work beside it;
where the system allows it the processes have real-time priority, so that what is measured is the stream
and not its neighbours."""
CLIENT_COLUMNS = [
    "clients", "frames to get", "missed", "delay ms, median", "99 %", "99.9 %", "longest", "later than a frame",
    "lost by the engine", "memory", "share of a core, server and engine", "sleeper late ms, 99 %", "99.9 %", "longest",
]  # fmt: skip
COST_COLUMNS = ["stage", "share of a core", "work ms a frame, median", "99 %", "longest", "lost"]


def prefer(priority: int) -> None:
    """Go before the other work of the machine, where that is allowed; 0 is as usual."""
    policy = os.SCHED_FIFO if priority else os.SCHED_OTHER
    with contextlib.suppress(AttributeError, PermissionError):
        os.sched_setscheduler(0, policy, os.sched_param(priority))


def begin(*arguments: str) -> subprocess.Popen[bytes]:
    """This file in another process, which loads its libraries without priority."""
    return subprocess.Popen([sys.executable, __file__, *arguments], preexec_fn=lambda: prefer(0))


async def read(url: str, seconds: float, numbers: list[int], arrivals: list[float]) -> None:
    """One client that takes every frame as it comes."""
    from websockets.asyncio.client import connect

    end = time.perf_counter() + seconds
    async with connect(url, compression=None, max_size=None) as client:
        while time.perf_counter() < end:
            data = await client.recv()
            if isinstance(data, bytes):
                numbers.append(HEADER.unpack_from(data)[4])
                arrivals.append(time.perf_counter())


async def clients(url: str, seconds: float, count: int, output: Path) -> None:
    """Many clients in a process of their own."""
    prefer(5)
    kept: list[tuple[list[int], list[float]]] = [([], []) for _ in range(count)]
    await asyncio.gather(*(read(url, seconds, *each) for each in kept))
    rows = [np.array([n, a]) for n, a in kept]
    np.savez(output, **{f"client{n}": row for n, row in enumerate(rows)})


def stalled_socket(server: Server) -> socket.socket:
    """A client that asks for frames and never reads one."""
    bare = socket.create_connection((server.host, server.port))
    bare.sendall(
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    return bare


def sleep_by_the_frame(seconds: float, output: Path) -> None:
    """How late a process that only sleeps wakes up."""
    prefer(10)
    late, end = [], time.perf_counter() + seconds
    while (now := time.perf_counter()) < end:
        time.sleep(PERIOD)
        late.append(time.perf_counter() - now - PERIOD)
    np.save(output, late)


def memory() -> float:
    """Megabytes that this process holds."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024.0
    return 0.0


def cost_alone(engine: Engine, seconds: float) -> float:
    """Share of a core of the whole process while nothing but the engine runs."""
    time.sleep(2.0)
    before, start = time.process_time(), time.perf_counter()
    time.sleep(seconds)
    return (time.process_time() - before) / (time.perf_counter() - start)


def soak(engine: Engine, seconds: float, stalled: int) -> dict[str, Any]:
    """Serve readers and clients that never read, and note when each frame was published."""
    published: dict[int, float] = {}
    listener = engine.listen()
    with tempfile.TemporaryDirectory() as folder, Server(engine, port=0, patience=600.0) as server:
        idle = [stalled_socket(server) for _ in range(stalled)]
        output = Path(folder) / "arrivals.npz"
        arguments = ["clients", server.url, str(seconds), str(READERS), str(output)]
        readers = begin(*arguments)
        slept = Path(folder) / "slept.npy"
        sleeper = begin("sleep", str(seconds), str(slept))
        before, start, held, lost, everyone = time.process_time(), time.perf_counter(), [], 0, False
        while readers.poll() is None:
            frame = listener.take(1.0)
            if frame is None:
                continue
            published[frame.number] = time.perf_counter()
            everyone = everyone or server.clients == READERS + stalled
            if not everyone:
                lost, held = engine.figures.lost, []
            if frame.number % int(RATE) == 0:
                held.append(memory())
        share = (time.process_time() - before) / (time.perf_counter() - start)
        figures = engine.figures
        for each in idle:
            each.close()
        with np.load(output) as kept:
            rows = [kept[name] for name in kept.files]
        sleeper.wait()
        slept_late = np.load(slept)
    listener.close()
    first = max(int(row[0, 0]) for row in rows) + int(SETTLING * RATE)
    last = min(int(row[0, -1]) for row in rows)
    expected = [n for n in published if first <= n <= last]
    delays, missed = [], 0
    for row in rows:
        got = dict(zip(row[0].astype(int).tolist(), row[1].tolist(), strict=True))
        delays += [got[n] - published[n] for n in expected if n in got]
        missed += sum(n not in got for n in expected)
    return {
        "delays": np.array(delays),
        "frames": len(expected) * len(rows),
        "missed": missed,
        "held": held[int(SETTLING) :],
        "share": share,
        "lost": figures.lost - lost,
        "slept": slept_late,
    }


def summary(name: str, told: dict[str, Any]) -> list[str]:
    delays, held = told["delays"], told["held"]
    slope = float(np.polyfit(np.arange(len(held)) / 60.0, held, 1)[0])
    quarter = len(held) // 4
    first, last = np.mean(held[:quarter]), np.mean(held[-quarter:])
    return [
        name,
        f"{told['frames']}",
        f"{told['missed']}",
        *(f"{1e3 * np.percentile(delays, p):.1f}" for p in (50, 99, 99.9, 100)),
        f"{np.mean(delays > PERIOD):.3%}",
        f"{told['lost']}",
        f"{first:.0f} → {last:.0f} MB ({slope:+.2f} MB/min)",
        f"{told['share']:.0%}",
        *(f"{1e3 * np.percentile(told['slept'], p):.1f}" for p in (99, 99.9, 100)),
    ]


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    prefer(10)
    rehearse(True, ["wolf"])
    gc.collect()
    gc.freeze()  # as `locomote serve` does
    costs = []
    for people, wolves in ((1, 0), (PEOPLE, 0), (80, 20), (500, 0)):
        with Engine(stage_of(people, {"wolf": wolves} if wolves else {}), RATE) as engine:
            share, figures = cost_alone(engine, 10.0), engine.figures
            name = f"{people} people" + (f", {wolves} wolves" if wolves else "")
            work = [f"{1e3 * each:.2f}" for each in figures.work]
            costs.append([name, f"{share:.1%}", *work, f"{figures.lost}"])
    with Engine(stage_of(PEOPLE), RATE) as engine:
        with VmcSender(engine, port=39555, who=(0,)):
            vmc = cost_alone(engine, 10.0)
        costs.append([f"{PEOPLE} people, one of them by VMC", f"{vmc:.1%}", "", "", "", ""])
        sizes = [
            [
                kind,
                str(record(engine.latest.layout.groups[0], kind).itemsize),
                f"{record(engine.latest.layout.groups[0], kind).itemsize * RATE / 1000:.1f} kB/s",
            ]
            for kind in ("float32", "int16")
        ]
        soaked = [
            summary(f"{READERS} readers", soak(engine, seconds, 0)),
            summary(f"{READERS} readers, {STALLED} stalled", soak(engine, seconds, STALLED)),
        ]
    page = [
        ("Fifty clients", CLIENT_COLUMNS, soaked),
        ("The engine alone", COST_COLUMNS, costs),
        ("Bytes of a person in a frame", ["rotations", "bytes", f"at {RATE:g} Hz"], sizes),
    ]
    write_page("stream", "Streaming", METHOD.format(seconds=f"{seconds:.0f}"), page)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "clients":
        asyncio.run(clients(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), Path(sys.argv[5])))
    elif len(sys.argv) > 1 and sys.argv[1] == "sleep":
        sleep_by_the_frame(float(sys.argv[2]), Path(sys.argv[3]))
    else:
        main()
