"""The case the tool exists for, end to end with the default reader."""

import pytest

from robustocr.records import VerdictStatus
from robustocr.rules.check import check
from robustocr.story import MISREAD, RECEIPT, TARGET, tell_story


@pytest.fixture(scope="module")
def steps(tmp_path_factory):
    out = tmp_path_factory.mktemp("story")
    told = tell_story(out=out)
    assert {path.name for path in out.iterdir()} == {*(f"severity-{n}.png" for n in range(6)), "story.png"}
    return told


def test_the_printed_receipt_closes():
    assert check(RECEIPT).status is VerdictStatus.CLOSES


def test_the_clean_picture_is_read_right_and_closes(steps):
    clean = steps[0]
    assert str(clean.reading.extraction.receipt.subtotal) == "28.90"
    assert clean.reading.verdict.status is VerdictStatus.CLOSES
    assert TARGET not in clean.reading.review


def test_only_the_subtotal_is_blurred(steps):
    clean, worst = steps[0].pixels, steps[5].pixels
    changed = (clean != worst).any(axis=(1, 2)).nonzero()[0]
    assert 0 < changed[-1] - changed[0] < 60
    assert worst.shape == clean.shape


def test_no_severity_gives_a_wrong_subtotal_in_silence(steps):
    for step in steps:
        value = step.reading.extraction.receipt.subtotal
        if value is not None and str(value) != "28.90":
            assert TARGET in step.reading.review, f"severity {step.severity}: {value}"
    assert str(steps[5].reading.extraction.receipt.total) == "30.13"


def test_a_reader_that_says_23_90_with_certainty_is_contradicted(steps):
    for step in steps:
        reading = step.overconfident
        assert str(reading.extraction.receipt.subtotal) == MISREAD
        assert not reading.extraction.marks
        assert reading.verdict.status is VerdictStatus.CONTRADICTS
        suspect = reading.verdict.suspects[0]
        assert (suspect.field, suspect.read, suspect.proposed) == (TARGET, "23.90", "28.90")
        assert suspect.slip == "8 read as 3"
        assert TARGET in reading.review
