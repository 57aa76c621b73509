"""Everything that calls a kernel, once and briefly: people, steps, creatures, worlds, pendulums, drawing, reading.

It runs uncompiled, so scenes are as small as they can be. What counts is that arguments are of the kinds that real
calls have, not what comes of them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.physics._animal import Animal
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._kernels.momentum_steps import Free, free_steps
from locomote.physics._reduced import ReducedBody
from locomote.physics._simulation import Simulation

DT = 1 / 60  # s
SIZE = (64, 48)  # pixels
SMALL = 40  # pixels a metre, for sheets


def people() -> None:
    """Speeds, styles, jumps, ground, predictions."""
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 3, seed=1, speed=[0.0, 1.3, 3.0])
    crowd.command(style=crowd.model.styles[0], leg_length=0.8, turn_rate=0.2, who=1)
    for _ in range(4):
        crowd.step(DT)
    crowd.jump(1.0, who=[0, 1])
    crowd.reach(3.0, speed=2.0, foot="right", who=2)
    for _ in range(20):
        poses = crowd.step(DT)
    poses.joint_positions()
    crowd.predict(0.1)
    crowd.unit(1)
    lm.human.Crowd(lm.human.HumanModel.default(), 1, feet=False).record(seconds=0.1, fps=60).joint_positions()


def ways() -> None:
    """Goals, paths, others, obstacles, on ground that moves."""
    ground = lm.world.Ground.rough(4, (20.0, 20.0), 0.1, 3.0)
    ground.add_stairs((0, 1.2), count=2, rise=0.17, tread=0.29, landing=1.5)
    ground.add_platform((-3, 1.5), (2.0, 2.5), top=0.25, velocity=(0.3, 0.0, 0.1), turn_rate=0.1)
    obstacles = lm.world.Obstacles()
    obstacles.add_puddle((0, 2), length=0.7, width=4.0)
    obstacles.add_box((2.5, 3), (0.5, 1.0), height=1.5, velocity=(-0.4, 0.0))
    obstacles.add_wall((-4, 3), (-1, 3.4))
    places = np.array([[1.2 * n - 2.0, 0.0, 0.0] for n in range(4)])
    crowd = lm.human.Crowd(
        lm.human.HumanModel.default(),
        4,
        positions=places,
        speed=1.3,
        ground=ground,
        obstacles=obstacles,
        avoid=True,
    )
    crowd.go_to(-places[:, 0], 6.0)
    crowd.follow([(0, 0), (0, 3)], who=1)
    crowd.meet([(0.0, 3.0)], (0.5, 0.0))
    for _ in range(30):
        ground.advance(DT)
        obstacles.advance(DT)
        crowd.step(DT)
    crowd.predict(0.05)
    obstacles.distances(np.zeros((3, 2)))
    ground.normal(np.zeros((3, 2)))


def run_ups() -> None:
    """Plans and decisions by themselves."""
    from locomote.human._kernels import step
    from locomote.human.jumps._kernels.jump_decision import LAWS, decide_many
    from locomote.human.jumps._runup import plan_runups

    plan_runups([3.0, 4.0], 1.3, 2.0)
    decide_many(np.zeros((1, 13)), LAWS, np.zeros(1, dtype=np.int64), np.zeros((1, 2)))
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1)
    step.refresh_rows(crowd._people, crowd._packed)


def steps() -> None:
    """Exact steps, planned and live."""
    lm.steps.walk(lm.steps.plan_along([(0, 0), (0, 1.2)], speed=1.1))
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.1, phases=0.0)
    crowd.step(DT)
    while np.any(crowd.landings[0] > 0.0):
        crowd.step(DT)
    stepper, feet = lm.steps.Stepper.from_crowd(crowd), crowd.footholds[0]
    behind = int(np.argmin(feet[:, 2]))
    stepper.add(behind, float(feet[behind, 0]), float(feet[1 - behind, 2] + 0.5))
    for _ in range(10):
        stepper.step(DT)
    _choices()


def _choices() -> None:
    """What the tests and the lab ask of the database."""
    from locomote.steps._blending import pack
    from locomote.steps._kernels.blend import ROWS, blend_batch
    from locomote.steps._kernels.choose import StepWishes, choose_batch
    from locomote.steps._kernels.locate import locate_batch

    packed = pack(lm.steps.StepDatabase.default())
    corners, weights = np.zeros((1, 4), dtype=np.int64), np.full((1, 4), 0.25)
    locate_batch(np.zeros((1, 3)), packed.steps, np.zeros(1, dtype=np.int64), weights)
    wishes = StepWishes(1.0, 1.0, 1.0, 1.0, 0, 0, 0.35)
    choose_batch(np.zeros((1, 9)), packed.steps, wishes, corners, weights, weights, np.zeros(1))
    blend_batch(corners, weights, weights, packed.clips, 0, np.zeros((1, ROWS, packed.clips.sheets.shape[2])))


def creatures() -> None:
    """Legs of all sorts, with tails, over crates and ways, on maps."""
    for name in lm.creatures.NAMES:
        _creature(name)


def _creature(name: str) -> None:
    ground = lm.world.Ground.rough(7, (6.0, 6.0), 0.1, 2.5)
    ground.add_platform((1.0, 1.0), (0.5, 0.5), top=0.1, velocity=(0.1, 0.0, 0.0))
    obstacles = lm.world.Obstacles()
    obstacles.add_box((0.1, 0.4), (0.2, 0.2), height=0.05, velocity=(0.1, 0.0))
    obstacles.add_box((0.0, 1.0), (0.3, 0.3), height=0.5, safe=False)
    crowd = lm.creatures.Crowd(name, 2, seed=9, ground=ground, obstacles=obstacles)
    crowd.command(speed=0.6 * crowd.creature.morphology.hip_height**0.5, turn_rate=0.1)
    for _ in range(3):
        obstacles.advance(DT)
        ground.advance(DT)
        crowd.step(DT)
    crowd.push((0.3, 0.2), who=1)
    crowd.go_to(1.0, 1.5)
    crowd.meet([(0.5, 2.0)], (0.1, 0.0), 0.4)
    for _ in range(4):
        obstacles.advance(DT)
        crowd.step(DT)
    crowd.trace(DT)


def gaits() -> None:
    """Swings and gaits by themselves."""
    from locomote.creatures._kernels import bounce, gait_disks
    from locomote.creatures._kernels.swing_plan import plan_once
    from locomote.creatures._kernels.swing_scores import LegLines
    from locomote.creatures._kernels.swing_scratch import SAMPLES, SwingScratch
    from locomote.creatures._kernels.swing_way import SwingRequest
    from locomote.creatures._kernels.swing_window import MapWindow, search_window
    from locomote.math.records import zeros

    one = np.array([0.5])
    bounce.heave_all(one, one, one, one.copy())
    crowd = lm.creatures.Crowd("wolf", 1)
    times = gait_disks.StepTimes(np.zeros((1, 4)), np.zeros((1, 4)))
    state = crowd._gait_rows, crowd._disks, crowd._swinging, times, crowd.creature.gaits.arrays
    gait_disks.turn_all(DT, one, 0.24, True, *state)
    nought = (0.0, 0.0, 0.0)
    request = SwingRequest(
        *(nought, nought, (0.05, 0.0, 0.7), (0.05, 0.6, 0.5), (0.05, 0.6, 0.9), 1.0, 1.0, 0.4, 0.1, 0.02),
        *(0.1, 0.6, 0.8, 0, False),
    )
    x, z, rows, columns = search_window(request.start, request.preferred, request.room, 0.07)
    seen = MapWindow(np.zeros((rows, columns)), np.zeros((rows, columns), np.uint8), x, z, 0.07)
    lines = LegLines(np.full((4, 3, 2), np.nan), np.full((4, 3, 2), np.nan))
    plan_once(request, seen, lines, zeros(SwingScratch, 1), np.zeros((SAMPLES, 3)), np.zeros(3))
    maps = lm.world.Maps(lm.world.Ground(), lm.world.Obstacles())
    maps.surface((0.0, 0.0))
    maps.window(0, 0, 4, 4)
    maps.heights()


def pendulums() -> None:
    """Hits on a body, and a cloth."""
    walk = lm.samples.performer(speed=1.3, seconds=0.5).motion
    lm.pendulums.overlay(walk, hits=[lm.pendulums.Hit(0.1, "Spine2", (0.18, 0.0, -0.1))])
    cloth = lm.pendulums.Cloth(4, 5, 0.1)
    cloth.pull(2, 2, (0.02, 0.0, 0.1))
    for _ in range(3):
        cloth.step(DT)


def motions() -> None:
    """Motion read, cleaned, put on another body; chains that reach."""
    from locomote.formats._decimals import parse_decimals

    parse_decimals(np.frombuffer(b"1.5 2", dtype=np.uint8), np.empty(2))
    walk = lm.samples.performer(speed=1.3, seconds=0.6).motion
    with tempfile.TemporaryDirectory() as folder:
        for extension in (".bvh", ".glb"):
            path = Path(folder) / f"walk{extension}"
            lm.save(walk, path)
            lm.load(path).joint_positions()
    lm.measure(walk)
    lm.clean(walk)
    lm.ik.reach(walk, "left arm", (0.3, 1.2, 0.4))
    lm.ik.solve(walk, [lm.ik.Goal("Head", (0.0, 1.6, 0.1))], steps=1)
    lm.retarget(walk, lm.samples.performer(speed=1.0, leg_length=1.05, seconds=0.3).motion)


def rotations() -> None:
    """Rotations by themselves."""
    from locomote.math import quaternion

    q, v = np.array([[1.0, 0.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])
    quaternion.exp_batch(v, q.copy())
    quaternion.log_batch(q, v.copy())
    quaternion.slerp_batch(q, q, np.array([0.5]), q.copy())
    quaternion.swing_twist_batch(q, v, q.copy(), q.copy())
    quaternion.weighted_mean_batch(np.ones((1, 2, 4)), np.ones((1, 2)), q.copy())


def pictures() -> None:
    """A still, a row of poses and a film, of people and creatures, on floors and ground, past obstacles."""
    walk = lm.samples.performer(speed=1.3, seconds=0.4).motion
    ground = lm.world.Ground.rough(4, (4.0, 4.0), 0.1, 2.0)
    ground.add_stairs((0, 0.5), count=2, rise=0.17, tread=0.29, landing=0.5)
    obstacles = lm.world.Obstacles()
    obstacles.add_box((0.4, 0.4), (0.3, 0.3), height=0.5)
    obstacles.add_puddle((0.0, 0.8), length=0.3, width=0.5)
    for world in (None, ground):
        lm.draw.frame(walk, 0, size=SIZE, ground=world, obstacles=obstacles)
        lm.draw.strobe(walk, poses=2, size=SIZE, ground=world, obstacles=obstacles)
    crowd = lm.creatures.Crowd("spider", 1)
    lm.draw.frame(crowd.record(seconds=0.1, fps=30), 0, size=SIZE)


def packing() -> None:
    """Packed clips, alone and in a library, whole and in part."""
    walk = lm.samples.performer(speed=1.3, seconds=0.2).motion
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.lmz"
        lm.save(walk, path, error=0.05)
        lm.load(path)
        longer = lm.samples.performer(speed=1.3, seconds=0.6, fps=20.0).motion
        lm.save(longer, path, error=0.05, contacts=lm.contacts.detect(longer))
        lm.load(path)
        lm.spaces.Library.of([walk], error=0.05).save(path)
        clip = lm.spaces.Library.load(path)[walk.name]
        clip.motion(2, 5)
        clip.poses([0, 3])


def spaces() -> None:
    """A space of poses, and what reaches in it: a clip, a pose alone."""
    walk = lm.samples.performer(speed=1.3, seconds=0.2).motion
    space = lm.spaces.PoseSpace.fit([walk], k=3)
    space.excess(space.coordinates(walk))
    space.jacobian(space.coordinates(walk)[:1], "LeftHand")
    hands = walk.joint_positions()[:, walk.skeleton.index("LeftHand")]
    for start in (walk, walk[:1]):
        space.reach([lm.spaces.Handle("LeftHand", hands[: len(start)])], start, exact=True)
    space.reach([lm.spaces.Handle("LeftHand", (0.3, 0.4, 0.3))], root="free")


def posing() -> None:
    """Bodies posed by handles of all kinds, alone and one after the other; a clip that is edited."""
    whole = lm.spaces.PoseDatabase.default()
    few = replace(whole, root_positions=whole.root_positions[:120], rotations=whole.rotations[:120])
    poser = lm.spaces.Poser(few, rounds=2)
    handles = [
        lm.spaces.Handle("LeftHand", position=(0.3, 1.2, 0.3)),
        lm.spaces.Handle("Head", rotation=(1.0, 0.0, 0.0, 0.0)),
        lm.spaces.Handle("RightHand", position=(-0.3, 1.0, 0.2), point=(0.0, 0.0, 0.1)),
    ]
    pose = poser.solve(handles).pose
    poser.solve(handles, pose)
    poser.follow([lm.spaces.Handle("LeftHand", position=np.full((2, 3), 0.5))], 60.0)
    model = lm.spaces.LatentModel.fit(few.vectors, latent=2, inducing=4, rounds=1)
    lm.spaces.LatentPoser(few, model, rounds=1).solve(handles[:1])


def physics() -> None:
    """Forces of a clip, of feet and of grips."""
    walk = lm.samples.performer(speed=1.3, seconds=0.3).motion
    lm.physics.forces(walk, 70.0)
    held = lm.physics.Grips([0, 1], np.ones((len(walk), 2), dtype=np.int64))
    lm.physics.retime(walk, [0, len(walk) - 1], held, 70.0)


def balance() -> None:
    """Somebody who balances in a space: free, on the ground, pushed, along a walk, in another space."""
    walk = lm.samples.performer(speed=1.3, seconds=0.3).motion
    space = lm.spaces.PoseSpace.fit([walk], k=3, metric="kinetic")
    body = ReducedBody.of(space, lm.Masses.of(space.skeleton))
    still = np.zeros(body.unknowns)
    free_steps(1, Free(0.01, 1.0, 2, True), body.tree, body.state(), np.zeros(3), still, body.work())
    for actuation in ("helped", "internal"):
        person = lm.physics.Balanced(space, actuation=actuation)
        person.push((1.0, 0.0, 0.0), "Head")
        person.reach("LeftHand", (0.3, 1.0, 0.3))
        person.step(0.01)
        person.contact_forces.sum()
    person.follow(walk)
    person.step(0.01)
    person.space = space


def animals() -> None:
    """A simulated dog that stands and goes."""
    simulation = Simulation(Animal.of())
    gait = GaitLibrary.default()["trot"].at(1.0)
    simulation.advance(1, *gait)
    simulation.asked.legs[:, 0] = 0.0
    simulation.advance(1, *gait)


def modal() -> None:
    """A gait of vibrations, and one with a head that is held."""
    skeleton = lm.samples.performer(speed=1.3, seconds=0.1).motion.skeleton
    for name in ("walk", "steady run"):
        lm.modal.Crowd(lm.modal.PRESETS[name].gait(skeleton), 2).step(DT)


def trees() -> None:
    """A small wood in the wind, near and far, that somebody brushes."""
    bush = lm.modal.trees.Species.grow("bush", 12, modes=6)
    detail = lm.modal.trees.Detail(modes=(6, 4, 2))
    for correction in ("lengths", "source"):
        places = [(0, 0), (2, 0), (60, 0)]
        wood = lm.modal.trees.Forest(bush, places, correction=correction, flutter=0.01, detail=detail)
        wood.displaced()
        wood.seen_from((0.0, 1.7, 0.0))
        wood.brush([(0.0, 0.5, 0.0)], [(1.0, 0.0, 0.0)], 0.6)
        wood.step(DT, lm.world.Wind.gusty(5.0))
        wood.displaced()


def capture() -> None:
    """Silhouettes and a film of somebody on the stage; a cage that follows hulls and meshes."""
    walk = lm.samples.performer(speed=1.3, seconds=0.1).motion
    lm.capture.stage.silhouettes(walk, lm.capture.camera_at((0.0, 1.0, 4.0), (0.0, 1.0, 0.0), SIZE))
    lm.capture.stage.film(walk[:1], lm.capture.stage.cameras_beside(walk[:1], SIZE))
    rig = lm.capture.stage.CaptureRig(lm.capture.camera_ring(2, size=SIZE), least=2)
    rig.watch(walk[:1]).hull(0, 0.3)
    seen, attached = lm.capture.stage.markers(walk[:3])
    subject = lm.capture.markers.subject(walk)
    lm.capture.markers.solve(seen, subject, attached, lm.capture.markers.Springs(rounds=1))
    lm.capture.markers.Solver(subject, attached, seen.fps).step(seen.positions[0])
    _cages(walk)
    _bodies()


def _bodies() -> None:
    corners, sides = np.eye(4, 3), np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    vertices, faces = np.concatenate([corners, corners + 2.0]), np.concatenate([sides, sides + 4])
    joints = np.zeros((8, 4), dtype=np.int64)
    joints[4:, 0] = 1
    places = np.array([[0.0, 0.0, 0.0], [1.5, 1.5, 1.5]])
    body = lm.Body(vertices, faces, joints, np.tile([1.0, 0.0, 0.0, 0.0], (8, 1)), places, np.eye(4)[[0, 0]])
    template = lm.capture.bodies.Template(lm.Skeleton(("a", "b"), np.array([-1, 0]), places), body)
    lm.capture.bodies.fit(template, (vertices, faces))


def _cages(walk: lm.Motion) -> None:
    cages = lm.capture.cages
    rig = cages.CageRig.of(walk)
    prior = cages.PosePrior.of(rig, [walk], dimensions=1)
    tracker = cages.Tracker(rig, prior, cages.Settings(voxel=0.08, points=60, rounds=(1, 1)))
    cameras = lm.capture.camera_ring(2, size=SIZE)
    masks = [lm.capture.stage.silhouettes(walk[:1], camera) for camera in cameras]
    start = rig.quads_of(walk[:1])
    surface = lm.capture.stage.meshes(walk[:1])
    hulls = cages.Hulls(masks, cameras, smooth=0)  # of pictures as small as these, smoothing would leave nothing
    hulls.volume(0, 0.2)
    tracker.follow(hulls, 30.0, start=start)
    tracker.follow(cages.Meshes([(surface.vertices[0], surface.faces)]), 30.0, start=start).joints("green")


PARTS: tuple[Callable[[], None], ...] = (
    *(people, ways, run_ups, steps, creatures, gaits, pendulums, motions, rotations, pictures, packing, spaces, posing),
    physics,
    balance,
    animals,
    modal,
    trees,
    capture,
)
