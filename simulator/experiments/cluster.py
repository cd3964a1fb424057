"""Who plays the chunks of a run: the workers of a Dask cluster, on this machine or on others; see docs/cluster.md.

The plan goes to every worker once, and a chunk is a task that says which blocks to play. A block depends on the plan
and its number alone, so it does not show in the result who played it, nor that a chunk was played twice because a
worker died. What goes wrong in a game comes back as a value: of an error Dask would write a traceback to a log.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import platform
import re
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, InvalidStateError, ThreadPoolExecutor, wait
from functools import lru_cache
from importlib import import_module
from multiprocessing import resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numba

import simulator
from simulator.errors import KokSimError, PlanError
from simulator.experiments.plan import Plan
from simulator.experiments.run import open_table
from simulator.experiments.workers import Playable, Played, even_chunk, play_chunk
from simulator.kernels import fingerprint

MAX_PROCESSES = 1024
CHUNKS_AHEAD = 4  # under way for each thread: one is played, one waits there, one or two are on their way
LARGER = 8  # times a chunk of threads, half a second, because a task costs this side a few ms; more from 64 threads on
LOGGERS = ("distributed", "tornado", "asyncio")
CONNECT_PATIENCE = 5.0  # seconds until a scheduler must have answered
WORKERS_PATIENCE = 30.0  # seconds until there must be a worker
KEPT_PLANS = 4  # that a worker keeps open
MOST_DEATHS = 10  # of processes of this machine over one chunk; Dask allows 3
LOOPBACK = "127.0.0.1"
LOCAL = {  # processes of this machine watch themselves less; else that alone takes an eighth of a core
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
}
_LOOK, _TICK = 1.0, 0.1  # seconds between two looks at who is there; and for the end

PROGRAM = {
    "kok-sim": fingerprint(Path(simulator.__file__).parent),
    "Python": ".".join(platform.python_version_tuple()[:2]),
    "numba": numba.__version__,
}
"""What must be the same at a worker, as it was when this process began."""


class Cluster:
    """Workers of Dask: those of a scheduler that runs already, or processes of this machine for as long as a run takes.

    Parameters
    ----------
    plan : Plan
    address : str
        Of the scheduler, ``"tcp://host:8786"``; or ``"local:4"`` for 4 processes.
    pack : callable
        Makes bytes of a plan that ``pickle.loads`` opens in another process: :func:`strategies.travel.pack`.

    Raises
    ------
    PlanError
        If Dask is not installed, or the address is none.
    KokSimError
        If the plan cannot travel.
    """

    def __init__(self, plan: Plan, address: str, *, pack: Callable[[object], bytes]) -> None:
        self._address = address
        self._processes = _verify_address(address)
        self._dask = _import_dask()
        self._packed = pack(plan)
        self._workers, self._threads = 0, self._processes or 1
        self._lost_by = ""
        self._awaited: set[Future[Any]] = set()
        self._closing = threading.Event()
        self._threads_here = ThreadPoolExecutor(2, thread_name_prefix="cluster")  # to open, and to watch
        self._opened = contextlib.ExitStack()

    @property
    def name(self) -> str:
        """``"4 processes"``, ``"3 Dask workers (12 threads)"``."""
        if self._processes:
            return _number(self._processes, "process", "processes")
        if not self._workers:
            return "a Dask cluster"
        threads = _number(self._threads, "thread", "threads")
        return f"{_number(self._workers, 'Dask worker', 'Dask workers')} ({threads})"

    @property
    def ahead(self) -> int:
        """A few chunks for each thread; more as workers join."""
        return self._threads * CHUNKS_AHEAD

    def open(self, blocks: int, chunk_blocks: int | None) -> Future[int]:
        """Start the processes or find the scheduler, bring the plan to all workers, and have each play a block."""
        return self._threads_here.submit(self._open, max(blocks, 1), chunk_blocks)

    def submit(self, first_block: int, blocks: int, *, keep: bool) -> Future[Played]:
        """Begin a chunk."""
        return self._begin(play_there, first_block, blocks, keep)

    def close(self) -> None:
        """Drop what has not begun, and end the processes that were started."""
        self._closing.set()
        self._threads_here.shutdown(cancel_futures=True)
        self._opened.close()

    def _open(self, blocks: int, chunk_blocks: int | None) -> int:
        self._opened.enter_context(_silent())
        address = self._address
        if self._processes:
            self._processes = self._threads = min(self._processes, -(-blocks // (chunk_blocks or 1)))
            address = self._start_processes(self._processes)
        try:
            self._connect(address)
            workers = self._await_workers()
            self._plan = self._send(self._packed)
            ready = [self._begin(prepare_there, workers=[worker], allow_other_workers=True) for worker in workers]
            while not self._closing.is_set() and wait(ready, _TICK).not_done:
                if failed := [one for one in ready if one.done() and one.exception()]:
                    failed[0].result()
            self._go_on()
        except OSError as error:
            raise self._lost() from error
        most: int = ready[0].result()
        larger = max(LARGER, self._threads // LARGER)
        return chunk_blocks or even_chunk(blocks, self._threads, most * larger)

    def _start_processes(self, number: int) -> str:
        """Start a scheduler and workers on this machine; gives the address."""
        folder = self._opened.enter_context(TemporaryDirectory(prefix="kok-sim-", ignore_cleanup_errors=True))
        self._opened.enter_context(import_module("dask.config").set({**LOCAL, "temporary-directory": folder}))
        try:
            with _ctrl_c_blocked():
                cluster = self._dask.LocalCluster(
                    n_workers=number,
                    threads_per_worker=1,
                    processes=True,
                    host=LOOPBACK,
                    dashboard_address=None,
                    memory_limit=0,  # or Dask divides the memory by the workers, and stops those that need more
                    silence_logs=logging.CRITICAL,
                    scheduler_kwargs={"allowed_failures": MOST_DEATHS, "dashboard_address": f"{LOOPBACK}:0"},
                )
        except Exception as error:
            raise PlanError(
                f"{number} processes for a cluster cannot be started ({_describe(error)}); a script of your own must "
                "start them below 'if __name__ == \"__main__\":'"
            ) from error
        self._opened.callback(_close, cluster)
        return str(cluster.scheduler_address)

    def _connect(self, address: str) -> None:
        """Become a client of a scheduler."""
        self._go_on()
        try:
            kind = asyncio.run(_kind_of(self._dask, address))
        except (TypeError, ValueError) as error:  # an unknown scheme, TLS without keys
            raise PlanError(f"Dask cannot connect to {address} ({_describe(error)})") from error
        except Exception as error:  # of many kinds, if another program answers
            raise PlanError(f"no Dask scheduler answers at {address}; start one with: dask scheduler") from error
        if kind != "Scheduler":
            raise PlanError(f"at {address} is a Dask {kind.lower()}; name the address of its scheduler")
        self._client = self._dask.Client(address, timeout=CONNECT_PATIENCE, set_as_default=False)
        self._opened.callback(_close, self._client)
        self._executor = self._client.get_executor(pure=False)
        self._threads_here.submit(self._watch)

    def _await_workers(self) -> list[str]:
        """Addresses of the workers, as soon as there is one."""
        end = time.monotonic() + WORKERS_PATIENCE
        while not (workers := self._look()):
            self._go_on()
            if time.monotonic() > end:
                raise PlanError(
                    f"the scheduler at {self._address} has no workers; start some with: dask worker {self._address}"
                )
            self._closing.wait(_TICK)
        return workers

    def _send(self, packed: bytes) -> Any:
        """Bring the plan to the cluster, as the result of a task: if it is lost with a worker, it is made anew."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph", UserWarning)  # it is sent once
            return self._client.submit(bytes, packed, pure=False)

    def _look(self) -> list[str]:
        """Addresses of the workers that are there now."""
        threads: dict[str, int] = self._client.nthreads(callback_timeout=CONNECT_PATIENCE)
        if threads and not self._processes:
            self._workers, self._threads = len(threads), sum(threads.values())
        return list(threads)

    def _watch(self) -> None:
        """Look every second who is there, and give up where waiting would be in vain.

        If all workers of a scheduler die, others may come. But of its own processes Dask starts none again that dies
        while it begins; and it does not always notice that a scheduler is gone.
        """
        answered = played = time.monotonic()
        while not self._closing.wait(_LOOK):
            with contextlib.suppress(Exception):  # of many kinds, if the scheduler is gone
                workers = self._look()
                answered = time.monotonic()
                played = answered if workers or not self._processes else played
            if answered - played > WORKERS_PATIENCE:
                self._lost_by = "all processes of the cluster have died"
            elif time.monotonic() - answered > WORKERS_PATIENCE:
                self._lost_by = str(self._lost())
            if self._lost_by:
                for answer in list(self._awaited):
                    self._settle(answer, error=self._lost())
                return

    def _go_on(self) -> None:
        if self._closing.is_set():
            raise CancelledError

    def _begin(self, function: Callable[..., Any], *args: object, **where: object) -> Future[Any]:
        """Call ``function(plan, program, *args)`` at a worker."""
        call = _Call(function, pickle.PickleBuffer(self._packed), PROGRAM, *args)
        packed = pickle.dumps(call, 5, buffer_callback=_left)
        answer: Future[Any] = Future()
        self._awaited.add(answer)
        try:
            task = self._executor.submit(pickle.loads, packed, buffers=[self._plan], **where)
        except Exception as error:
            if self._client.status == "running":
                raise
            raise self._lost() from error
        task.add_done_callback(lambda done: self._pass_on(done, answer))
        if self._lost_by:
            self._settle(answer, error=self._lost())
        return answer

    def _pass_on(self, done: Future[Any], answer: Future[Any]) -> None:
        """Give what a task has come to to whoever waits for it."""
        if done.cancelled():
            self._settle(answer, error=self._lost())
        elif error := done.exception():
            self._settle(answer, error=self._explained(error))
        elif isinstance(value := done.result(), Failure):
            self._settle(answer, error=value.error())
        else:
            self._settle(answer, value)

    def _settle(self, answer: Future[Any], value: object = None, error: BaseException | None = None) -> None:
        self._awaited.discard(answer)
        with contextlib.suppress(InvalidStateError):  # it was given up a moment ago
            if error is None:
                answer.set_result(value)
            else:
                answer.set_exception(error)

    def _lost(self) -> PlanError:
        return PlanError(self._lost_by or f"the scheduler at {self._address} is gone, or has dropped what it had to do")

    def _explained(self, error: BaseException) -> BaseException:
        """What the user can do about an error of Dask; any other as it is."""
        if isinstance(error, self._dask.KilledWorker):
            return PlanError("worker after worker died over the same blocks; see what their logs say")
        if isinstance(error, ImportError) or str(error).startswith("Can't get attribute"):  # says pickle
            return PlanError(
                f"a worker cannot load kok-sim ({_describe(error)}): install the same there as here, and start it again"
            )
        return error


