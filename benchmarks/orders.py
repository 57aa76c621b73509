"""What it costs to tell a crowd where to go: all in one call, and one by one."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from _kernels import Table
from _page import write_page
from locomote.human import Crowd, HumanModel

FOLLOWERS, TOLD = 1600, 1000
PLACES = (2, 40)  # of a path, at least and fewer than
ROUNDS = 7  # in turn; the best of each


def best_of(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The best processor seconds of each call, all of them in turn."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, call in calls.items():
            start = time.process_time()
            call()
            best[name] = min(best[name], time.process_time() - start)
    return best


def row_of(name: str, count: int, at_once: Callable[[], object], one: Callable[[int], object]) -> list[str]:
    times = best_of({"once": at_once, "singly": lambda: [one(k) for k in range(count)]})
    ratio = times["singly"] / times["once"]
    return [name, str(count), f"{1e3 * times['once']:.2f}", f"{1e3 * times['singly']:.1f}", f"{ratio:.0f}x"]


def rows() -> list[list[str]]:
    model, r = HumanModel.default(), np.random.default_rng(0)
    paths = [np.cumsum(r.normal(size=(int(r.integers(*PLACES)), 2)), axis=0) for _ in range(FOLLOWERS)]
    walkers, told = Crowd(model, FOLLOWERS), Crowd(model, TOLD, speed=1.4)
    x, z = r.uniform(-50.0, 50.0, (2, TOLD))
    turns = [0]

    def speeds() -> np.ndarray:
        """Others than before: who is told what it does already is done with at once."""
        turns[0] += 1
        return np.asarray(np.linspace(0.8, 1.6, TOLD) + 1e-3 * turns[0])

    def command_singly() -> Callable[[int], object]:
        now = [speeds()]

        def one(k: int) -> None:
            now[0] = speeds() if k == 0 else now[0]
            told.command(speed=float(now[0][k]), turn_rate=0.1, who=k)

        return one

    return [
        row_of(
            "`follow`, a path of its own for each",
            FOLLOWERS,
            lambda: walkers.follow(paths),
            lambda k: walkers.follow(paths[k], who=k),
        ),
        row_of("`go_to`", TOLD, lambda: told.go_to(x, z), lambda k: told.go_to(x[k], z[k], who=k)),
        row_of(
            "`command(speed, turn_rate)`",
            TOLD,
            lambda: told.command(speed=speeds(), turn_rate=0.1),
            command_singly(),
        ),
    ]


if __name__ == "__main__":
    method = (
        f"Processor time, the best of {ROUNDS} rounds, both ways in turn. Paths have {PLACES[0]} to\n"
        f"{PLACES[1] - 1} places; whoever was on another path leaves that."
    )
    tables: list[Table] = [("", ["call", "people", "all at once, ms", "one by one, ms", "ratio"], rows())]
    write_page("orders", "Telling a crowd where to go", method, tables)
