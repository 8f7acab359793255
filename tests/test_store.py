import pytest

from robustocr.errors import StoreError
from robustocr.store import Journal, RunFolder, entries_at, read_journal, read_run


def test_a_line_cut_off_by_a_crash_is_dropped_and_the_rest_kept(tmp_path):
    path = tmp_path / "journal.jsonl"
    journal = Journal(path)
    journal.append({"key": "a", "text": "é" * 50_000})
    journal.append({"key": "b"})
    journal.close()
    whole = path.read_bytes()
    for cut in (1, 5, len(whole) // 2, len(whole) - 12, len(whole) - 1):
        path.write_bytes(whole[:cut])
        reopened = Journal(path)
        reopened.append({"key": "c"})
        reopened.close()
        keys = [entry["key"] for _, entry in read_journal(path)]
        assert keys == (["a", "c"] if cut > 50_000 and cut >= whole.index(b"\n") + 1 else ["c"])


def test_entries_are_found_again_at_their_offsets(tmp_path):
    journal = Journal(tmp_path / "j")
    for name in "abc":
        journal.append({"key": name * 3})
    journal.close()
    offsets = {entry["key"]: offset for offset, entry in read_journal(tmp_path / "j")}
    found = entries_at(tmp_path / "j", iter([offsets["ccc"], offsets["aaa"]]))
    assert [entry["key"] for entry in found] == ["ccc", "aaa"]


def test_a_broken_line_in_the_middle_is_named(tmp_path):
    (tmp_path / "j").write_bytes(b'{"key": 1}\n{"key"\n{"key": 2}\n')
    with pytest.raises(StoreError, match=r"j:2: broken line"):
        list(read_journal(tmp_path / "j"))


def test_the_same_settings_resume_and_others_are_refused_by_name(tmp_path):
    with RunFolder(tmp_path / "run", {"seed": 0, "alpha": 0.05}, {}) as run:
        run.journal.append({"key": "a"})
    with RunFolder(tmp_path / "run", {"seed": 0, "alpha": 0.05}, {}):
        pass
    with pytest.raises(StoreError, match=r"seed was 0, now 1") as caught:
        RunFolder(tmp_path / "run", {"seed": 1, "alpha": 0.05}, {})
    assert "alpha" not in str(caught.value)
    assert read_run(tmp_path / "run")["settings"]["seed"] == 0


def test_a_run_that_finished_no_case_does_not_claim_the_folder(tmp_path):
    with RunFolder(tmp_path, {"seed": 0}, {}):
        pass
    with RunFolder(tmp_path, {"seed": 1}, {}):
        pass
    assert read_run(tmp_path)["settings"]["seed"] == 1


def test_a_full_disk_is_named(tmp_path, monkeypatch):
    with RunFolder(tmp_path, {}, {}) as run:

        def fail():
            raise OSError(28, "No space left on device")

        real = run.journal._file
        monkeypatch.setattr(
            run.journal, "_file", type("Full", (), {"write": real.write, "flush": lambda _: fail()})()
        )
        with pytest.raises(StoreError, match="No space left"):
            run.journal.append({"key": "a"})
        run.journal._file = real


def test_a_folder_in_use_is_refused_and_free_afterwards(tmp_path):
    with RunFolder(tmp_path, {}, {}), pytest.raises(StoreError, match="in use by another run"):
        RunFolder(tmp_path, {}, {})
    RunFolder(tmp_path, {}, {}).close()


def test_a_folder_with_other_files_is_not_taken_over(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(StoreError, match="not empty"):
        RunFolder(tmp_path, {}, {})


def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot write to .*file"):
        RunFolder(tmp_path / "file" / "run", {}, {})


def test_a_folder_without_a_run_is_named(tmp_path):
    with pytest.raises(StoreError, match="is not a run folder"):
        read_run(tmp_path)
