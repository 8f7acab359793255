"""Worker processes that can hang or die and be replaced, and pools of them that answer into one queue."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from robustocr.errors import AdapterError, InputError
from robustocr.worker_main import call_handler, describe_exception

STARTUP_SECONDS = 180.0
_LAST_WORDS_SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one task. ``error`` is (kind, message) or None; ``seconds`` is time in the handler."""

    task_id: Any = None
    value: Any = None
    error: tuple[str, str] | None = None
    seconds: float = 0.0


class WorkerProcess:
    """One child process that runs ``factory(*arguments)`` once and then its handler per task.

    ``factory`` is ``module:function``; arguments, tasks and answers must be picklable.
    """

    def __init__(self, factory: str, arguments: tuple[Any, ...], *, threads: int = 1) -> None:
        cwd = os.getcwd()  # noqa: PTH109 - kept as text
        path = sys.path if cwd in sys.path else [*sys.path, cwd]
        self._setup = (factory, arguments, list(path))
        self._threads = threads
        self._process: subprocess.Popen[bytes] | None = None
        self._number = 0
        self._stopped = False

    def start(self, timeout: float | None = None) -> None:
        """Start the child and wait until its handler is built; AdapterError (``setup``) when that fails."""
        home = str(Path(__file__).resolve().parents[1])
        inherited = os.environ.get("PYTHONPATH", "")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "robustocr.worker_main", str(self._threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in (home, inherited) if p)},
        )
        answer = self._exchange(self._setup, max(STARTUP_SECONDS, timeout or 0))
        if answer.error:
            self._discard()
            raise AdapterError(f"a worker could not start: {answer.error[1]}", kind="setup")

    def call(self, task: Any, timeout: float | None) -> Answer:
        """Return the handler's answer; a child that hangs past ``timeout`` seconds is killed.

        A child that was lost is started again by the next call, and starting does not count.
        """
        if self._stopped:
            return Answer(error=("crashed", "the worker was stopped"))
        if self._process is not None and self._process.poll() is not None:
            self._discard()  # it ended after its last answer: not this task's doing
        if self._process is None:
            self.start(timeout)
        answer = self._exchange(task, timeout)
        if answer.error and self._process and self._process.poll() is not None:
            self._discard()
        return answer

    def _exchange(self, message: Any, timeout: float | None) -> Answer:
        """Send one message and wait for the answer to it. The child is gone after a timeout or a crash."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return Answer(error=("crashed", "the worker was stopped"))
        self._number += 1
        start = time.perf_counter()
        clock = _Deadline(process, timeout)
        try:
            pickle.dump((self._number, message), process.stdin, protocol=5)
            process.stdin.flush()
            number, status, value, seconds = pickle.load(process.stdout)  # noqa: S301 - from our own child
            if number != self._number:
                raise EOFError("an answer to another task")
        except (
            Exception
        ):  # whatever the pipe delivers that is no answer: the child cannot be trusted any more
            return clock.lost(time.perf_counter() - start)
        finally:
            clock.stop()
        if clock.expired:  # it answered as its time ran out, and was killed
            return clock.lost(time.perf_counter() - start)
        return (
            Answer(error=value, seconds=seconds)
            if status == "error"
            else Answer(value=value, seconds=seconds)
        )

    def stop(self) -> None:
        """End the child at once, for good; a call under way is answered as crashed."""
        self._stopped = True
        self._discard()

    def _discard(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                with contextlib.suppress(OSError, ValueError):
                    pipe.close()
        process.wait()


class _Deadline:
    """Kills a child when its time is up."""

    def __init__(self, process: subprocess.Popen[bytes], timeout: float | None) -> None:
        self._process, self._timeout = process, timeout
        self.expired = False
        self._timer = threading.Timer(timeout, self._kill) if timeout else None
        if self._timer:
            self._timer.daemon = True
            self._timer.start()

    def _kill(self) -> None:
        self.expired = True
        self._process.kill()

    def stop(self) -> None:
        if self._timer:
            self._timer.cancel()

    def lost(self, seconds: float) -> Answer:
        """Return what became of a child that will not answer any more, and make sure that it is gone."""
        try:
            code = self._process.wait(timeout=_LAST_WORDS_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            code = None
        if self.expired:
            return Answer(error=("timeout", f"no answer within {self._timeout:g} s"), seconds=seconds)
        return Answer(error=("crashed", _how_it_died(code)), seconds=seconds)


def _how_it_died(code: int | None) -> str:
    if code is None:
        return "the worker process answered in a way that cannot be understood"
    if code < 0:
        return f"the worker process died of signal {-code} (out of memory, or a fault in native code)"
    return f"the worker process ended by itself with exit code {code}"


class Worker(Protocol):
    """What a pool needs of a worker."""

    def call(self, task: Any, timeout: float | None) -> Answer:
        """Answer one task."""
        ...

    def stop(self) -> None:
        """End the worker."""
        ...


class WorkerThread:
    """Calls a handler in a thread of this process; one that hangs is abandoned after ``timeout``."""

    def __init__(self, handler: Callable[[Any], Any]) -> None:
        self._handler = handler

    def call(self, task: Any, timeout: float | None) -> Answer:
        """Return the handler's answer, or a timeout."""
        box: queue.SimpleQueue[tuple[str, Any, float]] = queue.SimpleQueue()
        threading.Thread(target=lambda: box.put(call_handler(self._handler, task)), daemon=True).start()
        try:
            status, value, seconds = box.get(timeout=timeout)
        except queue.Empty:
            return Answer(error=("timeout", f"no answer within {timeout:g} s"), seconds=timeout or 0.0)
        return (
            Answer(error=value, seconds=seconds)
            if status == "error"
            else Answer(value=value, seconds=seconds)
        )

    def stop(self) -> None:
        """Nothing to end: threads of calls under way are daemons."""