class _Call:
    """A call that is made where its pickle is opened.

    So neither the scheduler nor a worker needs kok-sim to read a task. (Dask ends a worker that cannot read one.)
    """

    def __init__(self, function: Callable[..., Any], *args: object) -> None:
        self._function, self._args = function, args

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return self._function, self._args


def _left(_: pickle.PickleBuffer) -> None:
    """Leave the plan out of a pickle: it travels by itself."""


def _number(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _verify_address(address: str) -> int:
    """How many processes to start; 0 for the address of a scheduler."""
    local = re.fullmatch(r"local:([0-9]{1,5})", address)
    if local and 1 <= int(local[1]) <= MAX_PROCESSES:
        return int(local[1])
    if local or not re.fullmatch(r"[a-z]+://[^\s/]+:[0-9]{1,5}", address):
        raise PlanError(
            "a cluster must be the address of a scheduler, such as 'tcp://host:8786', or 'local:4' for processes of "
            f"this machine (1 to {MAX_PROCESSES}); got {address!r}"
        )
    return 0


def _import_dask() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise PlanError("a cluster needs Dask: pip install 'kok-sim[cluster]'") from error


async def _kind_of(dask: Any, address: str) -> str:
    """What answers at an address: ``"Scheduler"``. (A Client would wait for ever for somebody who says nothing.)"""
    security = dask.Security().get_connection_args("client")
    answering = dask.rpc(address, timeout=CONNECT_PATIENCE, connection_args=security)
    async with asyncio.timeout(CONNECT_PATIENCE + 1), answering as there:
        return str((await there.identity())["type"])


def _close(opened: Any) -> None:
    """Close a client or a cluster, even one whose other side is gone."""
    with contextlib.suppress(Exception):
        opened.close(timeout=2 * CONNECT_PATIENCE)


def _describe(error: BaseException) -> str:
    """An error in one line."""
    return f"{type(error).__name__}: {error}".partition("\n")[0]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """No log lines of Dask: what the user should know is said in errors."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOGGERS]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextlib.contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Threads and processes that are begun here never see Ctrl-C, which a terminal sends to all processes."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    resource_tracker.ensure_running()  # which the first process would do, and unblock it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Failure(NamedTuple):
    """An error on its way from a worker. (As itself it would not survive: its class may want other arguments.)"""

    kind: type[KokSimError]
    message: str

    def error(self) -> KokSimError:
        """The error that it was."""
        return self.kind.__new__(self.kind, self.message)


class _Opened(NamedTuple):
    plan: Plan
    table: Playable


_opening = threading.Lock()


def play_there(packed: bytes, program: dict[str, str], first_block: int, blocks: int, keep: bool) -> Played | Failure:
    """At a worker: play a chunk."""
    try:
        opened = _open_plan(packed, program)
        return play_chunk(opened.table, opened.plan, first_block, blocks, keep)
    except KokSimError as error:
        return Failure(type(error), str(error))


def prepare_there(packed: bytes, program: dict[str, str]) -> int | Failure:
    """At a worker: whatever must be done before the first game; gives the blocks to a chunk for a thread."""
    try:
        table = _open_plan(packed, program).table
        table.prepare()
        return table.chunk_blocks
    except KokSimError as error:
        return Failure(type(error), str(error))


def _open_plan(packed: bytes, program: dict[str, str]) -> _Opened:
    """The plan, opened once by each process that runs the same program."""
    for name, version in program.items():
        if PROGRAM[name] != version:
            raise PlanError(
                f"the worker {_address_here()} has {name} {PROGRAM[name]}, but this is {version}: install the same "
                "there, and start the worker again"
            )
    with _opening:
        return _unpack(packed)


@lru_cache(KEPT_PLANS)
def _unpack(packed: bytes) -> _Opened:
    try:
        plan = pickle.loads(packed)
    except Exception as error:
        raise PlanError(f"the worker {_address_here()} cannot open the plan: {_describe(error)}") from error
    return _Opened(plan, open_table(plan))


def _address_here() -> str:
    return str(_import_dask().get_worker().address)
