"""Steps of damped oscillators, many at a time: exact for any step."""

from __future__ import annotations

import numpy as np

from locomote.modal.trees._kernels.bank import BACK, GAIN, KEEP, LEFT, STEPS
from locomote.rotations import FloatArray

_MOST = 0.999  # damping ratio; what is damped more hardly differs


def transitions(rates: FloatArray, gammas: FloatArray, seconds: FloatArray) -> FloatArray:
    """Tables ``(R, STEPS, M)`` that bring oscillators on: rates rad/s and dampings 1/s ``(M,)``, times ``(R,)``.

    The same as `pendulums.Spring.transition` for each of them.
    """
    dt = seconds[:, None]
    decaying = np.minimum(0.5 * gammas, _MOST * rates)
    swinging = np.sqrt(rates**2 - decaying**2)
    decay, angle = np.exp(-decaying * dt), swinging * dt
    sine, cosine = np.sin(angle) / swinging, np.cos(angle)
    out = np.empty((len(seconds), STEPS, len(rates)))
    out[:, KEEP] = decay * (cosine + decaying * sine)
    out[:, GAIN] = decay * sine
    out[:, BACK] = -decay * rates**2 * sine
    out[:, LEFT] = decay * (cosine - decaying * sine)
    return out
