"""Trees of pendulums: the source's scenes, and what one pendulum costs in a crowd."""

from __future__ import annotations

import numpy as np

from _kernels import best_seconds
from _page import write_page
from locomote import rotations as rot
from locomote.pendulums import Cloth, Pendulums, Spring, Tree

DT = 1 / 60  # s
TARGET = 0.1  # microseconds for one pendulum of a batch
SPRING = Spring.settling(0.5, 0.4)


def chains(count: int, links: int) -> Tree:
    """Some chains that hang on the animation."""
    parents = np.concatenate([np.r_[-1, np.arange(links - 1) + links * c] for c in range(count)])
    return Tree.build(parents, np.full(count * links, 0.1), SPRING)


def scene(tree: Tree, characters: int, pushed: list[int]) -> tuple[float, Pendulums]:
    """Microseconds for a step of all, with anchors that move and some tips that are pushed."""
    random = np.random.default_rng(0)
    shape = (characters, len(tree))
    anchors = 0.1 * random.normal(size=(*shape, 3))
    frames = rot.normalize(random.normal(size=(*shape, 4)))
    pendulums = Pendulums(tree, anchors, frames)
    other = anchors + 0.01
    pushes = None
    if pushed:
        pushes = np.zeros((*shape, 3))
        pushes[:, pushed] = 0.001
    for k in range(30):  # swinging, as in use: bars at rest cost less
        pendulums.step(DT, other if k % 2 else anchors, frames, pushes)

    def both() -> None:
        pendulums.step(DT, other, frames, pushes)
        pendulums.step(DT, anchors, frames, pushes)

    return 0.5e6 * best_seconds(both), pendulums


def cloth() -> tuple[float, int]:
    """Microseconds for a step of a cloth that is pulled all the time, and how many pendulums that takes."""
    sheet = Cloth(20, 25)

    def step() -> None:
        for column in (9, 12, 15):
            sheet.pull(10, column, (0.0, 0.0, 0.005))
        sheet.step(DT)

    return 1e6 * best_seconds(step), sheet.pendulums


def main() -> None:
    scenes = [
        ("octopus: 8 tentacles, each root pulled", chains(8, 19), 1, list(range(0, 152, 19)), "0.30 ms"),
        ("110 characters with 3 trees of 5", chains(3, 5), 110, [], "3 ms"),
        ("1000 characters with 3 trees of 5", chains(3, 5), 1000, [], ""),
    ]
    rows = []
    for name, tree, characters, pushed, source in scenes:
        taken, _ = scene(tree, characters, pushed)
        bars = len(tree) * characters
        rows.append([name, str(bars), f"{1e-3 * taken:.3f} ms", source, f"{taken / bars:.3f} µs"])
    taken, bars = cloth()
    rows.append(
        [
            "cloth of 20 by 25, 3 columns pulled",
            str(bars),
            f"{1e-3 * taken:.3f} ms",
            "5 ms",
            f"{taken / bars:.3f} µs",
        ]
    )
    growth = []
    for links in (10, 100, 1000, 10000):
        taken, _ = scene(chains(1, links), 1, [links - 1])
        growth.append([str(links), f"{1e-3 * taken:.4f} ms", f"{taken / links:.3f} µs"])
    write_page(
        "pendulums",
        "Pendulums",
        "One step of trees of pendulums on one thread: anchors that move, bars that swing, tips that are pushed. "
        "The best of many calls, with the call from Python in it. The source's figures are its own, on its machine; "
        f"it took about 2 µs for a pendulum, and the goal here is {TARGET} µs in a batch.",
        [
            ("Scenes", ["scene", "pendulums", "a step", "source", "one pendulum"], rows),
            ("One chain, longer and longer, its last tip pushed", ["links", "a step", "one link"], growth),
        ],
    )


if __name__ == "__main__":
    main()
