"""Plain words of a printed row: accents and numbers gone, recognition slips in keywords put right."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from robustocr.adapters.parsing.keywords import CURRENCY_WORDS, RULES, Role, Rule
from robustocr.adapters.parsing.phrases import any_of, anywhere

_LOOKS_LIKE = str.maketrans({"0": "o", "1": "l", "5": "s", "8": "b", "!": "l", "|": "l"})
_NUMBER = re.compile(r"[-+]?\d[\d.,:/'-]*%?")
_MIXED = re.compile(r"\b(?=\w*[a-z]{2})\w*\d\w*\b")
_AMBIGUOUS = frozenset(
    (
        "retail", "cash", "cashier", "totally", "services", "table", "taxi", "ground", "paint", "bayam",
        "mandarin", "summer", "pound", "sound",
    )
)  # fmt: skip
"""Common words that are one slip away from a keyword and are not it."""


_MISREAD = {
    **dict.fromkeys(("totl", "tota", "toal", "otal", "tolal", "tofal"), "total"),
    "uisa": "visa",
    "vlsa": "visa",
    "sve": "svc",
}
"""Readings of short keywords that are too far from them, or too short, for the count of slips."""


def fold(text: str) -> str:
    """Return the text in lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o")).casefold()
    return "".join(char for char in plain if not unicodedata.combining(char))


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """Return the row's words in lower case, one space apart: no accents, numbers or punctuation.

    Words that are one or two recognition slips away from a keyword become it (``T0TAL``, ``Tofal``),
    and keywords that were printed together are parted (``totalamount``).
    """
    folded = _MIXED.sub(lambda match: _unmixed(match.group()), fold(text))
    bare = re.sub(r"[^a-z]+", " ", _NUMBER.sub(" ", folded))
    return " ".join(part for word in bare.split() for part in _known(word))


def find_role(text: str) -> tuple[Role | None, float]:
    """Return what a row is about by its words and, for a total, how plainly it says so; else (None, 0)."""
    words = plain_words(text)
    if not words:
        return None, 0.0
    for rule, patterns in _compiled():
        if patterns.match(words):
            return rule.role, rule.weight
    return None, 0.0


def has_other_words(text: str) -> bool:
    """Whether a row has words of four letters or more that are no keywords."""
    return any(len(word) >= 4 and word not in _vocabulary() for word in plain_words(text).split())


def _unmixed(word: str) -> str:
    """``t0tal`` -> ``total``; a code or a glued amount such as ``rm60`` stays apart from its digits."""
    letters = sum(char.isalpha() for char in word)
    guess = word.translate(_LOOKS_LIKE)
    if letters >= len(word) - 2 and guess in _vocabulary():
        return guess
    return word


def _known(word: str) -> tuple[str, ...]:
    word = _MISREAD.get(word, word)
    if word in _vocabulary() or len(word) < 5 or word in _AMBIGUOUS:
        return (word,)
    parts = _parted(word)
    if parts:
        return parts
    slips = 1 if len(word) < 8 else 2
    for known in _long_words():
        alike = abs(len(known) - len(word)) <= slips and (
            known[0] == word[0] or (len(word) > 5 and slips == 1)
        )
        if alike and Levenshtein.distance(known, word, score_cutoff=slips) <= slips:
            return (known,)
    return (word,)


def _parted(word: str) -> tuple[str, ...]:
    """Split a word that is nothing but keywords; empty where it is not."""
    vocabulary = _vocabulary()
    for cut in range(len(word) - 2, 2, -1):
        head, tail = word[:cut], word[cut:]
        if head not in vocabulary:
            continue
        if tail in vocabulary:
            return (head, tail)
        rest = _parted(tail) if len(tail) > 5 else ()
        if rest:
            return (head, *rest)
    return ()


@dataclass(frozen=True, slots=True)
class _Patterns:
    """A rule as regular expressions."""

    phrase: re.Pattern[str]
    also: re.Pattern[str] | None
    unless: re.Pattern[str] | None

    def match(self, words: str) -> bool:
        if not self.phrase.search(words):
            return False
        if self.also and not self.also.search(words):
            return False
        return not (self.unless and self.unless.search(words))


def _optional(text: str) -> re.Pattern[str] | None:
    return anywhere(text) if text else None


def _compile(rule: Rule) -> _Patterns:
    body = any_of(rule.phrases)
    if rule.where == "start":
        lead = rf"(?:{any_of(rule.lead)} )*" if rule.lead else ""
        body = rf"^{lead}{body}\b"
    elif rule.where == "whole":
        money = any_of(CURRENCY_WORDS)
        body = rf"^(?:{money} )*{body}(?: {money})*$"
    else:
        body = rf"\b{body}\b"
    return _Patterns(re.compile(body), _optional(rule.also), _optional(rule.unless))


@cache
def _compiled() -> tuple[tuple[Rule, _Patterns], ...]:
    return tuple((rule, _compile(rule)) for rule in RULES)


@cache
def _vocabulary() -> frozenset[str]:
    phrases = [text for rule in RULES for text in (rule.phrases, rule.also, rule.lead)]
    return frozenset(re.findall(r"[a-z]{2,}", " ".join((*phrases, CURRENCY_WORDS))))


@cache
def _long_words() -> tuple[str, ...]:
    return tuple(sorted(word for word in _vocabulary() if len(word) >= 5))
