"""Trees of pendulums: the source's scenes, and what one pendulum costs in a crowd."""

from __future__ import annotations

from _page import write_page
from locomote_lab.creatures.pendulum_cost import TARGET, tables


def main() -> None:
    write_page(
        "pendulums",
        "Pendulums",
        "One step of trees of pendulums on one thread: anchors that move, bars that swing, tips that are pushed. "
        "The best of many calls, with the call from Python in it. The source's figures are its own, on its machine; "
        f"it took about 2 µs for a pendulum, and the goal here is {TARGET} µs in a batch.",
        tables(),
    )


if __name__ == "__main__":
    main()
