"""What can be named on the command line, with a line about each."""

from __future__ import annotations

from robustocr.errors import InputError, unknown_name


def _corruptions() -> list[tuple[str, str]]:
    from robustocr.corruptions import list_corruptions, load_corruption

    return [(name, load_corruption(name).description) for name in list_corruptions()]


def _suites() -> list[tuple[str, str]]:
    from robustocr.corruptions import list_suites, load_suite

    suites = [load_suite(name) for name in list_suites()]
    return [(suite.name, f"{suite.description} ({', '.join(suite.corruptions)})") for suite in suites]


def _adapters() -> list[tuple[str, str]]:
    from robustocr.adapters.registry import list_adapters

    return list(list_adapters().items())


def _formats() -> list[tuple[str, str]]:
    from robustocr.loaders.registry import FORMATS

    return [(known.name, known.layout) for known in FORMATS]


def _fields() -> list[tuple[str, str]]:
    from robustocr.records import LIST_FIELDS, MONEY_FIELDS, SINGLE_FIELDS

    single = [(name, "an amount" if name in MONEY_FIELDS else "one value") for name in SINGLE_FIELDS]
    return [
        *single,
        *((name, "a list") for name in LIST_FIELDS),
        ("document", "every labelled field is right"),
    ]


def _effects() -> list[tuple[str, str]]:
    from robustocr.effects.registry import known_effects

    effects = known_effects().items()
    return [(name, (effect.function.__doc__ or "").strip().splitlines()[0]) for name, effect in effects]


def corruptions_by_family() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the families of corruptions, each with (name, one line about it) of its members."""
    from robustocr.corruptions import list_corruptions, load_corruption
    from robustocr.gallery_page import by_family

    families = by_family([load_corruption(name) for name in list_corruptions()])
    return [
        (family, [(member.name, member.description) for member in members]) for family, members in families
    ]


_KINDS = {
    "corruptions": _corruptions,
    "suites": _suites,
    "adapters": _adapters,
    "formats": _formats,
    "fields": _fields,
    "effects": _effects,
}


def catalogue(kind: str) -> list[tuple[str, str]]:
    """Return (name, one line about it) of every corruption, suite, adapter, format, field or effect."""
    if kind not in _KINDS:
        raise InputError(unknown_name("kind", kind, _KINDS))
    return _KINDS[kind]()
