"""Stills and films for the docs, small: 256 colours are enough for every still there is."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

COLOURS = 256
FILM_FPS = 30.0
FILM_QUALITY = 13  # of 100: motion is what films are for; all pictures together are to stay below 16 MB


def save_small(picture: Image.Image, path: Path) -> None:
    """Write a picture as a .png with a palette; its commonest colour, the paper, stays as it is."""
    plain = picture.convert("RGB")
    small = plain.quantize(COLOURS, kmeans=4, dither=Image.Dither.NONE)
    paper = max(plain.getcolors(plain.width * plain.height) or [])[1]
    flat = small.getpalette() or []
    apart = [sum(abs(flat[k + n] - paper[n]) for n in range(3)) for k in range(0, len(flat), 3)]
    first = 3 * apart.index(min(apart))
    flat[first : first + 3] = paper
    small.putpalette(flat)
    small.save(path, optimize=True)
