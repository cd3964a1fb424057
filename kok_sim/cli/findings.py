"""Handing over what a study of rules or sheets found: printed, and in files."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kok_sim import __version__
from kok_sim.cli.options import Show

if TYPE_CHECKING:
    from kok_sim.cli.progress import OnProgress
    from reports.survey import Survey
    from reports.variant import Variant


@contextlib.contextmanager
def progress(show: Show) -> Iterator[OnProgress | None]:
    """A bar over the games of a study; before it, what cannot be printed or written is refused."""
    from kok_sim.cli.deliver import verify_place
    from kok_sim.cli.progress import compile_notice, progress_bar

    verify_place(show)
    with compile_notice(quiet=show.quiet), progress_bar("playing", "games", quiet=show.quiet) as bar:
        yield bar


def deliver_finding(found: Variant | Survey, show: Show) -> None:
    """Print a finding, and write what is wanted; leaves as after Ctrl-C if it was interrupted."""
    from kok_sim.cli.deliver import write_out
    from reports import tables

    tables.show(found, version=__version__, form=show.form)
    write_out(found, show)
    if found.interrupted:
        raise KeyboardInterrupt
