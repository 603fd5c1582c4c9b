from __future__ import annotations

import pytest

from vision.common.runtime import Clock


def test_steps_of_one_name_are_counted_together_even_where_they_fail() -> None:
    clock = Clock()
    with clock.step("read"):
        pass
    first = clock.seconds["read"]
    with pytest.raises(ValueError, match="broken"), clock.step("read"):
        raise ValueError("broken")
    with clock.step("settle"):
        pass
    assert list(clock.seconds) == ["read", "settle"]
    assert clock.seconds["read"] > first >= 0
