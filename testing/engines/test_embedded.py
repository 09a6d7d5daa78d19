"""DataFusion, DuckDB, polars, Daft, and Ray without its workers, in this process: columns, conditions, and files that change."""

import datetime
import pickle
import types

import arrow_ipc
import arrow_ipc.daft
import arrow_ipc.polars
import arrow_ipc.ray
import daft
import datafusion
import duckdb
import polars
import pyarrow as pa
import pytest
from conftest import N_ROWS, ROWS_OF_BATCH


def by_datafusion(data, sql):
    session = datafusion.SessionContext()
    session.register_dataset("t", data.to_pyarrow())
    return pa.table(session.sql(sql)).to_pylist()


def by_duckdb(data, sql):
    with duckdb.connect() as connection:
        connection.register("t", data.to_pyarrow())
        return connection.sql(sql).to_arrow_table().to_pylist()


def by_polars(data, sql):
    return polars.SQLContext(t=arrow_ipc.polars.scan(data)).execute(sql).collect().to_dicts()


def by_daft(data, sql):
    return daft.sql(sql, t=arrow_ipc.daft.source(data).read()).to_pylist()


ENGINES = {"datafusion": by_datafusion, "duckdb": by_duckdb, "polars": by_polars, "daft": by_daft}
DAY = datetime.date(2024, 2, 27)
# A query, its answer, and how many batches have to be read of 48.
QUERIES = [
    ("select count(*) n from t", [{"n": N_ROWS}], 48),
    ("select sum(id) s, count(name) n from t where key = 3", [{"s": sum(range(3, N_ROWS, 10)), "n": 8229}], 48),
    ("select key, sum(id) s from t group by key order by key limit 1", [{"key": 0, "s": sum(range(0, N_ROWS, 10))}], 48),
    ("select min(id) low, max(id) high from t where day = date '2024-02-27'", [{"low": 24_000, "high": 47_999}], 12),
    ("select id, day from t where id >= 26100 and id < 26102", [{"id": i, "day": DAY} for i in (26_100, 26_101)], 1),
    ("select id from t where id = 26100 and day > date '2024-02-27'", [], 0),
    ("select id, kind from t where id = 3 or id = 95998 order by id", [{"id": 3, "kind": "red"}, {"id": 95_998, "kind": "red"}], 2),
    ("select count(*) n from t where moment < timestamp '2024-01-01 01:00:00'", [{"n": 3600}], 2),
    ("select count(*) n from t where name is null and id < 2800", [{"n": 400}], 2),
    ("select sum(price) p from t where id < 4", [{"p": 1.5}], 1),
]
# Daft reads such a constant as one in UTC, which does not compare with the column.
REFUSED = {("daft", 7)}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("k", range(len(QUERIES)))
def test_queries(engine, k, data):
    if (engine, k) in REFUSED:
        pytest.skip("the engine refuses it")
    sql, expected, _ = QUERIES[k]
    for trusted in (False, True):
        found = ENGINES[engine](arrow_ipc.dataset(data, trust_statistics=trusted), sql)
        rounded = [{name: float(value) if name == "p" else value for name, value in row.items()} for row in found]
        assert rounded == expected


@pytest.mark.parametrize("engine", ["datafusion", "duckdb", "polars"])
@pytest.mark.parametrize("k", range(len(QUERIES)))
def test_batches_are_left_out(engine, k, data, monkeypatch):
    """What a query reads at most, by the tasks that are made for it."""
    sql, _, n_batches = QUERIES[k]
    n_rows = []

    class Spied:
        """A data set that tells of the tasks it gives."""

        def __init__(self, inner):
            self.inner = inner

        def split(self, target_bytes):
            tasks = self.inner.split(target_bytes)
            n_rows.append(sum(task.num_rows for task in tasks))
            return tasks

        def __getattr__(self, name):
            found = getattr(self.inner, name)
            if name == "__arrow_c_stream__":
                self.split(1 << 60)
            if name not in ("select", "where", "_only"):
                return found
            return lambda *args: Spied(found(*args))

    inner = arrow_ipc.dataset(data, trust_statistics=True)
    if engine == "polars":
        monkeypatch.setattr(arrow_ipc.polars, "opened", lambda source, options: Spied(source))
        ENGINES[engine](inner, sql)
    else:
        rows = inner.to_pyarrow()
        rows._data = Spied(inner)
        ENGINES[engine](type("Given", (), {"to_pyarrow": lambda self: rows})(), sql)
    assert n_rows and max(n_rows) <= n_batches * ROWS_OF_BATCH


@pytest.mark.parametrize("engine", ENGINES)
def test_all_rows(engine, data, expected):
    columns = ["id", "key", "value", "name", "kind", "moment", "tags", "day"]
    found = ENGINES[engine](arrow_ipc.dataset(data), f"select {', '.join(columns)} from t")
    assert sorted(found, key=lambda row: row["id"]) == expected.select(columns).to_pylist()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("sql", ["select sum(id) from t", "select id from t where key = 1"])
def test_files_that_change(engine, sql, changed):
    data, change = changed
    change()
    with pytest.raises(BaseException) as raised:
        ENGINES[engine](data, sql)
    texts, error = [], raised.value
    while error is not None:
        texts.append(str(error))
        error = error.__cause__ or error.__context__
    assert any("1.arrow" in text and "has changed since" in text for text in texts), texts


