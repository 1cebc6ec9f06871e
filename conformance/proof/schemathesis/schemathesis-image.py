"""Writes a file system with this Python and Schemathesis to standard output, as a tar for `docker import`.

The Docker test uses it because it can't reach a registry. Run it with a Python that has Schemathesis.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from pathlib import Path

PREFIX = Path("/python")
# Large parts of the standard library that Schemathesis does not use.
LEFT_OUT = {"test", "site-packages", "ensurepip", "idlelib", "tkinter", "lib2to3", "__pycache__"}


def distributions(name: str, seen: dict[str, importlib.metadata.Distribution]) -> None:
    """Collects a package and its dependencies."""
    if name.lower() in seen:
        return
    try:
        found = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        # The requirement is for another version of Python.
        return
    seen[name.lower()] = found
    for requirement in found.requires or []:
        if "extra ==" not in requirement:
            distributions(re.split(r"[\s;<>=!~\[(]", requirement)[0], seen)


def packages() -> Iterator[tuple[Path, Path]]:
    site = Path(sysconfig.get_path("purelib"))
    inside = PREFIX / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    found: dict[str, importlib.metadata.Distribution] = {}
    distributions("schemathesis", found)
    for each in found.values():
        for file in each.files or []:
            path = Path(str(each.locate_file(file))).resolve()
            if path.is_relative_to(site) and path.is_file():
                yield path, inside / path.relative_to(site)


def standard_library() -> Iterator[tuple[Path, Path]]:
    root = Path(sysconfig.get_path("stdlib"))
    for path in root.rglob("*"):
        parts = path.relative_to(root).parts
        if path.is_file() and not LEFT_OUT.intersection(parts) and not parts[0].startswith("config-"):
            yield path, PREFIX / "lib" / root.name / path.relative_to(root)


def shared_libraries(files: list[Path]) -> Iterator[tuple[Path, Path]]:
    """Lists shared libraries. Python's own are moved next to its executable."""
    said = subprocess.run(["ldd", *map(str, files)], capture_output=True, text=True, check=False).stdout
    for name in sorted(set(re.findall(r"(?:=> |\t)(/\S+)", said))):
        is_own = Path(name).is_relative_to(sys.base_prefix)
        yield Path(name).resolve(), PREFIX / "lib" / Path(name).name if is_own else Path(name)


def main() -> None:
    python = Path(sys.executable).resolve()
    files = [(python, PREFIX / "bin" / "python"), *standard_library(), *packages()]
    native = [path for path, _ in files if path.suffix == ".so" or path == python]
    with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as tar:
        # By target path, because a path must not be in the archive twice.
        for inside, path in {inside: path for path, inside in [*files, *shared_libraries(native)]}.items():
            tar.add(path, str(inside), recursive=False)
        scratch = tarfile.TarInfo("tmp")
        scratch.type, scratch.mode = tarfile.DIRTYPE, 0o1777
        tar.addfile(scratch)


main()
