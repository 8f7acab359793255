"""Tests of effects."""
