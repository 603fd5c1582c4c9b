from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

PROGRAM = """
import gc
from companion.web.startup import warm_up
warm_up()
assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
assert len(gc.get_objects()) < 20_000, len(gc.get_objects())
import sys, threading
assert "garbage" in {thread.name for thread in threading.enumerate()}
for name in ("pandas", "altair", "companion.web.domino_duell.pages", "companion.web.page"):
    assert name in sys.modules, name
"""


def test_what_stays_for_good_is_not_looked_through_after_each_tap() -> None:
    """In a process of its own, as nothing is to be kept for good in that of the tests."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    entry = (ROOT / "streamlit_app.py").read_text(encoding="utf-8")
    assert "warm_up()" in entry
    settings = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert 'fileWatcherType = "none"' in settings
    assert "postScriptGC = false" in settings
