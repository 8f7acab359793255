"""One adapter over all cases of a plan: from the journal, from the cache, or by making and reading pictures.

A single loop hands tasks out and takes answers in. Few pictures are under way at any time, so memory
does not grow with the number of cases.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from typing import Any

from robustocr.adapters.base import Adapter, OcrAdapter, Request
from robustocr.cache import Cache, cache_key
from robustocr.conditions import Condition
from robustocr.errors import DatasetError, InputError
from robustocr.pictures import MadePicture
from robustocr.plan import Plan
from robustocr.readers import ReadTask, dump_extraction, load_page, reading_pool
from robustocr.records import Case, Extraction, Failure, Sample, Usage
from robustocr.rules.check import check
from robustocr.store import Journal
from robustocr.workers import Answer, Pool, WorkerProcess

MAKING_SECONDS = 300.0
"""Time limit for making one picture, which may take one OCR of the clean one; not the reader's limit."""

Progress = Callable[[str, int, int], None]
"""Called with (adapter name, finished cases, all cases)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How a run works: reading workers, seconds per case, whether a bad sample stops it."""

    workers: int
    timeout: float | None
    strict: bool


@dataclass(slots=True)
class _Pending:
    """A case under way."""

    sample: Sample
    condition: Condition
    case: Case
    facts: dict[str, Any] | None = None
    again: bool = False