def test_first_rows_by_polars(data):
    scanned = arrow_ipc.polars.scan(data, columns=["id", "day"])
    assert scanned.head(3).collect()["id"].to_list() == [0, 1, 2]
    assert scanned.collect_schema() == {"id": polars.Int64, "day": polars.Date}
    assert scanned.filter(polars.col("id") > 95_990).head(2).collect()["id"].to_list() == [95_991, 95_992]
    with pytest.raises(TypeError, match="the call of `arrow_ipc.dataset`"):
        arrow_ipc.polars.scan(arrow_ipc.dataset(data), columns=["id"])


def test_first_rows_by_daft(data):
    """As many tasks as needed; what passes a condition of the set is not known before."""
    given = arrow_ipc.dataset(data, columns=["id"], where="id >= 90000")
    found = arrow_ipc.daft.source(given, target_bytes=1).read().limit(5)
    assert sorted(found.to_pydict()["id"]) == list(range(90_000, 90_005))
    assert arrow_ipc.daft.source(data, columns=["id"], target_bytes=1).read().limit(2500).count_rows() == 2500


def test_ray_writes_nothing(tmp_path):
    """A block without rows may have no columns."""
    sink = arrow_ipc.ray.Datasink(tmp_path / "out", pa.schema([("id", pa.int64())]))
    blocks = [[pa.table({})], [pa.table({}), pa.table({"id": range(3)}), pa.table({"other": pa.array([], pa.string())})]]
    parts = [sink.write(blocks[task], types.SimpleNamespace(task_idx=task)) for task in range(2)]
    sink.on_write_complete(types.SimpleNamespace(write_returns=parts))
    assert [part.num_rows for part in parts] == [0, 3]
    assert arrow_ipc.dataset(tmp_path / "out").count() == 3
    # A plan may have no tasks.
    sink = arrow_ipc.ray.Datasink(tmp_path / "none", pa.schema([("id", pa.int64())]))
    sink.on_write_complete(types.SimpleNamespace(write_returns=[]))
    none = arrow_ipc.dataset(tmp_path / "none")
    assert none.count() == 0 and none.schema.names == ["id"]


def test_a_sink_of_ray_again(tmp_path):
    """After it gave up or was committed, neither it nor a copy of it writes rows; a new one does after it gave up."""
    context = types.SimpleNamespace(task_idx=0)
    for ends in ("on_write_failed", "on_write_complete"):
        sink = arrow_ipc.ray.Datasink(tmp_path / "out", pa.schema([("id", pa.int64())]))
        part = sink.write([pa.table({"id": [1, 2]})], context)
        worker = pickle.loads(pickle.dumps(sink))
        getattr(sink, ends)(ValueError("no") if ends == "on_write_failed" else types.SimpleNamespace(write_returns=[part]))
        for each in (sink, worker):
            with pytest.raises(arrow_ipc.ArrowIpcError, match="committed.*another"):
                each.write([pa.table({"id": [4]})], context)
        sink.on_write_failed(ValueError("no"))
    assert pa.table(arrow_ipc.dataset(tmp_path / "out"))["id"].to_pylist() == [1, 2]


def test_columns_that_the_schema_has_not(tmp_path):
    schema = pa.schema([("id", pa.int64()), ("name", pa.string())])
    sink = arrow_ipc.ray.Datasink(tmp_path / "ray", schema)
    context = types.SimpleNamespace(task_idx=0)
    assert sink.write([pa.table({"name": ["a"], "id": [1]})], context).num_rows == 1
    for columns, text in [({"id": [1], "name": ["a"], "x": [2]}, "the schema has no column 'x'"), ({"id": [1]}, "the rows have no column 'name'")]:
        with pytest.raises(ValueError, match=text):
            sink.write([pa.table(columns)], context)
        with pytest.raises(Exception, match=text):
            daft.from_pydict(columns).write_sink(arrow_ipc.daft.sink(tmp_path / text, schema))


def test_daft_writes_parts_of_rows(data, tmp_path):
    """A part has rows, except the only one of a set without rows."""
    frame = arrow_ipc.daft.source(data, columns=["id"], target_bytes=1).read()
    schema = frame.schema().to_pyarrow_schema()
    for name, few in (("none", frame.where(daft.col("id") < 0)), ("some", frame.where(daft.col("id") < 3))):
        few.write_sink(arrow_ipc.daft.sink(tmp_path / name, schema))
    none = arrow_ipc.dataset(tmp_path / "none")
    assert len(list((tmp_path / "none").glob("part-*"))) == 1 and none.count() == 0 and none.schema.names == ["id"]
    assert len(list((tmp_path / "some").glob("part-*"))) == 1 and arrow_ipc.dataset(tmp_path / "some").count() == 3
    # A part for each batch that reaches the sink.
    frame.write_sink(arrow_ipc.daft.sink(tmp_path / "many", schema))
    frame.into_batches(N_ROWS // 2).write_sink(arrow_ipc.daft.sink(tmp_path / "few", schema))
    many, few = (len(list((tmp_path / name).glob("part-*"))) for name in ("many", "few"))
    assert many >= 12 * few > 0 and arrow_ipc.dataset(tmp_path / "few").count() == N_ROWS


def test_daft_writes(data, tmp_path):
    frame = arrow_ipc.daft.source(data, columns=["id", "name"], where="id < 5000").read()
    schema = frame.schema().to_pyarrow_schema()
    done = frame.write_sink(arrow_ipc.daft.sink(tmp_path / "out", schema))
    assert done.to_pydict() == {"num_rows": [5000]}
    written = arrow_ipc.dataset(tmp_path / "out")
    assert sorted(i for batch in written for i in batch["id"].to_pylist()) == list(range(5000))
    with pytest.raises(Exception, match="out"):
        arrow_ipc.daft.sink(tmp_path / "out", schema)
