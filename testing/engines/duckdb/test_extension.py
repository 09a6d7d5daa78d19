"""What the extension does: files, columns, threads, cancelling, errors, and `COPY`."""

import decimal
import pathlib
import re
import subprocess
import sys
import threading
import time
import zlib

import duckdb
import pyarrow as pa
import pytest

N_ROWS = 20_000


def rows(first=0, n_rows=N_ROWS):
    ids = range(first, first + n_rows)
    return pa.table(
        {
            "id": pa.array(ids, pa.int64()),
            "name": [None if i % 7 == 0 else f"näme {i % 50}, which is long" for i in ids],
            "kind": pa.array([("red", "green", None)[i % 3] for i in ids]).dictionary_encode(),
            "tags": [[i, None] if i % 3 else [] for i in ids],
            "bytes": [b"\0" * 500] * n_rows,
        }
    )


def write(path, table, rows_of_batch=3000):
    path.parent.mkdir(parents=True, exist_ok=True)
    is_file = path.suffix != ".arrows"
    with pa.OSFile(str(path), "wb") as sink, (pa.ipc.new_file if is_file else pa.ipc.new_stream)(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=rows_of_batch)
    return path


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Files and a stream in folders of days."""
    root = tmp_path_factory.mktemp("data")
    for k in range(4):
        name = f"o'clock {k}.arrow" if k else "first.arrows"
        write(root / f"day=2024-02-{26 + k // 2}/{name}", rows(k * N_ROWS))
    return root


def quoted(path):
    return "'" + str(path).replace("'", "''") + "'"


def n_read():
    """The bytes that this process has asked the system for."""
    text = pathlib.Path("/proc/self/io").read_text()
    return int(re.search(r"rchar: (\d+)", text)[1])


def test_paths(db, data):
    files = sorted(data.rglob("*.arrow*"))
    one, two = quoted(files[0]), quoted(files[1])
    for what, n_files in [
        (one, 1),
        (f"[{one}, {two}]", 2),
        (quoted(data), 4),
        (quoted(data / "day=2024-02-26"), 2),
        (quoted(data / "**/*.arrow"), 3),
        (quoted(data / "day=*/[fo]*"), 4),
    ]:
        found = db.sql(f"select count(*), count(distinct id), count(distinct filename) from read_arrow({what}, filename := true)")
        assert found.fetchall() == [(n_files * N_ROWS, n_files * N_ROWS, n_files)], what
    # Each path that is listed counts.
    for what, n_files in [(f"[{one}, {one}]", 2), (f"[{one}, {two}, {one}]", 3), (f"[{quoted(data)}, {one}]", 5)]:
        found = db.sql(f"select count(*), sum(id + 1) from read_arrow({what})").fetchall()
        assert found[0][0] == n_files * N_ROWS and found == db.sql(f"select sum(n), sum(s) from (select count(*) n, sum(id + 1) s from read_arrow({what}, filename := true) group by filename)").fetchall()
        assert db.sql(f"select sum(num_rows), count(*) from arrow_file_metadata({what})").fetchall() == [(n_files * N_ROWS, n_files)]
    assert db.sql(f"select max(id) from {one}").fetchall() == [(N_ROWS - 1,)]


def test_values_of_slices(db, data):
    """Chunks begin anywhere in batches, and dictionaries are larger and smaller than chunks."""
    path = quoted(data / "day=2024-02-26/first.arrows")
    assert db.sql(f"from read_arrow({path}, hive_partitioning := false)").to_arrow_table().to_pylist() == rows().to_pylist()


def test_large_dictionaries(db, tmp_path):
    values = [f"value {i}" for i in range(30_000)]
    table = pa.table({"d": pa.array(values).dictionary_encode(), "b": pa.array([value.encode() for value in values]).dictionary_encode()})
    path = quoted(write(tmp_path / "d.arrow", table, 30_000))
    assert db.sql(f"from read_arrow({path})").to_arrow_table().to_pylist() == table.to_pylist()


def hidden_values():
    """Columns of a row whose children have a value that DuckDB does not have, and no row shows."""
    decimal, late = pa.decimal128(3, 0), (90_000).to_bytes(4, "little")
    large = pa.Array.from_buffers(decimal, 1, [None, pa.py_buffer((12_345).to_bytes(16, "little"))])
    late = pa.Array.from_buffers(pa.time32("s"), 1, [None, pa.py_buffer(late)])
    null, first = pa.py_buffer(b"\0"), pa.array([0, 1], pa.int32()).buffers()[1]
    for items in (large, late):
        yield pa.Array.from_buffers(pa.list_(items.type), 1, [null, first], children=[items]), None
        entries = pa.StructArray.from_arrays([pa.array([1]), items], fields=[pa.field("key", pa.int64(), False), pa.field("value", items.type)])
        yield pa.Array.from_buffers(pa.map_(pa.int64(), items.type), 1, [null, first], children=[entries]), None
        fields = [pa.field("d", items.type, False), pa.field("i", pa.int32())]
        yield pa.Array.from_buffers(pa.sparse_union(fields), 1, [None, pa.py_buffer(b"\1")], children=[items, pa.array([7], pa.int32())]), 7
    yield pa.Array.from_buffers(pa.list_(large.type), 1, [None, pa.array([1, 1], pa.int32()).buffers()[1]], children=[large]), []
    values = pa.Array.from_buffers(decimal, 2, [None, pa.py_buffer((5).to_bytes(16, "little") + (12_345).to_bytes(16, "little"))])
    yield pa.DictionaryArray.from_arrays(pa.array([0] * 3, pa.int8()), values), 5


def test_values_that_no_row_shows(db, tmp_path):
    for column, expected in hidden_values():
        path = quoted(write(tmp_path / "hidden.arrow", pa.table({"c": column})))
        assert db.sql(f"select c from read_arrow({path})").fetchall() == [(expected,)] * len(column), column.type
    # A row that shows such a value is refused.
    column = next(hidden_values())[0]
    shown = pa.ListArray.from_arrays(column.offsets, column.values)
    path = quoted(write(tmp_path / "shown.arrow", pa.table({"c": shown})))
    with pytest.raises(duckdb.Error, match='column "c"'):
        db.sql(f"select c from read_arrow({path})").fetchall()


def nested_columns(n_rows, n_items):
    """Lists and maps that DuckDB has in another form, or not with each value."""
    n = n_rows * n_items
    offsets = pa.array(range(0, n + 1, n_items), pa.int32())
    numbers = pa.array([0, 1, 2, 3] * (n // 4), pa.int64())
    ids = pa.array([0, 1] * (n // 2), pa.int8())
    dense = pa.UnionArray.from_dense(ids, pa.array([i // 2 for i in range(n)], pa.int32()), [numbers, numbers])
    for items in (
        numbers.cast(pa.timestamp("s")),
        numbers.cast(pa.decimal128(19, 0)),
        numbers.cast(pa.string()).dictionary_encode(),
        pa.UnionArray.from_sparse(ids, [numbers, numbers]),
        dense,
    ):
        yield pa.ListArray.from_arrays(offsets, items)
    yield pa.MapArray.from_arrays(pa.array(range(n_rows + 1), pa.int32()), numbers[:n_rows], numbers[:n_rows].cast(pa.time64("us")))
    dictionary = pa.array([0, 1, 2, 3] * (n // 4), pa.int8())
    words = pa.DictionaryArray.from_arrays(dictionary, pa.array(["a", "b", "c", "d"]))
    yield pa.UnionArray.from_dense(ids, pa.array([i // 2 for i in range(n)], pa.int32()), [words, numbers])


def test_time_does_not_grow_with_the_size_of_batches(db, tmp_path):
    """A chunk of a batch takes time for its own rows, not for the items of all rows."""
    n_rows = 200_000
    for column in nested_columns(n_rows, 4):
        table = pa.table({"c": column})
        times = []
        for rows_of_batch in (1000, len(table)):
            path = quoted(write(tmp_path / f"{rows_of_batch}.arrow", table, rows_of_batch))
            start = time.process_time()
            assert db.sql(f"select count(c) from read_arrow({path})").fetchall() == [(len(table),)]
            times.append(time.process_time() - start)
        assert times[1] < 3 * times[0] + 0.05, (column.type, times)


def test_columns_of_folders(db, data):
    found = db.sql(f"select day, typeof(day), min(id) from read_arrow({quoted(data)}) group by all order by all").fetchall()
    assert [(str(day), name, low) for day, name, low in found] == [("2024-02-26", "DATE", 0), ("2024-02-27", "DATE", 2 * N_ROWS)]
    columns = [row[0] for row in db.sql(f"describe from read_arrow({quoted(data)}, hive_partitioning := false)").fetchall()]
    assert columns == ["id", "name", "kind", "tags", "bytes"]
    found = db.sql(f"select filename, day, id from read_arrow({quoted(data)}, filename := true) where id = {N_ROWS}").fetchall()
    assert found[0][0].endswith("/day=2024-02-26/o'clock 1.arrow")
    with pytest.raises(duckdb.BinderException, match="condition: .*day"):
        db.sql(f"from read_arrow({quoted(data)}, hive_partitioning := false, condition := 'day = ''2024-02-26''')")


def test_types_of_folders(db, data, tmp_path):
    """`hive_types` has DuckDB's names of types."""
    write(tmp_path / "n=1/t=2024-01-02 03%3A04%3A05/x.arrow", pa.table({"x": [1]}))
    for root, types, column, expected in [
        (data, "{'day': VARCHAR}", "day", "VARCHAR"),
        (data, "map {'day': 'date'}", "day", "DATE"),
        (tmp_path, "{'n': TINYINT}", "n", "TINYINT"),
        (tmp_path, "{'n': 'int8'}", "n", "BIGINT"),
        (tmp_path, "{'n': 'uint16'}", "n", "USMALLINT"),
        (tmp_path, "{'n': DOUBLE, 't': TIMESTAMP}", "t", "TIMESTAMP"),
    ]:
        found = db.sql(f"select typeof({column}) from read_arrow({quoted(root)}, hive_types := {types}) limit 1").fetchall()
        assert found == [(expected,)], types
    for types, text in [("{'x': INT}", 'hive_types: "x" is no name of folders'), ("{'y': INT}", "hive_types: .*y"), ("{'n': nope}", "hive_types: .*nope"), ("{'n': DATE}", "n=1/.*date32"), ("5", "hive_types is a struct")]:
        with pytest.raises(duckdb.Error, match=text):
            db.sql(f"from read_arrow({quoted(tmp_path)}, hive_types := {types})")


