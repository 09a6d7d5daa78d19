"""Sixty tasks of a data engineer's day, each as somebody wrote it who had only the README, the recipes and the docstrings."""

import asyncio
import builtins
import bz2
import datetime
import decimal
import gzip
import io
import multiprocessing
import os
import re
import socket
import sys
import uuid
from types import MappingProxyType

import arrow_ipc
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

N = 1_000
DAY = datetime.date(2024, 2, 28)
TASKS = {}


def task(what):
    """A line of the day."""

    def keep(work):
        TASKS[what] = work
        return work

    return keep


@pytest.fixture(scope="module")
def morning(tmp_path_factory):
    """What is there when the day begins."""
    folder = tmp_path_factory.mktemp("morning")
    table = pa.table(
        {
            "id": pa.array(range(N)),
            "shop": pa.array([("north", "south", None)[k % 3] for k in range(N)]),
            "price": pa.array([decimal.Decimal(k) / 4 for k in range(N)], pa.decimal128(9, 2)),
            "at": pa.array([1_700_000_000_000_000 + k * 60_000_000 for k in range(N)], pa.timestamp("us", "UTC")),
            "address": [{"city": f"city {k % 7}", "zip": k} for k in range(N)],
        }
    )
    arrow_ipc.write_file(folder / "sales.arrow", table.to_batches(max_chunksize=100))
    arrow_ipc.write_stream(folder / "sales.arrows", table.to_batches(max_chunksize=100))
    (folder / "sales.arrow.gz").write_bytes(gzip.compress((folder / "sales.arrow").read_bytes()))
    (folder / "people.csv").write_text("name;born;note\nada;1815;\ngrace;1906;x\n")
    (folder / "people.jsonl").write_text('{"name": "ada", "tags": ["a", "b"]}\n{"name": "grace", "tags": null}\n')
    for k in range(3):
        os.makedirs(folder / f"data/day={DAY + datetime.timedelta(k)}")
        part = table.select(["id", "shop"]).slice(k * 10, 10)
        arrow_ipc.write_file(folder / f"data/day={DAY + datetime.timedelta(k)}/part.arrow", part)
    return folder


@pytest.fixture
def at_work(morning, tmp_path, monkeypatch):
    """In a folder of its own, with links to what is there."""
    for path in morning.iterdir():
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.chdir(tmp_path)


@task("which columns has it, of which types")
def columns():
    schema = arrow_ipc.open("sales.arrow").schema
    assert schema.names == ["id", "shop", "price", "at", "address"]
    assert [schema["price"].type, schema["at"].type] == ["decimal128(9, 2)", 'timestamp(us, "UTC")']


@task("how many rows, without reading them")
def rows():
    assert arrow_ipc.open("sales.arrow").num_rows == arrow_ipc.count("sales.arrows").n_rows == N


@task("the first and the last rows")
def ends():
    file = arrow_ipc.open("sales.arrow")
    assert file.head(3)["id"].to_pylist() == [0, 1, 2] and file.tail(2)["id"].to_pylist() == [N - 2, N - 1]


@task("a sample that is the same tomorrow")
def sample():
    file = arrow_ipc.open("sales.arrow")
    assert file.sample(20, seed=1) == file.sample(20, seed=1) and len(file.sample(20, seed=2)) == 20


@task("one column as a list, and as a set of values")
def values():
    shops = arrow_ipc.open("sales.arrow")["shop"]
    assert shops.to_pylist()[:3] == ["north", "south", None] and set(shops) == {"north", "south", None}


@task("the mean of a column with NumPy")
def mean():
    assert arrow_ipc.open("sales.arrow")["id"].to_numpy().mean() == (N - 1) / 2


@task("two columns into pandas")
def to_pandas():
    frame = arrow_ipc.open("sales.arrow")[["id", "shop"]].to_pandas()
    assert list(frame.columns) == ["id", "shop"] and frame["shop"].isna().sum() == N // 3


@task("two columns into polars")
def to_polars():
    frame = pl.DataFrame(arrow_ipc.open("sales.arrow", columns=["id", "price"]))
    assert frame.shape == (N, 2) and frame["price"].sum() == decimal.Decimal(N * (N - 1)) / 8


@task("a query by DuckDB")
def query():
    sales = arrow_ipc.open("sales.arrow", columns=["shop", "id"])
    assert len(duckdb.sql("select shop, sum(id) from sales group by shop").fetchall()) == 3
    del sales


