"""A small body as BVH text, for the tests of the format."""

from __future__ import annotations

# Two legs, a trunk and two arms, in centimetres; the arms hang a little and the legs are spread.
HIERARCHY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 92 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT LeftUpLeg
  {
    OFFSET 10 -4 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT LeftLeg
    {
      OFFSET 8 -42 1
      CHANNELS 3 Xrotation Yrotation Zrotation
      JOINT LeftFoot
      {
        OFFSET 5 -41 -2
        CHANNELS 3 Yrotation Xrotation Zrotation
        End Site
        {
          OFFSET 3 -7 16
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -10 -4 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT RightLeg
    {
      OFFSET -8 -42 1
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT RightFoot
      {
        OFFSET -5 -41 -2
        CHANNELS 2 Zrotation Xrotation
        End Site
        {
          OFFSET -3 -7 16
        }
      }
    }
  }
  JOINT Spine
  {
    OFFSET 0 12 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 45 2
      CHANNELS 1 Yrotation
      End Site
      {
        OFFSET 0 22 0
      }
    }
    JOINT LeftArm
    {
      OFFSET 18 38 0
      CHANNELS 3 Yrotation Zrotation Xrotation
      JOINT LeftForeArm
      {
        OFFSET 20 -18 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT LeftHand
        {
          OFFSET 18 -16 0
          CHANNELS 3 Zrotation Yrotation Xrotation
          End Site
          {
            OFFSET 8 -7 0
          }
        }
      }
    }
    JOINT RightArm
    {
      OFFSET -18 38 0
      CHANNELS 3 Zrotation Yrotation Xrotation
      JOINT RightForeArm
      {
        OFFSET -20 -18 0
        CHANNELS 3 Zrotation Yrotation Xrotation
        JOINT RightHand
        {
          OFFSET -18 -16 0
          CHANNELS 3 Zrotation Yrotation Xrotation
          End Site
          {
            OFFSET -8 -7 0
          }
        }
      }
    }
  }
}
"""
CHANNELS = 6 + 3 * 5 + 2 + 3 + 1 + 3 * 6
FRAMES = 4


def frame(number: int) -> list[float]:
    """Values that look like nothing in particular: no two channels can be mistaken for one another."""
    return [round(((7 * number + 13 * c) % 29) * 2.3 - 30.0, 4) for c in range(CHANNELS)]


def bvh_text(frames: int = FRAMES) -> str:
    rows = "\n".join(" ".join(f"{v:g}" for v in frame(n)) for n in range(frames))
    return f"{HIERARCHY}MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n{rows}\n"