def test_row_numbers(db, data):
    """The position of each row in its file, by one thread or many."""
    call = f"read_arrow({quoted(data)}, file_row_number := true, filename := true)"
    assert db.sql(f"select count(*) from {call} where file_row_number != id % {N_ROWS}").fetchall() == [(0,)]
    found = db.sql(f"select sum(file_row_number), count(distinct file_row_number), max(file_row_number) from {call}").fetchall()
    assert found == [(4 * sum(range(N_ROWS)), N_ROWS, N_ROWS - 1)]
    assert db.sql(f"select file_row_number from {call} limit 2").fetchall() == [(0,), (1,)]
    assert db.sql(f"select columns(*) from {call} where id = 25000").fetchall()[0][-2:] == (str(data / "day=2024-02-26/o'clock 1.arrow"), 5000)
    with pytest.raises(duckdb.Error, match="file_row_number and a condition"):
        db.sql(f"from read_arrow({quoted(data)}, file_row_number := true, condition := 'id > 5')")


def test_branches_of_folders(connect, db, tmp_path):
    """DuckDB plans only the folders that a `where` leaves."""
    for k in range(4):
        write(tmp_path / f"day=2024-02-{26 + k // 2}/{k}.arrow", rows(k * N_ROWS))
    data, pattern = tmp_path, str(tmp_path / "**/*.arrow")
    n_bytes = sum(path.stat().st_size for path in data.rglob("*.arrow"))
    plain = f"read_arrow({quoted(pattern)})"
    db.execute("create macro sales(path) as table from query(read_arrow_query(path))")
    for source in (quoted(pattern), f"query(read_arrow_query({quoted(data)}))", f"sales({quoted(data)})"):
        assert db.sql(f"describe from {source}").fetchall() == db.sql(f"describe from {plain}").fetchall()
        for where, n_folders in [("true", 2), ("day = '2024-02-26'", 1), ("day > '2024-02-26' and id > 5", 1), ("day in ('2024-02-26', '2024-03-01')", 1), ("day is null", 0), ("id = 70000", 2)]:
            query = f"select count(*), sum(id), max(name), min(day), sum(octet_length(bytes)) from {{}} where {where}"
            before = n_read()
            found = db.sql(query.format(source)).fetchall()
            share = (n_read() - before) / n_bytes
            assert found == db.sql(query.format(plain)).fetchall()
            assert n_folders / 2 - 0.4 < share < n_folders / 2 + 0.1 or where == "id = 70000", (source, where, share)
    assert [row[0] for row in db.sql(f"select id from {quoted(pattern)}").fetchall()] == [row[0] for row in db.sql(f"select id from {plain}").fetchall()]
    plan = db.sql(f"explain from {quoted(pattern)} where day = '2024-02-27'").fetchall()[0][1]
    assert plan.count("READ_ARROW") == 1
    db.execute(f"create view v as from {quoted(pattern)}")
    db.execute("prepare q as select count(*) from v where day = ?")
    assert db.execute("execute q('2024-02-27')").fetchall() == [(2 * N_ROWS,)]
    with connect() as closed:
        closed.execute("set enable_external_access = false")
        for source in (quoted(pattern), f"query(read_arrow_query({quoted(data)}))"):
            with pytest.raises(duckdb.Error, match="enable_external_access"):
                closed.sql(f"from {source}")
    with pytest.raises(duckdb.Error, match="constant"):
        db.sql("select read_arrow_query(x) from (values ('a')) v(x)")
    with pytest.raises(duckdb.Error, match="nope.*no files|no files.*nope"):
        db.sql(f"from {quoted(tmp_path / 'nope/*.arrow')}")


