"""What the recordings of a corpus give to a fit: cycles and standing poses; clips and performers that give nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.human.fitting._calibration import Calibration, calibrated
from locomote.human.fitting._corpus import Clip, Corpus, Performer
from locomote.human.fitting._cycles import Rejection, Unit, find_units
from locomote.human.fitting._denoising import cleaned
from locomote.human.fitting._gaits import GAITS
from locomote.human.fitting._importing import Capture, import_motion
from locomote.human.fitting._planting import planted
from locomote.human.fitting._standing import Stand, find_stand, settled
from locomote.motion import Motion

Progress = Callable[[float, str], None]
MOST_TOLD = 6  # of what was skipped, in the message of an error


@dataclass(frozen=True)
class Skipped:
    """A clip or a performer that gave nothing, and why; the rest went on without."""

    what: str
    reason: str

    def __str__(self) -> str:
        return f"{self.what}, skipped: {self.reason}"


@dataclass(frozen=True, eq=False)
class Take:
    """One clip of a performer, on the common skeleton, and what is looked for in it."""

    name: str
    gait: str  # walk, run or stand
    capture: Capture
    belt: float = 0.0  # m/s towards +Z, of the treadmill under it


@dataclass(frozen=True, eq=False)
class Material:
    """All that the fit takes from the recordings: calibrated cycles, standing poses, and what was turned down."""

    units: tuple[Unit, ...]
    stands: dict[str, Stand]  # by performer
    rejections: tuple[Rejection, ...]
    repairs: int  # values that the clean-up replaced
    skipped: tuple[Skipped, ...] = ()


def gather_material(corpus: Corpus, *, progress: Progress | None = None) -> Material:
    """Read every clip of the corpus and take its cycles and standing poses."""
    tell = progress or (lambda share, work: None)
    parts = []
    for number, performer in enumerate(corpus.performers):
        tell(number / len(corpus.performers), performer.name)
        parts.append(performer_material(performer))
    return Material(
        units=tuple(unit for part in parts for unit in part.units),
        stands={name: stand for part in parts for name, stand in part.stands.items()},
        rejections=tuple(one for part in parts for one in part.rejections),
        repairs=sum(part.repairs for part in parts),
        skipped=tuple(one for part in parts for one in part.skipped),
    )


def performer_material(performer: Performer) -> Material:
    """The cycles and the standing pose of one performer, set right and with planted feet."""
    captures: dict[Clip, Capture] = {}
    skipped: list[Skipped] = []
    repairs = 0
    for clip in dict.fromkeys(performer.walk + performer.run + performer.stand):
        options = {"drop_tpose": True} if ".bvh" in clip.path.name else {}
        try:
            captures[clip], repaired = captured(load(clip.path, **options), performer.hip_height)
        except LocomoteError as error:
            skipped.append(Skipped(f"clip {clip.name}", str(error)))
        else:
            repairs += repaired
    takes = [
        Take(clip.name, what, captures[clip], clip.belt)
        for what in (*GAITS, "stand")
        for clip in getattr(performer, what)
        if clip in captures
    ]
    return material_of(performer.name, takes, skipped, repairs)


def captured(motion: Motion, hip_height: float | None = None) -> tuple[Capture, int]:
    """A motion on the common skeleton with holes and spikes repaired, and how many values that replaced."""
    capture, repairs = cleaned(import_motion(motion, hip_height=hip_height))
    return capture, repairs.count


def material_of(performer: str, takes: Sequence[Take], skipped: Sequence[Skipped] = (), repairs: int = 0) -> Material:
    """The cycles and the standing pose in the takes of ONE performer, set right and with planted feet."""
    units: list[Unit] = []
    rejections: list[Rejection] = []
    empty = list(skipped)
    stills: list[Stand] = []
    for take in takes:
        if take.gait == "stand":
            still = find_stand(take.capture)
            if still is None:
                empty.append(Skipped(f"clip {take.name}", "nobody stands still on both feet in it"))
            else:
                stills.append(still)
            continue
        found, turned_down = find_units(take.capture, performer, take.name, take.gait, take.belt)
        units += found
        rejections += turned_down
        if not found:
            empty.append(Skipped(f"clip {take.name}", _no_cycle(turned_down)))
    if not units:
        empty.append(Skipped(f"performer {performer!r}", "no clean cycle in any of their clips"))
        return Material((), {}, tuple(rejections), repairs, tuple(empty))
    stands = {}
    if stills:
        best = min(stills, key=lambda stand: stand.stillness)
        stands[performer] = settled(best, Calibration.of(units))
    own = tuple(planted(unit) for unit in calibrated(units))
    return Material(own, stands, tuple(rejections), repairs, tuple(empty))


def told(skipped: Sequence[Skipped]) -> str:
    """What was skipped, in one line that stays short however much it is."""
    more = [f"and {len(skipped) - MOST_TOLD} more"] if len(skipped) > MOST_TOLD else []
    return "; ".join([*(str(one) for one in skipped[:MOST_TOLD]), *more])


def _no_cycle(turned_down: Sequence[Rejection]) -> str:
    """Why a clip gave no cycle, the most frequent reason first."""
    reasons = Counter(one.reason for one in turned_down).most_common()
    told = ", ".join(reason if count == 1 else f"{reason} ({count})" for reason, count in reasons)
    return f"no clean cycle: {told}" if told else "no clean cycle: no two strikes of a foot in it"
