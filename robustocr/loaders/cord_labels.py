"""CORD's label categories -> Receipt, from ``gt_parse`` objects."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from robustocr.convention import infer_convention
from robustocr.errors import unknown_name
from robustocr.loaders.base import LabelError
from robustocr.money import find_amounts, parse_amount, parse_quantity
from robustocr.numeral import Convention
from robustocr.records import Receipt

SECTIONS = ("menu", "void_menu", "sub_total", "void_total", "total")
"""The groups of CORD's categories; ``void_total`` holds nothing that a Receipt has a field for."""

SINGLE = {
    "sub_total.subtotal_price": "subtotal",
    "sub_total.service_price": "service",
    "total.total_price": "total",
    "total.changeprice": "change",
}
"""CORD category -> field path, for fields with one value."""

LISTED = {
    "sub_total.discount_price": ("discounts", "Discount"),
    "sub_total.othersvc_price": ("charges", "Other charge"),
    "sub_total.tax_price": ("taxes", "Tax"),
    "total.cashprice": ("payments", "Cash"),
    "total.creditcardprice": ("payments", "Card"),
    "total.emoneyprice": ("payments", "E-money"),
}
"""CORD category -> list field and the label its entries get."""

ITEM = {
    "nm": "name",
    "cnt": "quantity",
    "unitprice": "unit_price",
    "price": "amount",
    "discountprice": "discount",
}
"""Key of a CORD menu entry -> key of an Item."""

_NOT_KEPT = frozenset({"num", "etc", "itemsubtotal", "vatyn", "menutype_cnt", "menuqty_cnt", "total_etc"})
_MONEY_KEYS = ("unitprice", "price", "discountprice")


def receipt_of_gt_parse(parse: dict[str, Any]) -> Receipt:
    """Return the truth in one ``gt_parse`` object, the decimal mark decided over its amounts.

    Raises LabelError or ValueError naming unknown keys and amounts that cannot be read.
    """
    unknown = [key for key in parse if key not in SECTIONS]
    if unknown:
        raise LabelError(unknown_name("section", unknown[0], SECTIONS))
    sections = {section: _entries(parse.get(section), section) for section in SECTIONS}
    convention = infer_convention(_amount_texts(sections))
    data: dict[str, Any] = {}
    if "menu" in parse or "void_menu" in parse:
        data["items"] = [*_items(sections, "menu", convention), *_items(sections, "void_menu", convention)]
    for section in ("sub_total", "total"):
        for key, texts in _values(sections[section], section):
            _add(data, f"{section}.{key}", texts, convention)
    return Receipt.model_validate({key: value for key, value in data.items() if value is not None})


def _amount(text: str, path: str, convention: Convention) -> Decimal | None:
    """The one amount in a labelled text, words around it allowed; None for a mere percentage."""
    value = parse_amount(text, convention)
    if value is not None:
        return value
    found = {span.value for span in find_amounts(text, convention)}
    if len(found) == 1:
        return found.pop()
    if not found and "%" in text:
        return None
    raise ValueError(f"{path}: {text!r} is not a printed amount such as 25,000 or Rp.56.000")


def _add(data: dict[str, Any], category: str, texts: list[str], convention: Convention) -> None:
    """Add what one category says; where its values are several or unreadable rates, nothing is labelled."""
    if not texts or not _is_kept(category):
        return
    values = [_amount(text, category, convention) for text in texts]
    if category in SINGLE:
        data[SINGLE[category]] = values[0] if len(set(values)) == 1 else None
        return
    name, label = LISTED[category]
    entries = [{"label": label, "amount": _signed(value, name == "discounts")} for value in values]
    known = data.get(name, [])
    data[name] = None if None in values or known is None else [*known, *entries]


def _signed(value: Decimal | None, negative: bool) -> Decimal | None:
    return -abs(value) if negative and value else value


def _is_kept(category: str) -> bool:
    if category in SINGLE or category in LISTED:
        return True
    key = category.partition(".")[2]
    if key not in _NOT_KEPT:
        known = [name.partition(".")[2] for name in (*SINGLE, *LISTED)]
        raise LabelError(unknown_name(f"key of {category.partition('.')[0]}", key, [*known, *_NOT_KEPT]))
    return False