def test_branches_with_other_columns(db, tmp_path):
    """Branches would not change what is read: names in quotes, null folders, columns that some files lack, and types that differ."""
    wide = [b"\0" * 500] * 20_000
    write(tmp_path / "a\"b=it's/c=1/x.arrow", pa.table({"x": [1] * 20_000, "bytes": wide}))
    write(tmp_path / "a\"b=__HIVE_DEFAULT_PARTITION__/c=02/x.arrow", pa.table({"y": ["é"] * 20_000, "x": [2] * 20_000, "bytes": wide}))
    query = db.execute("select read_arrow_query(?)", [str(tmp_path)]).fetchall()[0][0]
    assert query.count("UNION ALL BY NAME") == 1
    source, plain = f"query(read_arrow_query({quoted(tmp_path)}))", f"read_arrow({quoted(tmp_path)})"
    for query in ("describe from {}", "select * exclude (bytes) from {}", """select count(*), min(c), max(y) from {} where "a""b" is null""", """select min(x) from {} where "a""b" = 'it''s'"""):
        assert db.sql(query.format(source)).fetchall() == db.sql(query.format(plain)).fetchall(), query
    # Types that differ, names that differ by case, and little data: one call reads all.
    for name, table in [("d", {"x": [0.5]}), ("d", {"X": [1]}), ("small", {"x": [1]})]:
        root = tmp_path.parent / f"{tmp_path.name}-{name}"
        write(root / "k=1/x.arrow", pa.table({"x": [1] * (20_000 if name == "d" else 1), **({"bytes": wide} if name == "d" else {})}))
        write(root / "k=2/x.arrow", pa.table({**{key: value * (20_000 if name == "d" else 1) for key, value in table.items()}, **({"bytes": wide} if name == "d" else {})}))
        assert db.execute("select read_arrow_query(?)", [str(root)]).fetchall() == [(f"FROM read_arrow({quoted(root)})",)]


def test_folders_that_name_no_columns(db, tmp_path):
    """Names of folders that contradict make files unreadable, unless they are ignored."""
    for k, (names, text) in enumerate([
        (["day=1/a.arrow", "day=2/b.arrow"], "not in all files"),
        (["run=1/x/run=2/a.arrow"], "two folders"),
        (["a=%ff/a.arrow"], "UTF-8"),
    ]):
        root = tmp_path / str(k)
        for n, name in enumerate(names):
            write(root / name, pa.table({"x": [n]} if n else {"x": [n], "day": [9]}))
        with pytest.raises(duckdb.Error, match=text):
            db.sql(f"from read_arrow({quoted(root)})").fetchall()
        found = db.sql(f"select x, day from read_arrow({quoted(root)}, hive_partitioning := false) order by x").fetchall()
        assert found == [(0, 9), (1, None)][: len(names)]
        assert db.sql(f"select sum(num_rows) from arrow_file_metadata({quoted(root)})").fetchall() == [(len(names),)]


def test_only_used_columns_are_read(db, data):
    n_bytes = sum(path.stat().st_size for path in data.rglob("*.arrow*"))

    def cost(query):
        before = n_read()
        db.sql(query).fetchall()
        return (n_read() - before) / n_bytes

    assert cost(f"select sum(id) from read_arrow({quoted(data)})") < 0.1
    # DuckDB cannot ask for no column: it asks for the first.
    assert cost(f"select count(*) from read_arrow({quoted(data)})") < 0.03
    assert cost(f"from arrow_file_metadata({quoted(data)})") < 0.01
    assert cost(f"select count(*) from read_arrow({quoted(data)}, filename := true) where filename like '%1%'") < 0.03
    assert cost(f"select count(*) from read_arrow({quoted(data)}) where day = '2024-02-26'") < 0.03
    assert cost(f"select sum(octet_length(bytes)) from read_arrow({quoted(data)}, condition := 'day = ''2024-02-26''')") < 0.6
    assert cost(f"select sum(octet_length(bytes)) from read_arrow({quoted(data)})") > 0.9


def test_file_metadata(db, data):
    found = db.sql(f"select num_rows, num_batches, file_name from arrow_file_metadata({quoted(data)}) order by file_name").fetchall()
    assert [row[:2] for row in found] == [(N_ROWS, 7)] * 4
    assert [row[2] for row in found] == sorted(str(path) for path in data.rglob("*.arrow*"))
    assert db.sql(f"select count(*) from arrow_file_metadata([{quoted(data)}])").fetchall() == [(4,)]
    with pytest.raises(duckdb.Error, match="nope"):
        db.sql("from arrow_file_metadata('nope.arrow')")


def test_two_files_in_one(db, tmp_path):
    """Rows that are not read are an error, unless the call says that it knows."""
    one = write(tmp_path / "one.arrow", rows())
    (tmp_path / "both").mkdir()
    both = tmp_path / "both/both.arrow"
    both.write_bytes(2 * one.read_bytes())
    start = one.stat().st_size
    for path in (both, both.parent, tmp_path):
        with pytest.raises(duckdb.BinderException, match=f"both.arrow: a second file begins at byte {start}, .*first_file_only := true"):
            db.sql(f"from read_arrow({quoted(path)})")
    assert db.sql(f"select count(*) from read_arrow({quoted(both)}, first_file_only := true)").fetchall() == [(N_ROWS,)]
    content = one.read_bytes()
    footer = len(content) - 10 - int.from_bytes(content[-10:-6], "little")
    garbage = tmp_path / "garbage.arrow"
    garbage.write_bytes(content[:footer] + b"x" * 100 + content[footer:])
    with pytest.raises(duckdb.BinderException, match=f"garbage.arrow: 108 bytes from byte {footer - 8} to the footer are in none of its blocks"):
        db.sql(f"from read_arrow({quoted(garbage)})")
    assert db.sql(f"select count(*) from read_arrow({quoted(garbage)}, first_file_only := true)").fetchall() == [(N_ROWS,)]
    files = ", ".join(map(quoted, (one, both, garbage)))
    found = db.sql(f"select second_file, bytes_after_blocks from arrow_file_metadata([{files}])").fetchall()
    assert found == [(None, None), (start, None), (None, 108)]


def test_conditions(db, data):
    query = f"select count(*), min(id), max(id) from read_arrow({quoted(data)}, condition := 'id >= 30000 and kind = ''red''')"
    assert db.sql(query).fetchall() == [(16_667, 30_000, 79_998)]
    assert db.sql(f"select name from read_arrow({quoted(data)}, condition := 'id = 70000')").fetchall() == [(None,)]
    for condition, text in [("id <", "at byte 4"), ("idd = 1", "idd")]:
        with pytest.raises(duckdb.BinderException, match=f"condition: .*{text}"):
            db.sql(f"from read_arrow({quoted(data)}, condition := '{condition}')")


