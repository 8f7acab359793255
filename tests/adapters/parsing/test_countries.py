"""Receipts as other countries print them, typed by hand: each is one trap or several."""

from typing import NamedTuple

import pytest

from tests.adapters.parsing.paper import amounts, read


class Printed(NamedTuple):
    text: str
    total: str
    items: list[str]
    taxes: list[str]
    payments: list[str]
    change: str | None = None


RECEIPTS = {
    "French bakery": Printed(
        """
    BOULANGERIE DU PONT
    12 rue des Lilas
    69003 Lyon
    Tél : 04 78 00 11 22
    SIRET 123 456 789 00012
    Ticket n° 004512   le 14/03/2024 à 12:45
    2 x Croissant             1,10      2,20
    1 x Pain de campagne                3,40
    1 x Café crème                      2,80
    SOUS-TOTAL                          8,40
    Remise fidélité                    -0,40
    TOTAL TTC                 EUR       8,00
    Dont TVA 5,5%                       0,42
    CB                                  8,00
    Merci de votre visite
        """,
        total="8.00",
        items=["2.20", "3.40", "2.80"],
        taxes=["0.42"],
        payments=["8.00"],
    ),
    "French restaurant": Printed(
        """
    LE PETIT BISTROT
    Table 12   Couverts 2
    1 Menu midi              18,50 €
    1 Plat du jour           14,00 €
    2 Verre de vin           11,00 €
    Total HT                 39,55 €
    TVA 10%                   3,95 €
    Net à payer              43,50 €
    Carte bancaire           43,50 €
        """,
        total="43.50",
        items=["18.50", "14.00", "11.00"],
        taxes=["3.95"],
        payments=["43.50"],
    ),
    "Spanish shop": Printed(
        """
    SUPERMERCADO EL SOL S.A.
    C/ Mayor 5, 28013 Madrid
    CIF A12345678
    15/02/2023 18:30
    LECHE ENTERA 1L          0,95
    PAN DE MOLDE             1,45
    3 x 0,60  MANZANA        1,80
    TOTAL                    4,20
    EFECTIVO                 5,00
    CAMBIO                   0,80
    IVA 4%   BASE 4,04   CUOTA 0,16
        """,
        total="4.20",
        items=["0.95", "1.45", "1.80"],
        taxes=["0.16"],
        payments=["5.00"],
        change="0.80",
    ),
    "Italian restaurant": Printed(
        """
    TRATTORIA DA GINO
    Via Roma 10, 00184 Roma
    P.IVA 01234567890
    COPERTO           2 x 2,00      4,00
    SPAGHETTI                      12,00
    TIRAMISU                        6,00
    SUBTOTALE                      22,00
    TOTALE COMPLESSIVO             22,00
    DI CUI IVA                      2,00
    PAGAMENTO CONTANTE             30,00
    RESTO                           8,00
    12-05-2023  21:14
        """,
        total="22.00",
        items=["4.00", "12.00", "6.00"],
        taxes=["2.00"],
        payments=["30.00"],
        change="8.00",
    ),
    "Dutch shop": Printed(
        """
    ALBERT MARKT
    Kerkstraat 5  1012 AB Amsterdam
    AANTAL  OMSCHRIJVING      PRIJS  BEDRAG
    2  MELK                    1,09    2,18
    1  BROOD                           2,39
    3  SUBTOTAAL                       4,57
    UW VOORDEEL                        0,00
    TE BETALEN                         4,57
    PINNEN                             4,57
    BTW 9%                             0,38
    01-06-2023 10:15
        """,
        total="4.57",
        items=["2.18", "2.39"],
        taxes=["0.38"],
        payments=["4.57"],
    ),
    "US restaurant": Printed(
        """
    JOE'S GRILL
    500 Main St
    Austin, TX 78701
    (512) 555-0100
    Server: Kim      Table 4
    03/09/2024 7:45 PM
    Check #1045
    1 Burger                 $12.50
    2 Beer                   $11.00
    1 Fries                   $4.25
    Subtotal                 $27.75
    Sales Tax (8.25%)         $2.29
    Total                    $30.04
    Tip                       $6.00
    Grand Total              $36.04
    Visa ****1234            $36.04
    Suggested Tips
    18%  $5.00   20%  $5.55   22%  $6.11
        """,
        total="36.04",
        items=["12.50", "11.00", "4.25"],
        taxes=["2.29"],
        payments=["36.04"],
    ),
    "US supermarket": Printed(
        """
    TARGETMART #1142
    ST# 02115 OP# 009044 TE# 44 TR# 01301
    BANANAS    000000004011KF
     0.90 lb @ 1 lb /0.54      0.49 N
    MILK       007874201234 F  3.28 N
    TOWELS     003700063244    5.97 X
               SUBTOTAL        9.74
      TAX 1    7.000 %         0.42
               TOTAL          10.16
               DEBIT TEND     10.16
               CHANGE DUE      0.00
    # ITEMS SOLD 3
    10/24/23   14:05:12
        """,
        total="10.16",
        items=["0.49", "3.28", "5.97"],
        taxes=["0.42"],
        payments=["10.16"],
        change="0.00",
    ),
    "British pub": Printed(
        """
    THE GREEN MAN
    14 High Street, Oxford OX1 4AA
    VAT No 123 4567 89
    2 Fish & Chips          23.90
    1 Lemonade               2.95
    Sub Total              £26.85
    Service 12.5%           £3.36
    Total                  £30.21
    Card                   £30.21
    of which VAT @20%       £5.04
    Date 05/11/2023
        """,
        total="30.21",
        items=["23.90", "2.95"],
        taxes=["5.04"],
        payments=["30.21"],
    ),
    "Indonesian restaurant": Printed(
        """
    RUMAH MAKAN SEDERHANA
    Jl. Sudirman No. 45 Jakarta
    Tgl 12/08/2022 13:20
    Nasi Rendang        2 x 35.000     70.000
    Es Teh Manis        2 x 8.000      16.000
    Subtotal                           86.000
    Service 5%                          4.300
    PB1 10%                             9.030
    Pembulatan                            -30
    Total                              99.300
    Tunai                             100.000
    Kembali                               700
        """,
        total="99300",
        items=["70000", "16000"],
        taxes=["9030"],
        payments=["100000"],
        change="700",
    ),
    "Kuwaiti cafe": Printed(
        """
    AL SALAM CAFE
    Date 12/03/2023
    Latte           KD 1.500
    Cake            KD 2.250
    Total           KD 3.750
    Cash            KD 5.000
    Change          KD 1.250
        """,
        total="3.750",
        items=["1.500", "2.250"],
        taxes=[],
        payments=["5.000"],
        change="1.250",
    ),
    "Swiss shop": Printed(
        """
    MIGROSMARKT
    Brot                  3.40
    Milch                 1.85
    Käse                 12.-
    Total CHF            17.25
    Bar                  20.-
    Rückgeld              2.75
        """,
        total="17.25",
        items=["3.40", "1.85", "12"],
        taxes=[],
        payments=["20"],
        change="2.75",
    ),
    "Indian restaurant": Printed(
        """
    SPICE HOUSE
    GSTIN 29ABCDE1234F1Z5
    Bill No 221  Date 04/05/2023
    Item           Qty  Rate   Amount
    Paneer Tikka     1  220.00  220.00
    Naan             4   40.00  160.00
    Sub Total                   380.00
    CGST 2.5%                     9.50
    SGST 2.5%                     9.50
    Round Off                     0.00
    Grand Total                ₹399.00
        """,
        total="399.00",
        items=["220.00", "160.00"],
        taxes=["9.50", "9.50"],
        payments=[],
    ),
    "Swedish shop": Printed(
        """
    ICA NÄRA
    Mjölk              14,90
    Bröd               29,95
    Att betala         44,85
    Kontokort          44,85
    Moms 12%            4,80
        """,
        total="44.85",
        items=["14.90", "29.95"],
        taxes=["4.80"],
        payments=["44.85"],
    ),
}


@pytest.mark.parametrize("name", RECEIPTS)
def test_receipt_of_a_country(name):
    printed = RECEIPTS[name]
    extraction = read(printed.text)
    receipt = extraction.receipt
    assert str(receipt.total) == printed.total
    assert extraction.marks["total"].marker == "certain"
    assert amounts(extraction) == printed.items
    assert [str(tax.amount) for tax in receipt.taxes] == printed.taxes
    assert [str(payment.amount) for payment in receipt.payments] == printed.payments
    assert (None if receipt.change is None else str(receipt.change)) == printed.change


def test_parts_of_a_restaurant_bill():
    american = read(RECEIPTS["US restaurant"].text).receipt
    assert (str(american.subtotal), str(american.tip)) == ("27.75", "6.00")
    assert american.currency == "USD"
    assert str(american.date) == "2024-03-09"
    assert american.taxes[0].included is False
    british = read(RECEIPTS["British pub"].text).receipt
    assert str(british.service) == "3.36"
    indonesian = read(RECEIPTS["Indonesian restaurant"].text).receipt
    assert (str(indonesian.service), str(indonesian.rounding)) == ("4300", "-30")
