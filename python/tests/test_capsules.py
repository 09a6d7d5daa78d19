"""The PyCapsule interface, with producers that keep it and those that do not."""

import ctypes
import gc
import io
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import arrow_ipc
import pyarrow as pa
import pytest

TABLE = pa.table({"id": [1, 2, 3], "word": ["a", None, "c"]})
BATCH = TABLE.to_batches()[0]

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Gives:
    """An object whose method gives, or raises, what it was made with."""

    def __init__(self, **methods):
        for name, given in methods.items():
            setattr(self, f"__arrow_c_{name}__", lambda *_, given=given: self.give(given))

    def give(self, given):
        if isinstance(given, Exception):
            raise given
        return given() if callable(given) else given


def stream_of(table):
    return table.__arrow_c_stream__()


def test_each_interface():
    for method in ["schema", "array", "stream"]:
        given = {
            "schema": lambda: TABLE.schema.__arrow_c_schema__(),
            "array": lambda: BATCH.__arrow_c_array__(),
            "stream": lambda: TABLE.__arrow_c_stream__(),
        }[method]
        source = Gives(**{method: given})
        if method == "schema":
            assert arrow_ipc.Schema.from_arrow(source).names == ["id", "word"]
        else:
            assert pa.table(arrow_ipc.Stream.from_arrow(source)).equals(TABLE)


def test_capsules_that_lie():
    other = Gives(stream=lambda: BATCH.__arrow_c_array__()[1])
    with pytest.raises(arrow_ipc.ArrowIpcError, match='expected a capsule named "arrow_array_stream"') as raised:
        arrow_ipc.Stream.from_arrow(other)
    assert (raised.value.kind, raised.value.category) == ("CapsuleName", "misuse")
    swapped = Gives(array=lambda: tuple(reversed(BATCH.__arrow_c_array__())))
    with pytest.raises(arrow_ipc.ArrowIpcError, match='expected a capsule named "arrow_schema"'):
        arrow_ipc.Stream.from_arrow(swapped)
    nothing = (ctypes.c_uint8 * 256)()
    nameless = Gives(schema=lambda: new_capsule(ctypes.addressof(nothing), None, None))
    with pytest.raises(arrow_ipc.ArrowIpcError, match="expected a capsule named"):
        arrow_ipc.Schema.from_arrow(nameless)
    for given in [3, None, "arrow_array_stream", (1, 2)]:
        with pytest.raises(TypeError, match="and not a capsule"):
            arrow_ipc.Stream.from_arrow(Gives(stream=given))
        with pytest.raises(TypeError, match="not a (pair of capsules|capsule)"):
            arrow_ipc.Stream.from_arrow(Gives(array=given))


def test_released_structures():
    """A capsule of the right name whose structure is all zeros, as it is after somebody has taken what was in it."""
    names = {"schema": b"arrow_schema", "array": b"arrow_array", "stream": b"arrow_array_stream"}
    zeros = (ctypes.c_uint8 * 256)()
    capsules = {key: new_capsule(ctypes.addressof(zeros), name, None) for key, name in names.items()}
    for source in [
        Gives(stream=capsules["stream"]),
        Gives(array=(capsules["schema"], capsules["array"])),
        Gives(array=lambda: (BATCH.__arrow_c_array__()[0], capsules["array"])),
    ]:
        with pytest.raises(arrow_ipc.ArrowIpcError, match="is released") as raised:
            arrow_ipc.Stream.from_arrow(source)
        assert (raised.value.kind, raised.value.category) == ("Released", "misuse")
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the ArrowSchema is released"):
        arrow_ipc.Schema.from_arrow(Gives(schema=capsules["schema"]))


def test_consumed_capsules():
    capsule = TABLE.__arrow_c_stream__()
    source = Gives(stream=capsule)
    assert arrow_ipc.concat(source).num_rows == 3
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the ArrowArrayStream is released"):
        arrow_ipc.concat(source)
    ours = arrow_ipc.RecordBatch.from_arrow(BATCH).__arrow_c_array__()
    source = Gives(array=ours)
    assert pa.record_batch(source).num_rows == 3
    with pytest.raises(arrow_ipc.ArrowIpcError, match="is released"):
        arrow_ipc.concat(source)


class Structure(ctypes.Structure):
    """An `ArrowSchema`; the format of an empty table."""

    _fields_ = [
        ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
        ("n_children", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p),
        ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
    ]


