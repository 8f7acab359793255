import numpy as np
import pytest

from robustocr.adapters.base import Picture, Request
from robustocr.adapters.python import PythonAdapter
from robustocr.errors import AdapterError, InputError

PICTURE = Picture.of(np.full((20, 30, 3), 200, np.uint8))


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


def test_a_plain_function_reads_a_pil_image(module):
    name = module(
        "reader_plain", "def read(image):\n    return {'total': str(image.size[0]), 'merchant': image.mode}\n"
    )
    receipt = PythonAdapter(f"{name}:read").extract(PICTURE, Request()).receipt
    assert (str(receipt.total), receipt.merchant) == ("30", "RGB")


def test_the_fingerprint_follows_the_source_unless_the_module_says_otherwise(module, tmp_path):
    name = module("reader_print", "def read(image):\n    return {}\n")
    first = PythonAdapter(f"{name}:read").fingerprint
    module("reader_print", "def read(image):\n    return {'total': '1'}\n")
    assert PythonAdapter(f"{name}:read").fingerprint != first
    module("reader_own", "FINGERPRINT = 'prompt-7'\ndef read(image):\n    return {}\n")
    own = PythonAdapter("reader_own:read").fingerprint
    module("reader_own", "FINGERPRINT = 'prompt-7'\n\ndef read(image):\n    return {'total': '1'}\n")
    assert PythonAdapter("reader_own:read").fingerprint == own
    assert own.endswith("prompt-7")


def test_wrong_names_say_what_to_write(module):
    with pytest.raises(InputError, match="python:module:function"):
        PythonAdapter("only_a_module")
    with pytest.raises(InputError, match="no module 'nowhere_to_be_found'"):
        PythonAdapter("nowhere_to_be_found:read")
    name = module("reader_none", "x = 1\n")
    with pytest.raises(InputError, match="no function 'read'"):
        PythonAdapter(f"{name}:read").extract(PICTURE, Request())
    broken = module("reader_broken", "def read(:\n")
    with pytest.raises(InputError, match=r"reader_broken.py:1"):
        PythonAdapter(f"{broken}:read")


def test_nonsense_is_malformed(module):
    name = module("reader_nonsense", "def read(image):\n    return 42\n")
    with pytest.raises(AdapterError, match="returned int"):
        PythonAdapter(f"{name}:read").extract(PICTURE, Request())