@task("the rows 250 to 253")
def some_rows():
    assert arrow_ipc.open("sales.arrow")[250:253]["id"].to_pylist() == [250, 251, 252]


@task("the rows of a condition, into a file of their own")
def condition():
    arrow_ipc.convert("sales.arrow", "north.arrow", where="shop = 'north' and id >= 900", columns=["id"])
    assert arrow_ipc.open("north.arrow")["id"].to_pylist() == list(range(900, N, 3))


@task("how many rows match")
def how_many():
    assert arrow_ipc.count("sales.arrow", where="shop is null").n_rows == N // 3


@task("nulls, least and greatest values of columns")
def describe():
    id_, shop = arrow_ipc.stats("sales.arrow", columns=["id", "shop"]).columns
    assert (id_["min"], id_["max"], shop["null_count"]) == (0, N - 1, N // 3)


@task("CSV with semicolons into a file")
def from_csv():
    arrow_ipc.convert("people.csv", "people.arrow", delimiter=";")
    assert arrow_ipc.open("people.arrow").to_pylist()[0] == {"name": "ada", "born": 1815, "note": None}


@task("CSV with types of my own")
def typed_csv():
    schema = arrow_ipc.Schema.parse("name: utf8\nborn: int16\nnote: utf8")
    stream = arrow_ipc.read_csv("people.csv", schema=schema)
    assert next(stream)["born"].type == "int16"


@task("two columns as CSV")
def to_csv():
    arrow_ipc.write_csv("few.csv", arrow_ipc.open("sales.arrow")[["id", "shop"]].head(3))
    with open("few.csv") as file:
        assert file.read().splitlines() == ["id,shop", "0,north", "1,south", "2,"]


@task("lines of JSON in and out")
def json_lines():
    with arrow_ipc.read_json("people.jsonl") as stream:
        arrow_ipc.write_file("people.arrow", stream)
    out = io.BytesIO()
    arrow_ipc.write_json(out, arrow_ipc.open("people.arrow"))
    assert out.getvalue().splitlines()[0] == b'{"name":"ada","tags":["a","b"]}'


@task("my own rows into a file")
def own_rows():
    made = datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc)
    arrow_ipc.write_file("own.arrow", [{"id": uuid.UUID(int=1).bytes, "at": made, "price": decimal.Decimal("1.50")}])
    row = arrow_ipc.open("own.arrow").to_pylist()[0]
    assert (row["at"], row["price"]) == (made, decimal.Decimal("1.50"))


@task("a frame of pandas, compressed")
def pandas_out():
    frame = pd.DataFrame({"a": range(1_000), "b": ["text"] * 1_000})
    arrow_ipc.write_file("frame.arrow", frame, compression="zstd:3")
    assert arrow_ipc.open("frame.arrow").to_pandas().equals(frame)
    assert os.path.getsize("frame.arrow") < 6_000


@task("batch after batch, as they are computed")
def batches_out():
    schema = arrow_ipc.Schema.parse("n: int64")
    with arrow_ipc.Writer("computed.arrow", schema) as writer:
        for k in range(3):
            writer.write({"n": [k, k + 1]})
    assert arrow_ipc.open("computed.arrow").num_batches == 3


@task("a note in the file, and in a column")
def metadata():
    arrow_ipc.write_file("noted.arrow", arrow_ipc.open("sales.arrow"), metadata={"source": "till 4"})
    assert arrow_ipc.open("noted.arrow").metadata == {"source": "till 4"}


@task("a stream into a file, and back")
def containers():
    arrow_ipc.convert("sales.arrows", "again.arrow")
    arrow_ipc.convert("again.arrow", "again.arrows")
    assert arrow_ipc.diff("sales.arrows", "again.arrows").same


@task("compress what is there")
def recompress():
    assert arrow_ipc.convert("sales.arrow", "small.arrow", compression="zstd").lost == []
    assert os.path.getsize("small.arrow") < os.path.getsize("sales.arrow") and arrow_ipc.diff("small.arrow", "sales.arrow").same


@task("other names, types and order of columns")
def reshape():
    arrow_ipc.convert("sales.arrow", "shaped.arrow", columns=["shop", "id"], rename={"id": "number"}, cast={"id": "int32"})
    assert str(arrow_ipc.open("shaped.arrow").schema) == "shop: utf8\nnumber: int32"


