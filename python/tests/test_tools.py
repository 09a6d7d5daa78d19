"""`validate` and `inspect`: of golden and hostile files, in memory, at paths and in file-like objects."""

import io
import os
import re
import shutil
import pickle
import threading

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import HOSTILE, cases


def test_golden_files_are_valid():
    for case in cases("pyarrow-26.0.1") + cases("arrow-rs-60.1.0", "sliced"):
        for kind in case.formats:
            arrow_ipc.validate(case.path(kind), strict=case.level == "strict")


def test_a_file_that_is_only_strictly_wrong():
    (case,) = cases("pyarrow-26.0.1", "loose-values")
    arrow_ipc.validate(case.path("file"))
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.validate(case.path("file"), strict=True)
    assert raised.value.kind == "DecimalPrecision"
    assert raised.value.location.field is not None


def test_hostile_files():
    """What is read and what is refused is as with `open` and `read_stream`, or stricter: everything is looked at."""
    n_refused = 0
    for path in sorted(HOSTILE.iterdir()):
        if path.suffix not in (".stream", ".arrow_file"):
            continue
        try:
            arrow_ipc.validate(path)
        except arrow_ipc.ArrowIpcError as error:
            assert str(path) in str(error), path
            n_refused += 1
            continue
        is_stream = arrow_ipc.inspect(path)["container"] == "stream"
        read = arrow_ipc.read_stream if is_stream else arrow_ipc.open
        assert all(batch.num_rows >= 0 for batch in read(path)), path
    assert n_refused > 100


@pytest.fixture
def stream():
    target = io.BytesIO()
    words = [pa.record_batch({"word": pa.array(batch).dictionary_encode()}) for batch in (["a"], ["b", "b"])]
    arrow_ipc.write_stream(target, words, compression="lz4", message_metadata={"k": "v"})
    return target.getvalue()


class NoSeek(io.RawIOBase):
    def __init__(self, content):
        self.content = io.BytesIO(content)

    def read(self, n=-1):
        return self.content.read(n)


def test_sources(stream, tmp_path):
    path = tmp_path / "words.arrows"
    path.write_bytes(stream)
    file = io.BytesIO()
    arrow_ipc.write_file(file, arrow_ipc.read_stream(stream), dictionaries="unify")
    for content in [stream, file.getvalue()]:
        for source in [content, bytearray(content), io.BytesIO(content), NoSeek(content)]:
            arrow_ipc.validate(source)
    for source in [path, str(path), open(path, "rb")]:
        arrow_ipc.validate(source)
        if hasattr(source, "close"):
            source.close()
    arrow_ipc.validate(stream, require_end=True)
    arrow_ipc.validate(stream[:-8])
    with pytest.raises(arrow_ipc.ArrowIpcError, match="without an end marker") as raised:
        arrow_ipc.validate(stream[:-8], require_end=True)
    assert (raised.value.kind, raised.value.category) == ("NoEndMarker", "malformed")
    with pytest.raises(FileNotFoundError) as raised:
        arrow_ipc.validate(tmp_path / "nothing")
    assert raised.value.filename == os.fspath(tmp_path / "nothing")
    for tool in [arrow_ipc.validate, arrow_ipc.inspect]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="neither an Arrow IPC file nor a stream") as raised:
            tool(b"something else")
        assert (raised.value.kind, raised.value.category) == ("NotArrow", "malformed")
        with pytest.raises(arrow_ipc.ArrowIpcError, match="empty") as raised:
            tool(b"")
        assert raised.value.category == "truncated"
        with pytest.raises(TypeError):
            tool(3)


def test_what_validate_finds_and_reading_does_not(stream):
    with pytest.raises(arrow_ipc.ArrowIpcError, match="4 trailing bytes") as raised:
        arrow_ipc.validate(stream + b"more")
    assert (raised.value.kind, raised.value.location.byte_offset) == ("TrailingBytes", len(stream))
    assert len(list(arrow_ipc.read_stream(stream + b"more"))) == 2


