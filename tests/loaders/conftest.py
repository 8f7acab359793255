import pytest

from .drawing import draw, write_lines


@pytest.fixture
def native(tmp_path):
    """Make a native dataset from metadata lines; pictures a.png to f.png are there."""

    def make(lines):
        for stem in "abcdef":
            draw(tmp_path / f"{stem}.png")
        write_lines(tmp_path / "metadata.jsonl", lines)
        return tmp_path

    return make
