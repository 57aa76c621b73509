"""What the studio gives to take home: always on a body, films with word of how far they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import locomote as lm
from locomote.studio import Studio
from locomote.studio import _recording as recording
from locomote.studio import _saving as saving

MANNEQUIN = 3164  # triangles


@pytest.fixture(scope="module")
def served() -> Iterator[Studio]:
    made = Studio(port=0, people=2, shadows=False)
    yield made
    made.stop()


def take_of(studio: Studio, title: str) -> list[lm.Motion]:
    """What a panel gives after a third of a second."""
    studio.show(title)
    studio.keeping.toggle()
    for _ in range(20):
        studio.tick()
    if studio.keeping.recording:
        studio.keeping.toggle()
    return studio.panel.recorded()


@pytest.mark.parametrize("title", ["People", "Steps", "Clips", "Pose", "Wind"])
def test_people_go_out_as_the_mannequin(served: Studio, title: str, tmp_path: Path) -> None:
    motion = take_of(served, title)[0]
    for ending in (".glb", ".usda"):
        name, content = recording.motion_file([motion], ending)
        (tmp_path / name).write_bytes(content)
        body = lm.load(tmp_path / name).body
        assert body is not None
        assert len(body.triangles) == MANNEQUIN


class Notice:
    """Keeps what it said."""

    def __init__(self, body: str) -> None:
        object.__setattr__(self, "said", [body])
        object.__setattr__(self, "gone", False)

    def __setattr__(self, name: str, value: str) -> None:
        self.said.append(value)

    def remove(self) -> None:
        object.__setattr__(self, "gone", True)


class Page:
    """Stands for a browser: keeps what it is sent."""

    def __init__(self) -> None:
        self.notices: list[Any] = []
        self.files: list[tuple[str, bytes]] = []

    def add_notification(self, title: str, body: str, **options: Any) -> Notice:
        self.notices.append(Notice(body))
        return self.notices[-1]

    def send_file_download(self, name: str, content: bytes, **options: Any) -> None:
        self.files.append((name, content))


def test_a_film_says_how_far_it_is(served: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("imageio_ffmpeg")
    take_of(served, "People")
    monkeypatch.setattr(saving, "EVERY", 0.0)
    monkeypatch.setattr(recording, "FILM_SIZE", (64, 36))
    page: Any = Page()
    served.keeping._film(page)
    (notice,) = page.notices
    assert notice.gone
    assert notice.said[0].startswith("frame 1 of ")
    assert all("s left" in text for text in notice.said)
    ((name, content),) = page.files
    assert name == "film.mp4"
    assert content[4:8] == b"ftyp"


def test_without_an_encoder_a_film_is_a_picture_that_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording.importlib.util, "find_spec", lambda name: None)
    assert recording.film_format() == ".gif"


def test_the_message_goes_also_when_a_film_fails(served: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    take_of(served, "People")
    monkeypatch.setattr(saving, "EVERY", 0.0)

    def fails(*_: Any) -> None:
        _[-1](1, 10)
        raise lm.LocomoteError("film: the disk is full")

    monkeypatch.setattr(recording, "film_file", fails)
    page: Any = Page()
    with pytest.raises(lm.LocomoteError, match="disk is full"):
        served.keeping._film(page)
    assert page.notices[0].gone


def test_what_is_compiled_is_said_on_the_page(
    served: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import logging

    caplog.set_level(logging.WARNING, "locomote.kernels")  # a verb that was told to be quiet has silenced it
    kernels = logging.getLogger("locomote.kernels")
    (teller,) = (each for each in kernels.handlers if getattr(each, "_read_out", None) is served.read_out)
    said = SimpleNamespace(content="")  # the page itself goes on to what is read out next
    monkeypatch.setattr(teller, "_read_out", said)
    kernels.warning("compiling locomote.%s, about %d s, once", "creatures", 50)
    assert said.content == "getting ready: compiling locomote.creatures, about 50 s, once"
