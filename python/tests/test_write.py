"""Writing: from whatever has a capsule, to paths and file-like objects."""

import datetime
import errno
import gc
import io
import os
import re
import subprocess
import sys
import types
import uuid
import warnings

import arrow_ipc
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest


@pytest.fixture
def table():
    return pa.table({"id": list(range(6)), "word": list("ababcc")})


def test_whatever_is_written(table, tmp_path):
    batches = table.to_batches(max_chunksize=2)
    for data in [
        table, batches[0], batches, iter(batches), (batch for batch in batches), table.to_reader(),
        pl.DataFrame(table), pd.DataFrame({"id": [1, 2], "word": ["a", "b"]}), arrow_ipc.RecordBatch.from_arrow(table),
        arrow_ipc.Stream.from_arrow(table), [table, batches[0], pl.DataFrame(table)[:0].cast({"word": pl.String})][:2],
    ]:
        path = tmp_path / "words.arrow"
        arrow_ipc.write_file(path, data)
        written = arrow_ipc.open(path)
        assert written.schema.names == ["id", "word"]
        assert written.num_rows in (2, 6, 8)


def test_others_read_it(table, tmp_path):
    path = tmp_path / "words.arrow"
    for compression in [None, "lz4", "zstd", "zstd:19"]:
        arrow_ipc.write_file(path, table, compression=compression)
        assert pa.ipc.open_file(path).read_all().equals(table)
        assert pl.read_ipc(path).equals(pl.DataFrame(table))
        arrow_ipc.write_stream(path, table, compression=compression)
        assert pa.ipc.open_stream(path).read_all().equals(table)


def test_metadata(table):
    target = io.BytesIO()
    schema = arrow_ipc.Schema.from_arrow(table.schema).with_metadata({"of": "the schema"})
    with arrow_ipc.Writer(target, schema, container="file", footer_metadata=[("of", "the footer")]) as writer:
        assert writer.schema == schema
        writer.write(table)
    file = arrow_ipc.open(target.getvalue())
    assert (file.footer_metadata, file.metadata, file.schema.metadata) == ({"of": "the footer"}, {"of": "the schema"}, {"of": "the schema"})
    read = pa.ipc.open_file(target.getvalue())
    assert read.schema.metadata == {b"of": b"the schema"}
    for name in ("metadata", "footer_metadata"):
        with pytest.raises(TypeError, match="str to str"):
            arrow_ipc.write_file(io.BytesIO(), table, **{name: {"k": 1}})
    # What is read can be written, also without a value.
    again = schema.with_metadata({**schema.metadata, "empty": None})
    assert again.with_metadata(again.metadata).metadata == {"of": "the schema", "empty": None}


def test_metadata_is_where_readers_see_it(tmp_path):
    """Of the schema, whatever it has already; that of footers and messages has names of its own."""
    path, noted = tmp_path / "a.arrow", pa.table({"a": [1]}).replace_schema_metadata({"owner": "bo", "kept": "yes"})
    given, expected = {"owner": "ann", "more": "x"}, {"kept": "yes", "owner": "ann", "more": "x"}
    as_bytes = {key.encode(): value.encode() for key, value in expected.items()}
    arrow_ipc.write_file(path, noted, metadata=given, footer_metadata={"f": "1"})
    file = arrow_ipc.open(path)
    assert (file.metadata, file.schema.metadata, file.footer_metadata) == (expected, expected, {"f": "1"})
    assert pa.ipc.open_file(path).schema.metadata == as_bytes and pa.ipc.open_file(path).metadata == {b"f": b"1"}
    assert pl.read_ipc(path).rows() == [(1,)] and file[:].schema.metadata == expected
    arrow_ipc.write_stream(path, noted, metadata=given, message_metadata={"m": "1"})
    stream = arrow_ipc.read_stream(path)
    assert (stream.metadata, stream.message_metadata) == (expected, {"m": "1"}) and pa.ipc.open_stream(path.read_bytes()).schema.metadata == as_bytes
    for container, right, wrong in ("file", "footer_metadata", "message_metadata"), ("stream", "message_metadata", "footer_metadata"):
        with arrow_ipc.Writer(path, noted.schema, container=container, metadata=given, **{right: {"o": "1"}}) as writer:
            writer.write(noted)
            assert writer.schema.metadata == expected
        file = arrow_ipc.open(path)
        assert (file.metadata, file.footer_metadata, file.num_rows) == (expected, {"o": "1"}, 1)
        with pytest.raises(ValueError, match=right):
            arrow_ipc.Writer(tmp_path / "none.arrow", noted.schema, container=container, **{wrong: {"o": "1"}})
    # So it is with dictionaries that are joined, and with other metadata of the footer.
    words = [pa.record_batch({"word": pa.array([word]).dictionary_encode()}) for word in "ab"]
    for options in {"dictionaries": "unify"}, {"row_counts": "written"}:
        arrow_ipc.write_file(path, words, metadata=given, **options)
        assert arrow_ipc.open(path).metadata == given and arrow_ipc.open(path)["word"].to_pylist() == ["a", "b"]
    assert not (tmp_path / "none.arrow").exists()


