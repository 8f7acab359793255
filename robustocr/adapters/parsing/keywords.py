"""What printed words say about a row: tables of phrases in a dozen languages. Data only.

Phrases are matched, as whole words, against ``words.plain_words`` of a row: lower case, no accents
(``ß`` is ``ss``), words parted by one space, numbers and punctuation gone, recognition slips put right.
The first rule that matches decides, so what only looks like a total comes before the totals.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Role(StrEnum):
    """What a row is about."""

    SUBTOTAL = "subtotal"
    TOTAL = "total"
    TAX = "tax"
    SERVICE = "service"
    TIP = "tip"
    ROUNDING = "rounding"
    DISCOUNT = "discount"
    CHARGE = "charge"
    PAYMENT = "payment"
    CHANGE = "change"
    COUNT = "count"
    TABLE = "table"
    TAX_TABLE = "tax_table"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One of ``phrases`` must stand in the row: anywhere, at its start, or as all of it (currencies aside).

    ``lead``: words that may stand before a start. ``also``: phrases of which one must stand in the row too;
    ``unless``: phrases none of which may. ``weight``: for a total, how plainly it is one (1 to 3); for a
    discount, 1 where the word alone says so and 0 where it needs a minus sign.
    """

    role: Role
    phrases: str
    weight: float = 0.0
    where: Literal["any", "start", "whole"] = "any"
    lead: str = ""
    also: str = ""
    unless: str = ""


CURRENCY_WORDS = "rm, rp, eur, euro, usd, myr, idr, gbp, sgd, chf, aud, inr, kr, sek, dkk"
"""Words that stand beside amounts and say nothing about the row."""

_SUM = """
    total, totals, totaal, totale, totaux, summe, gesamt, gesamtsumme, gesamtbetrag, endsumme, endbetrag,
    jumlah, suma, razem, celkem, sum, somme, importe, importo, amount, amt, betrag, bedrag, montant, bayaran
"""
_TAX = """
    tax, taxes, gst, vat, sst, mwst, ust, mehrwertsteuer, umsatzsteuer, steuer, tva, iva, btw, pajak, ppn, pb,
    pbi, moms, cukai, hst, pst, qst, cgst, sgst, igst, dph, ptu, taxe, impuesto, imposta, pd
"""
_WITHOUT = """
    excl, excluding, exclusive, exclude, excludes, before, ohne, exkl, sans, sin, hors, ht, zzgl, without,
    sebelum, imponibile, taxable, wo, w o
"""
_WITH = """
    incl, including, inclusive, include, includes, inc, inkl, ttc, after, inclusief, incluido, compresa,
    termasuk, selepas
"""
_PIECES = """
    qty, quantity, quantities, item, items, item s, artikel, article, articles, barang, no, sold, count,
    product, products, posten, positionen, articulos, articoli, qt y
"""

_LOOK_ALIKES = (
    Rule(role=Role.COUNT, where="start",
         phrases="total, no of, number of, jumlah, jml, anzahl, ttl, nombre d, nbre",
         also="""
        total qty, total quantity, total item, total items, total pcs, total pieces, total unit, total
        units, total artikel, total articles, total article, total barang, total no, total sold, total
        product, total products, total line, total count, no of items, no of item, number of items, no
        of qty, jumlah item, jumlah barang, jml item, jml barang, anzahl artikel, anzahl posten, ttl
        qty, ttl item, ttl items, nombre d articles, nbre articles, no of articles, number of articles,
        jumlah qty
    """),
    Rule(role=Role.COUNT, where="whole", phrases=_PIECES + """
        , qty s, qtys, items sold, item count, qty count, item s qty s, item qty s, items qty, total qty
        s, items purchased, no items, number items, item sold
    """),
    Rule(role=Role.NOTE, phrases="""
        you save, you saved, u save, you have saved, your saving, your savings, total saving, total
        savings, total saved, savings, saving, anda hemat, hemat, ersparnis, gespart, economies, ahorro,
        ihr vorteil
    """),
    Rule(role=Role.NOTE, phrases="""
        point, points, punkte, poin, mata, loyalty, payback, reward, rewards, stamp, stamps, bonus,
        treuepunkte, suggested, suggestion, recommended, gratuity guide, tip guide, exchange rate, kurs,
        einzelpreis, stuckpreis, stueckpreis, grundpreis, prix unitaire, precio unitario
    """),
    Rule(role=Role.NOTE, phrases="""
        opening balance, previous balance, available balance, card balance, current balance, old
        balance, new balance, remaining balance, sisa saldo, saldo akhir, saldo awal, restguthaben,
        neues guthaben
    """),
    Rule(role=Role.CHANGE, unless="exchange", phrases="""
        change, changed, balance change, change due, cash back due, kembalian, kembali, uang kembali,
        susuk, baki, ruckgeld, rueckgeld, wechselgeld, zuruck, zurueck, restgeld, rendu, monnaie, a
        rendre, cambio, vuelto, wisselgeld, retour, terug, troco, reszta
    """),
    Rule(role=Role.CHANGE, where="whole", phrases="cg, chg, resto"),
    Rule(role=Role.ROUNDING, unless="rounded, after, incl rounding, including rounding", phrases="""
        rounding, round, rnd, rndg, roundg, round adj, rounding adj, rounding adjustment, pembulatan,
        bulat, pelarasan, penggenapan, rundung, rundungsdifferenz, arrondi, redondeo, arrotondamento,
        afronding, arredondamento, avrundning, oresavrundning
    """),
    Rule(role=Role.TIP, phrases="tip, tips, gratuity, trinkgeld, pourboire, propina, mancia, fooi, gorjeta"),
    Rule(role=Role.SERVICE, unless="total, customer", phrases="""
        service charge, service charges, service chg, service chrg, service chrge, service charg,
        service fee, service crg, svc charge, svc chg, svc chrg, svc, srvc charge, serv charge, serv
        chg, serv chrg, srv chg, optional service, biaya layanan,
        layanan, caj perkhidmatan, bedienung, bediening,
        coperto, servizio, servicio, service tax
    """),
    Rule(role=Role.SERVICE, where="whole", phrases="service, servis, svc, serv, service incl, service opt"),
)  # fmt: skip

