import datetime as dt
from decimal import Decimal

import pytest

from robustocr.errors import DatasetError
from robustocr.loaders import load

from .drawing import draw


@pytest.fixture
def table(tmp_path):
    """Make a folder with pictures a.png to d.png and a CSV of this text."""

    def make(text, name="labels.csv"):
        for stem in "abcd":
            draw(tmp_path / f"{stem}.png")
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path

    return make


def test_columns_by_field_path(table):
    root = table(
        "file_name,id,group,total,items[0].name,items[0].amount,items[1].name,items[1].amount,taxes[0].rate,tip,discounts\n"
        'a.png,one,Shop,28.90,"Tea, hot",9.00,Lunch,19.90,0.06,null,null\n'
        "b.png,,,12.500,,,,,,,\n"
        "c.png,,,,,,,,,,\n"
    )
    dataset = load(root, strict=True)
    one, two, three = dataset.samples
    assert dataset.format == "csv"
    assert (one.id, one.group, one.source_line, two.id) == ("one", "Shop", 2, "b")
    assert one.truth.to_json() == {
        "total": "28.90",
        "items": [{"name": "Tea, hot", "amount": "9.00"}, {"name": "Lunch", "amount": "19.90"}],
        "taxes": [{"rate": "0.06"}],
        "tip": None,
        "discounts": [],
    }
    assert two.truth.total == Decimal("12.5")
    assert two.truth.labelled == {"total"}
    assert three.truth is None


def test_printed_forms_are_read_row_by_row(table):
    dataset = load(
        table(
            "file_name;total;subtotal;date\na.png;RM 3.90;3.900;14/03/2026\nb.png;1.234,50;9,00;02/01/2026\n"
        )
    )
    first, second = (sample.truth for sample in dataset.samples)
    assert (first.total, first.subtotal, first.date) == (
        Decimal("3.90"),
        Decimal("3.900"),
        dt.date(2026, 3, 14),
    )
    assert (second.total, second.subtotal) == (Decimal("1234.50"), Decimal("9.00"))
    # The day-month order is that of the whole column, which the first row shows.
    assert second.date == dt.date(2026, 1, 2)


@pytest.mark.parametrize(
    "text", ["file_name\ttotal\na.png\t9.00\n", "\ufefffile_name,total\r\na.png,9.00\r\n"]
)
def test_tabs_byte_order_mark_and_carriage_returns(table, text):
    assert load(table(text)).samples[0].truth.total == 9


def test_a_cell_may_hold_line_breaks(table):
    dataset = load(table('file_name,address,total\na.png,"1 Road\nTown",9.00\nb.png,,x\n'))
    assert dataset.samples[0].truth.address == "1 Road\nTown"
    assert dataset.left_out[0].line == 4


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("b.png,nine,", "total: 'nine' is not a printed amount"),
        ("b.png,1", "2 cells where the first line names 3"),
        ("b.png,1,,5", "4 cells where the first line names 3"),
        ("z.png,1,", "z.png does not exist"),
        (",1,", "file_name is None"),
        ("../b.png,1,", "leads out of the dataset"),
        ("a.png,1,", "id 'a' is already that of a.png"),
        ("b.png,1,03/04/2026", "'03/04/2026' is no date or has two readings"),
    ],
)
def test_a_bad_row_is_named_and_the_others_go_on(table, row, words):
    root = table(f"file_name,total,date\na.png,9.00,2026-03-14\n{row}\nc.png,9.00,\n")
    dataset = load(root)
    assert [sample.id for sample in dataset.samples] == ["a", "c"]
    (left,) = dataset.left_out
    assert (left.file, left.line) == ("labels.csv", 3)
    assert words in left.reason
    with pytest.raises(DatasetError, match=r"labels\.csv, line 3"):
        load(root, strict=True)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("file_name,totl", "unknown column 'totl'. Did you mean 'total'?"),
        ("file_name,total,total", "column 'total' stands twice"),
        ("file_name,total[0]", "total holds one value"),
        ("file_name,items[0].price", "unknown key 'price'"),
        ("file_name,items.amount", "column 'items.amount'"),
        ("file_name,total.x", "column 'total.x'"),
        ("file_name,lines", "unknown column 'lines'"),
        ("picture,total", "no column file_name"),
    ],
)
def test_a_bad_header_is_an_error(table, header, words):
    root = table(f"{header}\na.png,9.00,\n")
    with pytest.raises(DatasetError, match=r"labels\.csv, line 1") as caught:
        load(root, format="csv")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "empty"),
        (b'file_name,total\na.png,"9', "broken CSV"),
        (b"file_name,total\na.png,\xe9", "not UTF-8"),
    ],
)
def test_a_broken_file_is_an_error(table, text, words):
    with pytest.raises(DatasetError, match=words):
        load(table(text), format="csv")


def test_a_gap_between_items_is_named(table):
    root = table("file_name,items[0].amount,items[1].amount\na.png,1,2\nb.png,,2\n")
    assert "items[0] is empty but items[1] is not" in load(root).left_out[0].reason


def test_other_csv_files_do_not_make_a_dataset(table):
    assert load(table("shop,visits\nx,3\n")).format == "folder"
