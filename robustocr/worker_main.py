"""The child side of a worker process: reads pickled tasks from stdin, writes pickled answers to stdout.

Started as ``python -m robustocr.worker_main THREADS``. The first message names a factory
(``module:function``) and its arguments; the factory returns a handler that is called once per task.
What a handler prints goes to stderr, so it cannot break the protocol.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_PARENT_CHECK_SECONDS = 1.0


def _take_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Keep the protocol on private descriptors; point stdin at nothing and stdout at stderr."""
    tasks = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    return tasks, answers


def _leave_with_parent() -> None:
    """End this process when the parent is gone, even while a handler hangs."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_PARENT_CHECK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def describe_exception(error: BaseException) -> str:
    """Return ``Type: message (file:line)`` for the innermost frame of an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""  # noqa: PTH119
    return f"{type(error).__name__}: {error}{place}"


def _call(function: Callable[[Any], Any], argument: Any) -> tuple[str, Any, float]:
    start = time.perf_counter()
    try:
        return "ok", function(argument), time.perf_counter() - start
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # every failure of one task is an answer, so that the run goes on
        return "error", _failure(error), time.perf_counter() - start


def _failure(error: BaseException) -> tuple[str, str]:
    """Return (kind, message); ``setup`` says that no task can succeed until the user mends something."""
    name, known = type(error).__name__, type(error).__module__ == "robustocr.errors"
    kind = (
        "setup"
        if known and name in ("InputError", "MissingExtraError")
        else getattr(error, "kind", "crashed")
    )
    return kind, str(error) if known else describe_exception(error)


def _build(setup: tuple[str, tuple[Any, ...], list[str]]) -> Callable[[Any], Any]:
    factory, arguments, path = setup
    sys.path[:] = path
    module, _, name = factory.partition(":")
    handler: Callable[[Any], Any] = getattr(importlib.import_module(module), name)(*arguments)
    return handler


def serve() -> None:
    """Answer tasks until stdin closes."""
    for variable in _THREAD_VARIABLES:
        os.environ[variable] = sys.argv[1]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tasks, answers = _take_pipes()
    _leave_with_parent()
    status, handler, seconds = _call(_build, pickle.load(tasks))  # noqa: S301 - from our own parent
    _send(answers, (status, None if status == "ok" else handler, seconds))
    while status == "ok":
        try:
            task = pickle.load(tasks)  # noqa: S301 - from our own parent
        except EOFError:
            return
        _send(answers, _call(handler, task))


def _send(answers: BinaryIO, message: tuple[str, Any, float]) -> None:
    try:
        data = pickle.dumps(message, protocol=5)
    except Exception as error:
        reason = f"the answer cannot be passed on: {describe_exception(error)}"
        data = pickle.dumps(("error", ("malformed", reason), message[2]), protocol=5)
    answers.write(data)
    answers.flush()


if __name__ == "__main__":
    serve()
