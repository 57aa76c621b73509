"""One verb for many files."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Mapping
from inspect import Parameter
from pathlib import Path
from typing import Any

from locomote.batch._inputs import checked_extension, items_of
from locomote.batch._loop import Batch, Entry, Job, Progress, Setup, failed, work_off
from locomote.batch._table import figures_of
from locomote.batch._verbs import VERBS, Verb, own_options, work_on
from locomote.errors import LocomoteError

Sources = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def run(
    verb: str,
    sources: Sources,
    output: str | os.PathLike[str],
    *,
    to: str | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    again: bool = False,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> Batch:
    """Clean, measure, retarget or convert many files, or find their contacts.

    The bytes of all results are the same for any number of workers and after any number of attempts. A file of which
    nothing can be made is told among the failures, and tried again the next time. Options are those of the command
    line as keywords, such as ``keep_tpose=True`` or ``rig="hero.glb"``.

    Parameters
    ----------
    verb : "clean", "measure", "retarget", "convert" or "contacts"
    sources : files, folders and patterns such as "clips/**/*.bvh"
    output : folder of the results; folders of the sources are mirrored there
    to : extension of the files that are written; without it that of each source
    workers : processes; one for each core without it
    cluster : address of a Dask scheduler, in place of processes here
    again : do also what was done before
    progress : called as files are finished
    """
    if verb not in VERBS:
        raise LocomoteError(f"batch {verb}: expected one of {', '.join(VERBS)}")
    chosen, folder = VERBS[verb], Path(output)
    own = _checked(verb, chosen, options)
    extension = checked_extension(to, verb, chosen.extensions)
    items = items_of([sources] if isinstance(sources, (str, os.PathLike)) else sources, folder, extension)
    if not items:
        raise LocomoteError(f"batch {verb}: all files lie in the folder of the results, {folder}; give another")
    jobs = [
        Job(
            item.output,
            _about(item.path),
            perform,
            (verb, str(item.path), str(item.path.absolute()), str((folder / item.output).absolute()), own),
        )
        for item in items
    ]
    head = head_of(verb, {"to": extension, **{n: v for n, v in own.items() if v != chosen.options[n]}})
    return work_off(folder, head, jobs, Setup(workers, cluster, again, progress), chosen.kernels)


def perform(verb: str, told: str, source: str, target: str, options: Mapping[str, Any]) -> Entry:
    """What a worker does with a file; whatever goes wrong is an outcome.

    Parameters
    ----------
    verb : of `VERBS`
    told : the name of the file in what is told
    source, target : the file, and the one to write, absolute
    options : of the verb
    """
    try:
        done = work_on(VERBS[verb], Path(source), Path(target), options)
    except LocomoteError as error:
        return failed(str(error).replace(source, told))
    except MemoryError:
        return failed(f"{told}: does not fit into memory")
    except Exception as error:  # a fault of ours must not stop the others
        return failed(f"{told}: {type(error).__name__}: {error}")
    notes = [note.replace(source, told) for note in done.notes]
    return {"status": "done", "figures": figures_of(done.report), **({"notes": notes} if notes else {})}


def head_of(verb: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """What the results of a batch depend on besides the files: nothing but this is kept when it goes on.

    Parameters
    ----------
    verb : what is done
    options : and how; of a file it is what the file says that counts
    """
    from locomote import __version__

    told = {name: _told(value) if isinstance(value, Path) else value for name, value in options.items()}
    return {"verb": verb, "locomote": __version__, "options": told}


def _told(path: Path) -> dict[str, Any]:
    try:
        return {"file": path.name, "crc32": zlib.crc32(path.read_bytes())}
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror}") from None


def _checked(verb: str, chosen: Verb, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options that the verb has, with files as they are called from everywhere."""
    for name in options:
        if name not in chosen.options:
            raise LocomoteError(f"batch {verb}: there is no option {name!r}; there are: {', '.join(chosen.options)}")
    own = {name: _path(value) if name in chosen.files else value for name, value in options.items()}
    for name, default in chosen.options.items():
        if default is Parameter.empty and own.get(name) is None:
            raise LocomoteError(f"batch {verb}: --{name} is missing")
    own_options(chosen, own)  # what is wrong with it is wrong for all files
    return own


def _path(value: str | os.PathLike[str] | None) -> Path | None:
    return None if value is None else Path(value).absolute()


def _about(path: Path) -> Entry:
    try:
        return {"file": path.as_posix(), "size": path.stat().st_size}
    except OSError:  # gone meanwhile, which its worker will say
        return {"file": path.as_posix()}
