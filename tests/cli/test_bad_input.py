"""Every mistake at the command line: one clear line, exit code 2, and nothing half-written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kok_sim.cli import LONGEST
from simulator.keer_op_keer.sheet import load_sheet
from tests.cli.conftest import Cli

FAULTY = """
from strategies import strategy

@strategy
def misspelt(view, move):
    return move.pionts

@strategy
def text(view, move):
    return "many"

@strategy
def nothing(view, move):
    pass
"""
NAN = """
from strategies import strategy

@strategy
def f(view, move):
    return float("nan")
"""


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("comapre greedy cautious", "No such command 'comapre'. Did you mean 'compare'?"),
        ("strategies shw", "No such command 'shw'. Did you mean 'show'?"),
        ("compare greedy cautious --sed 3", "--seed"),
        ("compare greedy cautious --seed x", "--seed"),
        ("compare greedy cautious --seed", "--seed"),
        ("compare gready cautious -n 10", "unknown strategy 'gready'; did you mean 'greedy'?"),
        ("compare greedy cautious:joker=1 -n 10", "did you mean 'jokers'?"),
        ("compare -n 10", "2 to 6 strategies; got 0"),
        ("compare greedy -n 10", "2 to 6 strategies; got 1"),
        ("compare greedy greedy greedy greedy greedy greedy greedy -n 10", "2 to 6 strategies; got 7"),
        ("solo -n 10", "strategies; got 0"),
        ("compare greedy cautious -n 0", "-n must be a whole number of games from 1"),
        ("compare greedy cautious -n -5", "-n must be a whole number of games from 1"),
        ("compare greedy cautious -n abc", "got 'abc'"),
        ("compare greedy cautious -n 1.5", "got '1.5'"),
        ("compare greedy cautious -n 10 --seed -1", "the seed must be a whole number from 0 to 2**64 - 1; got -1"),
        ("compare greedy cautious -n 10 --seed 18446744073709551616", "the seed must be a whole number from 0"),
        ("compare greedy cautious -n 10 --board blak", "unknown sheet 'blak'; did you mean 'black'?"),
        ("compare greedy cautious -n 10 --board black,red,blue", "the board must be one for all"),
        ("compare greedy cautious -n 10 --board none.txt", "cannot read sheet 'none.txt'"),
        ("compare greedy cautious -n 10 --format tabel", "unknown format 'tabel'; did you mean 'table'?"),
        ("compare greedy cautious -n 10 --threads 0 -q", "threads must be from 1 to 1024; got 0"),
        ("compare greedy cautious -n 10 --threads 100000 -q", "threads must be from 1 to 1024; got 100000"),
        (
            "compare greedy cautious -n 10 --threads 2 --cluster local:2",
            "threads are those of this machine; the workers of a cluster",
        ),
        ("compare greedy cautious -n 10 --cluster nonsense", "such as 'tcp://host:8786', or 'local:4'"),
        ("compare greedy cautious -n 10 --cluster local", "(1 to 1024); got 'local'"),
        ("compare greedy cautious -n 10 --cluster local:0", "(1 to 1024); got 'local:0'"),
        ("compare greedy cautious -n 10 --cluster local:9999", "(1 to 1024); got 'local:9999'"),
        ("compare greedy cautious -n 10 --cluster tcp://localhost", "got 'tcp://localhost'"),
        (
            "compare greedy cautious -n 10 --cluster tcp://127.0.0.1:1 --run new",
            "no Dask scheduler answers at tcp://127",
        ),
        ("compare greedy cautious -n 10 --chunk 0 -q", "the blocks to a chunk must be 1 or more; got 0"),
        ("compare greedy cautious -n 10 --records-max 0", "--records-max"),
        ("compare greedy cautious -n 10 --games", "--out DIR"),
        ("compare greedy cautious -n 10 --out a.file/b", "cannot write to 'a.file/b'"),
        ("compare greedy cautious -n 10 --out a.file", "cannot write to 'a.file'"),
        ("compare greedy cautious -n 10 --records none/a.jsonl -q", "cannot write 'none/a.jsonl'"),
        ("compare greedy cautious -n 10 --records a.file/a.jsonl -q", "cannot write 'a.file/a.jsonl'"),
        ("compare greedy cautious -n 10 --records pipe.jsonl -q", "'pipe.jsonl': it is not an ordinary file"),
        ("compare greedy cautious -n 10 --records nan.py -q", "to a file that ends in .jsonl; got 'nan.py'"),
        ("compare greedy cautious -n 10 --records= -q", "to a file that ends in .jsonl; got '.'"),
        ("compare greedy cautious -n 10 --records-max 5 -q", "name its file with --records FILE.jsonl"),
        ("compare greedy cautious --until 0", "--until must be a part of the games between 0% and 50%"),
        ("compare greedy cautious --until 0%", "between 0% and 50%, such as 0.2%; got '0%'"),
        ("compare greedy cautious --until 0.2", "between 0% and 50%, such as 0.2%; got '0.2'"),
        ("compare greedy cautious --until abc", "such as 0.2%; got 'abc'"),
        ("compare greedy cautious --until 60%", "such as 0.2%; got '60%'"),
        ("compare greedy cautious --until 50%", "such as 0.2%; got '50%'"),
        ("compare greedy cautious --until -1%", "such as 0.2%; got '-1%'"),
        ("compare greedy cautious --until 1%%", "such as 0.2%; got '1%%'"),
        ("compare greedy cautious --until nan%", "such as 0.2%; got 'nan%'"),
        ("compare greedy cautious --until 1e999999%", "such as 0.2%; got '1e999999%'"),
        ("compare greedy cautious --until 1e-999%", "the half-width to reach must be a number above 0"),
        ("compare greedy cautious --until=", "such as 0.2%; got ''"),
        ("compare greedy cautious --until", "'--until' requires an argument"),
        ("compare greedy cautious --untill 1%", "--until"),
        ("tournament greedy cautious --until 0.2", "such as 0.2%; got '0.2'"),
        ("solo greedy --until 0", "--until must be a number of points above 0 in the solo game, such as 0.05; got '0'"),
        ("solo greedy --until 0.2%", "in the solo game, such as 0.05; got '0.2%'"),
        ("solo greedy --until -0.1", "in the solo game, such as 0.05; got '-0.1'"),
        ("solo greedy --until abc", "in the solo game, such as 0.05; got 'abc'"),
        ("solo greedy --until inf", "in the solo game, such as 0.05; got 'inf'"),
        ("solo greedy --sprt 50%:52%", "No such option: --sprt"),
        ("tournament greedy cautious --sprt 50%:52%", "No such option: --sprt"),
        ("compare greedy cautious --until 1% --sprt 50%:52%", "--until and --sprt are two ways to stop; give one"),
        ("compare greedy cautious --sprt 50%", "two win shares, the smaller first, such as 50%:52%; got '50%'"),
        ("compare greedy cautious --sprt 52%:50%", "such as 50%:52%; got '52%:50%'"),
        ("compare greedy cautious --sprt 50%:50%", "such as 50%:52%; got '50%:50%'"),
        ("compare greedy cautious --sprt 50:52", "such as 50%:52%; got '50:52'"),
        ("compare greedy cautious --sprt 0.5:0.52", "such as 50%:52%; got '0.5:0.52'"),
        ("compare greedy cautious --sprt 0:1", "such as 50%:52%; got '0:1'"),
        ("compare greedy cautious --sprt 0%:50%", "such as 50%:52%; got '0%:50%'"),
        ("compare greedy cautious --sprt 50%:100%", "such as 50%:52%; got '50%:100%'"),
        ("compare greedy cautious --sprt -5%:50%", "such as 50%:52%; got '-5%:50%'"),
        ("compare greedy cautious --sprt 50%:52%:54%", "such as 50%:52%; got '50%:52%:54%'"),
        ("compare greedy cautious --sprt 50%:nan%", "such as 50%:52%; got '50%:nan%'"),
        ("compare greedy cautious --sprt abc", "such as 50%:52%; got 'abc'"),
        ("compare greedy cautious --sprt :", "such as 50%:52%; got ':'"),
        ("compare greedy cautious --sprt=", "such as 50%:52%; got ''"),
        ("tournament -n 10", "a tournament at tables of 2 needs 2 to 50 strategies; got 0"),
        ("tournament greedy -n 10", "a tournament at tables of 2 needs 2 to 50 strategies; got 1"),
        (f"tournament {'greedy ' * 51} -n 10", "a tournament at tables of 2 needs 2 to 50 strategies; got 51"),
        (f"tournament {'greedy ' * 50} --table 6 -n 10", "make 15,890,700 tables, more than 5,000; name fewer"),
        ("tournament greedy cautious --table 1", "a table of a tournament must seat 2 to 6 players; got 1"),
        ("tournament greedy cautious --table 7", "a table of a tournament must seat 2 to 6 players; got 7"),
        ("tournament greedy cautious --table -2", "a table of a tournament must seat 2 to 6 players; got -2"),
        ("tournament greedy cautious --table x", "Invalid value for '--table'"),
        ("tournament greedy cautious --table 2.5", "Invalid value for '--table'"),
        ("tournament greedy cautious --table 3", "a tournament at tables of 3 needs 3 to 50 strategies; got 2"),
        ("tournament greedy cautious --focus gready", "unknown strategy to focus on 'gready'; did you mean 'greedy'?"),
        ("tournament greedy cautious --focus tidy", "unknown strategy to focus on 'tidy'; known: cautious, greedy"),
        ("tournament greedy cautious --focus=", "unknown strategy to focus on ''; known: cautious, greedy"),
        ("tournament greedy gready", "unknown strategy 'gready'; did you mean 'greedy'?"),
        ("tournament greedy cautious tidy --board black,red", "one for each of 3 strategies; got 2"),
        ("tournament greedy nan.py -n 10 --out out --games --run new -q", "nan.py:f"),
        ("turnament greedy cautious", "No such command 'turnament'. Did you mean 'tournament'?"),
        ("compare greedy cautious --focus greedy", "No such option: --focus"),
        ("compare greedy cautious -n 10 --run a.file", "cannot write to 'a.file': 'a.file' is not a folder"),
        ("compare greedy cautious -n 10 --run a.file/b", "cannot write to 'a.file/b': 'a.file' is not a folder"),
        ("compare greedy cautious -n 10 --run /proc/nowhere", "cannot write to '/proc/nowhere'"),
        ("compare greedy cautious -n 10 --run .", "'.' holds no run but other things (a.file and 9 more); name a"),
        ("compare greedy cautious -n 10 --run=", "'.' holds no run but other things"),
        ("compare greedy cautious -n 10 --run", "'--run' requires an argument"),
        ("compare greedy nan.py -n 10 --run new/run -q", "nan.py:f"),
        ("compare greedy cautious -n 10 --run new --records new/r.jsonl", "cannot write 'new/r.jsonl': No such file"),
        ("resume", "Missing argument 'DIR'"),
        ("resume none", "'none' holds no run (run.json is missing); begin one with --run none"),
        ("resume none --games", "'none' holds no run"),
        ("resume a.file", "'a.file' holds no run (run.json is missing)"),
        ("resume .", "'.' holds no run (run.json is missing)"),
        ("resume none --seed 3", "No such option: --seed"),
        ("resume none none", "none"),
        ("replai none", "No such command 'replai'. Did you mean 'replay'?"),
        ("rerun", "Missing argument 'summary.json'"),
        ("rerun none.json", "cannot read 'none.json': No such file or directory"),
        ("rerun .", "cannot read '.': Is a directory"),
        ("rerun a.file", "'a.file' is not JSON"),
        ("rerun a.file --out out", "No such option: --out"),
        ("compare greedy broken.toml -n 10 --out out", "broken.toml': not valid TOML"),
        ("compare greedy broken.py -n 10 --out out", "broken.py, line 1: SyntaxError"),
        ("compare greedy raises.py -n 10 --out out", "raises.py, line 2: ValueError: told you"),
        ("compare greedy nan.py -n 10 --out out --games -q", "nan.py:f"),
        ("compare greedy nan.py -n 10 --out out/a/b --games --records r.jsonl -q", "nan.py:f"),
        ("solo nan.py -n 10 --out out -q", "nan.py:f"),
        ("compare greedy faulty.py:misspelt -n 10 -q", "has no attribute 'pionts'"),
        ("solo faulty.py:text -n 10 -q", "'faulty.py:text' gave 'many' for 'pass' in roll 1; it must give a"),
        ("solo faulty.py:nothing -n 10 -q", "it must give a"),
        ("replay greedy", "2 to 6 strategies; got 1"),
        ("replay greedy cautious --index -1", "--index must be the number of a game of the run, from 0"),
        ("replay greedy cautious --index 1000000000000", "--index must be the number of a game of the run, from 0"),
        ("replay greedy cautious --index x", "--index"),
        ("replay greedy cautious --seed -1", "the seed must be"),
        ("replay greedy cautious --solo", "a solo game has one strategy; got 2"),
        ("replay greedy nan.py --json", "nan.py:f"),
        ("sheets show blak", "unknown sheet 'blak'; did you mean 'black'?"),
        ("sheets check none.txt", "cannot read sheet 'none.txt'"),
        ("sheets check a.file", "a.file cannot be played: 1 error"),
        ("strategies show gready", "did you mean 'greedy'?"),
        ("compare random random --game qwix -n 10", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("compare random random --game= -n 10", "unknown game ''; known: keer-op-keer, qwixx"),
        ("compare random random --game", "'--game' requires an argument"),
        ("compare random random --gme qwixx", "--game"),
        ("strategies list --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("strategies fields --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("strategies show random --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("replay random random --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        (
            "replay random random --game 3",
            "--game names the game that is played, such as qwixx; game 3 of the run is --i",
        ),
        ("compare random random --game qwixx --board black", "Qwixx has only one sheet; got the board 'black'"),
        (
            "tournament random random --game qwixx --board black,red",
            "Qwixx has only one sheet; got the board 'black,red",
        ),
        ("solo random --game qwixx --board=", "Qwixx has only one sheet; got the board ''"),
        ("replay random random --game qwixx --board none.txt", "Qwixx has only one sheet; got the board 'none.txt'"),
        ("sheets list --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
        ("sheets show black --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
        ("sheets check black --game qwixx", "Qwixx has only one sheet; there is nothing to choose"),
        ("sheets list --game qwix", "unknown game 'qwix'; did you mean 'qwixx'?"),
        ("compare random random random random random random --game qwixx", "seats 2 to 5 strategies; got 6"),
        ("compare random --game qwixx", "seats 2 to 5 strategies; got 1"),
        ("solo --game qwixx", "strategies; got 0"),
        ("tournament random random --table 6 --game qwixx", "must seat 2 to 5 players; got 6"),
        ("tournament random fewest-skips --focus fewest-skip --game qwixx", "did you mean 'fewest-skips'?"),
        ("compare greedy random --game qwixx", "strategy 'greedy' plays the game 'keer-op-keer', and this is 'qwixx'"),
        ("compare optimal greedy -n 10", "strategy 'optimal' plays the game 'qwixx', and this is 'keer-op-keer'"),
        ("solo fewest-skips:max=2 -n 10", "strategy 'fewest-skips' plays the game 'qwixx', and this is 'keer-op-keer'"),
        ("strategies show optimal", "strategy 'optimal' plays the game 'qwixx', and this is 'keer-op-keer'"),
        ("solo fewest-skip --game qwixx", "unknown strategy 'fewest-skip'; did you mean 'fewest-skips'?"),
        ("solo fewest-skips:mx=2 --game qwixx", "unknown parameter of fewest-skips: 'mx'; did you mean 'max'?"),
        ("solo fewest-skips:max=x --game qwixx", "max must be a number such as 2 or -0.5; got 'x'"),
        ("solo avoid-penalty:cells=1 --game qwixx", "unknown parameter of avoid-penalty: 'cells'"),
        ("solo optimal:max=1 --game qwixx", "strategy 'optimal' has no parameters; got 'max'"),
        ("solo solved.toml -n 10 -q", "strategy 'solved.toml': Keer op Keer has no solver; give it weights"),
        ("solo both.toml --game qwixx -n 10", "it plays by the values of a solver, so it has no weights"),
        ("solo cells.toml --game qwixx -n 10", "unknown feature in strategy 'cells.toml': 'cells'"),
        (
            "compare random random -n 10 --rule penalty_points=3",
            "penalty_points is a rule of the game 'qwixx' (--game qwixx)",
        ),
        ("solo random --game qwixx --rule penalty_points", "such as white_first=VALUE; got 'penalty_points'"),
        ("solo random --game qwixx --rule=", "such as white_first=VALUE; got ''"),
        ("solo random --game qwixx --rule =3", "such as white_first=VALUE; got '=3'"),
        ("solo random --game qwixx --rule", "'--rule' requires an argument"),
        (
            "solo random --game qwixx --rule penalty_point=3",
            "unknown rule 'penalty_point'; did you mean 'penalty_points'",
        ),
        ("solo random --game qwixx --rule x=1", "unknown rule 'x'; known: crosses_to_lock, end_at_once"),
        ("solo random --game qwixx --rule penalty_points=", "penalty_points must be a whole number; got ''"),
        ("solo random --game qwixx --rule penalty_points=x", "penalty_points must be a whole number; got 'x'"),
        ("solo random --game qwixx --rule penalty_points=1.5", "penalty_points must be a whole number; got '1.5'"),
        ("solo random --game qwixx --rule penalty_points=100", "penalty_points must be from 0 to 99; got 100"),
        ("solo random --game qwixx --rule penalty_points=-1", "penalty_points must be from 0 to 99; got -1"),
        ("solo random --game qwixx --rule penalty_points=99999999999", "must be from 0 to 99; got 99999999999"),
        ("solo random --game qwixx --rule white_first=yes", "white_first must be true or false; got 'yes'"),
        ("solo random --game qwixx --rule row_points=1,2", "row_points must be 12 whole numbers; got [1, 2]"),
        ("solo random --game qwixx --rule row_points=1,,2", "must be 12 whole numbers with commas; got ''"),
        (
            "solo random --game qwixx --rule rows_to_end=3 --rule rows_to_end=3",
            "--rule rows_to_end is given twice",
        ),
        ("replay random random --game qwixx --rule rows_to_end=5", "rows_to_end must be from 1 to 4; got 5"),
        ("solve", "Missing argument 'GAME-solo'"),
        ("solve qwix-solo", "unknown game to solve 'qwix-solo'; did you mean 'qwixx-solo'?"),
        ("solve qwixx", "unknown game to solve 'qwixx'; did you mean 'qwixx-solo'?"),
        ("solve keer-op-keer-solo", "unknown game to solve 'keer-op-keer-solo'; known: qwixx-solo"),
        ("solve qwixx-solo --threads 0", "the number of threads must be from 1 to 1024; got 0"),
        ("solve qwixx-solo --rule x=1", "unknown rule 'x'; known: crosses_to_lock"),
        ("solve qwixx-solo --game qwixx", "No such option: --game"),
        ("games qwixx", "Got unexpected extra argument"),
        ("resume none --game qwixx", "'none' holds no run (run.json is missing)"),
        ("rerun a.file --game qwixx", "'a.file' is not JSON"),
    ],
)
def test_one_clear_line(cli: Cli, line: str, message: str) -> None:
    Path("a.file").write_text("no folder\n")
    Path("broken.toml").write_text("idea = \n")
    Path("broken.py").write_text("def f(:\n")
    Path("raises.py").write_text("\nraise ValueError('told you')\n")
    Path("nan.py").write_text(NAN)
    Path("solved.toml").write_text('idea = "exact"\nsolved = true\n')
    Path("both.toml").write_text('idea = "exact"\nsolved = true\n[weights]\nluck = 1\n')
    Path("cells.toml").write_text('idea = "cells"\n[weights]\ncells = 1\n')
    Path("faulty.py").write_text(FAULTY)
    os.mkfifo("pipe.jsonl")
    before = files()
    code, out, err = cli(line)
    assert code == 2
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert message in err
    assert out == "" or line.startswith("sheets check")
    assert files() == before


def files() -> set[Path]:
    """All files and folders in the current folder."""
    return set(Path().rglob("*"))


def test_names_that_are_not_utf_8(cli: Cli) -> None:
    """A file of such a name could be read, but no result could be written that names it."""
    name = os.fsdecode(b"caf\xe9")
    Path(f"{name}.toml").write_text('idea = "points"\n[weights]\npoints = 1\n')
    Path(f"{name}.txt").write_text("\n".join(load_sheet("black").lines))
    before = files()
    for line in (
        ["compare", "greedy", f"{name}.toml", "-n", "10", "--out", "out", "--run", "new"],
        ["solo", "greedy", "--board", f"{name}.txt", "-n", "10", "--out", "out"],
    ):
        code, out, err = cli(line)
        assert (code, out) == (2, "")
        assert err.startswith("error: the name 'caf\\udce9")
        assert err.endswith("' is not UTF-8; give the file another one\n")
        assert files() == before


def test_a_message_is_one_line_that_a_terminal_can_show(cli: Cli) -> None:
    code, out, err = cli(["sheets", "check", "none\x1b[2J\n\x9b.txt"])
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err[:-1].isprintable()


def test_a_message_does_not_repeat_endless_input(cli: Cli) -> None:
    code, _, err = cli(["compare", "greedy", "x" * 5000, "-n", "10"])
    assert code == 2
    assert len(err) < LONGEST + 20
    assert err.startswith("error: unknown strategy 'xxx")
    assert "xxx ... xxx" in err
    assert err.endswith("stars, tidy\n")
