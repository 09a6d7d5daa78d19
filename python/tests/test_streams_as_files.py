"""Streams that are opened like files: by batch, rows and columns, with the dictionaries that count for each batch."""

import asyncio
import gzip
import io
import pickle

import arrow_ipc
import pyarrow as pa
import pytest

END = b"\xff\xff\xff\xff\0\0\0\0"


def written(batches, **options):
    """A stream of pyarrow."""
    target = io.BytesIO()
    with pa.ipc.new_stream(target, batches[0].schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        for batch in batches:
            writer.write_batch(batch)
    return target.getvalue()


def words(*values_of_each, dictionaries):
    """A batch for each list of values, with a dictionary for each."""
    for k, (values, dictionary) in enumerate(zip(values_of_each, dictionaries)):
        indices = pa.array([None if value is None else dictionary.index(value) for value in values], pa.int32())
        coded = pa.DictionaryArray.from_arrays(indices, dictionary)
        lists = pa.ListArray.from_arrays(pa.array([0, *range(1, len(values)), len(values)], pa.int32()), coded)
        yield pa.record_batch({"k": pa.array([k * 10 + i for i in range(len(values))], pa.int64()), "word": coded, "list": lists})


VALUES = [["a", "b", None], ["c", "a"], ["d", "d", "b", "c"], ["a"]]
GROWING = [["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["a", "b", "c", "d"]]
REPLACED = [["a", "b"], ["c", "a"], ["b", "c", "d"], ["x", "a"]]
NUMBERS = [pa.record_batch({"id": pa.array(range(k, k + 50)), "text": [None if i % 3 == 0 else f"t{i}" for i in range(k, k + 50)]}) for k in range(0, 250, 50)]
STREAMS = {
    "numbers": written(NUMBERS),
    "compressed": written(NUMBERS, compression="zstd"),
    "legacy framing": written(NUMBERS, use_legacy_format=True),
    "no rows": written([NUMBERS[0][:0]]),
    "deltas": written(list(words(*VALUES, dictionaries=GROWING)), emit_dictionary_deltas=True),
    "replaced": written(list(words(*VALUES, dictionaries=REPLACED))),
    "replaced with deltas": written(list(words(*VALUES, dictionaries=REPLACED)), emit_dictionary_deltas=True),
}


def rows_of(batches):
    return [row for batch in batches for row in pa.record_batch(batch).to_pylist()]


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_a_file(name, threads, tmp_path):
    content = STREAMS[name]
    path = tmp_path / "a.arrows"
    path.write_bytes(content)
    with pa.ipc.open_stream(content) as stream:
        theirs = list(stream)
    rows = rows_of(theirs)
    columns = theirs[0].schema.names
    for source in [path, str(path), content, bytearray(content), io.BytesIO(content)]:
        file = arrow_ipc.open(source, threads=threads)
        assert (file.container, file.has_end, file.num_batches, file.num_rows) == ("stream", True, len(theirs), len(rows))
        assert file.check_end() is None and "stream of" in repr(file)
        assert list(file) == list(arrow_ipc.read_stream(content))
        # In any order.
        for i in reversed(range(len(theirs))):
            assert pa.record_batch(file.batch(i)).to_pylist() == theirs[i].to_pylist()
            assert file.num_rows_of(i) == theirs[i].num_rows
            if theirs[i].num_rows > 1:
                assert pa.record_batch(file.batch(i, rows=(1, 2))).to_pylist() == theirs[i].to_pylist()[1:2]
        assert file[1:-1].to_pylist() == rows[1:-1] and file.tail(2).to_pylist() == rows[-2:] and file.head(3).to_pylist() == rows[:3]
        assert list(file.iter_rows()) == rows == file.to_pylist()
        for column in columns:
            assert file[column].to_pylist() == [row[column] for row in rows]
            assert file[[column]].refresh().schema.names == [column]
        assert pa.table(file).to_pylist() == rows
        assert sorted(file.sample(3, seed=1).to_pydict()[columns[0]]) == file.sample(3, seed=1).to_pydict()[columns[0]]

    async def collect():
        return [batch async for batch in file]

    assert asyncio.run(collect()) == list(file)
    assert arrow_ipc.open(path, memory_map=True).to_pylist() == rows
    again = pickle.loads(pickle.dumps(arrow_ipc.open(path, columns=columns[-1:])))
    assert again.container == "stream" and again.schema.names == columns[-1:]
    assert arrow_ipc.open(gzip.compress(content)).to_pylist() == rows


@pytest.mark.parametrize("name", STREAMS)
def test_others_get_the_data(name, tmp_path):
    content = STREAMS[name]
    expected = rows_of(pa.ipc.open_stream(content))
    arrow_ipc.write_file(tmp_path / "b.arrow", arrow_ipc.open(content))
    with pa.ipc.open_file(tmp_path / "b.arrow") as file:
        assert file.read_all().to_pylist() == expected
    arrow_ipc.write_stream(tmp_path / "b.arrows", arrow_ipc.open(content))
    assert pa.ipc.open_stream((tmp_path / "b.arrows").read_bytes()).read_all().to_pylist() == expected


def refused(call):
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        call()
    return raised.value


def taken(items):
    """The batches before an error, and the error."""
    batches = []
    try:
        for batch in items:
            batches.append(batch)
    except arrow_ipc.ArrowIpcError as error:
        return batches, error
    return batches, None


@pytest.mark.parametrize("name", ["numbers", "deltas", "replaced"])
def test_a_cut_stream(name, tmp_path):
    """The complete batches are there, and the error comes after them, as from `read_stream`."""
    content = STREAMS[name]
    whole = list(arrow_ipc.read_stream(content))
    path = tmp_path / "a.arrows"
    for n_lost in [9, 30, 150, 300]:
        cut = content[:-n_lost]
        batches, expected = taken(arrow_ipc.read_stream(cut))
        path.write_bytes(cut)
        for file in [arrow_ipc.open(cut), arrow_ipc.open(path), arrow_ipc.open(path, threads=4), arrow_ipc.open(io.BytesIO(cut))]:
            assert file.num_batches == len(batches) < len(whole) and not file.has_end
            assert [file.batch(i) for i in range(file.num_batches)] == batches == whole[: len(batches)]
            assert file.head(2).to_pylist() == rows_of(whole)[:2]
            items = iter(file)
            found, error = taken(items)
            assert (found, error.kind, str(error)) == (batches, expected.kind, str(expected))
            assert list(items) == []
            for read in [
                lambda: file.num_rows, file.check_end, lambda: file.to_pylist(), lambda: list(file.iter_rows()), lambda: file.column(0), lambda: file.tail(1),
                lambda: file.sample(1), lambda: file[-1:], lambda: arrow_ipc.concat(file), lambda: file.head(10**6), lambda: file.to_pandas(),
            ]:
                assert refused(read).kind == expected.kind
            with pytest.raises(Exception, match="truncated"):
                pa.table(file)


def test_streams_in_a_row():
    first, other = STREAMS["numbers"], STREAMS["deltas"]
    for between in [b"", END, bytes(8)]:
        file = arrow_ipc.open(first + between + other)
        assert file.num_batches == len(NUMBERS) and file.batch(-1) == arrow_ipc.RecordBatch(NUMBERS[-1])
        for read in [lambda: list(file), lambda: file.num_rows, file.check_end, lambda: file.column(0)]:
            error = refused(read)
            assert (error.kind, error.category, error.location.byte_offset) == ("MoreStreams", "misuse", len(first + between))
            assert "another stream follows, and open reads one" in str(error)
    assert arrow_ipc.open(first + bytes(64)).num_rows == 250


def test_a_stream_that_grows(tmp_path):
    """As a writer appends to it: complete messages, a part of one, and the end."""
    content = STREAMS["deltas"]
    expected = list(arrow_ipc.read_stream(content))
    path = tmp_path / "log.arrows"
    with open(path, "wb") as log:
        log.write(content[:-300])
        log.flush()
        file = arrow_ipc.open(path, columns=["word"])
        n_before = file.num_batches
        assert n_before < len(expected) and not file.has_end
        log.write(content[-300:-8])
        log.flush()
        longer = file.refresh()
        assert longer.num_batches == len(expected) and not longer.has_end and file.num_batches == n_before
        assert longer.check_end() is None
        log.write(content[-8:])
    ended = longer.refresh()
    assert ended.has_end and ended.schema.names == ["word"]
    assert list(ended) == [batch[["word"]] for batch in expected]
    assert list(pickle.loads(pickle.dumps(ended))) == list(ended)
    path.write_bytes(content[:300])
    assert refused(longer.refresh).category == "truncated"


def test_a_file_is_refreshed(people, tmp_path):
    path = tmp_path / "a.arrow"
    path.write_bytes(people)
    file = arrow_ipc.open(path, columns=["id"])
    assert (file.container, file.has_end, file.check_end()) == ("file", True, None)
    arrow_ipc.append(path, arrow_ipc.open(people))
    again = file.refresh()
    assert (file.num_batches, again.num_batches, again.schema.names) == (3, 6, ["id"])
    assert refused(file.index).kind == "WrongContainer"


@pytest.mark.parametrize("name", STREAMS)
def test_an_index(name, tmp_path):
    content = STREAMS[name]
    expected = arrow_ipc.open(content)
    index = expected.index()
    (tmp_path / "kept").write_bytes(index)
    (tmp_path / "a.arrows").write_bytes(content)
    # Others can read it.
    with pa.ipc.open_file(index) as read:
        assert read.read_all().column("kind").to_pylist().count(3) == expected.num_batches
    for kept in [index, tmp_path / "kept", io.BytesIO(index)]:
        for source in [content, tmp_path / "a.arrows", gzip.compress(content)]:
            file = arrow_ipc.open(source, index=kept, columns=[-1])
            assert file.num_rows == expected.num_rows and list(file) == list(expected.select([-1]))
    for wrong in [b"", index[:100], content, gzip.compress(index)]:
        refused(lambda: arrow_ipc.open(content, index=wrong))
    other = STREAMS["numbers" if name != "numbers" else "deltas"]
    refused(lambda: arrow_ipc.open(other, index=index))
    with pytest.raises(TypeError):
        arrow_ipc.open(content, index=5)
    with pytest.raises(FileNotFoundError):
        arrow_ipc.open(content, index=tmp_path / "none")
