"""Local times of time zones: those that pyarrow, polars, DuckDB and the standard library find."""

import datetime
import random
import zoneinfo

import arrow_ipc
import arrow_ipc.polars
import duckdb
import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from how_often import times

# Zones in which databases agree since 1890, each with something of its own: rules that were abolished, half hours, a skipped day, the south.
ZONES = [
    "Europe/Paris", "Europe/London", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu",
    "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Chatham", "Asia/Tokyo", "UTC",
]  # fmt: skip
EPOCH = datetime.datetime(1970, 1, 1)
SECOND = 1_000_000


def microseconds(year, month=1, day=1, hour=0):
    return (datetime.datetime(year, month, day, hour) - EPOCH) // datetime.timedelta(microseconds=1)


def local_times(seed, first, last):
    """Times at random, and half hours of nights in which clocks may be changed."""
    chance = random.Random(seed)
    found = [chance.randrange(microseconds(first), microseconds(last)) for _ in range(times(300, 5000))]
    for _ in range(times(20, 300)):
        night = microseconds(chance.randrange(first, last), chance.choice([2, 3, 4, 9, 10, 11]), chance.randrange(1, 29))
        found += [night + chance.randrange(60) * SECOND + half * 1800 * SECOND for half in range(12)]
    for year in range(max(first, 1980), last, times(9, 1)):
        found += [microseconds(year, month, day, hour) + 1800 * SECOND for month, days in [(3, range(8, 32)), (10, range(25, 32)), (11, range(1, 9))] for day in days for hour in (0, 1, 2)]
    return pa.array(found, pa.timestamp("us"))


def numbers(array):
    return pa.array(array).cast(pa.int64()).to_pylist()


def in_duckdb(query, **named):
    connection = duckdb.connect()
    connection.execute("set timezone = 'UTC'")
    for name, array in named.items():
        connection.register(name, pa.table({"v": array}))
    return connection.sql(query).to_arrow_table().column(0).combine_chunks()


@pytest.mark.parametrize("zone", ZONES)
def test_local_times_are_instants(zone):
    local = local_times(zone, 1890, 2037)
    type = f"timestamp[us, {zone}]"
    [earliest, latest] = [numbers(pc.assume_timezone(local, zone, ambiguous=which, nonexistent=which)) for which in ("earliest", "latest")]
    series = polars.from_arrow(local)
    zoned = series.dt.replace_time_zone(zone, ambiguous="earliest", non_existent="null").dt.convert_time_zone("UTC")
    of_polars = [None if at is None else at for at in zoned.to_physical().to_list()]
    of_duckdb = numbers(in_duckdb(f"select timezone('{zone}', v) from local", local=local))
    ours = numbers(arrow_ipc.Array(local).cast(type, lossy=True))
    is_skipped = [shown != wanted for shown, wanted in zip(numbers(pc.local_timestamp(pa.array(latest, pa.timestamp("us", zone)))), numbers(local))]
    counts = {"skipped": 0, "repeated": 0, "once": 0}
    for k, at in enumerate(ours):
        value = arrow_ipc.Array(local.slice(k, 1))
        if is_skipped[k]:
            # As much later as clocks are set forward.
            assert of_polars[k] is None and at == of_duckdb[k]
            kind, error = "skipped", "does not exist"
        elif earliest[k] != latest[k]:
            assert at == earliest[k] == of_polars[k] and of_duckdb[k] in (earliest[k], latest[k])
            kind, error = "repeated", "occurs twice"
        else:
            assert at == earliest[k] == of_polars[k] == of_duckdb[k], value
            kind, error = "once", None
        counts[kind] += 1
        if error is not None:
            with pytest.raises(ValueError, match=error):
                value.cast(type)
    plain = arrow_ipc.Array(local.filter(pa.array([a == b and not s for a, b, s in zip(earliest, latest, is_skipped)])))
    assert numbers(plain.cast(type)) == numbers(plain.cast(type, lossy=True))
    assert counts["once"] > 300 and (zone != "Europe/Paris" or min(counts.values()) > 2), counts


@pytest.mark.parametrize("zone", ZONES)
def test_instants_are_local_times_and_dates(zone):
    instants = local_times(zone, 1890, 2037).cast(pa.timestamp("us", "UTC")).cast(pa.timestamp("us", zone))
    ours = arrow_ipc.Array(instants)
    local = pc.local_timestamp(instants)
    assert numbers(ours.cast("timestamp[us]", lossy=True)) == numbers(local)
    assert pa.array(ours.cast("date32", lossy=True)).to_pylist() == local.cast(pa.timestamp("s"), safe=False).cast(pa.date32(), safe=False).to_pylist()
    of_duckdb = in_duckdb(f"select timezone('{zone}', v::timestamptz) from instants", instants=instants)
    assert numbers(of_duckdb) == numbers(local)
    info = zoneinfo.ZoneInfo(zone)
    for k in range(0, len(instants), 7):
        at = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(microseconds=numbers(instants.slice(k, 1))[0])
        text = at.astimezone(info).isoformat(timespec="microseconds").removesuffix("+00:00" if zone == "UTC" else "never")
        assert text in repr(arrow_ipc.RecordBatch({"at": ours[k : k + 1]}))


