"""What is wrong, in the words of the command line: options instead of Python's keywords, one line for wrong usage."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# How the parser of the command line says it, and how this package does.
_PHRASES = (
    (r"Input should be a valid number.*", "expected a number"),
    (r"Input should be a valid integer.*", "expected a whole number"),
    (r"Input should be less than or equal to ", "expected at most "),
    (r"Input should be greater than or equal to ", "expected at least "),
    (r"Input should be less than ", "expected less than "),
    (r"Input should be greater than ", "expected more than "),
    (r"Input should be ", "expected "),
    (r"^No such (command|option):? '?([^' .]+)'?", r"no \1 \2"),
    (r"\. Did you mean", "; did you mean"),
    (r"^(Missing|Option|Got)\b", lambda found: found[0].lower()),
)


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


def of_usage(error: Any, arguments: Sequence[str]) -> str:
    """What is wrong with what was typed, and where to read how it is used, in one line.

    Parameters
    ----------
    error : of the parser of the command line; empty where it has shown the help already
    arguments : of the command line
    """
    said = " ".join(error.format_message().split()).removesuffix(".")
    if not said:
        return ""
    if wrong := re.fullmatch(r"Invalid value for '([^']+)'(?: / '[^']+')*: (.*)", said):
        given = _given(wrong[1], arguments)
        said = f"{wrong[1]}{given}: {wrong[2]}" if not wrong[2].startswith(wrong[1]) else wrong[2]
    for pattern, ours in _PHRASES:
        said = re.sub(pattern, ours, said)
    context = getattr(error, "ctx", None)
    if context is not None:
        verb = context.command_path.removeprefix(context.find_root().command_path).strip()
    else:  # an option at the end
        verb = next((word for word in arguments[:1] if not word.startswith("-")), "")
    words = " ".join(filter(None, ["locomote", verb, "-h"]))
    return f"{verb}: {said}; {words} has the help" if verb else f"{said}; {words} has the help"


def _given(option: str, arguments: Sequence[str]) -> str:
    """What was given for an option, with a space before it."""
    for word, after in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == option and after:
            return f" {after}"
        if word.startswith(f"{option}="):
            return f" {word.partition('=')[2]}"
    return ""
