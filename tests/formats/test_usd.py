"""USD out and in; the judge of what we write is the USD library itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.body import Body, capsule_body
from locomote.errors import FormatError, MissingExtra
from locomote.formats import load, save
from locomote.motion import Motion
from locomote.skeleton import Skeleton

pxr = pytest.importorskip("pxr")
from pxr import Gf, Usd, UsdGeom, UsdSkel, UsdValidation  # noqa: E402

TENTH_MM = 1e-4  # m


def sample(frames: int = 7, moving: bool = True, body: bool = True) -> Motion:
    """Turned rest pose, joints that move against their parents, names that USD does not allow, end sites."""
    random = np.random.default_rng(5)
    names = ("1 hips", "spine", "head.top", "leg:L", "leg_L", "foot")
    skeleton = Skeleton(
        names,
        [-1, 0, 1, 0, 0, 3],
        [[0.1, 0.9, 0.2], [0, 0.3, 0], [0, 0.3, 0.1], [0.1, -0.1, 0], [-0.1, -0.1, 0], [0, -0.4, 0]],
        rot.exp(0.5 * random.normal(size=(6, 3))),
        end_parents=[2, 5, 4],
        end_offsets=[[0, 0.2, 0], [0, 0, 0.2], [0, -0.8, 0.1]],
    )
    roots = np.cumsum(0.1 * random.normal(size=(frames, 3)), axis=0) + np.array([3.0, 1.0, -40.0])
    turns = rot.normalize(rot.multiply(skeleton.rest_rotations, rot.exp(0.6 * random.normal(size=(frames, 6, 3)))))
    moved = None
    if moving:
        moved = skeleton.offsets + 0.05 * random.normal(size=(frames, 6, 3))
        moved[:, 0] = roots
    return Motion(skeleton, 59.94, roots, turns, moved, "a walk", mixed_body(skeleton) if body else None)


def mixed_body(skeleton: Skeleton) -> Body:
    """A mesh whose vertices follow four joints each, bound in a pose that is not the rest pose."""
    random = np.random.default_rng(6)
    weights = random.random((30, 4))
    return Body(
        vertices=random.normal(size=(30, 3)),
        triangles=random.integers(0, 30, (20, 3)),
        joints=random.integers(0, len(skeleton), (30, 4)),
        weights=weights / weights.sum(axis=1, keepdims=True),
        bind_positions=random.normal(size=(len(skeleton), 3)),
        bind_rotations=rot.normalize(random.normal(size=(len(skeleton), 4))),
    )


def one_triangle(skeleton: Skeleton) -> Body:
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    return Body(np.eye(3), np.array([[0, 1, 2]]), np.zeros((3, 4), dtype=int), weights, *skeleton.rest_pose())


def skeleton_query(stage: Usd.Stage) -> tuple[UsdSkel.Cache, UsdSkel.Root, UsdSkel.SkeletonQuery]:
    root = UsdSkel.Root(stage.GetDefaultPrim())
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    binding = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)[0]
    return cache, root, cache.GetSkelQuery(binding.GetSkeleton())


@pytest.mark.parametrize("extension", ["usda", "usdc", "usd", "usda.xz", "usdc.gz"])
def test_round_trip(tmp_path: Path, extension: str) -> None:
    for moving in (True, False):
        motion = sample(moving=moving)
        save(motion, tmp_path / f"walk.{extension}")
        back = load(tmp_path / f"walk.{extension}")
        assert back.skeleton.names == motion.skeleton.names
        assert back.skeleton.parents.tolist() == motion.skeleton.parents.tolist()
        assert (back.translations is None) == (not moving)
        assert back.fps == motion.fps
        assert back.name == "a walk"
        np.testing.assert_allclose(back.joint_positions(), motion.joint_positions(), atol=TENTH_MM)
        np.testing.assert_allclose(back.end_positions(), motion.end_positions(), atol=TENTH_MM)
        np.testing.assert_allclose(back.skeleton.offsets, motion.skeleton.offsets, atol=1e-12)
        assert np.max(rot.distance(back.skeleton.rest_rotations, motion.skeleton.rest_rotations)) < 1e-7
        assert np.max(rot.distance(back.rotations, motion.rotations)) < 1e-5


def test_a_body_comes_back_as_it_was(tmp_path: Path) -> None:
    motion = sample()
    save(motion, tmp_path / "walk.usdc")
    body, back = motion.body, load(tmp_path / "walk.usdc").body
    assert body is not None
    assert back is not None
    assert back.triangles.tolist() == body.triangles.tolist()
    for frame in (0, 3):
        pose = [values[frame] for values in motion.world()]
        np.testing.assert_allclose(back.posed(*pose), body.posed(*pose), atol=TENTH_MM)


@pytest.mark.parametrize("extension", ["usda", "usdc"])
def test_the_library_finds_every_joint_where_it_is(tmp_path: Path, extension: str) -> None:
    motion = sample()
    save(motion, tmp_path / f"walk.{extension}")
    stage = Usd.Stage.Open(str(tmp_path / f"walk.{extension}"))
    _, _, query = skeleton_query(stage)
    places = UsdGeom.XformCache()
    for frame, expected in enumerate(motion.joint_positions()):
        places.SetTime(frame)
        matrices = np.array(query.ComputeJointWorldTransforms(places))
        np.testing.assert_allclose(matrices[:, 3, :3], expected, atol=TENTH_MM)
    assert stage.GetTimeCodesPerSecond() == motion.fps
    assert (stage.GetStartTimeCode(), stage.GetEndTimeCode()) == (0, len(motion) - 1)
    assert UsdGeom.GetStageUpAxis(stage) == "Y"
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1.0
    assert stage.GetDefaultPrim().GetName() == "a_walk"
    animation = UsdSkel.Animation(query.GetAnimQuery().GetPrim())
    assert len(animation.GetScalesAttr().Get()) == len(motion.skeleton)


@pytest.mark.parametrize("body", [True, False])
def test_the_library_skins_the_body_as_we_do(tmp_path: Path, body: bool) -> None:
    motion = sample(body=body)
    ours = motion.body or capsule_body(motion.skeleton)
    save(motion, tmp_path / "walk.usdc")
    stage = Usd.Stage.Open(str(tmp_path / "walk.usdc"))
    cache, root, query = skeleton_query(stage)
    mesh = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)[0].GetSkinningTargets()[0]
    rest = UsdGeom.Mesh(mesh.GetPrim()).GetPointsAttr().Get()
    for frame in (0, 4):
        points = type(rest)(rest)
        assert mesh.ComputeSkinnedPoints(query.ComputeSkinningTransforms(frame), points, frame)
        expected = ours.posed(*(values[frame] for values in motion.world()))
        np.testing.assert_allclose(np.array(points), expected, atol=TENTH_MM)


@pytest.mark.parametrize("extension", ["usda", "usdc"])
def test_the_librarys_validators_find_nothing(tmp_path: Path, extension: str) -> None:
    save(sample(), tmp_path / f"walk.{extension}")
    registry = UsdValidation.ValidationRegistry()
    # The package rules are for .usdz; all others apply.
    names = [data.name for data in registry.GetAllValidatorMetadata() if "Package" not in data.name]
    validators = [validator for validator in (registry.GetOrLoadValidatorByName(name) for name in names) if validator]
    assert any("usdSkel" in validator.GetMetadata().name for validator in validators)
    stage = Usd.Stage.Open(str(tmp_path / f"walk.{extension}"))
    errors = UsdValidation.ValidationContext(validators).Validate(stage)
    assert [error.GetErrorAsString() for error in errors] == []


def test_sibling_joints_keep_different_paths(tmp_path: Path) -> None:
    motion = sample()
    save(motion, tmp_path / "walk.usda")
    _, _, query = skeleton_query(Usd.Stage.Open(str(tmp_path / "walk.usda")))
    tokens = [str(token) for token in query.GetJointOrder()]
    assert tokens[:2] == ["_1_hips", "_1_hips/spine"]
    assert tokens[3:5] == ["_1_hips/leg_L", "_1_hips/leg_L_1"]


def foreign(path: Path, z_up: bool = True, animated: bool = True) -> Usd.Stage:
    """A stage as another program writes it: centimetres, Z up, scaled joints, a turned root, sparse keys."""
    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, "Z" if z_up else "Y")
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    over = UsdGeom.Xform.Define(stage, "/World")
    over.AddTranslateOp().Set(Gf.Vec3d(10, 20, 30))
    root = UsdSkel.Root.Define(stage, "/World/Rig")
    root.AddRotateZOp().Set(90.0)
    root.AddScaleOp().Set(Gf.Vec3f(2.0))
    skeleton = UsdSkel.Skeleton.Define(stage, "/World/Rig/Skeleton")
    joints = ["hip", "hip/knee", "hip/knee/foot"]
    rest = [Gf.Matrix4d().SetTranslate(Gf.Vec3d(0, 0, z)) for z in (50.0, -20.0, -20.0)]
    skeleton.CreateJointsAttr(joints)
    skeleton.CreateRestTransformsAttr(rest)
    skeleton.CreateBindTransformsAttr([Gf.Matrix4d().SetTranslate(Gf.Vec3d(0, 0, z)) for z in (50.0, 30.0, 10.0)])
    if animated:
        animation = UsdSkel.Animation.Define(stage, "/World/Rig/Animation")
        animation.CreateJointsAttr(["hip/knee", "hip"])  # fewer joints, in another order
        moves = (
            animation.CreateTranslationsAttr(),
            animation.CreateRotationsAttr(),
            animation.CreateScalesAttr(),
        )
        for time, angle in ((2, 0.0), (3, 10.0), (7, 40.0)):
            turn = Gf.Rotation(Gf.Vec3d(0, 1, 0), angle).GetQuat()
            moves[0].Set([Gf.Vec3f(0, 0, -20), Gf.Vec3f(time, 0, 50)], time)
            moves[1].Set([Gf.Quatf(turn), Gf.Quatf(turn)], time)
            moves[2].Set([Gf.Vec3h(1, 1, 1.5), Gf.Vec3h(1.25)], time)
        UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    stage.GetRootLayer().Save()
    return stage


def test_another_programs_stage_comes_out_where_the_library_puts_it(tmp_path: Path) -> None:
    stage = foreign(tmp_path / "rig.usda")
    motion = load(tmp_path / "rig.usda")
    assert motion.fps == 24
    assert len(motion) == 6  # keys at 2, 3 and 7: a frame for each time code between
    query = UsdSkel.Cache()
    query.Populate(UsdSkel.Root(stage.GetPrimAtPath("/World/Rig")), Usd.PrimDefaultPredicate)
    query = query.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/World/Rig/Skeleton")))
    for frame, positions in enumerate(motion.joint_positions()):
        places = UsdGeom.XformCache(Usd.TimeCode(2 + frame))
        x, y, z = 0.01 * np.array(query.ComputeJointWorldTransforms(places))[:, 3, :3].T
        np.testing.assert_allclose(positions, np.stack([x, z, -y], axis=-1), atol=TENTH_MM)
    assert motion.skeleton.rest_pose()[0][0, 1] == pytest.approx(1.3, abs=1e-6)
    assert any("Z up" in note for note in motion.notes)


def test_a_rig_without_animation_is_one_frame_at_rest(tmp_path: Path) -> None:
    foreign(tmp_path / "rig.usda", animated=False)
    motion = load(tmp_path / "rig.usda")
    assert len(motion) == 1
    np.testing.assert_allclose(motion.joint_positions()[0], motion.skeleton.rest_pose()[0], atol=1e-9)
    assert any("no animation" in note for note in motion.notes)


def test_a_skeleton_is_chosen_by_its_path(tmp_path: Path) -> None:
    stage = foreign(tmp_path / "rig.usda")
    other = UsdSkel.Skeleton.Define(stage, "/Another/Skeleton")
    UsdSkel.Root.Define(stage, "/Another")
    other.CreateJointsAttr(["a", "b"])  # two roots
    other.CreateRestTransformsAttr([Gf.Matrix4d(1.0), Gf.Matrix4d().SetTranslate(Gf.Vec3d(100, 0, 0))])
    stage.GetRootLayer().Save()
    assert load(tmp_path / "rig.usda").skeleton.names == ("hip", "knee", "foot")
    chosen = load(tmp_path / "rig.usda", skeleton="/Another/Skeleton")
    assert chosen.skeleton.names == ("root", "a", "b")
    np.testing.assert_allclose(chosen.joint_positions()[0, 2], [1, 0, 0], atol=1e-9)
    with pytest.raises(FormatError, match=r"no skeleton '/No'; the skeletons are: /World/Rig/Skeleton, /Another"):
        load(tmp_path / "rig.usda", skeleton="/No")


def test_references_inside_the_folder_work_and_outside_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    save(sample(), tmp_path / "outside.usda")
    save(sample(), tmp_path / "inside" / "walk.usdc")
    text = '#usda 1.0\n(\n    metersPerUnit = 1\n    upAxis = "Y"\n)\ndef "Walk" (references = @{}@)\n{{\n}}\n'
    (tmp_path / "inside" / "good.usda").write_text(text.format("./walk.usdc"))
    (tmp_path / "inside" / "bad.usda").write_text(text.format("../outside.usda"))
    (tmp_path / "inside" / "worse.usda").write_text(text.format("/etc/passwd.usda"))
    motion = load(tmp_path / "inside" / "good.usda")
    np.testing.assert_allclose(motion.root_positions, sample().root_positions, atol=TENTH_MM)
    for name in ("bad", "worse"):
        with pytest.raises(FormatError, match="outside the file's folder"):
            load(tmp_path / "inside" / f"{name}.usda")


def test_a_stage_without_a_skeleton_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty.usda").write_text('#usda 1.0\ndef Xform "World"\n{\n}\n')
    with pytest.raises(FormatError, match="no UsdSkel skeleton"):
        load(tmp_path / "empty.usda")


def test_the_file_on_disk_counts_not_what_the_library_remembers(tmp_path: Path) -> None:
    motion, path = sample(), tmp_path / "walk.usdc"
    save(motion, path)
    held = Usd.Stage.Open(str(path))
    save(replace(motion, fps=30.0), path)
    assert load(path).fps == 30.0
    assert held.GetTimeCodesPerSecond() == motion.fps


def test_without_the_library_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingExtra, match=r"pip install 'locomote\[usd\]'"):
        save(sample(), tmp_path / "walk.usda")
