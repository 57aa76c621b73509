"""One set of colours and one typeface for every picture."""

from __future__ import annotations

from functools import lru_cache

from PIL import ImageFont

Colour = tuple[int, int, int]

PAPER: Colour = (255, 255, 255)
PANEL: Colour = (247, 248, 250)
INK: Colour = (28, 33, 43)
MUTED: Colour = (104, 113, 128)
RULE: Colour = (216, 221, 229)
FAINT: Colour = (234, 237, 242)

BODY: Colour = (214, 219, 228)
LEFT: Colour = (70, 121, 232)
RIGHT: Colour = (240, 133, 62)
LEFT_LIMB: Colour = (120, 160, 240)
RIGHT_LIMB: Colour = (247, 168, 112)
MIDDLE_LIMB: Colour = (176, 184, 198)
PLANTED: Colour = (16, 185, 129)
PATH: Colour = (120, 130, 148)
FORCE: Colour = (20, 120, 96)
ALARM: Colour = (220, 38, 38)

FLOOR: Colour = (240, 242, 246)
GRID: Colour = (196, 203, 214)
SHADOW: Colour = (38, 46, 66)
WALL: Colour = (213, 218, 227)
SECTION: Colour = (197, 204, 215)
EDGE: Colour = (84, 93, 109)
BLOCK: Colour = (214, 199, 172)
WATER: Colour = (132, 190, 224)
SHORE: Colour = (52, 112, 158)

SERIES: tuple[Colour, ...] = (
    LEFT,
    RIGHT,
    PLANTED,
    (148, 99, 222),
    (224, 79, 123),
    (38, 166, 188),
    (196, 158, 22),
    (104, 113, 128),
)


def side_colour(side: str) -> Colour:
    """The strong colour of a body side; lines and outlines use it."""
    return {"left": LEFT, "right": RIGHT}.get(side, MUTED)


def limb_colour(side: str) -> Colour:
    """The soft colour of a limb."""
    return {"left": LEFT_LIMB, "right": RIGHT_LIMB}.get(side, MIDDLE_LIMB)


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """The colour ``share`` of the way from ``a`` to ``b``."""
    red, green, blue = (round(x + share * (y - x)) for x, y in zip(a, b, strict=True))
    return red, green, blue


@lru_cache(maxsize=32)
def font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The typeface that comes with Pillow, at any size in pixels."""
    return ImageFont.load_default(size)
