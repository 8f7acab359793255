import numpy as np
import pytest

from robustocr.errors import AdapterError, InputError
from robustocr.interactive import read_image, read_pixels

PAGE = np.full((20, 30, 3), 200, np.uint8)


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        return f"python:{name}:read"

    return write


def test_a_reading_carries_the_verdict_and_what_to_review(module):
    answer = {
        "receipt": {
            "items": [{"amount": "9.00"}, {"amount": "19.90"}],
            "total": "28.90",
            "date": "2026-01-02",
        },
        "marks": {"date": {"marker": "suspected"}},
    }
    reading = read_pixels(PAGE, adapter=module("one_reader", f"def read(image):\n    return {answer!r}\n"))
    assert reading.verdict.status == "closes"
    assert reading.review == ("date",)
    assert reading.extraction.usage.calls == 1


@pytest.mark.parametrize(
    ("name", "body", "named"),
    [
        ("leaver", "raise SystemExit(0)", "SystemExit: 0"),
        ("speaking_leaver", "import sys; sys.exit('no key')", "SystemExit: no key"),
        ("raiser", "raise ValueError('bad')", "ValueError: bad"),
    ],
)
def test_a_function_that_fails_or_leaves_is_an_adapter_error(module, name, body, named):
    adapter = module(name, f"def read(image):\n    {body}\n")
    with pytest.raises(AdapterError, match=rf"{adapter} failed on slip: {named}"):
        read_pixels(PAGE, adapter=adapter, name="slip")


def test_a_module_that_cannot_be_imported_is_named(module):
    with pytest.raises(InputError, match="no_such_package"):
        read_pixels(PAGE, adapter=module("top_importer", "import no_such_package\ndef read(image): ...\n"))
    lazy = module("late_importer", "def read(image):\n    import no_such_package\n")
    with pytest.raises(InputError, match=rf"{lazy}: module 'no_such_package' cannot be imported"):
        read_pixels(PAGE, adapter=lazy)
    with pytest.raises(InputError, match="nowhere_at_all"):
        read_pixels(PAGE, adapter="python:nowhere_at_all:read")


def test_a_package_that_leaves_while_it_is_looked_up_is_an_input_error(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "leaving_package").mkdir()
    (tmp_path / "leaving_package" / "__init__.py").write_text("raise SystemExit('licence missing')\n")
    with pytest.raises(InputError, match=r"leaving_package.*SystemExit: licence missing"):
        read_pixels(PAGE, adapter="python:leaving_package.reader:read")


def test_a_missing_picture_is_named_without_talk_of_labels(tmp_path):
    with pytest.raises(InputError, match=r"picture .*nofile.jpg does not exist") as caught:
        read_image(tmp_path / "nofile.jpg")
    assert "label" not in str(caught.value)