_SUBTOTALS = (
    Rule(role=Role.SUBTOTAL, phrases="""
        subtotal, sub total, sub totals, sub ttl, sub tot, sub tota, subttl, subtot, subtl, sbtotal,
        stotal, s total, zwischensumme, zw summe, zwsumme, zwischentotal, sous total, soustotal, sous
        totaux, subtotale, sub totale, subtotaal, sub totaal, tussentotaal, totale parziale, base
        imponible, delsumma, mezisoucet, total ht, total hors taxe, total hors taxes, montant ht, total
        sebelum pajak
    """),
    Rule(role=Role.SUBTOTAL, phrases=_SUM, also=_WITHOUT),
    Rule(role=Role.SUBTOTAL, phrases="""
        item total, items total, food total, beverage total, drinks total, merchandise total, goods
        total, total merchandise, item subtotal, merchandise subtotal, net sales, total gross
    """),
    Rule(role=Role.SUBTOTAL, where="whole", phrases="""
        harga jual, dpp, gross, gross amount, gross total, taxable amount, warenwert, netto,
        nettobetrag, netto betrag, nettosumme, netto summe
    """),
)  # fmt: skip

_TABLES = (
    Rule(role=Role.TABLE,
         phrases="qty, quantity, kuantiti, menge, anz, qte, quant, cant, hoeveelheid, aantal, qnt",
         also="""
        price, amount, amt, total, item, desc, description, harga, preis, prix, rm, u price, unit,
        prezzo, precio, importe, jumlah, disc, code, tax,
        prijs, bedrag, omschrijving
    """),
    Rule(role=Role.TABLE, phrases="""
        item, items, desc, description, artikel, artikelname, particular, particulars, bezeichnung,
        produit, product, code, name, no
    """, also="qty, quantity, price, amount, amt, harga, preis, prix, precio, prezzo, menge, quantite",
         unless=_TAX + ", total"),
    Rule(role=Role.TAX_TABLE, phrases="""
        gst summary, tax summary, vat summary, sst summary, gst analysis, vat analysis, tax analysis,
        tax breakdown, tax code, tax codes, vat rate, vat code, tax rate, tax details, summary of gst,
        tax gst summary, vat breakdown, gst code, ringkasan gst, gst tax summary, gst details, tax rate
        amount, gst rate
    """),
    Rule(role=Role.TAX_TABLE, phrases="netto, net, ht, imponibile, nett, base, goods",
         also="mwst, ust, steuer, brutto, tva, iva, btw, vat, aliquota, ttc, bruto, gross",
         unless="total, summe, amount"),
    Rule(role=Role.TAX_TABLE, where="whole", phrases="""
        amt rm tax rm, amount rm tax rm, amount rm gst rm, amt tax, amount tax, amount gst, code amount
        tax amt, code amount tax, amount tax amt, amount rm tax, goods amount tax, item amount tax
    """),
)  # fmt: skip

_DISCOUNTS = (
    Rule(role=Role.DISCOUNT, weight=1, phrases="""
        discount, discounts, disc, diskon, disk, diskaun, rabatt, nachlass, remise, descuento, sconto,
        korting, potongan, aktionsrabatt, desconto, rebate, preisvorteil, bon de reduction, storno,
        staff disc, member disc, voucher discount, deal saving
    """),
    Rule(role=Role.DISCOUNT,
         phrases="promo, promotion, coupon, coupons, less, reduction, reduccion, void, voucher"),
)  # fmt: skip