def test_statistics(db, tmp_path):
    """Of four batches, each with one `id` in all rows, `arrow-ipc convert --statistics` has written the bounds."""
    path = tmp_path / "statistics.arrow"
    path.write_bytes(zlib.decompress((pathlib.Path(__file__).parent / "statistics.arrow.zlib").read_bytes()))
    shares = []
    for trusted in ("false", "true"):
        before = n_read()
        query = f"select count(*) from read_arrow({quoted(path)}, condition := 'id = 2', trust_statistics := {trusted})"
        assert db.sql(query).fetchall() == [(20_000,)]
        shares.append((n_read() - before) / path.stat().st_size)
    assert shares[0] > 0.9 and shares[1] < 0.6


def test_types(db, data, tmp_path):
    query = f"select typeof(id), id from read_arrow({quoted(data)}, types := map {{'id': 'float64'}}) where id = 5"
    assert db.sql(query).fetchall() == [("DOUBLE", 5.0)]
    with pytest.raises(duckdb.InvalidInputException, match='column "id": the value \\d+ in slot \\d+ does not fit int8'):
        db.sql(f"select sum(id) from read_arrow({quoted(data)}, types := {{'id': 'int8'}})").fetchall()
    for types, text in [("{'idd': 'int8'}", "types: .*idd"), ("{'id': 'int9'}", "types: .*int9")]:
        with pytest.raises(duckdb.BinderException, match=text):
            db.sql(f"from read_arrow({quoted(data)}, types := {types})")
    big = pa.table({"x": pa.array([decimal.Decimal(10) ** 50], pa.decimal256(60, 0)), "y": [1]})
    path = quoted(write(tmp_path / "big.arrow", big))
    with pytest.raises(duckdb.BinderException, match=r"""column "x": .* 38 digits.*types := map \{'x': 'utf8'\}"""):
        db.sql(f"select y from read_arrow({path})")
    assert db.sql(f"select x::double from read_arrow({path}, types := map {{'x': 'utf8'}})").fetchall() == [(1e50,)]


ENCODINGS = [
    (pa.string(), pa.string_view(), ["a", "b"], "VARCHAR"),
    (pa.large_string(), pa.string(), ["a", "b"], "VARCHAR"),
    (pa.string(), pa.dictionary(pa.int32(), pa.string()), ["a", "b"], "VARCHAR"),
    (pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.string()), ["a", "b"], "VARCHAR"),
    (pa.int32(), pa.int64(), [1, 2], "BIGINT"),
    (pa.list_(pa.int64()), pa.large_list(pa.int64()), [[1], [2]], "BIGINT[]"),
]


@pytest.mark.parametrize("left, right, values, kind", ENCODINGS)
def test_files_with_other_encodings(db, tmp_path, left, right, values, kind):
    for name, data_type in [("a", left), ("b", right)]:
        array = pa.array(values, getattr(data_type, "value_type", data_type) if pa.types.is_dictionary(data_type) else data_type)
        write(tmp_path / f"{name}.arrow", pa.table({"id": [1, 2], "c": array.cast(data_type)}))
    for path in (tmp_path, tmp_path / "*.arrow"):
        found = db.sql(f"select typeof(c), c from read_arrow({quoted(path)})").fetchall()
        assert found == [(kind, value) for value in values * 2]
        assert db.sql(f"select count(*) from read_arrow({quoted(path)}, condition := 'id = 2')").fetchall() == [(2,)]


def test_files_with_other_types(db, tmp_path):
    """An error says what `types` can do, and that works."""
    write(tmp_path / "a.arrow", pa.table({"it's": ["x"]}))
    write(tmp_path / "b.arrow", pa.table({"it's": [7]}))
    with pytest.raises(duckdb.BinderException, match=r"b\.arrow: .* the type is int64; .*types := map \{'it''s': 'utf8'\}"):
        db.sql(f"from read_arrow({quoted(tmp_path)})")
    query = f"from read_arrow({quoted(tmp_path)}, types := map {{'it''s': 'utf8'}})"
    assert db.sql(query).fetchall() == [("x",), ("7",)]
    assert db.sql(f"select sum(num_rows) from arrow_file_metadata({quoted(tmp_path)})").fetchall() == [(2,)]


def test_values_that_the_common_type_does_not_have(db, tmp_path):
    """The type of all files is float64, which an integer of the second does not survive."""
    write(tmp_path / "a.arrow", pa.table({"c": [0.5]}))
    write(tmp_path / "b.arrow", pa.table({"c": [1, 2**53 + 1]}))
    assert db.sql(f"select typeof(c) from read_arrow({quoted(tmp_path)}) limit 1").fetchall() == [("DOUBLE",)]
    with pytest.raises(duckdb.Error, match=r"b\.arrow: batch 0: column \"c\": the value 9007199254740993 .*types := map \{'c': 'utf8'\}"):
        db.sql(f"select sum(c) from read_arrow({quoted(tmp_path)})").fetchall()
    query = f"from read_arrow({quoted(tmp_path)}, types := map {{'c': 'utf8'}})"
    assert db.sql(query).fetchall() == [("0.5",), ("1",), ("9007199254740993",)]
    write(tmp_path / "bytes.arrow", pa.table({"b": [b"a", b"\xff"]}))
    with pytest.raises(duckdb.Error, match=r"types := map \{'b': 'binary'\}"):
        db.sql(f"from read_arrow({quoted(tmp_path / 'bytes.arrow')}, types := map {{'b': 'utf8'}})").fetchall()


def test_extension_types(db, tmp_path):
    fields = [
        pa.field("u", pa.binary(16), metadata={"ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": ""}),
        pa.field("j", pa.string(), metadata={"ARROW:extension:name": "arrow.json", "ARROW:extension:metadata": ""}),
        pa.field("b", pa.int8(), metadata={"ARROW:extension:name": "arrow.bool8", "ARROW:extension:metadata": ""}),
        pa.field("o", pa.int32(), metadata={"ARROW:extension:name": "arrow.uuid"}),
    ]
    arrays = [pa.array([bytes(range(16))], pa.binary(16)), pa.array(['{"a": [1]}']), pa.array([2], pa.int8()), pa.array([7], pa.int32())]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields))
    path = quoted(write(tmp_path / "e.arrow", table))
    names = [row[1] for row in db.sql(f"describe from read_arrow({path})").fetchall()]
    assert names == ["UUID", "JSON", "BOOLEAN", "INTEGER"]
    assert db.sql(f"select u::varchar, j->>'$.a[0]', b, o from read_arrow({path})").fetchall() == [
        ("00010203-0405-0607-0809-0a0b0c0d0e0f", "1", True, 7)
    ]


