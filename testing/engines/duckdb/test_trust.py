"""Extreme values of each type. DuckDB takes many on trust: a wrong one would make its database unusable, end the process or become
another value. So each is an error that names file, column and row, or a value with which DuckDB computes."""

import re
import struct

import duckdb
import pyarrow as pa
import pytest

JSON = {"ARROW:extension:name": "arrow.json", "ARROW:extension:metadata": ""}
I64, I32 = 1 << 63, 1 << 31

# What may need a value as text, look into it, or store it. Those that a type does not have are errors.
OPERATIONS = [
    "select x::varchar from t",
    "select to_json(t)::varchar from t",
    "select min(x), max(x), count(x), count(distinct x) from t",
    "select age(x::timestamp) from t",
    "select date_trunc('month', x), date_part('epoch', x) from t",
    "select x + interval 1 day from t",
    "select x::timestamp_ns::varchar, x::timestamptz::varchar from t",
    "select x::timestamp::varchar from t",
    "select -x, abs(x), x * 2 from t",
    "select sum(x), avg(x) from t",
    "select json_type(x), json_keys(x), json_array_length(x), json_structure(x) from t",
    "select json_contains(x, x), json_valid(x), json_merge_patch(x, x) from t",
    "select x::variant::varchar from t",
    "select json_group_array(x), json_group_structure(x) from t",
    "select * from t order by x",
    "copy (from t) to '{folder}/x.csv'",
    "copy (from t) to '{folder}/x.json'",
    "copy (from t) to '{folder}/x.parquet'",
]


def of(data_type, *numbers):
    """An array of numbers as they are, in the width of the type."""
    width = data_type.bit_width // 8
    return pa.Array.from_buffers(data_type, len(numbers), [None, pa.py_buffer(b"".join((number % (1 << 8 * width)).to_bytes(width, "little") for number in numbers))])


def intervals(*values):
    return pa.Array.from_buffers(pa.month_day_nano_interval(), len(values), [None, pa.py_buffer(b"".join(struct.pack("<iiq", *value) for value in values))])


def timestamps():
    """Of each unit, with and without a zone: numbers that DuckDB has, and those that it does not have."""
    for unit, factor in (("s", 1), ("ms", 1000), ("us", 1_000_000), ("ns", 0)):
        first = -9_223_372_022_400 * factor if factor else -I64
        last = {"s": 9_223_372_036_854, "ms": 9_223_372_036_854_775}.get(unit, I64 - 2)
        refused = [(I64 - 1, "means infinity|does not fit"), (1 - I64, "means minus infinity|does not fit")]
        if factor:
            refused += [(first - 1, "before the first"), (-I64, "before the first|does not fit")]
        if factor and unit != "us":
            refused.append((last + 1, "does not fit"))
        for zone in (None, "UTC", "America/New_York"):
            of_unit = pa.timestamp(unit, zone)
            yield of_unit, [first, first + 2, -1, 0, last], refused


