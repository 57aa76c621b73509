"""What it costs that creatures look alive: bounce of girdles and bend of trunks, beside a whole step."""

from __future__ import annotations

from _page import write_page
from locomote_lab.creatures.effects_cost import COUNT, SOURCE, SOURCE_BOUNCE, table

METHOD = """
One thread, {count} creatures that walk round in circles on level ground, best of several runs. *Bounce* is all that is
worked out from the gait for each girdle: the shares of the effects, who pushes off, heights, pitches and turns of the
girdles. *Spine* is the line of the trunk that follows the front, the curve of bones through the girdles, whether all
legs still reach, and the rotations of the joints. The source's bounce takes {bounce:.0%} of a step of a body on eight
legs, {source_bounce:.0f} microseconds of a core (four threads of an i7 for 0.51 ms); its spine 30 to 40 % of a step of
a body on four, of which no time is told. At most 2 % and 10 % of a step were wanted.
""".strip()


def main() -> None:
    method = METHOD.format(
        count=COUNT,
        bounce=SOURCE_BOUNCE,
        source_bounce=SOURCE * SOURCE_BOUNCE,
    )
    write_page("liveliness", "Creatures that look alive", method, [table()])


if __name__ == "__main__":
    main()
