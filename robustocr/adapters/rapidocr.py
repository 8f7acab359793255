"""The default reader: RapidOCR with the models in its wheel. Local, silent, nothing is downloaded.

Text is *found* on a reduced picture and *recognised* on the full one. On scanned receipts that is a quarter
faster than both at full size, and under blur of 0.12 text heights it reads three quarters of the amounts
where full size reads three fifths: large blurred letters are not found at all. RapidOCR's classifier of
upside-down lines turned 10 of 732 upright lines of such scans, so it is not asked line by line: the longest
lines vote, and the page is turned as a whole.
"""

from __future__ import annotations

import hashlib
import json
import time
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from robustocr.adapters.base import OcrLine, OcrPage, Picture, Pixels, Request
from robustocr.adapters.parsing.page import PARSER_VERSION, parse_page
from robustocr.errors import AdapterError, MissingExtraError
from robustocr.records import Extraction, Usage

_Quads = npt.NDArray[np.float32]

PARAMETERS: dict[str, float] = {
    "first_short_side": 448,
    "small_text": 9.0,
    "good_text": 14.0,
    "largest_long_side": 2560,
    "coarse": 0.6,
    "least_score": 0.3,
    "turn_votes": 8,
}
"""How text is found: the picture's short side at the first look and the box height, in pixels of the
reduced picture, below which a second look is taken at a larger scale; ``coarse`` is the scale of the third
look against the first. Lines below ``least_score`` are dropped. So many of the longest lines vote on whether
the page lies on its side or upside down."""

_MODELS = ("PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx", "ch_ppocr_mobile_v2.0_cls_mobile.onnx")