@task("a column of few texts as a dictionary")
def dictionary():
    arrow_ipc.convert("sales.arrow", "coded.arrow", cast={"shop": "dictionary<int8, utf8>"}, dictionaries="unify")
    assert arrow_ipc.open("coded.arrow")["shop"].to_pylist()[:2] == ["north", "south"]
    arrow_ipc.convert("sales.arrow", "kept.arrow", cast={"shop": "dictionary"}, dictionaries="unify")
    assert arrow_ipc.open("kept.arrow").schema["shop"].type == "dictionary<int32, utf8>"


@task("many files as one")
def join():
    arrow_ipc.concat_files(["sales.arrow", "sales.arrows"], "both.arrow", batch_rows=500)
    assert [len(batch) for batch in arrow_ipc.open("both.arrow")] == [500] * 4


@task("a part of a file, without decoding it")
def split():
    arrow_ipc.split_file("sales.arrow", "part.arrow", batches=slice(2, 4))
    assert arrow_ipc.open("part.arrow")["id"][0] == 200 and arrow_ipc.open("part.arrow").num_rows == 200


@task("more rows at the end of a log")
def log():
    arrow_ipc.write_file("log.arrow", [{"line": "started"}])
    arrow_ipc.append("log.arrow", [{"line": "ended"}])
    assert arrow_ipc.open("log.arrow")["line"].to_pylist() == ["started", "ended"]


@task("what is wrong with an upload, and where")
def upload():
    with open("sales.arrow", "rb") as file:
        content = file.read()
    with pytest.raises(arrow_ipc.ArrowIpcError) as caught:
        arrow_ipc.validate(content.replace(b"north", b"n\xffrth", 1))
    assert (caught.value.kind, caught.value.location.field, caught.value.location.slot) == ("NotUtf8", "shop", 0)


