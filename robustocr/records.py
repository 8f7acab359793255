"""The records that flow through robustocr: data only, frozen, serialisable as JSON.

A Receipt is both the truth and what was read. In a truth, an absent key is unlabelled and never scored;
``null`` or ``[]`` is not printed (``Receipt.labelled`` tells). In an Extraction both mean "not read".
"""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from robustocr.values import Amount, Date, Time
from robustocr.values import Box as Box
from robustocr.values import Record as Record
from robustocr.values import Word as Word


class Item(Record):
    """One line item; ``amount`` is the printed line total, negative for returns."""

    name: str | None = None
    quantity: Amount | None = None
    unit: str | None = None
    unit_price: Amount | None = None
    amount: Amount | None = None
    discount: Amount | None = None
    kind: Literal["item", "return", "modifier"] = "item"


class Adjustment(Record):
    """A labelled amount: a discount (negative), a charge, or a payment."""

    label: str | None = None
    amount: Amount


class Tax(Record):
    """One tax line. ``rate`` is a fraction (0.08), ``base`` is net, ``gross`` is base with tax."""

    label: str | None = None
    rate: Amount | None = None
    base: Amount | None = None
    gross: Amount | None = None
    amount: Amount | None = None
    included: bool | None = None


class Receipt(Record):
    """What is printed on one receipt. Adjustments are signed: a discount is negative."""

    merchant: str | None = None
    address: str | None = None
    date: Date | None = None
    time: Time | None = None
    currency: str | None = None
    receipt_number: str | None = None
    vat_id: str | None = None
    iban: str | None = None
    items: tuple[Item, ...] = ()
    item_count: int | None = None
    subtotal: Amount | None = None
    discounts: tuple[Adjustment, ...] = ()
    charges: tuple[Adjustment, ...] = ()
    taxes: tuple[Tax, ...] = ()
    service: Amount | None = None
    tip: Amount | None = None
    rounding: Amount | None = None
    total: Amount | None = None
    payments: tuple[Adjustment, ...] = ()
    change: Amount | None = None
    lines: tuple[str, ...] = ()
    extra: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _normalise(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data = dict(data)
        if data.pop("printed", False):
            from robustocr.printed import canonical_receipt

            data = canonical_receipt(data)
        for name in LIST_FIELDS:
            if name in data and data[name] is None:
                data[name] = ()
        return data

    @property
    def labelled(self) -> frozenset[str]:
        """The names of the fields this receipt speaks of, those known to be absent included."""
        return frozenset(self.model_fields_set)

    def to_json(self) -> dict[str, Any]:
        """Return the canonical JSON object, with only the keys that were given."""
        return self.model_dump(mode="json", exclude_unset=True)


MONEY_FIELDS = ("subtotal", "service", "tip", "rounding", "total", "change")
TEXT_FIELDS = ("merchant", "address")
CODE_FIELDS = ("currency", "receipt_number", "vat_id", "iban")
LIST_FIELDS = ("items", "discounts", "charges", "taxes", "payments")
SINGLE_FIELDS = (
    "merchant", "address", "date", "time", "currency", "receipt_number", "vat_id", "iban", "item_count",
    "subtotal", "service", "tip", "rounding", "total", "change",
)  # fmt: skip
"""Fields that hold one value. Together with LIST_FIELDS they are all that is scored."""


class Marker(StrEnum):
    """How sure a reader is of a value, best first."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    SUSPECTED = "suspected"
    UNREADABLE = "unreadable"


class Alternative(Record):
    """Another reading of the same field."""

    value: str
    text: str | None = None
    score: float | None = None


class Mark(Record):
    """What a reader says about one field: its marker, the evidence, and where it is printed."""

    marker: Marker = Marker.CERTAIN
    score: float | None = Field(default=None, ge=0, le=1)
    score_source: str | None = None
    confidences: dict[str, float] = Field(default_factory=dict)
    text: str | None = None
    box: Box | None = None
    alternatives: tuple[Alternative, ...] = ()
    reason: str | None = None


class Usage(Record):
    """What one extraction cost. ``seconds`` is wall time inside the adapter."""

    seconds: float = 0.0
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: Amount | None = None


class Failure(Record):
    """Why a case has no answer. ``kind`` is one of robustocr.errors.ERROR_KINDS."""

    kind: str
    message: str


class Extraction(Record):
    """What one adapter read from one picture. A field without a Mark counts as certain.

    ``review`` holds field paths the reader itself asks a person to check; see also ``review_list``.
    """

    receipt: Receipt = Field(default_factory=Receipt)
    marks: dict[str, Mark] = Field(default_factory=dict)
    review: tuple[str, ...] = ()
    raw: str | None = None
    trace: tuple[dict[str, Any], ...] = ()
    usage: Usage = Field(default_factory=Usage)
    error: Failure | None = None

    @model_validator(mode="after")
    def _paths_known(self) -> Self:
        for path in (*self.marks, *self.review):
            head = re.split(r"[.\[]", path, maxsplit=1)[0]
            if head not in Receipt.model_fields:
                raise ValueError(f"unknown field path {path!r}")
        return self


class Check(Record):
    """One rule applied to one receipt."""

    rule: str
    status: Literal["holds", "fails", "cannot_tell"]
    fields: tuple[str, ...] = ()
    equation: str | None = None
    residual: Amount | None = None


class Suspect(Record):
    """A field that the rules hold responsible, with the value that would close the sums."""

    field: str
    read: str | None = None
    proposed: str | None = None
    closing: str | None = None
    slip: str | None = None


class Closing(Record):
    """A way the receipt adds up, for example ``items + tax = total``."""

    name: str
    equation: str
    fields: tuple[str, ...] = ()


class VerdictStatus(StrEnum):
    """The rule engine's answer."""

    CLOSES = "closes"
    CONTRADICTS = "contradicts"
    CANNOT_TELL = "cannot_tell"


class Verdict(Record):
    """The rule engine's answer, with the closings found, the checks made and the suspects."""

    status: VerdictStatus
    closings: tuple[Closing, ...] = ()
    checks: tuple[Check, ...] = ()
    suspects: tuple[Suspect, ...] = ()


class Sample(Record):
    """One picture with what is known about it. ``coverage`` and ``legibility`` belong to ``boxes``."""

    id: str
    image: Path
    truth: Receipt | None = None
    boxes: dict[str, tuple[Box, ...]] = Field(default_factory=dict)
    coverage: dict[str, tuple[float, ...]] = Field(default_factory=dict)
    legibility: dict[str, tuple[float | None, ...]] = Field(default_factory=dict)
    words: tuple[Word, ...] = ()
    group: str | None = None
    condition: str | None = None
    pair_id: str | None = None
    provenance: str | None = None
    licence: str | None = None
    source_line: int | None = None


class Case(Record):
    """A sample under one corruption, severity and seed. Clean is corruption ``clean``, severity 0."""

    sample_id: str
    corruption: str = "clean"
    severity: int = Field(default=0, ge=0, le=5)
    seed: int = 0
    target: str | None = None

    @property
    def key(self) -> str:
        """``sample_id/corruption/severity/seed``, and ``/target`` where aimed."""
        key = f"{self.sample_id}/{self.corruption}/{self.severity}/{self.seed}"
        return f"{key}/{self.target}" if self.target else key


class OutcomeKind(StrEnum):
    """How one field of one case came out."""

    CORRECT = "correct"
    WRONG = "wrong"
    ABSTAINED = "abstained"
    MISSED = "missed"
    INVENTED = "invented"
    FAILED = "failed"


class Outcome(Record):
    """One field of one case, scored. Column names of ``outcomes.parquet``."""

    sample_id: str
    group: str | None = None
    corruption: str
    severity: int
    seed: int
    target: str | None = None
    adapter: str
    field: str
    read_field: str | None = None
    truth: str | None = None
    value: str | None = None
    text: str | None = None
    marker: Marker | None = None
    score: float | None = None
    outcome: OutcomeKind
    flagged_by_reader: bool = False
    flagged_by_rules: bool = False
    silent: bool = False
    coverage: float | None = None
    legibility: float | None = None
    answerable: bool = True
    verdict: VerdictStatus | None = None
    error: str | None = None
