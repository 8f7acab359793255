import hashlib
import json
import re
import subprocess
import sys
from decimal import Decimal
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from robustocr.assets import asset
from robustocr.errors import InputError, MissingExtraError, StoreError
from robustocr.records import Receipt, Sample
from robustocr.synth import faces
from robustocr.synth.make import (
    encode,
    metadata_line,
    render,
    render_record,
    sample_rng,
    sample_shop,
    write_dataset,
)
from robustocr.synth.shops import find_shop

SAMPLE_SEED = 2026
MADE_WITH = {
    "numpy": "2.4.6",
    "pillow": "13.0.0",
    "opencv-python-headless": "5.0.0.93",
    "matplotlib": "3.11.2",
}
EXAMPLE = {
    "merchant": "Blue Door Cafe", "date": "2026-03-14", "currency": "USD",
    "items": [
        {"name": "Flat white", "quantity": "2", "unit_price": "4.50", "amount": "9.00"},
        {"name": "Lunch plate", "quantity": "1", "unit_price": "19.90", "amount": "19.90"},
    ],
    "subtotal": "28.90", "discounts": [{"label": "Member", "amount": "-1.00"}],
    "taxes": [{"label": "Sales tax", "rate": "0.08", "base": "27.90", "amount": "2.23", "included": False}],
    "service": None, "tip": None, "rounding": None, "total": "30.13",
    "payments": [{"label": "Cash", "amount": "40.00"}], "change": "9.87",
}  # fmt: skip


def metadata(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()]


def digest(index: int, seed: int) -> str:
    one = render(sample_rng(seed, index), sample_shop(index))
    return hashlib.sha256(one.pixels.tobytes() + metadata_line(index, one).encode()).hexdigest()


def test_same_seed_same_bytes_in_another_process():
    code = "from tests.synth.test_make import digest; print(digest(4, 3))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONHASHSEED": "77"}, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert done.stdout.split() == [digest(4, 3)]
    assert digest(4, 4) != digest(4, 3)


def test_dataset_lines_are_native_samples(tmp_path):
    out = write_dataset(2, 3, tmp_path / "two")
    lines = metadata(out)
    assert [line["group"] for line in lines] == ["harbor-street-market", "frischhof"]
    for line in lines:
        image = out / line.pop("file_name")
        sample = Sample(image=image, truth=Receipt.model_validate(line.pop("receipt")), **line)
        assert sample.licence == "CC0-1.0"
        assert sample.id == image.stem
        with Image.open(image) as picture:
            assert picture.width > max(box[2] for boxes in sample.boxes.values() for box in boxes)


def test_a_longer_dataset_begins_with_the_shorter_one(tmp_path):
    short, longer = write_dataset(1, 5, tmp_path / "a"), write_dataset(2, 5, tmp_path / "b")
    name = metadata(short)[0]["file_name"]
    assert (short / name).read_bytes() == (longer / name).read_bytes()


@pytest.mark.parametrize("n", [0, -3])
def test_an_empty_dataset_is_refused(n, tmp_path):
    with pytest.raises(InputError, match=f"at least 1, not {n}"):
        write_dataset(n, 0, tmp_path)


def test_a_bad_seed_and_a_used_or_unwritable_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match="seed must be 0 or more, not -1"):
        write_dataset(1, -1, tmp_path)
    (tmp_path / "metadata.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(StoreError, match="holds a dataset already"):
        write_dataset(1, 0, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"cannot write to .*file"):
        write_dataset(1, 0, tmp_path / "file")


@pytest.mark.parametrize("index", [0, 7, 16])
def test_bundled_sample_is_made_again_from_its_seed(index):
    folder = asset("datasets/sample")
    line = (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()[index]
    again = render(sample_rng(SAMPLE_SEED, index), sample_shop(index))
    assert metadata_line(index, again) == line
    stored = (folder / json.loads(line)["file_name"]).read_bytes()
    if {name: version(name) for name in MADE_WITH} == MADE_WITH:
        assert encode(again.pixels) == stored
    else:
        with Image.open(BytesIO(stored)) as picture:
            difference = np.abs(np.asarray(picture.convert("RGB")).astype(np.int16) - again.pixels)
        assert difference.mean() < 4, "only the JPEG and a rounding here and there may differ"


def test_bundled_sample_is_whole_and_small():
    folder = asset("datasets/sample")
    lines = [
        json.loads(line) for line in (folder / "metadata.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert len(lines) == len({line["id"] for line in lines}) == 60
    assert all((folder / line["file_name"]).is_file() for line in lines)
    assert {line["receipt"].get("currency") for line in lines[:24]} >= {"USD", "GBP", "EUR", "MYR"}
    assert sum(path.stat().st_size for path in folder.iterdir()) < 8_000_000


def test_a_given_receipt_is_printed_as_it_is():
    receipt = Receipt.model_validate(EXAMPLE)
    one = render_record(receipt, find_shop("blue-door-cafe"), np.random.default_rng(1))
    assert one.truth == receipt
    (subtotal,) = one.boxes["subtotal"]
    middles = [
        (word.text, (word.box[0] + word.box[2]) / 2, (word.box[1] + word.box[3]) / 2) for word in one.words
    ]
    inside = [
        text for text, x, y in middles if subtotal[0] < x < subtotal[2] and subtotal[1] < y < subtotal[3]
    ]
    assert inside == ["$28.90"]
    assert len(one.boxes["items[0].amount"]) == 1
    assert "tip" not in one.boxes


@pytest.mark.parametrize("shop", ["kedai-seri-bayu", "maju-jaya-diy", "baumarkt-eichwald", "quickline-fuel"])
def test_any_shop_prints_any_receipt(shop):
    """Long names wrap and stay one place; what a shop does not know has a label all the same."""
    long_name = "Grilled vegetables with herbs, olive oil and a very long story about them"
    receipt = Receipt.model_validate({
        **EXAMPLE, "items": [{"name": long_name, "quantity": "1", "amount": "28.90"}],
        "service": "1.00", "tip": "2.00", "rounding": "0.02", "charges": [{"amount": "0.10"}],
        "item_count": 1,
    })  # fmt: skip
    one = render_record(receipt, find_shop(shop), np.random.default_rng(1))
    assert len(one.boxes["items[0].name"]) == 1
    assert {"service", "tip", "rounding", "charges[0].amount", "item_count"} <= set(one.boxes)


@pytest.mark.parametrize(("shop", "char"), [("farmasi-cahaya", "ä"), ("thread-and-finch", "\uffff")])
def test_a_font_that_lacks_a_character_says_so(shop, char):
    receipt = Receipt(merchant=f"Caf{char}", total=Decimal("1.00"))
    with pytest.raises(InputError, match=re.escape(f"{char!r} (U+{ord(char):04X}) in the font")):
        render_record(receipt, find_shop(shop), np.random.default_rng(1))


def test_unknown_shop_and_unprintable_character_are_named():
    with pytest.raises(InputError, match=r"unknown shop 'frischof'\. Did you mean 'frischhof'"):
        find_shop("frischof")
    receipt = Receipt(merchant="Café 語", total=Decimal("1.00"))
    with pytest.raises(InputError, match="'語'"):
        render_record(receipt, find_shop("blue-door-cafe"), np.random.default_rng(1))


def test_missing_matplotlib_says_what_to_install(monkeypatch):
    monkeypatch.setattr(faces, "find_spec", lambda name: None)
    faces._open_font.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'robustocr\[synth\]'"):
        faces._open_font("DejaVuSans.ttf", 17)
