from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZipFile

from scenarios.stage import Stage

PACKAGE = Path(__file__).parents[2]


def readme(stage: Stage) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Build the source distribution first, and the wheel from that.
        build = ["-m", "build", "--no-isolation", "--outdir", str(folder)]
        run([sys.executable, *build, str(PACKAGE)], folder)
        [wheel] = folder.glob("*.whl")
        assert any(each.endswith("licenses/LICENSE") for each in ZipFile(wheel).namelist())
        run([sys.executable, "-m", "venv", "venv"], folder)
        python = str(folder / "venv/bin/python")
        run([python, "-m", "pip", "install", "--quiet", f"{wheel}[playwright]"], folder)
        (folder / "first.py").write_text(first_snippet())
        environment = {"RBS_URL": stage.url, "RBS_TOKEN": stage.token}
        assert run([python, "first.py"], folder, environment) == "First page\n"


def first_snippet() -> str:
    text = (PACKAGE / "README.md").read_text()
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    return found[1]


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """Runs a command and returns its output; if it fails, the error shows stderr."""
    # A user's environment is independent of the one that runs the tests.
    inherited = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(
        command,
        cwd=folder,
        env={**inherited, **(environment or {})},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
