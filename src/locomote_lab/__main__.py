"""The verbs of those who judge locomote: ``python -m locomote_lab VERB ...``, or ``python3 tasks.py lab VERB ...``."""

from __future__ import annotations

import typer

from locomote.cli._shared import fail
from locomote.errors import LocomoteError
from locomote_lab.cli import bench, study, validate

app = typer.Typer(
    name="locomote_lab",
    help="How good and how fast locomote is: validation, studies, test beds.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("validate")(validate.validate)
app.command("study")(study.study)
app.add_typer(bench.app, name="bench")


def main() -> None:
    """Run a verb; every foreseen error is one line and exit code 2."""
    try:
        app()
    except LocomoteError as error:
        fail(str(error))


if __name__ == "__main__":
    main()
