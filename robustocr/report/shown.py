"""The silent errors as a reader sees them: pictures, and what the rules said of the receipt."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from robustocr.adapters.base import Pixels
from robustocr.records import LIST_FIELDS, Suspect, Verdict, VerdictStatus
from robustocr.report.legible import band_label
from robustocr.report.pictures import WHOLE_SIDE, Shown, field_crop, thumbnail
from robustocr.report.results import RunResults
from robustocr.report.silent import PictureWanted, SilentError, worst_silent_errors
from robustocr.report.wording import condition_name

MakePictures = Callable[[Sequence[PictureWanted]], Mapping[str, Pixels]]

_SAID = {
    VerdictStatus.CLOSES: "The sums close all the same:",
    VerdictStatus.CONTRADICTS: "The sums contradict each other, but point elsewhere:",
    VerdictStatus.CANNOT_TELL: "The rules cannot tell.",
}
_MOST_EQUATIONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownError:
    """A silent error with its pictures: the place of the field (or the whole picture) and a thumbnail.

    ``legibility`` is that of the field as text, empty where it was not measured, and ``band`` what it means.
    """

    error: SilentError
    picture: Shown | None
    thumbnail: Shown | None
    condition: str
    rules_said: str
    equations: tuple[str, ...]
    legibility: str
    band: str


def shown_errors(
    results: RunResults, limit: int, make_pictures: MakePictures | None
) -> tuple[ShownError, ...]:
    """Return the ``limit`` worst silent errors, with pictures where ``make_pictures`` hands them back."""
    errors = worst_silent_errors(results.outcomes, results.cases, limit)
    wanted = {error.wanted.key: error.wanted for error in errors}
    made = make_pictures(tuple(wanted.values())) if make_pictures and wanted else {}
    return tuple(_shown(error, made.get(error.wanted.key)) for error in errors)


def equations(verdict: Verdict | None) -> tuple[str, ...]:
    """Return at most four sums that decided a verdict: its closings, or what fails and the suspects."""
    if verdict is None:
        return ()
    if verdict.status is VerdictStatus.CLOSES:
        lines = [closing.equation for closing in verdict.closings]
    else:
        failed = [check.equation or check.rule for check in verdict.checks if check.status == "fails"]
        lines = [*failed, *(_suspicion(suspect) for suspect in verdict.suspects)]
    return tuple(dict.fromkeys(lines))[:_MOST_EQUATIONS]


def _suspicion(suspect: Suspect) -> str:
    read = "" if suspect.read is None else f": read {suspect.read}"
    proposed = "" if suspect.proposed is None else f", would close with {suspect.proposed}"
    return f"suspect {suspect.field}{read}{proposed}"


def _shown(error: SilentError, pixels: Pixels | None) -> ShownError:
    picture = small = None
    if pixels is not None:
        boxes = error.wanted.boxes
        is_list = error.wanted.field in LIST_FIELDS
        if boxes:
            picture, small = field_crop(pixels, boxes, together=is_list), thumbnail(pixels, boxes)
        else:
            picture = thumbnail(pixels, side=WHOLE_SIDE)
    case = error.wanted.case
    sums = equations(error.verdict)
    return ShownError(
        error=error,
        picture=picture,
        thumbnail=small,
        condition=condition_name(case.corruption, case.severity, case.target),
        rules_said=_rules_said(error.status, sums),
        equations=sums,
        legibility="" if error.legibility is None else f"{math.floor(error.legibility * 100) / 100:.2f}",
        band=band_label(error.legibility, answerable=error.answerable),
    )


def _rules_said(status: VerdictStatus | None, sums: tuple[str, ...]) -> str:
    if status is None:
        return "The rules were not asked."
    said = _SAID[status]
    return said if sums else said.replace(":", ".")
