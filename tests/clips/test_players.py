"""Clips in the hands of others: three.js plays them by name in a browser, and Khronos's validator accepts them.

Both come with ``npm install --prefix tests/browser``; without them, or without a browser, these tests say so.
"""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from locomote import save
from locomote.clips import creature_clips, person_clips, save_clips
from locomote.creatures import Creature, Crowd
from tests.creatures.test_own_nodes import armed
from tests.studio.conftest import BROWSERS, FLAGS

MODULES = Path(__file__).resolve().parents[1] / "browser" / "node_modules"
PAGE = """<!doctype html><script type="importmap">{"imports": {"three": "/node_modules/three/build/three.module.js",
"three/addons/": "/node_modules/three/examples/jsm/"}}</script><script type="module">
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
window.play = async (file, wanted, shares) => {
  const gltf = await new GLTFLoader().loadAsync(file);
  const clip = THREE.AnimationClip.findByName(gltf.animations, wanted);
  if (!clip) return null;
  const mixer = new THREE.AnimationMixer(gltf.scene);
  mixer.clipAction(clip).play();
  const names = [], frames = [];
  gltf.scene.traverse((node) => { if (node.isBone) names.push(node.name); });
  for (const share of shares) {
    mixer.setTime(share * clip.duration);
    gltf.scene.updateMatrixWorld(true);
    const places = [];
    gltf.scene.traverse((node) => {
      if (node.isBone) places.push(node.getWorldPosition(new THREE.Vector3()).toArray());
    });
    frames.push(places);
  }
  return { names, frames, duration: clip.duration };
};
window.ready = true;
</script>"""


def validated(path: Path) -> dict[str, Any]:
    if shutil.which("node") is None or not (MODULES / "gltf-validator").is_dir():
        pytest.skip("needs node and gltf-validator: npm install --prefix tests/browser")
    script = (
        "require(process.argv[1]).validateBytes(new Uint8Array(require('fs').readFileSync(process.argv[2])))"
        ".then(r => console.log(JSON.stringify(r.issues)))"
    )
    done = subprocess.run(
        ["node", "-e", script, str(MODULES / "gltf-validator"), str(path)], capture_output=True, text=True, check=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("root_motion", [False, True])
def test_the_validator_accepts_clips(tmp_path: Path, root_motion: bool) -> None:
    save_clips(person_clips(["walk", "jump"]), tmp_path / "person.glb", root_motion)
    armed(tmp_path / "hero.glb")
    save_clips(creature_clips(tmp_path / "hero.glb", ["walk"]), tmp_path / "dog.glb", root_motion)
    crowd = Crowd(Creature.from_rig(tmp_path / "hero.glb"), 1, speed=0.5)
    save(crowd.record(0.2), tmp_path / "one.glb")
    for name in ("person.glb", "dog.glb", "one.glb"):
        assert validated(tmp_path / name)["numErrors"] == 0, name


@pytest.fixture
def served(tmp_path: Path) -> Iterator[str]:
    if not (MODULES / "three").is_dir():
        pytest.skip("needs three.js: npm install --prefix tests/browser")
    (tmp_path / "node_modules").symlink_to(MODULES)
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_three_js_plays_clips_by_name(tmp_path: Path, served: str) -> None:
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("needs a browser: chromium, as Debian's package of that name has it")
    from playwright.sync_api import sync_playwright

    clips = person_clips(["walk", "turn_left"], seed=1)
    save_clips(clips, tmp_path / "person.glb")
    shares = [0.0, 0.25, 0.5, 1.0]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS, headless=True)
        page = browser.new_page()
        page.goto(f"{served}/page.html")
        page.wait_for_function("window.ready === true", timeout=60_000)
        for clip in clips:
            seen = page.evaluate("([f, n, s]) => window.play(f, n, s)", ["/person.glb", clip.name, shares])
            assert seen["duration"] == pytest.approx(clip.motion.duration, abs=1e-5)
            order = [seen["names"].index(name) for name in clip.motion.skeleton.names]
            wanted = clip.motion.sampled(np.array(shares) * (len(clip.motion) - 1)).joint_positions()
            # A mixer that is asked for the very end has begun anew: the same pose in a loop.
            last = len(shares) if clip.loop else len(shares) - 1
            assert np.abs(np.array(seen["frames"])[:last, order] - wanted[:last]).max() < 1e-3
        assert page.evaluate("([f, n, s]) => window.play(f, n, s)", ["/person.glb", "fly", shares]) is None
        browser.close()
