"""The thresholds of the contact detector, with their meaning and unit."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Lengths and speeds are for a leg of 0.9 m: lengths scale with the leg, speeds and times with its root.

    Speeds at which a foot lands and leaves are shares of the peak speed of the swing beside it: a fixed speed
    that suits a stroll cuts the contacts of a run short and joins small slow steps into one.
    """

    # A foot surely rests on the ground where a low point of it is slow for a while: the core of a contact.
    core_speed: float = 0.40  # m/s
    core_share: float = 0.08  # of the fastest the foot gets nearby, for a run in which no point ever quite rests
    core_height: float = 0.06  # m
    core_time: float = 0.03  # s
    # Two cores are one contact if closer than any swing, or if the ball stays slow and low between them.
    least_swing: float = 0.10  # s
    still_speed: float = 0.45  # m/s
    still_share: float = 0.25  # of the fastest the foot gets nearby
    still_height: float = 0.10  # m
    # From its core a contact reaches out to where no low point of the foot is slow enough any more.
    strike_height: float = 0.05  # m
    strike_factor: float = 0.107  # where it is slower than factor * (peak speed of the swing in m/s) ** power
    strike_power: float = 1.5
    most_strike_share: float = 0.25  # of the peak speed, for the fastest runs
    # It ends, the other foot standing, as the foot stops to roll over its toes, between two speeds.
    off_height: float = 0.08  # m
    roll_factor: float = 1.5  # where the heel turns up slower than factor * (its greatest rate in rad/s) ** power
    roll_power: float = 0.5
    most_roll_share: float = 0.8  # of the greatest rate, of feet that hardly roll
    off_shares: tuple[float, float] = (0.08, 0.51)  # of the swing's peak speed
    least_roll: float = 1.0  # rad/s; a foot that turns slower does not roll, and leaves at a speed
    least_roll_swing: float = 1.5  # m/s, its peak; nor does one that shuffles along
    off_share: float = 0.36  # of the swing's peak speed
    run_off_factor: float = 0.045  # leaving into a flight: factor * (peak speed in m/s) ** power
    run_off_power: float = 1.7
    # What is shorter is no contact: a foot that hesitates low over the floor.
    least_contact: float = 0.04  # s
    # A foot comes or goes in flight where both feet are down for less; contacts are not known better.
    double_support: float = 0.03  # s
    # Beside a slower swing there is no run, and any time with both feet down counts.
    run_peak: float = 4.5  # m/s
    # Within a contact: where the forefoot is down, and where the heel is up.
    touch_height: float = 0.010  # m
    # Whether a foot that stands exactly still, as in animation, lands where it comes to rest and leaves from there.
    # Captured feet are never that still: without it both are judged alike, by their speeds.
    stillness: bool = True
    # The local parabola from which speeds are read.
    speed_window: float = 0.08  # s

    @classmethod
    def for_quadrupeds(cls) -> Settings:
        """Animal rigs have their last joint anywhere in the paw: it sinks by centimetres under load."""
        return cls(
            core_height=0.16,
            still_height=0.18,
            strike_height=0.16,
            off_height=0.16,
            strike_factor=0.30,
            strike_power=1.0,
            most_strike_share=0.30,
            off_share=0.51,
        )
