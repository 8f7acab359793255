import os
import queue
import time
from typing import Any

import pytest

from robustocr.errors import AdapterError
from robustocr.workers import Answer, Pool, WorkerProcess, WorkerThread


def make_handler(how: str) -> Any:
    if how == "cannot start":
        raise ValueError("no model file")

    def handle(task: Any) -> Any:
        if task == "hang":
            time.sleep(60)
        if task == "die":
            os._exit(7)
        if task == "raise":
            raise ZeroDivisionError("by zero")
        if task == "print":
            print("noise that must not break the protocol")
        if task == "closure":
            return lambda: None
        return (how, task, os.getpid(), os.environ["OMP_NUM_THREADS"])

    return handle


@pytest.fixture
def worker():
    process = WorkerProcess("tests.test_workers:make_handler", ("fine",), threads=1)
    yield process
    process.stop()


def test_answers_come_from_one_child_with_the_wanted_threads(worker):
    first, second = worker.call(1, 30).value, worker.call("print", 30).value
    assert first[:2] == ("fine", 1)
    assert first[2] == second[2] != os.getpid()
    assert first[3] == "1"


def test_what_a_handler_raises_is_an_answer_with_its_place(worker):
    answer = worker.call("raise", 30)
    assert answer.error is not None
    assert answer.error[0] == "crashed"
    assert "ZeroDivisionError: by zero (test_workers.py:" in answer.error[1]
    assert worker.call(2, 30).value[1] == 2


def test_an_answer_that_cannot_be_passed_on_is_malformed(worker):
    assert worker.call("closure", 30).error[0] == "malformed"
    assert worker.call(3, 30).value[1] == 3


def test_a_child_that_hangs_is_killed_and_replaced(worker):
    before = worker.call(1, 30).value[2]
    answer = worker.call("hang", 0.3)
    assert answer.error == ("timeout", "no answer within 0.3 s")
    assert answer.seconds < 10
    assert worker.call(2, 30).value[2] != before


def test_a_child_that_dies_is_replaced(worker):
    answer = worker.call("die", 30)
    assert answer.error == ("crashed", "the worker process ended by itself with exit code 7")
    assert worker.call(2, 30).value[1] == 2


def test_a_child_that_cannot_start_says_why():
    process = WorkerProcess("tests.test_workers:make_handler", ("cannot start",))
    with pytest.raises(AdapterError, match="no model file"):
        process.call(1, 30)


def test_a_pool_answers_every_task_once_and_measures_busy_time():
    events: queue.SimpleQueue[tuple[str, Answer]] = queue.SimpleQueue()
    pool = Pool(
        "p", lambda: WorkerThread(lambda task: time.sleep(0.02) or task), size=3, events=events, timeout=5
    )
    for number in range(30):
        pool.submit(number, number * 2)
    answers = [events.get(timeout=10)[1] for _ in range(30)]
    busy, available = pool.worker_seconds()
    pool.stop()
    assert {answer.task_id: answer.value for answer in answers} == {n: n * 2 for n in range(30)}
    assert 30 * 0.02 <= busy <= available * 1.001


def test_a_thread_that_hangs_is_given_up():
    worker = WorkerThread(lambda task: time.sleep(task))
    assert worker.call(30, 0.1).error[0] == "timeout"
    assert worker.call(0, 5).error is None
