from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from companion.languages import codes

ROOT = Path(__file__).parents[4]


def test_every_kind_of_game_is_known() -> None:
    code = (
        "from companion.cli.stored import register_kinds\n"
        "from companion.store import registered\n"
        "register_kinds()\n"
        "print(*sorted(kind.key for kind in registered()))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {path.parent.name for path in (ROOT / "companion").glob("*/kind.py")}
    assert "kingdomino" in rooms
    assert "kingdomino" in done.stdout.split()
    assert len(done.stdout.split()) >= len(rooms)


def test_every_refusal_of_the_store_has_its_words() -> None:
    raised = set()
    for file in (ROOT / "companion").rglob("*.py"):
        raised |= set(re.findall(r'StoreError\(\s*"(\w+)"', file.read_text(encoding="utf-8")))
    assert {"bad_backup", "not_empty", "newer_database"} <= raised
    assert {f"store_error.{code}" for code in raised} <= codes()
