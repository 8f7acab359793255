"""The exploration page: pick a receipt, make the picture worse, see what a reader says and what to check.

Everything shown comes from calls of robustocr; this page only lays it out.
"""

import tempfile
from pathlib import Path

import pandas as pd
import streamlit as st

import robustocr
from robustocr.adapters.registry import list_adapters
from robustocr.catalogue import catalogue
from robustocr.corruptions import list_corruptions
from robustocr.pictures import field_boxes
from robustocr.records import LIST_FIELDS, SINGLE_FIELDS, Sample

st.set_page_config(page_title="robustocr", page_icon="🧾", layout="wide")
st.title("What does a reader say when the picture is bad?")


@st.cache_data
def bundled() -> dict[str, Sample]:
    return {sample.id: sample for sample in robustocr.load("sample").samples}


@st.cache_resource
def reader(name: str) -> robustocr.Adapter:
    return robustocr.make_adapter(name)


def chosen_sample() -> Sample:
    uploaded = st.sidebar.file_uploader("Your receipt", type=["jpg", "jpeg", "png", "webp", "tif", "tiff"])
    if uploaded is None:
        return bundled()[st.sidebar.selectbox("or a bundled one", list(bundled()))]
    folder = Path(tempfile.mkdtemp(prefix="robustocr-"))
    path = folder / f"upload{Path(uploaded.name).suffix}"
    path.write_bytes(uploaded.getvalue())
    return Sample(id=Path(uploaded.name).stem, image=path)


def show_reading(reading: robustocr.Reading, truth: robustocr.Receipt | None) -> None:
    verdict = reading.verdict
    say = {"closes": st.success, "contradicts": st.error, "cannot_tell": st.warning}[verdict.status.value]
    say(f"The sums: {verdict.status.value.replace('_', ' ')}")
    for suspect in verdict.suspects:
        probably = f", probably **{suspect.proposed}**" if suspect.proposed else ""
        slip = f" ({suspect.slip})" if suspect.slip else ""
        st.markdown(f"**{suspect.field}** read {suspect.read}{probably}{slip}")
    for entry in verdict.closings:
        st.caption(f"{entry.name}: {entry.equation}")
    st.markdown(f"**Check by hand:** {', '.join(reading.review) or 'nothing'}")
    st.dataframe(fields_table(reading, truth), hide_index=True)
    items = [item.model_dump(mode="json", exclude_none=True) for item in reading.extraction.receipt.items]
    if items:
        st.dataframe(pd.DataFrame(items), hide_index=True)
    with st.expander("As JSON"):
        st.json(robustocr.interactive.reading_as_json(reading))


def fields_table(reading: robustocr.Reading, truth: robustocr.Receipt | None) -> pd.DataFrame:
    rows = []
    for name in SINGLE_FIELDS:
        value, mark = getattr(reading.extraction.receipt, name), reading.extraction.marks.get(name)
        true = getattr(truth, name) if truth and name in truth.labelled else None
        if value is None and true is None:
            continue
        marker = mark.marker.value if mark else "certain"
        row = {"field": name, "read": "" if value is None else str(value)}
        row |= {"true": "" if true is None else str(true)} if truth else {}
        rows.append(row | {"marker": marker, "score": mark.score if mark else None})
    return pd.DataFrame(rows)


try:
    sample = chosen_sample()
    corruption_name = st.sidebar.selectbox("Corruption", ["clean", *list_corruptions()])
    severity = st.sidebar.slider("Severity", 1, 5, 3, disabled=corruption_name == "clean")
    seed = st.sidebar.number_input("Seed", min_value=0, value=0)
    boxes = field_boxes(sample)
    places = [name for name in (*SINGLE_FIELDS, *LIST_FIELDS) if name in boxes]
    target = st.sidebar.selectbox("Confined to", ["the whole picture", *places])
    adapter = st.sidebar.selectbox(
        "Reader", [name for name in list_adapters() if name in ("rapidocr", "tesseract")]
    )
    about = dict(catalogue("corruptions")).get(corruption_name)
    if about:
        st.caption(about)

    pixels = robustocr.load_image(sample.image)
    corruption = None if corruption_name == "clean" else robustocr.load_corruption(corruption_name)
    aimed = None if target == "the whole picture" else target
    made = robustocr.corrupt(
        pixels, corruption, severity, seed=int(seed), sample_id=sample.id, boxes=boxes, target=aimed
    )
    left, middle, right = st.columns([3, 3, 4])
    left.image(pixels, caption="as it is", width="stretch")
    middle.image(
        made.pixels,
        caption=f"{corruption_name}, severity {0 if corruption is None else severity}",
        width="stretch",
    )
    with right, st.spinner("reading"):
        show_reading(
            robustocr.read_pixels(made.pixels, adapter=reader(adapter), name=sample.id), sample.truth
        )
except robustocr.RobustocrError as error:
    st.error(str(error))