def test_inspect(stream):
    found = arrow_ipc.inspect(stream, buffers=True)
    assert list(found) == ["container", "n_bytes", "messages", "ends", "footer", "damage", "notes"]
    assert (found["container"], found["n_bytes"]) == ("stream", len(stream))
    kinds = [message["kind"] for message in found["messages"]]
    assert kinds == ["schema", "dictionary batch", "record batch", "dictionary batch", "record batch"]
    schema, dictionary, batch, replaced, _ = found["messages"]
    assert schema["custom_metadata"] == [["k", "v"]]
    assert (dictionary["is_delta"], dictionary["is_replacement"]) == (False, False)
    assert replaced["is_replacement"] is True
    assert batch["n_rows"] == 1 and batch["compression"] == "LZ4"
    assert [buffer["role"] for buffer in batch["buffers"]] == ["validity", "values"]
    assert found["ends"] == [{"position": len(stream), "is_marked": True}]
    assert (found["footer"], found["damage"], found["notes"]) == (None, [], [])


def test_inspect_a_file():
    (case,) = cases("pyarrow-26.0.1", "metadata-footer")
    found = arrow_ipc.inspect(case.path("file"))
    assert found["container"] == "file"
    assert found["footer"]["record_batches"][0]["position"] == found["messages"][1]["position"]
    assert found["messages"][1]["block"] == 0
    assert found["footer"]["custom_metadata"] == [[k, v] for k, v in arrow_ipc.open(case.path("file")).footer_metadata.items()]


def test_inspect_what_is_damaged(stream):
    found = arrow_ipc.inspect(stream[:-40])
    assert [message["kind"] for message in found["messages"]][:3] == ["schema", "dictionary batch", "record batch"]
    (damage,) = found["damage"]
    assert isinstance(damage, arrow_ipc.ArrowIpcError)
    assert (damage.kind, damage.category) == ("Truncated", "truncated")
    assert damage.location.byte_offset is not None
    assert "truncated" in str(damage)
    notes = arrow_ipc.inspect(stream + b"more")["notes"]
    assert len(notes) == 1 and "trailing" in notes[0]


def test_all_hostile_files_are_inspected():
    n_damaged = 0
    for path in sorted(HOSTILE.iterdir()):
        if path.suffix not in (".stream", ".arrow_file"):
            continue
        try:
            n_damaged += bool(arrow_ipc.inspect(path, buffers=True)["damage"])
        except arrow_ipc.ArrowIpcError as error:
            assert error.kind in ("NotArrow", "Empty"), path
    assert n_damaged > 50


def test_others_go_on_meanwhile(stream):
    may_read = threading.Event()

    class Waiting(io.BytesIO):
        def read(self, n=-1):
            assert may_read.wait(30)
            return super().read(n)

    errors = []

    def work():
        try:
            arrow_ipc.validate(Waiting(stream))
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    arrow_ipc.validate(stream)
    may_read.set()
    thread.join(30)
    assert not thread.is_alive() and not errors


def table(**columns):
    target = io.BytesIO()
    arrow_ipc.write_file(target, pa.table(columns))
    return target.getvalue()


def test_diff():
    a = table(id=[1, 2, 3], word=["x", "y", "z"])
    assert arrow_ipc.diff(a, a) == {"same": True, "differences": [], "notes": []}
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, arrow_ipc.open(a), compression="zstd")
    assert arrow_ipc.diff(a, stream.getvalue())["same"] is True

    found = arrow_ipc.diff(a, table(id=[1, 5, 3], word=["x", "y", "w"]))
    assert found["same"] is False
    assert [(d["kind"], d["row"], d["field"]) for d in found["differences"]] == [
        ("Value", 1, "id"), ("Value", 2, "word"), ("Rows", None, None),
    ]
    assert found["differences"][0]["text"] == "row 1, field id: 2 in A, 5 in B"
    found = arrow_ipc.diff(a, table(id=[1, 5, 3], word=["x", "y", "w"]), columns=["word"])
    assert [d["field"] for d in found["differences"]] == ["word", None]
    found = arrow_ipc.diff(a, table(id=[0, 0, 0], word=["x", "y", "z"]), max_rows=1)
    assert [d["kind"] for d in found["differences"]] == ["Value", "OneMoreRow"]
    found = arrow_ipc.diff(a, table(id=[0, 0, 0], word=["x", "y", "z"]), max_rows=1, count_all=True)
    assert found["differences"][-1]["text"] == "3 of 3 rows differ"
    (only,) = arrow_ipc.diff(a, table(id=[1, 2, 3]))["differences"]
    assert (only["kind"], only["field"], only["text"]) == ("OnlyIn", "word", "field word: utf8, only in A")
    plain, encoded = table(w=["x"]), table(w=pa.array(["x"]).dictionary_encode())
    assert [d["kind"] for d in arrow_ipc.diff(plain, encoded)["differences"]] == ["Type"]


