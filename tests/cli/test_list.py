import cv2
import pytest

from robustocr.cli.main import main
from robustocr.corruptions import list_corruptions
from tests.corruption_page import text_page


def test_corruptions_are_listed_by_family(capsys):
    assert main(["list", "corruptions"]) == 0
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if not line.startswith("  ")]
    assert heads[0] == "optics:"
    assert heads.index("geometry:") < heads.index("content:")
    assert sorted(line.split()[0] for line in lines if line.startswith("  ")) == list(list_corruptions())
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines if line.startswith("  "))


def test_pictures_on_a_picture_of_ones_own(tmp_path, capsys, monkeypatch):
    cv2.imwrite(str(tmp_path / "page.png"), text_page())
    monkeypatch.setattr("robustocr.corruptions.list_corruptions", lambda: ("defocus", "total_covered"))
    out = tmp_path / "out"
    assert main(["list", "corruptions", "--pictures", str(out), "--on", str(tmp_path / "page.png")]) == 0
    assert "1 contact sheets" in capsys.readouterr().err
    assert sorted(path.name for path in out.iterdir()) == ["defocus.webp", "index.html"]
    html = (out / "index.html").read_text()
    assert "No picture" in html
    assert 'src="defocus.webp"' in html


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["list", "suites", "--pictures", "x"], "--pictures shows corruptions"),
        (["list", "corruptions", "--on", "x.png"], "--pictures DIR"),
        (["list", "corruptions", "--pictures", "x", "--on", "absent.png"], "absent.png"),
    ],
)
def test_options_that_do_not_go_together_are_wrong_use(words, named, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    assert named in capsys.readouterr().err