def _items(
    sections: dict[str, list[dict[str, Any]]], section: str, convention: Convention
) -> Iterator[dict[str, Any]]:
    kind = "return" if section == "void_menu" else "item"
    for index, entry in enumerate(sections[section]):
        path = f"{section}[{index}]"
        for item in (_item(entry, path, kind, convention), *_modifiers(entry, path, convention)):
            if len(item) > 1:
                yield item


def _modifiers(entry: dict[str, Any], path: str, convention: Convention) -> Iterator[dict[str, Any]]:
    for number, part in enumerate(_parts(entry, path)):
        yield _item(part, f"{path}.sub[{number}]", "modifier", convention)


def _item(entry: dict[str, Any], path: str, kind: str, convention: Convention) -> dict[str, Any]:
    item: dict[str, Any] = {"kind": kind}
    for key, value in entry.items():
        if key == "sub" or key.startswith("sub_"):
            continue
        if key not in ITEM and key not in _NOT_KEPT:
            raise LabelError(f"{path}: {unknown_name('key', key, [*ITEM, *_NOT_KEPT, 'sub'])}")
        texts = _texts(value, f"{path}.{key}")
        read = _item_value(key, texts, f"{path}.{key}", convention) if key in ITEM and texts else None
        if read is not None:
            returned = kind == "return" and key == "price"
            negative = isinstance(read, Decimal) and (returned or key == "discountprice")
            item[ITEM[key]] = -abs(read) if negative and read else read
    return item


def _item_value(key: str, texts: list[str], path: str, convention: Convention) -> Any:
    if key == "nm":
        return " ".join(texts)
    if key != "cnt":
        return _amount(texts[-1], path, convention)
    quantity = parse_quantity(texts[0], convention)
    if quantity is None:
        raise ValueError(f"{path}: {texts[0]!r} is not a printed quantity such as 2 or 1 x")
    return quantity


def _parts(entry: dict[str, Any], path: str) -> list[dict[str, Any]]:
    """The sub-entries of a menu entry: under ``sub``, or in the first version's flat ``sub_`` keys."""
    parts = _entries(entry.get("sub"), f"{path}.sub")
    flat = {
        key.removeprefix("sub_"): _texts(value, f"{path}.{key}")
        for key, value in entry.items()
        if key.startswith("sub_")
    }
    count = max((len(texts) for texts in flat.values()), default=0)
    whole = {key: texts for key, texts in flat.items() if len(texts) == count}
    return [*parts, *({key: texts[index] for key, texts in whole.items()} for index in range(count))]


def _entries(value: object, path: str) -> list[dict[str, Any]]:
    """A section's entries: one object or a list of them."""
    entries: list[Any] = value if isinstance(value, list) else [] if value is None else [value]
    for entry in entries:
        if not isinstance(entry, dict):
            raise LabelError(f"{path}: {entry!r:.60} is not an object with keys such as nm and price")
    return entries


def _values(entries: list[dict[str, Any]], section: str) -> Iterator[tuple[str, list[str]]]:
    for entry in entries:
        for key, value in entry.items():
            yield key, _texts(value, f"{section}.{key}")


def _texts(value: object, path: str) -> list[str]:
    """The texts of one key: one text, or a list of them; numbers as text, empty ones left out."""
    texts = value if isinstance(value, list) else [value]
    if any(isinstance(text, (dict, list, bool)) for text in texts):
        raise LabelError(f"{path}: {value!r:.60} is neither text nor a list of texts")
    return [str(text).strip() for text in texts if text is not None and str(text).strip()]


def _amount_texts(sections: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    for section in ("menu", "void_menu"):
        for entry in sections[section]:
            for part in (entry, *_parts(entry, section)):
                for key in _MONEY_KEYS:
                    yield from _texts(part.get(key), key)
    for section in ("sub_total", "total"):
        for key, texts in _values(sections[section], section):
            if f"{section}.{key}" in SINGLE or f"{section}.{key}" in LISTED:
                yield from texts