def test_long_fixed_size_lists_are_lists(db, tmp_path):
    items = pa.array(range(200_000), pa.int32())
    table = pa.table({"long": pa.FixedSizeListArray.from_arrays(items, 100_000), "short": pa.FixedSizeListArray.from_arrays(pa.array([1, 2, 3, 4]), 2)})
    path = quoted(write(tmp_path / "l.arrow", table))
    nested = pa.table({"deep": pa.FixedSizeListArray.from_arrays(table["long"].combine_chunks(), 2)})
    deep = quoted(write(tmp_path / "deep.arrow", nested))
    assert db.sql(f"select typeof(long), typeof(short), list_sum(long::int[]) from read_arrow({path}) limit 1").fetchall() == [
        ("INTEGER[100000]", "BIGINT[2]", sum(range(100_000)))
    ]
    assert db.sql(f"select typeof(deep), len(deep[2]) from read_arrow({deep})").fetchall() == [("INTEGER[][2]", 100_000)]


def test_fixed_size_lists_without_items(db, tmp_path):
    """DuckDB ended the process when it sorted rows with an `ARRAY` of no items."""
    empty = pa.array([[], None, []] * 1000, pa.list_(pa.int32(), 0))
    nested = pa.array([[[], []], None, [[], None]] * 1000, pa.list_(pa.list_(pa.int32(), 0), 2))
    table = pa.table({"id": range(3000), "empty": empty, "nested": nested, "of": pa.array([{"x": []}] * 3000, pa.struct({"x": empty.type}))})
    path = quoted(write(tmp_path / "e.arrow", table))
    assert db.sql(f"select typeof(empty), typeof(nested), typeof(of) from read_arrow({path}) limit 1").fetchall() == [
        ("INTEGER[]", "INTEGER[][2]", "STRUCT(x INTEGER[])")
    ]
    found = db.sql(f"select * from read_arrow({path}) order by id desc").fetchall()
    assert found[:3] == [(2999, [], ([], None), {"x": []}), (2998, None, None, {"x": []}), (2997, [], ([], []), {"x": []})]
    assert len(found) == 3000


def test_threads(connect, tmp_path):
    """Many tasks on many threads give each row once; one thread keeps the order."""
    for k in range(8):
        write(tmp_path / f"{k}.arrow", rows(k * N_ROWS), 1000)
    query = "select count(*), sum(id), count(distinct id), sum(len(tags)), sum(octet_length(bytes)) from read_arrow({})"
    answers = []
    for n_threads in ("1", "8"):
        with connect(threads=n_threads) as db:
            answers.append([db.sql(query.format(quoted(tmp_path))).fetchall() for _ in range(3)])
            ids = [row[0] for row in db.sql(f"select id from read_arrow({quoted(tmp_path)})").fetchall()]
            assert ids == list(range(8 * N_ROWS))
    assert answers[0] == answers[1]
    assert answers[0][0][0][:3] == (8 * N_ROWS, sum(range(8 * N_ROWS)), 8 * N_ROWS)


def test_several_connections(db, data):
    """Each of several threads with a cursor of its own."""
    found = []

    def query():
        found.append(db.cursor().sql(f"select sum(id), max(name) from read_arrow({quoted(data)})").fetchall())

    threads = [threading.Thread(target=query) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[(sum(range(4 * N_ROWS)), "näme 9, which is long")]] * 8


def test_cancel(db, tmp_path):
    """A small file of very many rows: reading all takes hours."""
    run = pa.RunEndEncodedArray.from_arrays(pa.array([(1 << 31) - 1], pa.int32()), pa.array([5]))
    path = tmp_path / "run.arrow"
    batch = pa.record_batch({"n": run})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        for _ in range(1000):
            writer.write_batch(batch)
    raised = []

    def query():
        try:
            db.sql(f"select count(n) from read_arrow({quoted(path)}, max_slots_without_bytes := {2**63 - 1})").fetchall()
        except duckdb.Error as error:
            raised.append(error)

    thread = threading.Thread(target=query)
    thread.start()
    time.sleep(0.5)
    assert thread.is_alive()
    start = time.monotonic()
    db.interrupt()
    thread.join(30)
    assert not thread.is_alive() and time.monotonic() - start < 10
    assert isinstance(raised[0], duckdb.InterruptException)
    assert db.sql("select 42").fetchall() == [(42,)]


def test_wrong_arguments(db, data, tmp_path):
    no_columns = tmp_path / "none.arrow"
    with pa.OSFile(str(no_columns), "wb") as sink, pa.ipc.new_file(sink, pa.schema([])):
        pass
    named = quoted(write(tmp_path / "named.arrow", pa.table({"filename": [1]})))
    for call, text in [
        ("read_arrow('nope.arrow')", "nope.arrow: No such file"),
        ("read_arrow('nope/*.arrow')", "no files"),
        ("read_arrow([])", "a path, or a list"),
        ("read_arrow(42)", "a text, or a list of texts"),
        ("read_arrow([1])", "a text, or a list of texts"),
        ("read_arrow(null)", "a path"),
        ("read_arrow([null]::varchar[])", "a path is null"),
        ("read_arrow('s3://bucket/x.arrow')", "only local files"),
        *((f"read_arrow({named}, {name} := null)", f"{name} is null") for name in ("filename", "file_row_number", "hive_partitioning", "hive_types", "union_by_name", "condition", "trust_statistics", "first_file_only", "types", "max_slots", "max_slots_without_bytes")),
        (f"read_arrow({named}, condition := getvariable('unset'))", "condition is null"),
        (f"read_arrow({named}, max_slots := -1)", "max_slots is .*0 or more"),
        (f"read_arrow({named}, max_slots_without_bytes := -1)", "max_slots_without_bytes is .*0 or more"),
        (f"read_arrow({named}, max_slot := 1)", "max_slots"),
        (f"read_arrow({quoted(__file__)})", "no Arrow data"),
        (f"read_arrow({quoted(no_columns)})", "no columns"),
        (f"read_arrow({named}, filename := true)", "have a column filename"),
        (f"read_arrow({named}, union_by_name := false)", "always matched by their names"),
        (f"read_arrow({quoted(data)}, file_name := true)", "file_name"),
    ]:
        with pytest.raises(duckdb.Error, match=text):
            db.sql(f"from {call}").fetchall()


def test_a_file_that_changes(db, tmp_path):
    path = write(tmp_path / "x.arrow", rows())
    db.execute(f"prepare q as select sum(id) from read_arrow({quoted(path)})")
    assert db.execute("execute q").fetchall() == [(sum(range(N_ROWS)),)]
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(duckdb.Error, match="x.arrow"):
        db.execute("execute q").fetchall()


def test_without_external_access(connect, data, tmp_path):
    with connect() as db:
        db.execute("set enable_external_access = false")
        with pytest.raises(duckdb.Error, match="enable_external_access"):
            db.sql(f"from read_arrow({quoted(data)})")
        db.execute("create table t (x integer)")
        with pytest.raises(duckdb.Error, match="enable_external_access|disabled"):
            db.execute(f"copy t from {quoted(data / 'day=2024-02-26/first.arrows')}")
        with pytest.raises(duckdb.Error, match="enable_external_access|disabled"):
            db.execute(f"copy (select {{'a': 1}}) to {quoted(tmp_path / 'x.arrow')} (format arrow)")


