"""One way to index in all classes: names select columns, slices select rows; and the rows of a file, wherever they are."""

import io
import sys

import arrow_ipc
import numpy
import pandas
import pyarrow as pa
import pytest

SLICES = [slice(None), slice(0, 0), slice(3, 12), slice(-4, None), slice(None, -25), slice(9, 11), slice(25, 10**9), slice(12, 5)]


@pytest.fixture(params=["batch", "file"])
def either(request, people):
    """The same rows as a batch, and as a file of three batches."""
    file = arrow_ipc.open(people)
    return arrow_ipc.concat(file) if request.param == "batch" else file


def test_names_are_columns(either):
    assert type(either["id"]) is arrow_ipc.Array and either["id"].to_pylist() == list(range(30))
    assert either.column(-2).to_pylist() == either["name"].to_pylist() and either["name"].null_count == 5
    for names in (["name", "id"], ("name", "id"), [1, 0]):
        assert type(either[names]) is type(either) and either[names].schema.names == ["name", "id"]
    assert "id" in either and "nothing" not in either and "address.city" not in either
    for wrong in (lambda: either["nothing"], lambda: either[["id", "nothing"]]):
        with pytest.raises(KeyError, match="nothing"):
            wrong()
    for wrong in (lambda: either.column(3), lambda: either.column(-4)):
        with pytest.raises(IndexError):
            wrong()


@pytest.mark.parametrize("cut", SLICES, ids=str)
def test_slices_are_rows(either, cut, people):
    ids = list(range(30))
    part = either[cut]
    assert type(part) is arrow_ipc.RecordBatch and part["id"].to_pylist() == ids[cut]
    assert part.schema == either.schema
    assert either.rows(cut.start or 0, cut.stop)["id"].to_pylist() == ids[cut]
    expected = pa.table(arrow_ipc.open(people)).to_pylist()[cut]
    assert part.to_pylist() == expected == list(part.iter_rows())


def test_numbers_are_refused(either):
    word = "file" if isinstance(either, arrow_ipc.File) else "batch"
    for number in (0, -1, True):
        with pytest.raises(TypeError, match=rf"may mean several things.*`{word}\.column\(0\)`.*`{word}\[0:1\]`"):
            either[number]
    for wrong in (None, 1.5, b"id", {"id"}, object()):
        with pytest.raises(TypeError, match="expected a name, a list of names, or a slice of rows"):
            either[wrong]
    for mask in (numpy.array([True]), pa.array([True])):
        with pytest.raises(TypeError, match=r"`filter\(mask\)` of a batch takes the rows of a mask"):
            either[mask]
        with pytest.raises(TypeError, match=r"`array.to_numpy\(\)` takes a mask or positions"):
            either["id"][mask]


def test_numbers_too_large(either):
    for number in (2**63, -(2**63) - 1, 10**30, 10**6):
        with pytest.raises(IndexError, match=rf"slot {number} is out of bounds; the array has 30 slots"):
            either["id"][number]
        with pytest.raises(IndexError):
            either.column(number)
        with pytest.raises(IndexError):
            either.select([number])
        with pytest.raises(TypeError, match="may mean several things"):
            either[number]


def test_length(people):
    file = arrow_ipc.open(people)
    batch = file.batch(0)
    assert len(batch) == 10 and len(file.schema) == 3 and [field.name for field in file.schema] == batch.column_names
    with pytest.raises(TypeError, match=r"`file\.num_batches`.*`file\.num_rows`"):
        len(file)
    assert file and len(list(file)) == 3
    with pytest.raises(TypeError, match=r"`batch\.iter_rows\(\)` or `batch\.columns`"):
        list(batch)
    assert [column.field.name for column in batch.columns] == batch.column_names
    assert "id" in file.schema and "nothing" not in file.schema


def test_head_and_tail(either):
    ids = list(range(30))
    for n in (0, 1, 10, 11, 29, 30, 31, 2**40):
        assert either.head(n)["id"].to_pylist() == ids[:n]
        assert either.tail(n)["id"].to_pylist() == (ids[-n:] if n else [])
    assert len(either.head()) == len(either.tail()) == len(either.sample()) == 10
    # As in polars and pandas: all but so many of the other end.
    for n in (1, 10, 11, 29, 30, 31, 2**40, 2**63):
        assert either.head(-n)["id"].to_pylist() == ids[:-n] and either.tail(-n)["id"].to_pylist() == ids[n:]
    with pytest.raises(ValueError, match=r"expected [01] or more, found -1"):
        either.sample(-1)


