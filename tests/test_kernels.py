"""Kernels that were kept on disk belong to the present sources."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from simulator import blocks, kernels


@pytest.fixture
def package(tmp_path: Path) -> Path:
    (tmp_path / "game").mkdir()
    for name in ("one.py", "game/two.py", "data.txt"):
        (tmp_path / name).write_text(f"the content of {name}")
    return tmp_path


@pytest.mark.parametrize("name", ["one.py", "game/two.py"])
def test_any_change_of_a_source_gives_another_fingerprint(package: Path, name: str) -> None:
    before = kernels.fingerprint(package)
    (package / name).write_text("something else")
    assert kernels.fingerprint(package) != before
    (package / name).write_text(f"the content of {name}")
    assert kernels.fingerprint(package) == before
    (package / name).rename(package / "renamed.py")
    assert kernels.fingerprint(package) != before


def test_only_sources_count(package: Path) -> None:
    before = kernels.fingerprint(package)
    (package / "data.txt").write_text("something else")
    assert kernels.fingerprint(package) == before


def test_the_engine_is_kept_in_the_folder_of_its_sources() -> None:
    assert Path(blocks.play_blocks.stats.cache_path).is_relative_to(kernels.FOLDER)
    assert kernels.FOLDER.name == kernels.PREFIX + kernels.fingerprint(Path(kernels.__file__).parent)


def test_old_folders_are_removed_but_not_young_ones_or_others(tmp_path: Path) -> None:
    for name in ("kernels-old", "kernels-young", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("")
    long_ago = time.time() - kernels.KEPT - 60
    for name in ("kernels-old", "other"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    kernels.forget_others(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kernels-young", "other"]


def test_without_a_cache_kernels_are_kept_for_the_process_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = "from simulator import files, kernels; files.check_folder(kernels.FOLDER); print(kernels.FOLDER)"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "file" / "cache")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    folder = done.stdout.strip()
    assert Path(folder).parent == Path(tempfile.gettempdir())
    assert not Path(folder).exists()
