"""Measured seconds -> Markdown tables with ratios and what misses its limit."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median

OURS = "robustocr"
ALBUMENTATIONS = "albumentations"
IMAGECORRUPTIONS = "imagecorruptions"
AUGRAPHY = "augraphy"
PEERS = (ALBUMENTATIONS, IMAGECORRUPTIONS, AUGRAPHY)

_SLOWEST_RECIPE, _MEDIAN_RECIPE, _LARGE, _MEMORY = 30.0, 8.0, 30.0, 8.0
_IMAGECORRUPTIONS_FASTER = {"JPEG": 1.3, "defocus": 2.0}
_AUGRAPHY_MUCH_FASTER = {"defocus", "shadow", "light", "glare", "lens flare"}
_MISS = " **!**"


def least_factor(effect: str, peer: str) -> float:
    """Return how many times as long as ours a peer's effect must take at least."""
    if peer == ALBUMENTATIONS:
        return 1 / 1.1
    if peer == IMAGECORRUPTIONS:
        return _IMAGECORRUPTIONS_FASTER.get(effect, 5.0)
    return 20.0 if effect in _AUGRAPHY_MUCH_FASTER else 2.0


def shared_table(seconds: Mapping[str, Mapping[str, float]]) -> str:
    """Return milliseconds of ours and, for each peer, its time divided by ours and the least it must be."""
    rows = [
        f"| effect | {OURS}, ms | " + " | ".join(f"{peer} (at least)" for peer in PEERS) + " |",
        "|---|---:|" + "---:|" * len(PEERS),
    ]
    for effect, taken in seconds.items():
        if OURS in taken:
            cells = [_factor(effect, peer, taken) for peer in PEERS]
            rows.append(f"| {effect} | {1000 * taken[OURS]:.1f} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _factor(effect: str, peer: str, taken: Mapping[str, float]) -> str:
    if peer not in taken:
        return ""
    factor, least = taken[peer] / taken[OURS], least_factor(effect, peer)
    return f"{factor:.3g} ({least:.2g}){_MISS if factor < least else ''}"


def recipe_table(
    small: Mapping[str, float], yardstick: float, large: Mapping[str, float], memory: Mapping[str, float]
) -> str:
    """Return a row per recipe: milliseconds, yardsticks, 24 megapixels against 1.3, and peak memory."""
    rows = [
        f"| recipe | ms | yardsticks (at most {_SLOWEST_RECIPE:g}) | 24 MP / 1.3 MP (at most {_LARGE:g}) "
        f"| memory at 24 MP, pictures (at most {_MEMORY:g}) |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, seconds in small.items():
        rows.append(
            f"| `{name}` | {1000 * seconds:.0f} | {_limited(seconds / yardstick, _SLOWEST_RECIPE)} "
            f"| {_limited(large[name] / seconds, _LARGE) if name in large else ''} "
            f"| {_limited(memory[name], _MEMORY) if name in memory else ''} |"
        )
    middle = median(small.values()) / yardstick
    rows.append(f"| median | {1000 * median(small.values()):.0f} | {_limited(middle, _MEDIAN_RECIPE)} | | |")
    return "\n".join(rows)


def _limited(value: float, limit: float) -> str:
    return f"{value:.1f}{_MISS if value > limit else ''}"


def replaced(text: str, name: str, table: str) -> str:
    """Return a Markdown text with what stands between the two marks of ``name`` replaced.

    Raises ValueError where a mark is missing.
    """
    start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    if start not in text or end not in text:
        raise ValueError(f"the text has no marks {start.strip()} and {end}")
    head, rest = text.split(start, 1)
    return head + start + table + "\n" + end + rest.split(end, 1)[1]
