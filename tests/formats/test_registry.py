from __future__ import annotations

import gzip
import lzma
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.formats import FORMATS, _files, bvh, load, save
from tests.formats.bvh_samples import bvh_text


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "clip.bvh"
    path.write_text(bvh_text())
    return path


def test_import_is_light() -> None:
    code = "import sys, locomote.formats; assert 'numba' not in sys.modules and 'pxr' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_extension_is_listed_with_what_it_is() -> None:
    assert {".bvh", ".npz", ".amc", ".asf", ".glb", ".gltf", ".usda", ".usdc", ".usd", ".mot", ".sto"} <= set(FORMATS)
    assert all(form.what for form in FORMATS.values())


def test_name_comes_from_the_file(clip: Path) -> None:
    assert load(clip).name == "clip"


def test_extension_in_capitals(clip: Path) -> None:
    assert len(load(clip.rename(clip.with_name("CLIP.BVH")))) == 4


@pytest.mark.parametrize("packing", [".gz", ".xz"])
def test_packed_files_are_read_and_written(clip: Path, packing: str) -> None:
    motion = load(clip)
    packed = clip.with_name(f"other.bvh{packing}")
    save(motion, packed)
    assert packed.read_bytes()[:2] in (b"\x1f\x8b", b"\xfd7")
    again = load(packed)
    assert again.name == "other"
    np.testing.assert_allclose(again.joint_positions(), motion.joint_positions(), atol=1e-6)
    assert sorted(p.name for p in clip.parent.iterdir()) == ["clip.bvh", packed.name]


@pytest.mark.parametrize(("packing", "module"), [(".gz", gzip), (".xz", lzma)])
def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packing: str, module: object) -> None:
    monkeypatch.setattr(_files, "MAX_UNPACKED_BYTES", 5_000_000)
    path = tmp_path / f"bomb.bvh{packing}"
    path.write_bytes(module.compress(bytes(20_000_000)))  # type: ignore[attr-defined]
    with pytest.raises(FormatError, match="limit of 5000000 bytes"):
        load(path)


@pytest.mark.parametrize("packing", [".gz", ".xz"])
def test_damaged_packing(clip: Path, packing: str) -> None:
    path = clip.with_name(f"damaged.bvh{packing}")
    save(load(clip), path)
    whole = path.read_bytes()
    for data in (whole[: len(whole) // 2], whole[:40] + b"\x00\xff" * 20 + whole[80:], b"plain text"):
        path.write_bytes(data)
        with pytest.raises(LocomoteError, match=r"damaged\.bvh"):
            load(path)


def test_names_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match=r"'\.txt' is unknown; known are \.bvh"):
        load(tmp_path / "a.txt")
    with pytest.raises(LocomoteError, match="no extension"):
        load(tmp_path / "a")
    with pytest.raises(LocomoteError, match="no such file"):
        load(tmp_path / "a.bvh")
    with pytest.raises(LocomoteError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(LocomoteError, match="read_markers"):
        load(tmp_path / "a.trc")
    with pytest.raises(LocomoteError, match="not a file name"):
        load(str(tmp_path / "a\0.bvh"))
    (tmp_path / "empty.bvh").touch()
    with pytest.raises(FormatError, match="is empty"):
        load(tmp_path / "empty.bvh")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(clip: Path) -> None:
    clip.chmod(0)
    with pytest.raises(LocomoteError, match="cannot be read"):
        load(clip)


def test_unknown_options_name_the_known_ones(clip: Path) -> None:
    with pytest.raises(LocomoteError, match=r"no option 'scale'.* unit, up, forward, drop_tpose"):
        load(clip, scale=2)
    motion = load(clip)
    with pytest.raises(LocomoteError, match=r"no option 'scale'.* order, rest"):
        save(motion, clip, scale=2)
    with pytest.raises(LocomoteError, match=r"no option 'unit'.* none"):
        save(motion, clip.with_suffix(".npz"), unit="m")


@pytest.mark.parametrize("name", ["a.amc", "a.asf", "a.mot", "a.trc"])
def test_what_is_not_written(clip: Path, name: str) -> None:
    with pytest.raises(LocomoteError, match=r"not written; those that are: \.bvh"):
        save(load(clip), clip.with_name(name))


@pytest.mark.parametrize("name", ["clip.bvh", "clip.bvh.gz"])
def test_a_failed_save_leaves_the_old_file(clip: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    motion = load(clip)
    target = clip.with_name(name)
    save(motion, target)
    before, files = target.read_bytes(), sorted(clip.parent.iterdir())

    def fail(motion: object, path: Path, **options: object) -> None:
        path.write_text("half")
        raise KeyboardInterrupt

    monkeypatch.setattr(bvh, "write", fail)
    with pytest.raises(KeyboardInterrupt):
        save(motion, target)
    assert target.read_bytes() == before
    assert sorted(clip.parent.iterdir()) == files


def test_a_disk_error_is_one_clear_line(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(motion: object, path: Path, **options: object) -> None:
        raise OSError(28, "No space left on device")

    motion = load(clip)
    monkeypatch.setattr(bvh, "write", fail)
    with pytest.raises(LocomoteError, match=r"new\.bvh: cannot be written: No space left"):
        save(motion, clip.with_name("new.bvh"))
    assert not clip.with_name("new.bvh").exists()


def test_places_that_cannot_be_written(clip: Path) -> None:
    motion = load(clip)
    with pytest.raises(LocomoteError, match="does not exist"):
        save(motion, clip.parent / "no" / "a.bvh")
    (clip.parent / "folder.bvh").mkdir()
    with pytest.raises(LocomoteError, match="is a folder"):
        save(motion, clip.parent / "folder.bvh")


def test_a_link_is_followed(clip: Path) -> None:
    motion = load(clip)
    link = clip.with_name("link.bvh")
    link.symlink_to(clip)
    save(motion[:1], link)
    assert link.is_symlink()
    assert len(load(clip)) == 1


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), UnicodeDecodeError("utf-8", b"x", 0, 1, "bad")])
def test_what_a_reader_lets_through(clip: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(data: bytes, path: Path) -> None:
        raise error

    monkeypatch.setattr(bvh, "read", fail)
    with pytest.raises(FormatError, match=r"clip\.bvh"):
        load(clip)
