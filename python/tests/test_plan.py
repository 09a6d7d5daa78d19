"""Plans: files that nobody wrote, which others open; and what is refused."""

import concurrent.futures
import io
import struct

import pytest

import arrow_ipc

pa = pytest.importorskip("pyarrow")

SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("name", pa.string()),
        pa.field("word", pa.dictionary(pa.int8(), pa.string())),
    ]
)
BATCHES = [{"rows": 8, "count": 3, "columns": {"name": {"bytes": 24, "nulls": 1}}}, {"rows": 0}]
DICTIONARIES = [{"id": 0, "rows": 2, "values": {"bytes": 5}}]


def planned(**options):
    return arrow_ipc.plan(SCHEMA, BATCHES, dictionaries=DICTIONARIES, **options)


def whole(data):
    """All bytes of a buffer."""
    if data.dictionary is not None:
        return {"offsets": struct.pack("=3i", 0, 2, 5), "bytes": b"abcde"}[data.role]
    first = 8 * data.batch
    return {
        ("id", "values"): struct.pack("=8q", *range(first, first + 8)),
        ("name", "validity"): b"\xfe",
        ("name", "offsets"): struct.pack("=9i", *range(0, 27, 3)),
        ("name", "bytes"): b"".join(b"n%02d" % row for row in range(first, first + 8)),
        ("word", "values"): bytes([0, 1] * 4),
    }[data.field, data.role]


def provider(data):
    bytes_ = whole(data)[: data.num_bytes]
    assert len(bytes_) == data.num_bytes and len(data) == data.stop - data.start
    return bytes_[data.start : data.stop]


def expected_rows():
    for row in range(24):
        name = None if row % 8 == 0 else f"n{row:02}"
        yield {"id": row, "name": name, "word": ["ab", "cde"][row % 2]}


@pytest.mark.parametrize("container", ["file", "stream"])
@pytest.mark.parametrize("alignment", [8, 64, 4096])
def test_others_open_what_is_planned(container, alignment):
    plan = planned(container=container, alignment=alignment, metadata={"made": "up"})
    image = plan.read_at(slice(None), provider)
    assert len(image) == len(plan) and plan.container == container
    if container == "file":
        reader = pa.ipc.open_file(image)
        batches = [reader.get_batch(k) for k in range(reader.num_record_batches)]
    else:
        batches = list(pa.ipc.open_stream(image))
    for batch in batches:
        batch.validate(full=True)
    assert [batch.num_rows for batch in batches] == [8, 8, 8, 0]
    assert pa.Table.from_batches(batches).to_pylist() == list(expected_rows())
    polars = pytest.importorskip("polars")
    read = polars.read_ipc if container == "file" else polars.read_ipc_stream
    assert [row["id"] for row in read(io.BytesIO(image)).to_dicts()] == list(range(24))
    arrow_ipc.validate(image, strict=True)


def test_places_are_those_of_the_image():
    plan = planned()
    image = plan.read_at(range(0, len(plan)), provider)
    assert plan.num_batches == 4 and plan.num_dictionaries == 1 and "id" in plan.schema.names
    ids = plan.locate(2, "id", "values")
    assert isinstance(ids, range) and struct.unpack("=8q", image[ids.start : ids.stop]) == tuple(range(16, 24))
    assert plan.locate(-2, "id", "values") == ids
    assert ids.start in plan.batch(2) and plan.batch(-2) == plan.batch(2)
    assert len(plan.locate(0, "id", "validity")) == 0
    assert plan.at(ids.start + 5) == ("values of `id` in record batch 2", ids)
    assert plan.at(0)[0] == "magic" and plan.at(len(plan) - 1)[0] == "magic at the end"
    inspected = arrow_ipc.inspect(image)
    batches = [message for message in inspected["messages"] if message["kind"] == "record batch"]
    assert [message["position"] for message in batches] == [plan.batch(k).start for k in range(4)]


def test_any_range_is_read_by_any_thread():
    plan = planned()
    image = plan.read_at((0, len(plan)), provider)
    ranges = [(start, min(start + 7, len(plan))) for start in range(0, len(plan), 7)]
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        parts = list(threads.map(lambda part: plan.read_at(part, provider), ranges))
    assert b"".join(parts) == image


def test_segments_make_the_image():
    plan = planned()
    parts = []
    for segment in plan.segments():
        if isinstance(segment, int):
            parts.append(bytes(segment))
        elif isinstance(segment, arrow_ipc.PlannedData):
            assert repr(segment.role)[1:-1] in repr(segment)
            parts.append(provider(segment))
        else:
            parts.append(segment)
    assert b"".join(parts) == plan.read_at(slice(None), provider)
    ids = plan.locate(1, "id", "values")
    (data,) = plan.segments(slice(ids.start + 3, ids.start + 5))
    assert (data.batch, data.dictionary, data.field, data.role) == (1, None, "id", "values")
    assert (data.start, data.stop, len(data), data.num_bytes, data.data_buffer) == (3, 5, 2, 64, None)
    # More than are looked up at once.
    many = arrow_ipc.plan(SCHEMA, [{"rows": 0, "count": 1_000}], container="stream")
    assert sum(1 for _ in many.segments()) > 1_000


def test_a_terabyte_is_planned():
    schema = pa.schema([(f"c{k}", pa.int64()) for k in range(100)])
    plan = arrow_ipc.plan(schema, [{"rows": 62_500, "count": 20_000}])
    assert len(plan) > 10**12 * 0.98
    assert pa.ipc.open_file(pa.PythonFile(Sparse(plan), mode="r")).num_record_batches == 20_000


