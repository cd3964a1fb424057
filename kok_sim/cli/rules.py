"""``kok-sim rules``: list, show and compare house rules, and begin a file of them."""

from __future__ import annotations

import shlex
import textwrap
from pathlib import Path
from typing import Annotated

import typer

from kok_sim.cli.columns import print_columns
from kok_sim.cli.options import GameOption
from simulator.errors import OutputError
from simulator.games import DEFAULT, find_game

app = typer.Typer(help="List, show and compare house rules, or begin a file.", rich_markup_mode=None)

Name = Annotated[str, typer.Argument(metavar="NAME|FILE", help="Shipped house rules, or a file such as my.toml.")]
WIDTH = 100


@app.command("list")
def list_rules(game: GameOption = DEFAULT) -> None:
    """Print the shipped house rules, and what each is for."""
    from simulator.house_rules import find_rules, preset_names

    played = find_game(game)
    print_columns([find_rules(name, played)[:2] for name in preset_names(played)])


@app.command()
def show(name: Name, game: GameOption = DEFAULT) -> None:
    """Print every rule: its value, what it means and what it may be; * marks what is not official."""
    from simulator.house_rules import find_rules
    from simulator.rules import typed

    found = find_rules(name, find_game(game))
    print(f"{found.name}: {found.about}" if found.about else found.name)
    for switch in found.rules.switches():
        value = getattr(found.rules, switch.name)
        official = "" if value == switch.official else f" (official: {typed(switch.official)})"
        print(f"\n{'*' if official else ' '} {switch.name} = {typed(value)}{official}")
        text = f"{switch.about} ({switch.allowed})"
        print(textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    "))


@app.command()
def diff(first: Name, second: Name, game: GameOption = DEFAULT) -> None:
    """Print the rules in which two rule sets differ."""
    from simulator.house_rules import differences, find_rules
    from simulator.rules import typed

    played = find_game(game)
    found = differences(*(find_rules(name, played).rules for name in (first, second)))
    if not found:
        print(f"{first} and {second} are the same rules")
        return
    print_columns([("rule", first, second), *((switch.name, typed(a), typed(b)) for switch, a, b in found)])


@app.command()
def init(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The file to write; it must not exist yet.")],
    base: Annotated[str, typer.Option(metavar="NAME|FILE", help="Rules to begin with.")] = "official",
    game: GameOption = DEFAULT,
) -> None:
    """Write a rules file with every rule in it: what it means, what it may be, its official value."""
    from simulator.files import explained, placed_text
    from simulator.house_rules import SUFFIX, find_rules, template

    played = find_game(game)
    text = template(played, find_rules(base, played))
    if not file.name.endswith(SUFFIX):
        raise OutputError(f"a rules file must end in {SUFFIX}; got {str(file)!r}")
    with explained(file):
        exists = file.exists() or file.is_symlink()
    if exists:
        raise OutputError(f"{str(file)!r} exists already; remove it, or choose another name")
    with placed_text(file) as opened:
        opened.write(text)
    command = ["kok-sim", "variant", str(file), *(["--game", game] if game != DEFAULT else [])]
    print(f"written: {file}; play it with {shlex.join(command)}")
