"""Reading systems, one file per engine, imported lazily."""
