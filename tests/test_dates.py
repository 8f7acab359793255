import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustocr.dates import find_dates, infer_day_first, parse_date, parse_time


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("2018-03-18", (2018, 3, 18)),
        ("2018/3/8", (2018, 3, 8)),
        ("25/12/2018 8:13:39 PM", (2018, 12, 25)),
        ("25/12/20188:13:39", (2018, 12, 25)),
        ("DATE:19-04-18 12:30", (2018, 4, 19)),
        ("01/25/2018", (2018, 1, 25)),
        ("25 DEC 2018", (2018, 12, 25)),
        ("30 DEC 17", (2017, 12, 30)),
        ("28MAR18", (2018, 3, 28)),
        ("28-Mar-2018", (2018, 3, 28)),
        ("18-11-18", (2018, 11, 18)),
        ("20180304", (2018, 3, 4)),
        ("Mar 14, 2026", (2026, 3, 14)),
        ("Tuesday, 13 June 2017", (2017, 6, 13)),
        ("14. März 2026", (2026, 3, 14)),
        ("14 maerz 2026", (2026, 3, 14)),
        ("3 Mac 2019", (2019, 3, 3)),
        ("12 Ogos 2019", (2019, 8, 12)),
        ("30 Disember 2018", (2018, 12, 30)),
        ("12 Agustus 2019", (2019, 8, 12)),
        ("1er janvier 2020", (2020, 1, 1)),
        ("14 février 2020", (2020, 2, 14)),
        ("5 de mayo de 2021", (2021, 5, 5)),
        ("24.11.17.", (2017, 11, 24)),
        ("02.02.2020", (2020, 2, 2)),
        ("2018年3月4日", (2018, 3, 4)),
        ("１４/０３/２０２６", (2026, 3, 14)),
        ("12/31/99", (1999, 12, 31)),
        ("25 / 12/ 2018", (2018, 12, 25)),
        ("2018-03-18:15:21", (2018, 3, 18)),
        ("18/03/2018:15:21", (2018, 3, 18)),
        ("15.03.2015:59", (2020, 3, 15)),
        ("15.03.2015:59:10", (2020, 3, 15)),
    ],
)
def test_a_printed_date(printed, value):
    reading = parse_date(printed)
    assert reading.value == dt.date(*value)
    assert reading.alternatives == ()
    assert reading.text == printed[reading.start : reading.end]


@pytest.mark.parametrize(
    "text",
    [
        "31/02/2018",
        "32/01/2018",
        "13/13/2018",
        "29/02/2019",
        "192.168.1.1",
        "12.50",
        "1-300-88-2525",
        "",
        "03-7980 7899",
        "0000-00-00",
        "12:30:45",
        "GST 001286828032",
        "99/99/99",
        "12 dec 17:30",
    ],
)
def test_what_is_no_date(text):
    assert parse_date(text).possible == ()


def test_an_open_order_keeps_both_readings():
    reading = parse_date("02/01/2018")
    assert reading.value is None
    assert reading.alternatives == (dt.date(2018, 1, 2), dt.date(2018, 2, 1))
    assert parse_date("02/01/2018", day_first=True).value == dt.date(2018, 1, 2)
    assert parse_date("02/01/2018", day_first=False).value == dt.date(2018, 2, 1)


def test_the_only_possible_order_wins_over_the_usual_one():
    assert parse_date("01/25/2018", day_first=True).value == dt.date(2018, 1, 25)


def test_all_dates_of_a_line_in_order():
    line = "from 01/02/2018 to 25 DEC 2018 at 10:00"
    found = find_dates(line, day_first=True)
    assert [reading.value for reading in found] == [dt.date(2018, 2, 1), dt.date(2018, 12, 25)]
    assert [line[reading.start : reading.end] for reading in found] == ["01/02/2018", "25 DEC 2018"]


@pytest.mark.parametrize(
    ("texts", "day_first"),
    [
        (["25/12/2018"], True),
        (["12/25/2018"], False),
        (["02/01/2018", "13/01/2018"], True),
        (["02/01/2018", "2018-02-01"], False),
        (["02/01/2018", "2 January 2018"], True),
        (["03.04.2020"], True),
        (["02/01/2018", "RM 3.00"], True),
        (["02/01/2018", "ACME SDN BHD"], True),
        (["02/01/2018", "San Jose, CA 95112"], False),
        (["02/01/2018", "USD 5.00"], False),
        (["02/01/2018"], None),
        (["25/12/2018", "12/25/2018"], None),
        ([], None),
    ],
)
def test_the_order_of_a_receipt(texts, day_first):
    assert infer_day_first(texts) is day_first


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("25/12/2018 8:13:39 PM", dt.time(20, 13, 39)),
        ("25/12/20188:13", dt.time(8, 13)),
        ("18.05 Uhr", dt.time(18, 5)),
        ("18h05", dt.time(18, 5)),
        ("8 PM", dt.time(20)),
        ("12:05 AM", dt.time(0, 5)),
        ("12:05 PM", dt.time(12, 5)),
        ("2:30p.m.", dt.time(14, 30)),
        ("14:20", dt.time(14, 20)),
        ("15.03.2015:59", dt.time(15, 59)),
        ("18/03/2018:15:21", dt.time(15, 21)),
    ],
)
def test_a_printed_time(printed, value):
    assert parse_time(printed) == value


@pytest.mark.parametrize("text", ["25:10", "12:75", "$14:20", "12.50", "8", "", "13/01/2018"])
def test_what_is_no_time(text):
    assert parse_time(text) is None


DAYS = st.dates(dt.date(1970, 1, 1), dt.date(2069, 12, 31))


@settings(deadline=None)
@given(
    DAYS, st.sampled_from(["%d/%m/%Y", "%d-%m-%y", "%d.%m.%Y", "%d %b %Y", "%Y-%m-%d", "%b %d, %Y", "%Y%m%d"])
)
def test_every_day_is_read_back(day, form):
    assert parse_date(day.strftime(form), day_first=True).value == day


@settings(deadline=None)
@given(DAYS, st.sampled_from(["%m/%d/%Y", "%m-%d-%y"]))
def test_every_american_day_is_among_the_readings(day, form):
    assert day in parse_date(day.strftime(form)).possible
    assert parse_date(day.strftime(form), day_first=False).value == day


@settings(deadline=None)
@given(st.times())
def test_every_time_is_read_back(time):
    read = parse_time(time.strftime("%I:%M:%S %p"))
    assert read == time.replace(microsecond=0)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_survived(text):
    for reading in find_dates(text):
        assert text[reading.start : reading.end] == reading.text
        assert 1 <= len(reading.possible) <= 2
    parse_time(text)
