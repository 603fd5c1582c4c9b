"""Photos read on a real Dask cluster: the same as here, each once, whoever ends meanwhile."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("distributed", reason="Dask is an optional extra")

from distributed import KilledWorker

from companion.cli.kingdomino import main
from companion.reading import cluster as reading_cluster
from companion.reading.cluster import LOCAL, Cluster, ClusterGone, connected, read_on_cluster
from companion.reading.decoding import Answer, error_to_plain
from companion.reading.jobs import GameReader, Job, Outcome, pictures_below, read_photos
from companion.reading.kingdomino import KINGDOMS
from companion.reading.pool import PoolSettings, WorkerDied
from tests.companion.reading.clusters import RealCluster
from tests.companion.reading.test_jobs import DEADLY, SAMPLE
from vision.kingdomino import PhotoReading
from vision.photo.errors import PhotoError

Told = list[tuple[str, int]]


def codes(outcomes: list[Outcome[PhotoReading]]) -> list[tuple[str, str]]:
    return sorted(
        (Path(each.photo).name, each.error.code if each.error else "read") for each in outcomes
    )


def read(
    jobs: list[Job], reader: GameReader[PhotoReading] = KINGDOMS, *, sends: bool = False
) -> list[Outcome[PhotoReading]]:
    with connected(LOCAL, sends=sends, threads=2, tell=lambda *_: None) as here:
        return list(read_on_cluster(jobs, reader, here))


def test_each_photo_is_answered_once_whichever_ends_its_process() -> None:
    light = replace(KINGDOMS, task="tests.companion.reading.light_task")
    jobs = [Job(f"{number}.jpg") for number in range(7)]
    jobs.insert(3, Job("deadly.jpg"))
    missing = [(job.photo, "missing_file") for job in jobs if job.photo != "deadly.jpg"]
    with socket.socket() as another:
        # The port that Dask would show its state at, where nothing else has it already.
        with suppress(OSError):
            another.bind(("127.0.0.1", 8787))
            another.listen()
        assert codes(read(jobs, light)) == sorted([*missing, ("deadly.jpg", "crashed")])


def test_what_a_cluster_of_this_computer_shows_of_itself_is_for_nobody_else() -> None:
    with connected(LOCAL, threads=1, tell=lambda *_: None) as here:
        served = here.client.cluster.scheduler.http_server._sockets.values()
        assert {each.getsockname()[0] for each in served} <= {"127.0.0.1"}


@pytest.mark.slow
def test_a_cluster_refuses_the_same(tmp_path: Path) -> None:
    jobs = [Job(str(tmp_path / f"{number}.jpg")) for number in range(6)]
    (tmp_path / "3.jpg").write_bytes(b"")
    (tmp_path / "4.jpg").write_bytes(b"no picture")
    expected = codes([each for job in jobs for each in read_photos([job], KINGDOMS)])
    assert ("3.jpg", "empty_file") in expected
    assert codes(read(jobs)) == codes(read(jobs, sends=True)) == expected


@pytest.mark.slow
def test_a_photo_that_kills_its_process_costs_only_itself(tmp_path: Path) -> None:
    drawing = tmp_path / "drawn.png"
    outcomes = read([Job(SAMPLE, str(drawing)), Job("deadly.jpg")], DEADLY)
    assert codes(outcomes) == sorted([(Path(SAMPLE).name, "read"), ("deadly.jpg", "crashed")])
    (here,) = read_photos([Job(SAMPLE)], KINGDOMS)
    assert here.reading in [each.reading for each in outcomes]
    assert drawing.read_bytes().startswith(b"\x89PNG")


class _Given:
    """A future that is done: with an error for each task that has the deadly photo."""

    def __init__(self, photos: list[str], error: Exception) -> None:
        self.photos = photos
        self.error = error
        self.status = "error" if "deadly.jpg" in photos else "finished"

    def add_done_callback(self, done: Callable[[_Given], None]) -> None:
        done(self)

    def exception(self) -> Exception:
        return self.error

    def result(self, timeout: float) -> list[Answer]:
        missing = error_to_plain(PhotoError("missing_file"))
        return [({"reading": None, "error": missing, "trace": ""}, b"") for _ in self.photos]


class _Client:
    """Notes what is given out."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.tasks: list[list[str]] = []
        self.sent: set[tuple[bool, bool]] = set()

    def submit(
        self, _: object, task: str, photos: list[tuple[dict[str, Any], bytes]], *, pure: bool
    ) -> _Given:
        self.tasks.append([record["photo"] for record, _ in photos])
        self.sent |= {(record["sent"], bool(block)) for record, block in photos}
        return _Given(self.tasks[-1], self.error)

    def cancel(self, futures: list[_Given]) -> None:
        assert not futures


