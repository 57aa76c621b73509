"""The loop: even time, the latest frame wins, nobody holds it up."""

import gc
import threading
import tracemalloc
from typing import Any

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.stream import Engine, Frame, Listener, Stage, stage_of
from locomote.stream import _engine as engine_module

from .conftest import PATIENCE, small_stage


class Bare(Stage):
    """A stage on which nobody is."""


def run_by_a_fake_clock(
    monkeypatch: pytest.MonkeyPatch, rate: float, cost: Any, frames: int
) -> tuple[Engine, list[float]]:
    """The engine's loop in a world where only waiting and work take time; when each frame was published."""
    now = [100.0]
    monkeypatch.setattr(engine_module.time, "perf_counter", lambda: now[0])
    stage = Bare()
    engine = Engine(stage, rate)
    published: list[float] = []

    class Clock(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            now[0] += (timeout or 0.0) + 1e-4  # waking up is never quite on time
            return super().is_set()

    engine._stopping = Clock()

    def advance(dt: float) -> None:
        Stage.advance(stage, dt)
        now[0] += cost(stage.frames)
        if stage.frames == frames:
            engine._stopping.set()

    monkeypatch.setattr(stage, "advance", advance)
    engine.listen(lambda: published.append(now[0]))
    engine._publish = lambda: published.append(now[0])  # type: ignore[method-assign]
    engine._keep_time()
    return engine, published


def test_time_does_not_drift(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, published = run_by_a_fake_clock(monkeypatch, 60.0, lambda _: 0.004, 6000)
    assert published[-1] - published[0] == pytest.approx(6000 / 60 + 0.0041, abs=1e-6)
    assert engine.figures.lost == 0
    assert engine.figures.late[2] == pytest.approx(0.0041, abs=1e-6)


def test_a_slow_frame_is_caught_up_with(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, published = run_by_a_fake_clock(monkeypatch, 60.0, lambda n: 0.08 if n == 30 else 0.004, 300)
    assert published[-1] - published[0] == pytest.approx(300 / 60 + 0.0041, abs=1e-6)
    assert engine.figures.lost == 0


def test_after_a_long_sleep_missed_frames_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, published = run_by_a_fake_clock(monkeypatch, 60.0, lambda n: 10.0 if n == 30 else 0.004, 300)
    assert 590 <= engine.figures.lost <= 600
    assert max(np.diff(published[40:])) < 0.02


def test_a_machine_that_is_too_slow_does_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, published = run_by_a_fake_clock(monkeypatch, 60.0, lambda _: 0.05, 100)
    assert published[-1] - published[0] == pytest.approx(100 * 0.05, abs=0.05)
    assert engine.figures.lost > 150


def frame_of(stage: Stage) -> Frame:
    stage.advance(0.01)
    return stage.frame(60.0)


def test_the_latest_frame_wins() -> None:
    stage, listener, woken = Bare(), Listener(), []
    frames = [frame_of(stage) for _ in range(5)]
    for frame in frames:
        listener.put(frame)
    assert listener.take() is frames[-1]
    assert listener.dropped == 4
    assert listener.take(0.0) is None
    waking = Listener(lambda: woken.append(1))
    for frame in frames:
        waking.put(frame)
    assert len(woken) == 1, "who has not come yet is not called again"


def test_everyone_gets_the_same_frames() -> None:
    with Engine(small_stage(), 120.0) as engine:
        listeners = [engine.listen() for _ in range(3)]
        first = [listener.take(PATIENCE) for listener in listeners]
        assert all(frame is not None for frame in first)
    assert not engine.running
    assert engine.error is None
    assert all(listener.closed for listener in listeners)
    last = [listener.take(0.0) for listener in listeners]
    assert last[0] is last[1] is last[2]


def test_a_listener_who_is_gone_or_broken_harms_nobody() -> None:
    with Engine(small_stage(), 120.0) as engine:
        gone, good = engine.listen(), engine.listen()
        gone.close()

        def broken() -> None:
            raise RuntimeError("the loop is closed")

        engine.listen(broken)
        numbers = []
        while len(numbers) < 5:
            frame = good.take(PATIENCE)
            assert frame is not None
            numbers.append(frame.number)
        assert len(engine._listeners) == 1
    assert numbers == sorted(set(numbers))
    assert engine.error is None


def test_work_is_done_between_frames_and_its_errors_come_back() -> None:
    with Engine(small_stage(), 120.0) as engine:
        assert engine.ask(lambda stage: len(stage.groups)).result(PATIENCE) == 2
        with pytest.raises(LocomoteError, match="'cats': there is none"):
            engine.ask(lambda stage: stage.group("cats")).result(PATIENCE)
        assert engine.running
    with pytest.raises(LocomoteError, match="does not run"):
        engine.ask(lambda stage: None).result(PATIENCE)


def test_too_many_requests_are_refused() -> None:
    hold = threading.Event()
    with Engine(small_stage(), 120.0) as engine:
        engine.ask(lambda stage: hold.wait(PATIENCE))
        answers = [engine.ask(lambda stage: None) for _ in range(engine_module.MOST_WAITING + 100)]
        refused = [each for each in answers if each.done() and each.exception() is not None]
        hold.set()
        assert refused
        assert "busy" in str(refused[0].exception())


def test_an_engine_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = small_stage()
    engine = Engine(stage, 120.0)
    engine.start()
    listener = engine.listen()
    engine.ask(lambda stage: monkeypatch.setattr(stage, "advance", lambda dt: 1 / 0))
    while not listener.closed:
        listener.take(1.0)
    engine.stop()
    assert isinstance(engine.error, ZeroDivisionError)


def test_groups_appear_and_vanish() -> None:
    with Engine(small_stage(), 120.0) as engine:
        before = engine.latest.layout
        listener = engine.listen()

        def more(stage: Stage) -> None:
            crowd = lm.human.Crowd(
                HumanModel.default(),
                2,
                positions=[(9, 0, 0), (9, 0, 2)],
                ground=stage.ground,
                obstacles=stage.obstacles,
            )
            stage.add("guests", crowd)

        engine.ask(more).result(PATIENCE)
        while (frame := listener.take(PATIENCE)) is not None and frame.layout is before:
            pass
        assert frame is not None
        assert [group.name for group in frame.layout.groups] == ["people", "wolf", "guests"]
        assert frame.layout.number > before.number
        engine.ask(lambda stage: stage.remove("people")).result(PATIENCE)
        while (frame := listener.take(PATIENCE)) is not None and len(frame.groups) == 3:
            pass
        assert frame is not None
        assert [group.name for group in frame.layout.groups] == ["wolf", "guests"]
        elsewhere = lm.human.Crowd(HumanModel.default(), 1)
        with pytest.raises(LocomoteError, match="own ground and obstacles"):
            engine.ask(lambda stage: stage.add("strangers", elsewhere)).result(PATIENCE)


def test_obstacles_that_leave_the_stage_vanish() -> None:
    stage = stage_of(1, wander=False)
    stage.obstacles.add_box((490.0, 0.0), (1.0, 1.0), 1.0, velocity=(20.0, 0.0))
    stays = stage.obstacles.add_box((5.0, 5.0), (1.0, 1.0), 1.0)
    for _ in range(60):
        stage.advance(1 / 60)
    assert list(stage.obstacles) == [stays]
    assert [thing.id for thing in stage.frame(60.0).things.obstacles] == [stays]


def test_many_frames_leave_nothing_behind() -> None:
    stage = small_stage()
    listener = Listener()

    def run(frames: int) -> None:
        for _ in range(frames):
            stage.advance(1 / 60)
            listener.put(stage.frame(60.0))
        gc.collect()

    run(60)
    tracemalloc.start()
    run(60)
    before = tracemalloc.get_traced_memory()[0]
    run(240)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 200_000


def test_a_rate_must_be_possible() -> None:
    with pytest.raises(LocomoteError, match="rate 0"):
        Engine(Bare(), 0.0)
    with pytest.raises(LocomoteError, match="1 to 1000 characters"):
        stage_of(0)
