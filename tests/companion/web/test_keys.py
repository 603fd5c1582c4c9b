from __future__ import annotations

from companion.web.shell.bridge import component_key


def test_no_two_underscores_and_no_two_games_with_one_key() -> None:
    assert component_key("board", "a__b_c-d", 1, 0) == "board-a..b.c-d-1-0"
    assert component_key("hand", "__", 2) != component_key("hand", "_", 2)
