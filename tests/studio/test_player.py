"""The player of a single motion in a real browser: it draws, plays and can be scrubbed, with no network."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

import locomote as lm

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_motion_plays_by_itself(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "spider.html"
    lm.creatures.Crowd("spider", 1, speed=0.4).record(1.0, fps=30.0).show(path)
    page = browser.new_page(viewport={"width": 480, "height": 300})
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.route("http*://**", lambda route: route.abort())
    page.goto(path.as_uri())
    page.wait_for_function("() => Number(document.getElementById('view').dataset.frame) > 3", timeout=60_000)
    page.locator("#bar").fill("10")
    page.wait_for_function("() => document.getElementById('clock').textContent.includes('frame 10')")
    pixels = np.asarray(Image.open(io.BytesIO(page.screenshot(timeout=60_000))).convert("RGB")).astype(int)
    coloured = np.abs(pixels[..., 0] - pixels[..., 2]) > 40  # blue and orange legs
    assert coloured.mean() > 0.005
    assert not problems
    page.close()
