"""People on a GPU, as far as a machine without one can tell.

NumPy stands in for CuPy, and the step of the processor for the kernels: what is left is how state, commands and poses
go to and fro. That the kernels compile is seen where Numba for GPUs is installed; that they give the same motion on a
real one is what ``benchmarks/gpu.py`` measures.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.human._cuda import device, loading
from locomote.human._cuda.layout import arguments_of, from_tiles, into_tiles, to_tiles, words_of
from locomote.human._kernels.scratch import make_scratch
from locomote.human._kernels.state import Foot, People, Walker
from locomote.human._kernels.step import PoseArrays, step
from locomote.math import _gpu
from locomote.math.records import dtype_of, zeros
from locomote.world import Ground
from locomote.world._kernels.ground import Terrain

HERTZ = 60.0


@pytest.fixture(scope="module")
def model():
    return HumanModel.default()


class Emulated(device.DevicePeople):
    """People whose kernels are the step of the processor, over the same tiles."""

    def __init__(self, xp, kernels, people, model, poses, hold):
        self.model, self.hold = model, hold
        super().__init__(np, dict.fromkeys(device.LAUNCHES, self._launch), people, model, poses, hold)
        self.scratch = make_scratch(model)

    def _launch(self, blocks, threads, parameters):
        self.launched += 1

    def step(self, dt, terrain, before):
        self.launched = 0
        super().step(dt, terrain, before)
        assert self.launched == len(device.LAUNCHES)
        ground = Terrain(*self._ground[:3])
        people = People(*(self._rows(name) for name in People._fields))
        out = PoseArrays(*(np.ascontiguousarray(each) for each in self._arrays))
        self._queue[0][1] = step(dt, self.hold, people, self.model, ground, self._ground[3], out, self.scratch)
        for there, here in zip(self._arrays, out, strict=True):
            there[...] = here
        for name in device.STATE:
            into_tiles(self._state[name], np.arange(self.count), words_of(getattr(people, name)))

    def _rows(self, name):
        like = getattr(self._people, name)
        words = from_tiles(self._state[name], words_of(like).shape[1], slice(self.count))
        return np.ascontiguousarray(words).view(like.dtype).reshape(like.shape)


@pytest.fixture
def emulated(monkeypatch):
    monkeypatch.setattr(_gpu, "cupy", lambda: np)
    monkeypatch.setattr(device, "DevicePeople", Emulated)
    monkeypatch.setattr(loading, "load_kernels", lambda xp, model: None)


def both(model, count, **named):
    return [Crowd(model, count, seed=4, device=name, **named) for name in ("cpu", "cuda")]


def alike(one, other, frames):
    for _ in range(frames):
        a, b = one.step(1.0 / HERTZ), other.step(1.0 / HERTZ)
    np.testing.assert_array_equal(a.rotations, b.rotations)
    np.testing.assert_array_equal(a.root_positions, b.root_positions)
    np.testing.assert_array_equal(a.joint_positions(), b.joint_positions())
    assert one.changed == other.changed


@given(rows=st.integers(1, 100), width=st.integers(1, 5), seed=st.integers(0, 9))
def test_rows_come_out_of_tiles_as_they_went_in(rows, width, seed):
    random = np.random.default_rng(seed)
    values = random.normal(size=(rows, width))
    tiles = to_tiles(np, values)
    assert tiles.shape == (-(-rows // 32) * 32 * width,)
    some = random.permutation(rows)[: 1 + rows // 2]
    np.testing.assert_array_equal(from_tiles(tiles, width, slice(rows)), values)
    np.testing.assert_array_equal(from_tiles(tiles, width, some), values[some])
    # A number of 32 people is side by side.
    n, number = int(some[0]), width - 1
    assert tiles[(n // 32) * 32 * width + number * 32 + n % 32] == values[n, number]
    values[some] = 7.0
    into_tiles(tiles, some, values[some])
    np.testing.assert_array_equal(from_tiles(tiles, width, slice(rows)), values)


def test_commands_for_some_move_them_as_on_the_processor(model, emulated):
    one, other = both(model, 70, speed=np.linspace(0.0, 3.0, 70))
    for crowd in (one, other):
        crowd.command(speed=2.0, turn_rate=0.5, who=slice(3, 40))
    alike(one, other, 30)
    for crowd in (one, other):
        crowd.command(style="elderly" if "elderly" in model.styles else model.styles[0], leg_length=0.8, who=[1, 66])
        assert crowd.jump(0.8, who=[5, 69]).all()
        assert crowd.reach(3.0, who=[50]).shape == (1,)
    alike(one, other, 60)
    np.testing.assert_array_equal(one.positions, other.positions)
    np.testing.assert_array_equal(one.planted, other.planted)
    np.testing.assert_allclose(one.poses.scales, other.poses.scales)


def test_ground_that_moves_takes_them_along(model, emulated):
    crowds = []
    for name in ("cpu", "cuda"):
        ground = Ground()
        ground.add_platform((0.0, 0.0), (20.0, 20.0), 0.2, velocity=(0.3, 0.0, 0.1))
        crowds.append(Crowd(model, 33, seed=2, speed=1.2, ground=ground, device=name))
    for _ in range(40):
        for crowd in crowds:
            crowd.ground.advance(1.0 / HERTZ)
            crowd.step(1.0 / HERTZ)
    np.testing.assert_array_equal(*(crowd.poses.rotations for crowd in crowds))
    np.testing.assert_array_equal(*(crowd.footholds for crowd in crowds))


def test_arrays_go_there_row_by_row_whatever_their_order_was(model, emulated):
    crowd = Crowd(model, 2, device="cuda")
    across = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for there in (device._to_device(np, (across, (across,))), device._to_device(np, crowd._packed)):
        waiting = list(there)
        while waiting:
            each = waiting.pop()
            if isinstance(each, tuple):
                waiting.extend(each)
            elif isinstance(each, np.ndarray):
                assert each.flags.c_contiguous


def test_poses_stay_there_until_asked_for(model, emulated):
    crowd = Crowd(model, 5, speed=1.0, device="cuda")
    poses = crowd.step(1.0 / HERTZ)
    there = poses.on_device
    assert len(poses) == 5
    assert there.rotations.shape == (5, 22, 4)
    assert there.rotations.strides[0] == 8  # people side by side
    kept = poses.copy()
    crowd.step(1.0 / HERTZ)
    assert not np.array_equal(kept.rotations, poses.rotations)
    np.testing.assert_array_equal(poses.rotations, there.rotations)


def test_what_is_not_there_says_so(model, emulated):
    crowd = Crowd(model, 2, device="cuda")
    for ask in (lambda: crowd.go_to(1.0, 1.0), lambda: crowd.follow([(0, 0), (1, 1)]), lambda: crowd.meet([(0, 1)])):
        with pytest.raises(LocomoteError, match=r"^device 'cuda': nobody heeds .* there; take device='cpu'$"):
            ask()
    with pytest.raises(LocomoteError, match="device 'cuda': nobody heeds obstacles or others"):
        Crowd(model, 2, device="cuda", avoid=True)


def test_a_machine_without_a_gpu_says_so(model):
    with pytest.raises(LocomoteError, match="device 'cuda': "):
        Crowd(model, 2, device="cuda")
    with pytest.raises(LocomoteError, match="device 'tpu': expected one of cpu, cuda"):
        Crowd(model, 2, device="tpu")


def test_kernels_are_kept_and_made_anew_when_their_sources_change(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    sizes, kernels = (22, 24, 40, 31), {"go_on": ("some code", "entry")}
    monkeypatch.setattr(loading, "stamp", lambda: "before")
    loading.write_kernels(loading.cache_folder() / "before-22-24-40-31.json.gz", "before-22-24-40-31", kernels)
    assert loading.kernels_for(sizes) == kernels
    made = []
    fake = type("compiling", (), {"compile_kernels": staticmethod(lambda *given: made.append(given) or kernels)})
    monkeypatch.setitem(__import__("sys").modules, "locomote.human._cuda.compiling", fake)
    monkeypatch.setattr(loading, "stamp", lambda: "after")
    assert loading.kernels_for(sizes) == kernels
    assert len(made) == 1
    assert loading.kernels_for(sizes) == kernels
    assert len(made) == 1  # kept


def test_kernels_compile_and_take_the_parameters_that_are_laid_out(model, emulated):
    pytest.importorskip("numba_cuda")
    from locomote.human._cuda.compiling import compile_kernels

    crowd = Crowd(model, 3, device="cuda")
    sizes = loading.sizes_of(crowd._packed)
    for name, (ptx, entry) in compile_kernels(sizes, (9, 0), only=("advance_all", "fill_points")).items():
        header = ptx[ptx.index(f".entry {entry}(") :]
        parameters = re.findall(r"\.param \.\w+ \w+", header[: header.index(")")])
        assert len(parameters) == len(crowd._stepper._launches[name][0])


def test_a_tiled_record_has_every_field_where_the_tiles_have_it():
    pytest.importorskip("numba_cuda")
    from numba.cuda import types

    from locomote.math._cuda_records import tiled_type

    def leaves(kind, at=0, path=()):
        for name, field in kind.fields.items():
            if isinstance(field.type, types.Record):
                yield from leaves(field.type, at + field.offset, (*path, name))
            elif isinstance(field.type, types.NestedArray):
                step = field.type.strides[-1]
                for k in range(field.type.shape[-1]):
                    yield (*path, name), k, at + field.offset + k * step
            else:
                yield (*path, name), None, at + field.offset

    for record in (Walker, Foot):
        rows = zeros(record, 40)
        rows.view(np.int64)[:] = np.random.default_rng(1).integers(0, 2, size=rows.nbytes // 8)
        tiles = to_tiles(np, words_of(rows)).view(np.uint8)
        n, width = 37, dtype_of(record).itemsize
        for path, k, offset in leaves(tiled_type(dtype_of(record))):
            value = rows[n]
            for name in path:
                value = value[name]
            value = value if k is None else value[k]
            start = (n // 32) * 32 * width + offset + 8 * (n % 32)
            np.testing.assert_array_equal(tiles[start : start + value.dtype.itemsize].view(value.dtype)[0], value)


def test_parameters_are_laid_out_as_numba_does():
    array = np.zeros((2, 3))
    values = arguments_of((1.5, True, 7, array))
    assert values[:3] == [int(np.float64(1.5).view(np.int64)), 1, 7]
    assert values[3:] == [0, 0, 6, 8, array.ctypes.data, 2, 3, 24, 8]
