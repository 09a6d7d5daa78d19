"""Files of other libraries that are not as the specification says, or not of the container that their name says."""

import gzip
import io
import shutil

import arrow_ipc
import pyarrow as pa
import pyarrow.feather  # noqa: F401
import pytest
from corpus import ROOT

CORPUS = ROOT / "testing" / "corpus"
SET = CORPUS / "folders" / "datasets-5.2.0"
LZ4 = CORPUS / "compressed" / "lz4-1.9.4"
VALIDITY = CORPUS / "extra-validity"
ROWS = [{"id": id, "text": text} for id, text in [(1, "a"), (2, None), (3, "c"), (4, "d")]]


def files(folder, pattern="*"):
    """The files of a folder; `folder` must have some."""
    found = sorted(folder.glob(pattern))
    assert found, (folder, pattern)
    return found


def test_a_folder_of_streams():
    """What `save_to_disk` of Hugging Face's datasets writes: streams named `.arrow`."""
    files(SET, "*.arrow")
    data = arrow_ipc.dataset(SET)
    assert (data.schema.names, arrow_ipc.count(SET)) == (["id", "text"], 4)
    assert [row for batch in data for row in batch.to_pylist()] == ROWS
    assert (data.count(), arrow_ipc.concat(data).to_pylist()) == (4, ROWS)
    assert data.to_pyarrow().to_table().to_pylist() == ROWS
    some = arrow_ipc.dataset(SET, where="id > 2", columns=["id"])
    assert [row for batch in some for row in batch.to_pylist()] == [{"id": 3}, {"id": 4}]
    assert [column["null_count"] for column in arrow_ipc.stats(SET).columns] == [0, 1]
    assert arrow_ipc.validate(SET).n_rows == 4
    assert [row for task in arrow_ipc.dataset(SET).split() for batch in task for row in batch.to_pylist()] == ROWS


def test_a_folder_of_streams_and_files(tmp_path):
    for path in files(SET, "*.arrow"):
        shutil.copy(path, tmp_path)
    arrow_ipc.concat_files(files(SET, "*.arrow"), tmp_path / "joined.arrow")
    assert sorted(row["id"] for batch in arrow_ipc.dataset(tmp_path) for row in batch.to_pylist()) == [1, 1, 2, 2, 3, 3, 4, 4]


def test_streams_in_a_row_are_no_file_of_a_set(tmp_path):
    """Only the first stream would be read."""
    one = files(SET, "*.arrow")[0].read_bytes()
    (tmp_path / "two.arrow").write_bytes(one * 2)
    with pytest.raises(arrow_ipc.UnsupportedError) as raised:
        list(arrow_ipc.dataset(tmp_path))
    error = raised.value
    assert (error.kind, error.location.byte_offset) == ("AfterStream", len(one))
    assert error.hint.startswith("convert joins streams")
    arrow_ipc.convert(tmp_path / "two.arrow", tmp_path / "two.arrow")
    assert [row for batch in arrow_ipc.dataset(tmp_path) for row in batch.to_pylist()] == ROWS[:2] * 2


def sources(path):
    """The same bytes by path, in memory, and as a file-like object that can and cannot be read by position."""
    content = path.read_bytes()
    yield from [path, str(path), content, bytearray(content), io.BytesIO(content), Pieces(content, 1 << 20), Pieces(content, 7)]


class Pieces(io.RawIOBase):
    """A file-like object that gives `n_bytes` at most, and cannot be read by position."""

    def __init__(self, content, n_bytes):
        super().__init__()
        self.rest, self.n_bytes = memoryview(content), n_bytes

    def readable(self):
        return True

    def seekable(self):
        return False

    def read(self, n_bytes=-1):
        n_bytes = self.n_bytes if n_bytes < 0 else min(n_bytes, self.n_bytes)
        found, self.rest = self.rest[:n_bytes], self.rest[n_bytes:]
        return bytes(found)


@pytest.mark.parametrize("name", ["stream", "stream-linked", "stream-checksums", "stream-none"])
def test_a_stream_in_lz4_frames(name, tmp_path):
    path = LZ4 / f"{name}.lz4"
    plain = CORPUS / "golden" / "pyarrow-26.0.1" / "dictionary-nested.arrows"
    expected = [batch.to_pylist() for batch in arrow_ipc.read_stream(plain)]
    for source in sources(path):
        assert [batch.to_pylist() for batch in arrow_ipc.read_stream(source)] == expected
    for source in sources(path):
        arrow_ipc.convert(source, tmp_path / "out.arrow")
        assert arrow_ipc.open(tmp_path / "out.arrow").to_pylist() == [row for batch in expected for row in batch]
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        list(arrow_ipc.read_stream(path.read_bytes()[:-20]))
    assert raised.value.category in ("malformed", "truncated")


