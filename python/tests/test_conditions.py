"""Conditions on rows: the same rows as DuckDB gives for random conditions on columns of ten types."""

import datetime
import decimal
import io
import random
import re

import arrow_ipc
import duckdb
import pyarrow as pa
import pytest
from how_often import times

N_ROWS = 400
COMPARISONS = ["=", "!=", "<>", "<", "<=", ">", ">="]
DAY = datetime.date(2024, 1, 1)
# Some begin with others; bytes have no sign, and need not be text.
BYTES = ["", "00", "0000", "61", "6162", "61ff", "7f", "80", "ff", "c3a9" * 20]
SECOND = datetime.datetime(2024, 1, 1)


def columns(rng):
    def of(value):
        return [None if rng.random() < 0.1 else value() for _ in range(N_ROWS)]

    return {
        "i": pa.array(of(lambda: rng.randint(-5, 5)), pa.int8()),
        "l": pa.array(of(lambda: rng.randint(-(10**12), 10**12)), pa.int64()),
        "f": pa.array(of(lambda: rng.choice([0.0, -0.0, 1.5, -2.25, float("nan"), float("inf"), 1e-3])), pa.float64()),
        "s": pa.array(of(lambda: rng.choice(["a", "ab", "", "b%", "Oslo", "é", "éa"]))),
        "w": pa.array(of(lambda: rng.choice(["red", "green", "blue"]))).dictionary_encode(),
        "d": pa.array(of(lambda: DAY + datetime.timedelta(days=rng.randint(0, 60)))),
        "ts": pa.array(of(lambda: SECOND + datetime.timedelta(seconds=rng.randint(0, 6_000_000))), pa.timestamp("ms")),
        "b": pa.array(of(lambda: rng.random() < 0.5)),
        "dec": pa.array(of(lambda: decimal.Decimal(rng.randint(-500, 500)) / 100), pa.decimal128(7, 2)),
        "x": pa.array(of(lambda: bytes.fromhex(rng.choice(BYTES))), rng.choice([pa.binary(), pa.large_binary(), pa.binary_view()])),
        "row": pa.array(range(N_ROWS)),
    }


def constant(rng, name):
    day = f"2024-0{rng.randint(1, 2)}-{rng.randint(10, 28)}"
    return {
        "i": lambda: rng.choice(["0", "3", "1.5", "-2.5", "1000", "-5"]),
        "l": lambda: str(rng.randint(-(10**12), 10**12)),
        "f": lambda: rng.choice(["0", "1.5", "'NaN'", "-2.25", "0.001"]),
        "s": lambda: rng.choice(["'a'", "'ab'", "''", "'Oslo'", "'é'"]),
        "w": lambda: rng.choice(["'red'", "'blue'", "'purple'"]),
        "d": lambda: f"'{day}'",
        "ts": lambda: f"'{day} 0{rng.randint(0, 9)}:30:00'",
        "b": lambda: rng.choice(["true", "false"]),
        "dec": lambda: rng.choice(["0", "1.25", "-0.5", "1.005", "99"]),
        "x": lambda: f"x'{rng.choice([*BYTES, '6163'])}'",
    }[name]()


def test(rng):
    """A question about one column."""
    name = rng.choice(["i", "l", "f", "s", "w", "d", "ts", "b", "dec", "x"])
    negation = rng.choice(["", "not "])
    kind = rng.randint(0, 9)
    if kind == 0:
        return f"{name} is {negation}null"
    if name == "b" and kind < 4:
        return f"{negation}b"
    if kind == 1 and name != "b":
        return f"{name} {negation}in ({', '.join(constant(rng, name) for _ in range(rng.randint(1, 3)))})"
    if kind == 2 and name != "b":
        return f"{name} {negation}between {constant(rng, name)} and {constant(rng, name)}"
    if kind == 3 and name in ["s", "w"]:
        pattern = rng.choice(["a%", "%b", "_", "%", "é_", "%a%", "", "%e%", "r_d", "%_n"])
        return f"{name} {negation}like '{pattern}'"
    return f"{name} {rng.choice(COMPARISONS)} {constant(rng, name)}"


test.__test__ = False


def condition(rng, depth):
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return test(rng)
    if kind < 0.45:
        return f"not ({condition(rng, depth - 1)})"
    return f"({condition(rng, depth - 1)} {rng.choice(['and', 'or'])} {condition(rng, depth - 1)})"


@pytest.mark.parametrize("seed", range(times(2, 20)))
def test_rows_are_those_of_duckdb(seed, tmp_path):
    rng = random.Random(seed)
    table = pa.table(columns(rng))
    file = tmp_path / "all.arrow"
    arrow_ipc.write_file(file, table.to_batches(max_chunksize=77))
    n_found = 0
    for _ in range(60):
        text = condition(rng, 3)
        in_sql = re.sub(r"\bx('[0-9a-f]*')", r"unhex(\1)", text)
        expected = duckdb.sql(f"select \"row\" from \"table\" where {in_sql} order by \"row\"").fetchall()
        some = io.BytesIO()
        arrow_ipc.convert(file, some, container="file", where=text, columns=["row"])
        found = arrow_ipc.open(some.getvalue())["row"].to_pylist()
        assert found == [row for (row,) in expected], text
        assert arrow_ipc.count(file, where=text).n_rows == len(found), text
        n_found += len(found)
    assert n_found > 60 * N_ROWS / 10


def test_names_in_quotes_have_any_characters(tmp_path):
    path = tmp_path / "names.arrow"
    arrow_ipc.write_file(path, {'odd "q"': [1, 2], "tab\t": ["x", "y"], "in": [3, 4]})
    for where in ['"odd ""q""" = 2', r'"odd \"q\"" = 2', '"tab\t" = \'y\'', r'"tab\u0009" = "y"', '4 = "in"']:
        assert arrow_ipc.count(path, where=where) == 1, where
    with pytest.raises(ValueError, match='needs double quotes: write "in"'):
        arrow_ipc.count(path, where="in = 4")


def test_text_is_no_constant_of_bytes(tmp_path):
    path = tmp_path / "bytes.arrow"
    arrow_ipc.write_file(path, {"b": [b"ab", b"\xab", None]})
    assert [arrow_ipc.count(path, where=where) for where in ("b = x'6162'", "b = X'AB'", "b != x'6162'", "b < x'ff'")] == [1, 1, 1, 2]
    for where in ("b = 'xy'", "b in ('ab', 12)"):
        with pytest.raises(arrow_ipc.ArrowIpcError, match="expected bytes, such as x'6f6b' for the text ok"):
            arrow_ipc.count(path, where=where)
