"""Write the pictures of docs/world.md and docs/draw.md: a course, close-ups of feet, the player in a browser."""

from __future__ import annotations

import math
import shutil
import tempfile
from pathlib import Path

from _stills import save_small
from playwright.sync_api import sync_playwright

import locomote as lm
from locomote import draw
from locomote.world import Ground

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]
FRAME = 40  # of the walk in the player


def course() -> None:
    """A walk over a kerb, up five steps, along a landing and down a slope; and its feet on the stairs."""
    ground = Ground()
    ground.add_kerb((0, 1), length=1.2, rise=0.12)
    ground.add_stairs((0, 3.2), count=5, rise=0.17, tread=0.30, landing=1.6)
    ground.add_slope((0, 6.0), length=3.2, angle=math.radians(-15), landing=0.4, base=0.0)
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, style="steady", speed=1.2, ground=ground).record(8.5)
    save_small(draw.strobe(walk, poses=10, size=(1600, 420), ground=ground), PICTURES / "world-course.png")
    stairs = walk[int(2.4 * walk.fps) : int(5.4 * walk.fps)]
    close = draw.strobe(stairs, poses=5, size=(1600, 360), ground=ground, closeup="feet")
    save_small(close, PICTURES / "world-closeup.png")


def player() -> None:
    """The player as a browser has it."""
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, style="steady", speed=1.4).record(3.0)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        page_file = Path(folder) / "walk.html"
        walk.show(page_file)
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport={"width": 720, "height": 420})
        page.goto(page_file.as_uri())
        page.evaluate(f"() => {{ const bar = document.getElementById('bar'); bar.value = {FRAME}; bar.oninput(); }}")
        page.wait_for_timeout(500)
        page.screenshot(path=PICTURES / "player.png")
        browser.close()


if __name__ == "__main__":
    course()
    player()
