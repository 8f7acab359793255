import json

import numpy as np
import pytest

from robustocr.adapters.base import Picture, Request
from robustocr.adapters.predictions import PredictionsAdapter, parse_key
from robustocr.errors import AdapterError, InputError
from robustocr.records import Case


def picture(key):
    return Picture.of(np.zeros((4, 4, 3), np.uint8), key=key)


def write(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def test_json_lines_by_key_or_by_parts(tmp_path):
    adapter = PredictionsAdapter(
        write(
            tmp_path / "p.jsonl",
            {"key": "shop/r1/tilt/3/0", "receipt": {"total": "9.00"}},
            {"sample_id": "r2", "receipt": {"total": "8.00"}, "marks": {"total": {"marker": "possible"}}},
        )
    )
    assert str(adapter.extract(picture("shop/r1/tilt/3/0"), Request()).receipt.total) == "9.00"
    assert adapter.extract(picture("r2/clean/0/0"), Request()).marks["total"].marker == "possible"
    assert [case.key for case in adapter.cases] == ["shop/r1/tilt/3/0", "r2/clean/0/0"]
    with pytest.raises(AdapterError, match="no prediction for r3/clean/0/0"):
        adapter.extract(picture("r3/clean/0/0"), Request())


def test_csv_with_columns_named_by_field(tmp_path):
    path = tmp_path / "p.csv"
    path.write_text(
        'sample_id,corruption,severity,total,items\nr1,tilt,3,9.00,"[{""amount"": ""9.00""}]"\nr2,,,,\n'
    )
    adapter = PredictionsAdapter(str(path))
    read = adapter.extract(picture("r1/tilt/3/0"), Request()).receipt
    assert (str(read.total), str(read.items[0].amount)) == ("9.00", "9.00")
    assert adapter.extract(picture("r2/clean/0/0"), Request()).receipt.total is None


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("p.jsonl", "{}\n", "p.jsonl:1"),
        ("p.jsonl", '\n{"key": "a/b/1/0", "receipt": {}}\n{"key": \n', "p.jsonl:3"),
        ("p.jsonl", '{"key": "nonsense", "receipt": {}}\n', "nonsense"),
        ("p.jsonl", '{"sample_id": "a", "severity": 9, "receipt": {}}\n', "severity"),
        ("p.jsonl", '{"receipt": {}}\n', "sample_id"),
        ("p.jsonl", '{"sample_id": "a", "receipt": {}}\n' * 2, "second prediction for a/clean/0/0"),
        ("p.jsonl", "", "no predictions"),
        ("p.jsonl", '{"id": "a", "recipt": {}}\n', "p.jsonl:1: unknown key 'recipt'. Did you mean 'receipt'"),
        ("p.jsonl", '{"id": "a"}\n', 'p.jsonl:1: no "receipt"; known keys: corruption, .*, sample_id'),
        ("p.jsonl", '{"id": "a", "sample_id": "b", "receipt": {}}\n', "'b' and id 'a' differ"),
        ("p.jsonl", '{"id": "", "receipt": {}}\n', '"key", or by "sample_id" .or "id"'),
        ("p.jsonl", '{"id": ["a"], "receipt": {}}\n', "p.jsonl:1: sample_id: .*valid string"),
        ("p.jsonl", '{"id": "a", "severity": 2.7, "receipt": {}}\n', "p.jsonl:1: severity: .*2.7"),
        ("p.jsonl", "[]\n", "p.jsonl:1: not a JSON object"),
        ("p.jsonl", "[" * 100_000, "p.jsonl:1: .*nested too deeply"),
        ("p.csv", "sample_id,totall\na,1\n", "p.csv:1: unknown column 'totall'. Did you mean 'total'.*tip"),
        ("p.csv", "id,total\na,1,234.00\n", "p.csv:2: more values than columns"),
        ("p.csv", 'id,total\na,"1\n', "p.csv: not CSV after line 1"),
        ("p.csv", "id,total\n,1\n", "p.csv:2: .*sample_id"),
        ("p.csv", "sample_id,items\na,[\n", "p.csv:2"),
    ],
)
def test_bad_files_are_named_with_the_line(tmp_path, name, text, named):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=named):
        PredictionsAdapter(str(tmp_path / name))


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"no predictions file .*gone.jsonl"):
        PredictionsAdapter(str(tmp_path / "gone.jsonl"))


@pytest.mark.parametrize(
    "case",
    [
        Case(sample_id="a", corruption="tilt", severity=2, seed=7),
        Case(sample_id="x/y/1/2", corruption="clean", severity=0, seed=0),
        Case(sample_id="a", corruption="defocus", severity=5, seed=0, target="items[2].amount"),
    ],
)
def test_keys_round_trip(case):
    assert parse_key(case.key) == case


@pytest.mark.parametrize("name", ["p.jsonl", "p.csv"])
def test_a_file_that_is_not_utf8_is_named(tmp_path, name):
    row = b'{"id": "Caf\xe9", "receipt": {}}' if name == "p.jsonl" else b"id,total\nCaf\xe9,1.00"
    (tmp_path / name).write_bytes(row)
    with pytest.raises(InputError, match=rf"{name} is not UTF-8 .*save it as UTF-8"):
        PredictionsAdapter(str(tmp_path / name))


def test_id_is_another_name_of_sample_id(tmp_path):
    lines = write(
        tmp_path / "p.jsonl",
        {"id": "a", "corruption": "tilt", "severity": "3", "receipt": {"total": "9.00"}},
        {"id": 17, "receipt": {"total": "8.00"}},
        {"id": "b", "sample_id": "b", "receipt": {"total": "7.00"}},
    )
    keys = ["a/tilt/3/0", "17/clean/0/0", "b/clean/0/0"]
    adapter = PredictionsAdapter(lines)
    assert [case.key for case in adapter.cases] == keys
    read = [str(adapter.extract(picture(key), Request()).receipt.total) for key in keys]
    assert read == ["9.00", "8.00", "7.00"]
    (tmp_path / "p.csv").write_text("id,total\na,9.00\n")
    assert [case.key for case in PredictionsAdapter(str(tmp_path / "p.csv")).cases] == ["a/clean/0/0"]


def test_a_bad_answer_fails_its_case_alone(tmp_path):
    adapter = PredictionsAdapter(
        write(tmp_path / "p.jsonl", {"id": "a", "receipt": {"totl": 1}}, {"id": "b", "receipt": {"total": 1}})
    )
    with pytest.raises(AdapterError, match=r"the prediction holds a malformed receipt: .*'totl'") as caught:
        adapter.extract(picture("a/clean/0/0"), Request())
    assert caught.value.kind == "malformed"
    assert str(adapter.extract(picture("b/clean/0/0"), Request()).receipt.total) == "1"
