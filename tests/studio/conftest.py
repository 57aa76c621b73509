"""A studio that serves, and a browser that looks at it; without a browser the tests that need one say so."""

from __future__ import annotations

import asyncio
import re
import shutil
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from locomote.studio import Studio

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

T = TypeVar("T")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# Software rendering, as root, with nothing that talks to the outside.
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--mute-audio", "--ignore-gpu-blocklist"),
    *("--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
]
SIZE = {"width": 760, "height": 360}  # pixels are made by the processor here: few, and seldom
FPS = 4.0
COARSE = "/?fixedDpr=0.25"  # a sixteenth of the pixels
TRIES = 5
PANEL = 340  # px on the right
PATIENCE = 180.0  # s; the machine may be busy with other tests


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    made = Studio(port=0, people=1, shadows=False, fps=FPS)
    made.start()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("needs a browser: chromium, as Debian's package of that name has it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found, args=FLAGS, headless=True)
        yield made
        made.close()


def run_aside(talk: Coroutine[Any, Any, T]) -> T:
    """Run what waits in a thread of its own: a browser of other tests has a loop in this one."""
    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, talk).result()


class Visitor:
    """Somebody at the page who finds controls by their labels."""

    def __init__(self, page: Page, studio: Studio) -> None:
        self.page, self.studio = page, studio

    def row(self, label: str) -> Locator:
        mark = self.page.locator("label").filter(has_text=re.compile(f"^{re.escape(label)}$")).first
        return mark.locator("xpath=ancestor::div[contains(@class,'Flex-root')][1]")

    def set_number(self, label: str, value: float) -> None:
        box = self.row(label).locator("input[inputmode]")
        box.fill(f"{value:g}")
        box.press("Enter")

    def set_until(self, label: str, value: float, done: Callable[[], Any], what: str) -> None:
        """Set a number until something is so: a page that is still being filled takes it back."""
        for _ in range(TRIES):
            self.set_number(label, value)
            if self.comes(done, PATIENCE / TRIES):
                return
        pytest.fail(f"set {label!r} to {value:g} {TRIES} times in vain: {what}")

    def choose(self, label: str, value: str) -> None:
        self.row(label).locator("input").first.click()
        self.page.get_by_role("option", name=value, exact=True).click()

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def open_folder(self, name: str) -> None:
        self.page.get_by_text(name, exact=True).first.click()

    def wait(self, done: Callable[[], Any], what: str, patience: float = PATIENCE) -> None:
        """Until something is so."""
        if not self.comes(done, patience):
            pytest.fail(f"waited {patience:g} s in vain: {what}")

    def comes(self, done: Callable[[], Any], patience: float) -> bool:
        """Whether something is so within some seconds."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            with self.studio.lock:
                if done():
                    return True
            time.sleep(0.05)
        return False

    def floor_pixel(self, place: tuple[float, float], height: float = 0.0) -> tuple[float, float]:
        """Where on the page a place of the floor is seen."""
        import numpy as np

        camera = next(iter(self.studio.server.get_clients().values())).camera
        at = np.array([place[0], height, place[1]]) - self.studio.stage.centre
        eye, aim = np.array(camera.position), np.array(camera.look_at)
        ahead = (aim - eye) / np.linalg.norm(aim - eye)
        right = np.cross(ahead, [0.0, 1.0, 0.0])
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        away = at - eye
        focal = 0.5 * SIZE["height"] / np.tan(0.5 * camera.fov)
        depth = float(away @ ahead)
        x = 0.5 * SIZE["width"] + focal * float(away @ right) / depth
        return x, 0.5 * SIZE["height"] - focal * float(away @ up) / depth

    def sight(self, place: tuple[float, float]) -> float:
        """How far a place is from the edges of what the panel leaves free, px; the nearer to the eye the more."""
        x, y = self.floor_pixel(place)
        free = SIZE["width"] - PANEL
        return float(min(x - 30.0, free - 30.0 - x, y - 10.0, SIZE["height"] - 30.0 - y, 80.0) + 0.2 * y)

    def drag(self, start: tuple[float, float], end: tuple[float, float], done: Callable[[], Any], what: str) -> None:
        """Take hold of what is at a pixel and carry it to another one, while nothing moves.

        A busy machine may not have drawn the thing yet; then there is nothing to take hold of, and one tries again.
        """
        mouse = self.page.mouse
        for _ in range(TRIES):
            self.pause()
            mouse.move(*start)
            self.page.wait_for_timeout(300)
            mouse.down()
            self.page.wait_for_timeout(200)
            for share in (0.2, 0.4, 0.6, 0.8, 1.0):
                mouse.move(start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
                self.page.wait_for_timeout(120)
            mouse.up()
            self.page.wait_for_timeout(500)
            if done():
                break
        self.studio.playing.value = True
        self.wait(done, what, 5.0)

    def picture(self, unlike: bytes = b"") -> bytes:
        """What the panel leaves free, when it has come to rest (three times the same) and is unlike another picture."""
        size = self.page.viewport_size or SIZE
        free = {"x": 0, "y": 0, "width": size["width"] - PANEL, "height": size["height"]}
        seen = [unlike]
        end = time.monotonic() + PATIENCE
        while len(seen) < 4 or len(set(seen[-3:])) > 1 or seen[-1] == unlike:
            if time.monotonic() > end:
                pytest.fail(f"waited {PATIENCE:g} s in vain: a page that rests")
            self.page.wait_for_timeout(1000.0 / FPS)
            seen.append(self.page.screenshot(clip=free))
        return seen[-1]

    def pause(self) -> None:
        """Let the world rest, and the page show how it is."""
        self.studio.playing.value = False
        self.page.wait_for_timeout(2500.0 / FPS)

    def download(self, button: str, folder: Path) -> Path:
        """Press a button that gives a file, and keep the file; a page that is too busy to answer is asked again."""
        from playwright.sync_api import TimeoutError as TookTooLong

        for _ in range(TRIES):
            try:
                with self.page.expect_download(timeout=1000.0 * PATIENCE / TRIES) as waiting:
                    self.press(button)
            except TookTooLong:
                continue
            path = folder / waiting.value.suggested_filename
            waiting.value.save_as(path)
            return path
        pytest.fail(f"{button!r} gave no file; the page says: {self.page.inner_text('body')[-400:]}")

    def upload(self, button: str, files: Any) -> None:
        with self.page.expect_file_chooser() as choosing:
            self.press(button)
        choosing.value.set_files(files)

    def click_floor(self, place: tuple[float, float]) -> None:
        self.page.mouse.click(*self.floor_pixel(place))


@pytest.fixture(scope="module")
def visitor(studio: Studio, browser: Browser) -> Iterator[Visitor]:
    page = browser.new_page(viewport=SIZE)
    page.set_default_timeout(1000.0 * PATIENCE)
    page.goto(studio.address + COARSE)
    page.wait_for_selector("text=speed m/s")
    someone = Visitor(page, studio)
    someone.wait(lambda: studio.frames > 3, "the first frames")
    someone.open_folder("Record and save")
    yield someone
    page.close()
