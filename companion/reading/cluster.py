"""Photos read on a Dask cluster: each by a bounded process beside the cluster's worker, so that
whatever a photo does costs only itself, and whoever goes away meanwhile is waited for.
"""

from __future__ import annotations

import logging
import os
import queue
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from companion.reading.decoding import Answer
from companion.reading.jobs import GameReader, Job, Outcome, outcome_of
from companion.reading.pool import PoolSettings, WorkerDied, WorkerPool
from vision.photo.errors import PhotoError

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
"""The name of a cluster that is started here, for as long as it is needed."""

PATIENCE_S = 60.0
"""So long nobody may be there to read."""
_CONNECT_S = 10
_LOOK_EVERY_S = 1.0
_AHEAD = 2
"""So many tasks for each thread are given out at once, so that none waits for its next."""
_TOGETHER = 8
"""So many photos at most are a task, since to hand one around takes a fifth of reading a photo."""
_ATTEMPTS = 4
"""A photo is given out anew so often where its workers were killed, which counts four of them."""

Reading = TypeVar("Reading")
Lost = Literal["scheduler_gone", "workers_gone"]
Tell = Callable[[Lost | Literal["back", "photos_unseen"], int], None]


class ClusterGone(Exception):
    """The scheduler, or the last worker, has been away for too long. ``code`` says which."""

    def __init__(self, code: Lost) -> None:
        super().__init__(code)
        self.code = code


class Cluster:
    """A connection to a cluster, made again where it is lost.

    ``tell`` is called with "scheduler_gone", "workers_gone" (how many are left) and "back" (how
    many there are). With ``sends`` photos travel there as bytes; else they are read there under
    their names, and "photos_unseen" tells that one is here and not there.
    """

    def __init__(self, client: Client, *, sends: bool, tell: Tell) -> None:
        self.client = client
        self.sends = sends
        self.tell = tell
        self._workers: dict[str, int] = {}
        self._looked_at = 0.0
        self._gone_since: float | None = None

    def threads(self) -> int:
        """How many photos can be read at once now, looked up once a second.

        0 where nobody is there at the moment. ClusterGone after a minute of that.
        """
        now = time.monotonic()
        if now - self._looked_at < _LOOK_EVERY_S:
            return sum(self._workers.values())
        code: Lost = "workers_gone"
        try:
            found = self._looked_up()
        except (OSError, RuntimeError):
            found, code = {}, "scheduler_gone"
        self._looked_at = time.monotonic()
        if self._gone_since is not None and found:
            self._gone_since = None
            self.tell("back", len(found))
        elif self._gone_since is None and not found:
            self._gone_since = now
            self.tell(code, 0)
        elif self._workers.keys() - found.keys() and found:
            self.tell("workers_gone", len(found))
        self._workers = found
        if self._gone_since is not None and time.monotonic() - self._gone_since > PATIENCE_S:
            raise ClusterGone(code)
        return sum(found.values())

    def _looked_up(self) -> dict[str, int]:
        """The threads of each worker. OSError where the scheduler does not answer."""
        if self.client.status != "running":
            from distributed import Client

            address = self.client.scheduler.address if self.client.scheduler else ""
            with suppress(Exception):  # What is left of it may fail in any way.
                self.client.close(timeout=1)
            self.client = Client(address, timeout=_CONNECT_S)
        found: dict[str, int] = self.client.nthreads()
        return found


@contextmanager
def connected(
    address: str, *, sends: bool = False, threads: int | None = None, tell: Tell
) -> Iterator[Cluster]:
    """A connection to the scheduler of this address, or to a cluster started here for ``LOCAL``.

    ImportError where Dask is not installed, OSError where nothing answers.
    """
    from distributed import Client, LocalCluster

    # What goes away is told in words of this program; Dask would say it with its stacks.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if address == LOCAL:
        # Reading is done by processes in any case, so that a cluster within this one will do.
        with (
            LocalCluster(
                n_workers=1,
                threads_per_worker=threads,
                processes=False,
                memory_limit=0,
                # Pages of its state are served in any case: for nobody else, at any port.
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
            ) as here,
            Client(here) as client,
        ):
            yield Cluster(client, sends=sends, tell=tell)
        return
    cluster = Cluster(Client(address, timeout=_CONNECT_S), sends=sends, tell=tell)
    try:
        yield cluster
    finally:
        with suppress(Exception):  # It may be gone.
            cluster.client.close(timeout=5)


