"""Receipts rendered from a seed, with truth and boxes for every field and word."""