def test_disabled_file_systems(connect, data, tmp_path):
    """DuckDB's file system decides; its settings do not show what is disabled."""
    with connect() as db:
        db.execute("set disabled_filesystems = 'HTTPFileSystem'")
        assert db.sql(f"select count(*) from read_arrow({quoted(data)})").fetchall() == [(4 * N_ROWS,)]
        db.execute("set disabled_filesystems = 'HTTPFileSystem,LocalFileSystem'")
        file = quoted(data / "day=2024-02-26/first.arrows")
        db.execute("create table t (x integer)")
        pattern = quoted(data / "**/*.arrow")
        for query in (f"from read_arrow({file})", f"from {file}", f"from arrow_file_metadata({file})", f"from {pattern}", f"select read_arrow_query({pattern})", f"copy t from {file}"):
            with pytest.raises(duckdb.Error, match="disabled"):
                db.execute(query).fetchall()
        with pytest.raises(duckdb.Error, match="disabled"):
            db.execute(f"copy (select {{'a': 1}}) to {quoted(tmp_path / 'x.arrow')} (format arrow)")
        assert list(tmp_path.iterdir()) == []


def test_texts_with_nul(db, tmp_path):
    """A text does not end at its first NUL."""
    path = write(tmp_path / "x.arrow", pa.table({"a": [1, 2, 3, 200], "s": ["x", "x\0y", "é\0", "a long text, which is \0 not inline"]}))
    query = f"select a from read_arrow({quoted(path)}, condition := ?)"
    with pytest.raises(duckdb.Error, match="condition: "):
        db.execute(query, ["a > 1\0 and a > 100"])
    for k, text in enumerate(["x", "x\0y", "é\0", "a long text, which is \0 not inline"]):
        assert db.execute(query, [f"s = '{text}'"]).fetchall() == [((1, 2, 3, 200)[k],)]
    for other in (f"{path}\0", f"{path}\0.parquet"):
        for function in ("read_arrow", "arrow_file_metadata"):
            with pytest.raises(duckdb.Error, match="(?i)nul"):
                db.execute(f"from {function}(?)", [other])
            with pytest.raises(duckdb.Error, match="(?i)nul"):
                db.execute(f"from {function}([?])", [other])
    for types, text in [({"a\0b": "utf8"}, 'named "a.u0000b"'), ({"a": "utf8\0x"}, "types: ")]:
        with pytest.raises(duckdb.Error, match=text):
            db.execute(f"from read_arrow({quoted(path)}, types := ?)", [types])
    for options in ("names ['a' || chr(0) || 'b']", "names ['a'], compression ('zstd' || chr(0))", "names ['a'], container ('file' || chr(0))"):
        with pytest.raises(duckdb.Error, match="NUL|allowed"):
            db.execute(f"copy (select 1) to {quoted(tmp_path / 'y.arrow')} (format arrow, {options})")
    assert not (tmp_path / "y.arrow").exists()


def test_limits(db, data, tmp_path):
    """Rows without bytes: DuckDB visits each."""
    corpus = pathlib.Path(__file__).resolve().parents[3] / "testing/corpus/hostile"
    for name in ("batch-null-2e62", "ree-length-2e40", "fsl-size-zero-2e62"):
        path = quoted(corpus / f"{name}.stream")
        with pytest.raises(duckdb.Error, match=f"{name}.stream: .* exceed the limit of 2147483647. Limits are arguments, such as max_slots"):
            db.sql(f"select count(*) from read_arrow({path})").fetchall()
        assert db.sql(f"from read_arrow({path}, max_slots := {2**63 - 1}) limit 1").fetchall()
        assert db.sql(f"select num_batches from arrow_file_metadata({path})").fetchall()
    path = quoted(data / "day=2024-02-26/first.arrows")
    assert db.sql(f"select count(*) from read_arrow({path}, max_slots := 20000, max_metadata_bytes := 1000000, max_body_bytes := 100000000, max_dictionary_bytes := 1000000, max_decompressed_bytes := 0)").fetchall() == [(N_ROWS,)]
    # The same limits hold when the query reads.
    for limit, text in [("max_slots := 2999", "exceed the limit of 2999. Limits are"), ("max_slots := 3001", "exceed the limit of 3001"), ("max_fields := 4", "limit of 4"), ("max_depth := 0", "limit|deep"), ("max_metadata_bytes := 100", "limit of 100"), ("max_body_bytes := 100", "limit of 100"), ("max_dictionary_bytes := 1", "limit for all of them is 1")]:
        with pytest.raises(duckdb.Error, match=text):
            db.sql(f"select * from read_arrow({path}, {limit})").fetchall()


def test_slots_without_bytes(db, tmp_path):
    """All batches of a call together have few of them, however few a batch has, and whatever they are."""
    n = (1 << 31) - 1
    nulls, run = pa.nulls(n), pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int32()), pa.array([5]))
    lists = pa.FixedSizeListArray.from_arrays(pa.nulls(1_000_000 * 1_000), 1_000_000)
    of_run = pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int32()), lists[:1])
    budget = 10_000_000
    for name, column, n_batches, query, batch in [
        ("nulls", nulls, 3, "select count(*)", "batch 0: "),
        ("some", nulls[:1_000_000], 500, "select count(c)", r"batch \d\d\d: "),
        ("run", run, 3, "select max(c)", "batch 0: "),
        ("lists", lists, 3, "select count(c)", "batch 0: "),
        ("of_run", of_run, 1, "select count(c)", "batch 0: "),
        ("struct", pa.StructArray.from_arrays([nulls], ["n"]), 3, "select count(c)", "batch 0: "),
        ("matching", nulls[:1_000_000], 500, "select 1", ""),
    ]:
        path = tmp_path / f"{name}.arrow"
        matching = name == "matching"
        batch_of_file = pa.record_batch({"c": column})
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch_of_file.schema) as writer:
            for _ in range(n_batches):
                writer.write_batch(batch_of_file)
        condition = ", condition := 'c is not null'" if matching else ""
        call = f"read_arrow({quoted(path)}, max_slots_without_bytes := {budget}{condition})"
        text = f"{name}.arrow: {batch}this call reads more than {budget} slots without bytes.*: a greater max_slots_without_bytes allows them"
        with pytest.raises(duckdb.Error, match=text):
            db.sql(f"{query} from {call}").fetchall()
        assert db.sql("select 42").fetchall() == [(42,)]
        if not matching and name not in ("lists", "of_run"):
            assert len(db.sql(f"from {call} limit 3000").fetchall()) == 3000
    # Bytes of other columns, or in a compressed body, stand for slots.
    path = tmp_path / "compressed.arrow"
    batch_of_file = pa.record_batch({"n": pa.nulls(1_000_000), "b": pa.array([False] * 1_000_000)})
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, batch_of_file.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch_of_file)
    for columns in ("*", "n", "b"):
        found = db.sql(f"select count({columns}) from read_arrow({quoted(path)}, max_slots_without_bytes := 0)").fetchall()
        assert found == [({"n": 0}.get(columns, 1_000_000),)]


