"""Files are whole or absent, folders made for them go with them, and what cannot be written is said in one line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from simulator.errors import OutputError
from simulator.files import check_file, check_folder, made_folder, placed, placed_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with placed_text(path) as file:
        file.write("né\n")
        assert path.read_text() == "old"
    assert path.read_bytes() == "né\n".encode()
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, OSError])
def test_a_failure_leaves_what_was_there(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def write() -> None:
        with placed_text(path) as file:
            file.write("new")
            raise failure

    with pytest.raises(failure):
        write()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_what_was_not_written_has_no_place(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match=r"^cannot write '.*file': No such file or directory$"),
        placed(tmp_path / "file"),
    ):
        pass


def test_only_files_are_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, what in ((tmp_path, "a folder"), (pipe, "not an ordinary file")):
        for use in (placed, placed_text):
            with pytest.raises(OutputError, match=f"^cannot write '{path}': it is {what}$"), use(path):
                pass
        with pytest.raises(OutputError, match=f"^cannot write '{path}': it is {what}$"):
            check_file(path)


def test_a_folder_stays_if_all_goes_well(tmp_path: Path) -> None:
    with made_folder(tmp_path / "a" / "b"):
        pass
    assert (tmp_path / "a" / "b").is_dir()


def test_a_folder_goes_with_a_failure_as_far_as_it_was_made_and_is_empty(tmp_path: Path) -> None:
    def fail(folder: Path, file: str = "") -> None:
        with made_folder(folder):
            if file:
                (folder.parent / file).write_text("")
            raise KeyboardInterrupt

    (tmp_path / "a").mkdir()
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a" / "b" / "c")
    assert names(tmp_path / "a") == []
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a")
    assert names(tmp_path) == ["a"]
    with pytest.raises(KeyboardInterrupt):
        fail(tmp_path / "a" / "b" / "c", "mine")
    assert names(tmp_path / "a" / "b") == ["mine"]


def test_unwritable_folders_are_reported_at_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for folder in (file, file / "sub", file / "sub" / "sub"):
        with pytest.raises(OutputError, match=r"^cannot write to '.*': '.*file' is not a folder$"):
            check_folder(folder)
        with pytest.raises(OutputError, match=r"^cannot write to '.*': '.*file' is not a folder$"), made_folder(folder):
            pass
    with pytest.raises(OutputError, match=r"^cannot write to "):
        check_folder(Path("/proc/nowhere/at/all"))


def test_unwritable_files_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "none" / "file", tmp_path / "file" / "file"):
        with pytest.raises(OutputError, match=r"^cannot write '.*file': "):
            check_file(path)


def test_checking_leaves_no_trace(tmp_path: Path) -> None:
    check_folder(tmp_path)
    check_folder(tmp_path / "a" / "b")
    check_file(tmp_path / "a")
    assert names(tmp_path) == []


def test_places_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(OutputError, match=r"^cannot write to '.*': Permission denied$"):
        check_folder(tmp_path)
    with pytest.raises(OutputError, match=r"^cannot write '.*file': Permission denied$"):
        check_file(tmp_path / "file")


def test_what_a_link_leads_to_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    with placed_text(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"
