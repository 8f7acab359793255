import pytest

from tests.adapters.parsing.paper import read


def total(text, **options):
    return str(read(text, **options).receipt.total)


ITEMS = """
        Tea               10.00
        Cake              20.00
"""


@pytest.mark.parametrize("words", [
    "TOTAL", "Total RM", "GRAND TOTAL", "Payment due", "Balance due", "Amount", "Summe", "zu zahlen",
    "Jumlah",
    "Net a payer", "Total TTC", "Importe total", "Totale", "Te betalen", "T0TAL", "Amount due",
])  # fmt: skip
def test_the_words_for_a_total(words):
    assert total(f"{ITEMS}        {words:<17} 30.00\n        Cash              50.00") == "30.00"


@pytest.mark.parametrize(
    "words", ["Sub-total", "Zwischensumme", "Sous-total", "Total excl. GST", "Total before tax"]
)
def test_a_subtotal_is_not_the_total(words):
    sums = [
        f"        {words:<17} 30.00",
        "        Tax 10%            3.00",
        "        Total             33.00",
    ]
    assert total(ITEMS + "\n".join(sums)) == "33.00"


def test_the_rounded_total_counts():
    text = """
        Tea               10.02
        Total             10.02
        Rounding          -0.02
        Total after rounding  10.00
        Cash              10.00
    """
    assert total(text) == "10.00"
    assert str(read(text).receipt.rounding) == "-0.02"


def test_totals_of_a_tax_table_are_not_the_total():
    assert (
        total("""
        Total incl GST    31.00
        Cash              31.00
        GST Summary    Amount(RM)   Tax(RM)
        SR 6%             29.25      1.75
        TOTAL             29.25      1.75
    """)
        == "31.00"
    )


@pytest.mark.parametrize(
    "row",
    ["Total Qty: 5", "Total items   3", "Total savings   99.00", "Total tax   2.00", "Total discount   5.00"],
)
def test_totals_of_other_things(row):
    assert total(f"{ITEMS}        Total             30.00\n        {row}") == "30.00"


def test_total_and_other_names_on_one_row():
    extraction = read("""
        1 Chicken              40,000
        ITEMS: 1    Total   40,000
        Pay Cash 100,000   Change : 60,000
    """)
    assert str(extraction.receipt.total) == "40000"
    assert str(extraction.receipt.change) == "60000"
    assert [str(one.amount) for one in extraction.receipt.payments] == ["100000"]


def test_name_above_its_amount():
    assert (
        total("""
        Choco               15,909
        Total
                            17,500
        Cash                20,000
        Change               2,500
    """)
        == "17500"
    )


def test_cash_less_change_finds_a_total_whose_name_is_unreadable():
    extraction = read("""
        Tea               10.00
        Cake              20.00
        Tqtxl             30.00
        Cash              50.00
        Change            20.00
    """)
    assert str(extraction.receipt.total) == "30.00"
    assert "arithmetic" in extraction.marks["total"].confidences


def test_sums_that_decided_are_named():
    extraction = read("""
        Tea               10.00
        Tax                1.00
        Tctl              11.00
        Suggested          9.00
    """)
    mark = extraction.marks["total"]
    assert str(extraction.receipt.total) == "11.00"
    assert mark.confidences["arithmetic"] > 0


def test_a_total_without_its_mark_is_read_and_not_certain():
    extraction = read("""
        Bread              3.50
        Cheese             6.25
        Total               975
    """)
    assert str(extraction.receipt.total) == "9.75"
    assert extraction.marks["total"].marker != "certain"
    assert extraction.marks["total"].reason == "decimal mark lost"


def test_a_poor_reading_scores_lower_than_a_good_one():
    text = f"{ITEMS}        Total             30.00\n        Thank you\n        Come again soon"
    good = read(text).marks["total"].score
    poor = read(text, scores={"30.00": 0.6}).marks["total"].score
    assert poor < good - 0.15


def test_rivals_are_alternatives_and_lower_the_score():
    plain = read(f"{ITEMS}        Total             30.00").marks["total"]
    rivals = read("Total   30.00\nTotal   31.00").marks["total"]
    assert rivals.score < plain.score
    assert {one.value for one in rivals.alternatives} == {"30.00"}


def test_no_amounts_no_total():
    extraction = read("Thank you\nPlease come again")
    assert extraction.receipt.total is None
    assert "total" not in extraction.marks


def test_a_subtotal_whose_amount_is_gone_is_said_to_be_unreadable():
    extraction = read("""
        1 Flat white                9.00
        1 Lunch plate              19.90
        Sub-total
        Member                    ($1.00)
        TOTAL DUE                 $27.90
    """)
    assert extraction.receipt.subtotal is None
    assert extraction.marks["subtotal"].marker == "unreadable"
    assert [str(row.amount) for row in extraction.receipt.discounts] == ["-1.00"]
    assert str(extraction.receipt.total) == "27.90"
