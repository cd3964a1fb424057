"""Strategies of users' files in another process, which has neither the files nor what they import from beside them."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import strategies
from simulator.errors import StrategyError
from simulator.experiments.plan import Plan
from simulator.keer_op_keer.sheet import load_sheet
from simulator.strategy import Scored, Strategy
from strategies import find_strategy, travel
from strategies.travel import pack

HEAD = "from numba import njit\nfrom strategies import strategy\n"
SCORE = "@strategy\ndef score(view, move{}):\n    return {}\n"


def code(body: str, returned: str, parameters: str = "") -> str:
    return HEAD + body + SCORE.format(parameters, returned)


# What each file gives for a move of 3 cells in roll 20.
FILES: dict[str, dict[str, str]] = {
    "simple": {"my.py": code("", "view.roll + move.cells")},
    "parameters": {"my.py": code("", "a * view.roll + b * move.cells", ", a=1, b=2")},
    "arrays": {"my.py": code("import numpy as np\nTABLE = np.arange(5.0) / 4\n", "TABLE[move.cells]")},
    "plain helper": {"my.py": code("N = 7\ndef helper(x):\n    return deeper(x) * N\ndef deeper(x):\n"
                                   "    return x + 1\n", "helper(move.cells)")},
    "jit": {"my.py": code("N = 7\n@njit\ndef helper(x):\n    return deeper(x) * N\n@njit\ndef deeper(x):\n"
                          "    return x + 1\n", "helper(move.cells) - deeper(move.cells)")},
    "jit of another": {"my.py": code("def slow(x):\n    return x * 2\nfast = njit(slow)\n", "fast(move.cells)")},
    "enum": {"my.py": code("from enum import Enum\nclass Mode(Enum):\n    CELLS = 1\n    ROLLS = 2\n@njit\n"
                           "def wants(mode):\n    return mode == Mode.CELLS\n", "move.cells * wants(Mode.CELLS)")},
    "vectorize": {"my.py": code("from numba import vectorize\n@vectorize\ndef more(x):\n    return x + 0.5\n",
                                "more(move.cells)")},
    "module": {"my.py": code("import helpers\n", "helpers.bonus(move.cells) + helpers.VALUE"),
               "helpers.py": "from numba import njit\nVALUE = 100\nFACTOR = 4\n@njit\ndef bonus(x):\n"
                             "    return x * FACTOR\n"},
    "from module": {"my.py": code("from helpers import bonus, VALUE\n", "bonus(move.cells) + VALUE"),
                    "helpers.py": "from numba import njit\nVALUE = -1000\nFACTOR = -4\n@njit\ndef bonus(x):\n"
                                  "    return x * FACTOR\n"},
    "package": {"my.py": code("from bundle import part\n", "part.bonus(move.cells)"), "bundle/__init__.py": "",
                "bundle/part.py": "from numba import njit\nfrom . import deep\n@njit\ndef bonus(x):\n"
                                  "    return deep.half(x) + 1\n",
                "bundle/deep.py": "from numba import njit\n@njit\ndef half(x):\n    return x / 2\n"},
    "unused lock": {"my.py": code("import threading\nLOCK = threading.Lock()\n", "move.cells")},
}  # fmt: skip
WANTED = {
    "simple": 23,
    "parameters": 0.5 * 20 - 2 * 3,
    "arrays": 0.75,
    "plain helper": 28,
    "jit": 24,
    "jit of another": 6,
    "enum": 3,
    "vectorize": 3.5,
    "module": 112,
    "from module": -1012,
    "package": 2.5,
    "unused lock": 3,
}
NOT_COMPILED = {"plain helper"}  # nor where they come from
CHILD = """
import json, pickle, sys, types
from pathlib import Path
import numba, numpy as np
from simulator.keer_op_keer.features import SIGHT
from simulator.scoring import compile_score
from simulator.keer_op_keer.features import MOVE, VIEW

views, moves = np.zeros(1, VIEW), np.zeros(1, MOVE)
views["roll"], moves["cells"] = 20, 3

def answer(strategy):
    values = strategy.parameters.values()
    plain = strategy.function(types.SimpleNamespace(roll=20), types.SimpleNamespace(cells=3), *values)
    try:
        fields = sorted(compile_score(strategy, SIGHT).use.fields)
        compiled = numba.njit(strategy.function)(views[0], moves[0], *values)
    except numba.errors.TypingError:
        fields = compiled = None
    return {"name": strategy.name, "plain": plain, "compiled": compiled, "fields": fields}

plan, more = pickle.loads(Path("packed").read_bytes())
print(json.dumps([answer(strategy) for strategy in (*plan.strategies, *more["more"])], default=float))
"""


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def in_another_process(script: str, packed: bytes, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script in a folder with nothing but ``packed``, and with nothing but kok-sim on its path."""
    folder.mkdir()
    (folder / "packed").write_bytes(packed)
    environment = {**os.environ, "PYTHONPATH": str(Path(strategies.__file__).parents[1])}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@cache
