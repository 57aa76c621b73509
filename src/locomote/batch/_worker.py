"""What a process of `Workers` does: tasks from its standard input, answers to its standard output, one at a time."""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any


def main() -> None:
    """Serve until there is nothing more to read: whoever started this has finished, or is no more."""
    warnings.simplefilter("ignore")  # they would run into the progress of the one process that talks
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what libraries print is no answer
    tasks: SimpleQueue[Any] = SimpleQueue()
    Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        function, given, named = tasks.get()
        try:
            answer = True, function(*given, **named)
        except BaseException as error:  # a process that died of it could not say so
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers)
        answers.flush()


def _listen(source: IO[bytes], tasks: SimpleQueue[Any]) -> None:
    """Read ahead, so that the end is noticed in the middle of a task."""
    while True:
        try:
            tasks.put(pickle.load(source))
        except EOFError:
            os._exit(0)
        except BaseException:  # a task that cannot be understood here
            os._exit(3)


if __name__ == "__main__":
    main()
