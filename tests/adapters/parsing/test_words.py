import pytest

from robustocr.adapters.parsing.keywords import Role
from robustocr.adapters.parsing.words import find_role, plain_words

ROLES = {
    Role.TOTAL: [
        "TOTAL", "Grand Total", "T0TAL RM", "TOTALAMOUNT:", "Total Sales (Inclusive of GST)",
        "TOTAL AMT PAYABLE",
        "Balance due", "Payment due", "Amount", "SUMME EUR", "zu zahlen", "Zu zahlender Betrag",
        "Gesamtbetrag",
        "Jumlah", "Total Belanja", "Net à payer", "TOTAL TTC", "Importe total", "Totale complessivo",
        "Te betalen", "ROUNDED TOTAL (RM)", "Amount due", "TOTL",
    ],
    Role.SUBTOTAL: [
        "Subtotal", "SUB-TOTAL", "Sub Tofal", "SubTulal:", "Zwischensumme", "Sous-total", "Subtotaal",
        "TOTAL SALES (EXCLUDING GST)", "Total excl. VAT", "Total HT", "Total before tax",
    ],
    Role.TAX: [
        "GST 6%", "Sales tax", "TOTAL GST", "MwSt 19%", "TVA 20%", "PB1 (10%)", "PPN",
        "GST @6% INCLUDED IN TOTAL",
        "VAT amount", "Pajak Resto", "BTW 21%", "IVA 10%",
    ],
    Role.SERVICE: ["Service Charge 10%", "Service chrg", "SVC CHG", "Biaya layanan", "Service"],
    Role.TIP: ["Tip", "Gratuity", "Trinkgeld", "Pourboire"],
    Role.ROUNDING: ["Rounding Adj", "ROUNDING ADJUSTMENT", "Pembulatan", "Rundungsdifferenz", "Round off"],
    Role.DISCOUNT: ["Discount", "DISKON (20%)", "Rabatt", "Remise", "Staff disc", "Coupon"],
    Role.PAYMENT: ["CASH", "Pay Cash", "Visa ending 1234", "TUNAI", "Geg. BAR", "Barzahlung", "Kartenzahlung",
                   "Cash tendered", "EDC BCA", "Espèces", "Efectivo"],
    Role.CHANGE: ["CHANGE", "Change due", "Kembalian", "Rückgeld", "Rendu", "Wechselgeld", "CG"],
    Role.COUNT: ["TOTAL QTY: 5", "Item(s): 3", "ITEM(S) : 1  QTY(S) : 1", "Posten: 4", "Anzahl Artikel 17",
                 "No. of items", "Total Item: 3"],
    Role.NOTE: ["You saved", "Total savings", "Suggested tip 15%", "PAYBACK Punkte", "Available balance"],
    Role.TABLE: ["ITEM  QTY  PRICE  AMOUNT", "Description Qty U.Price", "Menge Preis"],
    Role.TAX_TABLE: ["GST SUMMARY  AMOUNT(RM)  TAX(RM)", "MWST Netto Brutto", "VAT rate Net VAT Gross"],
    None: ["Balance bread", "Fried rice", "Serviette", "Cashew nuts", "Tipo 00 flour", "Taxco silver",
           "7-ELEVEN"],
}  # fmt: skip


@pytest.mark.parametrize(("role", "text"), [(role, text) for role, texts in ROLES.items() for text in texts])
def test_role_of_a_row(role, text):
    assert find_role(text)[0] == role


def test_plainer_words_weigh_more_for_a_total():
    assert find_role("Grand total")[1] > find_role("Total")[1] > find_role("Amount")[1] > 0


def test_plain_words_have_no_accents_numbers_or_punctuation():
    assert plain_words("Rückgeld: EUR 5,00*") == "ruckgeld eur"
    assert plain_words("--- 12.50 ---") == ""


@pytest.mark.parametrize(
    "name",
    [
        "GROUND BEEF 85%",
        "EXTERIOR PAINT 1GL",
        "Bayam goreng",
        "Mandarin cake",
        "500 days of summer",
        "Pound cake",
    ],
)
def test_goods_one_slip_away_from_a_keyword_are_goods(name):
    assert find_role(name) == (None, 0.0)
