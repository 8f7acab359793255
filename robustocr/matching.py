"""When two values of a field are the same, and which item read belongs to which item printed.

Money is exact, dates are the same day, times the same minute. Merchants and addresses are similar
enough at ``TEXT_SIMILARITY``; identifiers are compared without spaces; taxes, discounts, charges and
payments as multisets of amounts.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from robustocr.reading import TEXT_SIMILARITY
from robustocr.records import TEXT_FIELDS, Adjustment, Item, Receipt, Tax

_AMOUNT_WEIGHT = 0.75
_QUANTITY_WEIGHT = 0.05
_ORDER_WEIGHT = 1e-6
_NAME_FLOOR = 0.5

_Value = TypeVar("_Value")


@lru_cache(maxsize=65536)
def plain_text(text: str) -> str:
    """Return the text casefolded, without punctuation and symbols, with single spaces.

    A text of nothing but punctuation keeps it, so that it never equals an empty one.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = "".join(c for c in folded if unicodedata.category(c)[0] not in "PS")
    return " ".join(kept.split()) or " ".join(folded.split())


def text_similarity(first: str, second: str) -> float:
    """Return the Levenshtein similarity 0..1 of two texts after :func:`plain_text`."""
    return float(Levenshtein.normalized_similarity(plain_text(first), plain_text(second)))


def _same_minute(first: dt.time, second: dt.time) -> bool:
    return (first.hour, first.minute) == (second.hour, second.minute)


def _without_spaces(text: str) -> str:
    return "".join(text.split())


def same_value(field: str, truth: object, value: object) -> bool:
    """Tell whether two values of one single field are the same; both must be present.

    Similar text for ``merchant`` and ``address``, the same minute for ``time``, the same text without
    spaces for identifiers, without regard to case for ``currency``; exact equality for the rest.
    """
    if isinstance(truth, str) and isinstance(value, str):
        if field in TEXT_FIELDS:
            return text_similarity(truth, value) >= TEXT_SIMILARITY
        first, second = _without_spaces(truth), _without_spaces(value)
        return first.casefold() == second.casefold() if field == "currency" else first == second
    if isinstance(truth, dt.time) and isinstance(value, dt.time):
        return _same_minute(truth, value)
    return truth == value


def amounts_of(entries: Iterable[Item | Adjustment | Tax]) -> tuple[Decimal, ...]:
    """Return the amounts of items, adjustments or taxes in their order, those without one left out."""
    return tuple(entry.amount for entry in entries if entry.amount is not None)


def same_amounts(first: Iterable[Decimal], second: Iterable[Decimal]) -> bool:
    """Tell whether two lists hold the same amounts, in any order, each as often as in the other."""
    return Counter(first) == Counter(second)


def read_value(receipt: Receipt, field: str) -> object | None:
    """Return a single field's value, None when it is absent or a blank text."""
    value: object | None = getattr(receipt, field)
    return None if isinstance(value, str) and not value.strip() else value


def match_items(truth: Sequence[Item], read: Sequence[Item]) -> tuple[int | None, ...]:
    """Return for each true item the index of the item read that belongs to it, or None.

    The optimal one-to-one assignment on name and amount: names count with the fourth power of their
    similarity, so that only a nearly equal name outweighs an equal amount; the quantity and then the
    order settle ties. Items that share neither the amount nor half of the name are no pair.
    """
    if not truth or not read:
        return (None,) * len(truth)
    if tuple(truth) == tuple(read):
        return tuple(range(len(truth)))
    worth, is_pair = _pair_worth(truth, read)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    pairs = {int(i): int(j) for i, j in zip(rows, columns, strict=True) if is_pair[i, j]}
    return tuple(pairs.get(i) for i in range(len(truth)))


def _pair_worth(
    truth: Sequence[Item], read: Sequence[Item]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """What each pair (true item x item read) is worth, and whether it is a pair at all."""
    names = _name_similarity(truth, read)
    amounts = _equal([item.amount for item in truth], [item.amount for item in read])
    quantities = _equal([item.quantity for item in truth], [item.quantity for item in read])
    distance = np.abs(np.arange(len(truth))[:, None] - np.arange(len(read))[None, :])
    worth = names**4 + _AMOUNT_WEIGHT * amounts + _QUANTITY_WEIGHT * quantities - _ORDER_WEIGHT * distance
    is_pair = amounts | (names >= _NAME_FLOOR)
    return np.where(is_pair, worth, 0.0), is_pair


def _name_similarity(truth: Sequence[Item], read: Sequence[Item]) -> npt.NDArray[np.float64]:
    """Similarities 0..1, true items x read items; an item without a name is halfway like any other."""
    first = [plain_text(item.name or "") for item in truth]
    second = [plain_text(item.name or "") for item in read]
    similar = cdist(first, second, scorer=Levenshtein.normalized_similarity).astype(np.float64)
    nameless = np.array([not a for a in first])[:, None] | np.array([not b for b in second])[None, :]
    return np.where(nameless, _NAME_FLOOR, similar)


def _equal(first: Sequence[_Value | None], second: Sequence[_Value | None]) -> npt.NDArray[np.bool_]:
    codes = {value: code for code, value in enumerate({v for v in (*first, *second) if v is not None})}
    left = np.array([-1 if v is None else codes[v] for v in first])
    right = np.array([-2 if v is None else codes[v] for v in second])
    equal: npt.NDArray[np.bool_] = left[:, None] == right[None, :]
    return equal
