"""Strategies in code: a function that scores a move, marked with the decorator :func:`strategy`.

    from strategies import strategy

    @strategy
    def edges(view, move, bonus=0.3):
        "Points now, and a bonus for cells far from H."
        return move.points + bonus * move.distance

The function is left as it is. The engine compiles it; what a ``view`` and a ``move`` hold is in the ``features.py`` of
its game. Its further arguments are its parameters.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import importlib.util
import inspect
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from simulator.errors import StrategyError, UnknownNameError
from simulator.strategy import Scored
from strategies import parameters

MODULE_PREFIX = "kok_sim_strategy_"
"""How the names of the modules begin as which users' files run."""
_MARK = "_kok_sim_strategy"
_Function = TypeVar("_Function", bound=Callable[..., Any])


def strategy(function: _Function) -> _Function:
    """Mark ``function(view, move, param=number, …)`` as a strategy: the move with the largest result is played.

    The function takes a view, a move, and parameters with numbers as defaults, and gives a number. The first line of
    its docstring says the idea.
    """
    setattr(function, _MARK, True)
    return function


def is_marked(value: object) -> bool:
    """Whether ``value`` is a function that was decorated with :func:`strategy`."""
    return callable(value) and getattr(value, _MARK, None) is True


def make(function: Callable[..., Any], name: str, source: str | None = None) -> Scored:
    """The strategy of a marked function; `StrategyError` if its arguments are not as they must be.

    ``source`` is the hash of its code, that of the function's own file if left out.
    """
    plain = getattr(function, "py_func", function)  # one that numba already compiles
    if not inspect.isfunction(plain):
        raise StrategyError(f"strategy {name!r}: @strategy belongs on a function; got {type(plain).__name__}")
    where = f"strategy {name!r} (line {plain.__code__.co_firstlineno})"
    arguments = list(inspect.signature(plain).parameters.values())
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if len(arguments) < 2 or any(a.kind not in positional or a.default is not a.empty for a in arguments[:2]):
        raise StrategyError(f"{where}: its first two arguments must be view and move, without defaults")
    values = {a.name: _default(a, where) for a in arguments[2:]}
    idea, _, text = inspect.cleandoc(plain.__doc__ or "").partition("\n")
    return Scored(name, idea, plain, values, text.strip(), source_of(plain) if source is None else source)


def _default(argument: inspect.Parameter, where: str) -> float:
    if argument.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
        raise StrategyError(f"{where}: {argument} must be an ordinary argument such as {argument.name}=1.0")
    value = argument.default
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise StrategyError(
            f"{where}: parameter {argument.name} needs a number as its default, as in {argument.name}=1.0"
        )
    return float(value)


def source_of(function: Callable[..., Any]) -> str:
    """A hash of the file in which a function stands, or of its own text if there is none; empty if neither is known.

    Other files, which this one imports, do not count.
    """
    try:
        plain = inspect.unwrap(function)
        file = Path(inspect.getsourcefile(plain) or "")
        return _hash(file.read_bytes() if file.is_file() else inspect.getsource(plain).encode(), {})
    except (OSError, TypeError):  # so inspect says that it does not know
        return ""


def _hash(code: bytes, neighbors: Mapping[str, ModuleType]) -> str:
    """The first 16 hex digits of SHA-256 of the code, followed by the files of its neighbors, sorted by name."""
    content = hashlib.sha256(code)
    for name, module in sorted(neighbors.items()):
        if file := getattr(module, "__file__", None):
            content.update(f"\0{name}\0".encode() + Path(file).read_bytes())
    return content.hexdigest()[:16]


def with_parameters(strategy: Scored, values: Mapping[str, float]) -> Scored:
    """The same strategy with some parameters set; raises for one that it does not have."""
    parameters.verify_names(values, strategy.parameters, strategy.name)
    name = parameters.canonical(strategy.name, values, strategy.parameters)
    return dataclasses.replace(strategy, name=name, parameters={**strategy.parameters, **values})


def load_file(path: str, name: str = "") -> Scored:
    """The strategy ``name`` of a Python file, or its only one.

    Its ``source`` is a hash of the file and of the modules beside it that it was the first to import. What else it
    imports or reads (installed packages, data files) does not count.

    Raises
    ------
    StrategyError
        If the file cannot be read or run (with the line at fault), or has not exactly one strategy and none is named.
    UnknownNameError
        If it has no strategy of that name, with the nearest one that it has.
    """
    module, source = _run(path)
    found = {key: value for key, value in vars(module).items() if is_marked(value)}
    if not found:
        raise StrategyError(f"{path}: no strategy in it; write @strategy above the function that scores a move")
    if not name and len(found) > 1:
        specs = ", ".join(f"{path}:{key}" for key in found)
        raise StrategyError(f"{path}: {len(found)} strategies in it; name one of {specs}")
    if name and name not in found:
        raise UnknownNameError(f"strategy in {path}:", name, found)
    name = name or next(iter(found))
    return make(found[name], f"{path}:{name}", source)


def _run(path: str) -> tuple[ModuleType, str]:
    """Run a Python file as a module of its own, unknown to ``import``; nothing is written beside it.

    Returns the module and a hash of its code.
    """
    full = Path(path).resolve()
    unique = f"{MODULE_PREFIX}{hashlib.sha256(str(full).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(unique, full)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    try:
        code = full.read_bytes()
    except OSError as error:
        raise StrategyError(f"cannot read strategy file {path!r}: {error.strerror}") from error
    sys.modules[unique] = module  # dataclasses and the like look their module up
    try:
        with _neighbors_importable(full.parent) as neighbors, contextlib.redirect_stdout(sys.stderr):
            exec(compile(code, str(full), "exec", dont_inherit=True), module.__dict__)
        source = _hash(code, neighbors)
    except (Exception, SystemExit) as error:
        del sys.modules[unique]
        raise StrategyError(f"{path}{_line(error, full)}: {describe(error)}") from error
    return module, source


@contextlib.contextmanager
def _neighbors_importable(folder: Path) -> Iterator[dict[str, ModuleType]]:
    """While the file runs, modules beside it can be imported; they come last and so hide nothing.

    Afterwards the modules that came from there are forgotten again (whoever imported them keeps them), so that a file
    in another folder gets its own neighbors of the same names. They are moved into the dictionary that is given.
    """
    forgotten: dict[str, ModuleType] = {}
    path, modules = list(sys.path), set(sys.modules)
    sys.path.append(str(folder))
    importlib.invalidate_caches()  # or a neighbor written a moment ago may not be seen
    try:
        yield forgotten
    finally:
        sys.path[:] = path
        new = [name for name in sys.modules if name not in modules]
        neighbors = {name for name in new if "." not in name and _is_beside(sys.modules[name], folder)}
        for name in new:
            if name.partition(".")[0] in neighbors:
                forgotten[name] = sys.modules.pop(name)


def _is_beside(module: ModuleType, folder: Path) -> bool:
    """Whether a module is a file in the folder, or a package whose own folder is in it (not one further down)."""
    places = getattr(module, "__path__", None) or [getattr(module, "__file__", None) or ""]
    return any(place and Path(place).parent == folder for place in places)


def _line(error: BaseException, file: Path) -> str:
    """``", line 3"``: the line of ``file`` at which it failed, empty if that is not known."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f", line {error.lineno}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    return f", line {lines[-1]}" if lines else ""


def describe(error: BaseException) -> str:
    """An exception in one line: its kind and the first line of its message."""
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    first = next(iter(message.strip().splitlines()), "")
    return f"{type(error).__name__}: {first}" if first else type(error).__name__
