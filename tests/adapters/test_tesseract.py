import shutil
import sys
import types

import pytest

from robustocr.adapters.base import OcrAdapter, Picture, Request
from robustocr.adapters.tesseract import TesseractAdapter, _cells, _words
from robustocr.errors import AdapterError, MissingExtraError
from robustocr.records import Extraction
from tests.adapters.test_rapidocr import drawn

needs_program = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="the program tesseract is not installed"
)

TABLE = "\n".join([
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
    "4\t1\t1\t1\t1\t0\t10\t10\t300\t20\t-1\t",
    "5\t1\t1\t1\t1\t1\t10\t10\t50\t20\t96.0\tFlat",
    "5\t1\t1\t1\t1\t2\t66\t10\t60\t20\t90.0\twhite",
    "5\t1\t1\t1\t1\t3\t260\t12\t50\t18\t80.0\t9.00",
    "5\t1\t1\t1\t2\t1\t10\t50\t70\t20\t95.0\tTotal",
    "5\t1\t1\t1\t2\t2\t90\t50\t20\t20\t95.0\t ",
])  # fmt: skip


class FakeTesseract(types.ModuleType):
    class TesseractNotFoundError(EnvironmentError):
        pass

    class TesseractError(RuntimeError):
        pass

    def __init__(self, *, installed=True, languages=("eng",), fails=False):
        super().__init__("pytesseract")
        self.installed, self.languages, self.fails = installed, languages, fails

    def get_languages(self, config):
        if not self.installed:
            raise self.TesseractNotFoundError
        return list(self.languages)

    def get_tesseract_version(self):
        return "5.3.0"

    def image_to_data(self, image, lang, config):
        if self.fails:
            raise self.TesseractError("bad picture")
        return TABLE


def test_words_of_a_line_are_joined_to_cells():
    cells = list(_cells(_words(TABLE)))
    assert [cell.text for cell in cells] == ["Flat white", "9.00", "Total"]
    assert cells[0].box == (10, 10, 126, 30)
    assert cells[0].score == pytest.approx((0.96 * 4 + 0.90 * 5) / 9)


def test_reads_through_the_shared_parser(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", FakeTesseract())
    adapter = TesseractAdapter()
    assert isinstance(adapter, OcrAdapter)
    assert [line.text for line in adapter.read(Picture.of(drawn())).lines] == ["Flat white", "9.00", "Total"]


def test_fingerprint_names_languages_and_versions(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", FakeTesseract(languages=("eng", "deu")))
    fingerprint = TesseractAdapter(languages="eng+deu").engine_fingerprint
    assert fingerprint.startswith("tesseract-5.3.0-")
    assert "eng+deu" in fingerprint
    assert fingerprint != TesseractAdapter().engine_fingerprint


def test_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'robustocr\[tesseract\]'"):
        TesseractAdapter()


def test_missing_program_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", FakeTesseract(installed=False))
    with pytest.raises(MissingExtraError, match="apt-get install tesseract-ocr"):
        TesseractAdapter()


def test_missing_language_names_the_known_ones(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", FakeTesseract())
    with pytest.raises(MissingExtraError, match=r"no language fra; installed: eng.*tesseract-ocr-fra"):
        TesseractAdapter(languages="eng+fra")


def test_a_failing_program_is_an_adapter_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "pytesseract", FakeTesseract(fails=True))
    with pytest.raises(AdapterError, match="bad picture"):
        TesseractAdapter().read(Picture.of(drawn()))


@needs_program
def test_the_real_program_reads_a_receipt():
    extraction = TesseractAdapter().extract(Picture.of(drawn()), Request())
    assert str(extraction.receipt.total) == "28.90"
    assert extraction.usage.calls == 1


@needs_program
def test_the_real_program_finds_nothing_on_a_blank_page():
    adapter = TesseractAdapter()
    blank = Picture.of(drawn()[:20, :20] * 0 + 255)
    assert adapter.parse(adapter.read(blank), Request()) == Extraction()
