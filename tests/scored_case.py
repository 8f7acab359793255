"""One receipt's truth, and what scoring makes of an answer to it."""

from robustocr.records import Case, Extraction, Receipt, Suspect, Verdict
from robustocr.scoring import score

CASE = Case(sample_id="r1", corruption="tilt", severity=3, seed=7)
TRUTH = {
    "merchant": "Blue Door Cafe",
    "date": "2026-03-14",
    "items": [
        {"name": "Flat white", "quantity": "2", "amount": "9.00"},
        {"name": "Lunch plate", "amount": "19.90"},
    ],
    "taxes": [{"amount": "2.48"}, {"amount": "2.48"}],
    "tip": None,
    "total": "28.90",
}


def outcomes(read, truth=TRUTH, *, marks=None, review=(), error=None, suspects=(), status="closes", **more):
    extraction = Extraction(receipt=Receipt(**read), marks=marks or {}, review=review, error=error)
    verdict = Verdict(status=status, suspects=[Suspect(field=name) for name in suspects])
    scored = score(extraction, Receipt(**truth), verdict, case=CASE, adapter="a", **more)
    assert len({o.field for o in scored}) == len(scored)
    return {o.field: o for o in scored}