def test_sample(either):
    sampled = either.sample(12, seed=7)["id"].to_pylist()
    assert sampled == either.sample(12, seed=7)["id"].to_pylist() == sorted(set(sampled)) and len(sampled) == 12
    assert sampled != either.sample(12, seed=8)["id"].to_pylist()
    assert either.sample(100)["id"].to_pylist() == list(range(30)) and len(either.sample(0)) == 0


def test_batch_and_file_choose_the_same(people):
    file = arrow_ipc.open(people)
    assert file.sample(5, seed=1).same_rows(arrow_ipc.concat(file).sample(5, seed=1))


def test_steps(people):
    file = arrow_ipc.open(people)
    batch = arrow_ipc.concat(file)
    assert batch[::-7]["id"].to_pylist() == list(range(30))[::-7]
    with pytest.raises(ValueError, match="the step of rows is 2"):
        file[::2]


def test_columns_of_a_selection(people):
    """A selected column may be a part of one of the file."""
    file = arrow_ipc.open(people).select(["address.city", "id"])
    assert file["address"].to_pylist()[:2] == [{"city": "c0"}, {"city": "c1"}] == file[:2]["address"].to_pylist()
    assert file["id"].to_pylist() == list(range(30))
    with pytest.raises(KeyError):
        file["name"]


class Counted:
    """A file that counts the bytes that are read."""

    def __init__(self, content):
        self.content, self.position, self.n_read = content, 0, 0

    def seek(self, offset, whence=0):
        self.position = offset + (len(self.content) if whence == 2 else 0)
        return self.position

    def read(self, n):
        found = self.content[self.position : self.position + n]
        self.position += len(found)
        self.n_read += len(found)
        return found


def test_only_what_is_selected_is_read(tmp_path):
    columns = {name: pa.array(range(k, 100_000 + k)) for k, name in enumerate("abcd")}
    path = tmp_path / "x.arrow"
    arrow_ipc.write_file(path, pa.table(columns).to_batches(max_chunksize=10_000))
    content = path.read_bytes()

    def n_read(work):
        counted = Counted(content)
        file = arrow_ipc.open(counted)
        before = counted.n_read
        work(file)
        return counted.n_read - before

    assert n_read(lambda file: file["b"]) < len(content) / 3
    assert n_read(lambda file: file[["b"]]) == 0
    for few in (lambda file: file.head(5), lambda file: file.tail(5), lambda file: file[["a"]][50_000:50_010]):
        assert n_read(few) < 40_000
    assert n_read(lambda file: next(file.iter_rows())) < len(content) / 5


def test_to_pandas(either, monkeypatch):
    frame = either.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["id"].tolist() == list(range(30))
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="`to_pydict` needs no other package"):
        either.to_pandas()


