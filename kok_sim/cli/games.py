"""``kok-sim games``: which games there are."""

from __future__ import annotations

from simulator.games import DEFAULT, find_game, game_names


def games() -> None:
    """List the games, and what there is of each.

    A game is chosen by --game NAME in every other command.
    """
    from simulator.house_rules import preset_names
    from strategies import strategy_names

    for name in game_names():
        game = find_game(name)
        solved = ", solved exactly by kok-sim solve" if game.solvable else ""
        sheets = ", ".join(game.sheets.names()) + ", or a file of your own" if game.sheets else "one only"
        print(f"{name}{' (played if no --game is given)' if name == DEFAULT else ''}")
        print(f"  {game.about}")
        print(f"  players     2 to {game.most_players} (compare, tournament)")
        print(f"  solo        yes{solved}")
        print(f"  strategies  {', '.join(strategy_names(name))}")
        named = len(preset_names(game)) - 1
        print(f"  rules       official, {named} house rules (kok-sim rules list), or a file of your own")
        print(f"  sheets      {sheets}")