class RapidOcrAdapter:
    """Reads with RapidOCR on ``threads`` threads; the engine is loaded by the first ``read``.

    ``engine_fingerprint`` holds the engine's version, the sha256 of its models and the parameters: all that
    changes the lines read; ``fingerprint`` the parser's version too.
    """

    name = "rapidocr"
    where: Literal["process", "thread"] = "process"
    max_in_flight = 1

    def __init__(self, threads: int = 1) -> None:
        if threads < 1:
            raise ValueError(f"threads={threads} is not a number of threads; give 1 or more")
        self.threads = threads
        self.engine_fingerprint = _engine_fingerprint()
        self.fingerprint = f"{self.engine_fingerprint}+{PARSER_VERSION}"
        self._engine: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """Leave the engine behind: a copy loads its own."""
        return {**self.__dict__, "_engine": None}

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Read and parse one picture; ``usage`` holds the seconds spent."""
        start = time.perf_counter()
        extraction = self.parse(self.read(picture), request)
        usage = Usage(seconds=time.perf_counter() - start, calls=1)
        return extraction.model_copy(update={"usage": usage})

    def read(self, picture: Picture) -> OcrPage:
        """Return all lines the engine reads, in no certain order; none where there is no text.

        Raises AdapterError when the engine itself fails.
        """
        if self._engine is None:
            self._engine = _load_engine(self.threads)
        height, width = picture.pixels.shape[:2]
        try:
            lines = _read_lines(self._engine, picture.pixels)
        except Exception as error:
            raise AdapterError(
                f"rapidocr failed on a picture of {width} x {height} pixels: {error}"
            ) from error
        return OcrPage(lines=tuple(lines), height=height, width=width)

    def parse(self, page: OcrPage, request: Request) -> Extraction:
        """Turn the lines into a Receipt with Marks."""
        return parse_page(page, request)


def _models() -> dict[str, Path]:
    spec = find_spec("rapidocr")
    if spec is None or spec.origin is None:
        raise MissingExtraError("the package rapidocr is not installed; install robustocr again")
    folder = Path(spec.origin).parent / "models"
    paths = {name: folder / name for name in _MODELS}
    missing = [name for name, path in paths.items() if not path.is_file()]
    if missing:
        raise MissingExtraError(
            f"the rapidocr package at {folder.parent} lacks its models {', '.join(missing)}; "
            "install rapidocr>=3.10,<3.11 again (nothing is downloaded at run time)"
        )
    return paths


@cache
def _engine_fingerprint() -> str:
    digest = hashlib.sha256(json.dumps(PARAMETERS, sort_keys=True).encode())
    for path in _models().values():
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return f"rapidocr-{version('rapidocr')}-onnxruntime-{version('onnxruntime')}-{digest.hexdigest()[:16]}"


def _load_engine(threads: int) -> Any:
    import cv2
    from rapidocr import RapidOCR

    cv2.setNumThreads(threads)
    detector, recogniser, classifier = _models().values()
    engine = RapidOCR(
        params={
            "Global.log_level": "error",
            "Global.use_cls": False,
            "Det.model_path": str(detector),
            "Rec.model_path": str(recogniser),
            "Cls.model_path": str(classifier),
            "Rec.rec_batch_num": 1,
            "EngineConfig.onnxruntime.enable_cpu_mem_arena": True,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )
    engine.text_det, engine.text_rec = engine._load_det_model(), engine._load_rec_model()
    engine.text_cls = engine._load_cls_model()
    return engine


def _read_lines(engine: Any, pixels: Pixels) -> list[OcrLine]:
    picture = np.ascontiguousarray(pixels[:, :, ::-1])
    quads = _find_text(engine, picture)
    if not len(quads):
        return []
    turns = _quarter_turns(engine, picture, quads)
    if turns:
        picture = np.ascontiguousarray(np.rot90(picture, turns))
        quads = _find_text(engine, picture)
    result = engine.recognize_txt(engine.crop_text_regions(picture, quads))
    places = _turned_back(quads, turns, *pixels.shape[:2])
    return [
        OcrLine(text=text, box=tuple(round(float(v), 1) for v in quad.reshape(-1)), score=float(score))
        for text, score, quad in zip(result.txts, result.scores, places, strict=True)
        if text.strip() and score >= PARAMETERS["least_score"]
    ]


def _quarter_turns(engine: Any, picture: Pixels, quads: _Quads) -> int:
    """Return by how many quarter turns, counter-clockwise, the page must be turned to stand upright.

    Tall boxes say that it lies on its side. Which way up it is then, the longest lines vote.
    """
    sides = np.stack([_lengths(quads, 0, 1), _lengths(quads, 0, 3)])
    on_its_side = int(np.mean(sides[1] > 1.5 * sides[0]) > 0.6)
    longest = quads[np.argsort(-sides.max(axis=0))[: int(PARAMETERS["turn_votes"])]]
    votes = engine.text_cls(engine.crop_text_regions(picture, longest)).cls_res
    upside_down = np.mean([label == "180" and score > 0.9 for label, score in votes]) > 0.7
    return on_its_side + 2 * int(upside_down)


def _turned_back(quads: _Quads, turns: int, height: int, width: int) -> _Quads:
    """Return quads found on a page turned by quarter turns in the pixels of the page as it came."""
    x, y = quads[..., 0], quads[..., 1]
    back = ((x, y), (width - y, x), (width - x, height - y), (y, height - x))[turns]
    return np.stack(back, axis=-1)


def _lengths(quads: _Quads, start: int, end: int) -> npt.NDArray[np.float32]:
    return np.asarray(np.linalg.norm(quads[:, start] - quads[:, end], axis=1), dtype=np.float32)


def _find_text(engine: Any, picture: Pixels) -> _Quads:
    """Return the quads of the text lines, n x 4 x 2.

    A first look tells how high the text is; where it is small, a second look is taken at a larger scale.
    A coarse look adds lines that are too blurred to be found at the scale of sharp ones.
    """
    short, long = sorted(picture.shape[:2])
    most = PARAMETERS["largest_long_side"] / long
    scale = min(PARAMETERS["first_short_side"] / short, most)
    quads = _detect(engine, picture, scale)
    coarse = _detect(engine, picture, scale * PARAMETERS["coarse"])
    height = _median_height(quads if len(quads) else coarse) * scale
    larger = min(scale * PARAMETERS["good_text"] / max(height, 1.0), most)
    if len(quads) and height < PARAMETERS["small_text"] and larger > 1.15 * scale:
        quads = _detect(engine, picture, larger)
    return np.concatenate([quads, coarse[_apart(coarse, quads)]])


def _apart(quads: _Quads, others: _Quads) -> npt.NDArray[np.bool_]:
    """Whether each quad shares less than a fifth of its bounds with all the others."""
    if not len(quads) or not len(others):
        return np.ones(len(quads), dtype=bool)
    low, high = quads.min(axis=1)[:, None], quads.max(axis=1)[:, None]
    shared = np.minimum(high, others.max(axis=1)) - np.maximum(low, others.min(axis=1))
    area = np.maximum(shared, 0).prod(axis=2).sum(axis=1)
    return np.asarray(area < 0.2 * (high - low).prod(axis=2)[:, 0])


def _detect(engine: Any, picture: Pixels, scale: float) -> _Quads:
    """Find text on the picture reduced or enlarged by ``scale``; the quads are in pixels of the picture."""
    engine.text_det.limit_type = "max" if scale < 1 else "min"
    side = max(picture.shape[:2]) if scale < 1 else min(picture.shape[:2])
    engine.text_det.limit_side_len = max(round(side * scale), 32)
    boxes = engine.text_det(picture).boxes
    return np.zeros((0, 4, 2), np.float32) if boxes is None else np.asarray(boxes, dtype=np.float32)


def _median_height(quads: _Quads) -> float:
    shorter = np.minimum(_lengths(quads, 0, 1), _lengths(quads, 0, 3))
    return float(np.median(shorter)) if len(quads) else 0.0