_TOTALS = (
    Rule(role=Role.TOTAL, weight=3, unless=_TAX, phrases="""
        grand total, grandtotal, grnd total, grand ttl, final total, net total, nett total, nettotal,
        rounded total, bill total, invoice total, general total, overall total, order total, total
        order, dine in total, take away total, takeaway total, total after rounding, total rounded,
        total net, total nett
    """),
    Rule(role=Role.TOTAL, weight=3, phrases="""
        total due, total payable, total to pay, total amt payable, total amount payable, total amount
        due, total amt due, amount due, amt due, amount payable, amt payable, payable amount, due
        amount, payment due, balance due, bal due, balance to pay, amount to pay, please pay, pay this
        amount, to pay, net payable, total invoice, total bill, total bayar, total belanja, total
        bayaran, total tagihan, total akhir, jumlah besar, jumlah bayaran, jumlah perlu dibayar, harus
        dibayar, total owed, rounded amount, total cash sale, total cash sales, grand amount
    """),
    Rule(role=Role.TOTAL, weight=3, phrases="""
        zu zahlen, zu bezahlen, zu zahlender betrag, zahlbetrag, gesamtbetrag, endbetrag,
        endsumme, gesamtsumme,
        rechnungsbetrag, total a payer, a payer, net a payer, total ttc, montant du, montant total,
        total general, a pagar, da pagare, total a pagar, totale complessivo, totale generale, te
        betalen, totaal te betalen, att betala
    """),
    Rule(role=Role.TOTAL, weight=2.8, phrases=_SUM, also=_WITH),
)  # fmt: skip

_PARTS = (
    Rule(role=Role.TAX, where="start", lead="""
        total, plus, add, incl, includes, including, inclusive, inkl, dont, waarvan, davon, of, which,
        enthaltene, di, cui, sales, local, state, city, county, restaurant, food, liquor, sr, zr,
        central, s, c
    """, phrases=_TAX),
    Rule(role=Role.TAX, phrases="""
        sales tax, state tax, city tax, local tax, county tax, restaurant tax, tax amount, gst amount,
        gst amt, tax amt, vat amount, vat amt, gst payable, gst included, gst incl, tax included, vat
        included, gst rm, total gst, total tax, total vat, pajak restoran, pajak resto, p rest, zero
        rated, pajak daerah, incl gst, incl vat
    """),
    Rule(role=Role.PAYMENT, phrases="""
        cash received, cash tendered, cash tender, cash paid, amount tendered, amt tendered, total
        tendered, amount received, tendered amount, paid amount, amount paid, amt paid, total paid,
        amount collected, total amount collected, tunai, credit card, debit card, debet card, bank card,
        visa, mastercard, master card, maestro, girocard, ec cash, ec karte, american express, gift
        card, tot paid, bayaran diterima
    """),
    Rule(role=Role.PAYMENT, where="start", lead="""
        rm, eur, total, amount, amt, jumlah, bayar, payment, paid, by, via, pay, card, kartu, other,
        others, geg, less
    """, phrases="""
        cash, tendered, tender, visa, mastercard, master, amex, debit, credit, debet, kredit, card,
        karte, kreditkarte, kartenzahlung, ec, giro, bar, bargeld, barzahlung, gegeben, bayar,
        pembayaran, payment, paid, contanti, bancomat, efectivo, tarjeta, carte, cb, especes, contant,
        pin, pinnen, edc, bca, bni, bri, mandiri, cimb, gopay, e wallet, ewallet, wallet,
        go pay, ovo, dana, linkaja, grabpay, grab
        pay, boost, touch n go, tng, paypal, apple pay, alipay, wechat, cheque, check, gutschein,
        numerario, uang, dibayar, received, mydebit, nets,
        paywave, contactless, swish, dankort, pagamento, contante, pago,
        paiement, zahlung, kontokort,
        kontant, carta, bankkort, kort, betaald, given, flazz, e money, emoney, qris, shopeepay,
        multibanco, money, sodexo, vsa, master, lash
    """),
    Rule(role=Role.CHARGE, phrases="""
        delivery, packaging, packing, take away, takeaway, bag fee, carrier bag, pfand, leergut,
        deposit, consigne, statiegeld, donation, spende, surcharge, handling, shipping, postage,
        corkage, kemasan, ongkir, biaya, eco fee, crv, cover charge, bottle deposit
    """),
)  # fmt: skip

_PLAIN_TOTALS = (
    Rule(role=Role.TOTAL, weight=2.4, phrases="""
        total, totals, totaal, totale, totaux, summe, jumlah, gesamt, suma, razem, celkem, ttl, totalbetrag
    """),
    Rule(role=Role.TOTAL, weight=2.0, where="whole", phrases="tl, tot, due, du, payable"),
    Rule(role=Role.TOTAL, weight=1.2, where="whole", phrases="""
        amount, amt, balance, bal, betrag, bedrag, importe, importo, montant, net, nett, sum, net
        amount, nett amount, total amount, somme, nominal, jml, charge total, tagihan, amount rm, amount
        due
    """),
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    *_LOOK_ALIKES, *_SUBTOTALS, *_TABLES, *_DISCOUNTS, *_TOTALS, *_PARTS, *_PLAIN_TOTALS,
)  # fmt: skip
"""All rules, first match first."""
