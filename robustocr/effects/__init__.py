"""Pure functions on pixels, one file per physical cause, with strengths in units of the document."""