KILLED = KilledWorker("task", None, 3)


@pytest.mark.parametrize(
    ("sends", "error", "code", "sizes"),
    [
        (False, KILLED, "crashed", [8, 1, 1, 1]),
        (False, ValueError("odd"), "unexpected", [8, 1]),
        (True, KILLED, "crashed", [1, 1, 1, 1]),
    ],
)
def test_photos_that_failed_together_are_each_tried_alone(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    sends: bool,
    error: Exception,
    code: str,
    sizes: list[int],
) -> None:
    client = _Client(error)
    told: Told = []
    cluster = Cluster(cast(Any, client), sends=sends, tell=lambda *what: told.append(what))
    monkeypatch.setattr(cluster, "threads", lambda: 1)
    monkeypatch.chdir(tmp_path)
    names = [f"{number}.jpg" for number in range(60)]
    names.insert(12, "deadly.jpg")
    for name in names:
        Path(name).symlink_to(SAMPLE)
    found = list(read_on_cluster([Job(name) for name in names], KINGDOMS, cluster))
    said = sorted((name, code if "d" in name else "missing_file") for name in names)
    assert codes(found) == said
    assert [each.trace for each in found if each.trace] == ["odd"] * (code == "unexpected")
    assert client.sent == {(sends, sends)}
    tried = [task for task in client.tasks if "deadly.jpg" in task]
    assert [len(task) for task in tried] == sizes
    assert max(len(task) for task in client.tasks) == sizes[0]
    assert all([name] in client.tasks for name in tried[0])
    # Each photo lies here, and the workers say that it is missing.
    assert told == ([] if sends else [("photos_unseen", 0)])


class _Asked:
    """A client that answers once after the other which workers there are; None for no answer."""

    def __init__(self, *answers: dict[str, int] | None) -> None:
        self.answers = list(answers)
        self.status = "running"
        self.scheduler = SimpleNamespace(address="tcp://there:1")
        self.closed = False

    def nthreads(self) -> dict[str, int]:
        answer = self.answers.pop(0)
        if answer is None:
            raise OSError
        return answer

    def close(self, timeout: float) -> None:
        self.closed = True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The seconds that the cluster sees."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(reading_cluster, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_who_can_read_is_looked_up_once_a_second_and_told_where_it_changes(
    clock: SimpleNamespace,
) -> None:
    told: Told = []
    client = _Asked({"a": 2, "b": 1}, {"a": 2}, {}, None, {"c": 1}, {}, {})
    cluster = Cluster(cast(Any, client), sends=False, tell=lambda *what: told.append(what))
    found = []
    for passed in (0.0, 0.5, 0.5, 1.0, 60.0, 1.0):
        clock.now += passed
        found.append(cluster.threads())
    assert found == [3, 3, 2, 0, 0, 1]
    assert told == [("workers_gone", 1), ("workers_gone", 0), ("back", 1)]
    clock.now += 1
    assert cluster.threads() == 0
    clock.now += reading_cluster.PATIENCE_S + 0.1
    with pytest.raises(ClusterGone, match="workers_gone"):
        cluster.threads()


def test_a_scheduler_that_does_not_answer_is_told_and_given_up_as_such(
    clock: SimpleNamespace,
) -> None:
    told: Told = []
    cluster = Cluster(
        cast(Any, _Asked(None, None)), sends=False, tell=lambda *what: told.append(what)
    )
    assert cluster.threads() == 0
    assert told == [("scheduler_gone", 0)]
    clock.now += reading_cluster.PATIENCE_S + 0.1
    with pytest.raises(ClusterGone, match="scheduler_gone"):
        cluster.threads()