@pytest.mark.parametrize("path", files(CORPUS / "compressed" / "python-lz4-4.4.5", "*.lz4"), ids=lambda path: path.stem)
def test_lz4_frames_of_python(path, tmp_path):
    plain = CORPUS / "golden" / "pyarrow-26.0.1" / "dictionary-nested.arrows"
    expected = [row for batch in arrow_ipc.read_stream(plain) for row in batch.to_pylist()]
    for source in sources(path):
        arrow_ipc.convert(source, tmp_path / "out.arrow")
        assert arrow_ipc.open(tmp_path / "out.arrow").to_pylist() == expected


def test_text_in_lz4_frames():
    for name in ["text", "text-linked", "text-independent"]:
        for source in sources(LZ4 / f"{name}.csv.lz4"):
            rows = [row for batch in arrow_ipc.read_csv(source) for row in batch.to_pylist()]
            assert len(rows) == 4000 and rows[-1] == {"n": 79, "name": "a name that is long and the same in all rows"}


@pytest.mark.parametrize("name", ["stream-legacy.lz4", "text-legacy.csv.lz4"])
def test_old_lz4_frames_are_named(name):
    content = (LZ4 / name).read_bytes()
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.read_stream(content)
    assert "LZ4" in str(raised.value) + raised.value.hint and "decompress it first" in raised.value.hint


@pytest.mark.parametrize("path", files(VALIDITY / "as-written", "*.arrow*"), ids=lambda path: path.name)
def test_columns_with_a_validity_buffer_too_many(path, tmp_path):
    """What pyarrow writes up to version 25 for extension types. The other folder has what the specification says."""
    specified = VALIDITY / "as-specified" / path.name
    read = (lambda source: arrow_ipc.read_stream(source)) if path.suffix == ".arrows" else (lambda source: arrow_ipc.open(source))
    expected = [batch.to_pylist() for batch in read(specified)]
    assert expected
    for source in sources(path):
        if isinstance(source, Pieces) and path.suffix == ".arrow":
            continue
        assert [batch.to_pylist() for batch in read(source)] == expected
    for name in read(path).schema.names:
        rows = [row for batch in expected for row in batch]
        if path.suffix == ".arrow":
            assert arrow_ipc.open(path, columns=[name]).to_pydict() == {name: [row[name] for row in rows]}
    found = arrow_ipc.validate(path, strict=True)
    assert any("validity" in str(note) for note in found.notes), found
    # What is written again is as specified.
    arrow_ipc.convert(path, tmp_path / "out.arrow", unused="remove")
    assert not arrow_ipc.validate(tmp_path / "out.arrow").notes
    assert arrow_ipc.open(tmp_path / "out.arrow").to_pylist() == [row for batch in expected for row in batch]


@pytest.mark.parametrize("name", ["awkward-union.feather", "awkward-none.feather"])
def test_files_of_awkward(name):
    path = VALIDITY / "as-written" / name
    rows = arrow_ipc.open(path).to_pylist()
    assert rows and len(rows) == arrow_ipc.count(path)
    assert arrow_ipc.open(path.read_bytes()).to_pylist() == arrow_ipc.open(io.BytesIO(path.read_bytes())).to_pylist() == rows


def a_file(**changes):
    target = io.BytesIO()
    data = {"a": [1, 2, 3, 4, 5]} | changes
    table = pa.table(data)
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=2))
    return target.getvalue()


def lists_fewer(content):
    """The footer lists two of the three batches."""
    first = arrow_ipc.inspect(content)["messages"][1]["position"].to_bytes(8, "little")
    at = content.rindex(b"\3\0\0\0" + first)
    return content[:at] + b"\2" + content[at + 1 :]


def calls_it_b(content):
    """The footer has another name for the column."""
    at = content.rindex(b"\1\0\0\0a\0\0\0")
    return content[: at + 4] + b"b" + content[at + 5 :]


