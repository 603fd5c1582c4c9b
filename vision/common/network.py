"""Networks in ONNX files, run in a few threads, and what the maps of a locator say.

ONNX Runtime runs them where it is installed, else OpenCV. A fully convolutional locator says peaks
in its map of middles, and frames of squares.

Stored tensors are read and replaced by others of the same size without a library. The layout is
that of Protocol Buffers: a model (field 7: its graph) of a graph (field 5: its stored tensors) of
tensors (1: sides, 8: name, 9: values as little-endian bytes).

A frame is the directions and lengths of the two edges of a square as five smooth numbers. A square
has no first edge and no direction along it, so its edges u and v (complex numbers, pixels) are
defined only up to sign and order. The symmetric functions u² + v² and u²v² don't depend on either,
and u², v² are the roots of t² − (u² + v²)t + u²v². Divided by the area |uv| they are two complex
numbers that vary smoothly, so that a network can learn them at any angle and tilt.
"""

from __future__ import annotations

import importlib
import logging
import os
import random
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, update_wrapper
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar
from zipfile import BadZipFile

import cv2
import numpy as np
from numpy.typing import NDArray

Tensor = NDArray[np.float32]
Floats = NDArray[np.float64]

# The cores that one reading uses at most.
THREADS = 2

Item = TypeVar("Item")
Found = TypeVar("Found")

_lock = threading.Lock()
_pool: ThreadPoolExecutor | None = None
# What may run beside what its caller does; more would only wait for a core.
_beside = threading.BoundedSemaphore(THREADS - 1)


def count_threads() -> int:
    """The threads that one reading uses: two, or one where OpenCV is told to use one alone."""
    return max(1, min(THREADS, cv2.getNumThreads()))


def map_in_threads(
    function: Callable[[Item], Found], items: Sequence[Item], at_least: int = 4
) -> list[Found]:
    """``function`` of each item, in order; with two threads from ``at_least`` items on.

    It pays where the function leaves Python, as OpenCV does.
    """
    if count_threads() < 2 or len(items) < at_least:
        return [function(item) for item in items]

    def every_second(first: int) -> list[Found]:
        return [function(item) for item in items[first::2]]

    odd = _shared_pool().submit(every_second, 1)
    even = every_second(0)
    found: list[Found] = [even[0]] * len(items)
    found[0::2], found[1::2] = even, odd.result()
    return found


def start_beside(function: Callable[[], Found]) -> Future[Found] | None:
    """``function`` begun in a thread of its own; None where no core is free for it.

    No core is free where OpenCV is told to use one thread, and while another function that was
    started so is at work.
    """
    slot = _beside
    if count_threads() < 2 or not slot.acquire(blocking=False):
        return None
    try:
        task = _shared_pool().submit(function)
    except BaseException:
        slot.release()
        raise
    task.add_done_callback(lambda _: slot.release())
    return task


def _shared_pool() -> ThreadPoolExecutor:
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="both-cores")
        return _pool


def _forget() -> None:
    """A process that was forked has the pool, but none of its threads."""
    global _pool, _lock, _beside
    _pool, _lock = None, threading.Lock()
    _beside = threading.BoundedSemaphore(THREADS - 1)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


# Just below the most that the allocator of glibc learns from.
_LARGE_BLOCK_BYTES = 32 * 2**20 - 2**16


def keep_freed_memory() -> None:
    """Let the allocator keep what a reading frees, up to twice the size of a large block.

    Else each photograph takes thousands of fresh pages from the system, a tenth of the time of its
    decoding. glibc does it as soon as one large block was freed, which is never written to and
    so takes no memory (mallopt(3), "dynamic adjustment of the mmap threshold"); elsewhere nothing
    changes.
    """
    np.empty(_LARGE_BLOCK_BYTES, np.uint8)


class Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done within as part of a step."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - started)

    def add(self, name: str, seconds: float) -> None:
        """Count seconds that were measured elsewhere as part of a step."""
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds


# Seconds for the yardstick on the machine on which the limits were measured.
_YARDSTICK_S = 0.00105


@cache
def slowness() -> float:
    """How many times longer this machine takes than that on which limits were measured; 1 or more.

    The best of a few runs of a yardstick, which others on the machine disturb little.
    """
    text = random.Random(1).randbytes(32_768).translate(bytes(k & 15 for k in range(256)))
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        zlib.compress(text, 6)
        seconds.append(time.perf_counter() - started)
    return max(1.0, min(seconds) / _YARDSTICK_S)


