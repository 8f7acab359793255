"""Datasets from disk, one file per format."""
