"""What is told of published figures: of which year, on what machine, and what of the work is in them.

A page that sets somebody else's figures beside ours says so in a paragraph of its own; `write_page` puts it there.
"""

from __future__ import annotations

_PEOPLE = "one processor of 1.8 GHz of 2005, in C++, for one character"
_LEGS = "2012, in C++ on four threads of a quad core i7 of 2.7 GHz, by the clock, nothing drawn"
_POSES = "2009, in C++ on a workstation with two processors of 2.6 GHz"
_TREES = "2009, on a GeForce 8800 GTS in a machine with a Xeon of 3.2 GHz"
_HANDLES = "2011, in Matlab on a dual core of 2.13 GHz of 2006"

BEGIN = "**Published figures**: "
PUBLISHED = {
    "cages": "2012; an error of joints, not a time, of other people before other cameras.",
    "compression": f"{_POSES}; only sizes and errors are compared here.",
    "creatures": (
        f"{_LEGS}. Its step holds planning, gaits and legs, its maps are told apart from it, and both are in both "
        "totals; a step of four threads is taken for four times as much of a core, the maps for once. The ground "
        "is told as 100 m², on which 3,000 crates have no room: it is taken as 100 m a side."
    ),
    "dog": "2011; pushes that are survived, not times.",
    "feet": (
        f"{_PEOPLE}. Enforced are two footplants of a body, four effectors; its worst frame has all stages, under "
        "parameters that change all the time. Whether the commands that change them are in it is not told; here "
        "the call that gives them is."
    ),
    "footplant-detection": (
        f"{_PEOPLE}: four boundaries of one unit of 25 frames, found from heights that are known. The same work is "
        "*from heights, one unit*, which finds twelve boundaries among 50 samples; the table is a look-up, and is "
        "compared with nothing."
    ),
    "forces": "by their authors, of the years that are named, on their own recordings; errors, not times.",
    "human": (
        f"{_PEOPLE}. Its new cycle has 25 poses, ours 50, both from weights to the rotations of all joints, "
        "without places in the world. Commands are in neither; their table stands by itself."
    ),
    "latent-poses": f"{_HANDLES}.",
    "liveliness": f"{_LEGS}.",
    "maps": (
        f"{_LEGS}: 4 ms for bringing the maps of 100 characters up to date, 1,200 of 3,000 crates moving. Ours are "
        "maps of the whole field, on one thread."
    ),
    "obstacles": "2006; distances, not times.",
    "pendulums": (
        "2012, on a Core 2 Duo of 2 GHz; whether on one thread is not told. Both sides bring pendulums on, with "
        "those that are pushed; over a clip both turn its joints as well."
    ),
    "pose-spaces": (
        f"{_POSES}. What it printed for a frame is decoding: reaching for five tracks, without reading a file. So "
        "is ours in the last table; in the tables before it the handles are where the clip has its joints."
    ),
    "posing": (
        f"{_HANDLES}: 0.50 s a pose by its own method, 2.40 by styles, 0.07 by plain inverse kinematics, from a "
        "T-pose. Only errors are compared."
    ),
    "runup": (
        f"{_PEOPLE}, in a text of 2006: one plan that ends on the right foot, with the mean of the ends for the "
        "phase. The same work is *quadratic, mean of the ends*, which looks at either foot; the exact plans do "
        "more."
    ),
    "steps": (
        "2010, in C++ on one core of an Athlon 64 X2 of 3 GHz. On both sides the plan is known, and a step is "
        "chosen, made and turned into angles of joints."
    ),
    "steps-database": "2010; counts and lengths, not times.",
    "wind": (
        f"{_TREES}. In the first table both sides have wind, modes and the places of all nodes in a frame; in the "
        "second it draws as well and we do not, so that those ratios say less."
    ),
    "wind-gpu": (
        f"{_TREES}, animation alone. Wind at every tree is in its frames; ours is worked out by the processor "
        "beforehand: with it in the clock, see [the frames of the processor](wind.md)."
    ),
}


def paragraph(page: str) -> list[str]:
    """What a page says of the published figures on it, if it has any."""
    return [BEGIN + PUBLISHED[page]] if page in PUBLISHED else []
