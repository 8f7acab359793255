import pytest

from robustocr.cache import Cache, cache_key
from robustocr.errors import StoreError


def test_values_outlive_the_process_and_kinds_do_not_mix(tmp_path):
    with Cache(tmp_path) as cache:
        cache.put("page", "k", {"lines": [["ä", [1.5], 0.9]]})
        cache.put("page", "k", {"lines": []})
    with Cache(tmp_path) as cache:
        assert cache.get("page", "k") == {"lines": []}
        assert cache.get("extraction", "k") is None


def test_two_runs_may_share_a_folder(tmp_path):
    with Cache(tmp_path) as first, Cache(tmp_path) as second:
        first.put("picture", "a", 1)
        second.put("picture", "b", 2)
        assert (first.get("picture", "b"), second.get("picture", "a")) == (2, 1)


def test_keys_tell_apart_what_differs():
    assert cache_key("a", 1) == cache_key("a", 1)
    assert cache_key("a", "1") != cache_key("a", 1)
    assert cache_key("a", "b") != cache_key("ab")


def test_a_file_that_is_no_cache_is_named_with_the_way_out(tmp_path):
    (tmp_path / "robustocr-1.sqlite").write_text("not a database, " * 100)
    with pytest.raises(StoreError, match=r"cannot be used.*--cache"):
        Cache(tmp_path)


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"file.*cannot be used"):
        Cache(tmp_path / "file")
