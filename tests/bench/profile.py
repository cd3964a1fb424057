"""Where the time goes, by kernel and by source line, also inside kernels that were inlined.

Needs Linux with ``perf`` and ``addr2line``. The kernels are compiled once more with line tables; samples of their
addresses are then looked up in the object code that numba keeps.
"""

from __future__ import annotations

import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 8
SHOWN = 24


def main(case: str) -> None:
    """Play a case of cases.py for some seconds and print in which kernels and lines it spent them."""
    if not (shutil.which("perf") and shutil.which("addr2line")):
        sys.exit("profile needs the commands perf and addr2line")
    with tempfile.TemporaryDirectory() as folder:
        if "NUMBA_DEBUGINFO" not in os.environ:  # numba reads its settings when it is imported
            settings = {"NUMBA_DEBUGINFO": "1", "NUMBA_CACHE_DIR": folder, "PYTHONWARNINGS": "ignore"}
            command = [sys.executable, "-m", "tests.bench", "profile", case]
            sys.exit(subprocess.run(command, env={**os.environ, **settings}, check=False).returncode)
        samples = _samples(case, Path(folder))
        total = sum(samples.values())
        frames = _frames(samples, Path(folder))
    kernels: collections.Counter[str] = collections.Counter()
    lines: collections.Counter[str] = collections.Counter()
    for count, calls in frames:
        lines[calls[0][1]] += count
        kernels.update(dict.fromkeys({name for name, _ in calls}, count))
    found = sum(count for count, _ in frames)
    print(f"{case}: {total:,} samples, {100 * found / total:.0f} % of them in kernels; of these, in %:")
    for title, counts in (("kernel, with what it calls", kernels), ("line", lines)):
        print(f"\n{title}")
        for name, count in counts.most_common(SHOWN):
            print(f"{100 * count / found:6.1f}  {name}")


def _samples(case: str, folder: Path) -> collections.Counter[int]:
    """How often each address was found."""
    from tests.bench.cases import CASES, Bench

    _, strategies, games, game = next(c for c in CASES if c.name == case)
    bench = Bench(strategies, games, game)
    record = ["perf", "record", "-q", "-e", "cpu-clock", "-F", "3000", "-o", str(folder / "perf.data")]
    perf = subprocess.Popen([*record, "-p", str(os.getpid())], stderr=subprocess.DEVNULL)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        bench.games_per_second()
    perf.send_signal(signal.SIGINT)
    perf.wait()
    script = ["perf", "script", "-i", str(folder / "perf.data"), "-F", "ip"]
    addresses = subprocess.run(script, capture_output=True, text=True, check=True).stdout.split()
    return collections.Counter(int(address, 16) for address in addresses)


def _frames(samples: collections.Counter[int], folder: Path) -> list[tuple[int, list[tuple[str, str]]]]:
    """For each address in a kernel: its samples, and the (kernel, line) it stands in, from the inside out."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("simulator.")]
    kernels = {id(k): k for module in modules for k in vars(module).values() if hasattr(k, "overloads")}.values()
    frames, object_file = [], folder / "kernel.o"
    for result in (result for kernel in kernels for result in kernel.overloads.values()):
        name = result.fndesc.llvm_func_name
        start = result.library.get_pointer_to_function(name)
        object_file.write_bytes(result.library._get_compiled_object())
        symbols = subprocess.run(["nm", "-S", str(object_file)], capture_output=True, text=True, check=True).stdout
        place = next((row.split() for row in symbols.splitlines() if row.endswith(f" {name}")), [])
        if not start or len(place) != 4:
            continue
        offset, size = int(place[0], 16), int(place[1], 16)
        inside = {a: samples.pop(a) for a in list(samples) if start <= a < start + size}
        if not inside:
            continue
        asked = "\n".join(hex(a - start + offset) for a in inside)
        command = ["addr2line", "-i", "-f", "-a", "-e", str(object_file)]
        answer = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout
        for count, text in zip(inside.values(), re.split(r"^0x[0-9a-f]+\n", answer, flags=re.M)[1:], strict=True):
            rows = text.splitlines()
            calls = [(_kernel(f), line.split("/")[-1]) for f, line in zip(rows[::2], rows[1::2], strict=True)]
            frames.append((count, calls))
    return frames


def _kernel(mangled: str) -> str:
    """The Python name of a kernel: the last of the parts of a mangled name, each of which follows its length."""
    rest, name = mangled.removeprefix("_ZN"), mangled
    while length := re.match(r"\d+", rest):
        end = length.end() + int(length[0])
        name, rest = rest[length.end() : end], rest[end:]
    return name