def test_diff_of_metadata(stream):
    other = io.BytesIO()
    arrow_ipc.write_stream(other, arrow_ipc.read_stream(stream), message_metadata={"k": "w"})
    (found,) = arrow_ipc.diff(stream, other.getvalue())["differences"]
    assert (found["kind"], found["text"]) == ("Metadata", 'metadata of the whole, "k": "v" in A, "w" in B')
    assert arrow_ipc.diff(stream, other.getvalue(), ignore_metadata=True)["same"] is True
    unknown = arrow_ipc.diff(stream, stream + b"more")
    assert unknown["same"] is None and len(unknown["notes"]) == 1


def test_members_of_columns_say_their_names(stream):
    columns = arrow_ipc.stats(stream).columns
    with pytest.raises(KeyError, match="no member is named 'distinct'; the members are: name, type, .*n_distinct"):
        columns[0]["distinct"]
    assert columns[0].get("distinct") is None and pickle.loads(pickle.dumps(columns)) == columns


def test_diff_of_what_is_not_there(stream):
    with pytest.raises(KeyError):
        arrow_ipc.diff(stream, stream, columns=["nothing"])
    with pytest.raises(TypeError, match="pass a list"):
        arrow_ipc.diff(stream, stream, columns="word")
    with pytest.raises(FileNotFoundError):
        arrow_ipc.diff(stream, "/nothing/here")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="truncated"):
        arrow_ipc.diff(stream, stream[:-40])


def test_convert(stream, tmp_path):
    path = tmp_path / "words.arrow"
    for dictionaries in ["delta", "unify"]:
        assert arrow_ipc.convert(stream, path, compression="zstd:3", dictionaries=dictionaries).lost == []
        assert arrow_ipc.diff(stream, path)["same"] is True
        file = arrow_ipc.open(path)
        assert (file.footer_metadata, [batch.num_rows for batch in file]) == ({"k": "v"}, [1, 2])
    # The file that is read is the one that is written.
    assert arrow_ipc.convert(path, path, container="stream").lost == []
    assert arrow_ipc.diff(stream, arrow_ipc.read_stream(path) and path)["same"] is True
    target = io.BytesIO()
    assert len(arrow_ipc.convert(stream + b"more", target, container="file", dictionaries="delta").lost) == 1
    assert pa.ipc.open_file(target.getvalue()).read_all().num_rows == 3


def test_errors_of_casts_name_the_batch(tmp_path):
    path, stream = tmp_path / "a.arrow", tmp_path / "a.arrows"
    table = pa.table({"v": pa.chunked_array([[1, 2], [3, 300], [4]])})
    arrow_ipc.write_file(path, table)
    arrow_ipc.write_stream(stream, table)
    calls = [
        lambda: arrow_ipc.convert(path, io.BytesIO(), container="file", cast={"v": "int8"}),
        lambda: arrow_ipc.convert(stream, io.BytesIO(), container="file", cast={"v": "int8"}),
        lambda: list(arrow_ipc.dataset(path, schema={"v": "int8"})),
        lambda: list(arrow_ipc.dataset(path, schema={"v": "int8"}).split()[0]),
    ]
    for call in calls:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="batch 1: column .v.: the value 300 in slot 1") as raised:
            call()
        location = raised.value.location
        assert (location.block, location.field, location.slot) == (("record batch", 1), "v", 1)


def test_a_query_takes_the_names_of_the_input(tmp_path):
    path, dest = tmp_path / "a.arrow", tmp_path / "b.arrow"
    arrow_ipc.write_file(path, {"id": [1, 2], "v": [3, 4]})
    for new, old in [
        ({"columns": ["new"]}, {"columns": ["id"]}),
        ({"where": "new > 1"}, {"where": "id > 1"}),
        ({"columns": ["v", "new"], "where": "v > 1"}, {"columns": ["v", "id"], "where": "v > 1"}),
    ]:
        with pytest.raises(KeyError, match="use its old name id, since columns are renamed last"):
            arrow_ipc.convert(path, dest, rename={"id": "new"}, **new)
        arrow_ipc.convert(path, dest, rename={"id": "new"}, **old)
        assert "new" in arrow_ipc.open(dest).schema.names


