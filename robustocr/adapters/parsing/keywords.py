"""What printed words say about a row: tables of keywords in a dozen languages. Data only.

Patterns are matched against ``words.plain_words`` of a row: lower case, no accents, words parted by
one space, numbers and punctuation gone, recognition slips put right. The first that matches wins.
"""

from __future__ import annotations

from enum import StrEnum


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


_TOTAL_WORD = (
    r"(?:total|totaal|totale|totals|totaux|summe|gesamt|gesamtsumme|gesamtbetrag|endsumme|endbetrag|jumlah|suma"
    r"|razem|celkem|sum|somme|importe|importo|amount|amt|betrag|bedrag|montant|bayaran)"
)
_NET_OF_TAX = (
    r"(?:excl|excluding|exclusive|exclude|excludes|before|ohne|exkl|sans|sin|hors|ht|zzgl|excl gst|wo|w o|without"
    r"|sebelum|imponibile|netto|nettosumme|taxable|neto)"
)
_WITH_TAX = r"(?:incl|including|inclusive|include|includes|inc|inkl|ttc|after|inclusief|incluido|compresa|termasuk|selepas)"
_TAX_WORD = (
    r"(?:tax|taxes|gst|vat|sst|mwst|ust|mehrwertsteuer|umsatzsteuer|steuer|tva|iva|btw|pajak|ppn|pb|pbi|moms|cukai|hst|pst|qst"
    r"|cgst|sgst|igst|vatable|dph|ptu|dont tva|taxe|taxa|impuesto|imposta|pd)"
)

