"""Runs the tests of a copy of the project, without and with changes.

``python session.py FOLDER`` takes the copy in FOLDER, carries out ``asked.json`` in it and adds a
line to ``results.jsonl`` for each change. Each is written into its module, for the processes that
tests start, and tried in a process of its own. A change within a function is put into the loaded
project, whose tests were collected once; one that counts while a module is loaded is met by a
process that loads the project anew. A test that fails without a change as well notices nothing.
As a plugin of pytest, with ``MUTATION_REACH``, it notes which lines each test reaches and what it
takes. Linux and macOS.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType

import pytest

UNCHANGED = ".unchanged"
FEW_EXAMPLES = 12
MEMORY_BYTES = 8 << 30
TIMES_AS_LONG, AND_SECONDS = 4, 12
"""So many times the tests' own time, and so many seconds for loading, are noticed as too long."""


def processor_s() -> float:
    """The processor time of this process and of those it has waited for."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


class Reach:
    """A plugin that notes for each test what it takes and which measured lines it reaches."""

    def __init__(self, path: Path, modules: Sequence[str]) -> None:
        import coverage

        self.path, self.root = path, Path.cwd()
        include = [str(self.root / module) for module in modules]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, include=include)
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        started = processor_s()
        done = yield
        self.seconds[item.nodeid] = processor_s() - started
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed":
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        reached: dict[str, dict[int, list[str]]] = {}
        at_load: dict[str, list[int]] = {}
        for path in data.measured_files():
            module = Path(path).relative_to(self.root).as_posix()
            lines = data.contexts_by_lineno(path)
            at_load[module] = [line for line, names in lines.items() if "" in names]
            reached[module] = {
                line: [name for name in names if name in self.seconds]
                for line, names in lines.items()
            }
        installed = [
            name
            for name, module in list(sys.modules.items())
            if "site-packages" in (getattr(module, "__file__", None) or "")
            and not name.startswith(("coverage", "__"))
        ]
        seconds = {name: took for name, took in self.seconds.items() if name not in self.failed}
        found = {"seconds": seconds, "reached": reached, "at_load": at_load}
        self.path.write_text(json.dumps(found | {"installed": installed}), encoding="utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Before a conftest loads the project: what runs then is noted too."""
    path = os.environ.pop("MUTATION_REACH", None)
    if path is not None:
        modules = json.loads(os.environ.pop("MUTATION_MODULES"))
        early_config.pluginmanager.register(Reach(Path(path), modules))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Few examples of each property, and none made smaller."""
    from hypothesis import Phase, settings

    for item in items:
        function = getattr(getattr(item, "obj", None), "__func__", getattr(item, "obj", None))
        if hasattr(function, "hypothesis"):
            name = "_hypothesis_internal_use_settings"
            chosen = getattr(function, name, None) or settings()
            few = settings(
                chosen,
                max_examples=min(FEW_EXAMPLES, chosen.max_examples),
                database=None,
                phases=(Phase.explicit, Phase.generate),
            )
            setattr(function, name, few)


@dataclass(frozen=True)
class Asked:
    """A change of a module, its tests, in the order in which they run, and what they take.

    ``loaded``: it counts while the module is loaded.
    """

    name: str
    module: str
    code: str
    tests: tuple[str, ...]
    seconds: float
    loaded: bool


class Chosen:
    """A plugin that runs these tests, in this order, and notes which one fails."""

    def __init__(self, names: Sequence[str], note: Path) -> None:
        self.names, self.note = names, note

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        by_name = {item.nodeid: item for item in items}
        items[:] = [by_name[name] for name in self.names if name in by_name]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.note.write_text(report.nodeid, encoding="utf-8")


class Series:
    """A plugin that collects tests once and then tries one change after the other."""

    def __init__(self, asked: Sequence[Asked], tried: Callable[[Asked, Run], None]) -> None:
        self.asked, self.tried = asked, tried

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        from _pytest.main import pytest_runtestloop

        by_name = {item.nodeid: item for item in session.items}
        functions: dict[str, list[FunctionType]] = defaultdict(list)
        # What is frozen, as after collecting, is no object that could be asked for.
        gc.unfreeze()
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                functions[each.__code__.co_filename].append(each)
        gc.freeze()

        def run(asked: Asked, tests: Sequence[str], *, changed: bool) -> str | None:
            def work(note: Path) -> int:
                if changed:
                    put_in(asked, functions[str(Path.cwd() / asked.module)])
                session.config.pluginmanager.register(Chosen(tests, note))
                session.items[:] = [by_name[name] for name in tests if name in by_name]
                with contextlib.suppress(session.Failed):
                    pytest_runtestloop(session)
                return session.testsfailed

            return _in_a_process(work, asked.seconds)

        for each in self.asked:
            self.tried(each, run)
        return True


def put_in(asked: Asked, functions: Sequence[FunctionType]) -> None:
    """Give every function of the module that is loaded the code that it has in the changed one."""
    path = Path.cwd() / asked.module
    before = compile(path.with_suffix(UNCHANGED).read_text(encoding="utf-8"), str(path), "exec")
    after = compile(asked.code, str(path), "exec")
    changed = dict(_pairs(before, after))
    for function in functions:
        code = changed.get(function.__code__)
        if code is not None:
            function.__code__ = code


def _pairs(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    olds = [each for each in before.co_consts if isinstance(each, CodeType)]
    news = [each for each in after.co_consts if isinstance(each, CodeType)]
    for old, new in zip(olds, news, strict=False):
        if old != new:
            yield old, new
            yield from _pairs(old, new)


Run = Callable[..., "str | None"]


def main(folder: Path) -> None:
    """Carry out what is asked and not known yet."""
    os.chdir(folder)
    sys.dont_write_bytecode = True
    sys.path[0] = str(folder)
    # Threads do not survive a fork.
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    _import_installed(json.loads(Path("reach.json").read_text(encoding="utf-8"))["installed"])
    results = Path("results.jsonl")
    known = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    done = {json.loads(line)[0] for line in known}
    every = [Asked(*each) for each in json.loads(Path("asked.json").read_text("utf-8"))]
    asked = [each for each in every if each.name not in done]
    failing: dict[str, bool] = {}

    def tried(each: Asked, run: Run) -> None:
        started = time.monotonic()
        by = _noticed_by(each, run, failing)
        took = round(time.monotonic() - started, 2)
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps([each.name, by is not None, took, by]) + "\n")

    within = [each for each in asked if not each.loaded]
    if within:
        files = sorted({name.partition("::")[0] for each in within for name in each.tests})
        pid = os.fork()
        if pid == 0:
            code = pytest.main([*OPTIONS, *files], [Series(within, tried), sys.modules[__name__]])
            os._exit(int(code))
        os.waitpid(pid, 0)
    for each in asked:
        if each.loaded:
            tried(each, _run_anew)


OPTIONS = ("-x", "-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider")


def _run_anew(asked: Asked, tests: Sequence[str], *, changed: bool) -> str | None:
    files = list(dict.fromkeys(name.partition("::")[0] for name in tests))

    def work(note: Path) -> int:
        code = pytest.main([*OPTIONS, *files], [Chosen(tests, note), sys.modules[__name__]])
        return code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    return _in_a_process(work, asked.seconds)


def _noticed_by(asked: Asked, run: Run, failing: dict[str, bool]) -> str | None:
    """The test that notices a change, or why it ended; None where nothing does.

    ``failing`` keeps which tests fail without a change.
    """
    tests = [name for name in asked.tests if not failing.get(name)]
    while tests:
        with changed_file(Path(asked.module), asked.code):
            by = run(asked, tests, changed=True)
        if by not in tests:
            return by
        if by not in failing:
            failing[by] = run(asked, [by], changed=False) is not None
        if not failing[by]:
            return by
        tests.remove(by)
    return None


@contextlib.contextmanager
def changed_file(path: Path, code: str) -> Iterator[None]:
    """The file with other code in it meanwhile.

    What is broken off leaves a copy, from which the next run puts things right.
    """
    unchanged = path.with_suffix(UNCHANGED)
    shutil.copy2(path, unchanged)
    path.write_text(code, encoding="utf-8")
    try:
        yield
    finally:
        unchanged.replace(path)


def _import_installed(names: Sequence[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in names:
            # Some are made by others when these are imported, and some only under a test.
            with contextlib.suppress(Exception):
                importlib.import_module(name)


def _in_a_process(work: Callable[[Path], int], seconds: float) -> str | None:
    """The test that fails in ``work``, "too long" or "loading"; None where it returns 0."""
    note = Path("failed.txt")
    note.unlink(missing_ok=True)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setsid()
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            limit = int(TIMES_AS_LONG * seconds + AND_SECONDS)
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
            code = int(work(note.absolute()))
        finally:
            os._exit(min(code, 1))
    # Waiting is no work: a test may wait for others, but not without end.
    ended = _wait(pid, 4 * (TIMES_AS_LONG * seconds + AND_SECONDS))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    if ended is None:
        os.waitpid(pid, 0)
        return "too long"
    if ended == 0:
        return None
    if os.WIFSIGNALED(ended):
        return "too long"
    return note.read_text(encoding="utf-8") if note.exists() else "loading"


def _wait(pid: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.02)
    return None


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