def numbers():
    """Of each type: numbers that DuckDB has, and those that it does not have, with the error."""
    day, days = 86_400, [-I32 + 2, -719_528, 0, 2_932_897, I32 - 2]
    yield pa.date32(), days, [(I32 - 1, "means infinity"), (1 - I32, "means minus infinity"), (-I32, "before the first")]
    yield pa.date64(), [number * day * 1000 for number in days], [
        ((I32 - 1) * day * 1000, "means infinity"),
        ((1 - I32) * day * 1000, "means minus infinity"),
        (-I32 * day * 1000, "before the first"),
        (I32 * day * 1000, "does not fit date32"),
        (I64 - 1, "would lose digits|does not fit"),
    ]
    yield from timestamps()
    for of_time, per_day in ((pa.time32("s"), day), (pa.time32("ms"), day * 1000), (pa.time64("us"), day * 10**6), (pa.time64("ns"), day * 10**9)):
        largest = 1 << of_time.bit_width - 1
        yield of_time, [0, per_day - 1], [(number, "not within a day") for number in (-1, per_day, largest - 1, -largest)]
    for unit, factor in (("s", 10**6), ("ms", 1000)):
        yield pa.duration(unit), [-(I64 // factor), 0, I64 // factor], [(I64 // factor + 1, "does not fit"), (-I64, "does not fit")]
    for unit in ("us", "ns"):
        yield pa.duration(unit), [-I64, 1 - I64, 0, I64 - 1], []
    for bits in (8, 16, 32, 64):
        largest = 1 << bits - 1
        yield getattr(pa, f"int{bits}")(), [-largest, 1 - largest, 0, largest - 1], []
        yield getattr(pa, f"uint{bits}")(), [0, 2 * largest - 1], []
    yield pa.float16(), [0x7C00, 0xFC00, 0x7E00, 0xFFFF, 0x8000, 1], []
    yield pa.float32(), [0x7F80_0000, 0xFF80_0000, 0x7F80_0001, 0xFFFF_FFFF, 1 << 31, 1], []
    yield pa.float64(), [0x7FF << 52, 0xFFF << 52, (0x7FF << 52) + 1, (1 << 64) - 1, 1 << 63, 1], []
    for decimal, precision in ((pa.decimal32(5, 2), 5), (pa.decimal64(18, 18), 18), (pa.decimal128(4, 0), 4), (pa.decimal128(38, 0), 38), (pa.decimal256(38, 10), 38)):
        largest = 10**precision - 1
        yield decimal, [-largest, 0, largest], [(number, "digits|does not fit") for number in (largest + 1, -largest - 1, (1 << decimal.bit_width - 1) - 1)]


def texts():
    """JSON or not; the white space and numbers of JSON count, and white space and numbers of JavaScript do not."""
    deep = "[" * 1000 + "]" * 1000
    escaped = '"' + "\\\\[" * 2000 + '"'
    sound = ["null", " [1] \n", '{"a": 1, "a": {}}', '{"": "\\u0000"}', '"\\ud83d\\ude00"', "1e999", "-0", "9" * 400, '"\u202e\x7f"', deep, escaped]
    damaged = ["", " ", "{", "[1] 2", "01", "1.", "-", "tru", "\0", "1\0", '"\\ud800"', '"\\udc00\\ud800"', '"\\x"', '"\0"', '"\t"', "\ufeff1", "\u00a01", "[\v1]", "[1,]", "NaN", "{'a': 1}", "//x\n1"]
    return sound, damaged, ["[" + deep + "]", '{"a":' * 1001 + "1" + "}" * 1001]


@pytest.fixture
def read(shared, tmp_path):
    """Looks at a column in many ways, and returns its rows, or the error that names it."""

    def looked_at(array, metadata=None):
        path = tmp_path / "x.arrow"
        schema = pa.schema([pa.field("x", array.type, metadata=metadata)])
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
            writer.write_batch(pa.record_batch([array], schema=schema))
        shared.execute(f"create or replace temp view t as from read_arrow('{path}')")
        errors = set()
        for operation in OPERATIONS:
            try:
                shared.execute(operation.format(folder=tmp_path)).fetchall()
                errors.add(None)
            except (duckdb.Error, OverflowError) as error:
                # Python has no classes for all values of DuckDB.
                text = str(error)
                assert "INTERNAL" not in text and "FATAL" not in text, (array.type, array, operation, text)
                errors.add(text if f'{path}: column "x"' in text else None)
            assert shared.execute("select 42").fetchall() == [(42,)]
        named = errors - {None}
        # Some operations refuse the type before they read a value.
        assert len(named) <= 1, (array.type, named)
        return named.pop() if named else None

    return looked_at


def wrapped(array, metadata=None):
    """Columns of one row that have the values inside, at row 0."""
    item = pa.field("item", array.type, metadata=metadata)
    n = len(array)
    offsets = pa.array([0, n], pa.int32())
    yield "list", pa.Array.from_buffers(pa.list_(item), 1, [None, offsets.buffers()[1]], children=[array])
    yield "fixed-size list", pa.Array.from_buffers(pa.list_(item, n), 1, [None], children=[array])
    yield "struct", pa.StructArray.from_arrays([array[-1:]], fields=[item])
    entries = pa.StructArray.from_arrays([pa.array(range(n)), array], fields=[pa.field("key", pa.int64(), False), item.with_name("value")])
    yield "map", pa.Array.from_buffers(pa.map_(pa.int64(), item.with_name("value")), 1, [None, offsets.buffers()[1]], children=[entries])
    ids = pa.py_buffer(b"\1")
    yield "union", pa.Array.from_buffers(pa.sparse_union([pa.field("i", pa.int8()), item]), 1, [None, ids], children=[pa.array([1], pa.int8()), array[-1:]])
    if metadata is None:
        yield "dictionary", pa.DictionaryArray.from_arrays(pa.array([n - 1], pa.int8()), array)
        runs = pa.run_end_encoded(pa.int32(), array.type)
        yield "runs", pa.Array.from_buffers(runs, 1, [None], children=[pa.array([1], pa.int32()), array[-1:]])


@pytest.mark.parametrize("data_type, had, refused", [pytest.param(*row, id=str(row[0])) for row in numbers()])
def test_numbers(read, data_type, had, refused):
    assert read(of(data_type, *had)) is None
    for number, text in refused:
        error = read(of(data_type, had[0], number))
        assert error is not None and 'column "x", row 1: ' in error and re.search(text, error), (number, error)


def test_intervals(read):
    ends = [-I32, 1 - I32, -1, 0, 1, I32 - 1]
    assert read(intervals(*[(months, days, nanoseconds) for months in ends for days in ends for nanoseconds in (-I64, 0, I64 - 1)])) is None


@pytest.mark.parametrize("data_type", [pa.utf8(), pa.large_utf8(), pa.string_view()], ids=str)
def test_json(read, data_type):
    sound, damaged, deep = texts()
    assert read(pa.array(sound, data_type), JSON) is None
    for text in damaged:
        error = read(pa.array(["1", None, text], data_type), JSON)
        assert error is not None and 'column "x", row 2: the text "' in error and error.endswith(" is not JSON"), (text, error)
    for text in deep:
        assert "row 1: JSON nests 1001 levels deep; allowed are 1000" in read(pa.array(["1", text], data_type), JSON)


def test_values_inside(read):
    """The table holds in all types."""
    for array, metadata, text in [
        (of(pa.timestamp("us"), 0, -I64), None, "before the first"),
        (of(pa.timestamp("ns", "UTC"), 0, I64 - 1), None, "means infinity"),
        (of(pa.date32(), 0, I32 - 1), None, "means infinity"),
        (of(pa.time64("us"), 0, -1), None, "not within a day"),
        (of(pa.decimal128(3, 0), 0, 1000), None, "digits"),
        (pa.array(["1", "{"]), JSON, "not JSON"),
    ]:
        for name, column in wrapped(array, metadata):
            error = read(column)
            assert error is not None and 'column "x", row 0: ' in error and text in error, (name, array.type, error)
        for name, column in wrapped(array[:1], metadata):
            assert read(column) is None, (name, array.type)


def hidden(array, metadata):
    """Columns of one row that do not show the value."""
    item, null = pa.field("item", array.type, metadata=metadata), pa.py_buffer(b"\0")
    offsets = pa.array([0, 1], pa.int32()).buffers()[1]
    yield pa.Array.from_buffers(array.type, 1, [null, *array.buffers()[1:]]), metadata
    yield pa.Array.from_buffers(pa.list_(item), 1, [null, offsets], children=[array]), None
    yield pa.Array.from_buffers(pa.list_(item, 1), 1, [null], children=[array]), None
    yield pa.Array.from_buffers(pa.struct([item]), 1, [null], children=[array]), None
    union = pa.sparse_union([pa.field("i", pa.int8()), item])
    yield pa.Array.from_buffers(union, 1, [None, pa.py_buffer(b"\0")], children=[pa.array([1], pa.int8()), array]), None
    if metadata is None:
        yield pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), pa.concat_arrays([of(array.type, 0), array])), None


