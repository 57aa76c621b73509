from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.formats import save
from locomote.human import Corpus, FitResult, add_style, fit
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting import Clip, Performer
from locomote.human.fitting._cycles import Unit
from locomote.human.fitting._fit import common_speed, fit_material
from locomote.human.fitting._material import Skipped, gather_material, performer_material
from locomote.human.fitting._shaping import timed_model
from locomote.motion import Motion
from locomote.samples import performer
from locomote.skeleton import Skeleton

from .synthetic import PEOPLE, fitted, limb_error, material, units


def error(model: HumanModel, unit: Unit, style: str) -> float:
    own = model.unit(common_speed(unit), float(unit.gait == "run"), model.weights(style))
    return limb_error(model.encoding.decode(own)[1], unit.rotations)


def test_recorded_cycles_are_reproduced() -> None:
    model = fitted().model
    assert model.styles == tuple(PEOPLE)
    assert max(error(model, unit, unit.subject) for unit in units()) < 2.5


def test_a_speed_that_was_left_out_is_recovered() -> None:
    for gait, low, high in (("walk", 1.15, 1.35), ("run", 3.0, 3.4)):
        held = [u for u in units() if u.subject == "bob" and u.gait == gait and low < u.speed < high]
        rest = tuple(u for u in units() if u not in held)
        model = fit_material(material(rest), {name: name for name in PEOPLE}).model
        assert held
        assert max(error(model, unit, "bob") for unit in held) < 3.0


def test_steps_go_on_as_steps_do_where_nobody_was_recorded() -> None:
    """A curve over speed that leads astray, as from clips of nearly one speed, makes no feet that race or go back."""
    model = fitted().model
    astray = timed_model(replace(model, curve=model.curve * np.array([[1.0], [3.0], [3.0]])))
    for k, style in enumerate(PEOPLE):
        for g in (0, 1):
            speeds = astray.frequency_speeds[1:] * REFERENCE_HIP_HEIGHT
            cadence = astray.frequency[k, g, 1:] / np.sqrt(speeds)
            known = (speeds >= model.ranges[k, g, 0] - 0.2) & (speeds <= model.ranges[k, g, 1] + 0.2)
            assert cadence.min() > 0.5 * cadence[known].min(), style
            assert cadence.max() < 2.0 * cadence[known].max(), style


