from __future__ import annotations

from pathlib import Path

import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.human.fitting._corpus import Corpus

GOOD = """
version = 1
[[source]]
name = "lab"
licence = "free"
acknowledgement = "Thanks."
[[performer]]
name = "a"
source = "lab"
style = "plain"
hip_height = 0.9
walk = ["x/one.bvh", { file = "two.bvh", belt = 1.5 }]
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "corpus.toml"
    path.write_text(text)
    return path


def test_a_corpus_is_read(tmp_path: Path) -> None:
    corpus = Corpus.load(write(tmp_path, GOOD), root=tmp_path / "data")
    (performer,) = corpus.performers
    assert corpus.styles == ("plain",)
    assert performer.hip_height == 0.9
    assert [clip.path for clip in performer.walk] == [tmp_path / "data/x/one.bvh", tmp_path / "data/two.bvh"]
    assert [clip.belt for clip in performer.walk] == [0.0, 1.5]
    assert performer.walk[0].name == "one"
    assert corpus.acknowledgements() == "lab: Thanks. Licence: free"
    assert Corpus.load(tmp_path / "corpus.toml").performers[0].walk[1].path == tmp_path / "two.bvh"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version = 1", "version = 7", "version: expected 1, got 7"),
        ("version = 1", "version = ", "is not TOML: .*line 2"),
        ('source = "lab"', 'source = "labs"', "performer 'a' source: no source 'labs'; there is: lab"),
        ("belt = 1.5", "belt = -1", r"performer 'a' walk\[1\] belt: expected a number above 0, got -1"),
        ("belt = 1.5", "speed = 1", r"performer 'a' walk\[1\]: unknown field 'speed'; known are: file, belt"),
        ('["x/one.bvh"', "[5", r"performer 'a' walk\[0\]: expected a path"),
        ("hip_height = 0.9", 'hip_height = "tall"', "performer 'a' hip_height: expected a number above 0"),
        ('style = "plain"', "style = 3", "performer 'a' style: expected a text, got 3"),
        ("walk = [", "stand = [", "performer 'a': expected clips under walk or run"),
        ('name = "a"', 'nme = "a"', "performer 1: unknown field 'nme'"),
        ("[[performer]]", "[performer]", r"performer: expected \[\[performer\]\] tables"),
    ],
)
def test_errors_name_file_and_field(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(FormatError, match=message) as caught:
        Corpus.load(path)
    assert str(path) in str(caught.value)


def test_names_are_unique(tmp_path: Path) -> None:
    twice = GOOD + GOOD[GOOD.index("[[performer]]") :]
    with pytest.raises(FormatError, match="'a' is there twice"):
        Corpus.load(write(tmp_path, twice))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match=r"corpus\.toml: cannot be read"):
        Corpus.load(tmp_path / "corpus.toml")


def test_the_shipped_corpus_uses_only_what_may_be_shipped() -> None:
    corpus = Corpus.load()
    assert {source.name for source in corpus.sources} == {"CMU", "treadmill"}
    clips = [clip for p in corpus.performers for clip in p.walk + p.run + p.stand]
    assert all(clip.path.name.startswith(("cmu_", "treadmill_")) and "_nc_" not in clip.path.name for clip in clips)
    assert "mocap.cs.cmu.edu" in corpus.acknowledgements()
    assert len(corpus.styles) >= 12
    slow_motion = {"cmu_91_10", *(f"cmu_132_{n}" for n in range(45, 51))}
    assert not slow_motion & {clip.name for p in corpus.performers for clip in p.walk}


@pytest.mark.data
def test_every_clip_of_the_shipped_corpus_exists(data: Path) -> None:
    corpus = Corpus.load(root=data)
    assert all(clip.path.is_file() for p in corpus.performers for clip in p.walk + p.run + p.stand)