def test_convert_what_cannot_be(stream, tmp_path):
    path = tmp_path / "words.arrow"
    path.write_bytes(b"what was there")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="neither"):
        arrow_ipc.convert(b"something else", path)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="truncated"):
        arrow_ipc.convert(stream[:-40], path)
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.convert(stream, path, dictionaries="error")
    assert (raised.value.kind, raised.value.category) == ("ChangedDictionary", "misuse")
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.convert(NoSeek(stream), path)
    assert (raised.value.kind, raised.value.category) == ("ReplacedDictionary", "misuse")
    with pytest.raises(ValueError, match="container"):
        arrow_ipc.convert(stream, path, container="parquet")
    assert path.read_bytes() == b"what was there"
    assert os.listdir(tmp_path) == ["words.arrow"]
    # What can be read twice becomes a file with the values of both dictionaries.
    for source in [stream, io.BytesIO(stream)]:
        arrow_ipc.convert(source, path)
        assert arrow_ipc.open(path).to_pylist() == arrow_ipc.concat(arrow_ipc.read_stream(stream)).to_pylist()


def test_recover(stream, tmp_path):
    path = tmp_path / "words.arrow"
    assert arrow_ipc.recover(stream, path, container="stream") == {"n_batches": 2, "n_rows": 3, "lost": [], "hint": None}
    assert arrow_ipc.diff(stream, path)["same"] is True
    for source in [stream[:-40], io.BytesIO(stream[:-40]), NoSeek(stream[:-40])]:
        target = io.BytesIO()
        said = arrow_ipc.recover(source, target, container="stream")
        assert (said["n_batches"], said["n_rows"]) == (1, 1)
        assert ["record batch is lost" in text for text in said["lost"]] == [True]
        assert pa.ipc.open_stream(target.getvalue()).read_all().num_rows == 1
    # The second batch has another dictionary, and a file has the values of both.
    assert arrow_ipc.recover(stream, path, container="file").n_batches == 2
    assert arrow_ipc.open(path).to_pylist() == arrow_ipc.concat(arrow_ipc.read_stream(stream)).to_pylist()


def test_recover_files_of_others(tmp_path):
    table = pa.table({"n": pa.array(range(1000)), "w": pa.array(["a", "b"] * 500).dictionary_encode()})
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=100)
    file = sink.getvalue()
    path = tmp_path / "words.arrow"
    said = arrow_ipc.recover(file[:-300], path)
    assert said["n_rows"] >= 900 and "the footer is lost" in said["lost"][-1]
    found = pa.ipc.open_file(path).read_all()
    assert found.equals(table.slice(0, said["n_rows"]))
    # Damage in the middle costs one batch.
    damaged = bytearray(arrow_ipc_file := path.read_bytes())
    middle = arrow_ipc.inspect(arrow_ipc_file)["messages"][4]["position"]
    damaged[middle : middle + 64] = bytes(64)
    said = arrow_ipc.recover(bytes(damaged), tmp_path / "again.arrow")
    assert said["n_rows"] == found.num_rows - 100 and len(said["lost"]) == 1
    assert pa.ipc.open_file(tmp_path / "again.arrow").read_all().num_rows == said["n_rows"]


def test_recover_what_cannot_be(tmp_path):
    path = tmp_path / "words.arrow"
    path.write_bytes(b"what was there")
    for nothing in [b"", b"something else", bytes(100)]:
        with pytest.raises(arrow_ipc.ArrowIpcError):
            arrow_ipc.recover(nothing, path)
    with pytest.raises(FileNotFoundError):
        arrow_ipc.recover("/nothing/here", path)
    with pytest.raises(ValueError, match="container"):
        arrow_ipc.recover(b"", path, container="parquet")
    assert path.read_bytes() == b"what was there"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "words.arrow"
    words = pa.record_batch({"word": pa.array(["a", "b", None]).dictionary_encode(), "id": [1, 2, 3]})
    arrow_ipc.write_file(path, [words, words.slice(1)])
    return path


def rows(source):
    opened = arrow_ipc.open(source) if str(source).endswith(".arrow") else arrow_ipc.read_stream(source)
    return pa.table(opened).to_pylist()


