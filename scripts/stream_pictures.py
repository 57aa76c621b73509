"""Write pictures of streams into docs/pictures: the page, taken with Chromium and Playwright, and gestures."""

import shutil
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

import locomote as lm
from locomote.motion import Motion
from locomote.stream import Engine, Server, stage_of
from locomote.stream._gestures import GESTURES

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PICTURE = PICTURES / "stream-viewer.png"
SHOWN = ("wave", "nod", "think", "shrug", "bow", "point")
APART = 1.1  # m
SIZE = {"width": 960, "height": 540}
FRAMES = 300  # before the picture is taken: everyone is on the way


def gestures() -> None:
    """One person for each gesture, in the middle of it."""
    people = []
    for number, name in enumerate(SHOWN):
        stage = stage_of(1, wander=False, seed=number)
        stage.gesture("people", name)
        for _ in range(round(30 * GESTURES[name].seconds * 0.45)):
            stage.advance(1 / 30)
        poses, frame = stage.groups["people"].crowd.poses, stage.frame(30.0).groups[0]
        place = frame.root_positions + np.array([(number - 0.5 * len(SHOWN)) * APART, 0.0, 0.0])
        skeleton = poses.skeleton.scaled(float(frame.scales[0]))
        turns = frame.rotations.astype(float)
        people.append(Motion(skeleton, 30.0, np.repeat(place, 2, axis=0), np.repeat(turns, 2, axis=0)))
    lm.draw.frame_together(people, 0.0, PICTURES / "stream-gestures.png", size=(1400, 460), view="front")


def main() -> None:
    gestures()
    page()


def page() -> None:
    stage = stage_of(14, {"wolf": 3, "spider": 2}, seed=3)
    stage.obstacles.add_box((2.0, 3.0), (1.2, 1.2), 0.8)
    stage.obstacles.add_puddle((-3.0, 2.0), 1.2, 2.4)
    stage.obstacles.add_wall((-5.0, -3.0), (-2.0, -4.0), 1.0)
    chromium = shutil.which("chromium")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with Engine(stage, 30.0) as engine, Server(engine, port=0) as server, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=flags)
        page = browser.new_page(viewport=SIZE)
        page.goto(server.url.replace("ws:", "http:"))
        while page.evaluate("viewer.frames") < FRAMES:
            page.wait_for_timeout(200)
        page.screenshot(path=PICTURE)
        browser.close()
    print(PICTURE)


if __name__ == "__main__":
    main()
