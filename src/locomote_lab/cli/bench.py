"""``python -m locomote_lab bench``: how fast and how good it is on this machine, beside published figures."""

from __future__ import annotations

import json
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._human import make_folder
from locomote.cli._shared import Json, Quiet, progress, say

if TYPE_CHECKING:
    from locomote_lab.cli.creature_bench import Table

app = typer.Typer(
    help="Measure how fast and how good it is on this machine.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Output = Annotated[Path, typer.Option("-o", "--output", help="Folder for the page, its figures and plots.")]
Quick = Annotated[bool, typer.Option("--quick", help="Less of everything: to see that it works.")]


@app.callback()
def _group() -> None:
    pass


@app.command("creatures")
def creatures(
    output: Output = Path("out") / "bench",
    quick: Quick = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Every published figure of creatures beside ours: a hundred among crates, growth, effects, pendulums."""
    from locomote_lab.cli import creature_bench as bench

    make_folder(output)
    with progress("measuring creatures", quiet or as_json) as step:
        results = bench.measure(quick, step)
        pictures = bench.draw(results, output)
    found = [*bench.tables(results), *bench.published(results.size)]
    figures = json.dumps(bench.as_dict(results), indent=2)
    (output / "creatures.json").write_text(figures, encoding="utf-8")
    page = output / "creatures.md"
    page.write_text(_page("Creatures", bench.METHOD, found, pictures), encoding="utf-8")
    typer.echo(figures if as_json else page.read_text(encoding="utf-8"))
    say(str(page), quiet or as_json)


def _page(title: str, method: str, tables: list[Table], pictures: list[tuple[str, str]]) -> str:
    """A page of tables and pictures."""
    parts = [f"# {title}", method]
    for caption, head, rows in tables:
        lines = [head, ["---"] * len(head), *rows]
        parts += [f"## {caption}", "\n".join("| " + " | ".join(row) + " |" for row in lines)]
    parts += [f"![{text}]({name})" for name, text in pictures]
    machine = platform.processor() or platform.machine()
    parts.append(f"Measured on {machine}, {platform.system()}, Python {platform.python_version()}.")
    return "\n\n".join(parts) + "\n"