class Sparse(io.RawIOBase):
    """A planned file of zeros."""

    def __init__(self, plan):
        self.plan, self.position = plan, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.position

    def seek(self, offset, whence=0):
        self.position = offset + [0, self.position, len(self.plan)][whence]
        return self.position

    def read(self, n_bytes=-1):
        start, end = self.position, len(self.plan)
        end = end if n_bytes < 0 else min(end, start + n_bytes)
        self.position = end
        return self.plan.read_at((start, end), lambda data: bytes(len(data)))


def test_wrong_shapes():
    cases = [
        ([{"rows": 1, "columns": {"nobody": {}}}], 'batches[0].columns.nobody: no field is named "nobody"', "NoField"),
        ([{"rows": 1}, {"row": 1}], 'batches[1]: there is no member "row"', "UnknownMember"),
        ([{"rows": -1}], "batches[0].rows: expected a whole number", "Expected"),
        ([{"rows": 1.5}], "batches[0].rows: expected a whole number", "Expected"),
        ([{"rows": 2**64}], "batches[0].rows: expected a whole number", "Expected"),
        ([{"rows": 2**63}], "batches[0]: the shape has 9223372036854775808 rows", "Shape"),
        ([{"rows": 0, "count": 2**63}], "batches[0]: ", "LimitExceeded"),
        ([{"rows": 1, "columns": [{"nulls": 1}]}], "batches[0]: field `id`: the shape has 1 nulls", "Shape"),
        ([{"rows": 1}], "batches[0]: field `word`: ", "UnplannedDictionary"),
    ]
    for batches, text, kind in cases:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            arrow_ipc.plan(SCHEMA, batches)
        assert str(raised.value).startswith(text) and raised.value.kind == kind, raised.value
    deep = []
    for _ in range(200):
        deep = [{"children": deep}]
    with pytest.raises(arrow_ipc.ArrowIpcError, match="recursion limit"):
        arrow_ipc.plan(SCHEMA, [{"rows": 0, "columns": deep}])
    with pytest.raises(TypeError):
        arrow_ipc.plan(SCHEMA, [{"rows": object()}])
    with pytest.raises(TypeError):
        arrow_ipc.plan(SCHEMA, 5)
    with pytest.raises(ValueError, match="container is .table."):
        planned(container="table")
    with pytest.raises(arrow_ipc.ArrowIpcError):
        planned(alignment=3)


def test_what_is_not_there():
    plan = planned()
    for call in [lambda: plan.batch(4), lambda: plan.batch(-5), lambda: plan.locate(4, "id", "values")]:
        with pytest.raises(IndexError):
            call()
    with pytest.raises(KeyError):
        plan.locate(0, "nobody", "values")
    with pytest.raises(ValueError, match="role is .data.; allowed: 'validity'"):
        plan.locate(0, "id", "data")
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        plan.locate(0, "id", "offsets")
    assert raised.value.location.field == "id"
    for call in [
        lambda: plan.at(len(plan)),
        lambda: plan.segments((0, len(plan) + 1)),
        lambda: plan.read_at((0, len(plan) + 1), provider),
    ]:
        with pytest.raises(arrow_ipc.ArrowIpcError):
            call()
    for wrong in [range(0, 5, 2), (5, 3), (-1, 3)]:
        with pytest.raises((ValueError, IndexError)):
            plan.read_at(wrong, provider)
    with pytest.raises(TypeError, match="range is a slice, a range or a tuple"):
        plan.segments("all")
    with pytest.raises(ValueError, match="expected 0 or more, found -1"):
        plan.at(-1)


def test_providers_that_fail():
    plan = planned()
    everything = slice(None)
    for wrong in [lambda data: b"", lambda data: bytes(len(data) + 1)]:
        with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
            plan.read_at(everything, wrong)
        assert raised.value.kind == "ProvidedBytes"
        assert raised.value.location.block[0] == "dictionary batch"
    with pytest.raises(TypeError, match="the provider gave <class 'str'> and not bytes"):
        plan.read_at(everything, lambda data: "text")
    with pytest.raises(ZeroDivisionError):
        plan.read_at(everything, lambda data: 1 // 0)
    with pytest.raises(TypeError):
        plan.read_at(everything, None)
    # Whatever lends bytes will do.
    for kind in [bytearray, memoryview, pa.py_buffer]:
        assert plan.read_at(everything, lambda data: kind(provider(data))) == plan.read_at(everything, provider)


def test_options_of_writers():
    batches = [{"rows": 3, "count": 2}]
    plan = arrow_ipc.plan(SCHEMA_OF_OPTIONS, batches, row_counts="with layouts")
    file = arrow_ipc.open(plan.read_at((0, len(plan)), lambda data: bytes(len(data))))
    assert (file.num_rows, len(dict(file.metadata))) == (6, 2)
    assert len(arrow_ipc.plan(SCHEMA_OF_OPTIONS, batches, row_counts="written")) < len(plan)
    foreign = arrow_ipc.plan(SCHEMA_OF_OPTIONS, batches, endianness="big")
    sevens = foreign.read_at((0, len(foreign)), lambda data: (7).to_bytes(8, "big") * (len(data) // 8))
    read = arrow_ipc.open(sevens)
    assert pa.table(read).column("id").to_pylist() == [7] * 6
    old = {"metadata_version": 4, "legacy_framing": True, "container": "stream"}
    legacy = arrow_ipc.plan(SCHEMA_OF_OPTIONS, batches, **old)
    assert legacy.read_at((0, 4), lambda data: bytes(len(data))) != b"\xff\xff\xff\xff"
    for wrong in [{"metadata_version": 3}, {"endianness": "middle"}, {"row_counts": "yes"}]:
        with pytest.raises(ValueError, match="allowed: "):
            arrow_ipc.plan(SCHEMA_OF_OPTIONS, batches, **wrong)


SCHEMA_OF_OPTIONS = pa.schema([pa.field("id", pa.int64())])