_GRAPH, _STORED, _SIDES, _NAME, _VALUES = 7, 5, 1, 8, 9
_VARINT, _BYTES = 0, 2
_SIZES = {1: 8, 5: 4}


def read_tensor(model: bytes, name: str) -> Tensor:
    """A stored tensor of 32-bit floats. KeyError where there is none of this name."""
    begin, end, shape = _places(model)[name]
    return np.frombuffer(model[begin:end], "<f4").astype(np.float32).reshape(shape)


def with_tensors(model: bytes, tensors: Mapping[str, Tensor]) -> bytes:
    """The model with other values in these tensors.

    KeyError for a name that is not there, ValueError for a tensor of another shape.
    """
    places, changed = _places(model), bytearray(model)
    for name, values in tensors.items():
        begin, end, shape = places[name]
        if values.shape != shape:
            raise ValueError(f"{name}: expected shape {shape}, got {values.shape}")
        changed[begin:end] = np.ascontiguousarray(values, "<f4").tobytes()
    return bytes(changed)


def _places(model: bytes) -> dict[str, tuple[int, int, tuple[int, ...]]]:
    """Where the values of each stored tensor begin and end, and its shape."""
    found = {}
    for field, begin, end in _fields(model, 0, len(model)):
        if field == _GRAPH:
            for inner, first, last in _fields(model, begin, end):
                if inner == _STORED:
                    name, place = _tensor(model, first, last)
                    found[name] = place
    return found


def _tensor(model: bytes, begin: int, end: int) -> tuple[str, tuple[int, int, tuple[int, ...]]]:
    """Its name and place; one whose values are stored in another way has none."""
    name, values, sides = "", (begin, begin), list[int]()
    for field, first, last in _fields(model, begin, end):
        if field == _NAME:
            name = model[first:last].decode()
        elif field == _VALUES:
            values = (first, last)
        elif field == _SIDES:
            at = first
            while at < last:
                side, at = _varint(model, at)
                sides.append(side)
    return name, (*values, tuple(sides))


