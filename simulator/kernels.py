"""How kernels are compiled, and where what was compiled is kept.

numba looks only at the file in which a kernel stands when it decides whether a kept one is still good, but kernels
contain the code of other files. So they are kept in a folder of the platform's cache that is named by a hash over all
sources; folders of other versions are removed when a new one is begun.
"""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import time
from pathlib import Path

import numba
import platformdirs

from simulator.errors import OutputError
from simulator.files import check_folder

PREFIX = "kernels-"
KEPT = 7 * 24 * 3600  # seconds for which the folder of another version is left alone: it may be in use


def fingerprint(package: Path, *names: str) -> str:
    """A hash over names and contents of these files of a folder, or of all its Python files: 16 hexadecimal digits."""
    digest = hashlib.sha256()
    for file in sorted(package / name for name in names) if names else sorted(package.rglob("*.py")):
        digest.update(f"{file.relative_to(package).as_posix()}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


def forget_others(base: Path, prefix: str = PREFIX) -> None:
    """Remove what other versions keep in folders of this prefix, but what was written lately."""
    for folder in base.glob(f"{prefix}*"):
        try:
            if time.time() - folder.stat().st_mtime > KEPT:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # removed by another process
            continue


def _choose_folder() -> Path:
    """The folder for these sources; below the one that the variable NUMBA_CACHE_DIR names, if it is set."""
    named = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    base = Path(named or platformdirs.user_cache_dir("kok-sim", appauthor=False))
    folder = base / (PREFIX + fingerprint(Path(__file__).parent))
    if not folder.exists():
        forget_others(base)
    try:
        check_folder(folder)
    except OutputError:
        return folder_of_this_process()
    return folder


def folder_of_this_process() -> Path:
    """A folder that is gone when the process ends. (numba itself would go to ``__pycache__`` and find old kernels.)"""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


FOLDER = _choose_folder()
numba.config.CACHE_DIR = str(FOLDER)  # type: ignore[attr-defined]

kernel = numba.njit(cache=True, nogil=True, error_model="numpy")
"""Decorator of kernels: kept on disk, without the interpreter lock, division by zero as in numpy."""
inlined = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
"""The same for small kernels that are to become part of their callers."""
spliced = numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")
"""The same for the only step of one caller: put there before its types are found, which saves compiling it alone (a
tenth of the time and of the memory to compile)."""
if numba.config.DEBUGINFO_DEFAULT:  # type: ignore[attr-defined]
    spliced = inlined  # whose lines are still those of its own file, for a profile
