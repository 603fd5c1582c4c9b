"""Whatever is typed, a command ends with one of its exit codes and never with a traceback."""

from __future__ import annotations

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli.kingdomino import main

OPTIONS = [
    *("--json", "--harmony", "--middle-kingdom", "--dynasty", "--duel", "--giants", "--size", "7"),
    *("--quest", "Umland:w", "harmony", "bleak-king", "--tie-break", "crowns", "--players", "2"),
    *("--language", "de", "+", "--", "-x", "=", "A=c", "B=c w1 w", "c w w"),
]
kingdoms = st.text(alphabet="wflgsmc.0123!/= AB", max_size=16)
words = st.one_of(st.sampled_from(OPTIONS), kingdoms, st.text(max_size=6))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(("score", "check", "setup")), st.lists(words, max_size=7))
def test_any_arguments_end_well(command: str, arguments: list[str]) -> None:
    # Neither files nor the standard input are read here.
    arguments = [word for word in arguments if word != "-" and not word.startswith("--f")]
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code: object = main([command, *arguments])
        except SystemExit as ended:
            code = ended.code
    assert code in (0, 1, 2, 3)
    assert bool(err.getvalue()) == (code == 2)
    assert bool(out.getvalue()) == (code != 2)
    told = (out.getvalue() + err.getvalue()).replace("\n", "")
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in told)