def test_a_connection_that_was_lost_is_made_again_and_the_old_one_closed(
    clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new, addresses = _Asked(), _Asked({"a": 4}), []

    def connect(address: str, timeout: float) -> _Asked:
        addresses.append((address, timeout))
        return new

    monkeypatch.setattr("distributed.Client", connect)
    old.status = "closed"
    cluster = Cluster(cast(Any, old), sends=False, tell=lambda *_: None)
    assert cluster.threads() == 4
    assert (addresses, old.closed, new.closed) == ([("tcp://there:1", 10)], True, False)


def test_a_worker_of_the_cluster_has_one_pool_with_as_many_processes_as_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What dies in it is answered; the photos after it are read."""
    pools: list[PoolSettings] = []

    class Pool:
        def __init__(self, task: str, settings: PoolSettings) -> None:
            pools.append(settings)

        def carry_out(self, record: dict[str, Any], photo: bytes) -> Answer:
            if record["photo"] == "deadly.jpg":
                raise WorkerDied("crashed")
            return {"read": record["photo"]}, photo

    worker = SimpleNamespace(state=SimpleNamespace(nthreads=3))
    monkeypatch.setattr("distributed.get_worker", lambda: worker)
    monkeypatch.setattr(reading_cluster, "WorkerPool", Pool)
    monkeypatch.setattr(reading_cluster, "_POOLS", {})
    photos = [({"photo": "a.jpg"}, b"a"), ({"photo": "deadly.jpg"}, b""), ({"photo": "c"}, b"c")]
    found = reading_cluster._read_there("task", photos)
    assert found == [
        ({"read": "a.jpg"}, b"a"),
        ({"died": "crashed"}, b""),
        ({"read": "c"}, b"c"),
    ]
    assert pools[0].workers == 3


class _Held:
    """A future whose answer comes when the test says so."""

    def __init__(self) -> None:
        self.status = "pending"
        self.done: Callable[[_Held], None] = lambda _: None

    def add_done_callback(self, done: Callable[[_Held], None]) -> None:
        self.done = done

    def answer(self) -> None:
        self.status = "finished"
        self.done(self)

    def result(self, timeout: float) -> list[Answer]:
        assert timeout == 10
        missing = error_to_plain(PhotoError("missing_file"))
        return [({"reading": None, "error": missing, "trace": ""}, b"")]


class _Holding:
    """A client whose futures are held; what ends early is cancelled."""

    def __init__(self) -> None:
        self.given: list[_Held] = []
        self.cancelled: list[_Held] = []

    def submit(self, read: object, task: str, photos: list[object], *, pure: bool) -> _Held:
        assert (read, task, pure) == (reading_cluster._read_there, KINGDOMS.task, False)
        self.given.append(_Held())
        return self.given[-1]

    def cancel(self, futures: list[_Held]) -> None:
        self.cancelled = futures


@pytest.fixture
def holding(monkeypatch: pytest.MonkeyPatch) -> Cluster:
    monkeypatch.setattr(reading_cluster, "_LOOK_EVERY_S", 0.001)
    return Cluster(cast(Any, _Holding()), sends=False, tell=lambda *_: None)


def test_two_tasks_for_each_thread_are_given_out_and_no_more(
    holding: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = cast(_Holding, holding.client)
    running: list[int] = []

    def threads() -> int:
        pending = [each for each in client.given if each.status == "pending"]
        running.append(len(pending))
        if pending:
            pending[0].answer()
        return 3

    monkeypatch.setattr(holding, "threads", threads)
    monkeypatch.setattr(reading_cluster, "_TOGETHER", 1)
    jobs = [Job(f"{number}.jpg") for number in range(10)]
    assert len(list(read_on_cluster(jobs, KINGDOMS, holding))) == 10
    assert max(running) == 6
    assert client.cancelled == []


@pytest.mark.parametrize("status", ["cancelled", "lost"])
def test_what_a_lost_connection_had_is_given_out_again(
    holding: Cluster, monkeypatch: pytest.MonkeyPatch, status: str
) -> None:
    client = cast(_Holding, holding.client)
    looked = 0

    def threads() -> int:
        nonlocal looked
        looked += 1
        if looked == 5:
            client.given[0].status = status
        if len(client.given) > 1:
            client.given[1].answer()
        return 1

    monkeypatch.setattr(holding, "threads", threads)
    assert codes(list(read_on_cluster([Job("a.jpg")], KINGDOMS, holding))) == [
        ("a.jpg", "missing_file")
    ]
    # Not while it was still on its way.
    assert (len(client.given), looked >= 6) == (2, True)


def test_a_run_that_ends_early_takes_back_what_it_gave_out(
    holding: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = cast(_Holding, holding.client)

    def threads() -> int:
        if client.given:
            raise ClusterGone("workers_gone")
        return 1

    monkeypatch.setattr(holding, "threads", threads)
    monkeypatch.setattr(reading_cluster, "_TOGETHER", 1)
    with pytest.raises(ClusterGone):
        list(read_on_cluster([Job("a.jpg"), Job("b.jpg")], KINGDOMS, holding))
    assert client.cancelled == client.given
    assert len(client.given) == 2


def test_how_a_cluster_is_reached_and_how_one_is_started_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[tuple[object, dict[str, object]]] = []

    class Made:
        def __init__(self, address: object = None, **how: object) -> None:
            self.address = address
            made.append((address, how))

        def __enter__(self) -> Made:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def close(self, timeout: float) -> None:
            made.append(("closed", {"timeout": timeout}))
            raise OSError

    monkeypatch.setattr("distributed.Client", Made)
    monkeypatch.setattr("distributed.LocalCluster", Made)

    def tell(code: str, count: int) -> None:
        pass

    with connected("tcp://there:1", sends=True, tell=tell) as there:
        assert (there.sends, there.tell) == (True, tell)
    assert made == [("tcp://there:1", {"timeout": 10}), ("closed", {"timeout": 5})]
    assert logging.getLogger("distributed").level == logging.CRITICAL
    made.clear()
    with connected(LOCAL, threads=3, tell=tell) as here:
        assert (here.sends, here.tell) == (False, tell)
    one = {"n_workers": 1, "threads_per_worker": 3, "processes": False, "memory_limit": 0}
    served = {"dashboard_address": "127.0.0.1:0"}
    assert made[0] == (None, {**one, "dashboard_address": None, "scheduler_kwargs": served})
    assert len(made) == 2


@pytest.fixture
def real(tmp_path: Path, unused_tcp_port: int) -> Iterator[RealCluster]:
    made = RealCluster(tmp_path, unused_tcp_port)
    yield made
    made.end()
    # Dask leaves sockets of a killed scheduler to the collector: here, and in no later test.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


@pytest.fixture
def unused_tcp_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_photo_is_lost_where_workers_and_the_scheduler_are_killed(real: RealCluster) -> None:
    scheduler = real.start_scheduler()
    worker = real.start_worker()
    jobs = [Job(f"{SAMPLE}?{number}") for number in range(30)]
    told: Told = []
    kept: list[Outcome[PhotoReading]] = []
    with connected(real.address, tell=lambda code, count: told.append((code, count))) as there:
        for outcome in read_on_cluster(jobs, KINGDOMS, there):
            kept.append(outcome)
            if len(kept) == 5:
                worker.send_signal(signal.SIGKILL)
                worker.wait()
                real.start_worker()
            if len(kept) == 15:
                scheduler.kill()
                scheduler.wait()
                real.start_scheduler()
                real.start_worker()
    assert Counter(each.photo for each in kept) == Counter(job.photo for job in jobs)
    assert {each.refusal.code for each in kept} == {"missing_file"}
    assert told


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cluster_that_stays_away_ends_the_run(
    real: RealCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_cluster, "PATIENCE_S", 3.0)
    real.start_scheduler()
    with (
        connected(real.address, tell=lambda *_: None) as there,
        pytest.raises(ClusterGone, match="workers_gone"),
    ):
        list(read_on_cluster([Job("a.jpg"), Job("b.jpg")], KINGDOMS, there))


def test_a_scheduler_that_is_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], unused_tcp_port: int
) -> None:
    monkeypatch.setattr(reading_cluster, "_CONNECT_S", 1)
    address = f"tcp://127.0.0.1:{unused_tcp_port}"
    assert main(["read", "--dask", address, SAMPLE, "--language", "en"]) == 2
    assert f"no scheduler answers at {address}" in capsys.readouterr().err
    assert main(["read", "--send", SAMPLE, "--language", "en"]) == 2
    assert "--send belongs to --dask" in capsys.readouterr().err


def test_photos_are_read_from_addresses(tmp_path: Path) -> None:
    """``file://`` stands for all that fsspec reaches."""
    (tmp_path / "a.jpg").write_bytes(Path(SAMPLE).read_bytes())
    (tmp_path / "b.jpg").write_bytes(b"no picture")
    (tmp_path / "notes.txt").touch()
    (tmp_path / "more.jpg").mkdir()
    inside = [(tmp_path / name).as_uri() for name in ("a.jpg", "b.jpg")]
    assert pictures_below(tmp_path.as_uri(), {".jpg"}) == inside
    assert pictures_below(inside[0], {".jpg"}) == []
    jobs = [Job((tmp_path / name).as_uri()) for name in ("a.jpg", "b.jpg", "c.jpg")]
    found = [each for job in jobs for each in read_photos([job], KINGDOMS)]
    assert codes(found) == [
        ("a.jpg", "read"),
        ("b.jpg", "not_a_picture"),
        ("c.jpg", "missing_file"),
    ]
