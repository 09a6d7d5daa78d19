"""Each library takes our columns of every type and gives them back; `peers.tsv` and `PEERS.md` say what becomes of them."""

import io
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import GOLDEN
from peers import CRASHES, TAKE, VERSIONS, columns_by_type, in_child, outcomes, page_of

TABLE = Path(__file__).resolve().parent / "peers.tsv"
PEERS = Path(__file__).resolve().parents[1] / "PEERS.md"

HEAD = """# What other libraries do with each type

For users who pass columns to other libraries: which types come back unchanged, and what happens to the others.

A column of each type goes to a library through `__arrow_c_stream__`, and comes back the same way, with nulls and extreme values. An empty cell
means that all types of this kind come back unchanged. *Other type* means the same values in another type. *Changed* means that values
differ, or cannot be compared because the type has another unit, width or meaning. *Crashes* means that the process ends or that values are wrong, even without
this package. If types of a kind differ, all outcomes are listed; [peers.tsv](tests/peers.tsv) has each type.

`python/test.sh --update-peers -k peers` writes both files. The tests fail if they are not true.

"""

FAULTS = """## Faults of other libraries

Tests repeat the faults of pyarrow. We found the others with the versions in the table.

| library | what happens | what helps |
|---|---|---|
| pyarrow 26.0.1 | the process ends when a union of no rows, read from a stream or made without buffers, is written with compression | write it without compression, or leave out the batch |
| pyarrow 26.0.1 | the process ends at `nbytes` of a slice of a struct that has a dense union of list views | `get_total_buffer_size()` |
| pyarrow 26.0.1 | a delta of a dictionary whose values have dictionaries is refused: "Encountered delta dictionary with an unresolved nested dictionary" | `dictionaries="unify"`, or in streams `"replace"`: `"delta"` writes such deltas |
| pyarrow up to 25 | extension types over null, union or run-end encoded storage are written with an additional empty buffer; pyarrow (also 26) then reads wrong values in the columns after it | write such columns without extension types |
| pandas 3.1.1 with pyarrow 26.0.1 | 64-bit integers in columns with nulls become floating-point numbers, which round them, also in lists, structs and maps | `to_pandas()` of this package, which has nullable integers for such columns |
| apache-arrow 21.2.0 (JavaScript) | a slice of a `Utf8View` or `BinaryView` column is written with its first views cut off twice: the buffer is too short, so readers refuse the column, pyarrow crashes or shows wrong values | slice after writing, or `Utf8` |
| apache-arrow 21.2.0 (JavaScript) | a byte order mark at the start of a value is in the file, but is missing from the value that is read | none; other readers return it |
"""


@pytest.mark.parametrize("peer", TAKE)
def test_peer(peer, request):
    found = outcomes(peer)
    said = read()
    if request.config.getoption("--update-peers"):
        said[peer] = found
        rows = ["\t".join(["type", *(f"{name} {VERSIONS[name]}" for name in said)])]
        rows += ["\t".join([name, *(each.get(name, "") for each in said.values())]) for name in found]
        TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")
        PEERS.write_text(page(said), encoding="utf-8")
        return
    assert found == said[peer]


def test_page():
    columns = TABLE.read_text(encoding="utf-8").splitlines()[0].split("\t")[1:]
    assert columns == [f"{name} {version}" for name, version in VERSIONS.items()]
    assert PEERS.read_text(encoding="utf-8") == page(read())


def page(said):
    return HEAD + page_of({f"{name} {VERSIONS[name]}": each for name, each in said.items()}) + "\n" + FAULTS


def read():
    """The outcomes of each library, type by type."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    return {name.split(" ")[0]: {row[0]: row[1 + k] for row in rows[1:]} for k, name in enumerate(rows[0][1:])}


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
    for name in (name for name, outcome in read()[peer].items() if outcome == CRASHES):
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
