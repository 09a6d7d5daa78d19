"""Several files of one, as the program splits: all of them appear, or none."""

import gzip
import io
import itertools
import os
import random
import signal
import subprocess
import time

import arrow_ipc
import pyarrow as pa
import pyarrow.dataset
import pytest
from test_defaults import program  # noqa: F401

TOWNS = ["Oslo", None, "a/b", "..", "", "100%", "Łódź"]


@pytest.fixture
def rows():
    chance = random.Random(7)
    towns, days = [chance.choice(TOWNS) for _ in range(1000)], [chance.randrange(3) for _ in range(1000)]
    return pa.table({"id": range(1000), "town": towns, "day": pa.array(days, pa.int16())})


@pytest.fixture
def file(tmp_path, rows):
    arrow_ipc.write_file(tmp_path / "all.arrow", rows.to_batches(max_chunksize=90))
    return tmp_path / "all.arrow"


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("options", "args", "n_files"),
    [
        ({"into": 7}, ["--into", "7"], 7),
        ({"into": 12, "container": "stream"}, ["--into", "12", "--to", "stream"], 12),
        ({"into": 3, "columns": ["id"], "cast": {"id": "int32"}}, ["--into", "3", "--columns", "id", "--cast", "id=int32"], 3),
        ({"target_bytes": 4000}, ["--target-bytes", "4000"], None),
        ({"by": ["day", "town"]}, ["--by", "day,town"], 21),
        ({"by": "day", "where": "id > 9", "rows": (5, 50)}, ["--by", "day", "--where", "id > 9", "--rows", "5..50"], 3),
        ({"by": ["town"], "batch_rows": 8, "compression": "zstd"}, ["--by", "town", "--batch-rows", "8", "--compression", "zstd"], 7),
    ],
)
def test_files_are_those_of_the_program(options, args, n_files, file, tmp_path, program):  # noqa: F811
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert arrow_ipc.split_file(file, ours, **options).lost == []
    subprocess.run([program, "split", file, theirs, *args], check=True)
    found = files(ours)
    assert found == files(theirs) and (n_files is None or len(found) == n_files > 1)


def test_parts_have_all_rows(file, rows, tmp_path):
    few = [{"into": 6}, {"target_bytes": 3000}]
    arrow_ipc.write_file(tmp_path / "some.arrow", rows.slice(0, 60))
    arrow_ipc.split_file(tmp_path / "some.arrow", tmp_path / "alone", into=5000)
    assert sorted(os.listdir(tmp_path / "alone")) == [f"part-{k:02}.arrow" for k in range(60)]
    assert arrow_ipc.dataset(tmp_path / "alone").count() == 60
    wanted = {file: few, file.read_bytes(): few, gzip.compress(file.read_bytes()): few, io.BytesIO(file.read_bytes()): few}
    for kind, (source, each) in enumerate(wanted.items()):
        for number, options in enumerate(each):
            folder = tmp_path / f"{kind}-{number}"
            arrow_ipc.split_file(source, folder, **options)
            parts = [arrow_ipc.open(folder / name) for name in sorted(os.listdir(folder))]
            assert sum((part["id"].to_pylist() for part in parts), []) == rows["id"].to_pylist()
            assert len(parts) == options.get("into", len(parts)) > 1
    folder = tmp_path / "by"
    folder.mkdir()
    arrow_ipc.split_file(file, folder, by="day")
    flavor = pyarrow.dataset.partitioning(pa.schema({"day": pa.int16()}), flavor="hive")
    read = pyarrow.dataset.dataset(folder, format="arrow", partitioning=flavor).to_table(columns=["id", "town", "day"])
    assert read.sort_by("id").equals(rows.cast(read.schema))
    assert arrow_ipc.dataset(folder).count() == 1000


@pytest.mark.parametrize(
    ("texts", "type_"),
    [(["01234", "7"], "utf8"), (["0", "10"], "int64"), (["-05"], "utf8"), (["0.5", "1"], "utf8"), (["12", "+7"], "utf8"), (["000"], "utf8")],
)
def test_codes_in_names_of_folders_stay_text(tmp_path, texts, type_):
    """A number has no leading zeros, which a code would lose."""
    arrow_ipc.write_file(tmp_path / "some.arrow", {"id": range(len(texts)), "zip": texts})
    arrow_ipc.split_file(tmp_path / "some.arrow", tmp_path / "parts", by="zip")
    data = arrow_ipc.dataset(tmp_path / "parts")
    assert data.schema["zip"].type == type_
    assert sorted(map(str, arrow_ipc.concat(data)["zip"])) == sorted(texts)
    number = arrow_ipc.dataset(tmp_path / "parts", schema={"id": "int64", "zip": "utf8"})
    assert number.schema["zip"].type == "utf8"