@pytest.mark.parametrize("zone", ["Europe/Paris", "America/New_York", "Pacific/Chatham"])
def test_rules_go_on_for_ever(zone):
    """pyarrow and polars end their rules in 2037 or 2100; DuckDB does not."""
    local = local_times(zone, 2038, 2600)
    ours = numbers(arrow_ipc.Array(local).cast(f"timestamp[us, {zone}]", lossy=True))
    of_duckdb = numbers(in_duckdb(f"select timezone('{zone}', v) from local", local=local))
    differ = [other - at for at, other in zip(ours, of_duckdb) if at != other]
    # DuckDB takes the later of two instants.
    assert set(differ) <= {3600 * SECOND} and len(differ) < len(ours) // 20
    back = numbers(arrow_ipc.Array(pa.array(ours, pa.timestamp("us", zone))).cast("timestamp[us]", lossy=True))
    assert back == numbers(in_duckdb(f"select timezone('{zone}', v) from instants", instants=pa.array(ours, pa.timestamp("us", "UTC"))))


@pytest.mark.parametrize("zone", ZONES)
def test_conditions_are_in_the_zone(zone, tmp_path):
    instants = local_times(zone, 1890, 2037).cast(pa.timestamp("us", "UTC")).cast(pa.timestamp("us", zone))
    batch = arrow_ipc.RecordBatch({"at": instants, "row": pa.array(range(len(instants)))})
    path = tmp_path / "at.arrow"
    arrow_ipc.write_file(path, batch)
    at = numbers(instants)
    literals = local_times(zone + " literals", 1890, 2037)
    for k in range(0, len(literals), len(literals) // 60):
        literal = literals.slice(k, 1)
        text = str(literal[0].as_py())
        try:
            [bound] = numbers(pc.assume_timezone(literal, zone))
        except pa.ArrowInvalid as error:
            if "doesn't exist" in str(error) or "nonexistent" in str(error).lower():
                # All instants before the change are less.
                [bound] = numbers(pc.assume_timezone(literal, zone, nonexistent="latest"))
                assert len(batch.filter(f"at = '{text}'")) == 0
            else:
                with pytest.raises(ValueError, match="occurs twice"):
                    batch.filter(f"at >= '{text}'")
                continue
        expected = [row for row, other in enumerate(at) if other >= bound]
        for found in (batch, arrow_ipc.open(path), arrow_ipc.dataset(path)):
            assert [row["row"] for row in found.filter(f"at >= '{text}'").to_pylist()] == expected, text
        assert arrow_ipc.count(path, where=f"at < '{text}'").n_rows == len(at) - len(expected)
        day = text[:10]
        rows = [row for row, shown in enumerate(pc.local_timestamp(instants).to_pylist()) if shown is not None and str(shown) < day]
        assert [row["row"] for row in batch.filter(f"at < '{day}'").to_pylist()] == rows, day


def test_unknown_zones(tmp_path):
    for zone in ["Mars/Base", "../../etc/passwd", "x" * 10_000]:
        at = arrow_ipc.Array([datetime.datetime(2024, 3, 31)]).cast("timestamp[us, UTC]")
        odd = arrow_ipc.RecordBatch({"at": at.cast(f'timestamp(us, "{zone}")')})
        assert "2024-03-31T00:00:00.000000Z" in repr(odd)
        with pytest.raises(ValueError, match="needs an offset"):
            odd.filter("at > '2024-03-31'")
        assert len(odd.filter("at > '2024-03-31T00:00+00:01'")) == 1
        with pytest.raises(arrow_ipc.UnsupportedError, match="is unknown") as raised:
            odd["at"].cast("date32", lossy=True)
        assert (raised.value.kind, raised.value.category) == ("UnknownZone", "unsupported")


@pytest.mark.parametrize("zone", ["+0530", "fixed", 'no "zone"', "GMT+1"])
def test_zones_that_pandas_and_polars_do_not_know_are_said(zone):
    values = pa.array([0, None], pa.timestamp("us", zone))
    table = pa.table({"id": [1, 2], "at": values})
    batch = arrow_ipc.RecordBatch(table.to_batches()[0])
    for library, call in [("pandas", batch.to_pandas), ("polars", batch.to_polars)]:
        with pytest.raises(ValueError) as raised:
            call()
        said = str(raised.value)
        assert said.startswith(f"{library} does not know the time zone {zone} of the column at: timestamp(us, "), said
        assert '`cast("timestamp[us, UTC]")`' in said and raised.value.__cause__ is None
    # What the error proposes.
    instants = batch["at"].cast("timestamp[us, UTC]")
    assert pa.array(instants).to_pylist() == pa.array(values).cast(pa.timestamp("us", "UTC")).to_pylist()
    assert batch.drop(["at"]).to_pandas().shape == batch.drop(["at"]).to_polars().shape == (2, 1)


def test_zones_that_polars_does_not_know_are_said_of_nested_columns_and_scans(tmp_path):
    table = pa.table({"at": pa.array([[0]], pa.list_(pa.timestamp("ms", "+0530")))})
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as writer:
        writer.write(table)
    said = "polars does not know the time zone \\+0530 of the column at: list<"
    with pytest.raises(ValueError, match=said):
        arrow_ipc.open(tmp_path / "a.arrow").to_polars()
    with pytest.raises(ValueError, match=said):
        arrow_ipc.polars.scan(tmp_path / "a.arrow")
    # pandas makes objects of the items of lists.
    assert arrow_ipc.open(tmp_path / "a.arrow").to_pandas().shape == (1, 1)
