"""Pack what other programs install: ``python3 tasks.py addons`` writes it into ``dist``.

Blender's zip brings locomote itself and SciPy as wheels, because Blender has NumPy only; SciPy makes it a zip for the
platform and the Python it was packed on and for. ``--python 3.13`` is for Blender from 5.1 on.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
INTEGRATIONS = HERE / "integrations"
BLENDER = INTEGRATIONS / "blender" / "locomote_blender"
PYTHON = "3.11"  # of Blender 4.2 to 5.0
LEFT_OUT = ("__pycache__",)


def wheels(folder: Path, python: str, scipy: bool) -> list[Path]:
    """The wheels that Blender's add-on needs, made or fetched into a folder."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(HERE)], check=True)
    if scipy:
        binary = ["--only-binary=:all:", "--no-deps", "--python-version", python]
        subprocess.run([*pip, "download", *binary, "--dest", str(folder), "scipy>=1.12"], check=True)
    return sorted(folder.glob("*.whl"))


def files_of(folder: Path) -> list[Path]:
    """The files of an add-on."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not set(LEFT_OUT) & set(path.parts))


def pack_blender(out: Path, python: str, scipy: bool) -> Path:
    """Write the zip that Blender installs."""
    made = out / "locomote_blender.zip"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        brought = wheels(Path(folder), python, scipy)
        for path in files_of(BLENDER):
            text = path.read_text()
            if path.name == "blender_manifest.toml":
                listed = ", ".join(f'"./wheels/{each.name}"' for each in brought)
                text = text.replace("\n[permissions]", f"wheels = [{listed}]\n\n[permissions]")
            archive.writestr(str(path.relative_to(BLENDER)), text)
        for each in brought:
            archive.write(each, f"wheels/{each.name}", zipfile.ZIP_STORED)
    return made


def main() -> None:
    """Pack all add-ons that there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=PYTHON, help="of the Blender that the zip is for")
    parser.add_argument("--no-scipy", action="store_true", help="a small zip; retargeting then only works live")
    parser.add_argument("--out", type=Path, default=HERE / "dist")
    told = parser.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    print(pack_blender(told.out, told.python, not told.no_scipy))


if __name__ == "__main__":
    main()
