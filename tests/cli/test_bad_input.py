"""Every mistake at the command line: one clear line, exit code 2, and nothing half-written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
        ("compare greedy cautious -n 10 --board black,red,blue", "--board must name one board for all"),
        ("compare greedy cautious -n 10 --board none.txt", "cannot read sheet 'none.txt'"),
        ("compare greedy cautious -n 10 --format tabel", "unknown format 'tabel'; did you mean 'table'?"),
        ("compare greedy cautious -n 10 --threads 0 -q", "threads must be from 1 to 1024; got 0"),
        ("compare greedy cautious -n 10 --threads 100000 -q", "threads must be from 1 to 1024; got 100000"),
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
        ("replay greedy cautious --game -1", "--game must be the number of a game of the run, from 0"),
        ("replay greedy cautious --game 1000000000000", "--game must be the number of a game of the run, from 0"),
        ("replay greedy cautious --game x", "--game"),
        ("replay greedy cautious --seed -1", "the seed must be"),
        ("replay greedy cautious --solo", "a solo game has one strategy; got 2"),
        ("replay greedy nan.py --json", "nan.py:f"),
        ("sheets show blak", "unknown sheet 'blak'; did you mean 'black'?"),
        ("sheets check none.txt", "cannot read sheet 'none.txt'"),
        ("sheets check a.file", "a.file cannot be played: 1 error"),
        ("strategies show gready", "did you mean 'greedy'?"),
    ],
)
def test_one_clear_line(cli: Cli, line: str, message: str) -> None:
    Path("a.file").write_text("no folder\n")
    Path("broken.toml").write_text("idea = \n")
    Path("broken.py").write_text("def f(:\n")
    Path("raises.py").write_text("\nraise ValueError('told you')\n")
    Path("nan.py").write_text(NAN)
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