def words(*batches):
    return [pa.record_batch({"word": pa.array(batch).dictionary_encode()}) for batch in batches]


@pytest.mark.parametrize("dictionaries", ["delta", "unify"])
def test_dictionaries_of_a_file(dictionaries):
    target = io.BytesIO()
    arrow_ipc.write_file(target, words(["a", "b"], ["c", "a"]), dictionaries=dictionaries)
    assert pa.ipc.open_file(target.getvalue()).read_all().column("word").to_pylist() == ["a", "b", "c", "a"]
    assert pa.table(arrow_ipc.open(target.getvalue())).column("word").to_pylist() == ["a", "b", "c", "a"]


def test_dictionaries_that_must_not_change():
    for write, dictionaries, kind in [
        (lambda dest, data, **options: arrow_ipc.write_file(dest, iter(data), **options), "replace", "ReplacedDictionary"),
        (arrow_ipc.write_file, "error", "ChangedDictionary"),
        (arrow_ipc.write_stream, "error", "ChangedDictionary"),
    ]:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            write(io.BytesIO(), words(["a", "b"], ["c", "a"]), dictionaries=dictionaries)
        assert (raised.value.kind, raised.value.category) == (kind, "misuse")
        if hasattr(raised.value, "add_note"):
            assert 'dictionaries="unify" writes one dictionary' in raised.value.__notes__[0]
    arrow_ipc.write_stream(io.BytesIO(), words(["a", "b"], ["c", "a"]))


def test_slices_of_views_take_what_they_refer_to():
    """Each batch shares the data of all 5,000 values, most of which it does not refer to."""
    values = pa.array([f"a text of some length {k:05}" for k in range(5_000)], pa.string_view())
    order = [k * 7919 % 5_000 for k in range(5_000)]
    whole = pl.DataFrame({"text": pl.Series(values)[order]})
    batches = [whole.slice(k, 50) for k in range(0, 5_000, 50)]
    expected = pa.table(whole)

    def in_turn(dest, data, unused="bounded"):
        with arrow_ipc.Writer(dest, arrow_ipc.concat(data[0]).schema, container="file", unused=unused) as writer:
            writer.write(data)

    for write in [arrow_ipc.write_file, arrow_ipc.write_stream, in_turn]:
        sizes = {}
        for unused in ["bounded", "keep", "remove"]:
            target = io.BytesIO()
            write(target, batches, unused=unused)
            sizes[unused] = len(target.getvalue())
            read = arrow_ipc.read_stream if write is arrow_ipc.write_stream else arrow_ipc.open
            assert pa.table(read(target.getvalue())).cast(expected.schema).equals(expected)
        target = io.BytesIO()
        write(target, batches)
        assert len(target.getvalue()) == sizes["bounded"]
        assert sizes["remove"] <= sizes["bounded"] < 5_000 * (16 + 2 * 27) + 100 * 512
        assert sizes["keep"] > 20 * sizes["bounded"]
    with pytest.raises(ValueError, match="'bounded', 'keep' or 'remove'"):
        arrow_ipc.write_file(io.BytesIO(), batches, unused="written")
    # The same of a stream that is rewritten.
    source = io.BytesIO()
    arrow_ipc.write_stream(source, batches, unused="keep")
    sizes = {}
    for unused in ["bounded", "keep", "remove"]:
        target = io.BytesIO()
        arrow_ipc.convert(source.getvalue(), target, container="file", dictionaries="unify", unused=unused)
        sizes[unused] = len(target.getvalue())
    assert sizes["remove"] <= sizes["bounded"] <= sizes["keep"]
    assert sizes["remove"] < sizes["keep"] // 30