def test_the_fit_is_reproducible(tmp_path: Path) -> None:
    for name in ("a", "b"):
        fit_material(material(), {n: n for n in PEOPLE}).model.save(tmp_path / f"{name}.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_the_report_says_what_went_in() -> None:
    report = fitted().report
    assert sum(report.cycles.values()) == len(units())
    assert report.guard.ratio > 1.0
    assert report.counts[0.9] <= report.counts[0.99]
    text = report.text()
    assert "ann, walk: 12" in text
    assert "steps/min" in text


def test_all_that_is_missing_is_told_at_once() -> None:
    walks = tuple(u for u in units() if u.gait == "walk" and u.subject == "ann")
    turned = Skipped("clip x", "nobody walks in it")
    with pytest.raises(LocomoteError) as caught:
        fit_material(replace(material(walks), stands={}, skipped=(turned,)), {"ann": "ann"})
    for words in (
        "walk: cycles of at least two performers (ann so far)",
        "run: cycles of at least two performers (nobody so far)",
        "stand: a clip",
        "clip x, skipped: nobody walks in it",
        "fit --style",
    ):
        assert words in str(caught.value)


def test_a_performer_without_a_usable_cycle_is_left_out_and_listed() -> None:
    slow = replace(units()[0], subject="eve", speed=0.4)
    result = fit_material(material((*units(), slow)), {"ann": "ann", "zoe": "zoe", "eve": "eve"})
    assert result.model.styles == ("ann",)
    (one,) = result.report.skipped
    assert (one.what, one.reason) == ("performer 'eve'", "no cycle faster than 0.6 m/s")
    assert str(one) in result.report.text()


def test_clips_of_no_use_do_not_stop_a_fit(tmp_path: Path) -> None:
    files = {}
    for name, motion in (
        ("good", performer(1.2, seconds=4.0, fps=100.0).motion),
        ("circle", performer(1.2, seconds=4.0, fps=100.0, turn_rate=0.9).motion),
        ("hand", one_leg()),
    ):
        files[name] = tmp_path / f"{name}.npz"
        save(motion, files[name])
    files["gone"] = tmp_path / "gone.npz"
    clips = {name: (Clip(path),) for name, path in files.items()}
    people = (
        Performer("ann", "made", "ann", "", None, clips["good"] + clips["gone"] + clips["hand"], (), clips["good"]),
        Performer("bob", "made", "bob", "", None, clips["circle"], (), ()),
    )
    found = gather_material(Corpus(people, ()))
    assert {unit.subject for unit in found.units} == {"ann"}
    told = {one.what: one.reason for one in found.skipped}
    assert set(told) == {"clip gone", "clip hand", "clip good", "clip circle", "performer 'bob'"}
    assert "no such file" in told["clip gone"]
    assert "expected a person" in told["clip hand"]
    assert "nobody stands still" in told["clip good"]  # it walks all the time
    assert told["clip circle"].startswith("no clean cycle: ")
    assert "turn" in told["clip circle"]
    assert told["performer 'bob'"] == "no clean cycle in any of their clips"


def one_leg() -> Motion:
    skeleton = Skeleton(
        ("Hips", "Leg", "Foot"), np.array([-1, 0, 1]), np.array([[0, 0.9, 0], [0, -0.4, 0], [0, -0.4, 0]])
    )
    return Motion(skeleton, 30.0, np.zeros((5, 3)), np.tile(np.eye(4)[0], (5, 3, 1)), name="hand")


def test_a_new_performer_from_one_cycle() -> None:
    others = tuple(u for u in units() if u.subject != "bob")
    model = fit_material(material(others), {n: n for n in PEOPLE if n != "bob"}).model
    walk = next(u for u in units() if u.subject == "bob" and u.gait == "walk" and 1.1 < u.speed < 1.3)
    wider = add_style(model, [walk], "bob")
    assert wider.styles == ("ann", "cem", "dee", "bob")
    assert error(wider, walk, "bob") < 2.0
    for style in model.styles:  # the others stay as they were
        np.testing.assert_allclose(
            wider.unit(1.3, 0.4, wider.weights(style)), model.unit(1.3, 0.4, model.weights(style)), atol=1e-12
        )
    assert wider.footplants.shape == (4, *model.footplants.shape[1:])
    np.testing.assert_allclose(wider.footplants[:3], model.footplants, atol=1e-9)
    with pytest.raises(LocomoteError, match="'bob' is there already"):
        add_style(wider, [walk], "bob")
    with pytest.raises(LocomoteError, match="at least one cycle"):
        add_style(model, [], "new")


CHOSEN = (
    "cmu 16",
    "cmu 07",
    "cmu 35",
    "cmu 104",
    "cmu 136",
    "treadmill s02",
    "treadmill s08",
    "treadmill s11",
)


@lru_cache(maxsize=1)
def small(data: Path) -> tuple[Corpus, FitResult]:
    """A fit to a few clips of a few performers."""
    whole = Corpus.load(root=data)
    some = tuple(
        replace(p, walk=p.walk[:4], run=p.run[:4], stand=p.stand[:1]) for p in whole.performers if p.name in CHOSEN
    )
    corpus = Corpus(some, whole.sources)
    told: list[float] = []
    result = fit(corpus, progress=lambda share, work: told.append(share))
    assert told == sorted(told)
    assert told[-1] == 1.0
    return corpus, result


@pytest.mark.data
@pytest.mark.feature("PCA-014")
def test_nine_components_keep_nine_tenths_of_recorded_motion(data: Path) -> None:
    _, result = small(data)
    assert len({name for name, _ in result.report.cycles}) >= 5
    assert result.report.counts[0.9] <= 9


@pytest.mark.data
def test_every_candidate_that_was_turned_down_has_a_reason(data: Path) -> None:
    _, result = small(data)
    assert result.report.rejections
    assert all(rejection.reason for rejection in result.report.rejections)
    assert "mocap.cs.cmu.edu" in result.model.about


@pytest.mark.data
@pytest.mark.feature("PCA-024")
def test_one_recorded_cycle_makes_a_style_nearer_than_any_other(data: Path) -> None:
    corpus, result = small(data)
    names = {p.style: p.name for p in corpus.performers}
    whole = Corpus.load(root=data)
    for new in ("cmu 39", "treadmill s20"):
        found = next(p for p in whole.performers if p.name == new)
        own = performer_material(replace(found, walk=found.walk[:2], run=found.run[1:3], stand=())).units
        sample = own[0]
        assert new not in names.values()
        wider = add_style(result.model, [sample], "new")
        nearest = min(error(result.model, sample, style) for style in result.model.styles)
        assert error(wider, sample, "new") < 0.6 * nearest
        # Cycles that were not shown are met better than by the nearest style, too.
        for unit in own[1:]:
            best = min(error(result.model, unit, style) for style in result.model.styles)
            assert error(wider, unit, "new") < best