def test_the_database_is_closed(connect, data, tmp_path):
    """Another process can open it: the extension keeps nothing of it."""
    path = tmp_path / "x.db"
    with connect(str(path)) as db:
        db.execute(f"create table t as select id from read_arrow({quoted(data)})")
        db.execute(f"copy (select t from t) to {quoted(tmp_path / 'x.arrow')} (format arrow)")
    code = f"import duckdb; print(duckdb.connect({str(path)!r}).sql('select count(*) from t').fetchall())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == f"[({4 * N_ROWS},)]\n", done.stderr


def written(path):
    with pa.memory_map(str(path)) as source:
        return (pa.ipc.open_stream if path.suffix == ".arrows" else pa.ipc.open_file)(source).read_all()


@pytest.mark.parametrize("name", ["x.arrow", "x.arrows"])
@pytest.mark.parametrize("options", ["", "compression zstd", "compression 'lz4', row_counts written", "batch_rows 1000, alignment 64"])
def test_copy(db, data, tmp_path, name, options):
    path, source = tmp_path / name, quoted(data / "day=2024-02-26")
    options = f", {options}" if options else ""
    done = db.execute(f"copy (select t from read_arrow({source}) t) to {quoted(path)} (format arrow{options})").fetchall()
    assert done == [(2 * N_ROWS,)]
    table = written(path)
    expected = pa.concat_tables([rows(), rows(N_ROWS)]).to_pylist()
    assert table.drop_columns(["day"]).to_pylist() == expected
    assert table["id"].num_chunks == (40 if "1000" in options else 1)
    assert db.sql(f"select count(*), sum(id) from {quoted(path)}").fetchall() == [(2 * N_ROWS, sum(range(2 * N_ROWS)))]


def test_copy_of_long_rows(db, tmp_path):
    """A batch has few rows if they are long: not all of them wait in memory."""
    path = tmp_path / "x.arrows"
    for options, n_rows in [("", 20_000), (", batch_rows 3000", 3000)]:
        query = "select {'s': repeat(chr((97 + i % 2)::int), 20000)} from range(20000) t(i)"
        db.execute(f"copy ({query}) to {quoted(path)} (format arrow, compression zstd{options})")
        n_found = 0
        with pa.OSFile(str(path)) as source:
            for batch in pa.ipc.open_stream(source):
                assert 0 < batch.num_rows <= n_rows and batch.nbytes <= 128 << 20
                assert batch["s"][0].as_py()[0] == "ab"[n_found % 2]
                n_found += batch.num_rows
        assert n_found == 20_000


def test_copy_of_every_type(db, tmp_path):
    """What DuckDB has for its types goes out and comes back."""
    db.execute("create type mood as enum ('sad', 'ok')")
    db.execute(
        """create table every as select * exclude (bignum, bit, geometry, hugeint, "time", time_ns, time_tz, tuple, uhugeint), 'ok'::mood as mood,
        union_value(n := 5)::union(n int, s varchar) as own_union from test_all_types(use_large_enum := false)
        where timestamp_s is not null and isfinite(date) and isfinite("timestamp") and "timestamp" < '2200-01-01'"""
    )
    db.execute("insert into every (int) values (null), (1)")
    path = tmp_path / "every.arrow"
    db.execute(f"copy (select every from every) to {quoted(path)} (format arrow)")
    columns = [row[0] for row in db.sql("describe every").fetchall()]
    assert written(path).schema.names == columns
    own, read = "select columns(*)::varchar from every", f"select columns(*)::varchar from read_arrow({quoted(path)})"
    assert len(db.sql(read).fetchall()) == len(db.sql(own).fetchall()) > 2
    for query in (f"{own} except all {read}", f"{read} except all {own}"):
        assert db.sql(query).fetchall() == []


def test_copy_of_values_that_arrow_does_not_have(db, tmp_path):
    path = tmp_path / "x.arrow"
    changed = "DuckDB changes values of"
    for value, text in [
        (f"{(1 << 127) - 1}::hugeint", "more than 38 digits"),
        ("time '24:00:00'", "not within a day"),
        ("1::uhugeint", changed),
        ("[{'a': 1::uhugeint}]", changed),
        ("map {'a': '10:00:00+05'::timetz}", changed),
        ("map {1::uhugeint: 2}", changed),
        ("map {'10:00:00+05'::timetz: 1}", changed),
        ("union_value(a := 1::uhugeint)", changed),
        ("[union_value(a := '10:00:00+05'::timetz)]", changed),
    ]:
        with pytest.raises(duckdb.Error, match=text):
            db.execute(f"copy (select {{'x': {value}}}) to {quoted(path)} (format arrow)")
    assert not path.exists()


def test_copy_of_long_intervals(db, tmp_path):
    """DuckDB makes nanoseconds of microseconds, and does not see that they do not fit."""
    path = tmp_path / "x.arrow"
    for hours, nanoseconds in [(-2_000_000, -7_200_000_000_000_000_000), (3_000_000, 10_800_000_000_000_000_000 - (1 << 64))]:
        db.execute(f"copy (select {{'x': to_hours({hours})}}) to {quoted(path)} (format arrow)")
        assert [value.nanoseconds for value in written(path)["x"].to_pylist()] == [nanoseconds]


def test_copy_with_names(db, tmp_path):
    path = tmp_path / "x.arrow"
    db.execute(f"copy (select 1, 'a') to {quoted(path)} (format arrow, names ['id', 'näme'])")
    assert written(path).to_pylist() == [{"id": 1, "näme": "a"}]
    db.execute(f"copy (select {{'a': 1}} as s) to {quoted(path)} (format arrow, names 's')")
    assert written(path).to_pylist() == [{"s": {"a": 1}}]
    db.execute(f"copy (select {{'a': 1}} where 1 = 0) to {quoted(path)} (format arrow)")
    assert (written(path).schema.names, written(path).num_rows) == (["a"], 0)


def test_copy_that_the_error_proposes(db, tmp_path):
    """The statement in the error works."""
    db.execute("create table t as select 1 as id, 'a' as name")
    for name in ("x.arrow", "x.arrows", "x.ipc", "x.feather"):
        with pytest.raises(duckdb.Error) as raised:
            db.execute(f"copy t to {quoted(tmp_path / name)} (compression lz4, batch_rows 5)")
        statement = re.search(r"COPY .*?\)(?=\. Or)", str(raised.value))[0]
        assert db.execute(statement).fetchall() == [(1,)]
        assert db.sql(f"from {quoted(tmp_path / name)}").fetchall() == [(1, "a")]


