"""Forces against truth: a simulation that knows them, and force plates."""

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote.physics import forces


@pytest.mark.parametrize("contacts_known", [True, False])
def test_forces_of_a_simulated_body_are_found_again(contacts_known):
    pytest.importorskip("mujoco")
    from locomote_lab.force_trials import relative_error
    from locomote_lab.simulated_forces import simulate

    run = simulate(6.0)
    touches = run.force[..., 1] > 5.0
    assert set(np.count_nonzero(touches, axis=1)) >= {2, 3, 4}
    contacts = replace(lm.contacts.detect(run.motion), heel=touches, toe=touches)
    found = forces(run.motion, run.masses, contacts if contacts_known else None, cutoff=20.0)
    inner = slice(60, -10)
    for leg in range(4):
        assert relative_error(found.force[inner, leg, 1], run.force[inner, leg, 1]) < 10.0


def test_forces_at_the_holds_of_a_simulated_climber_are_found_again():
    pytest.importorskip("mujoco")
    from locomote.physics._grips import grip_forces
    from locomote.physics._newton import segment_motion
    from locomote_lab.force_trials import relative_error
    from locomote_lab.simulated_climb import simulate_climb

    run = simulate_climb()
    force, _ = grip_forces(run.motion, run.masses, run.grips, segment_motion(run.motion, run.masses, 6.0))
    inner = slice(30, -10)
    assert run.force[inner].sum(axis=1).mean(axis=0)[1] == pytest.approx(80.0 * 9.81, rel=0.02)
    for limb in range(4):
        on = np.asarray(run.grips.holds[inner, limb], dtype=bool)
        mine, truth = force[inner, limb][on], run.force[inner, limb][on]
        assert relative_error(mine[:, 1], truth[:, 1]) < 12.0
        assert np.linalg.norm(mine - truth, axis=1).mean() < 0.3 * 80.0 * 9.81


@pytest.fixture(scope="module")
def trials(data):
    from locomote_lab.force_trials import read_trial

    names = ("opencap_s3_walking1", "opencap_s8_walking2", "treadmill_hamner_s02_run300", "treadmill_hamner_s20_run400")
    return [read_trial(name, data) for name in names]


def found(trial, **options):
    return forces(trial.motion, trial.mass, trial.contacts, **options)


@pytest.mark.feature("FRC-07")
def test_walks_have_two_humps_and_runs_one_peak_and_flight(trials):
    for trial in trials:
        force = found(trial).force
        weights = force[..., 1] / (trial.mass * 9.81)
        for leg in range(2):
            for first, last in trial.contacts.intervals(leg):
                if first < 8 or last > len(force) - 8:
                    continue
                stance = weights[first:last, leg]
                middle = stance[len(stance) // 3 : -len(stance) // 3]
                if trial.gait == "walk":
                    assert stance.max() < 1.5
                    assert middle.min() < 0.9 * max(stance[: len(stance) // 2].max(), 0.0)
                    assert middle.min() < 0.95 * stance[len(stance) // 2 :].max()
                else:
                    assert stance.max() > 2.0
                    assert middle.max() == pytest.approx(stance.max(), rel=0.1)
        flight = trial.contacts.support == 0
        assert (np.count_nonzero(flight) > 0) == (trial.gait == "run")
        assert np.all(force[flight] == 0.0)


def test_forces_are_near_those_of_the_plates(trials):
    for trial in trials:
        for each in trial.errors(found(trial)):
            assert each.vertical < 7.0
            assert each.fore_aft < 10.0
            assert np.median(each.centre) < 0.04


def test_the_least_effort_alone_is_farther_from_the_plates(trials):
    for trial in trials[:2]:
        ours, theirs = (
            np.mean([[e.vertical, e.fore_aft] for e in trial.errors(found(trial, prior=prior))], axis=0)
            for prior in ("gait", "effort")
        )
        assert np.all(ours < theirs)


def test_runners_need_next_to_nothing_in_flight(trials):
    for trial in trials[2:]:
        assert found(trial).plausibility().flight_residual < 0.07


@pytest.mark.feature("FRC-04", "FRC-08")
def test_sets_of_weights_are_compared_on_the_same_feet(trials):
    from locomote_lab.force_trials import compare_strengths

    table = compare_strengths(trials[:2])
    assert list(table) == ["uniform", "literature", "relaxed", "observed"]
    assert all(each.feet.shape == (4, 2) and each.newtons > 0.0 for each in table.values())
    assert table["uniform"].differs == (None, None)
    for name in ("literature", "relaxed", "observed"):
        assert all(0.0 < p <= 1.0 for p in table[name].differs)
        assert not np.allclose(table[name].feet, table["uniform"].feet)
    assert table["relaxed"].fore_aft < table["literature"].fore_aft  # relaxed ankles are nearer to the plates
