from __future__ import annotations

import builtins
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from locomote.draw import _films, film
from locomote.errors import LocomoteError, MissingExtra

SMALL = (96, 64)


def test_a_gif_has_its_frames_and_its_time(walk, tmp_path):
    calls = []
    film(
        walk,
        tmp_path / "a.gif",
        contacts=False,
        size=SMALL,
        fps=12,
        progress=lambda *done: calls.append(done),
    )
    count = int(walk.duration * 12 + 1e-6) + 1
    with Image.open(tmp_path / "a.gif") as read:
        assert read.size == SMALL
        assert read.n_frames == count
        lasting = []
        for k in range(count):
            read.seek(k)
            lasting.append(read.info["duration"])
    assert sum(lasting) == pytest.approx(1000 * count / 12, abs=10)
    assert calls == [(k + 1, count) for k in range(count)]
    assert [p.name for p in tmp_path.iterdir()] == ["a.gif"]


def test_seconds_cut_a_film_and_two_clips_share_it(walk, tmp_path):
    film(walk, tmp_path / "a.gif", contacts=False, size=(200, 80), fps=10, seconds=0.5, against=walk[:5])
    with Image.open(tmp_path / "a.gif") as read:
        assert read.n_frames == 6
        picture = np.asarray(read.convert("RGB"))
    assert picture.shape == (80, 200, 3)
    for half in (picture[:, :100], picture[:, 101:]):
        assert np.mean(half.min(axis=-1) < 200) > 0.01


def test_the_body_stays_in_the_picture_and_the_floor_passes(walk, tmp_path):
    film(walk, tmp_path / "a.gif", contacts=False, size=(160, 96), fps=10)
    with Image.open(tmp_path / "a.gif") as read:
        frames = []
        for k in range(read.n_frames):
            read.seek(k)
            frames.append(np.asarray(read.convert("RGB"), dtype=int))
    for picture in frames:
        coloured = np.ptp(picture, axis=-1) > 60
        columns = np.flatnonzero(coloured.any(axis=0))
        assert columns[0] > 4
        assert columns[-1] < 155
    floor = [picture[-8:, :40].sum(axis=-1) for picture in frames]  # a corner that the body never enters
    assert any(np.abs(a - b).max() > 20 for a, b in pairwise(floor))


def test_an_mp4_is_written(walk, tmp_path):
    ffmpeg = pytest.importorskip("imageio_ffmpeg")
    film(walk, tmp_path / "a.mp4", contacts=False, size=SMALL, fps=10, view="three-quarter")
    frames, seconds = ffmpeg.count_frames_and_secs(str(tmp_path / "a.mp4"))
    count = int(walk.duration * 10 + 1e-6) + 1
    assert frames == count
    assert seconds == pytest.approx(count / 10, abs=0.1)


def test_without_the_extra_mp4_says_what_to_install(walk, tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *args, **kwargs):
        if name == "imageio_ffmpeg":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(MissingExtra, match=r"writing \.mp4 needs imageio-ffmpeg: pip install 'locomote\[film\]'"):
        film(walk, tmp_path / "a.mp4", contacts=False, size=SMALL)
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_film(walk, tmp_path):
    (tmp_path / "a.gif").write_bytes(b"old")

    def stop(done: int, total: int) -> None:
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        film(walk, tmp_path / "a.gif", contacts=False, size=SMALL, progress=stop)
    assert (tmp_path / "a.gif").read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_webp_shows_what_was_drawn_and_keeps_time(walk, tmp_path, monkeypatch):
    drawn = []
    write = _films.write_film

    def watched(path, pictures, *rest, **more):
        drawn.extend(pictures)
        write(path, iter(drawn), *rest, **more)

    monkeypatch.setattr(_films, "write_film", watched)
    film(walk, tmp_path / "a.WEBP", contacts=False, size=(160, 96), fps=12)
    lasting, apart = 0, []
    with Image.open(tmp_path / "a.WEBP") as read:
        assert read.format == "WEBP"
        assert read.size == (160, 96)
        assert read.info["loop"] == 0  # for ever
        assert read.n_frames == len(drawn) == int(walk.duration * 12 + 1e-6) + 1
        for k, picture in enumerate(drawn):
            read.seek(k)
            shown = np.asarray(read.convert("RGB"), dtype=int)
            lasting += read.info["duration"]
            apart.append(np.abs(shown - np.asarray(picture, dtype=int)).mean())
    assert lasting == pytest.approx(1000 * len(drawn) / 12, abs=1)
    assert max(apart) < 6.0  # of 255; nothing of earlier pictures is left behind
    assert len(list(tmp_path.iterdir())) == 1


def test_a_webp_of_one_pose_is_one_picture(walk, tmp_path):
    film(walk, tmp_path / "a.webp", contacts=False, size=SMALL, seconds=0.001)
    with Image.open(tmp_path / "a.webp") as read:
        assert read.n_frames == 1


def test_a_format_has_its_fastest_rate(walk, tmp_path):
    with pytest.raises(LocomoteError, match=r"fps: a \.webp shows at most 90 frames a second, got 120"):
        film(walk, tmp_path / "a.webp", fps=120)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"view": "behind"}, "expected one of side, front, three-quarter, top"),
        ({"fps": 0.0}, "fps: expected a positive number"),
        ({"fps": 60.0}, "at most 50 frames a second"),
        ({"seconds": -1.0}, "seconds: expected a positive number"),
        ({"size": (97, 64)}, "even numbers"),
    ],
)
def test_bad_arguments_are_named(walk, tmp_path, options, says):
    with pytest.raises(LocomoteError, match=says):
        film(walk, tmp_path / "a.gif", **options)


def test_an_unknown_extension_names_the_known_ones(walk, tmp_path):
    with pytest.raises(LocomoteError, match=r"no film format '\.avi'; expected one of \.webp, \.gif, \.mp4$"):
        film(walk, tmp_path / "a.avi")
