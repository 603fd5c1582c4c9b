from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from vision.common.stored_head import HeadError, StoredHead, head_named_by


@dataclass(frozen=True, eq=False)
class Small(StoredHead):
    outputs: ClassVar[int] = 2
    features: ClassVar[int] = 3


HEAD = Small(np.arange(6, dtype=np.float32).reshape(2, 3), np.ones(2, np.float32), "network")


def kept(tmp_path: Path, head: StoredHead) -> Path:
    path = tmp_path / "head.npz"
    path.write_bytes(head.to_bytes())
    return path


def test_it_is_kept_in_a_file_without_code(tmp_path: Path) -> None:
    again = Small.load(kept(tmp_path, HEAD))
    np.testing.assert_array_equal(again.weight, HEAD.weight)
    np.testing.assert_array_equal(again.bias, HEAD.bias)
    assert again.network == "network"


@pytest.mark.parametrize(
    "head",
    [
        replace(HEAD, bias=np.ones(3, np.float32)),
        replace(HEAD, weight=np.ones((2, 4), np.float32)),
        replace(HEAD, weight=np.ones((3, 3), np.float32), bias=np.ones(3, np.float32)),
        replace(HEAD, weight=np.ones(2, np.float32)),
        replace(HEAD, weight=HEAD.weight * np.float32(np.nan)),
    ],
)
def test_a_layer_of_another_size_or_without_numbers_is_none(head: Small, tmp_path: Path) -> None:
    with pytest.raises(HeadError, match="not_a_head"):
        Small.load(kept(tmp_path, head))


def test_the_environment_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.delenv("A_HEAD", raising=False)
    assert head_named_by("A_HEAD", Small.load) is None
    path = kept(tmp_path, HEAD)
    monkeypatch.setenv("A_HEAD", str(path))
    assert head_named_by("A_HEAD", Small.load) is not None
    path.write_bytes(b"nothing")
    with caplog.at_level(logging.WARNING):
        assert head_named_by("A_HEAD", Small.load) is None
    assert "not_a_head" in caplog.text
    monkeypatch.setenv("A_HEAD", str(tmp_path / "missing.npz"))
    assert head_named_by("A_HEAD", Small.load) is None
