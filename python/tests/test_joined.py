"""Rows of several batches are one batch to callers. Large ones stay in the arrays in which they were read, until one array is needed."""

import decimal
import io
import threading

import arrow_ipc
import pytest

pa = pytest.importorskip("pyarrow")
N_ROWS = 30_000
N_BATCHES = 4


def part(k):
    """A batch of several types, of more than 64 KiB."""
    at = range(k * N_ROWS, (k + 1) * N_ROWS)
    texts = [None if n % 7 == 0 else f"text {n}" for n in at]
    return pa.record_batch(
        {
            "id": pa.array(at, pa.int64()),
            "flag": pa.array([n % 3 == 0 for n in at]),
            "text": pa.array(texts),
            "view": pa.array(texts, pa.string_view()),
            "word": pa.array([f"word {n % 5}" for n in at]).dictionary_encode(),
            "list": pa.array([[n, None] if n % 4 else None for n in at], pa.list_(pa.int32())),
            "price": pa.array([decimal.Decimal(n) / 4 for n in at], pa.decimal128(12, 2)),
            "place": pa.array([{"city": f"city {n % 9}", "zip": n} for n in at]),
            "run": pa.RunEndEncodedArray.from_arrays(pa.array([N_ROWS], pa.int32()), pa.array([k], pa.int64())),
        }
    )


@pytest.fixture(scope="module")
def batches():
    return [part(k) for k in range(N_BATCHES)]


@pytest.fixture(scope="module")
def content(batches):
    target = io.BytesIO()
    arrow_ipc.write_file(target, batches)
    return target.getvalue()


def n_chunks(batch, name):
    return pa.table(batch).column(name).num_chunks


def test_batches_stay_pieces_until_one_array_is_needed(content):
    rows = arrow_ipc.open(content)[:]
    assert (len(rows), n_chunks(rows, "id"), n_chunks(rows, "text")) == (N_ROWS * N_BATCHES, N_BATCHES, N_BATCHES)
    assert rows["id"].to_numpy().sum() == sum(range(N_ROWS * N_BATCHES))
    # The pieces end where those of the other columns do, but share the memory of one array.
    held = rows.select(["id"])
    assert n_chunks(held, "id") == 1 and n_chunks(rows.select(["text"]), "text") == N_BATCHES
    assert n_chunks(rows.filter("id >= 0").select(["text"]), "text") == N_BATCHES
    assert pa.record_batch(rows).num_rows == N_ROWS * N_BATCHES
    assert n_chunks(rows, "text") == 1


def test_joined_columns_free_their_pieces():
    target = io.BytesIO()
    arrow_ipc.write_stream(target, [pa.record_batch({"id": range(k, k + 50_000)}) for k in range(5)])
    rows = arrow_ipc.open(target.getvalue(), validation="content")[:]
    before = rows.get_total_buffer_size()
    rows.columns
    assert n_chunks(rows, "id") == 1 and rows.get_total_buffer_size() <= before


def test_small_batches_are_joined_at_once(people):
    assert n_chunks(arrow_ipc.open(people)[:], "id") == 1
    target = io.BytesIO()
    arrow_ipc.write_file(target, [pa.record_batch({"id": range(100)})] * 1_000)
    assert n_chunks(arrow_ipc.open(target.getvalue())[:], "id") == 1


CUTS = [(0, 1), (N_ROWS - 1, N_ROWS + 1), (5, 3 * N_ROWS + 5), (N_ROWS, 2 * N_ROWS), (0, 0), (-5, None), (2 * N_ROWS + 7, None)]


@pytest.mark.parametrize("cut", CUTS, ids=str)
def test_pieces_are_cut_as_one_array_is(content, cut):
    pieces, whole = arrow_ipc.open(content)[:], arrow_ipc.concat(arrow_ipc.open(content))
    assert n_chunks(whole, "id") == 1
    start, stop = cut
    found, expected = pieces[start:stop], whole[start:stop]
    assert found == expected and found.equals(expected, metadata=True)
    assert pa.table(found).to_pydict() == expected.to_pydict() == found.to_pydict()
    for name in found.column_names:
        assert found[name] == expected[name], name
    assert found["place.city"].to_pylist() == expected["place.city"].to_pylist()


