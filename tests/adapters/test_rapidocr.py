import logging
import pickle
import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from robustocr.adapters import rapidocr as module
from robustocr.adapters.base import OcrAdapter, Picture, Request
from robustocr.adapters.rapidocr import RapidOcrAdapter
from robustocr.errors import AdapterError, MissingExtraError
from robustocr.records import Extraction

ROWS = (
    ("Blue Door Cafe", ""),
    ("Flat white", "9.00"),
    ("Lunch plate", "19.90"),
    ("TOTAL", "28.90"),
    ("Cash", "30.00"),
)


def drawn(height: int = 420, scale: float = 0.9) -> np.ndarray:
    """A receipt in OpenCV's own strokes."""
    page = np.full((height, 460, 3), 250, np.uint8)
    for number, (name, amount) in enumerate(ROWS):
        y = int((60 + 70 * number) * scale / 0.9)
        cv2.putText(page, name, (20, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), 2, cv2.LINE_AA)
        cv2.putText(page, amount, (330, y), cv2.FONT_HERSHEY_SIMPLEX, scale, (20, 20, 20), 2, cv2.LINE_AA)
    return page


@pytest.fixture(scope="module")
def adapter():
    return RapidOcrAdapter()


def test_reads_a_receipt(adapter, capfd, caplog):
    with caplog.at_level(logging.WARNING):
        extraction = adapter.extract(Picture.of(drawn()), Request())
    assert str(extraction.receipt.total) == "28.90"
    assert [str(item.amount) for item in extraction.receipt.items] == ["9.00", "19.90"]
    assert extraction.usage.calls == 1
    assert extraction.usage.seconds > 0
    assert capfd.readouterr() == ("", "")


def test_extract_is_read_and_parse(adapter):
    picture = Picture.of(drawn())
    assert isinstance(adapter, OcrAdapter)
    page = adapter.read(picture)
    assert (page.height, page.width) == (420, 460)
    parsed = adapter.parse(page, Request())
    assert adapter.extract(picture, Request()).model_copy(update={"usage": parsed.usage}) == parsed


def test_boxes_are_in_pixels_of_the_picture(adapter):
    line = next(line for line in adapter.read(Picture.of(drawn())).lines if "TOTAL" in line.text)
    xs, ys = line.box[0::2], line.box[1::2]
    assert 0 < min(xs) < 40
    assert min(ys) < 262 < max(ys) + 5


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_page_on_its_side_or_upside_down_is_read(adapter, turns):
    turned = np.ascontiguousarray(np.rot90(drawn(), turns))
    page = adapter.read(Picture.of(turned))
    assert str(adapter.parse(page, Request()).receipt.total) == "28.90"
    line = next(line for line in page.lines if "TOTAL" in line.text)
    x, y = line.box[0], line.box[1]
    corner = {1: (262, 440), 2: (440, 170), 3: (170, 20)}[turns]
    assert abs(x - corner[0]) < 40
    assert abs(y - corner[1]) < 40


@pytest.mark.parametrize("shape", [(40, 30, 3), (300, 200, 3), (20, 2000, 3)])
def test_a_picture_without_text_is_an_empty_extraction(adapter, shape):
    assert adapter.parse(adapter.read(Picture.of(np.full(shape, 255, np.uint8))), Request()) == Extraction()


def test_a_copy_reads_the_same_without_carrying_the_engine(adapter):
    copied = pickle.dumps(adapter)
    assert len(copied) < 2000
    assert pickle.loads(copied).fingerprint == adapter.fingerprint


def test_fingerprint_names_engine_and_parser_apart(adapter, monkeypatch):
    assert re.fullmatch(r"rapidocr-3\.10\.\d+-onnxruntime-[\d.]+-[0-9a-f]{16}", adapter.engine_fingerprint)
    assert re.fullmatch(re.escape(adapter.engine_fingerprint) + r"\+parser-[0-9a-f]{12}", adapter.fingerprint)
    monkeypatch.setitem(module.PARAMETERS, "first_short_side", 300)
    module._engine_fingerprint.cache_clear()
    changed = RapidOcrAdapter().engine_fingerprint
    module._engine_fingerprint.cache_clear()
    assert changed != adapter.engine_fingerprint


def test_missing_models_are_named_and_not_downloaded(tmp_path, monkeypatch):
    class Spec:
        origin = str(tmp_path / "rapidocr" / "__init__.py")

    monkeypatch.setattr(module, "find_spec", lambda name: Spec)
    module._engine_fingerprint.cache_clear()
    with pytest.raises(MissingExtraError, match=r"PP-OCRv6_det_small\.onnx.*install rapidocr"):
        RapidOcrAdapter()
    module._engine_fingerprint.cache_clear()
    assert not Path(Spec.origin).parent.exists()


def test_a_failing_engine_is_an_adapter_error(adapter, monkeypatch):
    def fail(*_):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(module, "_read_lines", fail)
    with pytest.raises(AdapterError, match="460 x 420 pixels: out of memory"):
        adapter.read(Picture.of(drawn()))


def test_threads_must_be_positive():
    with pytest.raises(ValueError, match="threads=0"):
        RapidOcrAdapter(threads=0)
