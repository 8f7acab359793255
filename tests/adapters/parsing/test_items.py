import pytest

from tests.adapters.parsing.paper import amounts, read


def rows(text):
    items = read(text).receipt.items
    return [(item.name, item.quantity and str(item.quantity), str(item.amount)) for item in items]


def test_one_row_for_each_item():
    assert rows("""
        Description     Qty   Price   Amount
        Flat white        2    4.50     9.00
        Lunch plate       1   19.90    19.90
        Total                          28.90
    """) == [("Flat white", "2", "9.00"), ("Lunch plate", "1", "19.90")]


def test_name_above_code_and_price():
    assert rows("""
        BATTERY AAA 4 PCS
        9021937    1 X    3.90     3.90
        GLUE STICK
        9064350    2 X    0.90     1.80
        ITEM(S) : 2    QTY(S) : 3
        TOTAL                      5.70
    """) == [("BATTERY AAA 4 PCS", "1", "3.90"), ("GLUE STICK", "2", "1.80")]


def test_name_below_code_and_price():
    assert rows("""
        ITEM     QTY   PRICE   AMOUNT
        2786      2     4.77     9.54
        WIRE ROPE CLIP
        1471      1     4.77     4.77
        SCREWDRIVER
        TOTAL                   14.31
    """) == [("WIRE ROPE CLIP", "2", "9.54"), ("SCREWDRIVER", "1", "4.77")]


def test_quantity_row_above_or_below_its_item():
    assert rows("""
        2 x     0,75
        QUARK              1,50 B
        BANANEN            0,19 A
        0,162 kg x 1,15 EUR/kg
        SUMME    EUR       1,69
    """) == [("QUARK", "2", "1.50"), ("BANANEN", "0.162", "0.19")]


def test_quantity_row_with_a_word_is_no_item():
    assert amounts(
        read("""
        ART 4002245701618
        2 Rolle x      4,85
        PARKETT        9,70 1
        SUMME   EUR    9,70
    """)
    ) == ["9.70"]


def test_price_row_under_a_name_is_the_item():
    assert rows("""
        Kroket
        1x @ 12.000          12.000
        Arem Arem
        2x @ 12.000          24.000
        Total                36.000
    """) == [("Kroket", "1", "12000"), ("Arem Arem", "2", "24000")]


@pytest.mark.parametrize(
    "name", ["Balance bread", "Item (S)", "Service cable", "J.STB PROMO", "Change purse", "Tip top cloth"]
)
def test_item_names_that_hold_keywords(name):
    extraction = read(f"""
        Item             Qty     Amount
        {name:<18}          4.00
        Milk                     2.00
        Subtotal                 6.00
        Total                    6.00
    """)
    assert str(extraction.receipt.total) == "6.00"
    assert amounts(extraction) == ["4.00", "2.00"]


def test_a_misread_heading_does_not_end_the_list():
    assert amounts(
        read("""
        Qt.y   Desc            RM
        1 Tea                2.00
        2 Cake               8.00
        Total               10.00
    """)
    ) == ["2.00", "8.00"]


def test_sums_of_groups_and_repeated_amounts_are_no_items():
    assert amounts(
        read("""
        1 SPRITE           32,000
        1 COLA             30,000
        BEVERAGE           62,000
        1 DINE FOR TWO    129,000
        1 FISH             85,000
        FOOD              214,000
        SUBTOTAL          276,000
        TOTAL             276,000
    """)
    ) == ["32000", "30000", "129000", "85000"]


def test_rows_that_cost_nothing_are_no_priced_items():
    assert amounts(
        read("""
        1 Black tea        45,455
        1 Less ice              0
        Total              45,455
    """)
    ) == ["45455"]


def test_discounts_among_items_are_signed_and_apart():
    extraction = read("""
        Shirt              30.00
        Staff discount      3.00
        Coupon             -2.00
        Total              25.00
    """)
    assert amounts(extraction) == ["30.00"]
    assert [str(one.amount) for one in extraction.receipt.discounts] == ["-3.00", "-2.00"]


def test_a_deposit_given_back_is_a_return():
    items = read("""
        Wasser              4,19
        Leergut            -1,00
        Summe               3,19
    """).receipt.items
    assert [(item.kind, str(item.amount)) for item in items] == [("item", "4.19"), ("return", "-1.00")]


def test_article_numbers_in_the_amounts_column_stay_numbers():
    assert amounts(
        read("""
        Artikel 50319963     22621
        Pillow               10,00
        Artikel 60319953     22622
        Cushion              20,00
        Artikel 80129462     11387
        Lamp                 14,99
        Summe                44,99
    """)
    ) == ["10.00", "20.00", "14.99"]


def test_a_lost_decimal_mark_in_the_column_is_repaired_and_marked():
    extraction = read("""
        Bread               3.50
        Butter               275
        Cheese              6.25
        Total              12.50
    """)
    assert amounts(extraction) == ["3.50", "2.75", "6.25"]
    mark = extraction.marks["items[1].amount"]
    assert (mark.text, mark.reason) == ("275", "decimal mark lost")
    assert mark.marker != "certain"


@pytest.mark.parametrize(
    ("text", "quantity"), [("CREAM 350G", None), ("2 Tea", "2"), ("Towel 45x90", None), ("Tea  x3", "3")]
)
def test_numbers_in_names_are_no_quantities(text, quantity):
    item = read(f"""
        {text:<20}     6.00
        Total                    6.00
    """).receipt.items[0]
    assert (item.quantity and str(item.quantity)) == quantity


def test_a_price_whose_sign_was_misread_is_no_item_of_its_own():
    extraction = read("""
        1 Flat white                9.00
            at 4.50
        1 Lunch plate              19.90
            Q 19.90
        Sub-total                 $28.90
        Member                    ($1.00)
        TOTAL DUE                 $27.90
    """)
    assert amounts(extraction) == ["9.00", "19.90"]
    assert [str(row.amount) for row in extraction.receipt.discounts] == ["-1.00"]
    assert extraction.receipt.discounts[0].label == "Member"


def test_names_without_prices_and_amounts_below_them_stay_items():
    assert rows("""
        Description               Amount
        Wire rope clip
        4.77
        Screwdriver                 9.54
        TOTAL                      14.31
    """)[-1] == ("Screwdriver", None, "9.54")