def answers() -> dict[str, dict[str, Any]]:
    """What all files give in one other process, by their keys in ``FILES``; the files are gone by then."""
    with TemporaryDirectory() as name:
        home, found = Path(name) / "home", list[Strategy]()
        for key, files in FILES.items():
            spec = "my.py:score:a=0.5,b=-2" if key == "parameters" else "my.py"
            found.append(find_strategy(f"{write(home / key, files)}/{spec}"))
        plan = Plan((found[0], found[1]), (load_sheet("black"),) * 2, 10)
        packed = pack((plan, {"more": found[2:]}))
        home.rename(Path(name) / "gone")
        done = in_another_process(CHILD, packed, Path(name) / "elsewhere")
    assert done.returncode == 0, done.stderr
    given = json.loads(done.stdout)
    assert [answer["name"] for answer in given] == [strategy.name for strategy in found]
    return dict(zip(FILES, given, strict=True))


@pytest.mark.parametrize("key", FILES)
def test_a_function_gives_there_what_it_should_and_is_compiled(key: str) -> None:
    answer = answers()[key]
    assert answer["plain"] == WANTED[key]
    assert answer["compiled"] == (None if key in NOT_COMPILED else WANTED[key])
    assert key in NOT_COMPILED or "cells" in answer["fields"]


def test_all_of_a_strategy_arrives(tmp_path: Path) -> None:
    spec = f"{write(tmp_path, FILES['parameters'])}/my.py:score:a=0.5"
    found = find_strategy(spec)
    again = pickle.loads(pack(found))
    assert isinstance(again, Scored)
    assert (again.name, again.idea, again.text, again.settings) == (found.name, found.idea, found.text, found.settings)


def test_shipped_strategies_travel_too() -> None:
    assert pickle.loads(pack([find_strategy("greedy")])) == [find_strategy("greedy")]


def test_what_arrived_can_travel_on(tmp_path: Path) -> None:
    """As from one computer of a cluster to the next."""
    script = (
        "import pickle, sys\nfrom pathlib import Path\nfrom types import SimpleNamespace\n"
        "from strategies.travel import pack\n"
        "found = pickle.loads(Path('packed').read_bytes())\nPath('again').write_bytes(pack(found))\n"
        "print(found.function(None, SimpleNamespace(cells=3)))\n"
    )
    packed = pack(find_strategy(f"{write(tmp_path / 'home', FILES['jit'])}/my.py"))
    (tmp_path / "home").rename(tmp_path / "gone")
    first = in_another_process(script, packed, tmp_path / "first")
    second = in_another_process(script, (tmp_path / "first" / "again").read_bytes(), tmp_path / "second")
    assert [first.stdout, second.stdout] == ["24\n", "24\n"], first.stderr + second.stderr


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"my.py": code("import threading\nLOCK = threading.Lock()\n", "LOCK.locked()")}, "'_thread.lock' object"),
        ({"my.py": code("OUT = open('out', 'w')\n", "OUT.write('a')")}, "PicklingError: Cannot pickle files"),
        (
            {
                "my.py": code("import helpers\n", "helpers.one()"),
                "helpers.py": "import threading\nLOCK = threading.Lock()\ndef one():\n    return 1\n",
            },
            "'_thread.lock' object",
        ),
        (
            {
                "my.py": code("import one\n", "one.value()"),
                "one.py": "import two\ndef value():\n    return two.VALUE\n",
                "two.py": "import one\nVALUE = 1\n",
            },
            "PicklingError: Could not pickle object as excessively deep recursion required.",
        ),
        (
            {
                "my.py": code(
                    "@njit\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\n", "fib(move.cells)"
                )
            },
            "PicklingError: fib calls itself, and is compiled by numba",
        ),
    ],
)
def test_what_cannot_travel_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], reason: str
) -> None:
    monkeypatch.chdir(write(tmp_path, files | {"good.py": code("", "1")}))
    plan = Plan((find_strategy("good.py"), find_strategy("my.py")), (load_sheet("black"),) * 2, 10)
    with pytest.raises(StrategyError) as caught:
        pack({"work": [plan]})
    message = str(caught.value)
    assert message.startswith("strategy 'my.py:score' cannot be sent to another process: ")
    assert reason in message
    assert "\n" not in message
    if "OUT" in files["my.py"]:
        vars(sys.modules[plan.strategies[1].function.__module__])["OUT"].close()  # type: ignore[union-attr]


def test_what_else_cannot_travel_is_named_by_its_type(tmp_path: Path) -> None:
    good = find_strategy(f"{write(tmp_path, FILES['simple'])}/my.py")
    with pytest.raises(StrategyError, match=r"^this tuple cannot be sent .*: TypeError: cannot pickle 'generator' obj"):
        pack((good, (x for x in "ab")))


def test_the_compiler_is_loaded_only_when_something_is_packed() -> None:
    script = "import sys, strategies.travel\nassert 'numba' not in sys.modules"
    assert travel.__name__ in sys.modules
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(strategies.__file__).parents[1])