Release = ctypes.CFUNCTYPE(None, ctypes.POINTER(Structure))


@pytest.fixture
def impatient():
    """Threads take turns as often as the interpreter can; without its lock they run at the same time anyway."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.skipif(not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no lock")
def test_an_export_is_checked_without_the_lock():
    """A thread that waits for the lock gets it while values are checked; otherwise not within these seconds."""
    content = io.BytesIO()
    arrow_ipc.write_file(content, {"word": ["text, which is checked"] * 200_000})
    gate, has_run = threading.Lock(), []
    gate.acquire()

    def run():
        with gate:
            has_run.append(True)

    interval = sys.getswitchinterval()
    other = threading.Thread(target=run)
    other.start()
    words = arrow_ipc.open(content.getvalue(), validation="structure").batch(0)["word"]
    sys.setswitchinterval(60)
    try:
        gate.release()
        # One export may be done before the system wakes the thread.
        for _ in range(1000):
            words.__arrow_c_array__()
            if has_run:
                break
        assert has_run
    finally:
        sys.setswitchinterval(interval)
        other.join()


def results_of(threads, call):
    """What each thread gets, all of which begin at once: a result, or the kind of the error."""
    start = threading.Barrier(threads)

    def run(_):
        start.wait()
        try:
            return call()
        except arrow_ipc.ArrowIpcError as error:
            return error.kind

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


@pytest.mark.parametrize("method", ["schema", "array", "stream"])
def test_one_thread_gets_what_is_in_a_capsule(method, impatient):
    """The others are told that it is released: nothing is taken, or given back, twice."""
    n_released = []

    @Release
    def release(structure):
        n_released.append(1)
        structure.contents.release = None

    for _ in range(50):
        # The capsules are made once, and given to all who ask.
        if method == "schema":
            structure = Structure(format=b"+s", name=b"", release=ctypes.cast(release, ctypes.c_void_p))
            capsule = new_capsule(ctypes.addressof(structure), b"arrow_schema", None)
            source = Gives(schema=capsule)
            found = results_of(8, lambda source=source: len(arrow_ipc.Schema.from_arrow(source)))
            assert sorted(found, key=str) == [0] + ["Released"] * 7
        else:
            capsules = BATCH.__arrow_c_array__() if method == "array" else TABLE.__arrow_c_stream__()
            source = Gives(**{method: capsules})
            found = results_of(8, lambda source=source: arrow_ipc.concat(source).num_rows)
            # Of a pair, one thread may get the schema and another the array: then neither has a batch.
            assert sorted(found, key=str) in ([3] + ["Released"] * 7, ["Released"] * 8 if method == "array" else None)
    assert len(n_released) == (50 if method == "schema" else 0)


def test_capsules_that_nobody_takes():
    for _ in range(100):
        BATCH.__arrow_c_array__()
        batch = arrow_ipc.RecordBatch.from_arrow(BATCH)
        batch.__arrow_c_array__()
        batch.__arrow_c_stream__()
        batch.__arrow_c_schema__()
    gc.collect()


def test_producers_that_fail():
    with pytest.raises(ZeroDivisionError, match="no stream"):
        arrow_ipc.Stream.from_arrow(Gives(stream=ZeroDivisionError("no stream")))
    with pytest.raises(ZeroDivisionError):
        arrow_ipc.Schema.from_arrow(Gives(schema=ZeroDivisionError()))
    with pytest.raises(TypeError, match="__arrow_c_schema__"):
        arrow_ipc.Schema.from_arrow(3)

    def half():
        yield BATCH
        raise ZeroDivisionError("half way")

    reader = pa.RecordBatchReader.from_batches(BATCH.schema, half())
    stream = arrow_ipc.Stream.from_arrow(reader)
    assert next(stream).num_rows == 3
    with pytest.raises(arrow_ipc.ArrowIpcError, match="half way") as raised:
        next(stream)
    assert (raised.value.kind, raised.value.category) == ("Stream", "io")
    assert list(stream) == []


def test_integers_of_polars_with_128_bits():
    polars = pytest.importorskip("polars")
    for data_type in [polars.Int128, polars.UInt128]:
        frame = polars.DataFrame({"a": polars.Series([1, 2], dtype=data_type)})
        for take in [lambda: arrow_ipc.write_file(io.BytesIO(), frame), lambda: arrow_ipc.Array(frame["a"])]:
            with pytest.raises(arrow_ipc.ArrowIpcError, match="is not a type") as raised:
                take()
            assert "column.cast(polars.Decimal(38, 0))" in raised.value.hint
        assert arrow_ipc.Array(frame["a"].cast(polars.Decimal(38, 0))).to_pylist() == [1, 2]
        assert arrow_ipc.Array(frame["a"].cast(polars.String)).to_pylist() == ["1", "2"]


def test_what_is_no_batch():
    with pytest.raises(arrow_ipc.ArrowIpcError, match='format "\\+s"') as raised:
        arrow_ipc.Stream.from_arrow(pa.chunked_array([[1, 2]]))
    assert raised.value.kind == "NotAStruct"
    nulls = pa.array([{"a": 1}, None])
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.Stream.from_arrow(nulls)
    assert raised.value.kind == "NullRows"
    # A struct without nulls is a batch.
    assert arrow_ipc.concat(pa.array([{"a": 1}])).column_names == ["a"]


def test_invalid_content_is_found():
    """Others hand over what they did not check."""
    bad = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(bytes([0, 0, 0, 0, 1, 0, 0, 0])), pa.py_buffer(b"\xff")])
    with pytest.raises(arrow_ipc.ArrowIpcError, match="UTF-8") as raised:
        arrow_ipc.concat(pa.record_batch({"text": bad}))
    assert (raised.value.kind, raised.value.location.field, raised.value.location.slot) == ("NotUtf8", "text", 0)
    index = pa.DictionaryArray.from_arrays(pa.array([5], pa.int8()), pa.array(["a"]), safe=False)
    with pytest.raises(arrow_ipc.ArrowIpcError, match="index 5 is out of bounds"):
        arrow_ipc.concat(pa.record_batch({"text": index}))


def test_slices_of_one_table():
    """Each slice has whole buffers, children and dictionary, of which its rows use a part."""
    words = [f"word {at} é" if at % 5 else None for at in range(300)]
    kinds = {"text": pa.array(words), "large": pa.array(words, pa.large_string()), "view": pa.array(words, pa.string_view())}
    kinds["word"] = pa.array(words).dictionary_encode()
    kinds["list"] = pa.array([[word, "x"] if word else None for word in words])
    kinds["words"] = pa.ListArray.from_arrays(pa.array(range(0, 301), pa.int32()), kinds["word"])
    kinds["map"] = pa.array([[(word, 1)] if word else [] for word in words], pa.map_(pa.string(), pa.int8()))
    kinds["runs"] = pa.RunEndEncodedArray.from_arrays(pa.array(range(1, 301), pa.int32()), pa.array(words))
    table = pa.table(kinds)
    for chunk in [1, 7, 64, 1000]:
        for data in [table.to_reader(chunk), table.to_batches(chunk), iter(table.to_batches(chunk)), [table.slice(3), table.slice(0, 3)]]:
            sink = io.BytesIO()
            arrow_ipc.write_stream(sink, data)
            rows = pa.ipc.open_stream(sink.getvalue()).read_all().to_pylist()
            expected = table.slice(3).to_pylist() + table.slice(0, 3).to_pylist() if isinstance(data, list) and isinstance(data[0], pa.Table) else table.to_pylist()
            assert rows == expected
    last = arrow_ipc.RecordBatch.from_arrow(table.slice(290))
    assert last.to_pylist() == table.slice(290).to_pylist()


def test_requested_schemas():
    batch = arrow_ipc.RecordBatch.from_arrow(BATCH)
    same = TABLE.schema.__arrow_c_schema__()
    assert pa.record_batch(Gives(array=lambda: batch.__arrow_c_array__(same))).equals(BATCH)
    # Other types are a wish; values are not cast.
    wish = pa.schema([("id", pa.int8()), ("word", pa.large_string())]).__arrow_c_schema__()
    assert pa.record_batch(Gives(array=lambda: batch.__arrow_c_array__(wish))).schema == BATCH.schema
    other = pa.schema([("id", pa.int64())])
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the requested schema has the columns"):
        batch.__arrow_c_stream__(other.__arrow_c_schema__())
    with pytest.raises(TypeError, match="not a capsule"):
        batch.__arrow_c_stream__(3)
