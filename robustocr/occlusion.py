"""A corruption made in Python: a field is covered, in part or whole, wherever it is printed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from robustocr.effects.registry import find_effect
from robustocr.errors import RecipeError
from robustocr.recipes import SEVERITIES, Corruption, Step


def occlude(field: str, share: float | Sequence[float] = 1.0) -> Corruption:
    """Return the corruption that covers ``share`` (0..1) of the width of a field at all of its places.

    ``share`` is one value for every severity, or five for severities 1 to 5. At 1 nothing of the field is
    left to read, so that it is not answerable. The same arguments give the same name and hash. Raises
    RecipeError for a field that no receipt has, or for shares that are not one or five values of 0 to 1.
    """
    ladder: tuple[float, ...] = tuple(share) if isinstance(share, Sequence) else (share,) * len(SEVERITIES)
    if len(ladder) != len(SEVERITIES):
        raise RecipeError(
            f"share has {len(ladder)} values; give one, or five for severities 1 to 5, such as 0.2 to 1.0"
        )
    cover = find_effect("occlude")
    for value in ladder:
        cover.check({"field": field, "share": value})
    varying = frozenset({"share"}) if len(set(ladder)) > 1 else frozenset[str]()
    shown = "_to_".join(f"{100 * value:g}" for value in dict.fromkeys((ladder[0], ladder[-1])))
    name = re.sub(r"\W+", "_", f"occlude_{field}_{shown}")
    return Corruption(
        name=name,
        description=f"A strip covers {shown.replace('_to_', ' to ')} % of the width of {field!r}.",
        source=None,
        degrades=True,
        nominal=None,
        changes_frame=False,
        family="cover",
        steps=(
            Step(
                name="occlude",
                is_foreign=False,
                ladders={
                    "field": (field,) * 5,
                    "share": (ladder[0], ladder[1], ladder[2], ladder[3], ladder[4]),
                },
                varying=varying,
            ),
        ),
    )
