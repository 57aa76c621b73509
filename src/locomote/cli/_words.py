"""Errors of the library in the words of the command line: options instead of Python's keywords."""

from __future__ import annotations

import re
from collections.abc import Sequence


def in_options(message: str, arguments: Sequence[str]) -> str:
    """A message in which the keywords behind the options that were given are named as these options are.

    Parameters
    ----------
    message : of an error
    arguments : of the command line
    """
    for word in arguments:
        if not re.fullmatch(r"--[a-z][a-z-]*(=.*)?", word, re.DOTALL):
            continue
        option = word.partition("=")[0]
        keyword = option[2:].replace("-", "_")
        told = rf"(^|: |; ){re.escape(keyword)}(?:=| )(?=['\"]|-?\d|must\b)"
        message = re.sub(told, rf"\g<1>{option} ", message, count=1)
        message = message.replace(f"option {keyword!r}", f"option {option}")
    return message
