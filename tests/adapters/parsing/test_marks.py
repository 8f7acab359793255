import pytest

from robustocr.adapters.parsing.marks import CERTAIN, POSSIBLE, SUSPECTED, marker_of
from robustocr.records import Marker
from tests.adapters.parsing.paper import read

CLOSING = """
    Tea               10.00
    Cake              20.00
    Total             30.00
    Cash              50.00
    Change            20.00
"""


@pytest.mark.parametrize(
    ("score", "marker"),
    [
        (1.0, Marker.CERTAIN),
        (CERTAIN, Marker.CERTAIN),
        (CERTAIN - 0.01, Marker.POSSIBLE),
        (POSSIBLE - 0.01, Marker.SUSPECTED),
        (SUSPECTED - 0.01, Marker.UNREADABLE),
        (0.0, Marker.UNREADABLE),
    ],
)
def test_scores_become_markers(score, marker):
    assert marker_of(score) == marker


def test_a_total_that_everything_reaches_is_certain():
    mark = read(CLOSING).marks["total"]
    assert mark.marker == Marker.CERTAIN
    assert mark.confidences["arithmetic"] == 0.9
    assert mark.score == mark.confidences["parser"]


def test_sums_that_miss_the_total_lower_its_score():
    plain = read("Tea   10.00\nTotal   10.00").marks["total"].score
    missed = read(CLOSING.replace("Total             30.00", "Total             80.00")).marks["total"]
    assert missed.score < plain
    assert missed.marker != Marker.CERTAIN


def test_the_recognisers_score_of_an_amount_counts():
    text = "Tea   10.00\nSubtotal   10.00\nRounding   0.02\nTotal   10.02"
    assert read(text).marks["rounding"].marker == Marker.CERTAIN
    poor = read(text, scores={"0.02": 0.7}).marks["rounding"]
    assert poor.marker == Marker.UNREADABLE
    assert poor.confidences["ocr"] == 0.7


def test_a_badly_read_merchant_is_not_certain():
    assert read("Blue Door\n" + CLOSING, scores={"Blue": 0.6}).marks["merchant"].marker != Marker.CERTAIN


def test_items_that_add_up_say_so():
    marks = read(CLOSING).marks
    assert marks["items[0].amount"].confidences["arithmetic"] == 1.0
    assert "arithmetic" not in read(CLOSING.replace("10.00", "11.00")).marks["items[0].amount"].confidences


def test_a_total_is_not_certain_where_another_row_prints_almost_the_same():
    text = """
        ALDI
        Joghurt                     0,35
        Kaffee                      5,59
        Brot                       11,27
        ZU ZAHLEN EURO             18,07
        EUR 18,01
        KARTENZAHLUNG              18,01
    """
    mark = read(text).marks["total"]
    assert mark.marker != "certain"


def test_a_total_on_a_page_that_is_hardly_read_is_not_certain():
    extraction = read("SUMME EUR                  27,42")
    mark = extraction.marks["total"]
    assert str(extraction.receipt.total) == "27.42"
    assert mark.marker == "possible"
    assert mark.reason == "hardly anything else on the page could be read"
