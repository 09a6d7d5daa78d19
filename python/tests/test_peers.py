"""Each library takes our columns of every type and gives them back; `PEERS.md` says what becomes of them."""

import io
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import GOLDEN
from peers import CRASHES, TAKE, columns_by_type, in_child, table

PEERS = Path(__file__).resolve().parents[1] / "PEERS.md"

HEAD = """# What other libraries make of each type

A column of each type goes to a library through `__arrow_c_stream__`, and comes back the same way. The columns are those of golden
files, with nulls and the extremes of values. Each type that is not listed comes back as it went; others come back as another
type with the same values, changed, or not at all. *Changed* are values that differ, or that cannot be compared, since the type has
another unit, width or meaning. What crashes does so without this package, too, when that library exports what it has.

`python/test.sh --update-peers -k peers` writes this page; the tests fail if it is not true, better or worse. The last section lists faults that
are not those of a type.

"""

FAULTS = """## Faults of others

Tests run those of pyarrow; the others were found with the version of the table.

| library | what happens | what helps |
|---|---|---|
| pyarrow 26.0.1 | the process ends when a union of no rows, read from a stream or made without buffers, is written with compression | write it without compression, or leave out the batch |
| pyarrow 26.0.1 | the process ends at `nbytes` of a slice of a struct that has a dense union of list views | `get_total_buffer_size()` |
| pyarrow 26.0.1 | a delta of a dictionary whose values have dictionaries is refused: "Encountered delta dictionary with an unresolved nested dictionary" | `dictionaries="unify"`, or in streams `"replace"`: `"delta"` writes such deltas |
| pyarrow up to 25 | extension types over null, union or run-end encoded storage are written with one empty buffer too many; pyarrow, 26 too, then reads wrong values in the columns after it | write such columns without extension types |
| pandas 3.1.1 with pyarrow 26.0.1 | integers of 64 bits beside nulls become floating-point numbers, which round them, also in lists, structs and maps | `to_pandas()` of this package, which has nullable integers for such columns |
| apache-arrow 21.2.0 (JavaScript) | a slice of a `Utf8View` or `BinaryView` column is written with its first views cut off twice: the buffer is too short, so readers refuse the column, pyarrow crashes or shows wrong values | slice after writing, or `Utf8` |
| apache-arrow 21.2.0 (JavaScript) | a byte order mark at the start of a value is in the file, but is missing from the value that is read | none, other readers have it |
"""


@pytest.mark.parametrize("peer", TAKE)
def test_peer(peer, request):
    found = table(peer)
    head, sections = read()
    if request.config.getoption("--update-peers"):
        sections[peer] = found
        ordered = [*(sections[name] for name in TAKE if name in sections), FAULTS]
        PEERS.write_text(HEAD + "\n".join(ordered), encoding="utf-8")
        return
    assert head == HEAD
    assert found.splitlines() == sections[peer].splitlines()
    assert sections["Faults"] == FAULTS


def read():
    """The text before the sections, and these by the name of the library."""
    if not PEERS.exists():
        return HEAD, {}
    head, *sections = PEERS.read_text(encoding="utf-8").split("## ")
    return head, {section.split(" ")[0]: f"## {section.rstrip()}\n" for section in sections}


class OnlyCapsules:
    """A table of pyarrow that others know by its capsules alone."""

    def __init__(self, table):
        self.schema, self.table = table.schema, table

    def __arrow_c_schema__(self):
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("peer", TAKE)
def test_crashes_are_theirs(peer):
    """What ends the process in the table does so, too, between that library and pyarrow alone."""
    columns = columns_by_type()
    rows = [line.split("`") for line in read()[1][peer].splitlines() if line.endswith(f"| {CRASHES} |")]
    for _, name, _ in rows:
        path, position = columns[name]
        theirs = OnlyCapsules(pa.ipc.open_file(path).read_all().select([position]))
        _, status = in_child(lambda out, theirs=theirs: pa.table(TAKE[peer](theirs)))
        assert status > 1 and status & 0x7F, name


def of_no_rows(codec):
    """Writes a union of no rows that has no buffers."""
    union = pa.dense_union([pa.field("a", pa.int64())])
    array = pa.UnionArray.from_buffers(union, 0, [None, None, None], children=[pa.array([], pa.int64())])
    batch = pa.record_batch({"u": array})
    with pa.ipc.new_stream(io.BytesIO(), batch.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_batch(batch)


def test_unions_of_no_rows():
    _, status = in_child(lambda out: of_no_rows("lz4"))
    assert status & 0x7F
    _, status = in_child(lambda out: of_no_rows(None))
    assert status == 0
    # This package writes them, and reads what it has written.
    target = io.BytesIO()
    arrow_ipc.write_stream(target, pa.record_batch({"u": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])}).slice(1), compression="lz4")
    assert arrow_ipc.concat(arrow_ipc.read_stream(target.getvalue())).num_rows == 0


def test_sizes_of_slices():
    """So this package never asks a table for its `nbytes`."""
    table = pa.ipc.open_stream(GOLDEN / "pyarrow-26.0.1" / "nested-sliced.arrows").read_all()
    column = next(column for column in table.columns if "dense_union<l" in str(column.type))
    _, status = in_child(lambda out: column.slice(0, 8).nbytes)
    assert status & 0x7F
    assert column.slice(0, 8).get_total_buffer_size() > 0
    arrow_ipc.write_file(io.BytesIO(), table.slice(0, 8))


def test_deltas_of_nested_dictionaries():
    def batch(*texts):
        lists = pa.ListArray.from_arrays(range(len(texts) + 1), pa.array(texts).dictionary_encode())
        return pa.record_batch({"n": pa.DictionaryArray.from_arrays(pa.array(range(len(texts)), pa.int8()), lists)})

    batches = [batch("a", "b"), batch("a", "b", "c")]
    expected = [["a"], ["b"], ["a"], ["b"], ["c"]]
    for dictionaries in ["delta", "unify", "replace"]:
        target = io.BytesIO()
        arrow_ipc.write_stream(target, batches, dictionaries=dictionaries)
        assert arrow_ipc.concat(arrow_ipc.read_stream(target.getvalue()))["n"].to_pylist() == expected
        theirs = pa.ipc.open_stream(target.getvalue())
        if dictionaries == "delta":
            with pytest.raises(NotImplementedError, match="unresolved nested dictionary"):
                theirs.read_all()
        else:
            assert theirs.read_all()["n"].to_pylist() == expected
