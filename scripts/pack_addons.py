"""Pack what other programs install: ``python3 tasks.py addons`` writes it into ``dist``.

A zip for Godot has the folder ``addons/locomote``; a tarball for Unity's package manager has the package, and what
Unity wants to know of each of its files.

Blender's zip brings locomote itself and SciPy as wheels, because Blender has NumPy only; SciPy makes it a zip for the
platform and the Python it was packed on and for. ``--python 3.13`` is for Blender from 5.1 on.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
INTEGRATIONS = HERE / "integrations"
BLENDER = INTEGRATIONS / "blender" / "locomote_blender"
GODOT = INTEGRATIONS / "godot"
UNITY = INTEGRATIONS / "unity" / "com.locomote.stream"
PROGRAMS = ("blender", "godot", "unity")
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


def pack_godot(out: Path) -> Path:
    """Write the zip that is unpacked into a project of Godot."""
    made = out / "locomote_godot.zip"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files_of(GODOT):
            # One date for all: the same files make the same zip.
            archive.writestr(zipfile.ZipInfo(path.relative_to(GODOT).as_posix()), path.read_bytes())
    return made


def meta(name: str, folder: bool) -> str:
    """What Unity keeps of a file: a name by which scenes find it, the same wherever it is packed."""
    guid = hashlib.md5(f"{UNITY.name}/{name}".encode(), usedforsecurity=False).hexdigest()
    kinds = {".cs": "MonoImporter", ".asmdef": "AssemblyDefinitionImporter", ".md": "TextScriptImporter"}
    kind = "DefaultImporter" if folder else kinds.get(Path(name).suffix, "PackageManifestImporter")
    lines = ["fileFormatVersion: 2", f"guid: {guid}", *(["folderAsset: yes"] if folder else []), f"{kind}:"]
    return "\n".join([*lines, "  externalObjects: {}", ""])


def pack_unity(out: Path) -> Path:
    """Write the tarball that Unity's package manager installs.

    A package that is installed so may not be written to: Unity passes over files that bring no ``.meta``. Folders whose
    names end in ``~``, the samples, are copied by it and get theirs then.
    """
    version = json.loads((UNITY / "package.json").read_text())["version"]
    made = out / f"{UNITY.name}-{version}.tgz"
    contents: dict[str, bytes] = {}
    for path in files_of(UNITY):
        name = path.relative_to(UNITY).as_posix()
        contents[name] = path.read_bytes()
        if "~" not in name:
            contents[f"{name}.meta"] = meta(name, folder=False).encode()
            for above in list(Path(name).parents)[:-1]:
                contents[f"{above.as_posix()}.meta"] = meta(above.as_posix(), folder=True).encode()
    with (
        made.open("wb") as file,
        gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, data in sorted(contents.items()):
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return made


def main() -> None:
    """Pack all add-ons that there are."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=PYTHON, help="of the Blender that the zip is for")
    parser.add_argument("--no-scipy", action="store_true", help="a small zip; retargeting then only works live")
    parser.add_argument("--only", choices=PROGRAMS, action="append", help="what to pack; repeatable")
    parser.add_argument("--out", type=Path, default=HERE / "dist")
    told = parser.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    only = told.only or PROGRAMS
    if "blender" in only:
        print(pack_blender(told.out, told.python, not told.no_scipy))
    if "godot" in only:
        print(pack_godot(told.out))
    if "unity" in only:
        print(pack_unity(told.out))


if __name__ == "__main__":
    main()
