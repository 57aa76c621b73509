"""Where jumps were found in the recorded clips: our own list, by clip, with the frames of toe-off and touch-down.

Frames count from 0 after the added rest pose of the CMU files. ``plant`` is the heel strike of the take-off foot of a
moving jump.
"""

from __future__ import annotations

from typing import NamedTuple


class Recording(NamedTuple):
    """One jump in a clip."""

    clip: str  # subject_number, as in cmu_118_02
    kind: str  # standing or moving
    toe_off: int
    touch_down: int
    plant: int = -1  # moving: heel strike of the take-off foot
    side: str = "both"  # the take-off foot
    weight: float = 1.0  # how far it is trusted
    joined: str = ""  # before, after or both: there another movement runs into the jump

    @property
    def subject(self) -> str:
        """Who jumps."""
        return self.clip.rsplit("_", 1)[0]

    @property
    def file(self) -> str:
        """The clip's path under the folder of recordings."""
        folder = "other" if self.subject == "86" else "jump"
        return f"human/{folder}/cmu_{self.clip}.bvh.xz"


# By subject: clip number, toe-off-touch-down of each of its jumps.
_STANDING = {
    "118": "02 341-403, 03 241-268, 04 289-327, 05 278-336, 06 175-205, 07 344-380, 08 297-337, 09 167-209, "
    "10 195-230, 12 347-386, 13 334-380, 14 346-406, 15 342-382, 16 358-402, 17 302-363, 18 264-298, 19 326-361, "
    "20 245-301, 22 289-337, 23 220-282, 24 405-443, 25 246-294, 26 307-364, 27 225-266, 28 376-422, 29 249-303, "
    "30 554-572",
    "01": "01 228-272 430-469 596-640 784-833 1286-1335 1550-1593 1779-1825 2215-2260 2432-2480 2634-2681",
    "83": "40 352-380, 41 268-302, 42 323-367, 45 304-370, 46 270-339, 48 291-318, 49 258-299",
    "91": "39 162-222, 40 212-269, 41 268-322, 42 272-324, 43 102-145, 44 194-219, 45 148-208",
    "13": "11 239-290, 13 196-268, 19 252-313, 32 176-231, 41 175-249, 42 181-254",
    "16": "05 137-188, 06 255-301, 07 240-304, 10 289-351",
    "75": "10 142-166, 15 135-164 830-861 1402-1431",
    "106": "04 80-96 225-244",
    "143": "05 119-133 171-191",
    "133": "03 746-795, 05 443-495",
    "86": "01 704-754 970-1025",
}

# Run-up, one foot, landing on both feet or nearly so. 75_03 takes off with the other foot just before and lands on
# lower ground.
_MOVING = (
    Recording("127_22", "moving", 78, 137, 47, "right"),
    Recording("127_25", "moving", 64, 133, 35, "left"),
    Recording("127_26", "moving", 67, 136, 39, "right"),
    Recording("127_27", "moving", 68, 128, 39, "right"),
    Recording("127_28", "moving", 60, 121, 35, "left"),
    Recording("75_01", "moving", 141, 162, 122, "right", 0.5),
    Recording("75_02", "moving", 66, 95, 56, "right", 0.5),
    Recording("75_03", "moving", 89, 122, 79, "right", 0.25),
)


# Jumps that follow one another without a rest, or are walked into or out of, by clip and toe-off.
_JOINED = {
    ("118_02", 341): "before",
    ("01_01", 430): "after",
    ("75_10", 142): "after",
    ("143_05", 119): "after",
    ("143_05", 171): "both",
    ("133_03", 746): "both",
    ("133_05", 443): "both",
}


def _standing() -> tuple[Recording, ...]:
    out = []
    for subject, text in _STANDING.items():
        for entry in text.split(", "):
            number, *spans = entry.split()
            for span in spans:
                off, down = span.split("-")
                clip, frame = f"{subject}_{number}", int(off)
                joined = _JOINED.get((clip, frame), "")
                out.append(Recording(clip, "standing", frame, int(down), joined=joined))
    return tuple(out)


RECORDINGS = _standing() + _MOVING
