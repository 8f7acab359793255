"""Receipts rendered from a seed, with truth and boxes for every field and word.

The way of a receipt: ``bill`` draws the truth (``basket``, ``taxes``), ``till`` lays it out
(``frame_rows``, ``item_rows``, ``total_rows``), ``page`` sets it in printer dots (``faces``, ``glyphs``),
``ink`` presses the dots, ``paper`` puts the slip on a scanner's glass; ``make`` does all of it.
"""