def _fields(data: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message: number, and where their content begins and ends."""
    while at < end:
        key, at = _varint(data, at)
        kind = key & 7
        begin = at
        if kind == _VARINT:
            _, at = _varint(data, at)
        elif kind == _BYTES:
            size, begin = _varint(data, at)
            at = begin + size
        elif kind in _SIZES:
            at += _SIZES[kind]
        else:
            raise ValueError(f"ONNX: expected a field of a known kind, got {kind}")
        if at > end:
            raise ValueError("ONNX: expected a whole message, it ends too early")
        yield key >> 3, begin, at


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("ONNX: expected a whole message, it ends too early")
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def load_onnxruntime(module: str = "onnxruntime") -> Any:
    """ONNX Runtime or a module of it, with its telemetry off; ImportError where it is missing.

    Loaded in any other way it writes an identity of the device below the home folder and looks
    its maker's host up. It reads the variable once, when it is loaded.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    return importlib.import_module(module)


class Network:
    """A network of one input and one output, safe to share between threads.

    ONNX Runtime is faster, OpenCV is everywhere; both give the same numbers but for rounding.
    ``runtime`` False takes OpenCV in any case. ``int8`` are the same weights in 8 bits, which
    ONNX Runtime takes instead where they are given, and OpenCV never does. With
    ``shares_batches`` ONNX Runtime works on both halves of a batch at the same time, which is
    faster for many small pictures than both cores at each layer.
    """

    def __init__(
        self,
        weights: bytes,
        *,
        runtime: bool = True,
        int8: bytes | None = None,
        shares_batches: bool = False,
    ) -> None:
        self._weights = weights
        self._int8 = int8
        self._runtime = runtime
        self._shares_batches = shares_batches
        self._lock = threading.Lock()
        self._session: Any = None
        # OpenCV's networks hold state while they run, so each thread gets its own.
        self._local = threading.local()

    def __call__(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """The output for a batch (n, channels, h, w)."""
        session = self._loaded()
        if session is not None:
            return self._run(session, batch)
        network = getattr(self._local, "network", None)
        if network is None:
            weights = np.frombuffer(self._weights, np.uint8)
            network = cv2.dnn.readNetFromONNX(weights, cv2.dnn.ENGINE_CLASSIC)
            self._local.network = network
        network.setInput(batch)
        return np.asarray(network.forward(), np.float32)

    @property
    def runs_in_8_bits(self) -> bool:
        """Whether it is the weights in 8 bits that are run."""
        return self._int8 is not None and self._loaded() is not None

    def _run(self, session: Any, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        name = session.get_inputs()[0].name

        def output(part: NDArray[np.float32]) -> NDArray[np.float32]:
            return np.asarray(session.run(None, {name: part})[0], np.float32)

        threads = count_threads() if self._shares_batches else 1
        if threads == 1 or len(batch) < 2:
            return output(batch)
        return np.concatenate(map_in_threads(output, np.array_split(batch, threads), 2))

    def _loaded(self) -> Any:
        """The session of ONNX Runtime, loaded when it is first used; None without it."""
        if not self._runtime:
            return None
        with self._lock:
            if self._session is None:
                try:
                    onnxruntime = load_onnxruntime()
                except ImportError:
                    self._runtime = False
                    return None
                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = 1 if self._shares_batches else count_threads()
                options.inter_op_num_threads = 1
                # It keeps what the largest batch ever took, and is no faster.
                options.enable_cpu_mem_arena = False
                # Threads that wait busily would take the cores from other readers.
                options.add_session_config_entry("session.intra_op.allow_spinning", "0")
                self._session = onnxruntime.InferenceSession(
                    self._int8 or self._weights, options, providers=["CPUExecutionProvider"]
                )
            return self._session


def as_planes(pictures: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> Tensor:
    """Pictures (n, h, w, 3) as networks take them, (n, 3, h, w), -0.5 to 0.5."""
    planes = np.asarray(pictures).transpose(0, 3, 1, 2).astype(np.float32)
    return np.ascontiguousarray(planes / np.float32(255) - np.float32(0.5))


def softmax(logits: Floats) -> Floats:
    """The probabilities (..., classes) of logits."""
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


MODELS = "KINGDOMINO_MODELS"
"""The environment variable that names a folder of weights to use instead of the shipped ones."""


def shipped_weights() -> Path:
    """The folder of the shipped weights: in the installed package, or beside it in a checkout.

    ``MODELS`` may name another one, with all networks of the reader that uses it.
    """
    named = os.environ.get(MODELS)
    return Path(named) if named else packed_folder("models")


def fitted_file(folder: Path, name: str) -> Path:
    """A small fitted model of a folder of weights, or the shipped one where that has none."""
    fitted = folder / name
    return fitted if fitted.is_file() else packed_folder("models") / name


class loaded_once(Generic[Found]):
    """A function that loads something once for the process, however many threads ask for it."""

    def __init__(self, load: Callable[[], Found]) -> None:
        # Threads that ask a cache meanwhile would each load it.
        self._loading, self._kept = threading.Lock(), cache(load)
        self.cache_clear = self._kept.cache_clear
        update_wrapper(self, load)

    def __call__(self) -> Found:
        with self._loading:
            return self._kept()


def packed_folder(name: str) -> Path:
    """A folder that comes with the project: in the installed package, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    return package / name if (package / name).is_dir() else package.parent / name


_LOG = logging.getLogger(__name__)


class HeadError(Exception):
    """A last layer that can't be used: ``not_a_head``, ``other_network``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, eq=False)
class StoredHead:
    """A last layer: ``weight`` (outputs, features) and ``bias`` (outputs,).

    ``network`` is the SHA-256 of the weights whose other layers it belongs to. Each reader says
    how many ``outputs`` and ``features`` its layer has; 0 is any number.
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]
    network: str

    outputs: ClassVar[int] = 0
    features: ClassVar[int] = 0

    def to_bytes(self) -> bytes:
        """The content of a file ``.npz``, for ``load``."""
        file = BytesIO()
        np.savez(file, weight=self.weight, bias=self.bias, network=np.array(self.network))
        return file.getvalue()

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file with the content of ``to_bytes``. OSError, HeadError ``not_a_head``."""
        data = path.read_bytes()
        try:
            with np.load(BytesIO(data), allow_pickle=False) as stored:
                head = cls(stored["weight"], stored["bias"], str(stored["network"]))
        except (ValueError, KeyError, EOFError, BadZipFile, OSError):
            raise HeadError("not_a_head") from None
        if not head._fits():
            raise HeadError("not_a_head")
        return head

    def _fits(self) -> bool:
        if self.weight.ndim != 2 or self.weight.shape[:1] != self.bias.shape:
            return False
        wanted = (self.outputs or len(self.weight), self.features or self.weight.shape[1])
        finite = np.isfinite(self.weight).all() and np.isfinite(self.bias).all()
        return self.weight.shape == wanted and bool(finite)


_Head = TypeVar("_Head", bound=StoredHead)


def head_named_by(variable: str, load: Callable[[Path], _Head]) -> _Head | None:
    """The last layer in the file that an environment variable names, None where it names none.

    One that ``load`` can't use any more, because the shipped weights are others now, is left out.
    """
    named = os.environ.get(variable)
    if not named:
        return None
    try:
        return load(Path(named))
    except (OSError, HeadError) as error:
        _LOG.warning("refitted last layer left out: %s", getattr(error, "code", "not readable"))
        return None


@dataclass(frozen=True, eq=False)
class Peaks:
    """``centres`` (n, 2) are x and y in pixels of the network's input, ``scores`` (n,) 0..1.

    ``mean`` (channels, n) is the mean of all maps over the 3 × 3 cells around each peak.
    """

    centres: Floats
    scores: Floats
    mean: Floats


def find_peaks(
    maps: NDArray[np.float32], channel: int, stride: int, min_score: float, most: int
) -> Peaks:
    """The ``most`` highest peaks of the logits in a ``channel`` of the maps (channels, h, w).

    A cell of the maps is ``stride`` pixels of the input wide. The place of a peak between cells is
    the top of a parabola.
    """
    logits = maps[channel]
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    threshold = np.log(min_score / (1 - min_score))
    rows, columns = np.nonzero((logits == highest) & (logits > threshold))
    order = np.argsort(-logits[rows, columns], kind="stable")[:most]
    rows, columns = rows[order], columns[order]
    # Beyond the edge lies what lies at the edge.
    last_row, last_column = logits.shape[0] - 1, logits.shape[1] - 1
    above_to_below = [np.clip(rows + dy, 0, last_row) for dy in (-1, 0, 1)]
    left_to_right = [np.clip(columns + dx, 0, last_column) for dx in (-1, 0, 1)]
    around = [maps[:, y, x].astype(np.float64) for y in above_to_below for x in left_to_right]
    # The logarithm of a Gaussian bump is a parabola: three values tell its top.
    heat = np.stack([-np.logaddexp(0, -a[channel]) for a in around])
    x = columns + _top(heat[3], heat[4], heat[5])
    y = rows + _top(heat[1], heat[4], heat[7])
    centres = (np.stack([x, y], 1) + 0.5) * stride - 0.5
    scores = 1 / (1 + np.exp(-around[4][channel]))
    return Peaks(centres, scores, np.asarray(np.mean(around, axis=0)))


def _top(before: Floats, at: Floats, after: Floats) -> Floats:
    bend = before - 2 * at + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.minimum(bend, -1e-6), 0)
    return np.asarray(np.clip(shift, -0.5, 0.5))


FRAME_CHANNELS = 5
# The side of a square, in pixels, whose size is encoded as 0.
REFERENCE_PX = 32.0


def encode_frames(edges: Floats) -> Floats:
    """Codes (n, 5) of edges (n, 2, 2): for each square u and v as (x, y) in pixels."""
    u = edges[:, 0, 0] + 1j * edges[:, 0, 1]
    v = edges[:, 1, 0] + 1j * edges[:, 1, 1]
    area = np.maximum(np.abs(u * v), 1e-6)
    total = (u * u + v * v) / area
    product = u * u * v * v / area**2
    size = 0.5 * np.log2(area) - np.log2(REFERENCE_PX)
    return np.stack([size, product.real, product.imag, total.real, total.imag], axis=1)


def decode_frames(codes: Floats) -> Floats:
    """Edges (n, 2, 2) in pixels from codes (n, 5); v is clockwise of u on the screen."""
    area = 4.0 ** (codes[:, 0] + np.log2(REFERENCE_PX))
    product = codes[:, 1] + 1j * codes[:, 2]
    product = product / np.maximum(np.abs(product), 1e-6)
    total = codes[:, 3] + 1j * codes[:, 4]
    root = np.sqrt(total * total / 4 - product)
    u = np.sqrt((total / 2 + root) * area)
    v = np.sqrt((total / 2 - root) * area)
    v = np.where((np.conj(u) * v).imag < 0, -v, v)
    return np.stack([np.stack([u.real, u.imag], 1), np.stack([v.real, v.imag], 1)], axis=1)
