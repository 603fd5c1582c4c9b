"""A training goes on where its weights left off."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")

from training.common.loop import save_onnx  # noqa: E402
from training.pip_dominoes.networks import HalfReader, Locator, resume  # noqa: E402
from vision.pip_dominoes.weights import HALF_PX  # noqa: E402


@pytest.mark.filterwarnings("ignore")
def test_the_network_does_what_it_did(tmp_path: Path) -> None:
    torch.manual_seed(3)
    batch = torch.rand(16, 3, HALF_PX, HALF_PX) - 0.5
    first = HalfReader(20)
    for _ in range(3):
        first(batch)
    first.eval()
    save_onnx(first, batch[:1], tmp_path / "halves.onnx", dynamic_size=False)
    second = HalfReader(20)
    resume(second, tmp_path / "halves.onnx", batch)
    with torch.no_grad():
        expected = first(batch)
        second.eval()
        torch.testing.assert_close(second(batch), expected, atol=1e-4, rtol=1e-3)
        second.train()
        second.drop.p = 0.0
        torch.testing.assert_close(second(batch), expected, atol=1e-3, rtol=1e-2)


@pytest.mark.filterwarnings("ignore")
def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    save_onnx(
        HalfReader(20).eval(), torch.zeros(1, 3, HALF_PX, HALF_PX), tmp_path / "halves.onnx",
        dynamic_size=False,
    )  # fmt: skip
    with pytest.raises(ValueError, match="expected weights of"):
        resume(Locator(8), tmp_path / "halves.onnx", torch.zeros(2, 3, 64, 64))
