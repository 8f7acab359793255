"""A page of words taken apart for the search: rows, what each is about, and every amount on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.words import find_role
from robustocr.loaders.rows import Row, rows_of
from robustocr.money import Convention, find_amounts, infer_convention
from robustocr.records import Box, Word


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedAmount:
    """An amount on a page: its value, the number of its row from the top, and its box."""

    value: Decimal
    row: int
    box: Box


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedPage:
    """Rows from top to bottom, what each is about, the convention, and the amounts in reading order."""

    rows: tuple[Row, ...]
    roles: tuple[Role | None, ...]
    convention: Convention
    amounts: tuple[PrintedAmount, ...]

    def rows_about(self, roles: Sequence[Role]) -> frozenset[int]:
        """Return the numbers of the rows about one of these; of one without an amount also the row below."""
        about = {index for index in range(len(self.rows)) if self._is_about(index, roles)}
        with_amounts = {amount.row for amount in self.amounts}
        below = {
            index + 1
            for index in about
            if index not in with_amounts and index + 1 < len(self.rows) and self.roles[index + 1] is None
        }
        return frozenset(about | below)

    def _is_about(self, index: int, roles: Sequence[Role]) -> bool:
        role = self.roles[index]
        # "Rounded total" with a letter lost reads as a rounding.
        rounded = role is Role.ROUNDING and "total" in self.rows[index].text.casefold()
        return role in roles or (rounded and Role.TOTAL in roles)


def printed_page(words: Sequence[Word]) -> PrintedPage:
    """Take a page of words apart."""
    rows = rows_of(words)
    convention = infer_convention(row.text for row in rows)
    amounts = tuple(amount for index, row in enumerate(rows) for amount in _amounts(index, row, convention))
    return PrintedPage(
        rows=rows,
        roles=tuple(find_role(row.text)[0] for row in rows),
        convention=convention,
        amounts=amounts,
    )


def _amounts(index: int, row: Row, convention: Convention) -> Iterator[PrintedAmount]:
    for span in find_amounts(row.text, convention):
        yield PrintedAmount(value=span.value, row=index, box=row.box(span.start, span.end))