def test_values_that_no_row_shows(read):
    for array, metadata in [
        (of(pa.timestamp("us"), -I64), None),
        (of(pa.timestamp("ns"), I64 - 1), None),
        (of(pa.date32(), I32 - 1), None),
        (of(pa.time32("s"), -1), None),
        (of(pa.decimal128(3, 0), 1000), None),
        (pa.array(["{"]), JSON),
        (pa.array([""]), JSON),
    ]:
        for column, of_column in hidden(array, metadata):
            assert read(column, of_column) is None, column.type


def test_rows(shared, tmp_path):
    """The row is that of the file, whatever is read of it."""
    paths = []
    for k in range(2):
        n = 20_000
        values = list(range(n))
        if k:
            values[12_345] = I64 - 1
        table = pa.table({"id": range(n), "x": of(pa.timestamp("us"), *values)})
        paths.append(tmp_path / f"{k}.arrow")
        with pa.OSFile(str(paths[-1]), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table, max_chunksize=5000)
    for condition in ("", ", condition := 'id >= 11000'", ", condition := 'id >= 12345 and id <= 12345'", ", condition := 'x > ''2000-01-01'''"):
        with pytest.raises(duckdb.Error, match=f'{paths[1]}: column "x", row 12345: the number {I64 - 1} of timestamp.us. means infinity'):
            shared.execute(f"select max(x) from read_arrow('{tmp_path}'{condition})").fetchall()
    assert shared.execute(f"select count(x) from read_arrow('{tmp_path}', condition := 'id <> 12345')").fetchall() == [(39_998,)]
    # The cast of the error's column is another way to read it.
    assert shared.execute(f"select max(x) from read_arrow('{paths[1]}', types := map {{'x': 'int64'}})").fetchall() == [(I64 - 1,)]
    # Keys of maps are DuckDB's own check.
    twice = pa.MapArray.from_arrays(pa.array([0, 1, 2, 4], pa.int32()), pa.array(["a", "b", "c", "c"]), pa.array(range(4)))
    path = tmp_path / "map.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("m", twice.type)])) as writer:
        writer.write_batch(pa.record_batch([twice], names=["m"]))
    with pytest.raises(duckdb.Error, match='column "m", row 2: .*duplicate key'):
        shared.execute(f"from read_arrow('{path}')").fetchall()


