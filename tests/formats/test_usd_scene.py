"""Several characters in one USD file; the judge is the USD library itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app
from locomote.errors import LocomoteError
from locomote.motion import Motion

pxr = pytest.importorskip("pxr")
from pxr import Usd, UsdGeom, UsdSkel, UsdValidation  # noqa: E402

TENTH_MM = 1e-4  # m


@pytest.fixture(scope="module")
def cast() -> list[Motion]:
    """Two people of the same name and a spider, at rates and lengths of their own."""
    people = lm.human.Crowd(lm.human.HumanModel.default(), 2, speed=[0.8, 2.5], leg_length=[0.7, 0.95], seed=1)
    spider = lm.creatures.Crowd("spider", 1, speed=0.3).record(seconds=0.5, fps=60)
    walks = [people.record(seconds=seconds, fps=30, who=who) for seconds, who in ((1.0, 0), (1.5, 1))]
    return [*(replace(walk, name="a person") for walk in walks), replace(spider, name="spider")]


def roots_of(stage: Usd.Stage) -> list[UsdSkel.Root]:
    return [UsdSkel.Root(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)]


def joints(root: UsdSkel.Root, times: list[float]) -> tuple[list[str], np.ndarray]:
    """Where the library puts the joints of the skeleton under a root."""
    cache = UsdSkel.Cache()
    cache.Populate(root, Usd.PrimDefaultPredicate)
    (binding,) = cache.ComputeSkelBindings(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(binding.GetSkeleton())
    assert query.GetAnimQuery()
    assert len(binding.GetSkinningTargets()) == 1
    places = []
    for time in times:
        world = UsdGeom.XformCache(time).GetLocalToWorldTransform(root.GetPrim())
        matrices = [np.array(each * world) for each in query.ComputeJointSkelTransforms(time)]
        places.append([matrix[3, :3] for matrix in matrices])
    return list(binding.GetSkeleton().GetJointNamesAttr().Get()), np.array(places)


@pytest.mark.parametrize("extension", ["usda", "usdc", "usd", "usda.xz"])
def test_the_library_finds_everyone_where_they_are(tmp_path: Path, cast: list[Motion], extension: str) -> None:
    path = tmp_path / f"scene.{extension}"
    lm.save(cast, path)
    if extension == "usda.xz":
        assert len(lm.load(path)) == len(cast[0])
        return
    stage = Usd.Stage.Open(str(path))
    rate = stage.GetTimeCodesPerSecond()
    assert rate == 30.0
    assert stage.GetEndTimeCode() == max(motion.duration for motion in cast) * rate
    assert stage.GetDefaultPrim().GetPath() == "/World"
    roots = roots_of(stage)
    assert [root.GetPath().name for root in roots] == ["a_person", "a_person_1", "spider"]
    for root, motion in zip(roots, cast, strict=True):
        names, places = joints(root, (motion.times * rate).tolist())
        assert names == list(motion.skeleton.names)
        assert np.abs(places - motion.joint_positions()).max() < TENTH_MM
        mesh = UsdGeom.Mesh(root.GetPrim().GetChild("Body"))
        assert len(mesh.GetFaceVertexCountsAttr().Get()) > 500


def test_each_is_read_back_by_its_path(tmp_path: Path, cast: list[Motion]) -> None:
    lm.save(cast, tmp_path / "scene.usdc")
    for name, motion in zip(("a_person", "a_person_1", "spider"), cast, strict=True):
        back = lm.load(tmp_path / "scene.usdc", skeleton=f"/World/{name}/Skeleton")
        assert back.fps == pytest.approx(motion.fps)
        assert len(back) == len(motion)
        assert np.abs(back.joint_positions() - motion.joint_positions()).max() < TENTH_MM


def test_the_librarys_validators_find_nothing(tmp_path: Path, cast: list[Motion]) -> None:
    lm.save(cast, tmp_path / "scene.usdc")
    registry = UsdValidation.ValidationRegistry()
    # The package rules are for .usdz; all others apply.
    names = [data.name for data in registry.GetAllValidatorMetadata() if "Package" not in data.name]
    validators = [validator for validator in (registry.GetOrLoadValidatorByName(name) for name in names) if validator]
    stage = Usd.Stage.Open(str(tmp_path / "scene.usdc"))
    found = UsdValidation.ValidationContext(validators).Validate(stage)
    assert [error.GetMessage() for error in found] == []


def test_other_formats_refuse_several(tmp_path: Path, cast: list[Motion]) -> None:
    with pytest.raises(LocomoteError, match=r"holds one motion; several go into \.usda, \.usdc, \.usd"):
        lm.save(cast, tmp_path / "scene.glb")
    with pytest.raises(LocomoteError, match="there are no motions"):
        lm.save([], tmp_path / "scene.usdc")
    assert list(tmp_path.iterdir()) == []


def test_files_are_put_together_on_the_command_line(tmp_path: Path, cast: list[Motion]) -> None:
    files = [str(tmp_path / name) for name in ("one.npz", "two.npz")]
    for motion, file in zip(cast, files, strict=False):
        lm.save(motion, file)
    done = CliRunner().invoke(app, ["convert", *files, str(tmp_path / "both.usdc")])
    assert done.exit_code == 0, done.output
    stage = Usd.Stage.Open(str(tmp_path / "both.usdc"))
    for root, motion in zip(roots_of(stage), cast[:2], strict=True):
        assert np.abs(joints(root, [10.0])[1][0] - motion.joint_positions()[10]).max() < TENTH_MM


def test_a_scene_goes_into_one_file(tmp_path: Path) -> None:
    scene = tmp_path / "two.toml"
    scene.write_text(
        "".join(
            f'[[character]]\nname = "{name}"\nposition = [{x}, 0.0]\n'
            '[[character.action]]\ndo = "move"\nspeed = 1.2\nseconds = 1.0\n'
            for name, x in (("anna", 0.0), ("ben", 2.0))
        )
    )
    done = CliRunner().invoke(app, ["script", str(scene), "-o", str(tmp_path / "two.usda")])
    assert done.exit_code == 0, done.output
    assert "(ben)" in done.output
    stage = Usd.Stage.Open(str(tmp_path / "two.usda"))
    assert [root.GetPath().name for root in roots_of(stage)] == ["anna", "ben"]
    first = [joints(root, [0.0])[1][0, 0] for root in roots_of(stage)]
    assert np.linalg.norm((first[1] - first[0])[[0, 2]] - (2.0, 0.0)) < 0.2
    ants = tmp_path / "ants.usdc"
    done = CliRunner().invoke(app, ["creature", "ant", "--count", "3", "--seconds", "1", "-o", str(ants)])
    assert done.exit_code == 0, done.output
    assert len(roots_of(Usd.Stage.Open(str(ants)))) == 3
    done = CliRunner().invoke(app, ["script", str(scene), "-o", str(tmp_path / "two.glb")])
    assert done.exit_code != 0
    assert not (tmp_path / "two.glb").exists()