@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
@pytest.mark.parametrize(("change", "expected"), [(lists_fewer, {"a": [1, 2, 3, 4]}), (calls_it_b, {"b": [1, 2, 3, 4, 5]})])
def test_a_footer_that_disagrees_with_the_stream(change, expected, tmp_path):
    """The footer is right, whatever way the bytes arrive."""
    path = tmp_path / "in.arrow"
    path.write_bytes(change(a_file()))
    packed = gzip.compress(path.read_bytes())
    all_sources = [*sources(path), packed, io.BytesIO(packed), Pieces(packed, 100)]
    [(name, rows)] = expected.items()
    for source in [path, path.read_bytes(), io.BytesIO(path.read_bytes())]:
        assert arrow_ipc.open(source).to_pydict() == expected
    for source in all_sources:
        arrow_ipc.convert(source, tmp_path / "out.arrow")
        assert arrow_ipc.open(tmp_path / "out.arrow").to_pydict() == expected, source
    for source in [*sources(path), packed, Pieces(packed, 100)]:
        assert arrow_ipc.count(source) == len(rows), source
    for source in [*sources(path), packed, Pieces(packed, 100)]:
        arrow_ipc.convert(source, tmp_path / "out.arrow", rows=(1, 3), columns=[name])
        assert arrow_ipc.open(tmp_path / "out.arrow").to_pydict() == {name: rows[1:3]}, source
    for source in [*sources(path), packed, Pieces(packed, 100)]:
        [column] = arrow_ipc.stats(source).columns
        assert (column["name"], column["max"]) == (name, rows[-1]), source
    data = arrow_ipc.dataset(tmp_path / "in.arrow")
    assert pa.table(data.to_pyarrow().to_table()).to_pydict() == expected


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8-sig"])
def test_utf_16_in_pieces(encoding):
    """Names and values do not depend on how the bytes arrive."""
    content = "n0\n-9\n12\n".encode(encoding)
    for n_bytes in [1, 2, 3, 4, 7, 8, 9, 100]:
        for read in [arrow_ipc.read_csv, lambda source: arrow_ipc.read_csv(source, encoding=None)]:
            found = read(Pieces(content, n_bytes))
            assert (found.schema.names, [row for batch in found for row in batch.to_pylist()]) == (["n0"], [{"n0": -9}, {"n0": 12}])


@pytest.mark.parametrize("path", files(CORPUS / "feather" / "pyarrow-26.0.1", "*.schema"), ids=lambda path: path.stem)
def test_a_feather_file_of_version_1(path, tmp_path):
    """pyarrow reads the same rows, as long as it reads this version."""
    source = path.with_suffix(".feather")
    with pytest.warns():
        expected = pa.feather.read_table(source)
    for source in sources(source):
        arrow_ipc.convert(source, tmp_path / "out.arrow")
        found = pa.ipc.open_file(tmp_path / "out.arrow").read_all()
        assert found.schema.equals(expected.schema) and found.equals(expected)
    with pytest.raises(arrow_ipc.UnsupportedError) as raised:
        arrow_ipc.open(path.with_suffix(".feather"))
    assert raised.value.hint.startswith("convert makes a file of it")


def test_the_same_metadata_in_both_places(tmp_path):
    path = CORPUS / "golden" / "pyarrow-26.0.1" / "metadata-footer.arrow"
    dest = tmp_path / "out.arrow"
    assert ["only the footer has" in note for note in arrow_ipc.validate(path).notes] == [True]
    arrow_ipc.convert(path, dest, same_metadata=True)
    assert arrow_ipc.validate(dest).notes == []
    assert pa.ipc.open_file(dest).metadata == pa.ipc.open_file(path).metadata
    batch = pa.record_batch({"a": [1]})
    arrow_ipc.write_file(dest, batch, footer_metadata={"k": "v"}, same_metadata=True)
    assert arrow_ipc.validate(dest).notes == [] and pa.ipc.open_file(dest).metadata == {b"k": b"v"}
    with arrow_ipc.Writer(dest, batch.schema, same_metadata=True) as writer:
        writer.write(batch)
    assert arrow_ipc.validate(dest).notes == []
    for other in [{"row_counts": "written"}, {"statistics": True}]:
        for call in [
            lambda **options: arrow_ipc.write_file(dest, batch, **options),
            lambda **options: arrow_ipc.convert(path, dest, **options),
            lambda **options: arrow_ipc.Writer(dest, batch.schema, **options),
        ]:
            with pytest.raises(ValueError, match="same_metadata leaves no room for row_counts and statistics"):
                call(same_metadata=True, **other)
