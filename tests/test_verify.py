import json
import shutil

import pytest

from robustocr.cli.main import main
from robustocr.errors import InputError
from robustocr.manifest import fingerprint, manifest_text
from robustocr.testset import write_corrupted
from robustocr.verify import verify_set
from tests.drawn import draw_dataset


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    source = draw_dataset(folder / "in", 2)
    return write_corrupted(source, out=folder / "out", corruptions=["stain"], severities=[2], workers=1)


@pytest.fixture
def copy(made, tmp_path):
    return shutil.copytree(made.folder, tmp_path / "copy")


def findings(folder, **options):
    return [(finding.file, finding.problem) for finding in verify_set(folder, **options).findings]


def first_picture(folder):
    return sorted(folder.glob("*.png"))[0]


def test_a_set_as_it_was_made(made, copy):
    for folder in (made.folder, copy):
        found = verify_set(folder, expected=made.sha256.upper())
        assert found.intact
        assert (found.files, found.sha256) == (5, made.sha256)


def test_one_flipped_bit_is_found(copy):
    picture = first_picture(copy)
    data = bytearray(picture.read_bytes())
    data[len(data) // 2] ^= 1
    picture.write_bytes(data)
    assert findings(copy) == [(picture.name, "changed")]


def test_all_that_differs_is_named_at_once(copy):
    first, second = sorted(copy.glob("*.png"))[:2]
    first.write_bytes(first.read_bytes() + b"0")
    second.unlink()
    (copy / "new").mkdir()
    (copy / "new" / ".hidden").write_text("")
    labels = copy / "metadata.jsonl"
    labels.write_text(labels.read_text().replace('"total": "1.00"', '"total": "7.00"'))
    assert findings(copy) == [
        (first.name, "changed"),
        (second.name, "missing"),
        ("metadata.jsonl", "changed"),
        ("new", "added"),
        ("new/.hidden", "added"),
    ]


def test_a_link_is_no_plain_file_even_to_the_same_bytes(copy, tmp_path):
    picture = first_picture(copy)
    picture.rename(tmp_path / "elsewhere.png")
    picture.symlink_to(tmp_path / "elsewhere.png")
    assert findings(copy) == [(picture.name, "changed")]


def test_a_file_that_cannot_be_read(copy, monkeypatch):
    def refuses(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("robustocr.verify._sha256", refuses)
    found = verify_set(copy).findings
    assert [finding.problem for finding in found] == ["unreadable"] * 5
    assert str(found[0]) == f"{first_picture(copy).name}: unreadable: Permission denied"


def test_a_manifest_that_was_changed_to_fit_a_changed_file_is_found(copy):
    picture = first_picture(copy)
    picture.unlink()
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["files"][picture.name]
    path.write_text(manifest_text(manifest))
    assert findings(copy) == [("manifest.json", "changed")]


def test_a_whole_new_manifest_is_found_by_what_was_told_when_the_set_was_made(made, copy):
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["seed"] = 99
    manifest["sha256"] = fingerprint(manifest)
    path.write_text(manifest_text(manifest))
    assert findings(copy) == []
    assert findings(copy, expected=made.sha256) == [("manifest.json", "changed")]
    assert verify_set(copy).sha256 != made.sha256


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": []}', '{"files": {"a": 1}}', "[" * 100_000])
def test_a_manifest_that_is_none_any_more(copy, text):
    (copy / "manifest.json").write_text(text)
    assert findings(copy) == [("manifest.json", "changed")]


def test_a_manifest_in_another_form_is_changed(copy):
    path = copy / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    assert findings(copy) == [("manifest.json", "changed")]


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "a/b.png", "..", ".", "", "a\\b"])
def test_a_manifest_cannot_point_outside_of_its_folder(copy, name):
    path = copy / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"][name] = {"sha256": "0", "bytes": 1}
    manifest["sha256"] = fingerprint(manifest)
    path.write_text(manifest_text(manifest))
    assert findings(copy) == [("manifest.json", "changed")]


def test_folders_that_are_no_test_set(tmp_path):
    with pytest.raises(InputError, match=r"holds no manifest.json"):
        verify_set(tmp_path)
    with pytest.raises(InputError, match=r"holds no manifest.json"):
        verify_set(tmp_path / "absent")
    (tmp_path / "manifest.json").write_text('{"name": "a web page"}')
    with pytest.raises(InputError, match=r"is not the manifest of a robustocr test set"):
        verify_set(tmp_path)


def test_the_command_says_it_by_words_json_and_exit_code(made, copy, tmp_path, capsys):
    assert main(["verify", str(copy), "--sha256", made.sha256]) == 0
    assert "5 files are as they were made" in capsys.readouterr().out
    assert main(["verify", str(copy), "--sha256", "0" * 64]) == 1
    first_picture(copy).unlink()
    capsys.readouterr()
    assert main(["verify", str(copy)]) == 1
    out, err = capsys.readouterr()
    assert "missing" in out
    assert "1 thing differs" in err
    assert main(["verify", str(copy), "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["intact"], told["files"], len(told["findings"])) == (False, 5, 1)
    assert told["findings"][0]["problem"] == "missing"
    assert main(["verify", str(tmp_path / "absent")]) == 2