class CaseRunner:
    """Runs the cases that the journal does not hold yet. Use ``run()`` once."""

    def __init__(
        self,
        plan: Plan,
        adapter: Adapter,
        *,
        spec: str,
        journal: Journal,
        cache: Cache,
        effort: Effort,
    ) -> None:
        self._plan, self._adapter, self._journal, self._cache = plan, adapter, journal, cache
        self._strict = effort.strict
        self._request = Request(fields=plan.fields)
        self._cacheable = getattr(adapter, "cacheable", True)
        self._events: queue.SimpleQueue[tuple[str, Answer]] = queue.SimpleQueue()
        self._reading = reading_pool(
            adapter, spec=spec, workers=effort.workers, events=self._events, timeout=effort.timeout
        )
        makers = max(1, min(8, (os.cpu_count() or 2) // 2))
        self._making = Pool(
            "make",
            lambda: WorkerProcess("robustocr.pictures:PictureMaker", (plan.corruptions,)),
            size=makers,
            events=self._events,
            timeout=MAKING_SECONDS,
        )
        self._under_way_limit = 2 * effort.workers + makers + 2
        self._pending: dict[str, _Pending] = {}
        self._label_hashes: dict[str, str] = {}
        self._read_any = False
        self._left_out: set[str] = set()
        self._impossible: set[str] = set()
        self._pictures = 0
        self._finished = 0

    def run(self, done: Set[str], left_out: Set[str], not_made: Set[str], progress: Progress) -> None:
        """Finish every case that is not ``done`` and was not left out, alone or with its sample.

        Raises InputError when the adapter cannot work.
        """
        total, finished = self._plan.n_cases, len(done)
        self._left_out, self._impossible = set(left_out), set(not_made)
        todo = self._todo(done)
        progress(self._adapter.name, finished, total)
        try:
            while True:
                finished += self._hand_out(todo)
                progress(self._adapter.name, finished, total)
                if not self._pending:
                    break
                finished += self._take_in(*self._events.get())
        finally:
            self._reading.stop()
            self._making.stop()
            self._note_effort()

    def _note_effort(self) -> None:
        """Journal what this process did, for the summary: resumed runs add up."""
        if not self._finished or not self._pictures:
            return
        busy, available = self._reading.worker_seconds()
        self._journal.append(
            {
                "effort": self._adapter.name,
                "pictures": self._pictures,
                "busy_seconds": round(busy, 3),
                "worker_seconds": round(available, 3),
            }
        )

    def _todo(self, done: Set[str]) -> Iterator[_Pending]:
        for sample, condition, case in self._plan.cases():
            if case.key not in done and case.key not in self._impossible and sample.id not in self._left_out:
                yield _Pending(sample, condition, case)

    def _hand_out(self, todo: Iterator[_Pending]) -> int:
        """Start cases until enough are under way; return how many were finished from the cache."""
        finished = 0
        while len(self._pending) < self._under_way_limit:
            pending = next(todo, None)
            if pending is None:
                break
            if self._from_cache(pending):
                finished += 1
                continue
            self._pending[pending.case.key] = pending
            self._making.submit(pending.case.key, (pending.sample, pending.case))
        return finished

    def _take_in(self, pool: str, answer: Answer) -> int:
        """Handle one answer; return 1 when it finished a case."""
        pending = self._pending.get(answer.task_id)
        if pending is None:
            return 0
        if pool == "make":
            return self._picture_made(pending, answer)
        return self._picture_read(pending, answer)

    def _picture_made(self, pending: _Pending, answer: Answer) -> int:
        key = pending.case.key
        if answer.error:
            return self._not_made(pending, answer.error)
        made: MadePicture = answer.value
        known, pending.facts = pending.facts, made.facts()
        self._pictures += 1
        if self._cacheable and pending.facts != known:
            self._cache.put("picture", self._picture_key(pending), pending.facts)
        if self._answer_known(pending):
            del self._pending[key]
            return 1
        task = ReadTask(pixels=made.pixels, sha256=made.sha256, key=key, request=self._request)
        self._reading.submit(key, task)
        return 0

    def _not_made(self, pending: _Pending, error: tuple[str, str]) -> int:
        """A picture that was lost with its process is made again once; then the sample is left out.

        Where a field has no known place that a corruption needs, only this case is.
        """
        key = pending.case.key
        if error[0] == "setup":
            raise InputError(f"corruption {pending.case.corruption}: {error[1]}")
        if error[0] in ("timeout", "crashed") and not pending.again:
            pending.again = True
            self._making.submit(key, (pending.sample, pending.case))
            return 0
        del self._pending[key]
        if error[0] == "place":
            return self._leave_case_out(pending, error[1])
        return self._leave_out(pending.sample, error)

    def _picture_read(self, pending: _Pending, answer: Answer) -> int:
        if answer.error and answer.error[0] == "setup" and not self._read_any:
            raise InputError(f"adapter {self._adapter.name} cannot work: {answer.error[1]}")
        self._read_any = True
        del self._pending[pending.case.key]
        if answer.error:
            kind, message = answer.error
            failure = Failure(kind="crashed" if kind == "setup" else kind, message=message)
            extraction = Extraction(error=failure)
        else:
            data, page = answer.value
            extraction = Extraction.model_validate(data)
            self._remember(pending, data, page)
        self._finish(pending, extraction, seconds=answer.seconds, calls=1, cached=False)
        return 1

    def _leave_out(self, sample: Sample, error: tuple[str, str]) -> int:
        """Leave a sample out whose picture cannot be made; its other cases are dropped in the same way."""
        if sample.id not in self._left_out:
            if self._strict:
                raise DatasetError(f"{sample.image}: {error[1]}")
            self._left_out.add(sample.id)
            self._journal.append({"left_out": sample.id, "file": str(sample.image), "reason": error[1]})
        return 1

    def _leave_case_out(self, pending: _Pending, reason: str) -> int:
        if self._strict:
            raise DatasetError(f"{pending.sample.image}: {reason}")
        self._journal.append({"not_made": pending.case.key, "sample": pending.sample.id, "reason": reason})
        return 1

    def _from_cache(self, pending: _Pending) -> bool:
        if not self._cacheable:
            return False
        pending.facts = self._cache.get("picture", self._picture_key(pending))
        return pending.facts is not None and self._answer_known(pending)

    def _answer_known(self, pending: _Pending) -> bool:
        """Finish the case if its answer, or the lines it is parsed from, are in the cache."""
        if not self._cacheable or pending.facts is None:
            return False
        stored = self._cache.get("extraction", self._answer_key(pending.facts["sha256"]))
        if stored is None and isinstance(self._adapter, OcrAdapter):
            page = self._cache.get("page", self._page_key(pending.facts["sha256"]))
            if page is not None:
                stored = dump_extraction(self._adapter.parse(load_page(page), self._request))
                self._cache.put("extraction", self._answer_key(pending.facts["sha256"]), stored)
        if stored is None:
            return False
        self._finish(pending, Extraction.model_validate(stored), seconds=0.0, calls=0, cached=True)
        return True

    def _remember(self, pending: _Pending, data: dict[str, Any], page: dict[str, Any] | None) -> None:
        if not self._cacheable or pending.facts is None:
            return
        self._cache.put("extraction", self._answer_key(pending.facts["sha256"]), data)
        if page is not None:
            self._cache.put("page", self._page_key(pending.facts["sha256"]), page)

    def _finish(
        self, pending: _Pending, extraction: Extraction, *, seconds: float, calls: int, cached: bool
    ) -> None:
        self._finished += 1
        facts = pending.facts or {}
        usage = extraction.usage
        spent = usage.model_copy(update={"seconds": round(seconds, 4), "calls": usage.calls or calls})
        extraction = extraction.model_copy(update={"usage": Usage() if cached else spent})
        verdict = None if extraction.error else check(extraction.receipt)
        self._journal.append(
            {
                "key": pending.case.key,
                "adapter": self._adapter.name,
                "case": pending.case.model_dump(mode="json", exclude_none=True),
                "picture_sha256": facts.get("sha256"),
                "text_height": facts.get("text_height"),
                "coverage": facts.get("coverage", {}),
                "legibility": facts.get("legibility", {}),
                "edits": facts.get("edits", {}),
                "boxes": facts.get("boxes", {}),
                "extraction": dump_extraction(extraction),
                "verdict": verdict.model_dump(mode="json", exclude_defaults=True) if verdict else None,
                "cached": cached,
            }
        )

    def _picture_key(self, pending: _Pending) -> str:
        corruption, case = pending.condition.corruption, pending.case
        sample = pending.sample
        if sample.id not in self._label_hashes:
            self._label_hashes[sample.id] = cache_key(sample.model_dump(mode="json", exclude={"image"}))
        return cache_key(
            corruption.recipe_hash if corruption else None,
            self._plan.sources[sample.id],
            sample.id,
            case.seed,
            case.severity,
            case.target,
            self._label_hashes[sample.id],
            self._plan.settings["versions"],
        )

    def _answer_key(self, sha256: str) -> str:
        return cache_key(sha256, self._adapter.fingerprint, self._request.cache_key())

    def _page_key(self, sha256: str) -> str:
        engine = self._adapter.engine_fingerprint if isinstance(self._adapter, OcrAdapter) else ""
        return cache_key(sha256, engine)
