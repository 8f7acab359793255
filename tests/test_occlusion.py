import pytest

from robustocr.corruptions import corrupt
from robustocr.errors import NoPlaceError, RecipeError
from robustocr.occlusion import occlude
from robustocr.recipes import dump_corruption, parse_corruption
from tests.corruption_page import SUBTOTAL, TEXT_HEIGHT, TOTAL, text_page

PLACES = {"total": (TOTAL, (190.0, 8.0, 270.0, 28.0)), "subtotal": (SUBTOTAL,)}


def coverage(corruption, severity, seed=0):
    done = corrupt(
        text_page(), corruption, severity, seed=seed, sample_id="s", boxes=PLACES, text_height=TEXT_HEIGHT
    )
    return done.coverage


@pytest.mark.parametrize("seed", range(5))
def test_all_of_a_field_is_hidden_at_every_place_and_nothing_of_another(seed):
    found = coverage(occlude("total"), 1, seed)
    assert min(found["total"]) >= 0.99
    assert found["subtotal"] == (0.0,)


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_the_share_is_that_of_the_width(share):
    for covered in coverage(occlude("total", share), 4)["total"]:
        assert covered == pytest.approx(share, abs=0.06)


def test_five_shares_are_a_ladder():
    ladder = occlude("total", [0.1, 0.3, 0.5, 0.8, 1.0])
    shares = [coverage(ladder, severity)["total"][0] for severity in (1, 2, 3, 4, 5)]
    assert shares == pytest.approx([0.1, 0.3, 0.5, 0.8, 1.0], abs=0.06)
    assert ladder.strength(2) == {"occlude.field": "total", "occlude.share": 0.3}


def test_same_arguments_same_hash_and_back_from_json():
    assert occlude("total", 0.5).recipe_hash == occlude("total", 0.5).recipe_hash
    hashes = {occlude(*given).recipe_hash for given in (("total", 0.5), ("total", 0.6), ("tip", 0.5))}
    assert len(hashes) == 3
    names = {occlude(*given).name for given in (("total", 0.5), ("total", 0.6), ("items[0].amount", 0.5))}
    assert names == {"occlude_total_50", "occlude_total_60", "occlude_items_0_amount_50"}
    made = occlude("items[0].amount", (0.1, 0.2, 0.3, 0.4, 0.5))
    assert parse_corruption(dump_corruption(made)).recipe_hash == made.recipe_hash


@pytest.mark.parametrize("share", [1.2, -0.1, (0.1, 0.2), (0.1, 0.2, 0.3, 0.4, 1.5), True])
def test_wrong_shares_are_refused(share):
    with pytest.raises(RecipeError, match="share"):
        occlude("total", share)


def test_unknown_field_is_refused():
    with pytest.raises(RecipeError, match=r"field = 'totl' is not a field path"):
        occlude("totl")


def test_a_field_without_a_place_is_named():
    with pytest.raises(NoPlaceError, match=r"'tip' has no known place.*subtotal, total"):
        coverage(occlude("tip"), 3)
