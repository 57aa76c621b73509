"""What the site has beside docs/*.md: a page for every façade, one of all verbs, notebooks, and files that pages name.

A hook of MkDocs (mkdocs.yml). An entry of the navigation that ends in * stands for all pages of that folder that
no other entry names.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
PRIVATE = re.compile(r"\._|\.cli\b|\.math\b")
LINK = re.compile(r"(?<=\]\()(?:\.\./)+(?=[\w.]+/|[A-Z]+\.md)[^)\s#]+")
COMMANDS = "reference/command-line.md"


def facades() -> list[str]:
    """The packages and modules that list what is public."""
    names = []
    for path in sorted((ROOT / "src" / "locomote").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        if not PRIVATE.search(name) and "\n__all__ = [" in path.read_text(encoding="utf-8"):
            names.append(name)
    return names


def command_line() -> str:
    """The page of every verb, as ``--help`` has it."""
    import click
    import typer

    from locomote.cli import app

    def told(command: Any, name: str, level: int) -> list[str]:
        context = click.Context(command, info_name=name, terminal_width=100)
        lines = [f"{'#' * level} {name}", "", (command.help or "").strip(), ""]
        options = [each.get_help_record(context) for each in command.get_params(context)]
        usage = " ".join(command.collect_usage_pieces(context))
        lines += ["```text", f"{name} {usage}", "```", ""]
        rows = [row for row in options if row is not None and not row[0].endswith("--help")]
        if rows:
            lines += ["| option | about |", "|---|---|"]
            lines += [f"| `{a.replace('|', chr(92) + '|')}` | {_cell(b)} |" for a, b in rows]
            lines.append("")
        for verb, each in getattr(command, "commands", {}).items():
            lines += told(each, f"{name} {verb}", level + 1)
        return lines

    lines = [
        "# The command line",
        "",
        "Exit codes: 0 done, 1 a check failed, 2 bad input. Results go to standard output,",
    ]
    lines += ["messages to standard error.", "", *told(typer.main.get_command(app), "locomote", 2)]
    return "\n".join(lines)


def notebook_page(path: Path) -> str:
    """A notebook as a page: its text and its code."""
    pieces = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        text = "".join(cell["source"])
        pieces.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    pieces.append(f"[The notebook itself]({path.name}): players show where it runs.")
    return "\n\n".join(pieces) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _paths(nav: Any) -> list[str]:
    """All pages that a navigation names."""
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [path for part in parts for path in _paths(part)]


def _spread(nav: Any, folders: dict[str, list[str]]) -> Any:
    """The navigation with its entries ``folder/*`` replaced by pages."""
    if isinstance(nav, dict):
        return {title: _spread(part, folders) for title, part in nav.items()}
    if isinstance(nav, list):
        out: list[Any] = []
        for part in nav:
            out.extend(
                folders[part[:-2]] if isinstance(part, str) and part.endswith("/*") else [_spread(part, folders)]
            )
        return out
    return nav


def navigation(nav: Any) -> Any:
    """The navigation of mkdocs.yml with all its pages."""
    named = set(_paths(nav))
    found = {name for name in _paths(nav) if name.endswith("/*")}
    folders = {}
    for folder in (name[:-2] for name in found):
        here = {f"{folder}/{path.name}" for path in (ROOT / "docs" / folder).glob("*.md")}
        here |= {f"{folder}/{path.stem}.md" for path in (ROOT / "docs" / folder).glob("*.ipynb")}
        if folder == "reference":
            here |= {f"reference/{name}.md" for name in facades()}
        folders[folder] = sorted(here - named, key=lambda page: page.removesuffix(".md"))
    return _spread(nav, folders)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill in the pages of folders."""
    config.nav = navigation(config.nav)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made, and the files that pages name."""
    for name in facades():
        page = f"# {name}\n\n::: {name}\n"
        files.append(File.generated(config, f"reference/{name}.md", content=page))
    files.append(File.generated(config, COMMANDS, content=command_line()))
    for path in sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")):
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=notebook_page(path)))
    named = {page for page in _paths(config.nav) if page.startswith("repository/")}
    for page in (ROOT / "docs").rglob("*.md"):
        inside = (_inside(page, link) for link in LINK.findall(page.read_text(encoding="utf-8")))
        named |= {path for path in inside if path is not None}
    for path in sorted(named):
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path.removeprefix("repository/"))))
    return files


def _inside(page: Path, link: str) -> str | None:
    """Where the site has what a link out of docs/ leads to."""
    target = (page.parent / link).resolve()
    if target.is_relative_to(ROOT / "docs") or not target.is_file():
        return None
    return f"repository/{target.relative_to(ROOT).as_posix()}"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead the links that leave docs/ to the copies of what they name."""
    source = page.file.src_uri
    if source.startswith("repository/"):  # written to be read at the root of the repository
        return markdown.replace("](docs/", "](../")
    here = Path(config.docs_dir) / source

    def led(match: re.Match[str]) -> str:
        copy = _inside(here, match[0])
        return match[0] if copy is None else posixpath.relpath(copy, posixpath.dirname(source) or ".")

    return LINK.sub(led, markdown)