def test_append(file):
    before = rows(file)
    assert arrow_ipc.append(file, file) == {"n_batches": 2, "n_rows": 5, "lost": []}
    # Arrow data of any library, and new values of a dictionary.
    more = pa.record_batch({"word": pa.array(["c"]).dictionary_encode(), "id": [4]})
    unchanged = file.read_bytes()
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, more)
    for data in [more, stream.getvalue()]:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            arrow_ipc.append(file, data)
        assert raised.value.kind == "ReplacedDictionary"
        assert str(raised.value).startswith(f"{file}: ")
        if hasattr(raised.value, "add_note"):
            assert raised.value.__notes__ == ['dictionaries="delta" uses the values of the file, and appends new ones']
        assert file.read_bytes() == unchanged
    said = arrow_ipc.append(file, [more], compression="zstd", dictionaries="delta")
    assert (said["n_batches"], said["n_rows"]) == (1, 1)
    assert rows(file) == before + before + [{"word": "c", "id": 4}]
    # Other columns are refused, also where there is no batch.
    unchanged = file.read_bytes()
    none = pa.RecordBatchReader.from_batches(pa.schema([("id", pa.int64())]), [])
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.append(file, none)
    assert raised.value.kind == "Schema" and file.read_bytes() == unchanged
    with pytest.raises(ValueError, match="allowed: 'refuse' or 'delta'"):
        arrow_ipc.append(file, file, dictionaries="replace")
    with pytest.raises(FileNotFoundError):
        arrow_ipc.append(file.parent / "none.arrow", file)
    with pytest.raises(TypeError):
        arrow_ipc.append(file, 3)
    # What the file has no place for is said.
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, pa.table(arrow_ipc.open(file)).slice(0, 0))
    said = arrow_ipc.append(file, stream.getvalue() + b"something else")
    assert said["n_rows"] == 0 and "14 trailing bytes" in said["lost"][0]


def test_concat_and_split(file, tmp_path):
    all_rows = rows(file)
    both = tmp_path / "both.arrow"
    assert arrow_ipc.concat_files([file, io.BytesIO(file.read_bytes())], both, batch_rows=4).lost == []
    assert rows(both) == all_rows + all_rows
    assert [batch.num_rows for batch in arrow_ipc.open(both)] == [4, 4, 2]
    part = tmp_path / "part.arrows"
    arrow_ipc.split_file(both, part, rows=slice(2, 7), container="stream", compression="lz4")
    assert rows(part) == (all_rows + all_rows)[2:7]
    arrow_ipc.split_file(both, part, batches=(1, 2), container="stream")
    assert rows(part) == (all_rows + all_rows)[4:8]
    arrow_ipc.split_file(both, part, rows=slice(3, None), container="stream")
    assert rows(part) == (all_rows + all_rows)[3:]
    for wrong in [{"rows": slice(-1, None)}, {"rows": (0, 1), "batches": (0, 1)}, {"batch_rows": 0}]:
        with pytest.raises(ValueError):
            arrow_ipc.split_file(both, part, **wrong)
    for rows_or_batches in ["rows", "batches"]:
        with pytest.raises(IndexError, match="out of bounds; they are counted from the start"):
            arrow_ipc.split_file(both, part, **{rows_or_batches: (-1, 2)})


def test_recover_with_a_schema(file, tmp_path):
    content = file.read_bytes()
    broken, sound = tmp_path / "broken.arrow", tmp_path / "sound.arrow"
    # Neither the schema message nor the footer can be read.
    broken.write_bytes(content[:16] + bytes([0xEE] * 48) + content[64:-10])
    with pytest.raises(arrow_ipc.ArrowIpcError):
        arrow_ipc.recover(broken, sound)
    assert not sound.exists()
    said = arrow_ipc.recover(broken, sound, schema=arrow_ipc.open(file).schema)
    assert (said["n_batches"], said["n_rows"], rows(sound)) == (2, 5, rows(file))

    # What is lost may still be found in the damaged file.
    link = tmp_path / "link.arrow"
    os.symlink(broken, link)
    for dest in [broken, link]:
        with open(broken, "rb") as source:
            for damaged in [broken, source]:
                with pytest.raises(ValueError, match="a source is not replaced: choose another dest"):
                    arrow_ipc.recover(damaged, dest, schema=arrow_ipc.open(file).schema)
    assert broken.read_bytes()[:6] == b"ARROW1"


