"""How much of a printed field a corruption leaves readable: 0 (nobody could say) to 1 (plain).

Asked of pixels alone, with no reader: if a digit had been the one it is most easily taken for, would the
corrupted picture look any different? Each digit of the known fields is swapped for its look-alike on some of
four clean pages, all four are corrupted alike, and what is left of the known difference is measured where
the digit now lies. A field is as legible as its worst digit; letters are told from their mirror image.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import Pixels
from robustocr.aim import aimed_boxes, parse_target
from robustocr.corruptions import Corrupted, Layouts, corrupt, random_stream
from robustocr.fields import Fields, PrintedField, boxes_of, shift_fields
from robustocr.glyph_cells import Bounds
from robustocr.legibility_probe import RUNS, LegibilityProbe, ProbedPlace, prepare
from robustocr.moves import Move, Points
from robustocr.recipes import Corruption
from robustocr.strips import Field

LEGIBILITY_VERSION = 2
"""Grows with every change of what is measured; a part of every cache key."""

LEGIBLE = 0.5
"""From this legibility on a field counts as legible: where a person with an enlarged crop is sure."""

SHARE_AT_HALF, SHARE_SLOPE = 0.08, 2.5
SIGNAL_AT_HALF, SIGNAL_SLOPE = 3.0, 2.0
"""Where the two logistic curves pass 0.5, and how steep they are per doubling (docs/numbers.md)."""

_EYE_NOISE = 2.0
_EYE_TEXT_HEIGHT = 24.0
_NOISE_WEIGHT = 2.0
_GRAIN_WEIGHT = 10.0
_GRID = 0.5
_LEAST_CONTRAST = 0.02
_GRAIN_BLOCK = 4
_STROKE_TEXT_HEIGHT = 12.0


def corrupt_measured(
    pixels: Pixels,
    fields: Fields,
    corruption: Corruption,
    severity: int,
    *,
    seed: int,
    sample_id: str,
    text_height: float,
    target: str | None = None,
    probe: LegibilityProbe | None = None,
) -> tuple[Corrupted, dict[str, tuple[float, ...]]]:
    """Return a corrupted RGB picture (see ``corrupt``) and the legibility of its fields (see ``measure``).

    ``probe`` is that of the clean page (``prepare``), made from all ``fields`` unless given. What a
    corruption prints takes nothing away: its other steps are measured, on the print that was there before.
    """
    layouts: Layouts = {}

    def corrupted(page: Pixels, placed: Fields, aim: str | None, *, with_print: bool) -> Corrupted:
        return corrupt(
            page,
            corruption,
            severity,
            seed=seed,
            sample_id=sample_id,
            boxes=boxes_of(placed),
            texts={path: [place.text for place in places] for path, places in placed.items()},
            target=aim,
            text_height=text_height,
            layouts=layouts,
            with_print=with_print,
        )

    made = corrupted(pixels, fields, target, with_print=True)
    probe = prepare(pixels, fields, text_height) if probe is None else probe
    if not probe.places:
        return made, {}
    bare = corrupted(pixels, fields, target, with_print=False) if corruption.prints else made
    layouts = bare.layouts
    aimed, aim = _same_aim(fields, target, pixels, random_stream(seed, sample_id, "aim", 0))

    def again(page: Pixels, shift: tuple[int, int]) -> Corrupted:
        return corrupted(page, shift_fields(aimed, *shift), aim, with_print=False)

    return made, measure(probe, bare, again)


def _same_aim(
    fields: Fields, target: str | None, pixels: Pixels, rng: np.random.Generator
) -> tuple[Fields, str | None]:
    """Return fields and a target that mean the same place on pages where the digits there are others."""
    aim = None if target is None else parse_target(target)
    if aim is None or aim.part != "digit":
        return fields, target
    boxes = aimed_boxes(aim, fields, pixels, rng)
    return {**fields, aim.field: tuple(PrintedField(box=box) for box in boxes)}, aim.field


def measure(
    probe: LegibilityProbe, made: Corrupted, corrupt_again: Callable[[Pixels, tuple[int, int]], Corrupted]
) -> dict[str, tuple[float, ...]]:
    """Return the legibility 0..1 of each place of each field in a corrupted picture; NaN where not known.

    ``made`` is the clean page corrupted; ``corrupt_again`` does the same to other pixels whose content is
    shifted by (dx, dy). A field's tuple is as long as its boxes in ``made``.
    """
    if not probe.places:
        return {}
    runs = [made, *(corrupt_again(page, probe.shifts[k + 1]) for k, page in enumerate(probe.pages))]
    blank = corrupt_again(probe.blank, (0, 0)) if probe.blank is not None else made
    seen = [_windows(probe, run, shift) for run, shift in zip(runs, probe.shifts, strict=True)]
    over = [_windows(probe, blank, shift) for shift in probe.shifts]
    legible = {path: [np.nan] * len(boxes) for path, boxes in made.boxes.items()}
    for number, place in enumerate(probe.places):
        views = np.stack([windows[number] for windows in seen])
        ink = np.stack([windows[number] for windows in over]) - views
        left = _what_is_left(place, ink, _grain(place, over[0][number], probe.text_height), probe.text_height)
        legible[place.path][place.index] = min(legibility_of(share, signal) for share, signal in left)
    return {path: tuple(values) for path, values in legible.items() if not np.isnan(values).all()}


def _windows(probe: LegibilityProbe, made: Corrupted, shift: tuple[int, int]) -> list[Field]:
    """Return the window of every place as it is in a corrupted picture, brought back to its clean shape."""
    grey = cv2.cvtColor(made.pixels, cv2.COLOR_RGB2GRAY) if made.pixels.ndim == 3 else made.pixels
    if not made.moves and not made.aimed_moves:
        return [_cut(grey, place.window, shift) for place in probe.places]
    chains = [made.moves_at(_shifted(place.place.box, shift)) for place in probe.places]
    grids = [_grid(place.window, shift, probe.text_height) for place in probe.places]
    moved = _moved(grids, chains)
    return [
        _sampled(grey, points, grid.shape[:2], place.window)
        for points, grid, place in zip(moved, grids, probe.places, strict=True)
    ]


def _shifted(box: tuple[float, ...], shift: tuple[int, int]) -> tuple[float, ...]:
    return tuple(value + shift[index % 2] for index, value in enumerate(box))


def _cut(grey: npt.NDArray[np.uint8], window: Bounds, shift: tuple[int, int]) -> Field:
    """Return a window moved by ``shift``; what lies off the picture repeats its border."""
    x0, y0, x1, y1 = window
    rows = np.clip(np.arange(y0, y1) + shift[1], 0, grey.shape[0] - 1)
    columns = np.clip(np.arange(x0, x1) + shift[0], 0, grey.shape[1] - 1)
    return grey[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1][
        np.ix_(rows - rows[0], columns - columns[0])
    ].astype(np.float32)


def _grid(window: Bounds, shift: tuple[int, int], text_height: float) -> Points:
    """Return a coarse grid of points over a window, rows x columns x 2, its corners included."""
    x0, y0, x1, y1 = window
    step = max(_GRID * text_height, 2)
    xs = np.linspace(x0, x1 - 1, max(int(np.ceil((x1 - x0) / step)) + 1, 2)) + shift[0]
    ys = np.linspace(y0, y1 - 1, max(int(np.ceil((y1 - y0) / step)) + 1, 2)) + shift[1]
    return np.stack(np.meshgrid(xs, ys), axis=-1)


def _moved(grids: Sequence[Points], chains: Sequence[tuple[Move, ...]]) -> list[Points]:
    """Return the grids after their moves; grids with the same moves go through them together."""
    moved: dict[int, Points] = {}
    for chain in {id(chain): chain for chain in chains}.values():
        same = [number for number, other in enumerate(chains) if other is chain]
        points = np.concatenate([grids[number].reshape(-1, 2) for number in same])
        for move in chain:
            points = move.move_points(points)
        ends = np.cumsum([grids[number].size // 2 for number in same])[:-1]
        for number, part in zip(same, np.split(points, ends), strict=True):
            moved[number] = part.reshape(grids[number].shape)
    return [moved[number] for number in range(len(grids))]


def _sampled(grey: npt.NDArray[np.uint8], points: Points, shape: tuple[int, ...], window: Bounds) -> Field:
    width, height = window[2] - window[0], window[3] - window[1]
    place_x = np.linspace(0, shape[1] - 1, width, dtype=np.float32)
    place_y = np.linspace(0, shape[0] - 1, height, dtype=np.float32)
    columns, rows = np.meshgrid(place_x, place_y)
    fine = cv2.remap(points.astype(np.float32), columns, rows, cv2.INTER_LINEAR)
    seen = cv2.remap(grey, fine, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.float32)


def _grain(place: ProbedPlace, blank: Field, text_height: float) -> float:
    """Return the grey levels of the white noise (standard deviation) that is as strong as that of a window.

    Measured where nothing is printed, with text reduced to 12 pixels, by the difference of two Laplacians
    (Immerkaer, Computer Vision and Image Understanding 64, 1996): its mean over blocks of a third of a text
    height, and the median of those, so that an edge that runs through the window does not count.
    """
    x0, y0, x1, y1 = (value - place.window[index % 2] for index, value in enumerate(place.text_bounds))
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], dtype=np.float32)
    factor = max(text_height / _STROKE_TEXT_HEIGHT, 1.0)
    size = max(round((x1 - x0) / factor), 1), max(round((y1 - y0) / factor), 1)
    small = cv2.resize(blank[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
    rough = np.abs(cv2.filter2D(small, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    blocks = max(size[0] // _GRAIN_BLOCK, 1), max(size[1] // _GRAIN_BLOCK, 1)
    means = cv2.resize(rough, blocks, interpolation=cv2.INTER_AREA)
    return float(np.median(means) * np.sqrt(np.pi / 2) / 6) * factor


def _what_is_left(
    place: ProbedPlace, ink: Field, grain: float, text_height: float
) -> tuple[tuple[float, float], ...]:
    """Return for each character the share and the signal that are left.

    ``ink`` is how much darker print makes the window: runs x height x width. ``grain`` is the noise (grey
    levels).
    """
    contrast = float(np.clip(ink[0].sum() / place.darkness, _LEAST_CONTRAST, 1.0))
    shares, noises = [], []
    for swap in place.swaps:
        x0, y0, x1, y1 = swap.bounds
        level = -np.einsum("kij,ij->k", ink[:, y0:y1, x0:x1], swap.difference)
        signal = float(swap.plan @ level) / RUNS
        left = level - level.mean() - swap.plan * signal
        shares.append(max(2 * signal / swap.norm, 0.0))
        noises.append(float(left @ left) / (RUNS - 2))
    eye = _EYE_NOISE * text_height / _EYE_TEXT_HEIGHT
    noise = np.sqrt(eye**2 + _NOISE_WEIGHT**2 * float(np.mean(noises)) + _GRAIN_WEIGHT**2 * grain**2)
    norms = [swap.norm for swap in place.swaps]
    return tuple((share / contrast, share * norm / noise) for share, norm in zip(shares, norms, strict=True))


def legibility_of(share: float, signal: float) -> float:
    """Return the legibility 0..1 for what is left of a difference.

    ``share``: of the difference, relative to the contrast left; ``signal``: the difference in units of its
    noise (d'). Both are taken through a logistic curve of their logarithm, and the product is given.
    """
    return _logistic(share, SHARE_AT_HALF, SHARE_SLOPE) * _logistic(signal, SIGNAL_AT_HALF, SIGNAL_SLOPE)


def _logistic(value: float, half: float, slope: float) -> float:
    return 0.0 if value <= 0 else float(1 / (1 + (half / value) ** (slope / np.log(2))))
