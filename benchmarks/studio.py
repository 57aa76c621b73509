"""The studio on the wire: frames a second, bytes a character and frame, and what the engine and the page cost."""

from __future__ import annotations

import asyncio
import multiprocessing
import time

import numpy as np

from _page import write_page
from locomote.human._model import HumanModel
from locomote.studio import Studio
from locomote.studio._people import StudioPeople

SECONDS = 8.0
COUNTS = (1, 10, 100, 300)
METHOD = f"""A page's visitor in a process of its own takes all frames of a mingling crowd for {SECONDS:g} s. Bodies
are cut into stiff pieces that all people share, one batch a joint ({{pieces}} of them); the chosen one and, in small
crowds, two more have a true skin, which goes over the wire vertex by vertex. A frame is one message of the web socket.
The engine is the stepping of the crowd at 60 steps a second; the page is all else: forward kinematics, feet, prints,
messages. Shares are of one core, by the processor time of the threads. The aim: 100 people at 20 frames a second, the
engine under 20 % of a core."""


async def listen(port: int, seconds: float) -> tuple[int, int]:
    """Messages and bytes within so many seconds, after the first ones."""
    import msgspec.msgpack
    import viser
    from websockets.asyncio.client import connect

    async with connect(
        f"ws://localhost:{port}",
        origin=f"http://localhost:{port}",
        subprotocols=[f"viser-v{viser.__version__}"],
        max_size=None,
        compression=None,
    ) as connection:
        # A visitor counts from the moment at which it says where it looks from.
        camera = {"wxyz": [1.0, 0.0, 0.0, 0.0], "position": [3.0, 2.0, 4.0], "look_at": [0.0, 1.0, 0.0]}
        camera |= {"up_direction": [0.0, 1.0, 0.0], "fov": 0.8, "near": 0.1, "far": 300.0}
        camera |= {"image_height": 720, "image_width": 1280, "type": "ViewerCameraMessage"}
        await connection.send(msgspec.msgpack.encode(camera))
        begin = time.perf_counter()
        while time.perf_counter() - begin < 3.0:
            await connection.recv()
        count = size = 0
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            data = await connection.recv()
            if len(data) > 1000:  # others are read-outs
                count, size = count + 1, size + len(data)
        return count, size


def visitor(port: int, seconds: float, out: multiprocessing.Queue[tuple[int, int]]) -> None:
    out.put(asyncio.run(listen(port, seconds)))


def measure(count: int) -> list[str]:
    studio = Studio(port=0, people=count)
    panel = studio.panels[0]
    panel.people.mingle = count > 1
    engine = [0.0]
    advance = panel.advance

    def timed(dt: float) -> None:
        begin = time.thread_time()
        advance(dt)
        engine[0] += time.thread_time() - begin

    panel.advance = timed
    studio.start()
    context = multiprocessing.get_context("spawn")
    results: multiprocessing.Queue[tuple[int, int]] = context.Queue()
    other = context.Process(target=visitor, args=(studio.port, SECONDS, results))
    other.start()
    while not studio.server.get_clients():
        time.sleep(0.05)
    time.sleep(3.0)
    engine[0] = 0.0
    used, begin, frames = time.process_time(), time.perf_counter(), studio.frames
    messages, size = results.get()
    wall = time.perf_counter() - begin
    whole, sent = time.process_time() - used, studio.frames - frames
    other.join()
    feet = panel.people.meter.reading
    studio.stop()
    rate = messages / SECONDS
    return [
        str(count),
        f"{rate:.1f}",
        f"{size / max(messages, 1) / 1000.0:.1f}",
        f"{size / max(messages, 1) / count:.0f}",
        f"{100.0 * engine[0] / wall:.1f}",
        f"{100.0 * (whole - engine[0]) / wall:.1f}",
        f"{1e3 * engine[0] / max(2 * sent, 1):.2f}",
        f"{feet.speed:.3f}",
    ]


def main() -> None:
    pieces = len(StudioPeople(HumanModel.default()).look.pieces)
    head = [
        "people",
        "frames a second",
        "kB a frame",
        "bytes a character and frame",
        "engine, % of a core",
        "page, % of a core",
        "engine, ms a step",
        "skate mm/s",
    ]
    rows = [measure(count) for count in COUNTS]
    write_page("studio", "The studio on the wire", METHOD.format(pieces=pieces), [("", head, rows)])


if __name__ == "__main__":
    np.seterr(all="ignore")
    main()
