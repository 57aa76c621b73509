"""Traits of real robots: cameras on a trunk, welded frames, numbered links, rows called back, a body without legs."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.skeleton import Skeleton
from tests import made_rigs as made


def _with(skeleton: Skeleton, rows: tuple[made.Row, ...]) -> Skeleton:
    """More frames on a body, each at a place from its parent."""
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), list(skeleton.offsets)
    for name, above, offset in rows:
        parents.append(names.index(above))
        names.append(name)
        offsets.append(np.array(offset))
    return Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        end_parents=skeleton.end_parents,
        end_offsets=skeleton.end_offsets,
    )


def _legs(skeleton: Skeleton) -> list[tuple[str, ...]]:
    names = skeleton.names
    return [(names[leg.hip], names[leg.knee], names[leg.ball]) for leg in skeleton.roles.legs]


def test_cameras_are_no_legs_and_instruments_no_spine() -> None:
    dog = made.robot_dog(("HIP", "THIGH", "SHANK"), feet=True)
    cameras = tuple(
        row
        for side, x in (("left", 0.09), ("right", -0.09))
        for row in (
            (f"depth_camera_{side}_camera", "base", (x, -0.1, 0.0)),
            (f"depth_camera_{side}_camera_parent", f"depth_camera_{side}_camera", (0.0, -0.1, 0.0)),
            (f"depth_camera_{side}_optical_frame", f"depth_camera_{side}_camera_parent", (0.0, -0.3, 0.0)),
        )
    )
    rigged = _with(dog, (*cameras, ("lidar", "base", (0.0, 0.3, 0.0)), ("imu_link", "base", (0.0, 0.31, 0.0))))
    assert _legs(rigged) == _legs(dog)
    assert rigged.roles.spine == dog.roles.spine
    foot_imu = tuple((f"{leg}_FOOT_IMU", f"{leg}_FOOT", (0.0, 0.05, 0.05)) for leg in ("LF", "RF", "LH", "RH"))
    assert _legs(_with(dog, foot_imu)) == _legs(dog)


def test_a_sensor_within_a_leg_does_not_cut_it() -> None:
    rows = (
        *made.MIDDLE, *made.LEG[:2], ("ankle_ft_*", "shin_*", (0.1, 0.12, 0.0)),
        ("foot_*", "ankle_ft_*", (0.1, 0.08, 0.0)), made.LEG[3], *made.ARM,
    )  # fmt: skip
    leg = made.built(rows, made.TOES).roles.leg("left")
    assert leg.ball != leg.ankle


def test_rows_may_be_called_front_and_back() -> None:
    dog = made.robot_dog(("hip", "upperleg", "shank"), feet=True)
    names = tuple(
        name.replace("LF", "FL").replace("RF", "FR").replace("LH", "BL").replace("RH", "BR") for name in dog.names
    )
    renamed = Skeleton(names, dog.parents, dog.offsets)
    assert [(leg.side, leg.row) for leg in renamed.roles.legs] == [("left", 0), ("right", 0), ("left", 1), ("right", 1)]
    assert renamed.roles.forward == (0.0, 0.0, 1.0)
    assert names[renamed.roles.leg("left", 1).knee] == "BL_shank"


def test_a_welded_frame_is_no_hip() -> None:
    rows = (
        *made.MIDDLE, ("thigh_*", "pelvis", (0.1, 0.90, 0.0)), ("thigh_*_fixed", "thigh_*", (0.1, 0.90, 0.0)),
        ("shin_*", "thigh_*_fixed", (0.1, 0.50, 0.02)), *made.LEG[2:], *made.ARM,
    )  # fmt: skip
    assert _legs(made.built(rows, made.TOES))[0] == ("thigh_l", "shin_l", "toe_l")


@pytest.mark.parametrize("places", [(0.9, 0.5, 0.5, 0.1), (0.9, 0.9, 0.5, 0.1)])
def test_links_that_are_only_numbered_bend_in_the_middle(places: tuple[float, ...]) -> None:
    links: list[made.Row] = [("*LEG_LINK1", "pelvis", (0.1, 0.9, 0.0))]
    for k, y in enumerate(places):
        links.append((f"*LEG_LINK{k + 2}", links[-1][0], (0.1, y, 0.0)))
    rows = (*made.MIDDLE, *links, ("*_ankle", links[-1][0], (0.1, 0.1, 0.0)), *made.ARM)
    skeleton = made.built(rows, {"*_ankle": (0.0, -0.1, 0.1)}, ("L", "R"))
    leg = skeleton.roles.leg("left")
    thigh, shank = skeleton.chain_length(leg.hip, leg.knee), skeleton.chain_length(leg.knee, leg.ankle)
    assert (thigh, shank) == pytest.approx((0.4, 0.4))


def test_a_trunk_on_a_table_has_arms_and_no_legs() -> None:
    arms: tuple[made.Row, ...] = (
        ("*ShoulderPitchLink", "chest", (0.15, 1.40, 0.0)),
        ("*ElbowPitchLink", "*ShoulderPitchLink", (0.15, 1.15, 0.0)),
        ("*WristYawLink", "*ElbowPitchLink", (0.15, 0.92, 0.0)),
    )  # fmt: skip
    assert made.built((*made.MIDDLE, *arms), sides=("Left", "Right")).roles.legs == ()


def test_casters_are_no_legs() -> None:
    caster: tuple[made.Row, ...] = (
        ("*_caster_link", "base", (0.2, 0.1, 0.2)), ("*_wheel_link", "*_caster_link", (0.2, 0.03, 0.2)),
    )  # fmt: skip
    body: tuple[made.Row, ...] = (("base", "", (0.0, 0.2, 0.0)), ("torso", "base", (0.0, 0.8, 0.0)))
    assert made.built((*body, *caster)).roles.legs == ()
