"""Strategies in code: the decorator, and loading a user's file without trusting it to be right."""

from __future__ import annotations

import functools
import hashlib
import linecache
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from simulator.errors import KokSimError
from simulator.experiments.plan import Plan
from simulator.experiments.run import run
from simulator.keer_op_keer.sheet import load_sheet
from simulator.strategy import Scored
from strategies import find_strategy, strategy
from strategies.scored import make, source_of

HEAD = "from strategies import strategy\n"


def found(folder: Path, content: str, spec: str = "") -> Scored:
    file = folder / "my.py"
    file.write_text(content)
    scored = find_strategy(f"{file}{spec}")
    assert isinstance(scored, Scored)
    return scored


def test_a_decorated_function_stays_a_function() -> None:
    @strategy
    def plain(view: object, move: SimpleNamespace, bonus: float = 2.0) -> float:
        return float(bonus * move.cells)

    @strategy
    def called(view: object, move: SimpleNamespace) -> float:
        return float(move.cells)

    assert plain(None, SimpleNamespace(cells=3)) == 6.0
    assert called(None, SimpleNamespace(cells=3)) == 3.0


def test_everything_is_taken_from_the_function(tmp_path: Path) -> None:
    code = '@strategy\ndef f(v, m, a=1, b=-0.5):\n    """Idea.\n\n    More.\n    """\n    return a\n'
    scored = found(tmp_path, HEAD + code)
    assert scored.name == f"{tmp_path}/my.py:f"
    assert scored.idea == "Idea."
    assert scored.text == "More."
    assert scored.parameters == {"a": 1.0, "b": -0.5}
    assert scored.function(None, None, **scored.parameters) == 1.0


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    code = HEAD + "@strategy\ndef f(view, move):\n    return {}\n"
    assert found(tmp_path, code.format(1)).function(None, None) == 1
    assert found(tmp_path, code.format(2)).function(None, None) == 2


def test_files_of_one_name_do_not_meet(tmp_path: Path) -> None:
    code = HEAD + "@strategy\ndef f(view, move):\n    return here()\n\ndef here():\n    return {}\n"
    for name in "ab":
        (tmp_path / name).mkdir()
    one, two = found(tmp_path / "a", code.format(1)), found(tmp_path / "b", code.format(2))
    assert (one.function(None, None), two.function(None, None)) == (1, 2)


def test_a_neighbor_can_be_imported_and_nothing_stays_behind(tmp_path: Path) -> None:
    (tmp_path / "kok_sim_test_neighbor.py").write_text("VALUE = 5\n")
    path = list(sys.path)
    code = HEAD + "from kok_sim_test_neighbor import VALUE\n@strategy\ndef f(view, move):\n    return VALUE\n"
    assert found(tmp_path, code).function(None, None) == 5
    assert sys.path == path
    assert not list(tmp_path.glob("__pycache__/my.*"))


