"""What the standard error stream says while games are played: how far it is, and why the first run starts late."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

OnProgress = Callable[[int, int], None]


class _Rate(ProgressColumn):
    """How many a second so far."""

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} {self.what}/s" if speed else "")


@contextlib.contextmanager
def progress_bar(doing: str, what: str, size: int = 1, *, quiet: bool) -> Iterator[OnProgress | None]:
    """A bar over ``what`` ("games"), told (done, total) in pieces of ``size``; None if quiet or nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn(doing), BarColumn(), TaskProgressColumn(), _Rate(what), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(doing, total=None)
        yield lambda done, total: progress.update(task, completed=size * done, total=size * total)


@contextlib.contextmanager
def compile_notice(*, quiet: bool) -> Iterator[None]:
    """While the games are set up and played: say so once if parts of the program have to be compiled first."""
    from numba.core import event

    class Notice(event.Listener):
        said = quiet

        def on_start(self, compiled: event.Event) -> None:
            function = compiled.data["dispatcher"].py_func
            if not self.said and function.__module__.startswith("simulator."):
                self.said = True
                print("compiling the game for this machine; this happens only once ...", file=sys.stderr)

        def on_end(self, compiled: event.Event) -> None:
            """Nothing is said at the end."""

    with event.install_listener("numba:compile", Notice()):
        yield
