"""Writes the cases of a private test set by several processes, or in this one."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import cv2

from robustocr.case_files import CaseFile, CaseLost, CaseTask, CaseWriter
from robustocr.errors import InputError
from robustocr.recipes import Corruption
from robustocr.workers import Answer, Pool, Worker, WorkerProcess, WorkerThread

SECONDS_PER_CASE = 300.0
"""Time limit for one case, which may take one OCR of the clean picture."""


def write_cases(
    tasks: Sequence[CaseTask], folder: Path, corruptions: Mapping[str, Corruption], *, workers: int
) -> Iterator[tuple[CaseFile | CaseLost, ...]]:
    """Yield what came of each task, as they finish; the files are the same whatever ``workers`` is.

    One worker is a thread of this process; more are processes of their own. A case whose process dies or
    hangs is tried once more alone, and then lost; the others go on.
    """
    events: queue.SimpleQueue[tuple[str, Answer]] = queue.SimpleQueue()

    def worker() -> Worker:
        if workers == 1:
            return WorkerThread(CaseWriter(folder, corruptions))
        return WorkerProcess("robustocr.case_files:case_writer", (folder, corruptions))

    longest = max((len(task.cases) for task in tasks), default=1)
    with _one_thread():
        pool = Pool("write", worker, size=workers, events=events, timeout=SECONDS_PER_CASE * longest)
        try:
            yield from _answers(pool, events, tasks, under_way=2 * workers)
        finally:
            pool.stop()


def _answers(
    pool: Pool, events: queue.SimpleQueue[tuple[str, Answer]], tasks: Sequence[CaseTask], *, under_way: int
) -> Iterator[tuple[CaseFile | CaseLost, ...]]:
    waiting = deque((task, False) for task in tasks)
    pending: dict[int, tuple[CaseTask, bool]] = {}
    number = 0
    while waiting or pending:
        while waiting and len(pending) < under_way:
            pending[number] = waiting.popleft()
            pool.submit(number, pending[number][0])
            number += 1
        _, answer = events.get()
        task, again = pending.pop(answer.task_id)
        if answer.error is None:
            yield answer.value
        elif answer.error[0] == "setup":
            raise InputError(answer.error[1])
        elif again:
            yield _lost(task, answer.error[1])
        else:
            waiting.extendleft((CaseTask(sample=task.sample, cases=(case,)), True) for case in task.cases)


def _lost(task: CaseTask, reason: str) -> tuple[CaseLost, ...]:
    return tuple(CaseLost(number=number, case=case, error=InputError(reason)) for number, case in task.cases)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let OpenCV use one thread in this process too, as the workers do."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield
    finally:
        cv2.setNumThreads(before)