def write_all(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    return folder


def test_neighbors_of_one_name_in_two_folders_do_not_meet(tmp_path: Path) -> None:
    head = HEAD + "import neighbor\nfrom bundle import part\n"
    code = head + "@strategy\ndef f(view, move):\n    return neighbor.V + part.value()\n"
    before = set(sys.modules)
    scored = []
    for name, values in (("a", (1, 10)), ("b", (2, 20))):
        one, ten = values
        part = {"bundle/part.py": f"from bundle import far\ndef value():\n    return far.V + {ten}\n"}
        files = {"neighbor.py": f"V = {one}\n", "bundle/__init__.py": "", "bundle/far.py": f"V = {100 * one}\n", **part}
        scored.append(found(write_all(tmp_path / name, files), code))
    assert [s.function(None, None) for s in scored] == [111, 222]
    assert {name for name in set(sys.modules) - before if "kok_sim_strategy" not in name} == set()


def test_a_changed_neighbor_is_read_anew_even_after_an_error(tmp_path: Path) -> None:
    code = HEAD + "import neighbor\n@strategy\ndef f(view, move):\n    return neighbor.VALUE\n"
    with pytest.raises(KokSimError, match=r"my.py, line 3: ZeroDivisionError"):
        found(
            write_all(tmp_path, {"neighbor.py": "VALUE = 1\n"}), code.replace("import neighbor", "import neighbor\n1/0")
        )
    assert "neighbor" not in sys.modules
    assert found(write_all(tmp_path, {"neighbor.py": "VALUE = 2222\n"}), code).function(None, None) == 2222


def test_modules_that_come_from_elsewhere_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even those of an environment that lies in a folder below."""
    site = write_all(tmp_path / "venv" / "lib", {"kok_sim_test_installed.py": "VALUE = 7\n"})
    monkeypatch.syspath_prepend(site)
    code = HEAD + "import kok_sim_test_installed as i\n@strategy\ndef f(view, move):\n    return i.VALUE\n"
    assert found(tmp_path, code).function(None, None) == 7
    assert sys.modules.pop("kok_sim_test_installed").VALUE == 7


def test_functions_of_neighbors_are_compiled(tmp_path: Path) -> None:
    table = []
    for name in "ab":
        helper = f"from numba import njit\n@njit\ndef bonus(n):\n    return n * {1 if name == 'a' else -1}\n"
        code = HEAD + "from neighbor import bonus\n@strategy\ndef f(view, move):\n    return bonus(move.cells)\n"
        table.append(found(write_all(tmp_path / name, {"neighbor.py": helper}), code))
    black = load_sheet("black")
    result = run(Plan(tuple(table), (black, black), 20), threads=1)
    assert result.notes == ()
    columns = result.tally.parts[:, 1]
    assert columns[0] > columns[1]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


ONE = HEAD + "@strategy\ndef f(view, move, a=1):\n    return a\n"


def test_source_is_the_hash_of_the_file(tmp_path: Path) -> None:
    assert found(tmp_path, ONE).source == digest(ONE)
    assert found(tmp_path, ONE, ":f:a=2").settings == {"parameters": {"a": 2.0}, "source": digest(ONE)}
    assert found(tmp_path, ONE + "\n").source == digest(ONE + "\n")


def test_source_does_not_depend_on_where_the_file_is_nor_on_what_else_is_there(tmp_path: Path) -> None:
    code = ONE + "import neighbor\nfrom bundle import part\nimport numpy\n"
    files = {"neighbor.py": "V = 1\n", "bundle/__init__.py": "", "bundle/part.py": "V = 2\n"}
    one = found(write_all(tmp_path / "a", files), code)
    two = found(write_all(tmp_path / "b", {"other.py": "V = 3\n", **files}), code)
    assert one.source == two.source
    assert one.source == found(tmp_path / "a", code).source


@pytest.mark.parametrize("changed", ["neighbor.py", "bundle/__init__.py", "bundle/part.py"])
def test_source_changes_with_every_neighbor_that_is_imported(tmp_path: Path, changed: str) -> None:
    code = ONE + "import neighbor\nfrom bundle import part\n"
    files = {"neighbor.py": "V = 1\n", "bundle/__init__.py": "", "bundle/part.py": "V = 2\n"}
    one = found(write_all(tmp_path / "a", files), code)
    two = found(write_all(tmp_path / "b", files | {changed: "V = 33\n"}), code)
    assert one.source != two.source


@pytest.mark.parametrize("others", [("V = 2\n", "V = 1\n"), ("V = 1\nV = 2\n", "")])
def test_source_knows_which_neighbor_holds_what(tmp_path: Path, others: tuple[str, str]) -> None:
    code = ONE + "import one, two\n"
    first = found(write_all(tmp_path / "a", {"one.py": "V = 1\n", "two.py": "V = 2\n"}), code)
    second = found(write_all(tmp_path / "b", dict(zip(("one.py", "two.py"), others, strict=True))), code)
    assert first.source != second.source


def test_source_does_not_depend_on_the_order_of_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = ONE + "import os\nfor name in os.environ['KOK_SIM_TEST'].split():\n    __import__(name)\n"
    write_all(tmp_path, {"one.py": "V = 1\n", "two.py": "V = 2\n"})
    monkeypatch.setenv("KOK_SIM_TEST", "one two")
    first = found(tmp_path, code)
    monkeypatch.setenv("KOK_SIM_TEST", "two one")
    assert found(tmp_path, code).source == first.source


def test_source_of_a_function_that_is_imported_is_that_of_its_file() -> None:
    here = digest(Path(__file__).read_text())
    assert make(strategy(lambda view, move: 1.0), "mine").source == here
    assert source_of(functools.wraps(write_all)(lambda: None)) == here
    assert source_of(functools.wraps(functools.reduce)(lambda: None)) == ""


def test_source_of_a_function_without_a_file_is_that_of_its_text_if_known() -> None:
    text = "def f(view, move):\n    return 1.0\n"
    names: dict[str, Callable[..., float]] = {}
    exec(compile(text, "<kok-sim-test>", "exec"), names)
    assert make(strategy(names["f"]), "mine").source == ""
    linecache.cache["<kok-sim-test>"] = (len(text), None, text.splitlines(keepends=True), "<kok-sim-test>")
    try:
        assert make(strategy(names["f"]), "mine").source == digest(text)
    finally:
        del linecache.cache["<kok-sim-test>"]


def test_what_the_file_prints_does_not_mix_with_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found(tmp_path, HEAD + "print('hello')\n@strategy\ndef f(view, move):\n    return 1\n")
    assert capsys.readouterr().out == ""


def test_dataclasses_work_in_the_file(tmp_path: Path) -> None:
    code = "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass A:\n    x: int\n"
    assert found(tmp_path, code + HEAD + "@strategy\ndef f(view, move):\n    return 1\n").idea == ""


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1\ndef f(:\n", "my.py, line 2: SyntaxError: invalid syntax"),
        ("import nowhere_to_be_found\n", "my.py, line 1: ModuleNotFoundError: No module named 'nowhere_to_be_found'"),
        ("x = 1\ny = x / 0\n", "my.py, line 2: ZeroDivisionError: division by zero"),
        ("def f():\n    return 1 / 0\nf()\n", "my.py, line 2: ZeroDivisionError: division by zero"),
        ("raise ValueError('one\\ntwo')\n", "my.py, line 1: ValueError: one"),
        ("import sys\nsys.exit(3)\n", "my.py, line 2: SystemExit: 3"),
        ("def f(view, move):\n    return 1\n", "my.py: no strategy in it; write @strategy above the function"),
        ("", "my.py: no strategy in it"),
        (HEAD + "@strategy\nclass F:\n    pass\n", "@strategy belongs on a function; got type"),
        (HEAD + "@strategy\ndef f(view):\n    return 1\n", "(line 2): its first two arguments must be view and move"),
        (HEAD + "@strategy\ndef f(view, move=1):\n    return 1\n", "must be view and move, without defaults"),
        (HEAD + "@strategy\ndef f(view, *, move):\n    return 1\n", "must be view and move, without defaults"),
        (HEAD + "@strategy\ndef f(view, move, a):\n    return 1\n", "parameter a needs a number as its default"),
        (HEAD + "@strategy\ndef f(view, move, a='b'):\n    return 1\n", "parameter a needs a number as its default"),
        (HEAD + "@strategy\ndef f(view, move, a=True):\n    return 1\n", "parameter a needs a number as its default"),
        (HEAD + "@strategy\ndef f(view, move, *a):\n    return 1\n", "*a must be an ordinary argument such as a=1.0"),
        (HEAD + "@strategy\ndef f(view, move, *, a=1):\n    return 1\n", "a=1 must be an ordinary argument"),
    ],
)
def test_one_clear_line_that_names_file_and_line(tmp_path: Path, code: str, message: str) -> None:
    with pytest.raises(KokSimError) as caught:
        found(tmp_path, code)
    assert message in str(caught.value)
    assert "my.py" in str(caught.value)
    assert "\n" not in str(caught.value)
