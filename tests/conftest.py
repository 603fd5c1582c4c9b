"""What was not tried, and why: one line a reason at the end of a run; and why a try failed."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Generator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Property tests are the same on every run, and don't fail because a machine is busy. `make slow`
# runs them once more, with `--hypothesis-profile many`.
for _name, _examples in (("few", 25), ("many", 200)):
    settings.register_profile(
        _name,
        max_examples=_examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("few")

_LEFT_OUT = pytest.StashKey[Counter[str]]()
_KINDS = {"browser": "stories in a browser", "slow": "slow tests"}
_SENT_AS = "left_out"
_TOLD_AT_MOST = 3000


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_LEFT_OUT] = Counter()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests and all libraries stay to the end: no look for garbage passes them."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        kind = next((name for name in _KINDS if item.get_closest_marker(name)), None)
        if kind is not None:
            item.config.stash[_LEFT_OUT][kind] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process that runs a part of the tests hands over what it counted."""
    left_out = session.config.stash[_LEFT_OUT]
    sent = getattr(session.config, "workeroutput", None)
    if sent is not None:
        sent[_SENT_AS] = dict(left_out)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Each process has collected all tests and counted the same."""
    counted: dict[str, int] = getattr(node, "workeroutput", {}).get(_SENT_AS, {})
    left_out: Counter[str] = node.config.stash[_LEFT_OUT]
    left_out |= Counter(counted)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    skipped = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple)
    )
    # Of what passes at last the report says otherwise only that it was tried again.
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.section(f"failed at first: {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-_TOLD_AT_MOST:])
    # What names on the command line leave out is known to who typed them.
    left_out = config.stash[_LEFT_OUT] if config.getoption("markexpr") else {}
    if not skipped and not left_out:
        return
    terminalreporter.section("not tried")
    for reason, number in skipped.most_common():
        terminalreporter.write_line(f"{number} skipped: {reason}")
    for kind, number in left_out.items():
        terminalreporter.write_line(f"{number} {_KINDS[kind]} not run")
    terminalreporter.write_line(
        "`make test-all` runs the slow tests and the stories in a browser, and installs what is "
        "missing where it may."
    )
