"""Decimal numbers out of text, correctly rounded."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.math._compile import kernel

# Up to here powers of ten are exact in float64, so that one product or quotient with an exact integer is rounded once.
_POWERS = np.array([10.0**k for k in range(23)])
_MOST_DIGITS = 15  # significant digits that always fit exactly into float64


@kernel
def parse_decimals(text: npt.NDArray[np.uint8], out: npt.NDArray[np.float64]) -> int:
    """Fill ``out`` with the numbers in ``text``, which are parted by white space, and return how many there are.

    Returns -1 where the text is anything but plain numbers, where one has more than 15 digits or a power of ten past
    22, and where ``out`` is too short: such text wants a slower, more patient reader.
    """
    size, count, i = text.size, 0, 0
    while True:
        while i < size and (text[i] == 32 or 9 <= text[i] <= 13):
            i += 1
        if i == size:
            return count
        if count == out.size:
            return -1
        negative = text[i] == 45
        if negative or text[i] == 43:
            i += 1
        mantissa, digits, power, seen, point = np.int64(0), 0, np.int64(0), False, False
        while i < size:
            digit = np.int64(text[i]) - 48
            if 0 <= digit <= 9:
                seen = True
                mantissa = 10 * mantissa + digit
                digits += 1 if mantissa else 0
                power -= 1 if point else 0
                if digits > _MOST_DIGITS:
                    return -1
            elif text[i] == 46 and not point:
                point = True
            else:
                break
            i += 1
        if not seen:
            return -1
        if i < size and (text[i] == 101 or text[i] == 69):  # an exponent
            i += 1
            down = i < size and text[i] == 45
            if i < size and (text[i] == 45 or text[i] == 43):
                i += 1
            exponent, begin = np.int64(0), i
            while i < size and 48 <= text[i] <= 57 and exponent < 1000:
                exponent = 10 * exponent + np.int64(text[i]) - 48
                i += 1
            if i == begin:
                return -1
            power += -exponent if down else exponent
        if i < size and not (text[i] == 32 or 9 <= text[i] <= 13):
            return -1
        value = np.float64(mantissa)
        if power < 0:
            if power < -22:
                return -1
            value /= _POWERS[-power]
        elif power > 0:
            if power > 22:
                return -1
            value *= _POWERS[power]
        out[count] = -value if negative else value
        count += 1
