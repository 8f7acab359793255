import io
import json
import subprocess
import sys

import pytest

import robustocr
from robustocr.cli.main import COMMANDS, build_parser, main
from robustocr.cli.options import severities
from tests.drawn import draw_dataset

CLOSES = {"items": [{"amount": "9.00"}, {"amount": "19.90"}], "subtotal": "28.90", "total": "28.90"}


@pytest.fixture
def dataset(tmp_path):
    return draw_dataset(tmp_path / "shop", 3)


def run_words(dataset, out, cache, *more):
    words = ["run", str(dataset), "--adapter", "python:tests.stub_readers:steady", "--suite", "quick"]
    return main([*words, "--out", str(out), "--cache", str(cache), *more])


def test_a_run_prints_a_table_and_the_report_on_stdout_and_progress_on_stderr(dataset, tmp_path, capsys):
    assert run_words(dataset, tmp_path / "run", tmp_path / "cache") == 0
    out, err = capsys.readouterr()
    assert "total" in out
    assert str(tmp_path / "run" / "report.html") in out
    assert "12 of 12 cases" in err
    assert main(["report", str(tmp_path / "run")]) == 0


def test_requirements_give_the_exit_codes(dataset, tmp_path, capsys):
    cache = tmp_path / "cache"
    assert run_words(dataset, tmp_path / "a", cache, "--require", "silent(total)<=1") == 0
    assert run_words(dataset, tmp_path / "b", cache, "--require", "total>=0.9") in (1, 3)
    assert run_words(dataset, tmp_path / "c", cache, "--require", "total=>0.9") == 2
    assert "total>=0.95" in capsys.readouterr().err


def test_bad_input_is_exit_code_2_with_a_message_and_no_traceback(tmp_path, capsys):
    assert main(["run", str(tmp_path / "nowhere"), "--out", str(tmp_path / "run")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("robustocr: ")
    assert "nowhere" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("receipt", "code"),
    [(CLOSES, 0), (CLOSES | {"subtotal": "23.90", "total": "28.90"}, 1), ({"total": "28.90"}, 3)],
)
def test_check_says_what_the_sums_say_by_its_exit_code(tmp_path, capsys, receipt, code):
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(receipt))
    assert main(["check", str(path), "--json"]) == code
    verdict = json.loads(capsys.readouterr().out)
    assert {0: "closes", 1: "contradicts", 3: "cannot_tell"}[code] == verdict["status"]
    assert main(["check", str(path)]) == code


@pytest.mark.parametrize("text", ["", "[]", "{", '{"totl": 1}', '{"total": "RM 1.00"}', '{"total": NaN}'])
def test_check_refuses_what_is_no_receipt(tmp_path, capsys, text):
    path = tmp_path / "receipt.json"
    path.write_text(text)
    assert main(["check", str(path)]) == 2
    err = capsys.readouterr().err
    assert "receipt.json" in err
    assert "reader" not in err


@pytest.mark.parametrize("text", ["[" * 100_000, '{"total": ' + "[" * 200 + "]" * 200 + "}"])
def test_check_refuses_what_is_nested_too_deeply(tmp_path, capsys, monkeypatch, text):
    path = tmp_path / "receipt.json"
    path.write_text(text)
    assert main(["check", str(path)]) == 2
    assert "nested too deeply" in capsys.readouterr().err
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["check", "-"]) == 2
    assert capsys.readouterr().err.startswith("robustocr: standard input: ")


def test_corrupt_writes_a_dataset_that_loads_again(dataset, tmp_path, capsys):
    out = tmp_path / "corrupted"
    words = ["corrupt", str(dataset), "--corruption", "perspective", "--severities", "2-3", "--out", str(out)]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "9 pictures" in told
    assert "3 of them clean" in told
    loaded = robustocr.load(out)
    assert len(loaded.samples) == 9
    assert not loaded.left_out
    clean, sample = loaded.samples[:2]
    assert clean.condition == "clean"
    assert str(sample.truth.total) == "1.00"
    assert len(sample.boxes["total"][0]) == 8
    assert sample.condition in ("perspective-2", "perspective-3")
    assert main(["verify", str(out), "--sha256", told.split()[-1]]) == 0
    assert main(words) == 2


def test_corrupt_takes_one_image_and_aims(dataset, tmp_path, capsys):
    words = ["corrupt", str(dataset / "r000.png"), "--corruption", "defocus", "--severities", "3"]
    assert main([*words, "--out", str(tmp_path / "one")]) == 0
    assert main([*words, "--out", str(tmp_path / "aimed"), "--target", "total"]) == 2
    assert "'total' has no known place" in capsys.readouterr().err
    words[1] = str(dataset)
    assert main([*words, "--out", str(tmp_path / "aimed2"), "--target", "total"]) == 0


def test_corrupt_counts_what_it_leaves_out(dataset, tmp_path, capsys):
    lines = (dataset / "metadata.jsonl").read_text().splitlines(keepends=True)
    row = json.loads(lines[0]) | {"boxes": {"subtotal": [[10, 80, 160, 105]]}}
    (dataset / "metadata.jsonl").write_text("".join([json.dumps(row) + "\n", *lines[1:]]))
    words = ["corrupt", str(dataset), "--corruption", "defocus", "--severities", "3", "--target", "total"]
    assert main([*words, "--no-clean", "--out", str(tmp_path / "aimed")]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("2 pictures in ")
    assert "1 left out" in out
    assert "r000.png: 'total' has no known place" in err


@pytest.mark.parametrize("kind", ["suites", "adapters", "formats", "fields", "effects"])
def test_everything_that_can_be_named_is_listed(kind, capsys):
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 3
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines)


