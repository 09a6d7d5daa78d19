"""A file has one dictionary for all batches, by default also where those of the data differ, if the data can be read twice."""

import io

import arrow_ipc
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

VALUES = ["a", "b", "c", "a"]


def words(*batches, ordered=False):
    encoded = (pa.array(batch).dictionary_encode() for batch in batches)
    if ordered:
        encoded = (pa.DictionaryArray.from_arrays(array.indices, array.dictionary, ordered=True) for array in encoded)
    return [pa.record_batch({"word": array, "id": range(len(array))}) for array in encoded]


def written(data, **options):
    target = io.BytesIO()
    arrow_ipc.write_file(target, data, **options)
    return target.getvalue()


def dictionaries(content):
    """The lengths of the dictionary messages of a file."""
    return [message["n_rows"] for message in arrow_ipc.inspect(content)["messages"] if message["kind"] == "dictionary batch"]


def categories(*texts):
    return pd.DataFrame({"word": pd.Categorical(texts), "id": range(len(texts))})


BATCHES = words(["a", "b"], ["c", "a"])
TABLE = pa.Table.from_batches(BATCHES)
AT_HAND = {
    "a list of batches": BATCHES,
    "a tuple of batches": tuple(BATCHES),
    "a table": TABLE,
    "a list of tables": [TABLE.slice(0, 2), TABLE.slice(2)],
    "a list of frames of pandas": [categories("a", "b"), categories("c", "a")],
    "a list of frames of polars": [pl.DataFrame({"word": pl.Series(part).cast(pl.Categorical)}) for part in (["a", "b"], ["c", "a"])],
    "a list of batches of this package": [arrow_ipc.RecordBatch(batch) for batch in BATCHES],
    "a list of a batch, a table and a file": [BATCHES[0], TABLE.slice(2), arrow_ipc.open(written(BATCHES[:1])).select(["word", "id"])][:2],
}


@pytest.mark.parametrize("what", AT_HAND)
def test_what_is_at_hand(what):
    content = written(AT_HAND[what])
    assert dictionaries(content) == [3]
    for read in [pa.ipc.open_file(content).read_all(), pa.table(pl.read_ipc(io.BytesIO(content)))]:
        assert read["word"].to_pylist() == VALUES
    assert arrow_ipc.open(content).num_batches == 2


def test_files_and_data_sets(tmp_path):
    """They are read twice, the first time only columns with dictionaries."""
    for k, batch in enumerate(BATCHES):
        arrow_ipc.write_file(tmp_path / f"{k}.arrow", batch)
    files = [arrow_ipc.open(path) for path in sorted(tmp_path.iterdir())]
    for data in [arrow_ipc.dataset(tmp_path), files, [files[0], BATCHES[1]]]:
        content = written(data)
        assert dictionaries(content) == [3]
        assert arrow_ipc.open(content).to_pydict() == {"word": VALUES, "id": [0, 1, 0, 1]}
    rows = arrow_ipc.dataset(tmp_path, where="word = 'a'").select(["id", "word"])
    assert arrow_ipc.open(written(rows)).to_pydict() == {"id": [0, 1], "word": ["a", "a"]}


def test_growing_dictionaries_are_no_deltas():
    """Not all readers of files support deltas."""
    grows = words(["a"], ["a", "b"])
    assert dictionaries(written(grows)) == [2]
    assert dictionaries(written(iter(grows))) == [1, 1]


@pytest.mark.parametrize("ordered", [False, True])
def test_the_same_dictionary_is_written_as_it_is(ordered):
    """With values that no row uses, repeated ones, and in its order."""
    shared = pa.array(["z", "a", "a", "unused"])
    arrays = [pa.DictionaryArray.from_arrays(pa.array(part, pa.int8()), shared, ordered=ordered) for part in ([0, 2], [1, None])]
    batches = [pa.record_batch({"word": array}) for array in arrays]
    content = written(batches)
    assert content == written(iter(batches)) == written(pa.Table.from_batches(batches))
    assert dictionaries(content) == [4]


def test_dictionaries_inside():
    """In lists and structs, and dictionaries of dictionaries."""
    def batch(*texts):
        encoded = pa.array(texts).dictionary_encode()
        return pa.record_batch({
            "list": pa.ListArray.from_arrays([0, 1, len(texts)], encoded),
            "plain": pa.array([1, 2]),
            "struct": pa.StructArray.from_arrays([encoded], ["s"]),
        })

    batches = [batch("a", "b"), batch("c", "a")]
    content = written(batches)
    assert dictionaries(content) == [3, 3]
    assert pa.ipc.open_file(content).read_all().to_pylist() == pa.Table.from_batches(batches).to_pylist()


@pytest.mark.parametrize("data", [lambda: iter(BATCHES), lambda: (batch for batch in BATCHES), lambda: TABLE.to_reader(), lambda: arrow_ipc.Stream.from_arrow(TABLE)])
def test_what_is_read_once_keeps_the_policy(data):
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        written(data())
    assert (raised.value.kind, raised.value.category) == ("ReplacedDictionary", "misuse")
    assert 'dictionaries="unify" writes one dictionary' in raised.value.hint
    assert dictionaries(written(data(), dictionaries="unify")) == [3]


def test_a_list_with_something_that_is_read_once():
    with pytest.raises(arrow_ipc.ArrowIpcError, match="dictionary"):
        written([BATCHES[0], TABLE.slice(2).to_reader()])


def test_policies_that_are_asked_for():
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        written(BATCHES, dictionaries="error")
    assert raised.value.kind == "ChangedDictionary"
    assert written(BATCHES, dictionaries="replace") == written(BATCHES)
    assert dictionaries(written(BATCHES, dictionaries="delta")) == [2, 1]


def test_streams_replace():
    target = io.BytesIO()
    arrow_ipc.write_stream(target, BATCHES)
    assert dictionaries(target.getvalue()) == [2, 2]


def test_ordered_dictionaries_that_differ():
    """Their order cannot be had, so there is the error of the policy; one that grows is a delta, as before."""
    with pytest.raises(arrow_ipc.ArrowIpcError, match="dictionary"):
        written(words(["a", "b"], ["b", "a"], ordered=True))
    content = written(words(["a"], ["a", "b"], ordered=True))
    assert arrow_ipc.open(content).to_pydict()["word"] == ["a", "a", "b"]


def test_errors_of_the_data_are_its_own():
    class Failing:
        def __arrow_c_stream__(self, requested_schema=None):
            raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        written([BATCHES[0], Failing()])


def test_a_relation_is_not_kept_in_memory():
    """DuckDB computes it when it is read, so it is read once."""
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select ('a' || (range % 2))::enum('a0', 'a1') e from range(5)")
    content = written(relation)
    assert dictionaries(content) == [2]