def read_on_cluster(
    jobs: Sequence[Job], reader: GameReader[Reading], cluster: Cluster
) -> Iterator[Outcome[Reading]]:
    """Outcomes as they come, each once. ClusterGone where nobody is left to read.

    A photo whose worker goes away is read by another one.
    """
    left = deque(jobs)
    done: queue.SimpleQueue[Future] = queue.SimpleQueue()
    running: dict[Future, list[Job]] = {}
    failed: Counter[str] = Counter()
    told = cluster.sends
    try:
        while left or running:
            threads = cluster.threads()
            while left and len(running) < _AHEAD * threads:
                # Fewer towards the end, so that all threads end together.
                fair = len(left) / (_AHEAD * threads)
                tasks: dict[Job, tuple[dict[str, Any], bytes]] = {}
                for job in _next_few(left, failed, 1 if cluster.sends else min(fair, _TOGETHER)):
                    try:
                        tasks[job] = reader.task_of(job, sends=cluster.sends)
                    except PhotoError as error:
                        yield Outcome(job.photo, error=error)
                if tasks:
                    asked = reader.task, [*tasks.values()]
                    future = cluster.client.submit(_read_there, *asked, pure=False)
                    running[future] = [*tasks]
                    future.add_done_callback(done.put)
            try:
                future = done.get(timeout=_LOOK_EVERY_S)
            except queue.Empty:
                # Of a connection that was lost nothing comes any more.
                for each in [each for each in running if each.status in ("cancelled", "lost")]:
                    left.extend(running.pop(each))
                continue
            if given := running.pop(future, None):
                outcomes = _outcomes_of(given, future, reader, failed)
                if not told and any(map(_is_here, outcomes)):
                    cluster.tell("photos_unseen", 0)
                    told = True
                yield from outcomes
                if not outcomes:
                    left.extend(given)
    finally:
        with suppress(Exception):  # Of a run that ends before its end; the cluster may be gone.
            cluster.client.cancel(list(running))


def _next_few(left: deque[Job], failed: Counter[str], most: float) -> list[Job]:
    """The photos of the next task. One that failed together with others is given out alone."""
    few = [left.popleft()]
    while left and len(few) < most and not failed[few[0].photo] and not failed[left[0].photo]:
        few.append(left.popleft())
    return few


def _is_here(outcome: Outcome[Reading]) -> bool:
    """Whether a photo was missing for the worker alone."""
    missing = outcome.error is not None and outcome.error.code == "missing_file"
    return missing and os.path.exists(outcome.photo)


def _outcomes_of(
    jobs: Sequence[Job], future: Future, reader: GameReader[Reading], failed: Counter[str]
) -> list[Outcome[Reading]]:
    """What became of the photos of a task; nothing where they have to be given out once more."""
    from distributed import KilledWorker

    if future.status == "finished":
        try:
            answers = future.result(timeout=_CONNECT_S)
        except Exception:  # The worker that had it has gone since.
            return []
        return [
            Outcome(job.photo, error=PhotoError(answer["died"]))
            if "died" in answer
            else outcome_of(job, answer, drawn, reader)
            for job, (answer, drawn) in zip(jobs, answers, strict=True)
        ]
    if future.status != "error":
        return []
    failed.update(job.photo for job in jobs)
    error, photo = future.exception(), jobs[0].photo
    killed = isinstance(error, KilledWorker)
    if len(jobs) > 1 or (killed and failed[photo] < _ATTEMPTS):
        return []
    if killed:
        return [Outcome(photo, error=PhotoError("crashed"))]
    fault = type(error).__name__
    return [Outcome(photo, error=PhotoError("unexpected", fault=fault), trace=str(error))]


_POOLS: dict[str, WorkerPool] = {}


def _read_there(task: str, photos: Sequence[tuple[dict[str, Any], bytes]]) -> list[Answer]:
    """Run by a worker of the cluster: it has as many processes of its own as threads."""
    from distributed import get_worker

    threads = get_worker().state.nthreads
    pool = _POOLS.setdefault(task, WorkerPool(task, PoolSettings(workers=threads)))
    answers: list[Answer] = []
    for record, photo in photos:
        try:
            answers.append(pool.carry_out(record, photo))
        except WorkerDied as died:
            answers.append(({"died": died.code}, b""))
    return answers
