"""Words of the rows around the items: titles, companies, addresses, dates. Data only; see ``phrases``.

Matched, as whole words, against text in lower case without accents.
"""

TITLE_WORDS = """
    simplified, tax, sale, sales, cash, official, guest, customer, duplicate, copy, original, reprint,
    rechnung, kassenbon, bon, quittung, beleg, invoice, receipt, bill, check, ticket, facture, recu,
    welcome, to, willkommen, bienvenue, selamat, datang, struk, nota, kwitansi, thank, you, terima,
    kasih, the, a, and, faktura, scontrino, factura, page, no, number, gst, order, table, date
"""
"""A row of nothing but these names the paper, not the shop."""

COMPANY_WORDS = """
    sdn, bhd, berhad, enterprise, trading, gmbh, ltd, limited, inc, llc, corp, pte, plc, tbk, sarl, srl,
    bv, nv
"""
"""Forms of companies: a row near the top that has one is the shop's name."""

ADDRESS_WORDS = """
    jalan, jln, jl, lot, no, lorong, taman, tmn, kg, kampung, bandar, persiaran, lebuh, street, st,
    road, rd, avenue, ave, lane, ln, drive, dr, blvd, strasse, str, weg, platz, allee, rue, place, via,
    viale, piazza, calle, plaza, square, floor, level, unit, block, blk, suite, ste, building, kuala
    lumpur, selangor, johor, penang, pahang, perak, sabah, sarawak, malaysia, singapore, jakarta,
    bandung, mall, high, wisma, pusat, seksyen, section, complex, kompleks, ground
"""

OTHER_HEADER_WORDS = """
    tel, telp, telefon, phone, fax, hp, mobile, gst, vat, sst, reg, roc, ust, steuernr, npwp, siret,
    tva, email, e mail, com, www, http, invoice, receipt, date, cashier, operator, company no, co no, co reg,
    br no, brn, id no, bill, table, document, cif,
    nif, p iva, piva, hotline, whatsapp, order
"""
"""What stands in the header beside name and address."""

DAY_FIRST_WORDS = """
    gst, vat, sst, mwst, ust, tva, iva, btw, ppn, npwp, bhd, jalan, jln, lorong, taman, selangor, kuala
    lumpur, jakarta, tunai, jumlah, kembali, terima kasih, summe, datum, quittung, merci, gracias,
    grazie, bedankt, total ttc, strasse
"""
"""Taxes, places and words of countries that print the day before the month."""

DATE_WORDS = "date, datum, tanggal, tgl, tarikh, fecha, data, dato, bill start, inv no date"

OTHER_DATE_WORDS = """
    expiry, expires, expired, expire, valid, until, gultig, bis, due, birth, exp, best before, delivery,
    closed, gst effective, effective, return by, from, berlaku, since
"""
"""A date named so is not the day of the sale."""

NUMBER_WORDS = """
    tax invoice, invoice, inv, receipt, rcpt, bill, document, doc, bon, beleg, rechnung, rechnungs,
    transaction,
    trans, struk, nota, ticket, check, cash sale, ref, facture, ricevuta, factura, trx, order
"""
