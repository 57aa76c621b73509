"""Write docs/licences.md: which recordings made which file of the package, and the licences of what it needs.

The first is what src/locomote/assets/licences.toml says; the second is read from the metadata of the packages that are
installed here, so that all extras must be: python scripts/licences.py
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import numpy as np
from packaging.requirements import Requirement

from locomote.human.fitting._jump_recordings import RECORDINGS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "locomote"
PAGE = ROOT / "docs" / "licences.md"
OURS = ("test", "docs", "bench", "all")  # extras that nobody needs to run the package, or that only gather others
UNSURE = "see its own page"
NEEDED = """None of it is in the package; `pip` brings it. In italics: brought by another one. A few bring programs
with licences of their own: imageio-ffmpeg a build of FFmpeg (GPL), usd-core OpenUSD."""
OTHERS = """`assets/poses.npz` and `assets/recorded_people.json` are of all CMU clips in the folder of recorded motion;
the scripts that are named read them. Recordings whose licences forbid it are in no file of the package."""
INTRO = """# Licences

locomote is Apache-2.0 ([LICENSE](../LICENSE), [NOTICE](../NOTICE)). Written by `scripts/licences.py` from
`src/locomote/assets/licences.toml` and from the metadata of installed packages.

"""


def facts() -> dict[str, Any]:
    """What is known of the files of the package."""
    return tomllib.loads((PACKAGE / "assets" / "licences.toml").read_text(encoding="utf-8"))


def clips(name: str) -> list[str]:
    """The recordings that made an asset, where a file lists them."""
    if name == "assets/corpus.toml":
        corpus = tomllib.loads((PACKAGE / name).read_text(encoding="utf-8"))
        found = [clip for who in corpus["performer"] for kind in ("walk", "run", "stand") for clip in who.get(kind, ())]
        paths = [clip["file"] if isinstance(clip, dict) else clip for clip in found]
        return sorted({Path(path).name.split(".")[0] for path in paths})
    if name.endswith(".npz"):
        with np.load(PACKAGE / name) as archive:
            return sorted(json.loads(archive["header"].tobytes())["sources"])
    return sorted({f"cmu_{each.clip}" for each in RECORDINGS})


def shipped() -> list[str]:
    """The part about data."""
    known = facts()
    lines = ["## Data in the package", "", "| file | holds | made by | from |", "|---|---|---|---|"]
    for asset in known["asset"]:
        files = ", ".join(f"`{name}`" for name in asset["files"])
        lines.append(f"| {files} | {asset['holds']} | {asset['by']} | {', '.join(asset['sources'])} |")
    lines += ["", "| source | licence | what must be kept |", "|---|---|---|"]
    lines += [f"| **{s['name']}**: {s['full']} | {s['licence']} | {s['keep']} |" for s in known["source"]]
    lines += ["", "## Which recordings", ""]
    for asset in known["asset"]:
        if "clips" in asset:
            names = clips(asset["clips"])
            lines += [f"`{asset['files'][0]}`, {len(names)} clips (`{asset['clips']}`): {', '.join(names)}.", ""]
    lines += [OTHERS, ""]
    return lines


def licence_of(found: Distribution) -> str:
    """The licence as the package's metadata have it, in a few words."""
    metadata = found.metadata
    expression = metadata.get("License-Expression")
    if expression:
        return str(expression)
    named = [line.split(" :: ")[-1] for line in metadata.get_all("Classifier", []) if line.startswith("License ::")]
    text = (metadata.get("License") or "").strip().splitlines()
    if named and named != ["OSI Approved"]:
        return ", ".join(sorted(set(named)))
    return text[0] if text and len(text[0]) < 60 else UNSURE


def key_of(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def needed() -> list[str]:
    """The part about other packages: all that an installation brings, and with which extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = {"base": project["dependencies"], **project["optional-dependencies"]}
    wanted: dict[str, set[str]] = defaultdict(set)
    direct = set()
    for extra in (name for name in asked if name not in OURS):
        waiting = [Requirement(line) for line in asked[extra]]
        direct |= {key_of(each.name) for each in waiting}
        while waiting:
            each = waiting.pop()
            if extra in wanted[key_of(each.name)]:
                continue
            wanted[key_of(each.name)].add(extra)
            try:
                further = distribution(each.name).requires or []
            except PackageNotFoundError:
                continue
            for line in map(Requirement, further):
                environments = [{"extra": ""}, *({"extra": extra} for extra in each.extras)]
                if line.marker is None or any(line.marker.evaluate(where) for where in environments):
                    waiting.append(line)
    lines = ["## What it needs", "", NEEDED, ""]
    lines += ["| package | version seen | licence | for |", "|---|---|---|---|"]
    for name in sorted(wanted):
        extras = "base" if "base" in wanted[name] else ", ".join(sorted(wanted[name]))
        shown = name if name in direct else f"*{name}*"
        try:
            found = distribution(name)
            lines.append(f"| {shown} | {found.version} | {licence_of(found)} | {extras} |")
        except PackageNotFoundError:
            lines.append(f"| {shown} | not installed here | {UNSURE} | {extras} |")
    return lines


def main() -> None:
    """Write the page."""
    PAGE.write_text(INTRO + "\n".join([*shipped(), *needed()]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