def test_copy_to_folders(db, tmp_path):
    """DuckDB does not know how the names of files end."""
    db.execute("create table t as select i as id, i % 3 as k from range(1000) t(i)")
    for container, name in [("arrow", "data_0.arrow"), ("arrows", "data_0.arrows")]:
        folder = tmp_path / container
        db.execute(f"copy t to {quoted(folder)} (format {container}, partition_by (k), names ['id'])")
        assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("data*")) == [f"k={k}/{name}" for k in range(3)]
        assert db.sql(f"select count(*), sum(id), sum(k) from read_arrow({quoted(folder)})").fetchall() == [(1000, 499_500, 999)]
        folder = tmp_path / f"{container}-by-threads"
        db.execute(f"copy (select t from t) to {quoted(folder)} (format {container}, per_thread_output true)")
        assert [path.name for path in folder.iterdir()] == [name]
        assert db.sql(f"select count(*), sum(id) from read_arrow({quoted(folder)})").fetchall() == [(1000, 499_500)]
    with pytest.raises(duckdb.Error, match=r"add NAMES \['column1'\], with the names of the columns that are in the files"):
        db.execute(f"copy t to {quoted(tmp_path / 'nameless')} (format arrow, partition_by (k))")


def test_copy_with_time_zones(db, tmp_path):
    path = tmp_path / "x.arrow"
    db.execute("set timezone = 'America/New_York'")
    db.execute(f"copy (select {{'t': timestamptz '2024-01-01 00:00:00-05', 'l': [timestamptz '2024-01-01 00:00:00+00']}}) to {quoted(path)} (format arrow)")
    zone = pa.timestamp("us", "America/New_York")
    assert written(path).schema.types == [zone, pa.list_(pa.field("l", zone))]
    assert str(written(path)["t"][0]) == "2024-01-01 00:00:00-05:00"


def test_insert_and_copy_from(db, tmp_path):
    """`COPY … FROM` has the columns of the table in order, and casts them without a loss; `INSERT` casts as DuckDB does."""
    path = write(tmp_path / "x.arrow", rows().select(["id", "name"]))
    for name in ("y.arrows", "y.feather", "y.ipc"):
        db.execute(f"copy (select t from {quoted(path)} t) to {quoted(tmp_path / name)}")
    db.execute("create table t (id integer, name varchar)")
    db.execute(f"insert into t from {quoted(path)}")
    expected = [(N_ROWS, sum(range(N_ROWS)), "näme 9, which is long")]
    assert db.sql("select count(*), sum(id), max(name) from t").fetchall() == expected
    for name, options in [("x.arrow", ""), ("y.arrows", ""), ("y.feather", ""), ("y.ipc", ""), ("x.arrow", "(format arrow)"), ("y.arrows", "(format ipc)")]:
        db.execute("truncate t")
        assert db.execute(f"copy t from {quoted(tmp_path / name)} {options}").fetchall() == [(N_ROWS,)]
        assert db.sql("select count(*), sum(id), max(name) from t").fetchall() == expected
    db.execute("truncate t")
    assert db.execute(f"copy t from {quoted(path)} (condition 'id >= 19990')").fetchall() == [(10,)]
    db.execute("create table other (name varchar, id integer)")
    db.execute("create table small (id tinyint, name varchar)")
    db.execute("create table enum (id bigint, name enum ('a'))")
    db.execute("create table wide (id hugeint, name varchar)")
    for call, text in [
        ("other", r"x.arrow: batch 0: column .id.|x.arrow: batch 0: column .name."),
        ("t (id)", r"the files have 2 columns \(\"id\", \"name\"\), and the table has 1.*INSERT INTO … FROM '.*x.arrow'"),
        ("small", "the value 128 in slot 128 does not fit int8"),
        ("enum", r'column "name": its type in the table is not the one of the files. INSERT INTO'),
        ("wide", r'column "id": its type in the table is not the one of the files'),
    ]:
        with pytest.raises(duckdb.Error, match=text):
            db.execute(f"copy {call} from {quoted(path)}")
    with pytest.raises(duckdb.Error, match="nope"):
        db.execute(f"copy t from {quoted(path)} (nope true)")
    assert db.sql("select count(*) from t").fetchall() == [(10,)]


def test_copy_from_of_every_type(db, tmp_path):
    """Columns of the same types are copied, whatever they are."""
    db.execute(
        """create table every as select * exclude (bignum, bit, geometry, hugeint, "time", time_ns, time_tz, tuple, uhugeint, "union", small_enum, medium_enum, large_enum, timestamp_s, timestamp_ms)
        from test_all_types(use_large_enum := false) where isfinite(date) and isfinite("timestamp") and "timestamp" < '2200-01-01'"""
    )
    path, columns = tmp_path / "every.arrow", [row[0] for row in db.sql("describe every").fetchall()]
    db.execute("insert into every (int) values (null), (1)")
    db.execute(f"copy (select every from every) to {quoted(path)}")
    copied = 0
    for column in columns:
        one = tmp_path / "one.arrow"
        db.execute(f'copy (select {{c: "{column}"}} from every) to {quoted(one)}')
        db.execute(f'create or replace table again as select "{column}" as c from every limit 0')
        try:
            db.execute(f"copy again from {quoted(one)}")
        except duckdb.Error as error:
            assert "its type in the table is not the one" in str(error), column
            continue
        copied += 1
        own, read = f'select "{column}"::varchar from every', "select c::varchar from again"
        for query in (f"{own} except all {read}", f"{read} except all {own}"):
            assert db.sql(query).fetchall() == [], column
    assert copied > 30, (copied, len(columns))


def test_copy_is_all_or_nothing(db, tmp_path):
    path = tmp_path / "x.arrow"
    path.write_bytes(b"before")
    for query, options, text in [
        ("select 1", "", r"COPY \(SELECT t FROM t\) TO '[^']*/x.arrow' \(FORMAT arrow\). Or add NAMES \['column1'\]"),
        ("select 1, 2", ", compression zstd", r"\(FORMAT arrow, compression 'zstd'\). Or add NAMES \['column1', 'column2'\]"),
        ("select {'a': 1}", ", compresion zstd", "did you mean compression"),
        ("select {'a': 1}", ", compression brotli", "'lz4'"),
        ("select {'a': 1}", ", batch_rows 0", "from 1"),
        ("select {'a': 1}", ", container ring", "'file' or 'stream'"),
        ("select 1, 2", ", names ['a']", "1 names, and there are 2 columns"),
        ("select if(i < 300000, {'a': i}, null) from range(400000) t(i)", "", "a row is null"),
        ("select {'a': if(i < 300000, i, error('stop'))} from range(400000) t(i)", "", "stop"),
    ]:
        with pytest.raises(duckdb.Error, match=text):
            db.execute(f"copy ({query}) to {quoted(path)} (format arrow{options})")
        assert path.read_bytes() == b"before"
        assert [entry.name for entry in tmp_path.iterdir()] == ["x.arrow"]
    with pytest.raises(duckdb.Error, match="nowhere"):
        db.execute(f"copy (select {{'a': 1}}) to {quoted(tmp_path / 'nowhere/x.arrow')} (format arrow)")
    with pytest.raises(duckdb.Error, match="not a regular file"):
        db.execute("copy (select {'a': 1}) to '/dev/null' (format arrow)")