def test_options_that_do_not_exist(table, tmp_path):
    for options, message in [
        ({"compression": "brotli"}, "'none', 'lz4', 'zstd'"),
        ({"compression": "zstd:x"}, "with a level from"),
        ({"compression": "zstd:99"}, "with a level from -131072 to 22"),
        ({"dictionaries": "merge"}, "'replace', 'delta', 'unify' or 'error'"),
    ]:
        with pytest.raises(ValueError, match=message):
            arrow_ipc.write_file(io.BytesIO(), table, **options)
    with pytest.raises(ValueError, match="'file' or 'stream'"):
        arrow_ipc.Writer(io.BytesIO(), table.schema, container="parquet")
    with pytest.raises(ValueError, match="a Writer cannot unify dictionaries"):
        arrow_ipc.Writer(tmp_path / "x.arrow", table.schema, dictionaries="unify")
    with pytest.raises(ValueError, match="validation"):
        arrow_ipc.open(b"", validation="none")


def test_a_file_appears_when_it_is_complete(table, tmp_path):
    path = tmp_path / "words.arrow"
    path.write_bytes(b"what was there")
    with pytest.raises(RuntimeError), arrow_ipc.Writer(path, table.schema) as writer:
        writer.write(table)
        raise RuntimeError
    assert path.read_bytes() == b"what was there"
    assert os.listdir(tmp_path) == ["words.arrow"]

    def failing():
        yield table
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        arrow_ipc.write_file(path, failing())
    assert path.read_bytes() == b"what was there"
    assert os.listdir(tmp_path) == ["words.arrow"]
    with arrow_ipc.Writer(path, table.schema) as writer:
        writer.write(table)
        assert path.read_bytes() == b"what was there"
    writer.close()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the writer is closed"):
        writer.write(table)
    assert arrow_ipc.open(path).num_rows == 6


def test_a_link_stays_a_link(table, tmp_path):
    path, link = tmp_path / "words.arrow", tmp_path / "link.arrow"
    path.write_bytes(b"")
    link.symlink_to(path)
    arrow_ipc.write_file(link, table)
    assert link.is_symlink() and arrow_ipc.open(path).num_rows == 6
    # Its target need not exist.
    path.unlink()
    arrow_ipc.write_file(link, table)
    assert link.is_symlink() and arrow_ipc.open(path).num_rows == 6


def test_a_file_is_rewritten_in_place(table, tmp_path):
    """It is read while it is written: the new one takes its name at the end."""
    path = tmp_path / "words.arrow"
    arrow_ipc.write_file(path, table)
    arrow_ipc.write_file(path, arrow_ipc.open(path).select(["word"]), compression="zstd")
    assert arrow_ipc.open(path).schema.names == ["word"]


def test_a_forked_process_leaves_the_file_to_its_writer(table, tmp_path):
    path = tmp_path / "words.arrow"
    batch = table.to_batches()[0]
    writer = arrow_ipc.Writer(path, batch.schema)
    writer.write(batch)
    child = os.fork()
    if child == 0:
        del writer
        os._exit(0)
    os.waitpid(child, 0)
    writer.close()
    assert arrow_ipc.open(path).num_rows == 6


def test_a_file_that_would_block_is_an_error():
    """A raw file says by `None` that it has taken nothing."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    with open(read_end, "rb"), open(write_end, "wb", buffering=0) as file:
        with pytest.raises(BlockingIOError, match="were not written"):
            arrow_ipc.write_stream(file, {"a": list(range(200_000))})

    class Silent:
        """Others have taken everything then."""

        def __init__(self):
            self.n_bytes = 0

        def write(self, data):
            self.n_bytes += len(data)

    sink = Silent()
    arrow_ipc.write_stream(sink, {"a": list(range(200_000))})
    assert sink.n_bytes > 1_600_000


def test_sinks_that_fail(table, tmp_path):
    class Full(io.RawIOBase):
        def write(self, data):
            raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left"):
        arrow_ipc.write_file(Full(), table)

    class Lying:
        def write(self, data):
            return len(data) + 1

    with pytest.raises(OSError, match="says that it wrote"):
        arrow_ipc.write_file(Lying(), table)
    for answer in [-1, 2**70, "all"]:
        sink = type("Odd", (), {"write": lambda self, data, answer=answer: answer})()
        with pytest.raises(OSError, match=f"says that it wrote {answer}"):
            arrow_ipc.write_file(sink, table)

    class Short(io.BytesIO):
        def write(self, data):
            return super().write(bytes(data)[:13])

    target = Short()
    arrow_ipc.write_file(target, table)
    assert pa.table(arrow_ipc.open(target.getvalue())).equals(table)
    with pytest.raises(FileNotFoundError):
        arrow_ipc.write_file(tmp_path / "no" / "folder.arrow", table)
    with pytest.raises(TypeError, match="a path or a file-like object"):
        arrow_ipc.write_file(3, table)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("write", [arrow_ipc.write_file, arrow_ipc.write_stream, arrow_ipc.write_csv, arrow_ipc.write_json])
def test_errors_of_the_system_have_a_number(write):
    with pytest.raises(OSError) as raised:
        write("/dev/full", {"a": [1]})
    assert raised.value.errno == errno.ENOSPC
    assert (raised.value.strerror, str(raised.value)) == (os.strerror(errno.ENOSPC), "[Errno 28] No space left on device")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files")
def test_files_that_are_too_long_have_a_number(tmp_path):
    script = """