def test_none_of_several_sources_is_replaced(file, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ["a.arrow", "b.arrow"]:
        shutil.copy(file, folder / name)
    os.link(folder / "b.arrow", tmp_path / "link.arrow")
    before = rows(folder / "a.arrow")
    for sources in [[folder / "a.arrow", folder / "b.arrow"], [folder], [str(folder / "*.arrow")]]:
        for dest in [folder / "b.arrow", tmp_path / "link.arrow"]:
            with pytest.raises(ValueError, match="a source is not replaced: choose another dest"):
                arrow_ipc.concat_files(sources, dest)
    assert rows(folder / "b.arrow") == before
    # A call that writes its only source again may replace it.
    arrow_ipc.convert(folder / "b.arrow", folder / "b.arrow", compression="zstd")
    assert rows(folder / "b.arrow") == before


def test_recovered_dictionaries_in_opposite_orders_need_a_stream(tmp_path):
    arrays = [pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.array(values), ordered=True) for values in [["a", "b"], ["b", "a"]]]
    stream = io.BytesIO()
    arrow_ipc.write_stream(stream, [pa.record_batch({"w": array}) for array in arrays])
    sound = tmp_path / "sound.arrow"
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.recover(stream.getvalue(), sound)
    assert not sound.exists()
    assert 'container="stream"' in raised.value.hint
    assert arrow_ipc.recover(stream.getvalue(), io.BytesIO(), container="stream")["n_batches"] == 2


def test_files_with_other_columns_become_one(tmp_path):
    arrow_ipc.write_file(tmp_path / "a.arrow", {"id": [1, 2], "name": ["ada", "bob"]})
    arrow_ipc.write_stream(tmp_path / "b.arrows", {"city": ["Oslo"], "id": [2.5]})
    sources, out = [tmp_path / "a.arrow", tmp_path / "b.arrows"], tmp_path / "out.arrow"
    with pytest.raises(arrow_ipc.ArrowIpcError):
        arrow_ipc.concat_files(sources, out)
    arrow_ipc.concat_files(sources, out, union=True)
    table = pa.ipc.open_file(out).read_all()
    assert table.to_pylist() == [
        {"id": 1.0, "name": "ada", "city": None},
        {"id": 2.0, "name": "bob", "city": None},
        {"id": 2.5, "name": None, "city": "Oslo"},
    ]


def test_a_file_after_a_file_is_told(file, tmp_path):
    folder = tmp_path / "set"
    folder.mkdir()
    path = folder / "both.arrow"
    path.write_bytes(file.read_bytes() * 2)
    said = "a second file begins at byte .*; only batches of the first are read"
    for source in [path, path.read_bytes(), io.BytesIO(path.read_bytes())]:
        with pytest.warns(UserWarning, match=said):
            assert arrow_ipc.open(source).num_rows == arrow_ipc.open(file).num_rows
    for source in [path, folder, folder / "*.arrow"]:
        assert re.search(said, str(arrow_ipc.count(source)["notes"]))
        assert re.search(said, str(arrow_ipc.stats(source)["notes"]))
    for source in [folder, [path], folder / "*.arrow"]:
        with pytest.warns(UserWarning, match=f"both.arrow: {said}"):
            arrow_ipc.dataset(source)


def test_bytes_that_no_block_has_are_told(file, tmp_path):
    content = file.read_bytes()
    footer = len(content) - 10 - int.from_bytes(content[-10:-6], "little")
    path = tmp_path / "garbage.arrow"
    path.write_bytes(content[:footer] + b"x" * 100 + content[footer:])
    said = f"garbage.arrow: 108 bytes from byte {footer - 8} to the footer are in none of its blocks, and not read"
    for function in [arrow_ipc.open, arrow_ipc.dataset]:
        with pytest.warns(UserWarning, match=said):
            function(path)
    for function in [arrow_ipc.count, arrow_ipc.stats]:
        assert said.partition(": ")[2] in str(function(path)["notes"])


def test_metadata_that_is_not_utf8_is_told(tmp_path):
    schema = pa.schema([pa.field("a", pa.int64())], metadata={b"pickle": b"\x80\x04\xff"})
    path = tmp_path / "pickle.arrow"
    with pa.ipc.new_file(path, schema) as writer:
        writer.write_batch(pa.record_batch([[1, 2]], schema=schema))
    for source in [path, tmp_path, tmp_path / "*.arrow"]:
        for function in [arrow_ipc.count, arrow_ipc.stats]:
            assert ["not UTF-8" in note for note in function(source).notes] == [True]
    found = arrow_ipc.diff(path, path)
    assert found.same and ["not UTF-8" in note for note in found.notes] == [True, True]
