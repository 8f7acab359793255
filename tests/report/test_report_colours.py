import re
from importlib.resources import files

import pytest


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio of two colours, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def style() -> str:
    return (files("robustocr.report") / "templates" / "report.css").read_text()


def steps() -> list[tuple[str, str]]:
    return re.findall(r"\.h\d+ \{ background: (#\w+); color: (#\w+);", style())


def test_heat_map_steps_can_be_read_and_told_apart_without_hue():
    assert len(steps()) == 22
    assert min(contrast(*step) for step in steps()) >= 4.5
    for ramp, rising in ((steps()[:11], True), (steps()[11:], False)):
        lights = [luminance(background) for background, _ in ramp]
        assert lights == sorted(lights, reverse=not rising)


@pytest.mark.parametrize("scheme", [0, 1])
def test_text_colours_stand_out_from_page_and_cards(scheme):
    block = re.findall(r":root \{(.*?)\}", style(), re.S)[scheme]
    colours = dict(re.findall(r"--([\w]+): (#\w+)", block))
    for ground in ("page", "panel"):
        for name in ("ink", "soft", "accent", "good", "bad", "open"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for name in ("s0", "s1", "s2", "s3", "s4", "s5"):
            assert contrast(colours[name], colours[ground]) >= 3, (name, ground)


def test_six_cards_fill_whole_rows_at_desktop_width():
    page = float(re.search(r"body \{[^}]*max-width: ([\d.]+)rem", style())[1]) - 2
    cards = re.search(
        r"^\.cards \{.*minmax\(min\(100%, ([\d.]+)rem\), 1fr\)\); gap: ([\d.]+)rem", style(), re.M
    )
    card, gap = float(cards[1]), float(cards[2])
    assert (page + gap) // (card + gap) == 3