import arrow_ipc, resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
try:
    arrow_ipc.write_file(sys.argv[1], {"a": list(range(10_000))})
except OSError as error:
    print(error.errno)
"""
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "long.arrow")], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (f"{errno.EFBIG}\n", "")


@pytest.mark.parametrize("write", [arrow_ipc.write_file, arrow_ipc.write_stream, arrow_ipc.write_csv, arrow_ipc.write_json])
@pytest.mark.parametrize("n_rows", [1, 200_000])
def test_nothing_is_written_after_an_error(write, n_rows):
    class Full(io.RawIOBase):
        n_calls = n_flushes = 0

        def write(self, data):
            self.n_calls += 1
            raise OSError(28, "No space left on device")

        def flush(self):
            self.n_flushes += 1

    target = Full()
    with pytest.raises(OSError, match="No space left"):
        write(target, {"a": list(range(n_rows))})
    assert (target.n_calls, target.n_flushes) == (1, 0)


class Keeping(io.RawIOBase):
    """Keeps what it gets, without a copy, and takes at most `n_most` bytes at once."""

    def __init__(self, n_most):
        super().__init__()
        self.n_most, self.kept = n_most, []

    def writable(self):
        return True

    def write(self, data):
        # A view of the view: it has no lock on what it shows other than the memory itself.
        self.kept.append(memoryview(data)[: self.n_most])
        return len(self.kept[-1])


class Stopping(io.RawIOBase):
    """Writes nothing in one of the calls, and says so."""

    def __init__(self, n_before):
        super().__init__()
        self.n_before, self.n_calls = n_before, 0

    def write(self, data):
        self.n_calls += 1
        return 0 if self.n_calls == self.n_before + 1 else len(data)


@pytest.mark.parametrize("container", ["file", "stream"])
@pytest.mark.parametrize("n_before", range(1, 7))
def test_a_sink_that_writes_nothing_ends_the_output(container, n_before):
    batch = pa.record_batch({"n": np.arange(100_000), "t": ["a"] * 100_000})
    sink = Stopping(n_before)
    writer = arrow_ipc.Writer(sink, batch.schema, container=container)
    with pytest.raises(OSError, match="bytes, but says that it wrote 0"):
        for _ in range(10):
            writer.write(batch)
    n_calls = sink.n_calls
    for go_on in [lambda: writer.write(batch), writer.close]:
        with pytest.raises(OSError, match="cannot continue after its earlier error"):
            go_on()
    assert sink.n_calls == n_calls


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
@pytest.mark.parametrize("n_most", [1 << 30, 1_000_003])
def test_what_a_sink_keeps_stays_as_it_is(compression, n_most):
    numbers = np.random.default_rng(5).integers(0, 1000, 400_000)
    table = pa.table({"n": numbers, "few": pa.array([1.5] * 400_000)})
    kept, whole = Keeping(n_most), io.BytesIO()
    for sink in [kept, whole]:
        with arrow_ipc.Writer(sink, table.schema, container="file", compression=compression) as writer:
            for start in range(0, 400_000, 100_000):
                writer.write(table.slice(start, 100_000))
    assert b"".join(kept.kept) == whole.getvalue()
    # Large buffers come as they lie in memory, and nobody can change them. Compressed ones are copied.
    views = [view for view in kept.kept if not isinstance(view.obj, bytes)]
    assert bool(views) == (compression == "none") and all(view.readonly for view in views)
    assert arrow_ipc.open(whole.getvalue()).num_rows == 400_000


def test_a_writer_that_is_not_closed_warns(table, tmp_path):
    writer = arrow_ipc.Writer(tmp_path / "lost.arrow", table.schema)
    writer.write(table)
    with pytest.warns(ResourceWarning, match="was not closed: its output is not complete"):
        del writer
        gc.collect()
    assert not (tmp_path / "lost.arrow").exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with arrow_ipc.Writer(tmp_path / "kept.arrow", table.schema) as writer:
            writer.write(table)
        with pytest.raises(KeyError), arrow_ipc.Writer(tmp_path / "not.arrow", table.schema) as writer:
            raise KeyError
        del writer
        gc.collect()


def test_batches_of_other_schemas(table):
    other = pa.table({"id": [1.5], "word": ["x"]})
    with pytest.raises(arrow_ipc.ArrowIpcError, match="does not fit the schema") as raised:
        arrow_ipc.write_file(io.BytesIO(), [table, other])
    assert raised.value.kind == "Schema"
    with pytest.raises(arrow_ipc.ArrowIpcError, match="there are no batches"):
        arrow_ipc.write_file(io.BytesIO(), [])
    with pytest.raises(TypeError, match="found <class 'int'> among"):
        arrow_ipc.write_file(io.BytesIO(), [table, 3])
    with pytest.raises(TypeError, match="expected an object with `__arrow_c_stream__`"):
        arrow_ipc.write_file(io.BytesIO(), 3)


def test_columns_keep_their_types():
    """Columns of libraries do, and of our own; times of NumPy have those of their units."""
    made = arrow_ipc.RecordBatch.from_arrow(
        {
            "ours": arrow_ipc.concat(pa.table({"x": pa.array([1, None], pa.timestamp("ns", "Asia/Tokyo"))}))["x"],
            "theirs": pa.array([1, 2], pa.int8()),
            "parts": pa.chunked_array([["a"], [], [None]], pa.large_string()),
            "words": pa.array(["a", "b"]).dictionary_encode(),
            "date": np.array(["2024-02-29", "NaT"], "M8[D]"),
            "at": np.array(["2024-02-29T01", "NaT"], "M8[ns]"),
            "took": np.array([1500, "NaT"], "m8[ms]"),
            "flag": [np.bool_(True), None],
            "n": [np.int16(3), 4],
            "f": [np.float32(0.5), 1],
        }
    )
    types = ['timestamp(ns, "Asia/Tokyo")', "int8", "large_utf8", "dictionary<int32, utf8>"]
    types += ["date32", "timestamp(ns)", "duration(ms)", "bool", "int64", "float64"]
    assert [field.type for field in made.schema.fields] == types
    assert made.select(["date", "at", "took", "flag", "n", "f"]).to_pylist() == [
        {
            "date": datetime.date(2024, 2, 29),
            "at": datetime.datetime(2024, 2, 29, 1),
            "took": datetime.timedelta(milliseconds=1500),
            "flag": True,
            "n": 3,
            "f": 0.5,
        },
        {"date": None, "at": None, "took": None, "flag": None, "n": 4, "f": 1.0},
    ]
    with pytest.raises(ValueError, match="different lengths: {'a': 2, 'b': 1}"):
        arrow_ipc.concat({"a": pa.array([1, 2]), "b": [1]})


def test_values_get_the_types_of_the_schema(tmp_path):
    """Of a writer, of a file that is appended to, and of a data set; a column that rows do not have is null."""
    schema = {"id": "int8", "text": "utf8_view", "x": "float32", "word": "dictionary<int8, utf8>", "at": 'timestamp(ms, "Europe/Berlin")'}
    row = {"at": datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc), "x": 1, "word": "a", "id": 2, "text": "t"}
    path = tmp_path / "a.arrow"
    with arrow_ipc.Writer(path, schema, dictionaries="delta") as writer:
        writer.write([{"id": 1}, row])
        writer.write({name: [row[name]] for name in row})
        with pytest.raises(arrow_ipc.ArrowIpcError, match="id: the value 1000 in slot 0 does not fit int8") as caught:
            writer.write([{"id": 1000}])
        assert caught.value.category == "misuse"
        with pytest.raises(TypeError, match="x: 'a' in row 1 is <class 'str'>, and the type is float32"):
            writer.write([{"id": 1}, {"x": "a"}])
        with pytest.raises(KeyError, match='no field is named "ids"') as caught:
            writer.write([{"ids": 1}])
        assert caught.value.hint == "did you mean id?"
    assert arrow_ipc.append(path, [{"id": 3}]).n_rows == 1
    assert arrow_ipc.open(path).to_pylist() == [{**dict.fromkeys(schema), "id": 1}, row, row, {**dict.fromkeys(schema), "id": 3}]
    sets = arrow_ipc.DatasetWriter(tmp_path / "set", schema)
    sets.commit([sets.write([{"id": 4}])])
    assert arrow_ipc.concat(arrow_ipc.dataset(tmp_path / "set"))["id"].to_pylist() == [4]


@pytest.mark.parametrize("column", [pa.array, pl.Series, pd.Series, arrow_ipc.Array], ids=lambda column: column.__module__)
def test_columns_of_others_keep_their_meaning(column):
    """As lists do: text becomes no number, and a number no text. Widths and encodings are no meaning."""
    for values, wanted in [(["3"], "int32"), ([True], "int32"), ([1], "utf8"), (["2024-01-01"], "date32"), (["x"], "bool")]:
        with pytest.raises(TypeError, match=f"id: .* and the type is {wanted}"):
            arrow_ipc.RecordBatch({"id": column(values)}, {"id": wanted})
        assert arrow_ipc.RecordBatch({"id": column([])}, {"id": wanted}).num_rows == 0
    for values, wanted in [([3, None], "int8"), (["a", "a"], "dictionary<int8, utf8>"), ([1.5], "float32"), ([1], "decimal128(5, 2)")]:
        assert arrow_ipc.RecordBatch({"id": column(values)}, {"id": wanted})["id"].type == wanted


def test_nulls_in_encodings_have_no_meaning_to_keep():
    nulls = pa.array([None], pa.int64())
    for column in [
        pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), nulls),
        pa.RunEndEncodedArray.from_arrays(pa.array([2], pa.int32()), nulls),
    ]:
        batch = arrow_ipc.RecordBatch({"a": column}, {"a": "utf8"})
        assert batch["a"].to_pylist() == [None] * len(column)


def test_nulls_of_a_single_text_column_are_told():
    """A blank line would be no row, so they are read back as empty text."""
    target = io.BytesIO()
    with pytest.warns(UserWarning, match='2 nulls written as "", like empty text: the CSV has a single column; write_json keeps nulls'):
        arrow_ipc.write_csv(target, {"t": ["a", None, "", None]})
    assert arrow_ipc.concat(arrow_ipc.read_csv(target.getvalue()))["t"].to_pylist() == ["a", "", "", ""]
    for data in ({"n": [1, None]}, {"t": ["a", None], "n": [1, 2]}):
        target = io.BytesIO()
        arrow_ipc.write_csv(target, data)
        assert arrow_ipc.concat(arrow_ipc.read_csv(target.getvalue())).to_pydict() == data


def test_one_appends_at_a_time(tmp_path):
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, {"id": [0]})

    def batches():
        yield arrow_ipc.RecordBatch({"id": [1]})
        with pytest.raises(arrow_ipc.ArrowIpcError, match="is locked: another process or thread appends to it") as caught:
            arrow_ipc.append(path, {"id": [9]})
        assert caught.value.kind == "Locked" and "has finished its append" in caught.value.hint
        yield arrow_ipc.RecordBatch({"id": [2]})

    assert arrow_ipc.append(path, batches()).n_rows == 2
    assert arrow_ipc.open(path)["id"].to_pylist() == [0, 1, 2]


def test_batches_before_a_failure_stay_written():
    def batches():
        yield arrow_ipc.RecordBatch({"id": [1]})
        raise KeyError("id")

    target = io.BytesIO()
    with arrow_ipc.Writer(target, {"id": "int64"}, container="file") as writer:
        with pytest.raises(KeyError):
            writer.write(batches())
        writer.write([{"id": 2}])
    assert arrow_ipc.open(target)["id"].to_pylist() == [1, 2]


def test_mappings_and_sets_are_no_columns(tmp_path):
    """The values of a dict would be lost, and a set has no order."""
    path = tmp_path / "a.arrow"
    frame = pd.DataFrame({"id": [1, 2], "word": ["a", "b"]})
    for data in (frame.to_dict(), {"user": {"id": 5, "name": "x"}}, {"id": [1], "user": types.MappingProxyType({"id": 5})}):
        for call in (lambda data=data: arrow_ipc.write_file(path, data), lambda data=data: arrow_ipc.RecordBatch(data)):
            with pytest.raises(TypeError, match=r"a column is a list of values, found .*; `df.to_dict\('list'\)` of pandas gives lists"):
                call()
    for values in ({1, 2}, frozenset("ab")):
        with pytest.raises(TypeError, match="a column is a list of values, found .*set"):
            arrow_ipc.RecordBatch({"id": values})
    assert not path.exists()
    arrow_ipc.write_file(path, frame.to_dict("list"))
    assert arrow_ipc.open(path).to_pydict() == frame.to_dict("list")
    assert arrow_ipc.RecordBatch({"id": {1: 2}.keys(), "n": {1: 2}.values()}).to_pydict() == {"id": [1], "n": [2]}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_text_is_laid_out_as_in_the_file(make, tmp_path):
    """Text of pandas is large_utf8 and that of polars utf8_view: where a schema is known, they become what it has."""
    path = tmp_path / "a.arrow"
    schema = arrow_ipc.Schema({"id": "int64", "name": "utf8"})
    with arrow_ipc.Writer(path, schema) as writer:
        writer.write(make({"id": [1], "name": ["ada"]}))
        writer.write(make({"id": [2], "name": ["a longer text than a view has inside"]})[:0])
    arrow_ipc.append(path, make({"id": [2, 3], "name": ["a longer text than a view has inside", None]}))
    file = arrow_ipc.open(path)
    assert file.schema == schema
    assert file["name"].to_pylist() == ["ada", "a longer text than a view has inside", None]
    part = arrow_ipc.DatasetWriter(tmp_path / "set", schema).write(make({"id": [1], "name": ["ada"]}))
    assert part.num_rows == 1
    # Numbers keep their types, and columns their order.
    for other in [make({"id": ["1"], "name": ["ada"]}), make({"name": ["ada"], "id": [1]}), make({"id": [1.5], "name": ["ada"]})]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="does not fit the schema"):
            arrow_ipc.append(path, other)
    assert arrow_ipc.open(path).num_rows == 3


def test_nulls_and_metadata_of_values(tmp_path):
    """`pandas.NA` is a null; fields and schemas keep their metadata in the file."""
    pandas = pytest.importorskip("pandas")
    weight = arrow_ipc.Field("weight", "float64", metadata={"unit": "kg"})
    schema = arrow_ipc.Schema([weight, ("id", "int64")]).with_metadata({"made by": "hand"})
    batch = arrow_ipc.RecordBatch({"weight": [1.5, pandas.NA], "id": [pandas.NA, 2]}, schema)
    assert arrow_ipc.RecordBatch(batch, schema) == batch == arrow_ipc.RecordBatch([{"weight": 1.5}, {"id": 2}], schema=schema)
    for data, error in [({"weight": ["1"], "id": [1]}, TypeError), ({"weight": [1.0], "ID": [1]}, KeyError), (pa.table({"id": [1]}), ValueError)]:
        with pytest.raises(error):
            arrow_ipc.RecordBatch(data, schema)
    for data in ({"id": [None]}, pa.table({"id": pa.array([None], pa.int64())})):
        with pytest.raises(ValueError, match="1 of the values are null"):
            arrow_ipc.RecordBatch(data, {"id": "int64 not null"})
    arrow_ipc.write_file(tmp_path / "a.arrow", batch, footer_metadata={"of": "footer"})
    file = arrow_ipc.open(tmp_path / "a.arrow")
    assert file[:].to_pydict() == {"weight": [1.5, None], "id": [None, 2]}
    assert (file.schema["weight"].metadata, file.schema.metadata, file.footer_metadata) == ({"unit": "kg"}, {"made by": "hand"}, {"of": "footer"})
    with pa.ipc.open_file(tmp_path / "a.arrow") as theirs:
        assert theirs.schema.field("weight").metadata == {b"unit": b"kg"}


def test_fields_keep_their_extension_type(tmp_path):
    given = [arrow_ipc.Field("id", pa.uuid(), metadata={"k": "v"}), arrow_ipc.Field("id", pa.uuid()).with_metadata({"k": "v"})]
    for field in given:
        assert (field.extension_name, field.metadata["k"]) == ("arrow.uuid", "v")
        batch = arrow_ipc.RecordBatch({"id": [uuid.UUID(int=1)]}, [field])
        assert batch["id"].to_pylist() == [uuid.UUID(int=1)]
    other = given[0].with_metadata({"ARROW:extension:name": "mine", "ARROW:extension:metadata": ""})
    assert other.extension_name == "mine" and "k" not in other.metadata


def test_structs_without_members():
    schema = {"s": "struct<a: int8>"}
    for rows in ([{"s": {}}], [{"s": {}}, {"s": {"a": 1}}], [{"s": {}}, {"s": None}]):
        found = arrow_ipc.RecordBatch(rows, schema).to_pylist()
        assert found == [{"s": None if row["s"] is None else {"a": row["s"].get("a")}} for row in rows]


def test_a_killed_writer_can_be_recovered(tmp_path):
    code = """
