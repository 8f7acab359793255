from robustocr.records import Mark, OutcomeKind
from tests.scored_case import TRUTH, outcomes


def test_items_in_another_order_keep_the_truth_index():
    read = {**TRUTH, "items": [TRUTH["items"][1], {**TRUTH["items"][0], "amount": "8.00"}]}
    scored = outcomes(read, marks={"items[0].amount": Mark(score=0.7, text="19.90")})
    first, second = scored["items[0].amount"], scored["items[1].amount"]
    assert (first.read_field, first.truth, first.value) == ("items[1].amount", "9.00", "8.00")
    assert first.outcome == OutcomeKind.WRONG
    assert first.silent
    assert (second.read_field, second.outcome) == ("items[0].amount", OutcomeKind.CORRECT)
    assert (second.text, second.score) == ("19.90", 0.7)
    assert scored["items[0].quantity"].outcome == OutcomeKind.CORRECT
    assert scored["items"].outcome == OutcomeKind.WRONG
    assert scored["items"].value == "19.90, 8.00"


def test_a_flag_on_the_item_read_counts_for_the_true_item():
    read = {**TRUTH, "items": [TRUTH["items"][1], {**TRUTH["items"][0], "amount": "8.00"}]}
    scored = outcomes(read, suspects=("items[1].amount",))
    assert scored["items[0].amount"].flagged_by_rules
    assert not scored["items[1].amount"].flagged_by_rules
    assert scored["items"].flagged_by_rules
    assert scored["document"].flagged_by_rules
    assert not scored["document"].silent


def test_a_wrong_quantity_makes_the_items_wrong():
    read = {**TRUTH, "items": [{**TRUTH["items"][0], "quantity": "3"}, TRUTH["items"][1]]}
    scored = outcomes(read)
    assert scored["items[0].quantity"].outcome == OutcomeKind.WRONG
    assert scored["items[0].amount"].outcome == OutcomeKind.CORRECT
    assert scored["items"].outcome == OutcomeKind.WRONG


def test_an_item_left_out():
    scored = outcomes({**TRUTH, "items": TRUTH["items"][:1]})
    assert scored["items[1].amount"].outcome == OutcomeKind.MISSED
    assert scored["items[1].amount"].read_field is None
    assert scored["items"].outcome == OutcomeKind.WRONG
    assert scored["items"].silent
    asked = outcomes({**TRUTH, "items": TRUTH["items"][:1]}, review=("items",))
    assert asked["items[1].amount"].outcome == OutcomeKind.ABSTAINED
    assert not asked["items"].silent


def test_a_doubt_about_another_item_does_not_excuse_the_one_left_out():
    scored = outcomes({**TRUTH, "items": TRUTH["items"][:1]}, review=("items[0].amount",))
    assert scored["items[1].amount"].outcome == OutcomeKind.MISSED
    assert not scored["items[1].amount"].flagged_by_reader


def test_an_item_made_up():
    extra = {"name": "Umbrella", "amount": "5.00"}
    scored = outcomes({**TRUTH, "items": [*TRUTH["items"], extra]})
    assert scored["items"].outcome == OutcomeKind.WRONG
    assert scored["items[0].amount"].outcome == scored["items[1].amount"].outcome == OutcomeKind.CORRECT
    named = outcomes({**TRUTH, "items": [*TRUTH["items"], {"name": "no onions", "kind": "modifier"}]})
    assert named["items"].outcome == OutcomeKind.CORRECT


def test_a_blank_amount_is_missed_or_abstained():
    read = {**TRUTH, "items": [{"name": "Flat white", "quantity": "2"}, TRUTH["items"][1]]}
    assert outcomes(read)["items[0].amount"].outcome == OutcomeKind.MISSED
    assert outcomes(read)["items"].outcome == OutcomeKind.MISSED
    asked = outcomes(read, review=("items[0].amount",))
    assert asked["items[0].amount"].outcome == asked["items"].outcome == OutcomeKind.ABSTAINED


def test_unreadable_items():
    one = outcomes(TRUTH, marks={"items[1].amount": Mark(marker="unreadable")})
    assert one["items[1].amount"].outcome == one["items"].outcome == OutcomeKind.ABSTAINED
    assert one["items[0].amount"].outcome == OutcomeKind.CORRECT
    whole = outcomes({**TRUTH, "items": TRUTH["items"][:1]}, marks={"items": Mark(marker="unreadable")})
    assert whole["items"].outcome == whole["items[0].amount"].outcome == OutcomeKind.ABSTAINED


def test_no_items_read_and_none_printed():
    assert outcomes({**TRUTH, "items": []})["items"].outcome == OutcomeKind.MISSED
    assert outcomes({**TRUTH, "items": []}, review=("items",))["items"].outcome == OutcomeKind.ABSTAINED
    assert outcomes(TRUTH, {"items": []})["items"].outcome == OutcomeKind.INVENTED
    assert outcomes({}, {"items": []})["items"].outcome == OutcomeKind.CORRECT


def test_what_an_item_leaves_unlabelled():
    assert list(outcomes(TRUTH, {"items": [{"name": "Flat white"}], "total": "28.90"})) == [
        "total",
        "document",
    ]
    free = {"items": [{"name": "Tea", "amount": "3.00"}, {"name": "Napkin", "amount": None}]}
    assert outcomes({"items": free["items"][:1]}, free)["items"].outcome == OutcomeKind.CORRECT
    read = {"items": [free["items"][0], {"name": "Napkin", "amount": "1.00"}]}
    assert outcomes(read, free)["items[1].amount"].outcome == OutcomeKind.INVENTED
    assert outcomes(read, free)["items"].outcome == OutcomeKind.WRONG
