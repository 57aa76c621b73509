"""What people who build on the package rely on: public names, licences of all data, what a distribution has in it."""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "locomote"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def script(name: str) -> ModuleType:
    """A module of the folder of scripts."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_public_names_are_those_of_the_list() -> None:
    """Who means a change writes the list anew: python scripts/public_names.py."""
    names = script("public_names")
    listed = names.LIST.read_text(encoding="utf-8").splitlines()
    there = names.names()
    assert sorted(set(listed) - set(there)) == []  # gone, or called otherwise
    assert sorted(set(there) - set(listed)) == []  # new


def test_every_file_of_data_has_its_licence() -> None:
    known = script("licences").facts()
    patterns = [name for asset in known["asset"] for name in asset["files"]]
    shipped = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc", ".nbi", ".nbc") and path.parent.name != "_native"
    ]
    built = ("human/_cuda/kernels.json.gz",)  # from our own sources
    assert [name for name in shipped if name not in built and not any(fnmatch(name, each) for each in patterns)] == []
    assert [each for each in patterns if not any(fnmatch(name, each) for name in shipped)] == []
    sources = {source["name"] for source in known["source"]}
    assert {name for asset in known["asset"] for name in asset["sources"]} <= sources


def test_the_page_of_licences_says_what_is_known() -> None:
    licences = script("licences")
    page = licences.PAGE.read_text(encoding="utf-8")
    assert "\n".join(licences.shipped()) in page
    for line in (*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["jit"]):
        assert f"| {licences.key_of(re.split('[><=;[]', line)[0])} |" in page


def test_recordings_that_may_not_be_given_on_are_in_nothing() -> None:
    """Of the recorded clips only those of CMU and of the treadmill may be."""
    licences = script("licences")
    for asset in licences.facts()["asset"]:
        if "clips" in asset:
            clips = licences.clips(asset["clips"])
            assert clips
            assert all(clip.startswith(("cmu_", "treadmill_")) for clip in clips)


def test_the_version_is_told_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {PROJECT['version']}\n" in citation
    assert f"\nlicense: {PROJECT['license']}\n" in citation
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    told = re.search(r"Python (3\.\d+) or newer", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert told is not None
    assert PROJECT["requires-python"] == f">={told[1]}"
    pythons = [line.split(" :: ")[-1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert pythons[0] == told[1]
    assert f"{sys.version_info.major}.{sys.version_info.minor}" in pythons


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_distributions_have_what_belongs_in_them(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("hatchling") is None or importlib.util.find_spec("twine") is None:
        pytest.skip("needs the extra docs")
    from hatchling.builders.sdist import SdistBuilder
    from hatchling.builders.wheel import WheelBuilder

    monkeypatch.delenv("LOCOMOTE_AHEAD", raising=False)
    builder = (WheelBuilder if kind == "wheel" else SdistBuilder)(str(ROOT))
    (built,) = builder.build(directory=str(tmp_path), versions=["standard"])
    assert script("contents").complaints(Path(built)) == []
    from twine.commands.check import check

    assert check([str(built)], strict=True) is False  # nothing failed
