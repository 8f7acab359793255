"""Datasets from folders, one file per format; ``registry`` is the table of them."""

from robustocr.loaders.base import Dataset, LeftOut
from robustocr.loaders.registry import list_formats, load

__all__ = ["Dataset", "LeftOut", "list_formats", "load"]
