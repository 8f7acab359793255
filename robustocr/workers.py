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
from dataclasses import dataclass
from typing import Any, Protocol

from robustocr.errors import AdapterError, InputError

STARTUP_SECONDS = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one task. ``error`` is (kind, message) or None; ``seconds`` is time in the handler."""

    task_id: Any
    value: Any = None
    error: tuple[str, str] | None = None
    seconds: float = 0.0


class WorkerProcess:
    """One child process that runs ``factory(*arguments)`` once and then its handler per task.

    ``factory`` is ``module:function``; arguments, tasks and answers must be picklable.
    """

    def __init__(self, factory: str, arguments: tuple[Any, ...], *, threads: int = 1) -> None:
        self._setup = (factory, arguments, [os.getcwd(), *sys.path])  # noqa: PTH109 - kept as text
        self._threads = threads
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def start(self) -> None:
        """Start the child and wait until its handler is built. Raises AdapterError when that fails."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "robustocr.worker_main", str(self._threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        answer = self._exchange(self._setup, STARTUP_SECONDS)
        if answer.error:
            self._discard()
            raise AdapterError(f"a worker could not start: {answer.error[1]}", kind=answer.error[0])

    def call(self, task: Any, timeout: float | None) -> Answer:
        """Return the handler's answer; a child that hangs past ``timeout`` seconds is killed.

        A child that was lost is started again by the next call.
        """
        if self._stopped:
            return Answer(task_id=None, error=("crashed", "the worker was stopped"))
        if self._process is None:
            self.start()
        answer = self._exchange(task, timeout)
        if answer.error and self._process and self._process.poll() is not None:
            self._discard()
        return answer

    def _exchange(self, message: Any, timeout: float | None) -> Answer:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise RuntimeError("the worker was not started")
        expired = threading.Event()

        def kill() -> None:
            expired.set()
            process.kill()

        timer = threading.Timer(timeout, kill) if timeout else None
        if timer:
            timer.daemon = True
            timer.start()
        start = time.perf_counter()
        try:
            pickle.dump(message, process.stdin, protocol=5)
            process.stdin.flush()
            status, value, seconds = pickle.load(process.stdout)  # noqa: S301 - from our own child
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            process.kill()
            code = process.wait()
            elapsed = time.perf_counter() - start
            if expired.is_set():
                return Answer(
                    task_id=None, error=("timeout", f"no answer within {timeout:g} s"), seconds=elapsed
                )
            return Answer(task_id=None, error=("crashed", _how_it_died(code)), seconds=elapsed)
        finally:
            if timer:
                timer.cancel()
        if status == "error":
            return Answer(task_id=None, error=value, seconds=seconds)
        return Answer(task_id=None, value=value, seconds=seconds)

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
                with contextlib.suppress(OSError):
                    pipe.close()
        process.wait()


def _how_it_died(code: int) -> str:
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
        from robustocr.worker_main import _call

        box: queue.SimpleQueue[tuple[str, Any, float]] = queue.SimpleQueue()
        threading.Thread(target=lambda: box.put(_call(self._handler, task)), daemon=True).start()
        try:
            status, value, seconds = box.get(timeout=timeout)
        except queue.Empty:
            reason = f"no answer within {timeout:g} s"
            return Answer(task_id=None, error=("timeout", reason), seconds=timeout or 0.0)
        if status == "error":
            return Answer(task_id=None, error=value, seconds=seconds)
        return Answer(task_id=None, value=value, seconds=seconds)

    def stop(self) -> None:
        """Nothing to end: threads of calls under way are daemons."""


class Pool:
    """Workers that take tasks from one queue and put ``(name, Answer)`` into a shared queue.

    A worker is started by its first task. ``busy_share()`` is the share of the time between each
    worker's first and last task that was spent inside the handler.
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
                answer = worker.call(task, self._timeout)
            except AdapterError as error:
                answer = Answer(task_id=task_id, error=("setup", str(error)))
            end = time.perf_counter()
            # A worker's span opens when its first task is in the handler: starting it is not waiting.
            span = self._spans.setdefault(slot, [end - answer.seconds, end, 0.0])
            span[1] = end
            span[2] += answer.seconds
            event = Answer(task_id=task_id, value=answer.value, error=answer.error, seconds=answer.seconds)
            self._events.put((self.name, event))

    def busy_share(self) -> float | None:
        """Return the share (0..1) of worker time spent inside the handler, or None before any task."""
        available = sum(end - start for start, end, _ in self._spans.values())
        return min(1.0, sum(span[2] for span in self._spans.values()) / available) if available > 0 else None

    def stop(self) -> None:
        """End all workers at once; tasks under way are lost."""
        self._stopping = True
        for _ in self._threads:
            self._tasks.put(None)
        for worker in self._workers:
            worker.stop()
        for thread in self._threads:
            thread.join(timeout=5)
