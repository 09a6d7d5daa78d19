"""Random queries of polars and DuckDB over a data set and over the same rows in memory: conditions, first rows and columns in any order."""

import datetime
import decimal
import random

import arrow_ipc
import arrow_ipc.polars
import duckdb
import numpy
import polars
import pyarrow as pa
import pytest
from how_often import times
from polars import col

N_BATCHES, N_ROWS = 12, 1_500
START = datetime.datetime(2024, 1, 1)
SIZES = ["small", "medium", "large", "huge"]
INTEGERS = [polars.Int8, polars.Int16, polars.Int32, polars.Int64, polars.UInt8, polars.UInt16, polars.UInt32, polars.UInt64]
UNITS = ["ms", "us", "ns"]


def column(data_type, numbers):
    """A value for each number, most in their order, in batches that differ."""
    make = {
        polars.Boolean: lambda n: n % 2 == 0,
        polars.String: lambda n: f"it's {n:02}\\",
        polars.Binary: lambda n: bytes([n, 255 - n]),
        polars.Date: lambda n: START.date() + datetime.timedelta(days=n),
        polars.Time: lambda n: datetime.time(n // 60, n % 60),
        polars.Datetime: lambda n: START + datetime.timedelta(hours=n),
        polars.Duration: lambda n: datetime.timedelta(milliseconds=n),
        polars.Decimal: lambda n: decimal.Decimal(n) / 4,
        polars.Enum: lambda n: SIZES[n % len(SIZES)],
        polars.Categorical: lambda n: SIZES[n % len(SIZES)],
        polars.List: lambda n: [n] * (n % 3),
        polars.Array: lambda n: [n, n + 1],
        polars.Struct: lambda n: {"x": n, "y": str(n)},
        polars.Null: lambda n: None,
        polars.Float32: float_of,
        polars.Float64: float_of,
    }.get(data_type.base_type(), lambda n: n)
    return polars.Series([None if n is None else make(n) for n in numbers], dtype=data_type)


def in_turn(data_type, numbers, n_rows):
    """The values of the numbers again and again."""
    return column(data_type, numbers).gather(numpy.arange(n_rows) % len(numbers))


def float_of(n):
    return {3: float("nan"), 0: -0.0, 14: float("-inf")}.get(n, n / 2)


TYPES = {str(each): each for each in [*INTEGERS, polars.Float32, polars.Float64, polars.Boolean, polars.String, polars.Binary, polars.Date, polars.Time]}
TYPES |= {f"datetime {unit}": polars.Datetime(unit) for unit in UNITS} | {f"duration {unit}": polars.Duration(unit) for unit in UNITS}
TYPES |= {"zone": polars.Datetime("us", "Europe/Oslo"), "decimal": polars.Decimal(9, 2), "enum": polars.Enum(SIZES), "category": polars.Categorical}
TYPES |= {"list": polars.List(polars.Int16), "array": polars.Array(polars.Int8, 2), "null": polars.Null}
TYPES |= {"struct": polars.Struct({"x": polars.Int64, "y": polars.String})}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """Twelve batches in three folders, with statistics."""
    root, chance = tmp_path_factory.mktemp("random"), random.Random(1)
    for k in range(3):
        batches = []
        for b in range(k * N_BATCHES // 3, (k + 1) * N_BATCHES // 3):
            # A column in some batches has one value, none, or many.
            numbers = {name: chance.choice([[5 * b], [0, 0, 0], [5 * b, 5 * b + 4, None], [None], [3, 5 * b], range(50)]) for name in TYPES}
            columns = {name: in_turn(TYPES[name], each, N_ROWS) for name, each in numbers.items()}
            batches.append(polars.DataFrame(columns | {"id": range(b * N_ROWS, (b + 1) * N_ROWS)}))
        table = polars.concat(batches).rechunk().to_arrow().combine_chunks()
        (root / f"folder={k}").mkdir()
        arrow_ipc.write_file(root / "plain.arrow", [batch for start in range(0, len(table), N_ROWS) for batch in table.slice(start, N_ROWS).to_batches()], dictionaries="unify")
        arrow_ipc.convert(root / "plain.arrow", root / f"folder={k}/a.arrow", statistics=True)
        (root / "plain.arrow").unlink()
    found = arrow_ipc.dataset(root, trust_statistics=True)
    assert found.count() == N_BATCHES * N_ROWS
    assert all(found._bounds(name) is not None for name in ("Int8", "Float64", "String", "duration ms", "enum", "folder"))
    return found


def constant(chance, data_type):
    """Of the type, or a number, or a literal of another one that compares with it."""
    number = chance.choice([0, 3, 5, 7, 14, 20, 23, 40, 49, chance.randrange(60)])
    if chance.random() < 0.2:
        return polars.lit(number)
    value = column(data_type, [number])
    return polars.lit(value.item() if chance.random() < 0.5 else value.first(), dtype=chance.choice([None, data_type]))


def condition(chance, types, depth=0):
    if depth < 2 and chance.random() < 0.4:
        left, right = (condition(chance, types, depth + 1) for _ in range(2))
        return chance.choice([lambda: left & right, lambda: left | right, lambda: ~left, lambda: left ^ right])()
    name = chance.choice(list(types))
    this, value, other = col(name), constant(chance, types[name]), constant(chance, types[name])
    comparisons = [this == value, this != value, this < value, this <= value, this > value, this >= value, value < this, value == this]
    others = [this.is_null(), this.is_not_null(), this.is_between(value, other, chance.choice(["both", "left", "none"])), this.eq_missing(value)]
    return chance.choice([*comparisons, *comparisons, *others])


def steps(chance, types):
    """One to four, by which a query goes on."""
    for _ in range(chance.randrange(1, 5)):
        n = chance.choice([0, 1, 5, N_ROWS, N_ROWS + 3, 5 * N_ROWS])
        kind = chance.choice(["filter", "filter", "filter", "head", "select", "slice", "tail"])
        if kind == "filter":
            yield "filter", (condition(chance, types),)
        elif kind == "select":
            kept = chance.sample(list(types), chance.randrange(1, len(types) + 1))
            types = {name: types[name] for name in kept}
            yield "select", (kept,)
        else:
            yield kind, (n, n + 10) if kind == "slice" else (n,)


def run(rows, query):
    for method, args in query:
        rows = getattr(rows, method)(*args)
    return rows


def test_polars(data):
    chance, whole = random.Random(2), polars.DataFrame(data)
    n_answers = n_cut = 0
    n_wanted = times(40, 1_000)
    while n_answers < n_wanted:
        query = list(steps(chance, dict(whole.schema)))
        try:
            expected = run(whole, query)
        except (polars.exceptions.PolarsError, TypeError):
            # Types that do not compare.
            continue
        found = run(arrow_ipc.polars.scan(data), query).collect()
        shown = [(method, str(args[0])) for method, args in query]
        assert found.schema == expected.schema and found.equals(expected, null_equal=True), shown
        n_answers += 1
        n_cut += 0 < expected.height < whole.height
    assert n_cut > n_wanted // 4


# What DuckDB has no type for, or compares in no condition.
NOT_OF_DUCKDB = ("list", "array", "struct", "null", "folder")


def sql_of(chance, names, types):
    name = chance.choice(names)
    value = column(types[name], [chance.choice([0, 3, 5, 7, 14, 20, 23, 40, 49, chance.randrange(60)])]).item()
    if isinstance(value, datetime.timedelta):
        value = f"interval '{value // datetime.timedelta(milliseconds=1)} milliseconds'"
    elif isinstance(value, bytes):
        value = f"unhex('{value.hex()}')"
    elif isinstance(value, float):
        value = f"'{value}'::double"
    else:
        value = str(value) if isinstance(value, (bool, int)) else "'" + str(value).replace("'", "''") + "'"
    this = f'"{name}"'
    plain = [f"{this} {sign} {value}" for sign in ("=", "<>", "<", "<=", ">", ">=")]
    found = chance.choice([*plain, f"{this} is null", f"{this} is not null", f"{this} in ({value})", f"not ({plain[0]})", f"{this} is distinct from {value}"])
    if chance.random() < 0.4:
        found = f"({found} {chance.choice(['and', 'or'])} {sql_of(chance, names, types)})"
    return found


def test_duckdb(data):
    chance, whole, types = random.Random(3), pa.table(data), polars.DataFrame(data).schema
    names = [name for name in types if name not in NOT_OF_DUCKDB]
    rows, n_answers, n_cut, n_wanted = data.to_pyarrow(), 0, 0, times(40, 1_000)
    with duckdb.connect() as connection:
        connection.register("ours", rows)
        connection.register("theirs", whole)
        while n_answers < n_wanted:
            # As text, a NaN equals itself.
            few = ", ".join(f'"{name}"::varchar' for name in chance.sample(names, chance.randrange(1, 8)))
            first = chance.choice(["{}", "{}", f"(from {{}} limit {chance.choice([1, 5, N_ROWS + 3])})"])
            sql = f"select {few} from {first} t where {sql_of(chance, names, types)}" + chance.choice(["", "", " limit 7"])
            try:
                expected = connection.sql(sql.format("theirs")).to_arrow_table()
            except (duckdb.ConversionException, duckdb.BinderException, duckdb.InvalidInputException, NotImplementedError):
                continue
            found = connection.sql(sql.format("ours")).to_arrow_table()
            assert found.equals(expected), sql
            n_answers += 1
            n_cut += 0 < expected.num_rows < whole.num_rows
    assert n_cut > n_wanted // 4