def test_severities_are_lists_or_ranges():
    assert severities("1,3,5") == (1, 3, 5)
    assert severities("1-5") == (1, 2, 3, 4, 5)
    assert severities("4") == (4,)


@pytest.mark.parametrize(
    "text", ["", "0", "6", "a", "1-", "3-1", "1,,2", "1,3-1", "²", "1-99999999999", "5-6"]
)
def test_other_severities_are_wrong_use(text, capsys, tmp_path):
    with pytest.raises(SystemExit) as stopped:
        main(["run", "sample", "--severities", text, "--out", str(tmp_path)])
    assert stopped.value.code == 2
    assert "argument --severities: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--clean-only", "--severities", "1"], "--severities: not allowed with argument --clean-only"),
        (["--severities", "1", "--clean-only"], "--clean-only: not allowed with argument --severities"),
        (["--suite", "quick", "--clean-only"], "--clean-only: not allowed with argument --suite"),
        (["--fields", ""], "--fields: '' names nothing"),
        (["--fields", " , "], "--fields: ' , ' names nothing"),
    ],
)
def test_options_that_contradict_or_say_nothing_are_wrong_use(words, named, capsys, tmp_path):
    with pytest.raises(SystemExit) as stopped:
        main(["run", "sample", "--out", str(tmp_path), *words])
    assert stopped.value.code == 2
    assert named in capsys.readouterr().err


def test_clean_only_and_severities_are_read():
    read = build_parser().parse_args
    assert read(["run", "sample", "--out", "x", "--clean-only"]).clean_only is True
    args = read(["run", "sample", "--out", "x", "--severities", "2-3", "--fields", "total, date"])
    assert (args.clean_only, args.severities, args.fields) == (False, (2, 3), ("total", "date"))


def stopping(monkeypatch, home, error):
    def stop(*arguments, **options):
        raise error

    monkeypatch.setattr(home, stop)


def test_only_what_goes_on_says_that_it_goes_on(monkeypatch, capsys, tmp_path):
    stopping(monkeypatch, "robustocr.testset.write_corrupted", KeyboardInterrupt())
    assert main(["corrupt", "sample", "--out", str(tmp_path / "x")]) == 130
    assert capsys.readouterr().err == "robustocr: stopped.\n"
    stopping(monkeypatch, "robustocr.benchmark.run_benchmark", KeyboardInterrupt())
    assert main(["run", "sample", "--out", str(tmp_path / "x")]) == 130
    assert "the same command goes on from here" in capsys.readouterr().err


def test_an_unexpected_error_is_exit_code_70_and_asks_to_be_reported(monkeypatch, capsys, tmp_path):
    stopping(monkeypatch, "robustocr.testset.write_corrupted", ZeroDivisionError("by\nnothing"))
    monkeypatch.delenv("ROBUSTOCR_DEBUG", raising=False)
    words = ["corrupt", "sample", "--out", str(tmp_path / "x")]
    assert main(words) == 70
    err = capsys.readouterr().err
    assert err.startswith("robustocr: unexpected ZeroDivisionError: by nothing. ")
    assert "please report it" in err
    assert len(err.splitlines()) == 1
    monkeypatch.setenv("ROBUSTOCR_DEBUG", "1")
    assert main(words) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


@pytest.fixture
def chatty(tmp_path, monkeypatch):
    """A reader that prints, and leaves when the picture is 201 wide."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "chatty_reader.py").write_text(
        "import sys\n"
        "def read(image):\n"
        "    print('thinking')\n"
        "    if image.size[0] == 201:\n"
        "        sys.exit(0)\n"
        "    return {'total': '1.00'}\n"
    )
    return "python:chatty_reader:read"


def test_extract_keeps_stdout_for_the_answer(chatty, tmp_path, capsys):
    folder = draw_dataset(tmp_path / "shop", 2, widths=(200, 201))
    assert main(["extract", str(folder / "r000.png"), "--adapter", chatty, "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["receipt"] == {"total": "1.00"}
    assert "thinking" in err
    assert main(["extract", str(folder / "r001.png"), "--adapter", chatty]) == 2
    assert "SystemExit: 0" in capsys.readouterr().err


def test_extract_names_a_missing_picture_without_talk_of_labels(tmp_path, capsys):
    assert main(["extract", str(tmp_path / "nofile.jpg"), "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "nofile.jpg does not exist" in err
    assert "label" not in err


def test_every_command_has_help(capsys):
    for command in COMMANDS:
        with pytest.raises(SystemExit) as stopped:
            main([command, "--help"])
        assert stopped.value.code == 0
    assert "robustocr run sample" in capsys.readouterr().out


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, robustocr, robustocr.cli.main as m; m.build_parser();"
        "heavy = {'cv2', 'numpy', 'pandas', 'scipy', 'onnxruntime', 'pydantic', 'streamlit', 'rapidocr'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_public_names_are_these():
    for name in robustocr.__all__:
        assert getattr(robustocr, name) is not None
    assert dir(robustocr) == sorted(robustocr.__all__)
    with pytest.raises(AttributeError, match="corupt"):
        robustocr.corupt  # noqa: B018