@task("what is left of a damaged file")
def rescue():
    with open("sales.arrow", "rb") as file:
        content = file.read()
    found = arrow_ipc.recover(content[: len(content) // 2], "rescued.arrow")
    assert arrow_ipc.open("rescued.arrow").num_rows == found.n_rows and 0 < found.n_rows < N and found.lost


@task("do two files have the same rows, and where not")
def compare():
    arrow_ipc.write_file("other.arrow", [{"id": 1, "t": "a"}, {"id": 2, "t": "b"}])
    arrow_ipc.write_file("newer.arrow", [{"id": 1, "t": "a"}, {"id": 2, "t": "c"}])
    found = arrow_ipc.diff("other.arrow", "newer.arrow")
    assert not found.same and "row 1" in str(found)


@task("a file that gzip compressed")
def gzipped():
    assert arrow_ipc.open("sales.arrow.gz").num_rows == N


@task("Arrow data in memory, and as an upload or a download")
def in_memory():
    out = io.BytesIO()
    arrow_ipc.write_stream(out, arrow_ipc.open("sales.arrow").head(5))
    assert arrow_ipc.RecordBatch.from_arrow(arrow_ipc.read_stream(out.getvalue())).num_rows == 5


def total(batch):
    return sum(batch["id"])


@task("each batch in another process")
def processes():
    file = arrow_ipc.open("sales.arrow", columns=["id"])
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert sum(pool.map(total, [file.batch(k) for k in range(file.num_batches)])) == N * (N - 1) // 2


@task("folders of days as one table")
def folders():
    data = arrow_ipc.dataset("data", where=f"day > '{DAY}'", columns=["id", "day"])
    assert data.count() == 20 and pl.DataFrame(data)["day"].min() == DAY + datetime.timedelta(1)


@task("a field inside of a column")
def nested():
    file = arrow_ipc.open("sales.arrow")
    assert file["address.city"].to_pylist()[:2] == ["city 0", "city 1"]
    assert file[["id", "address.zip"]].head(1).to_pylist() == [{"id": 0, "address": {"zip": 0}}]


@task("more rows than memory, batch by batch")
def one_by_one():
    assert sum(np.asarray(batch["id"]).sum() for batch in arrow_ipc.open("sales.arrow")) == N * (N - 1) // 2


@task("a stream in an event loop")
def event_loop():
    async def read():
        async with arrow_ipc.read_stream("sales.arrows") as stream:
            return [batch.num_rows async for batch in stream]

    assert asyncio.run(read()) == [100] * 10


@task("what takes the bytes of a file")
def sizes():
    found = arrow_ipc.explain("sales.arrow")
    assert "address" in str(found) and found.n_rows == N


@task("which messages a file has, and how long they are")
def messages():
    found = arrow_ipc.inspect("sales.arrow")
    assert len([each for each in found.messages if each["kind"] == "record batch"]) == 10


@task("a day of a timestamp, in the zone of the shop")
def zones():
    at = arrow_ipc.open("sales.arrow")["at"]
    assert at[0] == datetime.datetime(2023, 11, 14, 22, 13, 20, tzinfo=datetime.timezone.utc)
    assert at.cast('timestamp(us, "Europe/Berlin")')[0].hour == 23


@task("columns that NumPy and polars have, under names of mine")
def columns_of_others():
    arrow_ipc.write_file("columns.arrow", {"n": np.arange(3, dtype="int16"), "t": np.array(["a", "b", "c"]), "s": pl.Series([1.5, None, 2.5])})
    assert arrow_ipc.open("columns.arrow").to_pydict() == {"n": [0, 1, 2], "t": ["a", "b", "c"], "s": [1.5, None, 2.5]}


@task("a schema of my own")
def own_schema():
    with arrow_ipc.Writer("few.arrow", {"id": "int16", "tags": "list<item: utf8>"}) as writer:
        writer.write(arrow_ipc.read_json(b'{"id": 1, "tags": ["a"]}', schema={"id": "int16", "tags": "list<item: utf8>"}))
    assert arrow_ipc.open("few.arrow").schema["id"].type == "int16"


@task("yesterday's file beside today's: which rows are new")
def new_rows():
    arrow_ipc.write_file("monday.arrow", [{"id": 1, "n": 5}, {"id": 2, "n": 6}])
    arrow_ipc.write_file("tuesday.arrow", [{"id": 1, "n": 5}, {"id": 2, "n": 7}, {"id": 3, "n": 8}])
    found = arrow_ipc.diff("monday.arrow", "tuesday.arrow", key=["id"])
    assert found.same is False and [each["key"] for each in found.differences if each["key"]] == ["id 2", "id 3"]


@task("CSV of a German spreadsheet")
def german():
    with pytest.warns(UserWarning, match="title"):
        rows = arrow_ipc.read_csv("Umsatz\n\nTag;Betrag\n1;1.234,50\n".encode("latin1"), encoding="latin1", decimal=",", thousands=".")
    assert next(rows).to_pylist() == [{"Tag": 1, "Betrag": 1234.5}]


@task("a compressed CSV, some columns of which are text with leading zeros")
def leading_zeros():
    rows = arrow_ipc.read_csv(io.BytesIO(gzip.compress(b"zip,n\n01234,1\n")), types={"zip": "string"})
    assert next(rows)["zip"][0] == "01234"


@task("a column of timestamps in another unit, and one of numbers narrower")
def casts():
    arrow_ipc.write_file("wide.arrow", {"at": [datetime.datetime(2024, 2, 29, 12)], "n": [7]})
    arrow_ipc.convert("wide.arrow", "typed.arrow", cast={"at": pa.timestamp("ms"), "n": pa.uint8()})
    assert arrow_ipc.open("typed.arrow").to_pylist() == [{"at": datetime.datetime(2024, 2, 29, 12), "n": 7}]


@task("how wide is the range of each column, as a frame")
def ranges():
    found = arrow_ipc.stats("sales.arrow")
    frame = pd.DataFrame(found.columns)
    assert {"name", "min", "max", "null_count"} <= set(frame.columns) and found.columns["id"]["max"] == N - 1


@task("all but the last ten rows")
def without_the_last():
    assert arrow_ipc.open("sales.arrow").head(-10)["id"][-1] == N - 11


@task("is the file as large as promised")
def as_promised():
    assert arrow_ipc.count("sales.arrow") == N and arrow_ipc.count("data") == 30


@task("a value at a row and a column")
def one_value():
    file = arrow_ipc.open("sales.arrow")
    assert file["price"][7] == file.rows(7, 8)["price"][0] == decimal.Decimal("1.75")


@task("a lookup from one column to another")
def lookup():
    file = arrow_ipc.open("sales.arrow")
    assert dict(zip(file["id"], file["shop"]))[4] == "south"


@task("numbers to PyTorch and the like, without a copy")
def tensors():
    ids = arrow_ipc.open("sales.arrow").batch(0)["id"]
    assert np.from_dlpack(ids).sum() == np.frombuffer(ids, dtype="i8").sum() == sum(range(100))


@task("a frame of polars that is lazy, over many files")
def lazy():
    from arrow_ipc.polars import scan

    assert scan("data").filter(pl.col("id") >= 25).select(pl.len()).collect().item() == 5


@task("rows as they come, for a service that sends JSON")
def as_json():
    out = io.BytesIO()
    arrow_ipc.write_json(out, arrow_ipc.open("sales.arrow", columns=["id", "shop"]).head(2))
    assert out.getvalue().decode().splitlines() == ['{"id":0,"shop":"north"}', '{"id":1,"shop":"south"}']


@task("batches of a size that a reader likes")
def sizes_of_batches():
    arrow_ipc.convert("sales.arrow", "even.arrow", batch_rows=250)
    assert [len(batch) for batch in arrow_ipc.open("even.arrow")] == [250] * 4


@task("files with other columns as one")
def other_columns():
    arrow_ipc.write_file("old.arrow", {"id": [1]})
    arrow_ipc.write_file("young.arrow", {"id": [2], "more": ["x"]})
    assert arrow_ipc.concat(arrow_ipc.dataset(["old.arrow", "young.arrow"])).to_pydict() == {"id": [1, 2], "more": [None, "x"]}


@task("a schema as text, and back")
def schema_as_text():
    schema = arrow_ipc.open("sales.arrow").schema
    assert arrow_ipc.Schema.parse(str(schema)) == schema and schema.field("address").children[0].name == "city"


@task("a progress bar")
def progress():
    said = []
    arrow_ipc.validate("sales.arrow", progress=lambda n_done, n_total, unit: said.append((n_done, n_total, unit)))
    assert said and said[-1][0] <= said[-1][1]


@task("does a file have a column, and does it have nulls")
def has_column():
    file = arrow_ipc.open("sales.arrow")
    assert "shop" in file and "shops" not in file and file["shop"].null_count == N // 3


@task("a table of pyarrow, and a batch of it back")
def of_pyarrow():
    table = pa.table(arrow_ipc.open("sales.arrow"))
    batch = arrow_ipc.concat(table)
    assert batch == arrow_ipc.open("sales.arrow")[:] and batch.to_pandas().shape == (N, 5)


@task("the rows of a condition, as dicts, without a file of their own")
def matching_rows():
    rows = arrow_ipc.concat(arrow_ipc.dataset("sales.arrow", where="id in (3, 5)", columns=["id", "shop"])).to_pylist()
    assert rows == [{"id": 3, "shop": "north"}, {"id": 5, "shop": None}]


@task("where the file came from, for those who read it later")
def provenance():
    schema = arrow_ipc.open("sales.arrow").schema.with_metadata({"made by": "till 4"})
    with arrow_ipc.Writer("known.arrow", schema) as writer:
        writer.write(arrow_ipc.open("sales.arrow"))
    assert arrow_ipc.open("known.arrow").schema.metadata == {"made by": "till 4"}


@pytest.mark.parametrize("what", TASKS)
def test_task(what, at_work):
    TASKS[what]()


def test_sixty():
    assert len(TASKS) >= 60


# What was guessed first, from what other libraries have, and a word of the error that says what to write.
GUESSES = {
    "arrow_ipc.Schema('id: int64')": "`Schema.parse(text)` reads text",
    "arrow_ipc.Array('abc')": "a column is a list of values",
    "arrow_ipc.Array({'id': [1]})": "or a list of values",
    "np.asarray(batch)": "`numpy.column_stack(batch.columns)`",
    "np.asarray(file)": "`numpy.column_stack(file[:].columns)`",
    "np.array(stream)": "`concat(stream)[\"id\"].to_numpy()`",
    "file['at'].cast(\"timestamp(us, 'Asia/Tokyo')\").cast('date32')": "leave out what is lost",
    "arrow_ipc.convert(path, 'out.arrow', cast={'at': 'timestamp(us)'})": "lossy=True",
    "file['at'].cast('date32')": "lossy=True",
    "file['id'].cast('date32')": "a cast changes encodings",
    "arrow_ipc.Array([decimal.Decimal(10) ** 80])": "at most 76 digits",
    "arrow_ipc.write_file('out.arrow', {'at': ['\\ud800', 'x']})": "in a text of column at",
    "list(arrow_ipc.read_csv(b'a,b\\n1,2\\n1,2,3\\n'))": "ragged=",
    "list(arrow_ipc.read_csv(b'a,b\\n1,caf\\xe9\\n', encoding='utf-8'))": "encoding=",
    "list(arrow_ipc.read_json(b'{\"a\": 1}\\n{\"a\": 1, \"b\": 2}\\n', infer_rows=1))": "infer_rows=\"all\"",
    "arrow_ipc.open(['sales.arrow'])": "`dataset` reads many Arrow files",
    "pd.DataFrame(batch)": "`batch.to_pandas()`",
    "pd.DataFrame(file)": "`file[:].to_pandas()`",
    "file['ids']": "did you mean id?",
    "file['address.cty']": "did you mean city?",
    "file[['id', 'nothing']]": "the columns are: id, shop, price, at, address",
    "file.batch(0, columns=['ids'])": "did you mean id?",
    "file.schema['prize']": "did you mean price?",
    "batch['ids']": "did you mean id?",
    "arrow_ipc.stats(path, columns=['ids'])": "did you mean id?",
    "arrow_ipc.stats(path).columns['ids']": "the columns are: id, shop",
    "arrow_ipc.dataset('data', columns=['ids'])": "did you mean id?",
    "arrow_ipc.open('data')": "dataset reads the Arrow files of a folder",
    "arrow_ipc.open('data/*/*.arrow')": "dataset reads the Arrow files of a folder, of a pattern",
    "arrow_ipc.read_stream('data')": "dataset reads the Arrow files of a folder",
    "bool(arrow_ipc.diff(path, path))": "`.same` and `.differences`",
    "batch[[True] * 5]": "`batch.filter(mask)`",
    "arrow_ipc.write_file('out.arrow', path)": "`open('sales.arrow')`",
    "arrow_ipc.write_file(batch, 'out.arrow')": "found the path 'out.arrow'",
    "arrow_ipc.write_file('out.arrow', pl.Series([1]))": "`{\"name\": column}`",
    "arrow_ipc.convert(path, 'out.csv')": "`write_csv`",
    "arrow_ipc.concat_files('*.arrow', 'out.arrow')": "pass a list: ['*.arrow']",
    "arrow_ipc.concat_files(['sales.arrow', 'data/day=2024-02-28/part.arrow'], 'out.arrow')": "dataset(paths, schema=)",
    "arrow_ipc.split_file(path, 'by', by=['id'], max_files=5)": "max_files= allows more",
    "arrow_ipc.diff(path, path, key=['shop'])": "names more columns, so that each row has its own key",
    "arrow_ipc.validate(batch)": "this is Arrow data",
    "arrow_ipc.count(file)": "`write_stream` makes bytes",
    "arrow_ipc.read_stream(socket.socket())": "`makefile(\"rb\")`",
    "arrow_ipc.open(builtins.open('people.csv'))": "`open(path, \"rb\")`",
    "arrow_ipc.read_csv(io.StringIO('a'))": "`io.BytesIO`",
    "arrow_ipc.write_csv(sys.stdout, batch)": "`sys.stdout.buffer`",
    "arrow_ipc.write_json(io.StringIO(), batch)": "`io.BytesIO`",
    "arrow_ipc.open('people.csv')": "this is text, perhaps CSV: read_csv reads it",
    "arrow_ipc.read_stream('people.jsonl')": "this is JSON: read_json reads",
    "arrow_ipc.open(b'PK' + bytes([3, 4]) + bytes(40))": "this is a ZIP archive: `zipfile.ZipFile",
    "arrow_ipc.open(bz2.compress(b'x'))": "this is compressed by bzip2: decompress it first",
    "arrow_ipc.write_file('out.arrow', ({'id': k} for k in range(3)))": "pass rows as a `list` of dicts",
    "arrow_ipc.write_file('out.arrow', {'id': 5})": "a column is a list of values",
    "arrow_ipc.write_file('out.arrow', {'id': 'abc'})": "a column is a list of values",
    "arrow_ipc.write_file('out.arrow', {'id': np.zeros((2, 2))})": "one dimension",
    "arrow_ipc.write_file('out.arrow', {'at': np.array(['2024-01'], 'M8[M]')})": "use a unit of s, ms, us or ns",
    "arrow_ipc.write_file('out.arrow', {'at': [pd.Timestamp(1)]})": "pass a `pandas.Series`",
    "arrow_ipc.write_file('out.arrow', {'id': [2**64]})": "pass `Decimal`s",
    "arrow_ipc.write_file('out.arrow', {'id': [-1, 2**63]})": "pass `Decimal`s",
    "arrow_ipc.write_file('out.arrow', {'price': [decimal.Decimal('NaN')]})": "decimals have no NaN",
    "arrow_ipc.write_file('out.arrow', {'at': [datetime.time(1, tzinfo=datetime.timezone.utc)]})": "no zone in Arrow",
    "arrow_ipc.write_file('out.arrow', {'at': ['\\ud800']})": "surrogates not allowed",
    "arrow_ipc.convert(path, 'out.arrow', cast={'shop.x': 'int8'})": "only whole columns can be named here: shop",
    "arrow_ipc.RecordBatch(file.head(2), {'id': 'int8'})": "`RecordBatch({name: data[name]",
    "arrow_ipc.Array([1, 'a'])": "pass values of one type",
    "list(arrow_ipc.read_json(b'{\"a\":1}\\n{\"a\":\"x\"}\\n'))": 'types={"a": "utf8"}',
    "arrow_ipc.Field('x', decimal.Decimal)": "found <class 'decimal.Decimal'>",
    "arrow_ipc.write_file('x.arrow', ['sales.arrow'])": "`concat_files(paths, dest)`",
    "arrow_ipc.write_file('x.arrow', b'abc')": "found bytes: `open(data)`",
    "arrow_ipc.Writer({'a': 'int64'}, 'x.arrow')": "the destination: expected a path or an object with `write`, found <class 'dict'>",
    "arrow_ipc.stats(path, rows=(5, 2))": "the start comes first",
    "arrow_ipc.dataset(path, columns=['shop'], where='prize > 1')": "did you mean price?",
    "arrow_ipc.Schema(['id', 'shop'])": "expected a pair of name and type, such as (\"id\", \"int64\"), found 'id'",
    "arrow_ipc.Array([str(k) for k in range(200)]).cast('dictionary<int8, utf8>')": "the value of index 128 in slot 128 does not fit",
    "batch['shop'].dictionary": "the column is not dictionary-encoded",
    "arrow_ipc.read_csv(bz2.compress(bytes(100)))": "decompress it first",
    "arrow_ipc.write_file('out.arrow', ([{'id': n}] for n in range(3)))": "`Writer(dest, schema)`",
}


@pytest.mark.parametrize("guess", GUESSES)
@pytest.mark.filterwarnings("ignore:unclosed")
def test_guess(guess, at_work):
    path = "sales.arrow"
    file = arrow_ipc.open(path)
    stream, batch = arrow_ipc.read_stream("sales.arrows"), file.head(1)
    names = {"file": file, "stream": stream, "batch": batch, "path": path}
    with pytest.raises((AttributeError, LookupError, OSError, TypeError, ValueError)) as caught:
        eval(guess, {**globals(), **names})
    hint = getattr(caught.value, "hint", None) or ""
    assert GUESSES[guess] in str(caught.value) + hint


# What was guessed first, and is so now.
AS_GUESSED = [
    "arrow_ipc.validate('data').n_rows == arrow_ipc.dataset('data').count()",
    "arrow_ipc.count(path) == N and arrow_ipc.count(path) != N + 1 and N - 1 < arrow_ipc.count(path) <= N",
    "arrow_ipc.count(path) == arrow_ipc.count('sales.arrows') or arrow_ipc.count(path).n_batches",
    "int(arrow_ipc.count(path)) == N and len(range(arrow_ipc.count(path))) == N",
    "arrow_ipc.stats(path).columns['id']['max'] == arrow_ipc.stats(path).columns[0]['max'] == N - 1",
    "arrow_ipc.explain(path).columns['shop']['name'] == 'shop' and len(arrow_ipc.explain(path).columns[:2]) == 2",
    "file.head(-990) == file.head(10) and file.tail(-990) == file.tail(10) and file.head(-N).num_rows == 0",
    "file[:].head(-990) == file.head(10) and file[:].tail(-990) == file.tail(10) and file[:].tail(0).num_rows == 0",
    "file.head(-2 * N).num_rows == file.tail(-2 * N).num_rows == file[:].tail(-2 * N).num_rows == file[:].head(-2 * N).num_rows == 0",
    "file['id'].cast(pa.int16()).type == file['id'].cast(pa.field('x', pa.int16())).type == 'int16'",
    "file['id'].cast(int).type == 'int64' and file['id'].cast(np.int32).type == file['id'].cast(pl.Int32).type == 'int32'",
    "arrow_ipc.Schema({'id': int, 'shop': str}) == arrow_ipc.Schema({'id': 'int64', 'shop': 'utf8'})",
    "file['shop'].cast('dictionary').type == 'dictionary<int32, utf8>' and file['shop'].cast('dictionary')[0] == 'north'",
    "file['shop'].cast('dictionary').cast('dictionary').type == 'dictionary<int32, utf8>'",
    "file['at'].cast(\"timestamp(ms, 'Asia/Tokyo')\").type == file['at'].cast('timestamp(ms, Asia/Tokyo)').type == 'timestamp(ms, \"Asia/Tokyo\")'",
    "arrow_ipc.Array.from_arrow(pl.Series([1, None])).to_pylist() == [1, None]",
    "arrow_ipc.concat({'id': file['id'], 'at': file['at'].cast('timestamp(ns, \"UTC\")'), 'n': range(N)})['at'].type.startswith('timestamp(ns')",
    "'1 file>' in repr(arrow_ipc.dataset(path)) and '1,000 rows of 1 file>' in repr(arrow_ipc.dataset(path).split())",
    "file['shop'].cast('string_view').type == file['shop'].cast(pa.string_view()).type == 'utf8_view'",
    "arrow_ipc.convert(path, 'cast.arrow', cast={'id': pa.int16()}).lost == [] and arrow_ipc.open('cast.arrow').schema['id'].type == 'int16'",
    "arrow_ipc.Schema.from_arrow({'id': pa.int16(), 'u': pa.uuid()})['u'].extension_name == 'arrow.uuid'",
    "arrow_ipc.Schema.from_arrow([('id', 'int64'), pa.field('t', 'string')]) == arrow_ipc.Schema.parse('id: int64\\nt: utf8')",
    "arrow_ipc.Schema({'id': 'int64', 't': 'string'}) == arrow_ipc.Schema([('id', 'int64'), ('t', 'utf8')])",
    "arrow_ipc.Schema((('id', 'int64'), ('t', pa.string()))) == arrow_ipc.Schema(pa.schema({'id': 'int64', 't': 'string'}))",
    "arrow_ipc.Schema(MappingProxyType({'id': 'int64'})) == arrow_ipc.Schema([arrow_ipc.Field('id', 'int64')])",
    "arrow_ipc.Schema([arrow_ipc.Field('id', 'int64', nullable=False)]) == arrow_ipc.Schema.parse('id: int64 not null')",
    "arrow_ipc.Schema(pl.DataFrame({'id': [1], 't': ['x']}).schema).names == ['id', 't']",
    "arrow_ipc.diff(path, path, key='id').same",
    "arrow_ipc.Schema({'id': 'int64 not null'}) == arrow_ipc.Schema.parse('id: int64 not null')",
    "arrow_ipc.Schema(arrow_ipc.Schema({'id': 'int64'})).names == ['id'] and arrow_ipc.Schema({}).names == []",
    "arrow_ipc.RecordBatch({'id': [1], 't': ['x']}) == arrow_ipc.RecordBatch([{'id': 1, 't': 'x'}])",
    "arrow_ipc.RecordBatch(pl.DataFrame({'id': [1]})).to_pydict() == {'id': [1]}",
    "arrow_ipc.Array([1, None]).type == 'int64' and arrow_ipc.Array((1, None), 'int8').type == 'int8'",
    "arrow_ipc.Array(range(3)).to_pylist() == arrow_ipc.Array(np.arange(3)).to_pylist() == [0, 1, 2]",
    "arrow_ipc.Array([], 'utf8').type == 'utf8' and arrow_ipc.Array(pl.Series('n', [1])).field.name == 'n'",
    "file['at'].cast('date32', lossy=True)[0] == datetime.date(2023, 11, 14)",
    "np.column_stack(arrow_ipc.RecordBatch({'a': [1, 2], 'b': [0.5, 1.5]}).columns).tolist() == [[1, 0.5], [2, 1.5]]",
]


@pytest.mark.parametrize("guess", AS_GUESSED)
def test_as_guessed(guess, at_work):
    assert eval(guess, {**globals(), "path": "sales.arrow", "file": arrow_ipc.open("sales.arrow")})


def test_other_names_are_as_in_any_class(at_work):
    """Names that nobody guesses have the usual error, so what asks for a name goes on."""
    for thing in [arrow_ipc, arrow_ipc.open("sales.arrow"), arrow_ipc.open("sales.arrow").head(1)["id"]]:
        assert not hasattr(thing, "collect") and getattr(thing, "nothing", 5) == 5
        with pytest.raises(AttributeError, match="no attribute 'nothing'$") as caught:
            _ = thing.nothing
        assert caught.value.name == "nothing"
