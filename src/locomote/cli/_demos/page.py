"""One HTML page, without scripts or links to elsewhere, that shows clips with their films, figures and files."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path

from locomote.measures import FIGURES, Measures

SHOWN = (
    "speed",
    "cadence",
    "step_length",
    "duty_factor",
    "double_support",
    "flight",
    "drift_p95",
    "penetration",
    "skate_contact",
    "pops",
)

STYLE = """
:root { color-scheme: light; --ink: #1c2430; --soft: #667085; --line: #e4e7ec; --paper: #ffffff; --wash: #f6f7f9; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--wash); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 20px 80px; }
h1 { font-size: 34px; margin: 0 0 4px; } h2 { font-size: 21px; margin: 0 0 14px; }
p.lead { color: var(--soft); margin: 0 0 28px; max-width: 60ch; }
section { background: var(--paper); border: 1px solid var(--line); border-radius: 14px; padding: 22px;
  margin: 0 0 24px; }
.row { display: grid; grid-template-columns: minmax(0, 640px) minmax(240px, 1fr); gap: 24px; align-items: start; }
@media (max-width: 860px) { .row { grid-template-columns: 1fr; } }
img { width: 100%; height: auto; border-radius: 10px; display: block; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
section p { margin: 0 0 14px; }
td { padding: 5px 0; border-bottom: 1px solid var(--line); }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.u { color: var(--soft); padding-left: 8px; width: 5em; }
details { margin-top: 16px; } summary { cursor: pointer; color: var(--soft); }
.files a { display: inline-block; margin: 12px 10px 0 0; padding: 3px 10px; border: 1px solid var(--line);
  border-radius: 999px; color: var(--ink); text-decoration: none; font-size: 13px; }
.files a:hover { background: var(--wash); }
"""


LEADS = {
    "walking": """People who walk and run as they are told: any speed, any turn, many manners and sizes, from one small
model. Planted feet are green and stay where they are, on level floors, stairs and slopes. Every clip is there in
several formats for your own tools. Jumps and obstacles: <code>locomote demo obstacles</code>; steps to
the point: <code>locomote demo stones</code>.""",
    "obstacles": """People who meet what is in their way: they step or jump over it, run up to it where a walk is too
slow for the jump, go round it, or stop; and they keep out of one another's way. Planted feet are green.""",
    "stones": """People who step exactly where they are told: stones over water, uneven ground, stairs, a path. Every
step is blended from recorded ones so that the ball of the foot lands on its mark.""",
    "creatures": """Creatures with any number of legs over any ground, with no recorded motion at all: gaits say when a
foot swings, and every foot looks for its own way to the best place to stand. Yours from any rig:
<code>locomote creature rig.glb -o out.glb</code>.""",
    "wind": """Trees that sway in a wind which one steers: their branches are beams, their lowest natural vibrations are
worked out once, and thousands of them move live. Yours: <code>locomote wind oak --speed 0:2,5:12 -o oak.glb</code>.""",
}


@dataclass(frozen=True)
class DemoClip:
    """What the page shows: NAME.webp lies beside it, and NAME.png, a sheet, where there are figures."""

    name: str
    title: str
    text: str
    files: tuple[str, ...]
    figures: Measures | None = None
    facts: tuple[tuple[str, str, str], ...] = ()  # name, value and unit: in place of figures


def write_page(folder: Path, clips: list[DemoClip], lead: str = LEADS["walking"]) -> Path:
    """Write ``index.html`` into ``folder``."""
    sections = "\n".join(_section(clip) for clip in clips)
    page = folder / "index.html"
    page.write_text(
        f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>locomote demo</title>
<style>{STYLE}</style>
<main>
<h1>locomote</h1>
<p class="lead">{lead}</p>
{sections}
</main>
</html>
""",
        encoding="utf-8",
    )
    return page


def _section(clip: DemoClip) -> str:
    links = " ".join(f'<a href="{escape(file)}">{escape(file)}</a>' for file in clip.files)
    name, title = escape(clip.name), escape(clip.title)
    text = f"<p>{escape(clip.text)}</p>" if clip.text else ""
    table = sheet = ""
    if clip.facts:
        table = f"<table>{''.join(_fact(*fact) for fact in clip.facts)}</table>"
    if clip.figures is not None:
        rows = "\n".join(_row(figure, getattr(clip.figures, figure)) for figure in SHOWN)
        table = f"<table>{rows}</table>"
        sheet = f"""<details><summary>Sheet: poses, footprints, heights and speeds of the feet</summary>
<img src="{name}.png" alt="Sheet of {title}" loading="lazy"></details>"""
    return f"""<section>
<h2>{title}</h2>
<div class="row">
<div><img src="{name}.webp" alt="{title}" loading="lazy"></div>
<div>{text}{table}<div class="files">{links}</div></div>
</div>
{sheet}
</section>"""


def _row(name: str, value: float | int | None) -> str:
    unit, meaning = FIGURES[name]
    shown = "–" if value is None else f"{round(value, 3):.3g}" if isinstance(value, float) else str(value)
    return _fact(name.replace("_", " "), shown, unit, meaning)


def _fact(name: str, value: str, unit: str, meaning: str = "") -> str:
    cells = f'<td>{escape(name)}</td><td class="n">{escape(value)}</td><td class="u">{escape(unit)}</td>'
    title = f' title="{escape(meaning)}"' if meaning else ""
    return f"<tr{title}>{cells}</tr>"
