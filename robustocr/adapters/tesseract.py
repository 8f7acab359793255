"""Reads with the Tesseract program, through pytesseract (extra ``tesseract``), into the shared parser."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from itertools import groupby
from typing import Any, Literal

from robustocr.adapters.base import OcrLine, OcrPage, Picture, Request
from robustocr.adapters.parsing.page import PARSER_VERSION, parse_page
from robustocr.errors import AdapterError, MissingExtraError
from robustocr.records import Extraction, Usage

_OPTIONS = "--oem 1 --psm 4"
"""Page segmentation 4: one column of text of various sizes; engine 1: the neural one."""
_COLUMN_GAP = 1.5
"""Words of a line that are farther apart than this many line heights are different cells."""
_WORD = "5"
"""Tesseract's level of a row that is a word."""


class TesseractAdapter:
    """Reads with Tesseract in the given ``languages`` (as ``eng+deu``), one process with ``threads`` threads.

    ``engine_fingerprint`` holds the versions of program and package, languages and options: all that changes
    the lines read; ``fingerprint`` the parser's version too. Raises MissingExtraError, which says what to
    install, where the package, the program or a language is missing.
    """

    name = "tesseract"
    where: Literal["process", "thread"] = "process"
    max_in_flight = 1

    def __init__(self, languages: str = "eng", threads: int = 1) -> None:
        self.languages = languages
        self.threads = threads
        program = _program(languages).get_tesseract_version()
        options = _OPTIONS.replace(" ", "")
        self.engine_fingerprint = f"tesseract-{program}-{version('pytesseract')}-{languages}-{options}"
        self.fingerprint = f"{self.engine_fingerprint}+{PARSER_VERSION}"

    def extract(self, picture: Picture, request: Request) -> Extraction:
        """Read and parse one picture; ``usage`` holds the seconds spent."""
        start = time.perf_counter()
        extraction = self.parse(self.read(picture), request)
        usage = Usage(seconds=time.perf_counter() - start, calls=1)
        return extraction.model_copy(update={"usage": usage})

    def read(self, picture: Picture) -> OcrPage:
        """Return the words Tesseract finds, joined to cells; none where there is no text.

        Raises MissingExtraError where the package, the program or a language is missing, AdapterError when
        the program fails or runs out of time.
        """
        program = _program(self.languages)
        try:
            table = self._run(program, picture)
        except program.TesseractError as error:
            raise AdapterError(f"tesseract failed: {error}", kind="crashed") from error
        height, width = picture.pixels.shape[:2]
        return OcrPage(lines=tuple(_cells(_words(table))), height=height, width=width)

    def _run(self, program: Any, picture: Picture) -> str:
        """Return Tesseract's table of words; OMP_THREAD_LIMIT is how the program is told its threads."""
        from PIL import Image

        os.environ["OMP_THREAD_LIMIT"] = str(self.threads)
        image = Image.fromarray(picture.pixels)
        return str(program.image_to_data(image, lang=self.languages, config=_OPTIONS))

    def parse(self, page: OcrPage, request: Request) -> Extraction:
        """Turn the lines into a Receipt with Marks."""
        return parse_page(page, request)


def _program(languages: str) -> Any:
    """Return the pytesseract module, sure that the program and the languages are there."""
    try:
        import pytesseract
    except ImportError as error:
        raise MissingExtraError(
            "the tesseract adapter needs the package pytesseract; "
            "install it with: pip install 'robustocr[tesseract]'"
        ) from error
    try:
        known = _languages(pytesseract)
    except pytesseract.TesseractNotFoundError as error:
        raise MissingExtraError(
            "the tesseract adapter needs the program tesseract, which is not on the PATH; install it with "
            "apt-get install tesseract-ocr (Debian, Ubuntu), brew install tesseract (macOS), or see "
            "https://tesseract-ocr.github.io/tessdoc/Installation.html"
        ) from error
    missing = [language for language in languages.split("+") if language not in known]
    if missing:
        raise MissingExtraError(
            f"tesseract has no language {', '.join(missing)}; installed: {', '.join(sorted(known))}. "
            f"Install it, for example with apt-get install tesseract-ocr-{missing[0]}"
        )
    return pytesseract


def _languages(pytesseract: Any) -> frozenset[str]:
    return frozenset(pytesseract.get_languages(config=""))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Word:
    """One word with its bounds and the number of the line it stands in."""

    text: str
    line: tuple[int, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    score: float


def _words(table: str) -> Iterable[_Word]:
    """Read the words of Tesseract's tab-separated table, confidences as 0..1."""
    rows = table.splitlines()
    for row in rows[1:]:
        level, page, block, paragraph, line, _, left, top, width, height, score, *text = row.split("\t")
        if level != _WORD or not "".join(text).strip():
            continue
        x0, y0 = float(left), float(top)
        yield _Word(
            text="".join(text).strip(),
            line=(int(page), int(block), int(paragraph), int(line)),
            x0=x0,
            y0=y0,
            x1=x0 + float(width),
            y1=y0 + float(height),
            score=min(max(float(score) / 100, 0.0), 1.0),
        )


def _cells(words: Iterable[_Word]) -> Iterable[OcrLine]:
    """Join the words of each line to cells, parted where the gap is as wide as a column's."""
    for _, line in groupby(words, key=lambda word: word.line):
        cell: list[_Word] = []
        for word in line:
            height = word.y1 - word.y0
            if cell and word.x0 - cell[-1].x1 > _COLUMN_GAP * height:
                yield _cell(cell)
                cell = []
            cell.append(word)
        yield _cell(cell)


def _cell(words: list[_Word]) -> OcrLine:
    """One cell; its score is that of its letters on average."""
    letters = sum(len(word.text) for word in words)
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
    return OcrLine(
        text=" ".join(word.text for word in words),
        box=(left, top, right, bottom),
        score=sum(word.score * len(word.text) for word in words) / letters,
    )
