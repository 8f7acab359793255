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
        ("p.csv", "sample_id,totall\na,1\n", "totall"),
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
