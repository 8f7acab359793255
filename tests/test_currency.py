import pytest

from robustocr.currency import currency_of, find_currency


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        (["TOTAL RM 9.00"], "MYR"),
        (["Rp.56.000"], "IDR"),
        (["£23.95"], "GBP"),
        (["12,50 €", "EUR"], "EUR"),
        (["₩6900"], "KRW"),
        (["KD 3.479"], "KWD"),
        (["$12.50"], None),
        (["$12.50", "USD"], "USD"),
        (["S$12.50"], "SGD"),
        (["US$12.50"], "USD"),
        (["¥6,900"], None),
        (["¥6,900", "ありがとう"], "JPY"),
        (["¥69.00", "元"], "CNY"),
        (["kr 12,50"], None),
        (["Rs. 120"], None),
        (["₹120"], "INR"),
        (["€5", "£5"], None),
        (["€5", "€6", "£5"], "EUR"),
        (["FARM SHOP", "ALARM 5"], None),
        (["AEON CO. (M) BHD (126926-H)", "ACME SDN BHD", "SDN. BHD 12"], None),
        (["BHD 3.500"], "BHD"),
        (["3.500 BHD"], "BHD"),
        (["TRY OUR CAKES", "we try 2"], None),
        (["DT 12/02/2018"], None),
        ([], None),
    ],
)
def test_the_printed_currency(texts, code):
    assert find_currency(texts) == code


def test_codes_and_signs():
    assert currency_of("rm") == "MYR"
    assert currency_of("eur") == "EUR"
    assert currency_of("$") is None
    assert currency_of("XYZ") is None
