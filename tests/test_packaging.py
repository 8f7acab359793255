"""The wheel, unpacked outside of the checkout, has all it needs."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def in_wheel(unpacked, tmp_path, *words):
    code = "import sys; from robustocr.cli.main import main; sys.exit(main(sys.argv[1:]))"
    environment = os.environ | {"PYTHONPATH": str(unpacked)}
    return subprocess.run(
        [sys.executable, "-c", code, *words], cwd=tmp_path, env=environment, capture_output=True, text=True
    )


def test_the_wheel_holds_one_package_with_recipes_sample_templates_and_app(unpacked):
    names = {path.name for path in unpacked.iterdir()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"robustocr"}
    bundled = unpacked / "robustocr" / "_bundled"
    assert len(list((bundled / "corruptions").glob("*.yaml"))) >= 12
    assert (bundled / "corruptions" / "suites" / "phone.yaml").exists()
    assert len(list((bundled / "datasets" / "sample").glob("*.jpg"))) >= 60
    assert (bundled / "app" / "explore.py").exists()
    assert (unpacked / "robustocr" / "py.typed").exists()
    assert list((unpacked / "robustocr" / "report" / "templates").iterdir())


def test_the_wheel_works_outside_of_the_checkout(unpacked, tmp_path):
    listed = in_wheel(unpacked, tmp_path, "list", "corruptions")
    assert listed.returncode == 0, listed.stderr
    assert "defocus" in listed.stdout
    (tmp_path / "reader.py").write_text("def read(image):\n    return {'total': '1.00'}\n")
    words = [
        "run",
        "sample",
        "--limit",
        "2",
        "--suite",
        "quick",
        "--adapter",
        "python:reader:read",
        "--workers",
        "1",
    ]
    ran = in_wheel(unpacked, tmp_path, *words, "--out", "run", "--cache", "cache")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "run" / "report.html").exists()


def test_the_locked_versions_satisfy_the_ranges():
    lines = (CHECKOUT / "constraints.txt").read_text().splitlines()
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!]+", line) for line in lines)
    locked = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in lines}
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(n for extra in project["optional-dependencies"].values() for n in extra),
    ]
    names = {re.split(r"[\[<>=~ ]", text)[0].lower() for text in wanted} - {"robustocr"}
    assert names <= locked