ROLE_PATTERNS: tuple[tuple[Role, float, str], ...] = (
    # what only looks like a sum
    (Role.COUNT, 0, r"\b(?:total|no of|number of|jumlah|jml|anzahl|ttl|nombre d|nbre)\s(?:of )?(?:qty|quantity|item|items|item s|pcs|pieces|units?|artikel|articles?|barang|no|sold|count|product|products|posten|positionen|stueck|articoli|articulos|line)\b"),
    (Role.COUNT, 0, r"^(?:qty|quantity|qty s|qtys|item s|items|items sold|item count|no items|articles|articulos|articoli|artikel|anzahl artikel|posten|total items)(?: sold| purchased| count| total)?$"),
    (Role.COUNT, 0, r"^(?:total )?(?:item s?|items|qty) (?:sold|purchased|count)"),
    (Role.NOTE, 0, r"\b(?:total|you|u|have|your|ihre?|sie haben|anda) (?:save|saved|saving|savings|hemat|ersparnis|gespart|sparen)\b|\bsavings?\b|\bersparnis\b|\bgespart\b|\beconomies?\b|\bahorro\b|\bhemat\b"),
    (Role.NOTE, 0, r"\b(?:points?|point|punkte|poin|mata|loyalty|payback|rewards?|stamps?|bonus|treuepunkte)\b"),
    (Role.NOTE, 0, r"\b(?:suggested|suggestion|recommended|gratuity guide|tip guide|vorschlag)\b"),
    (Role.NOTE, 0, r"\b(?:opening|previous|available|card|current|old|new|remaining|sisa|akhir|awal) (?:balance|bal|saldo|guthaben)\b"),
    (Role.NOTE, 0, r"\bexchange rate\b|\bkurs\b"),
    # change before total: "change due", "total change"
    (Role.CHANGE, 0, r"\b(?:change|changed|change due|kembalian|kembali|ruckgeld|rueckgeld|wechselgeld|zuruck|rendu|monnaie|cambio|resto|wisselgeld|baki|troco|vuelto|reszta|balance change|cash back due|restgeld|retour|zurueck|terug|susuk)\b"),
    (Role.ROUNDING, 0, r"^(?!.*\brounded\b)(?!.*\bafter\b)(?!.*\bincl\w* round).*\b(?:rounding|round|rnd|rndg|roundg|bulat|pembulatan|pelarasan|penggenapan|rundung|rundungsdifferenz|arrondi|redondeo|arrotondamento|afronding|rounding adj|round adj|arredondamento|oresavrundning|avrundning)\b"),
    (Role.TIP, 0, r"\b(?:tip|tips|gratuity|trinkgeld|pourboire|propina|mancia|fooi|gorjeta)\b"),
    (Role.SERVICE, 0, rf"^(?!.*\b(?:total|customer|no|self|tax invoice|incl)\b).*\b(?:service|svc|serv|srv|layanan|servis|bedienung|servicio|servizio|coperto|bediening|perkhidmatan) ?(?:charge|charges|chg|chrg|chrge|charg|chrge|fee|tax|crg|caj|entgelt|incl|opt|optional)?$"),
    (Role.SERVICE, 0, r"\b(?:service|svc|srvc|serv) (?:charge|charges|chg|chrg|charg|chrge|fee|crg)\b|^coperto\b|^biaya layanan\b|\bserv chg\b|\bcaj perkhidmatan\b"),
    # subtotals
    (Role.SUBTOTAL, 0, r"\b(?:sub|zwischen|sous|soux|tussen|parz|zw) ?(?:total|totals|totaal|summe|ttl|tot|tota|tofal|totale)\b|\b(?:subtotal|subtotaal|subtotale|sousttotal|soustotal|zwischensumme|zwsumme|zwischentotal|mezisoucet|subttl|subtot|subtl|sbtotal|stotal|s total|tussentotaal|totale parziale|base imponible|delsumma)\b"),
    (Role.SUBTOTAL, 0, rf"\b{_TOTAL_WORD}\b.*\b{_NET_OF_TAX}\b|\b{_NET_OF_TAX}\b.*\b{_TOTAL_WORD}\b"),
    (Role.SUBTOTAL, 0, r"\b(?:items?|food|beverage|drinks|merchandise|goods|gross|harga jual|dpp) (?:total|subtotal|amount)\b|^(?:harga jual|dpp|gross|total gross|gross amount|gross total|taxable|taxable amount|total ht|warenwert|net sales|netto|netto betrag|nettobetrag|nettosumme|net amount excl)$"),
    # table headings
    (Role.TABLE, 0, r"\b(?:qty|quantity|kuantiti|menge|anz|qte|quant|cant|hoeveelheid|aantal)\b.*\b(?:price|amount|amt|total|item|desc\w*|harga|preis|prix|rm|u price|unit|description|prezzo|precio|importe|jumlah|disc)\b|\b(?:item|items|desc|description|artikel|artikelname|particulars?|bezeichnung|produit|product|code|name|no)\b.*\b(?:qty|quantity|price|amount|amt|harga|preis|prix|precio|prezzo|menge|quantite|tax)\b"),
    (Role.TAX_TABLE, 0, rf"\b{_TAX_WORD}(?: \w+)? (?:summary|analysis|breakdown|analyse|rate amount|code|codes|details?|ringkasan)\b|\b(?:summary|analysis) of {_TAX_WORD}\b"),
    (Role.TAX_TABLE, 0, r"^(?!.*\btotal\b)(?:.*\bnetto\b.*\b(?:mwst|ust|steuer|brutto)\b|\b(?:mwst|ust|steuer|taux|aliquota|btw|tva|vat|tax|gst)\b.*\b(?:netto|net|ht|brutto|ttc|gross|goods|amt|amount|imponibile|bruto|base)\b.*|\b(?:amt|amount|goods|net|base)\b(?: rm)? (?:\w )?(?:tax|gst|vat|sst)\b(?: rm| amt| amount)*$)"),
    # totals
    (Role.DISCOUNT, 0, r"\b(?:discount|discounts|disc|dis|diskon|disk|diskaun|rabatt|nachlass|remise|descuento|sconto|korting|potongan|promo|promotion|voucher discount|coupon|coupons|aktionsrabatt|desconto|rebate|sale discount|less|preisvorteil|member disc|bon de reduction|reduction|reduccion|void|storno|deal saving|loyalty discount|tpd|staff disc)\b"),
    (Role.TOTAL, 3.0, rf"\b(?:grand|grnd|final|nett?|rounded|bill|invoice|general|gross|overall) (?:{_TOTAL_WORD}|ttl)\b(?! {_TAX_WORD})|\bgrandtotal\b|\bnettotal\b|\b(?:total|totale|totaal|totaux|amount|amt|balance|bal|sum|net) (?:due|payable|to pay|topay|a payer|apayer|a pagar|complessivo|generale|general|besar|bayar|belanja|bayaran|paye|te betalen|betalen|akhir|tagihan|harus dibayar|owing|owed|invoice|bill|amt due|amount due)\b"),
    (Role.TOTAL, 3.0, r"\b(?:zu zahlen|zahlbetrag|zu bezahlen|a payer|net a payer|a pagar|da pagare|te betalen|yang harus dibayar|harus dibayar|amount due|payment due|pay this amount|please pay|due amount|amount payable|payable amount|total payable|jumlah perlu dibayar|jumlah bayaran|jumlah besar|balance due|balance to pay|att betala|to pay|gesamtbetrag|endbetrag|endsumme|gesamtsumme|rechnungsbetrag|montant du|total ttc|rounded amount|total cash sales?|net payable|amount to pay|dine in total|take ?away total|order total|total order)\b"),
    (Role.TOTAL, 2.8, rf"\b{_TOTAL_WORD}\b.*\b{_WITH_TAX}\b|\b{_WITH_TAX}\b.*\b{_TOTAL_WORD}\b"),
    (Role.TAX, 0, rf"^(?:total |plus |add |incl |includes |including |inkl |dont |waarvan |davon |of which |enthaltene |di cui )?(?:\w+ )?{_TAX_WORD}\b|\b(?:total|incl|includes?|including|inclusive|inkl|dont|davon|waarvan|plus|of which|sales|local|state|city|county) {_TAX_WORD}\b|\b{_TAX_WORD} (?:amount|amt|total|included|incl|payable|rm|of|at|summary total|charge)\b|\bpb ?i\b|\bp rest\b|\bpajak restoran\b|\bzero rated\b"),
    (Role.PAYMENT, 0, r"\b(?:total |amount |amt |jumlah |total amount )?(?:cash|tendered|tender|tendered amount|paid|received|collected|tunai|bayar|bayaran diterima|dibayar|gegeben|bargeld|barzahlung|contanti|efectivo|especes|contant)\b.*\b(?:received|tendered|tender|paid|amount)\b"),
    (Role.PAYMENT, 0, r"^(?:rm |eur |total |amount |amt |jumlah |bayar |payment |paid |by |via |pay |less |card |kartu |others? )*(?:cash|tendered|tender|visa|vsa|mastercard|master|amex|american express|maestro|debit|credit|debet|kredit|card|credit card|debit card|debet card|bank card|kreditkarte|karte|kartenzahlung|ec karte|ec cash|ec|girocard|giro|girocard elv|bar|bargeld|barzahlung|gegeben|geg bar|tunai|bayar|bayar tunai|pembayaran|payment|paid|paid amount|amount paid|tot paid|contanti|bancomat|efectivo|tarjeta|carte|carte bancaire|cb|especes|contant|pin|pinnen|edc|bca|bni|bri|mandiri|cimb|gopay|go pay|ovo|dana|linkaja|grabpay|grab pay|boost|touch n go|tng|paypal|apple pay|alipay|wechat|cheque|check|gift card|voucher|gutschein|numerario|cash payment|uang|uang tunai|dibayar|received|cash received|cash tendered|mydebit|nets|paywave|contactless|swish|dankort|kontant|carta|bankkort|kort|betaald|given|jumlah bayar|uang muka|cash in|flazz|e money|emoney|qris|shopeepay|multibanco|hotovost|gotowka|money)\b"),
    (Role.PAYMENT, 0, r"\b(?:credit card|debit card|debet card|visa|mastercard|master card|maestro|girocard|cash tendered|cash received|ec cash|bank card|amount tendered|tunai)\b"),
    (Role.CHARGE, 0, r"\b(?:delivery|packaging|packing|take ?away|takeaway|plastic bag fee|bag fee|carrier bag|pfand|leergut|deposit|consigne|statiegeld|donation|spende|surcharge|handling|shipping|postage|delivery charge|corkage|kemasan|ongkir|biaya|eco fee|crv|cover charge)\b"),
    (Role.TOTAL, 2.4, r"\b(?:total|totaal|totale|summe|jumlah|gesamt|totals|totaux|suma|razem|celkem|ttl|totalbetrag)\b"),
    (Role.TOTAL, 1.2, r"^(?:amount|amt|balance|betrag|bedrag|importe|importo|montant|net|nett|sum|due|net amount|nett amount|total amount|bal|somme|nominal|jml|charge total|tagihan|eur)(?: rm| rp| eur| myr| usd| idr| sgd| gbp| due)*$"),
)  # fmt: skip
"""(role, weight of a total, pattern), most specific first."""

CURRENCY_WORDS = (
    "rm",
    "rp",
    "eur",
    "usd",
    "myr",
    "idr",
    "gbp",
    "sgd",
    "chf",
    "aud",
    "inr",
    "kr",
    "sek",
    "dkk",
)
"""Words that stand beside amounts and say nothing about the row."""
