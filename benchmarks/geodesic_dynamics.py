"""People who balance in a pose space: laws of mechanics, time a step, stances, jumps, pushed walks."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

import locomote as lm
from _kernels import from_tests
from _page import write_page
from locomote import rotations as rot
from locomote.masses import Masses
from locomote.physics import AngularMomentum, Balanced, Following, Tuning
from locomote.physics._kernels.momentum_steps import Free, free_steps
from locomote.physics._reduced import ReducedBody
from locomote.spaces import PoseSpace

bodies = from_tests("physics.bodies")
DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "human"
WEIGHT = 70.0 * 9.81
KS = (10, 15, 20)
METHOD = (
    "A person of 70 kg. **Break dance**: CMU 85_12 at 30 Hz; **everyday**: the poses that come with the package; "
    "both in the kinetic metric. Steps of 0.01 s where nothing else is said.\n\n"
    "**Momentum**: no gravity, 2 N s along +Z, +X or +Y on the right hand in the first step, 5 s, damping 2/s in the "
    "metric of kinetic energy, implicit; the mean pose and two recorded ones: nine runs for each k. The drift is the "
    "largest change of the angular momentum vector, of its first value. *At (g_k, v_k+1)*: of `M(g_k) v_k+1` about "
    "the centre of mass at the pose `g_k`. *The integrator's own*: with half of the turn of the step in it, which is "
    "what the discrete action conserves. *Two rounds*: the forces of motion and the turn of frames are taken again "
    "at the velocities just found; one round is equation 7 of the source, *naive* its equation 8. What naive loses "
    "hangs on how far the body turns in 5 s and not on the step; pose and velocity of *(g_k, v_k+1)* are half a step "
    "apart, and what that costs goes with the step: the ratio of both doubles when the step is halved. The two "
    "rounds show it alone: they keep their own momentum a hundred times better and look no better at (g_k, v_k+1). "
    "In the five runs of 27 with less than 100 at 0.01 s naive loses little (11 to 18 %), and by this measure even "
    "the two rounds would have no more than 93 to 137.\n\n"
    "**Few directions**: with ten of the everyday ones a change of feet may take more than the three seconds it is "
    "given here (10 of 10 with five); after the jump it is upright on one foot, and the other does not come to lie "
    "flat. Feet that count three times as much make 6 changes of 10, the centre over its support so 8, less posture "
    "(a third) 9, and then the jump lands on both.\n\n"
    "**Times** are the best of many calls in one process, all of Python in them; MuJoCo's full step of the same "
    "bodies, joined by balls, stands beside. **Planted foot**: how far the ankle goes. **Helper**: what pushes the "
    "hips beyond all that forces in the cones of friction at the corners of soles within 15 mm of the floor (or "
    "below it, where toes bend and a stiff sole does not) can explain; *without the ground* nothing is explained."
)


def break_dance(k: int, metric: str = "kinetic") -> PoseSpace:
    return PoseSpace.fit(clip(), k, metric=metric)


def clip() -> lm.Motion:
    return lm.load(DATA / "other" / "cmu_85_12.bvh.xz", drop_tpose=True).resampled(30.0)


def body_of(space: PoseSpace) -> ReducedBody:
    return ReducedBody.of(space, Masses.of(space.skeleton, 70.0))


def best(call: Callable[[], object], count: int = 1500) -> float:
    """Microseconds."""
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        call()
        times.append(time.perf_counter() - begun)
    return 1e6 * min(times)


def laws() -> list[list[str]]:
    body = body_of(break_dance(15))
    twin, matrix, force = bodies.Twin(body), 0.0, 0.0
    for seed in range(5):
        state = bodies.moving(body, seed)
        work = bodies.swept(body, state)
        judged, _ = twin.matrix_and_force(state)
        matrix = max(matrix, float(np.abs(work.matrix - judged).max() / np.abs(judged).max()))
        e = 1e-5
        slope = []
        for row in e * np.eye(len(state.v)):
            ahead, back = (bodies.swept(body, bodies.shifted(state, change)).matrix for change in (row, -row))
            slope.append(state.v @ (ahead - back) @ state.v / (4.0 * e))
        force = max(force, float(np.abs(work.force - slope).max() / np.abs(slope).max()))
    start = bodies.moving(body, 4, speed=0.0)
    start.p[:] = bodies.impulse(body, start, "RightHand", (1.0, 1.0, 2.0))
    start.v[:] = np.linalg.solve(bodies.swept(body, start).matrix, start.p)
    truth, errors = twin.flow(start, 0.24, 120), []
    for h in (0.01, 0.005, 0.0025, 0.00125):
        state, work = bodies.shifted(start, np.zeros(len(start.v))), body.work()
        free_steps(round(0.24 / h), Free(h, 0.0, 1, True), body.tree, state, np.zeros(3), np.zeros(len(state.v)), work)
        errors.append(float(np.linalg.norm(state.x - truth.x) + rot.distance(state.turn, truth.turn)))
    halves = ", ".join(f"{b / a:.2f}" for a, b in pairwise(errors))
    return [
        ["mass matrix against MuJoCo's, projected", f"{matrix:.1e}", "<= 1e-8"],
        ["forces of motion against central differences", f"{force:.1e}", "<= 1e-6"],
        ["error against MuJoCo's flow when the step is halved, from 10 ms", halves, "0.4 to 0.6"],
    ]


def diverged(count: int) -> str:
    return f", {count} of 9 diverge" if count else ""


def drifts() -> list[list[str]]:
    rows = []
    for k in KS:
        space = break_dance(k)
        body, poses = body_of(space), space.coordinates(clip())
        for h in (0.1, 0.05, 0.01, 0.005):
            lie, better, naive = [], [], []
            for x in (np.zeros(k), poses[0], poses[300]):
                start = body.state()
                start.x[:] = x
                for push in ((0.0, 0.0, 2.0), (2.0, 0.0, 0.0), (0.0, 2.0, 0.0)):
                    pushed = bodies.impulse(body, start, "RightHand", push)
                    lie.append(bodies.momentum_drift(body, start, pushed, Free(h, 2.0, 1, True)))
                    better.append(bodies.momentum_drift(body, start, pushed, Free(h, 2.0, 2, True)))
                    naive.append(bodies.momentum_drift(body, start, pushed, Free(h, 2.0, 1, False)))
            one, two, plain = (100.0 * np.array(found) for found in (lie, better, naive))
            lost = int((~np.isfinite(one[:, 0])).sum()), int((~np.isfinite(plain[:, 0])).sum())
            ratio, own = plain[:, 0] / one[:, 0], plain[:, 0] / two[:, 1]
            rows.append(
                [
                    str(k),
                    f"{h:g}",
                    f"{np.nanmedian(one[:, 0]):.2f} ({np.nanmax(one[:, 0]):.2f})" + diverged(lost[0]),
                    f"{np.nanmedian(two[:, 1]):.4f} ({np.nanmax(two[:, 1]):.4f})",
                    f"{np.nanmedian(two[:, 0]):.2f} ({np.nanmax(two[:, 0]):.2f})",
                    f"{np.nanmedian(plain[:, 0]):.0f} ({np.nanmax(plain[:, 0]):.0f})" + diverged(lost[1]),
                    f"{np.nanmedian(ratio):.0f} ({np.nanmin(ratio):.0f}), {np.count_nonzero(ratio >= 100.0)} of 9",
                    f"{np.nanmedian(own):.0f} ({np.nanmin(own):.0f})",
                ]
            )
    return rows


def conditions() -> list[list[str]]:
    names = ("angle", "reach", "kinetic")
    return [[str(k), *(f"{body_of(break_dance(k, metric)).condition:.0f}" for metric in names)] for k in KS]


def times() -> list[list[str]]:
    rows = []
    for k in (5, *KS):
        body = body_of(break_dance(k))
        state, work, still = body.state(), body.work(), np.zeros(6 + k)
        given = body.tree, state, np.zeros(3), still, work
        run = [best(partial(free_steps, 1, Free(0.01, 2.0, rounds, True), *given)) for rounds in (1, 2)]
        rows.append([f"nothing touched, k = {k}: one round, two rounds", f"{run[0]:.1f}, {run[1]:.1f}"])
    twin = bodies.Twin(body_of(break_dance(15)))
    full = best(lambda: twin.mujoco.mj_step(twin.model, twin.data))
    rows.append([f"MuJoCo's step of these bodies, {twin.model.nv} unknowns", f"{full:.1f}"])
    person = Balanced(break_dance(15))
    person.record(1.0)
    rows.append(["two feet planted, balance", f"{best(lambda: person.step(0.01)):.0f}"])
    engine = person._engine
    engine.touch.planted[:], engine.touch.active[:8], engine.count = 0, 1, 9
    kept = [part.copy() for part in engine.body.state]

    def again() -> None:
        for part, value in zip(engine.body.state, kept, strict=True):
            part[:] = value
        engine.step(0.01, 0.5, 2.0, 1.0, True)

    again()
    rows.append([f"eight contacts with friction ({engine.system.counts[1]} rows), balance", f"{best(again):.0f}"])
    person = Balanced(break_dance(15))
    person.stand("left")
    person.record(3.0)
    rows.append(["one foot", f"{best(lambda: person.step(0.01)):.0f}"])
    person.reach("RightHand", (-0.3, 1.2, 0.3))
    rows.append(["one foot, a hand that reaches: two programmes", f"{best(lambda: person.step(0.01)):.0f}"])
    person = Balanced(break_dance(15), actuation="internal")
    person.record(1.0)
    rows.append(["two feet, no force on the hips", f"{best(lambda: person.step(0.01)):.0f}"])
    spaces = [break_dance(15), PoseSpace.fit(clip()[:600], 15, metric="kinetic")]
    person, taken = Balanced(spaces[0]), []
    for turn in range(1, 6):
        begun = time.perf_counter()
        person.space = spaces[turn % 2]
        taken.append(time.perf_counter() - begun)
    whole = lm.load(DATA / "other" / "cmu_85_12.bvh.xz", drop_tpose=True)
    fitted = best(lambda: PoseSpace.fit(whole, 15, metric="kinetic"), 5)
    rows.append(["another space taken over in mid-movement, ms", f"{1e3 * max(taken):.0f}"])
    rows.append([f"a space learnt from {len(whole)} frames, ms", f"{1e-3 * fitted:.0f}"])
    return rows


def one_foot(space: PoseSpace, seconds: float, tuning: Tuning | None = None) -> tuple[bool, float, float]:
    """Whether it held, how far the ankle went (mm), and the mean angular momentum."""
    person = Balanced(space, tuning=tuning)
    person.stand("left")
    person.record(2.5)
    names = space.skeleton
    hand, foot, spine = names.index("RightHand"), names.index("LeftFoot"), names.names[names.roles.spine[-1]]
    start = person.poses.joint_positions()[0].copy()
    held, slipped, momenta = person.support == ("left",), 0.0, []
    for i in range(round(100 * seconds)):
        t = 0.01 * i
        drag = np.array([0.15 * np.sin(2 * t), 0.3 + 0.25 * np.sin(3 * t), 0.25 + 0.2 * np.cos(2 * t)])
        person.reach("RightHand", start[hand] + drag)
        if i % 800 == 400:
            person.push((60.0, 0.0, 0.0) if i % 1600 < 800 else (0.0, 0.0, -60.0), spine, 0.2)
        places = person.step(0.01).joint_positions()[0]
        slipped = max(slipped, float(np.linalg.norm(places[foot] - start[foot])))
        momenta.append(float(np.linalg.norm(person.angular_momentum)))
        held &= person.support == ("left",)
    return held, 1e3 * slipped, float(np.mean(momenta))


def stances() -> list[list[str]]:
    rows = []
    for name, make in (("break dance", break_dance), ("everyday", bodies.everyday)):
        for k in KS:
            space = make(k)
            held, slipped, with_it = one_foot(space, 60.0)
            _, _, without = one_foot(space, 20.0, Tuning(momentum=AngularMomentum(0.0)))
            person, changed = Balanced(space), 0
            for i in range(10):
                side = ("left", "right")[i % 2]
                person.stand(side)
                person.record(3.0)
                changed += person.support == (side,)
            person = Balanced(space)
            person.record(1.0)
            standing = person.centre_of_mass[1]
            person.jump(0.25)
            heights, flight = [], 0
            for _ in range(300):
                person.step(0.01)
                heights.append(person.centre_of_mass[1])
                flight += person.support == ()
            landed = len(person.support) == 2 and abs(heights[-1] - standing) < 0.04
            rows.append(
                [
                    f"{name}, {k}",
                    "yes" if held else "no",
                    f"{slipped:.1f}",
                    f"{without:.2f} / {with_it:.3f} = {without / with_it:.0f}",
                    f"{changed} of 10",
                    f"{100 * (max(heights) - standing):.0f}, {0.01 * flight:.2f}, {'yes' if landed else 'no'}",
                ]
            )
    return rows


def unhelped() -> list[list[str]]:
    rows = []
    for name, make in (("break dance", break_dance), ("everyday", bodies.everyday)):
        for way, push in (("behind", (0, 0, 1)), ("ahead", (0, 0, -1)), ("right", (1, 0, 0)), ("left", (-1, 0, 0))):
            row = [f"{name}, from {way}"]
            for size in (100.0, 150.0, 200.0):
                person = Balanced(make(15), actuation="internal")
                person.record(1.5)
                start, spine = person.centre_of_mass, person.space.skeleton.roles.spine[-1]
                force, far, miss = size * np.array(push), 0.0, 0.0
                person.push(force, spine, 0.2)
                try:
                    for i in range(400):
                        before = person._engine.body.state.p[3:6].copy()
                        person.step(0.01)
                        change = (person._engine.body.state.p[3:6] - before) / 0.01 - (force if i < 20 else 0.0)
                        needed = change + np.array([0.0, WEIGHT, 0.0])
                        error = np.linalg.norm(person.contact_forces.sum(axis=0) - needed)
                        miss = max(miss, float(error / np.linalg.norm(needed)))
                        far = max(far, float(np.linalg.norm(person.centre_of_mass - start)))
                        if far > 0.25:
                            break
                    stands = np.linalg.norm(person.centre_of_mass - start) < 0.02
                except lm.LocomoteError:
                    stands = False
                row.append(f"{100 * far:.1f} cm, {miss:.0e}" if stands else "falls")
            rows.append(row)
    return rows


def unhelped_on_one_foot() -> list[list[str]]:
    """A dragged hand and one push; what holds for ten seconds."""
    rows = []
    for name, make in (("break dance", break_dance), ("everyday", bodies.everyday)):
        for way, push in (("behind", (0, 0, 1)), ("ahead", (0, 0, -1)), ("right", (1, 0, 0)), ("left", (-1, 0, 0))):
            row = [f"{name}, from {way}"]
            for size in (20.0, 40.0, 60.0):
                person = Balanced(make(15), actuation="internal")
                person.stand("left")
                person.record(2.5)
                names, held = person.space.skeleton, person.support == ("left",)
                hand = person.poses.joint_positions()[0, names.index("RightHand")].copy()
                try:
                    for i in range(1000 if held else 0):
                        t = 0.01 * i
                        drag = np.array([0.15 * np.sin(2 * t), 0.3 + 0.25 * np.sin(3 * t), 0.25 + 0.2 * np.cos(2 * t)])
                        person.reach("RightHand", hand + min(1.0, t) * drag)
                        if i == 400:
                            person.push(size * np.array(push), names.roles.spine[-1], 0.2)
                        person.step(0.01)
                        held = float(np.linalg.norm(person.centre_of_mass - person._stance.centre.value)) < 0.2
                        if not held:
                            break
                except lm.LocomoteError:
                    held = False
                row.append("holds" if held else "falls")
            rows.append(row)
    return rows


def walks() -> list[list[str]]:
    engine = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=1, speed=1.4).record(seconds=7.0, fps=60)
    recorded = lm.load(DATA / "walk" / "cmu_132_46.bvh.xz", drop_tpose=True)[200:1100]
    base, rows = Following(), []
    for name, walk in (("walking engine, 1.4 m/s", engine), ("CMU 132_46", recorded)):
        space, chest = PoseSpace.fit(walk, 15, metric="kinetic"), walk.skeleton.roles.spine[-1]
        for factor in (0.5, 1.0, 2.0, 4.0):
            scaled = Following(**{
                field: getattr(base, field) * (1.0 if field.endswith("gain") else factor) for field in vars(base)
            })  # fmt: skip
            calm, _ = walked(space, walk, scaled, None, chest)
            truth = walk.resampled(100.0).joint_positions()[1 : len(calm) + 1]
            truth[..., 1] += (calm - truth)[..., 1].mean()
            off, back, helped = [], [], []
            for push in ((150.0, 0.0, 0.0), (-150.0, 0.0, 0.0), (0.0, 0.0, 150.0), (0.0, 0.0, -150.0)):
                pushed, helper = walked(space, walk, scaled, push, chest)
                away = np.linalg.norm(pushed[:, chest] - calm[:, chest], axis=1)
                off.append(100 * away.max())
                late = np.flatnonzero(away > 0.01)
                back.append((late[-1] + 1 - 215) / 100 if len(late) else 0.0)
                helped.append(helper)
            rows.append(
                [
                    f"{name}, x {factor:g}",
                    f"{100 * np.linalg.norm(calm - truth, axis=-1).mean():.1f}",
                    f"{min(off):.1f} to {max(off):.1f}",
                    f"{max(back):.2f}",
                    f"{np.mean([h[0] for h in helped]):.3f}, {np.max([h[1] for h in helped]):.2f}",
                    f"{np.mean([h[2] for h in helped]):.2f}",
                ]
            )
    return rows


def walked(
    space: PoseSpace, walk: lm.Motion, how: Following, push: tuple[float, float, float] | None, chest: int
) -> tuple[np.ndarray, tuple[float, float, float]]:
    """Joints, and the helper: mean and largest, and its mean without the ground, in body weights."""
    person = Balanced(space, pose=walk[:1])
    person.follow(walk, how)
    places, helped, bare = [], [], []
    for i in range(500):
        if push is not None and i == 200:
            person.push(push, chest, 0.15)
        places.append(person.step(0.01).joint_positions()[0].copy())
        helped.append(float(np.linalg.norm(person.helper_force)) / WEIGHT)
        bare.append(float(np.linalg.norm(person._engine.system.made[3:6])) / WEIGHT)
    return np.array(places), (float(np.mean(helped)), max(helped), float(np.mean(bare)))


def main() -> None:
    write_page(
        "geodesic-dynamics",
        "Balance in a pose space",
        METHOD,
        [
            ("Laws", ["", "measured", "bar"], laws()),
            (
                "Drift of angular momentum, per cent: median (worst) of nine runs",
                ["k", "step, s", "equation 7, at (g_k, v_k+1)", "two rounds, the integrator's own",
                 "two rounds, at (g_k, v_k+1)", "naive, at (g_k, v_k+1)",
                 "naive over equation 7: median (least), at least 100", "naive over two rounds"],
                drifts(),
            ),
            ("Condition of the mass matrix, by metric", ["k", "angle", "reach", "kinetic"], conditions()),
            ("Microseconds a step", ["", "best"], times()),
            (
                "Stances: a hand dragged about, 60 N for 0.2 s every eight seconds",
                ["space, k", "one foot 60 s", "planted foot, mm", "angular momentum off / on, kg m2/s",
                 "changes of feet", "jump: rise cm, flight s, lands upright"],
                stances(),
            ),
            (
                "No force on the hips: two feet, a push of 0.2 s on the chest; how far the centre of mass goes, and by "
                "how much contact forces miss m(g + a)",
                ["pushed", "100 N", "150 N", "200 N"],
                unhelped(),
            ),
            (
                "No force on the hips: one foot, a hand dragged about, a push of 0.2 s on the chest, ten seconds",
                ["pushed", "20 N", "40 N", "60 N"],
                unhelped_on_one_foot(),
            ),
            (
                "A walk pushed on the chest from four sides with 150 N for 0.15 s",
                ["walk, strength", "follows to, cm", "chest moves, cm", "back within 1 cm after, s",
                 "helper: mean, largest, body weights", "without the ground"],
                walks(),
            ),
        ],
    )  # fmt: skip


if __name__ == "__main__":
    main()
