"""Errors of wrong calls and wrong data name what helps, and what they name works."""

import datetime
import io
import json
import os
import pickle
import re
import threading
import warnings

import arrow_ipc
import pyarrow as pa
import pytest


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def refused(call, kind=Exception):
    with pytest.raises(kind) as caught:
        call()
    return caught.value


def warned(call):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in said]


def test_long_durations():
    longest, values = datetime.timedelta.max.days, [datetime.timedelta(days=999999999), None, datetime.timedelta(seconds=-1)]
    assert longest == 999999999
    for unit in ["s", "ms"]:
        array = arrow_ipc.Array(values, f"duration({unit})")
        assert array.to_pylist() == values
        assert pa.array(array) == pa.array(values, pa.duration(unit))
        assert arrow_ipc.RecordBatch([{"d": value} for value in values], {"d": f"duration({unit})"})["d"].to_pylist() == values
    text = str(refused(lambda: arrow_ipc.Array(values), ValueError))
    assert text.endswith("the types duration(s) and duration(ms) hold it")
    exact = [values[0] + datetime.timedelta(milliseconds=1)]
    assert "has a part that duration(s) cannot hold" in str(refused(lambda: arrow_ipc.Array(exact, "duration(s)"), ValueError))
    assert arrow_ipc.Array(exact, "duration(ms)").to_pylist() == exact


def test_folders_of_a_dictionary_have_its_type():
    batch = arrow_ipc.RecordBatch({"k": arrow_ipc.Array(["x", "y", None], "dictionary"), "n": [1, 2, 3]})
    arrow_ipc.write_file("all.arrow", batch)
    arrow_ipc.split_file("all.arrow", "split", by="k")
    schema = arrow_ipc.open("all.arrow").schema
    rows = arrow_ipc.dataset("split", schema=schema)
    assert rows.schema == schema
    assert sorted(row["n"] for row in arrow_ipc.concat(rows).to_pylist()) == [1, 2, 3]
    assert {row["k"]: row["n"] for row in arrow_ipc.concat(rows).to_pylist()} == {"x": 1, "y": 2, None: 3}
    for condition, n_rows in [("k = 'x'", 1), ("k is null", 1), ("k > 'a'", 2), ("k = 'z'", 0)]:
        assert rows.where(condition).count() == n_rows, condition
    tasks = [pickle.loads(pickle.dumps(task)) for task in rows.split(2)]
    assert sum(batch.num_rows for task in tasks for batch in task) == 3
    assert pa.table(rows).column("k").type == pa.dictionary(pa.int32(), pa.string())
    numbers = arrow_ipc.Array([7, 8], "dictionary<int8, int16>")
    arrow_ipc.write_file("numbers.arrow", {"k": numbers, "n": [1, 2]})
    arrow_ipc.split_file("numbers.arrow", "numbers", by="k")
    of_numbers = arrow_ipc.dataset("numbers", schema=arrow_ipc.open("numbers.arrow").schema)
    assert arrow_ipc.concat(of_numbers)["k"].to_pylist() == [7, 8]
    os.rename("numbers/k=7", "numbers/k=x")
    assert "is not of type dictionary<int8, int16>" in str(
        refused(lambda: arrow_ipc.concat(arrow_ipc.dataset("numbers", schema=of_numbers.schema)))
    )


def test_a_title_above_the_names():
    text = b"Kontoauszug;;;\nKonto 1;;;\nBuchung;Betrag;W;Text\n01.02.2024;-1,5;EUR;Miete\n02.02.2024;2,5;EUR;Gehalt\n"
    for skip in [0, 1]:
        notes = warned(lambda: arrow_ipc.read_csv(text, skip=skip))
        assert any(f"if it is a title, skip={skip + 1} reads the lines below it" in note for note in notes), notes
    read = arrow_ipc.read_csv(text, skip=2, decimal=",", dates="dmy")
    assert read.schema.names == ["Buchung", "Betrag", "W", "Text"] and [batch.num_rows for batch in read] == [2]


@pytest.mark.parametrize(
    "rows, wanted, expected",
    [
        ([1, "x"], "int64", "'x' in row 1 is <class 'str'>, and the type is int64"),
        (["x", 1], "int64", "'x' in row 0 is <class 'str'>, and the type is int64"),
        ([None, "x", 1], "utf8", "1 in row 2 is <class 'int'>, and the type is utf8"),
        ([1, 2, "x"], None, "'x' in row 2 is <class 'str'>"),
        ([[1], [2, "x"], [3]], None, "in row 1: [2, 'x']"),
        ([{"b": 1}, {"b": None}, {"b": "x"}], None, "in row 2: {'b': 'x'}"),
    ],
)
def test_mixed_values_name_the_row(rows, wanted, expected):
    given = {"a": wanted} if wanted else None
    for call in [
        lambda: arrow_ipc.RecordBatch([{"a": value} for value in rows], given),
        lambda: arrow_ipc.Array(rows, wanted),
    ]:
        text = str(refused(call, TypeError))
        assert "no Arrow type for values of int, str" in text and expected in text


def test_mixed_values_of_a_writer_name_the_row():
    rows = [{"a": k} for k in range(5_000)]
    rows[4_321] = {"a": "x"}
    with arrow_ipc.Writer("w.arrow", {"a": "int64"}) as writer:
        assert "a: no Arrow type" in (text := str(refused(lambda: writer.write(rows), TypeError)))
    assert "'x' in row 4321 is <class 'str'>, and the type is int64" in text


def test_progress_of_several_inputs_is_one_work():
    batches = pa.table({"a": range(100)}).to_batches(max_chunksize=25)
    arrow_ipc.write_file("a.arrow", batches)
    arrow_ipc.write_file("b.arrow", batches[:2])
    arrow_ipc.write_stream("s.arrows", batches)

    def calls(function, *given, **others):
        seen = []
        function(*given, progress=lambda *call: seen.append(call), **others)
        return seen

    for others in [{}, {"compression": "lz4"}, {"where": "a >= 0"}, {"target_rows": 10}]:
        seen = calls(arrow_ipc.concat_files, ["a.arrow", "b.arrow"], "to.arrow", **others)
        assert [(n_done, n_total) for n_done, n_total, _ in seen] == sorted((n_done, 6) for n_done, *_ in seen)
        assert seen[0] == (0, 6, "batches") and seen[-1] == (6, 6, "batches")
    n_bytes = os.path.getsize("s.arrows")
    seen = calls(arrow_ipc.concat_files, ["s.arrows", "s.arrows"], "to.arrow")
    assert {call[1:] for call in seen} == {(2 * n_bytes, "bytes")} and seen[-1][0] > n_bytes and seen == sorted(seen)
    # Bytes and batches have no common total.
    assert {call[1] for call in calls(arrow_ipc.concat_files, ["s.arrows", "a.arrow"], "to.arrow")} == {n_bytes, 4}
    seen = calls(arrow_ipc.split_file, "a.arrow", "parts", into=2)
    of_parts = [call for call in seen if call[1] == 8]
    assert of_parts[0][0] == 0 and of_parts[-1][0] == 8 and of_parts == sorted(of_parts)
