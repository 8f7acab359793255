"""The exploration page, run without a browser."""

import warnings

import pytest

from robustocr.assets import asset
from robustocr.corruptions import load_corruption


@pytest.mark.slow
def test_the_page_reads_a_bundled_receipt_and_shows_what_the_sums_say():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from streamlit.testing.v1 import AppTest

        page = AppTest.from_file(str(asset("app/explore.py")), default_timeout=120).run()
        assert not page.exception
        assert not page.error
        assert any("Check by hand" in text.value for text in page.markdown)
        table = page.dataframe[0].value
        assert {"field", "read", "marker", "true"} <= set(table.columns)
        assert "total" in set(table["field"])
        page.sidebar.selectbox[1].set_value("defocus")
        page.run()
        assert not page.exception
        assert page.caption[0].value == load_corruption("defocus").description
