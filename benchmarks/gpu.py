"""A frame of people on a GPU: cost by their number, beside the processor's and the copy bandwidth, and the same motion.

Three stages, each of which leaves what it found in a folder, so that they may run on different machines: ``prepare``
where Numba is (reference motion, kernels), ``measure`` where the GPU is, ``page`` wherever the docs are. Without a
stage all three run here.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import numpy as np

from _page import write_page
from locomote.human import Crowd, HumanModel
from locomote.human._cuda.device import STATE
from locomote.human._cuda.layout import words_of
from locomote.world import Ground

FOLDER = Path(".gpu")
FRAME = 1.0 / 60.0
COMPARED = 2048  # people of the comparison
FRAMES = 600
KEPT = (60, 120, 300, 600)  # frames at which they are compared
SIZES = (10_000, 100_000, 1_000_000, 4_000_000)
TIMED, WARM = 60, 10  # frames
STAGES = ("prepare", "measure", "page")


def uneven() -> Ground:
    """Stairs, a slope and a slab that drives."""
    ground = Ground()
    ground.add_stairs((0.0, 4.0), 8, rise=0.15, tread=0.32, width=30.0)
    ground.add_slope((0.0, -20.0), 8.0, 0.12, width=30.0)
    ground.add_platform((25.0, 0.0), (12.0, 12.0), 0.15, velocity=(0.2, 0.0, 0.1), turn_rate=0.05)
    return ground


def scene(name: str, count: int, device: str) -> Crowd:
    random = np.random.default_rng(7)
    ground = uneven() if name == "stairs, slope, moving slab" else None
    return Crowd(
        HumanModel.default(),
        count,
        seed=3,
        speed=random.uniform(0.0, 3.2, count),
        heading=random.uniform(-np.pi, np.pi, count),
        feet=name != "without feet",
        ground=ground,
        device=device,
    )


SCENES = ("level floor", "without feet", "stairs, slope, moving slab")


def play(crowd: Crowd) -> dict[int, np.ndarray]:
    """Joint positions at the kept frames of people who are told other things every two seconds."""
    random, kept = np.random.default_rng(11), {}
    for frame in range(1, FRAMES + 1):
        if frame % 120 == 30:
            some = np.flatnonzero(random.random(COMPARED) < 0.4)
            crowd.command(speed=random.uniform(0.0, 3.5, len(some)), who=some)
            some = np.flatnonzero(random.random(COMPARED) < 0.3)
            crowd.command(turn_rate=random.uniform(-1.0, 1.0, len(some)), who=some)
            crowd.jump(0.9, who=np.flatnonzero(random.random(COMPARED) < 0.02))
        crowd.ground.advance(FRAME)
        poses = crowd.step(FRAME)
        if frame in KEPT:
            kept[frame] = poses.joint_positions().astype(np.float32)
    return kept


def prepare(folder: Path) -> None:
    """The motion on the processor and its cost, and the kernels."""
    from locomote.human._cuda import loading

    crowd = Crowd(HumanModel.default(), 10_000, seed=3, speed=1.4)
    for _ in range(WARM):
        crowd.step(FRAME)
    start = time.perf_counter()
    for _ in range(TIMED):
        crowd.step(FRAME)
    cost = (time.perf_counter() - start) / TIMED / len(crowd)
    found = {}
    for name in SCENES:
        begun = scene(name, COMPARED, "cpu")
        # Random numbers are others with another version of NumPy: the GPU begins with this very state.
        found |= {f"{name}/{field}": words_of(getattr(begun._state, field)).copy() for field in STATE}
        found |= {f"{name}/{frame}": at for frame, at in play(begun).items()}
    np.savez_compressed(folder / "processor.npz", cost=cost, **found)
    sizes = loading.sizes_of(crowd._packed)
    loading.write_kernels(loading.SHIPPED, loading.key_for(sizes), loading.kernels_for(sizes))


def measure(folder: Path) -> None:
    """Whether the GPU moves them alike, and how long a frame takes it."""
    import cupy

    known, found = np.load(folder / "processor.npz"), {"alike": [], "cost": []}
    for name in SCENES:
        crowd = scene(name, COMPARED, "cuda")
        for field in STATE:
            words_of(getattr(crowd._state, field))[:] = known[f"{name}/{field}"]
        crowd._stepper.push(np.arange(COMPARED))
        for frame, at in play(crowd).items():
            off = np.linalg.norm(at - known[f"{name}/{frame}"], axis=-1).max(axis=1)
            found["alike"].append([name, frame, float(np.median(off)), float(np.mean(off < 1e-4)), float(off.max())])
    found["alike_count"] = COMPARED
    for count in SIZES:
        for name in ("level floor", "without feet")[: 1 if count == SIZES[-1] else 2]:
            crowd = scene(name, count, "cuda")
            for _ in range(WARM):
                crowd.step(FRAME)
            found["cost"].append([count, name, _seconds_a_frame(cupy, crowd)])
            print(found["cost"][-1], flush=True)
            if count == SIZES[0] and name == "level floor":
                found["taken"] = _takers(crowd)
            del crowd
            cupy.get_default_memory_pool().free_all_blocks()
    found["copy"] = _copy_bandwidth(cupy)
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    found["device"] = properties["name"].decode()
    (folder / "gpu.json").write_text(json.dumps(found, indent=1))


def _seconds_a_frame(cupy: object, crowd: Crowd) -> float:
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(TIMED):
        crowd.step(FRAME)
    end.record()
    end.synchronize()
    return 1e-3 * cupy.cuda.get_elapsed_time(begin, end) / TIMED


def _copy_bandwidth(cupy: object) -> float:
    """Bytes read and written a second by a copy on the card."""
    source = cupy.zeros(2**28)
    target = cupy.empty_like(source)
    target[:] = source
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(5):
        target[:] = source
    end.record()
    end.synchronize()
    return 2 * 5 * source.nbytes / (1e-3 * cupy.cuda.get_elapsed_time(begin, end))


def _takers(crowd: Crowd) -> list[str]:
    """Who else takes the poses without a copy: the same memory, by its address."""
    there, found = crowd.poses.on_device.rotations, []
    try:
        import torch

        taken = torch.from_dlpack(there)
        found += ["PyTorch"] if taken.data_ptr() == there.data.ptr and tuple(taken.shape) == there.shape else []
    except ImportError:
        pass
    try:
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        import jax

        jax.config.update("jax_enable_x64", True)
        taken = jax.dlpack.from_dlpack(there.transpose(1, 2, 0))  # JAX wants the person last, as it lies there
        found += ["JAX"] if taken.unsafe_buffer_pointer() == there.data.ptr else []
    except ImportError:
        pass
    return found


def page(folder: Path) -> None:
    """Write the page."""
    found, cost = json.loads((folder / "gpu.json").read_text()), float(np.load(folder / "processor.npz")["cost"])
    rows = []
    for count, name, seconds in found["cost"]:
        beside = f"{1e3 * cost * count:,.0f} ({cost * count / seconds:.0f} times)" if name == "level floor" else ""
        figures = f"{1e3 * seconds:.2f}", f"{1.0 / seconds:,.0f}", f"{1e9 * seconds / count:.1f}"
        rows.append([f"{count:,}", name, *figures, beside])
    alike = [
        [name, str(frame), f"{1e3 * middle:.5f}", f"{100 * share:.2f} %", f"{1e3 * worst:.4f}"]
        for name, frame, middle, share, worst in found["alike"]
    ]
    write_page(
        "gpu",
        "People on a GPU",
        f'`Crowd(..., device="cuda")` on one {found["device"]}: {TIMED} frames after {WARM}, people of speeds from 0 '
        "to 3.2 m/s; poses stay on the card. The processor's figure is one thread of the machine below, people with "
        "feet.\n\n"
        f"A copy on the card moves {found['copy'] / 1e12:.2f} TB/s, bytes read and written; poses are 1.3 kB a person, "
        f"state 5.2 kB. Without a copy they were taken by: {', '.join(found['taken']) or 'nobody'}.\n\n"
        f"Below, {found['alike_count']:,} people play the same {FRAMES} frames on both, with commands and jumps every "
        "two seconds: how far the worst joint of a person is from where the processor has it.",
        [
            ("Cost", ["people", "", "ms a frame", "frames a second", "ns a person", "processor, ms"], rows),
            ("Alike", ["", "frame", "median, mm", "within 0.1 mm", "worst, mm"], alike),
        ],
    )


def main() -> None:
    wanted = sys.argv[1:2] or list(STAGES)
    if wanted[0] not in STAGES:
        sys.exit(f"expected one of {', '.join(STAGES)}")
    FOLDER.mkdir(exist_ok=True)
    for stage in wanted:
        {"prepare": prepare, "measure": measure, "page": page}[stage](FOLDER)


if __name__ == "__main__":
    main()