def test_what_batches_do_is_done_across_pieces(content):
    def fresh():
        return arrow_ipc.open(content)[:]

    whole = arrow_ipc.concat(arrow_ipc.open(content))
    mask = [n % 1_001 == 0 for n in range(len(whole))]
    same = [
        lambda rows: rows[::-1_000],
        lambda rows: rows.filter(mask),
        lambda rows: rows.filter("id > 29990 and id < 30010 or text = 'text 90001'"),
        lambda rows: rows.sample(50, seed=3),
        lambda rows: rows.drop(["place", "li*"])[29_999:30_002],
        lambda rows: rows[100:].tail(3),
        lambda rows: rows.compact().head(2),
    ]
    for change in same:
        found = change(fresh())
        assert found == change(whole) and found.to_pylist() == change(whole).to_pylist()
    rows = fresh()
    assert rows.shape == whole.shape and rows.schema == whole.schema and rows.nbytes == whole.nbytes
    assert repr(rows) == repr(whole) and rows._repr_html_() == whole._repr_html_()
    assert next(iter(rows[N_ROWS - 1 :].iter_rows())) == whole[N_ROWS - 1 : N_ROWS].to_pylist()[0]
    assert [len(part) for part in fresh().split_by_encoded_nbytes(10_000_000)] == [len(part) for part in whole.split_by_encoded_nbytes(10_000_000)]
    fresh().validate(strict=True)


@pytest.mark.parametrize("write", [arrow_ipc.write_file, arrow_ipc.write_stream], ids=lambda write: write.__name__)
def test_pieces_are_written(content, write):
    target = io.BytesIO()
    write(target, arrow_ipc.open(content)[1:-1])
    assert arrow_ipc.open(target.getvalue())[:] == arrow_ipc.concat(arrow_ipc.open(content))[1:-1]


def test_frames_are_those_of_pyarrow(content, batches):
    expected = pa.Table.from_batches(batches).drop_columns(["run"])
    rows = arrow_ipc.open(content)[:].drop(["run"])
    assert rows.to_pandas().equals(expected.to_pandas())
    polars = pytest.importorskip("polars")
    assert rows.drop(["view"]).to_polars().equals(polars.from_arrow(expected.drop_columns(["view"])))


def test_columns_of_different_dictionaries_are_joined_at_once():
    def batch(k):
        words = pa.array([f"{k} {n % 50}" for n in range(N_ROWS)]).dictionary_encode()
        return pa.record_batch({"id": range(N_ROWS), "word": words, "in": pa.StructArray.from_arrays([words], ["word"])})

    target = io.BytesIO()
    arrow_ipc.write_stream(target, [batch(k) for k in range(3)], dictionaries="replace")
    rows = arrow_ipc.open(target.getvalue())[:]
    assert [n_chunks(rows.select([name]), name) for name in rows.column_names] == [3, 1, 1]
    assert rows["word"].to_pylist()[:: N_ROWS] == ["0 0", "1 0", "2 0"]
    assert rows.to_pandas()["word"].cat.categories.size == 150


def test_damage_below_checks_is_found_when_it_is_joined_or_passed_on(batches):
    target = io.BytesIO()
    arrow_ipc.write_file(target, [batch.select(["id", "text"]) for batch in batches])
    content = target.getvalue().replace(b"text 90001", b"text\xff90001")
    rows = arrow_ipc.open(content, validation="structure")[:]
    assert rows["id"].to_numpy()[-1] == N_ROWS * N_BATCHES - 1
    for use in (rows.validate, rows.to_pylist, lambda: pa.table(rows), lambda: rows[-N_ROWS:].to_pylist()):
        with pytest.raises((arrow_ipc.ArrowIpcError, OSError, ValueError), match="UTF-8"):
            use()
    assert rows[: 2 * N_ROWS].to_pydict()["text"][1] == "text 1"


def test_threads_join_the_same_rows(content):
    rows = arrow_ipc.open(content)[:]
    expected = arrow_ipc.concat(arrow_ipc.open(content))
    wrong = []

    def use(k):
        names = rows.column_names
        for name in [*names[k:], *names[:k]]:
            if rows[name] != expected[name] or not pa.table(rows.select([name])).num_rows == len(expected):
                wrong.append(name)

    threads = [threading.Thread(target=use, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
