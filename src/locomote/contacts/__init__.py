"""Where and when feet touch the ground: the floor, contacts, gait events, cycles and phase."""

from locomote.contacts.cycles import Cycle, cycles, label_at_phase, phase
from locomote.contacts.detector import detect, detect_points
from locomote.contacts.feet import foot_points
from locomote.contacts.floor import Floor, fit_floor
from locomote.contacts.records import Contacts, Event
from locomote.contacts.settings import Settings

__all__ = [
    "Contacts",
    "Cycle",
    "Event",
    "Floor",
    "Settings",
    "cycles",
    "detect",
    "detect_points",
    "fit_floor",
    "foot_points",
    "label_at_phase",
    "phase",
]
