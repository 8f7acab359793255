"""OCR lines to a Receipt with Marks."""