import os, sys
import arrow_ipc

writer = arrow_ipc.Writer(sys.argv[1], {"n": "int64"})
for n in range(3):
    writer.write({"n": [n]})
os.kill(os.getpid(), 9)
"""
    # Only a hash of a long name is in the temporary one.
    for dest in (tmp_path / ("l" * 230 + ".arrow"), tmp_path / "log.arrow"):
        subprocess.run([sys.executable, "-c", code, dest], check=False, timeout=60)
        for call in (lambda dest=dest: arrow_ipc.open(dest), lambda dest=dest: arrow_ipc.recover(dest, tmp_path / "out.arrow")):
            with pytest.raises(FileNotFoundError) as caught:
                call()
            (name,) = re.findall(r"has not finished (.*): if the writer was killed, recover", caught.value.hint)
            assert name.endswith(".0.arrow-ipc.tmp")
    assert name == str(tmp_path / ".log.arrow.0.arrow-ipc.tmp")
    assert arrow_ipc.recover(name, tmp_path / "out.arrow").n_rows == 3
    assert arrow_ipc.open(tmp_path / "out.arrow")["n"].to_pylist() == [0, 1, 2]
    # The names of other files begin in the same way, and what was written need not be Arrow data.
    (tmp_path / ".people.csv.0.arrow-ipc.tmp").write_bytes(b"id,name\n" * 100)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / ".people.csv.1.arrow-ipc.tmp")
        os.mkfifo(tmp_path / "pipe")
    for other in ("other.arrow", "log", "people.csv"):
        with pytest.raises(FileNotFoundError) as caught:
            arrow_ipc.open(tmp_path / other)
        assert "has not finished" not in str(getattr(caught.value, "hint", None))


def test_objects_of_polars_are_refused(tmp_path):
    """polars gives their addresses in memory, as bytes."""
    class Frame(pl.DataFrame):
        pass

    objects = pl.Series("o", [{"x": 1}, "text"], dtype=pl.Object)
    frame = pl.DataFrame({"o": objects})
    for data in (frame, Frame({"o": objects}), [pl.DataFrame({"n": [1, 2], "o": objects})], {"o": objects}):
        with pytest.raises(TypeError, match='has Python objects'):
            arrow_ipc.write_file(tmp_path / "o.arrow", data)
        assert not list(tmp_path.iterdir())
    with pytest.raises(TypeError, match='column "o" has Python objects'):
        arrow_ipc.Array.from_arrow(objects)
    bytes_of_8 = pa.table({"b": pa.array([b"12345678"], pa.binary(8))})
    arrow_ipc.write_file(tmp_path / "b.arrow", bytes_of_8)
    assert pa.table(arrow_ipc.open(tmp_path / "b.arrow")) == bytes_of_8


def test_nothing_of_a_known_schema(tmp_path):
    """Whatever has no batches has no rows, if the schema is known."""
    for nothing in (list, dict, tuple, lambda: iter([]), lambda: (row for row in [])):
        with arrow_ipc.Writer(tmp_path / "file.arrow", {"a": "int64"}) as writer:
            writer.write(nothing())
        assert arrow_ipc.open(tmp_path / "file.arrow").shape == (0, 1)
        if nothing is not dict:
            arrow_ipc.append(tmp_path / "file.arrow", nothing())
        assert arrow_ipc.open(tmp_path / "file.arrow").num_rows == 0
        assert arrow_ipc.RecordBatch(nothing(), {"a": "int64"}).shape == (0, 1)
    arrow_ipc.DatasetWriter(tmp_path / "set", {"a": "int64"}).write(iter([]))


def test_names_in_stores_are_no_patterns():
    fsspec = pytest.importorskip("fsspec")
    for name in ["*.arrow", "w?.arrow", "w[1].arrow"]:
        arrow_ipc.write_file(f"memory://names/{name}", [{"id": 1}])
    assert sorted(fsspec.filesystem("memory").ls("/names", detail=False)) == [f"/names/{name}" for name in ["*.arrow", "w?.arrow", "w[1].arrow"]]
