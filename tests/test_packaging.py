"""A wheel built from a clean copy of the repository works in an empty environment, far from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
TIMEOUT = 1200  # seconds for one step; the first installation fetches all dependencies
NOT_SOURCE = {".git", ".venv", "build", "dist", "demo", "__pycache__"}


def source_files() -> list[Path]:
    """All files of the repository that are not ignored, relative to its root."""
    git = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(git, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        files = [Path(name) for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        files = [path.relative_to(ROOT) for path in ROOT.rglob("*")]
        files = [path for path in files if not NOT_SOURCE & set(path.parts) and path.suffix != ".egg-info"]
    return [path for path in files if (ROOT / path).is_file()]


def run(*command: str | Path, folder: Path) -> str:
    """Standard output of a command that must succeed, with nothing of the checkout in its environment."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV", "NUMBA_"))}
    done = subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    copy, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"
    for file in source_files():
        (copy / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, copy / file)
    elsewhere.mkdir()
    run(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, folder=copy)
    (wheel,) = tmp_path.glob("kok_sim-*.whl")

    venv.create(tmp_path / "venv", with_pip=True)
    scripts = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(scripts / "python", "-m", "pip", "install", "--disable-pip-version-check", wheel, folder=elsewhere)

    where = run(scripts / "python", "-c", "import kok_sim; print(kok_sim.__file__)", folder=elsewhere)
    assert Path(where.strip()).is_relative_to(tmp_path / "venv")
    table = run(scripts / "kok-sim", "compare", "greedy", "cautious", "-n", "1000", "--out", "out", folder=elsewhere)
    assert "greedy" in table
    assert "cautious" in table
    assert (elsewhere / "out" / "summary.json").is_file()
    assert "black" in run(scripts / "python", "-m", "kok_sim", "sheets", "list", folder=elsewhere).split()
    assert "cautious" in run(scripts / "kok-sim", "strategies", "list", folder=elsewhere)
