"""The engine: steps a stage at an even rate in a thread of its own, and hands every frame to whoever listens."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from locomote.errors import LocomoteError
from locomote.stream._frames import Frame
from locomote.stream._running import Running
from locomote.stream._stage import Stage

RATES = (1.0, 240.0)  # frames a second
BEHIND = 0.1  # s by which the clock may be late before missed frames are given up
WARM_UP = 2  # frames before the clock starts, in which compiled code is loaded
REMEMBERED = 8192  # frames of which the timing is kept
MOST_WAITING = 1000  # requests that may wait for their turn
REQUEST_SHARE = 0.25  # of a frame's time that requests may take; more of them wait for the next frame

T = TypeVar("T")


class Listener:
    """Holds the latest frame until it is taken; one that is not taken in time is dropped for the next."""

    def __init__(self, wake: Callable[[], None] | None = None) -> None:
        self.dropped = 0
        self.closed = False
        self._frame: Frame | None = None
        self._wake = wake
        self._changed = threading.Condition()

    def put(self, frame: Frame) -> None:
        """Offer a frame; never waits."""
        with self._changed:
            waiting = self._frame is not None
            self.dropped += waiting
            self._frame = frame
            self._changed.notify()
        if self._wake is not None and not waiting:
            self._wake()

    def take(self, timeout: float | None = None) -> Frame | None:
        """The latest frame that was not taken yet; None after so many seconds, or when there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self.closed, timeout)
            frame, self._frame = self._frame, None
            return frame

    def close(self) -> None:
        """Listen no longer; who waits for a frame goes on."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()


@dataclass(frozen=True)
class EngineFigures:
    """How the engine keeps time."""

    frames: int
    lost: int  # frames that were given up because the machine was too slow
    late: tuple[float, float, float]  # s after their time: median, 99 %, the latest of the frames remembered
    work: tuple[float, float, float]  # s that a frame takes: the same
    share: float  # of a core, for all that the engine's thread does


class Engine(Running):
    """Steps a stage `rate` times a second; time never drifts: frame n is due n / rate after the start.

    >>> from locomote.stream import Engine, stage_of
    >>> with Engine(stage_of(people=2), rate=30.0) as engine:
    ...     listener = engine.listen()
    ...     frame = listener.take(timeout=5.0)
    >>> frame.groups[0].rotations.shape
    (2, 22, 4)

    Parameters
    ----------
    stage : who is on it
    rate : frames a second
    """

    def __init__(self, stage: Stage, rate: float = 60.0) -> None:
        if not RATES[0] <= rate <= RATES[1]:
            raise LocomoteError(f"rate {rate}: expected {RATES[0]:g} to {RATES[1]:g} frames a second")
        self.rate = float(rate)
        self.error: Exception | None = None  # what stopped the engine, if it did not stop as told
        self._stage = stage
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._listeners: tuple[Listener, ...] = ()
        self._lock = threading.Lock()  # of the listeners and the requests
        self._requests: deque[tuple[Callable[[Stage], Any], Future[Any]]] = deque()
        self._timing: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)  # s late, s of work
        self._lost = 0
        self._share = 0.0
        self._latest = stage.frame(self.rate)

    @property
    def latest(self) -> Frame:
        """The latest frame."""
        return self._latest

    @property
    def running(self) -> bool:
        """Whether frames are made."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def figures(self) -> EngineFigures:
        """How it keeps time."""
        timing = np.array(list(self._timing) or [(0.0, 0.0)])
        late, work = (tuple(np.percentile(column, (50, 99, 100)).tolist()) for column in timing.T)
        return EngineFigures(self._latest.number, self._lost, late, work, self._share)

    def start(self) -> None:
        """Begin; the first frame is there when this returns."""
        if self._thread is not None:
            raise LocomoteError("the engine was started before; make a new one")
        for _ in range(WARM_UP):
            self._stage.advance(1.0 / self.rate)
        self._latest = self._stage.frame(self.rate)
        self._thread = threading.Thread(target=self._run, name="locomote engine", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End; what listeners have not taken yet stays with them."""
        self._stopping.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def listen(self, wake: Callable[[], None] | None = None) -> Listener:
        """A listener that gets every frame from now on; ``wake`` is called in the engine's thread and must not wait."""
        listener = Listener(wake)
        with self._lock:
            self._listeners = (*self._listeners, listener)
        return listener

    def ask(self, work: Callable[[Stage], T]) -> Future[T]:
        """Have something done with the stage between two frames."""
        answer: Future[T] = Future()
        with self._lock:  # the engine does not end between the question and the queue
            if not self.running or self._stopping.is_set():
                answer.set_exception(LocomoteError("the engine does not run"))
            elif len(self._requests) >= MOST_WAITING:
                answer.set_exception(LocomoteError("busy: too many requests are waiting; try again"))
            else:
                self._requests.append((work, answer))
        return answer

    def _run(self) -> None:
        try:
            self._keep_time()
        except Exception as error:
            self.error = error
        finally:
            with self._lock:
                self._stopping.set()
            while self._requests:
                self._requests.popleft()[1].set_exception(LocomoteError("the engine has stopped"))
            for listener in self._listeners:
                listener.close()

    def _keep_time(self) -> None:
        period = 1.0 / self.rate
        start, beats = time.perf_counter(), 0
        self._publish()
        while True:
            beats += 1
            due = start + beats * period
            left = due - time.perf_counter()
            if self._stopping.wait(left) if left > 0.0 else self._stopping.is_set():
                return
            began = time.perf_counter()
            if began - due > BEHIND:  # the machine slept or is too slow: go on from here
                missed = int((began - due) / period)
                self._lost += missed
                beats += missed
                due += missed * period
            self._answer(began + REQUEST_SHARE * period)
            self._stage.advance(period)
            self._latest = self._stage.frame(self.rate)
            self._publish()
            done = time.perf_counter()
            self._timing.append((done - due, done - began))
            self._share += 0.01 * ((done - began) / period - self._share)

    def _answer(self, until: float) -> None:
        while self._requests and time.perf_counter() < until:
            work, answer = self._requests.popleft()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(work(self._stage))
            except Exception as error:  # belongs to who asked
                answer.set_exception(error)

    def _publish(self) -> None:
        for listener in self._listeners:
            if listener.closed:
                continue
            try:
                listener.put(self._latest)
            except RuntimeError:  # whom it was to wake has gone
                listener.close()
        if any(listener.closed for listener in self._listeners):
            with self._lock:
                self._listeners = tuple(each for each in self._listeners if not each.closed)
