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
_LONGEST_MESSAGE = 2000
_KINDS = {"ImageError": "image", "NoPlaceError": "place"}
_SETUP_ERRORS = ("InputError", "MissingExtraError")


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


def call_handler(handler: Callable[[Any], Any], task: Any) -> tuple[str, Any, float]:
    """Return ("ok", value, seconds), or ("error", (kind, message), seconds) for whatever was raised."""
    start = time.perf_counter()
    try:
        return "ok", handler(task), time.perf_counter() - start
    except BaseException as error:  # every failure of one task is an answer, so that the run goes on
        return "error", _failure(error), time.perf_counter() - start


def _failure(error: BaseException) -> tuple[str, str]:
    """Return (kind, message); ``setup`` says that no task can succeed until the user mends something.

    Only our own AdapterError says its kind; ``image`` is a picture that cannot be read, ``place`` one that
    cannot be made because nobody knows where a field is printed.
    """
    name, ours = type(error).__name__, type(error).__module__ == "robustocr.errors"
    kind = "crashed"
    if ours and name in _SETUP_ERRORS:
        kind = "setup"
    elif ours and name in _KINDS:
        kind = _KINDS[name]
    elif ours and name == "AdapterError":
        kind = getattr(error, "kind", "crashed")
    message = str(error) if ours else describe_exception(error)
    return kind, message.encode("utf-8", "replace").decode()[:_LONGEST_MESSAGE]


def _build(setup: tuple[str, tuple[Any, ...], list[str]]) -> Callable[[Any], Any]:
    factory, arguments, path = setup
    sys.path[:] = path
    module, _, name = factory.partition(":")
    handler: Callable[[Any], Any] = getattr(importlib.import_module(module), name)(*arguments)
    return handler


def serve() -> None:
    """Answer tasks until stdin closes. Every message carries the number of the task it answers."""
    for variable in _THREAD_VARIABLES:
        os.environ[variable] = sys.argv[1]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tasks, answers = _take_pipes()
    _leave_with_parent()
    home = os.getpid()
    number, setup = pickle.load(tasks)  # noqa: S301 - from our own parent
    status, handler, seconds = call_handler(_build, setup)
    _send(answers, number, (status, None if status == "ok" else handler, seconds))
    while status == "ok":
        try:
            number, task = pickle.load(tasks)  # noqa: S301 - from our own parent
        except EOFError:
            return
        message = call_handler(handler, task)
        if os.getpid() != home:  # a handler forked and came back twice: only the first process answers
            os._exit(1)
        _send(answers, number, message)


def _send(answers: BinaryIO, number: int, message: tuple[str, Any, float]) -> None:
    try:
        data = pickle.dumps((number, *message), protocol=5)
    except Exception as error:
        reason = f"the answer cannot be passed on: {describe_exception(error)}"
        data = pickle.dumps((number, "error", ("malformed", reason), message[2]), protocol=5)
    answers.write(data)
    answers.flush()


if __name__ == "__main__":
    serve()