def test_json_is_read_as_text(shared, tmp_path):
    path = tmp_path / "j.arrow"
    schema = pa.schema([pa.field("j", pa.utf8(), metadata=JSON)])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        writer.write_batch(pa.record_batch([pa.array(["{", "1"])], schema=schema))
    query = f"select typeof(j), j, json_valid(j) from read_arrow('{path}', types := map {{'j': 'utf8'}})"
    assert shared.execute(query).fetchall() == [("VARCHAR", "{", False), ("VARCHAR", "1", True)]


@pytest.mark.parametrize("value, text", [
    ("date 'infinity'", "means infinity"),
    ("[date '-infinity']", "field `.*`: .*means minus infinity"),
    ("timestamp 'infinity'", "means infinity"),
    ("timestamp_s '-infinity'", "means minus infinity"),
    ("timestamp_ms 'infinity'", "means infinity"),
    ("timestamp_ns '-infinity'", "means minus infinity"),
    ("timestamptz 'infinity'", "means infinity"),
    ("{'a': {'b': timestamp 'infinity'}}", "means infinity"),
    ("time '24:00:00'", "not within a day"),
], ids=str)
def test_infinity_is_not_written(shared, tmp_path, value, text):
    path = tmp_path / "x.arrow"
    query = f"select {{'x': if(i = 5000, {value}, null)}} from range(6000) t(i)"
    with pytest.raises(duckdb.Error, match=f'x.arrow": column "x", row 5000: .*{text}'):
        shared.execute(f"copy ({query}) to '{path}' (format arrow)")
    assert list(tmp_path.iterdir()) == []


def test_what_is_written_can_be_read(shared, tmp_path):
    """The first and last days, instants and texts."""
    path = tmp_path / "x.arrow"
    values = ["date '5877642-06-25 (BC)'", "date '5881580-07-10'", "timestamp '290309-12-22 (BC) 00:00:00'", "timestamp '294247-01-10 04:00:54.775806'",
              "timestamp_ns '2262-04-11 23:47:16.854775806'", "time '23:59:59.999999'", "'[1]'::json", "uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff'"]
    row = ", ".join(f"'c{k}': {value}" for k, value in enumerate(values))
    shared.execute(f"copy (select {{{row}}}) to '{path}' (format arrow)")
    columns = ", ".join(f"c{k}::varchar" for k in range(len(values)))
    assert shared.execute(f"select {columns} from '{path}'").fetchall() == shared.execute("select " + ", ".join(f"({value})::varchar" for value in values)).fetchall()