def test_damaged_data_has_its_place_in_to_pandas():
    batch = arrow_ipc.RecordBatch({"id": [1, 2], "name": ["ada", "gr\u00e4ce"]})
    target = io.BytesIO()
    arrow_ipc.write_file(target, [batch, batch])
    content = bytearray(target.getvalue())
    content[content.rfind("\u00e4".encode())] = 0xFF
    file = arrow_ipc.open(bytes(content))
    batch = arrow_ipc.open(bytes(content), validation="structure").batch(1)
    for damaged, place in ((file, ("record batch", 1)), (file[["name"]], ("record batch", 1)), (batch, None)):
        with pytest.raises(arrow_ipc.ArrowIpcError) as caught:
            damaged.to_pandas()
        location = caught.value.location
        assert (location.block, location.field, location.slot) == (place, "name", 1)
        assert caught.value.__suppress_context__


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file that is converted in parts, whose columns are not alike."""
    n = 200_000
    numbers = numpy.arange(n)
    table = pa.table(
        {
            **{f"f{k}": pa.repeat(k / 2, n) for k in range(20)},
            "id": numbers,
            "name": pa.repeat("some name", n),
            "maybe": pa.array(numbers, mask=numbers % 3 > 0),
            "kind": pa.array(["a", None] * (n // 2)).dictionary_encode(),
            "at": pa.array(numbers, pa.timestamp("us", "Europe/Berlin")),
            "address": pa.StructArray.from_arrays([pa.array(numbers), pa.repeat("Oslo", n)], ["number", "city"]),
            "f": numbers.astype("f8"),
            "last": pa.repeat("x", n),
        }
    )
    path = tmp_path_factory.mktemp("large") / "large.arrow"
    arrow_ipc.write_file(path, table.to_batches(max_chunksize=90_000))
    assert path.stat().st_size > 33 << 20
    return path


SELECTED = [None, ["last", "id"], ["f", "f"], [25, 0, 6], ["address.city", "id"], ["address.city", "address.number", "f"], ["maybe"], []]


@pytest.mark.parametrize("columns", SELECTED, ids=str)
def test_frames_in_parts_are_those_of_the_whole(large, columns):
    """Parts are an optimisation: types, order, values, and what may be written to are the same."""
    file = arrow_ipc.open(large, columns=columns)
    frame, whole = file.to_pandas(), pandas.DataFrame.from_arrow(file)
    assert list(frame.columns) == list(whole.columns) and frame.index.equals(whole.index)
    pandas.testing.assert_frame_equal(frame.head(1_000), whole.head(1_000))
    assert [str(dtype) for dtype in frame.dtypes] == [str(dtype) for dtype in whole.dtypes]
    assert frame.isna().sum().tolist() == whole.isna().sum().tolist()
    if "id" in frame:
        frame.loc[0, "id"] = 7
        assert frame["id"].iloc[0] == 7 and whole["id"].iloc[0] == 0


def test_the_index_of_a_frame_comes_back(tmp_path):
    plain = pandas.DataFrame(numpy.zeros((600_000, 8)))
    for frame in (plain, plain.set_axis([*"abcdefgh"], axis=1).set_index("c"), plain.iloc[5:]):
        arrow_ipc.write_file(tmp_path / "x.arrow", pa.Table.from_pandas(frame))
        assert (tmp_path / "x.arrow").stat().st_size > 33 << 20
        back = arrow_ipc.open(tmp_path / "x.arrow").to_pandas()
        assert back.index.equals(frame.index) and back.index.name == frame.index.name and back.columns.equals(frame.columns)


def test_closed(people):
    file = arrow_ipc.open(people)
    file.close()
    for wrong in (file.head, file.tail, file.sample, file.to_pylist, file.rows, lambda: file["id"], lambda: file[:1], lambda: "id" in file):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="the file is closed"):
            wrong()


def test_negative_numbers_of_things(tmp_path):
    """A count that is negative is a `ValueError` with the name of the argument."""
    path = tmp_path / "a.arrow"
    arrow_ipc.write_file(path, {"id": [1, 2]})
    file = arrow_ipc.open(path)
    for name, call in {
        "n": lambda: file.sample(-1),
        "offset": lambda: file.batch(0).slice(-1),
        "length": lambda: file.batch(0).slice(0, -1),
        "threads": lambda: arrow_ipc.open(path, threads=-1),
        "alignment": lambda: arrow_ipc.write_file(tmp_path / "b.arrow", file, alignment=-1),
        "batch_rows": lambda: arrow_ipc.convert(path, tmp_path / "b.arrow", batch_rows=-1),
                "target_bytes": lambda: arrow_ipc.dataset(path).split(-1),
        "max_rows": lambda: arrow_ipc.diff(path, path, max_rows=-1),
        "skip": lambda: arrow_ipc.read_csv(b"a\n1\n", skip=-1),
        "infer_rows": lambda: arrow_ipc.read_csv(b"a\n1\n", infer_rows=-1),
        "max_cast_bytes": lambda: arrow_ipc.convert(path, tmp_path / "b.arrow", max_cast_bytes=-1),
    }.items():
        with pytest.raises(ValueError, match=r"expected [01] or more, found -1") as raised:
            call()
        assert f"while processing '{name}'" in raised.value.__notes__
    with pytest.raises(ValueError, match=r"expected [01] or more, found -1"):
        arrow_ipc.concat_files([path], tmp_path / "b.arrow", batch_rows=-1)
    with pytest.raises(ValueError, match="is too large"):
        file.sample(10**30)
    assert not (tmp_path / "b.arrow").exists()
