"""Write the pictures of docs/studio.md: what the page shows in a browser, panel by panel."""

from __future__ import annotations

import io
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from _stills import save_small
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from locomote.studio import Studio

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking"]
SIZE = {"width": 1240, "height": 700}
RATE = 60  # frames a second
PATIENCE = 120.0  # s until a page that is drawn by the processor has come to rest
# A word that the browser has no graphics card is not of the studio.
PLAIN = "[class*=Notification] { display: none !important; } * { transition: none !important; }"


class Shot(NamedTuple):
    """A picture, and how it comes about."""

    title: str  # of the panel
    frames: int  # that pass
    act: Callable[[Any], None] | None = None  # what is done with the panel a second after it is shown


def a_crowd(panel: Any) -> None:
    """Some who mingle, and one who has a puddle before it."""
    panel.people.set_count(9)
    panel.people.choose(0)
    panel.people.tell(speed=1.5)
    panel.people.drop_ahead("puddle")
    panel.studio.frame()


SHOTS = {
    "studio-people": Shot("People", 140, a_crowd),
    "studio-steps": Shot("Steps", 500),
    "studio-creatures": Shot("Creatures", 240),
    "studio-clips": Shot("Clips", 140, lambda panel: panel._do("clean")),
    "studio-dog": Shot("Dog", 150),
    "studio-wind": Shot("Wind", 200),
}


def at_rest(page: Page) -> bytes:
    """The page when nothing on it changes any more."""
    seen: list[bytes] = []
    end = time.monotonic() + PATIENCE
    while len(seen) < 3 or len(set(seen[-3:])) > 1:
        if time.monotonic() > end:
            raise SystemExit("the page does not come to rest")
        page.wait_for_timeout(700)
        seen.append(page.screenshot())
    return seen[-1]


def take(studio: Studio, page: Page, shot: Shot) -> Image.Image:
    """Bring a panel onto the stage, let time pass, and look."""
    with studio.lock:
        studio.show(shot.title)
    for frame in range(RATE + shot.frames):
        if frame == RATE and shot.act is not None:
            shot.act(studio.panel)
        studio.tick()
    return Image.open(io.BytesIO(at_rest(page)))


def main() -> None:
    names = sys.argv[1:] or list(SHOTS)
    studio = Studio(port=0)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        page = browser.new_page(viewport=SIZE)
        page.goto(studio.address)
        page.add_style_tag(content=PLAIN)
        page.wait_for_selector("text=speed m/s")
        for name in names:
            save_small(take(studio, page, SHOTS[name]), PICTURES / f"{name}.png")
            print(name, flush=True)
        browser.close()
    studio.stop()


if __name__ == "__main__":
    main()
