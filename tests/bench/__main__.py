"""python -m tests.bench: how fast the engine is, how its time grows, and where it goes."""

from __future__ import annotations

import argparse

from tests.bench import experiments, growth, profile, ratios
from tests.bench.cases import CASES

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    kinds = parser.add_subparsers(dest="kind")
    parser.set_defaults(kind="ratios", store=False)
    kind = kinds.add_parser("ratios", help="ratios to the yardstick, and how they moved (the default)")
    kind.add_argument("--store", action="store_true", help="keep these ratios as those to compare with")
    kind = kinds.add_parser("growth", help="the tables of docs/performance.md")
    kind.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(growth.TABLES)}; all if left out")
    kind = kinds.add_parser("experiments", help="what clusters, run folders, stopping rules and tournaments cost")
    kind.add_argument("games", nargs="?", type=int, default=1_000_000)
    kind = kinds.add_parser("profile", help="kernels and lines by the time spent in them")
    kind.add_argument("case", nargs="?", choices=[case.name for case in CASES], default=CASES[0].name)
    arguments = parser.parse_args()
    for name in getattr(arguments, "tables", ()):
        if name not in growth.TABLES:
            parser.error(f"no table {name!r}; there are {', '.join(growth.TABLES)}")
    if arguments.kind == "ratios":
        ratios.main(store=arguments.store)
    elif arguments.kind == "growth":
        growth.main(arguments.tables)
    elif arguments.kind == "experiments":
        experiments.main(arguments.games)
    else:
        profile.main(arguments.case)
