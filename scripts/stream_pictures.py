"""Write docs/pictures/stream-viewer.png: the page of a stream, taken with Chromium and Playwright."""

import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

from locomote.stream import Engine, Server, stage_of

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "stream-viewer.png"
SIZE = {"width": 960, "height": 540}
FRAMES = 300  # before the picture is taken: everyone is on the way


def main() -> None:
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
