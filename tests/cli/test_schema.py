import json

from robustocr.cli.main import main
from robustocr.recipe_schema import recipe_schema, suite_schema


def test_a_schema_goes_to_standard_output_or_a_file(tmp_path, capsys):
    assert main(["schema", "recipe"]) == 0
    assert json.loads(capsys.readouterr().out) == recipe_schema()
    out = tmp_path / "schema.json"
    assert main(["schema", "suite", "--out", str(out)]) == 0
    assert json.loads(out.read_text()) == suite_schema()
    assert capsys.readouterr().out == f"{out}\n"


def test_a_file_that_cannot_be_written_is_named(tmp_path, capsys):
    assert main(["schema", "suite", "--out", str(tmp_path / "no" / "schema.json")]) == 2
    assert "choose another file" in capsys.readouterr().err
