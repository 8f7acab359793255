from tests.adapters.parsing.paper import read


def taxes(text):
    return [
        (one.rate and str(one.rate), one.base and str(one.base), str(one.amount), one.included)
        for one in read(text).receipt.taxes
    ]


def test_a_tax_that_is_added():
    assert taxes("""
        Tea               10.00
        Cake              20.00
        Subtotal          30.00
        Sales tax 8%       2.40
        Total             32.40
    """) == [("0.08", None, "2.40", False)]


def test_a_table_of_included_taxes():
    assert taxes("""
        Wasser             5,69 B
        Brot              18,54 A
        Summe             24,23
        MwSt       Netto  MwSt-Betrag   Brutto
        A 7,00%    17,33      1,21       18,54
        B 19,00%    4,78      0,91        5,69
    """) == [("0.07", "17.33", "1.21", True), ("0.19", "4.78", "0.91", True)]


def test_tax_before_net():
    receipt = read("""
        Brot              12,07 A
        Summe             12,07
        MwSt%     MwSt     Netto    Brutto
        A 7,0%    0,79     11,28     12,07
    """).receipt
    (tax,) = receipt.taxes
    assert (str(tax.amount), str(tax.base), str(tax.gross)) == ("0.79", "11.28", "12.07")


def test_a_tax_named_and_in_a_table_is_one_tax():
    assert taxes("""
        Clay               9.00
        Total incl GST     9.00
        GST 6%             0.51
        GST Summary    Amount(RM)   Tax(RM)
        SR 6%              8.49      0.51
    """) == [("0.06", "8.49", "0.51", True)]


def test_two_equal_taxes_are_two():
    assert [
        amount
        for _, _, amount, _ in taxes("""
        Rice              99.20
        Subtotal          99.20
        SGST 2.5%          2.48
        CGST 2.5%          2.48
        Total            104.16
    """)
    ] == ["2.48", "2.48"]


def test_no_tax_is_invented():
    assert (
        taxes("""
        Tea               10.00
        Total             10.00
    """)
        == []
    )