class Pool:
    """Workers that take tasks from one queue and put ``(name, Answer)`` into a shared queue.

    A worker is started by its first task.
    """

    def __init__(
        self,
        name: str,
        make_worker: Callable[[], Worker],
        *,
        size: int,
        events: queue.SimpleQueue[tuple[str, Answer]],
        timeout: float | None,
    ) -> None:
        if size < 1:
            raise InputError(f"a pool needs at least 1 worker, not {size}")
        self.name = name
        self._tasks: queue.SimpleQueue[tuple[Any, Any] | None] = queue.SimpleQueue()
        self._events = events
        self._timeout = timeout
        self._spans: dict[int, list[float]] = {}
        self._stopping = False
        self._workers = [make_worker() for _ in range(size)]
        self._threads = [
            threading.Thread(target=self._run, args=(slot, worker), daemon=True)
            for slot, worker in enumerate(self._workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task_id: Any, task: Any) -> None:
        """Queue one task; its Answer carries ``task_id``. The caller bounds how many are under way."""
        self._tasks.put((task_id, task))

    def _run(self, slot: int, worker: Worker) -> None:
        while (entry := self._tasks.get()) is not None and not self._stopping:
            task_id, task = entry
            try:
                answer = replace(worker.call(task, self._timeout), task_id=task_id)
            except AdapterError as error:
                answer = Answer(task_id=task_id, error=(error.kind, str(error)))
            except Exception as error:  # an unanswered task would leave the run waiting for ever
                answer = Answer(task_id=task_id, error=("crashed", describe_exception(error)))
            end = time.perf_counter()
            # A worker's span opens when its first task is in the handler: starting it is not waiting.
            span = self._spans.setdefault(slot, [end - answer.seconds, end, 0.0])
            span[1] = end
            span[2] += answer.seconds
            self._events.put((self.name, answer))

    def worker_seconds(self) -> tuple[float, float]:
        """Return seconds inside the handler, and seconds between each worker's first and last task."""
        spans = self._spans.values()
        return sum(busy for _, _, busy in spans), sum(end - start for start, end, _ in spans)

    def stop(self) -> None:
        """End all workers at once; tasks under way are lost."""
        self._stopping = True
        for _ in self._threads:
            self._tasks.put(None)
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join(timeout=5)
