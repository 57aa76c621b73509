"""Write the pictures and films of docs/wind.md: kinds of trees, a gust front, branch lengths, a wolf in a bush."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from _stills import FILM_QUALITY, save_small
from PIL import Image, ImageDraw

from locomote.cli._demos.wind import kinds, wolf_through_bush
from locomote.draw import Series, film_together, plot
from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import camera
from locomote.draw._scene import render
from locomote.draw._shapes import Shapes, joined
from locomote.draw._stills import fitted
from locomote.modal.trees import Forest, Species
from locomote.rotations import FloatArray
from locomote.world import Wind

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
EAST = 0.5 * math.pi
DT = 1.0 / 30.0
WIDE = 960  # px
STILL_QUALITY = 55  # of 100: leaves are all over it


def capsules(starts: FloatArray, ends: FloatArray, radii: FloatArray, colours: FloatArray) -> Shapes:
    """Round pieces from starts to ends."""
    count = len(starts)
    up = np.tile([0.0, 1.0, 0.0], (count, 1))
    return Shapes(np.stack([starts, ends], axis=1), radii, up, np.ones(count), colours)


def branches(species: Species, nodes: FloatArray, colours: FloatArray, thicker: float = 1.0) -> Shapes:
    """A tree of bare branches; colours ``(N - 1, 3)``."""
    p = species.parents[1:]
    radii = thicker * np.stack([np.minimum(species.radii[p], 1.2 * species.radii[1:]), species.radii[1:]], axis=1)
    return capsules(nodes[p], nodes[1:], radii, colours)


def front() -> None:
    """A gust front over a thousand trees at three instants, and what tops do."""
    species = Species.grow("walnut", 40)
    random = np.random.default_rng(3)
    rows, columns = 20, 50
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) * 6.0
    places = grid + random.uniform(-1.7, 1.7, grid.shape)
    forest = Forest(species, places, sizes=random.uniform(0.75, 1.2, len(places)))
    wind = Wind.gusty(4.0, EAST, gust=10.0, period=30.0, seed=2)
    rest = forest.nodes()
    row = 10
    watched = [row * columns + c for c in (4, 16, 28, 40)]
    shown, tops, speeds, times = [], [], [], []
    instants = (12.5, 20.0, 27.5)
    while forest.time < 42.0:
        forest.step(DT, wind)
        at = forest.nodes(watched)[:, species.top]
        if forest.time < 6.0:  # they begin at rest in a wind that blows already
            continue
        tops.append(at[:, 0] - rest[watched, species.top, 0])
        speeds.append(wind.at(places[watched], forest.time)[:, 0])
        times.append(forest.time)
        if any(abs(forest.time - instant) < 0.5 * DT for instant in instants):
            shown.append((forest.time, _wood(species, forest.nodes(), rest)))
    pictures = [_seen(shapes, f"{time:.1f} s") for time, shapes in shown]
    curves = np.array(tops)
    places_of = [f"{places[w, 0]:.0f} m" for w in watched]
    lines = [Series(times, curves[:, i], f"top at {name}") for i, name in enumerate(places_of)]
    lines += [Series(times, 0.1 * np.array(speeds)[:, i], colour=palette.SERIES[i], dashed=True) for i in range(4)]
    title = "Tops of four trees along the wind; dashed: wind at each, 10 m/s a metre"
    pictures.append(plot(lines, title=title, x_label="time (s)", y_label="m", size=(WIDE, 320)).convert("RGB"))
    whole = Image.new("RGB", (WIDE, sum(p.height for p in pictures)), palette.PAPER)
    top = 0
    for picture in pictures:
        whole.paste(picture, (0, top))
        top += picture.height
    whole.save(PICTURES / "wind-front.webp", quality=STILL_QUALITY, method=6)


def _wood(species: Species, nodes: FloatArray, rest: FloatArray) -> Shapes:
    """All trees as a few branches and balls of leaves, the brighter the more the wind bends them."""
    parts = []
    green, bright = np.array([0.20, 0.36, 0.20]), np.array([0.98, 0.80, 0.25])
    wood = np.tile(np.array([0.42, 0.34, 0.28]), (len(species) - 1, 1))
    moved = (nodes - rest)[:, species.top, 0] / species.height
    for tree, bend in zip(nodes, np.clip(moved / 0.10, 0.0, 1.0), strict=True):
        tips = tree[species.tips]
        colours = np.tile(green + bend * (bright - green), (len(tips), 1))
        parts += [branches(species, tree, wood), capsules(tips, tips, np.full((len(tips), 2), 0.62), colours)]
    return joined(parts)


def _seen(shapes: Shapes, label: str) -> Image.Image:
    """The wood from above its edge."""
    size = (WIDE, 264)
    middle = np.array([150.0, 0.0, 55.0])
    eye = camera("high", middle, math.radians(48.0), size, 0.335, perspective=True)
    backdrop = Backdrop(np.zeros(3), np.array([[0.0, 60.0], [300.0, 60.0]]), 140.0, 10.0, lines=0.0)
    picture = render(shapes, backdrop, eye, 8.0, samples=2).convert("RGB")
    ImageDraw.Draw(picture).text((16, 12), label, palette.INK, palette.font(18))
    return picture


def lengths() -> None:
    """The same tree in the same gale: linear, by the published correction, and with every length kept."""
    species = Species.grow("walnut", 500)
    parts, labels, gap = [], [], 0.0
    told = {"none": "linear", "source": "the published correction", "lengths": "every length kept"}
    for i, (correction, label) in enumerate(told.items()):
        forest = Forest(species, correction=correction, headings=0.0)  # type: ignore[arg-type]
        for _ in range(28):
            forest.step(DT, (18.0, 0.0, 0.0))
        nodes = forest.nodes()[0]
        now = np.linalg.norm(nodes[1:] - nodes[species.parents[1:]], axis=1)
        off = np.abs(now / species.lengths[1:] - 1.0)
        share = np.clip(off / 0.3, 0.0, 1.0)[:, None]
        colours = (1.0 - share) * np.array([0.55, 0.58, 0.62]) + share * np.array([0.90, 0.10, 0.10])
        gap = 10.5 * i
        parts.append(branches(species, nodes + np.array([gap, 0.0, 0.0]), colours, 1.3))
        told_off = [f"{100 * each:.0f} %" if each > 1e-4 else "0 %" for each in (off.mean(), off.max())]
        labels.append(f"{label}: {told_off[0]}, at most {told_off[1]}")
    shapes, size = joined(parts), (1200, 480)
    eye = fitted(shapes, "front", 0.0, size, margin=0.1, perspective=False)
    backdrop = Backdrop(np.zeros(3), np.array([[0.0, 0.0], [gap, 0.0]]), 12.0, 1.0)
    picture = render(shapes, backdrop, eye, 8.0).convert("RGB")
    pen = ImageDraw.Draw(picture)
    for part, text in zip(parts, labels, strict=True):
        x = max(160.0, float(eye.pixels(part.points[:1])[0, 0]))
        pen.text((x, size[1] - 20), text, palette.INK, palette.font(17), "mm")
    save_small(picture, PICTURES / "wind-lengths.png")


def films() -> None:
    """Five kinds in gusts; a wolf that brushes a bush."""
    show = kinds(1.5)
    film_together(show.motions, PICTURES / "wind-kinds.webp", view="front", size=(440, 184), fps=10.0,
                  quality=FILM_QUALITY)  # fmt: skip
    wolf, bush, _ = wolf_through_bush(5.0)
    shown = slice(15, 108)
    film_together([wolf[shown], bush[shown]], PICTURES / "wind-bush.webp", view="high", size=(360, 216), fps=12.0,
                  follow=False, quality=FILM_QUALITY)  # fmt: skip


if __name__ == "__main__":
    for name in sys.argv[1:] or ("front", "lengths", "films"):
        {"front": front, "lengths": lengths, "films": films}[name]()