def test_none_appear(file, tmp_path):
    target, damaged = tmp_path / "parts", tmp_path / "damaged.arrow"
    content = bytearray(file.read_bytes())
    last = arrow_ipc.inspect(file).messages[-1]
    content[last["position"] + 8 : last["position"] + 40] = b"\xff" * 32
    damaged.write_bytes(content)

    def stop(done, whole, unit):
        raise RuntimeError("stopped")

    for source, options, error, text in [
        (file, {"by": "id"}, arrow_ipc.ArrowIpcError, "more than 500 output files"),
        (file, {"by": "day", "max_files": 2}, arrow_ipc.ArrowIpcError, "more than 2 output files"),
        (file, {"into": 501}, arrow_ipc.ArrowIpcError, "more than 500 output files"),
        (file, {"target_bytes": 1}, arrow_ipc.ArrowIpcError, "more than 500 output files"),
        (file, {"by": "nothing"}, KeyError, "nothing"),
        (file, {"by": ["day", "day"]}, arrow_ipc.ArrowIpcError, "twice"),
        (file, {"by": 7}, TypeError, None),
        (file, {"into": 0}, ValueError, "into is 0"),
        (file, {"target_bytes": 0}, ValueError, "target_bytes is 0"),
        (file, {"into": 2, "by": "day"}, ValueError, "by and into exclude each other"),
        (file, {"into": 2, "rows": (0, 3)}, ValueError, "into and rows exclude each other"),
        (file, {"target_bytes": 2, "where": "id > 1"}, ValueError, "target_bytes and where exclude each other"),
        (file, {"by": "day", "batches": (0, 1)}, ValueError, "by and batches exclude each other"),
        (file, {"into": -1}, ValueError, "expected 0 or more, found -1"),
        (damaged, {"into": 4}, arrow_ipc.ArrowIpcError, None),
        (damaged, {"by": "day"}, arrow_ipc.ArrowIpcError, None),
        (file, {"into": 4, "progress": stop}, RuntimeError, "stopped"),
        (file, {"by": "day", "progress": stop}, RuntimeError, "stopped"),
        (tmp_path / "none.arrow", {"into": 4}, OSError, "none.arrow"),
    ]:
        with pytest.raises(error, match=text):
            arrow_ipc.split_file(source, target, **options)
        assert not target.exists(), options
    with pytest.raises(FileExistsError, match="the folder is not empty"):
        arrow_ipc.split_file(file, tmp_path, into=2)
    with pytest.raises(OSError, match="all.arrow"):
        arrow_ipc.split_file(file, file, into=2)
    with pytest.raises(TypeError):
        arrow_ipc.split_file(file, io.BytesIO(), into=2)
    assert sorted(os.listdir(tmp_path)) == ["all.arrow", "damaged.arrow"]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers")
def test_signals_are_seen_between_the_files(tmp_path):
    """Creating and keeping many files takes long."""
    arrow_ipc.write_file(tmp_path / "many.arrow", {"key": range(600), "value": range(600)})
    seen = [time.process_time()]
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.process_time()))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        arrow_ipc.split_file(tmp_path / "many.arrow", tmp_path / "parts", by="key", max_files=600)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    seen.append(time.process_time())
    longest = max(after - before for before, after in itertools.pairwise(seen))
    assert longest < (seen[-1] - seen[0]) / 2, seen


def test_text_that_is_read_back_as_numbers_is_told(tmp_path):
    arrow_ipc.write_file(tmp_path / "all.arrow", {"zip": ["07", "12"], "town": ["Oslo", "8"], "v": [1, 2]})
    said = arrow_ipc.split_file(tmp_path / "all.arrow", tmp_path / "zip", by="zip").notes
    assert len(said) == 1 and "column zip was utf8; readers of the data set find int64, without leading zeros" in said[0]
    assert arrow_ipc.split_file(tmp_path / "all.arrow", tmp_path / "town", by="town").notes == []
    arrow_ipc.write_file(tmp_path / "flags.arrow", {"flag": [True, False], "v": [1, 2]})
    said = arrow_ipc.split_file(tmp_path / "flags.arrow", tmp_path / "flag", by="flag").notes
    assert len(said) == 1 and "column flag was bool; readers of the data set find utf8" in said[0]
