"""Pickles of schemas, fields, arrays, batches and files: the same again, without what they were cut from, and without copies."""

import copy
import multiprocessing
import os
import pickle
import weakref
from concurrent.futures import ProcessPoolExecutor

import arrow_ipc
import numpy
import pyarrow as pa
import pytest
from corpus import cases
from peers import columns_by_type
from tasks import total

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def batches(names=""):
    for case in cases(names=names):
        for kind in case.formats:
            read = arrow_ipc.open if kind == "file" else arrow_ipc.read_stream
            for batch in read(case.path(kind)):
                yield case, batch


def test_each_golden_file():
    n_compared = 0
    for case, batch in batches("-nulls"):
        again = pickle.loads(pickle.dumps(batch))
        assert again.equals(batch, metadata=True) and len(again) == len(batch), case
        assert pickle.loads(pickle.dumps(batch.schema)) == batch.schema, case
        n_compared += 1
    assert n_compared > 50


def test_each_type():
    for name, (path, position) in columns_by_type().items():
        array = arrow_ipc.concat(arrow_ipc.open(path).select([position])).column(0)
        for part in (array, array[3:9], array[::-1], array[:0]):
            again = pickle.loads(pickle.dumps(part))
            assert type(again) is arrow_ipc.Array and again.equals(part, metadata=True), name
        field = pickle.loads(pickle.dumps(array.field))
        assert type(field) is arrow_ipc.Field and field == array.field and hash(field) == hash(array.field)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_each_protocol(people, protocol):
    batch = arrow_ipc.concat(arrow_ipc.open(people))
    for value in (batch, batch["name"], batch.schema, batch.schema["id"], batch.select([])):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert type(again) is type(value) and again == value
    assert pickle.loads(pickle.dumps(batch.select([]), protocol)).num_rows == 30
    assert pickle.loads(pickle.dumps(arrow_ipc.MonthDayNano(1, 2, 3), protocol)) == (1, 2, 3)


def numbers(n):
    return arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"n": numpy.arange(n), "t": ["word"] * n}))


def address(array):
    return array.to_numpy().ctypes.data


def test_out_of_band():
    """No byte of a large buffer is copied, neither out nor in."""
    batch = numbers(100_000)
    buffers = []
    pickled = pickle.dumps(batch, 5, buffer_callback=buffers.append)
    assert len(pickled) < 4_000 and sum(buffer.raw().nbytes for buffer in buffers) < 2_000_000
    lent = [numpy.frombuffer(buffer.raw(), numpy.uint8).ctypes.data for buffer in buffers]
    assert address(batch["n"]) in lent
    again = pickle.loads(pickled, buffers=buffers)
    assert again == batch and address(again["n"]) == address(batch["n"])
    # As they come from another process.
    moved = [buffer.raw().tobytes() for buffer in buffers]
    again = pickle.loads(pickled, buffers=moved)
    assert again == batch
    assert address(again["n"]) in [numpy.frombuffer(buffer, numpy.uint8).ctypes.data for buffer in moved]
    # What may change is copied.
    changing = [bytearray(buffer) for buffer in moved]
    again = pickle.loads(pickled, buffers=changing)
    for buffer in changing:
        buffer[:] = b"\xff" * len(buffer)
    assert again == batch


def test_only_its_part():
    batch = numbers(1_000_000)
    assert len(pickle.dumps(batch[5:15])) < 5_000 and len(pickle.dumps(batch["t"][-3:])) < 3_000
    assert pickle.loads(pickle.dumps(batch[5:15])) == batch[5:15]
    words = pa.array([f"word {k}" for k in range(50_000)]).dictionary_encode()
    views = pa.array([f"a word of more than twelve bytes {k}" for k in range(50_000)], pa.string_view())
    lists = pa.array([[k] * 10 for k in range(50_000)])
    for theirs in (views, lists):
        array = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": theirs}))["c"]
        part = array[100:110]
        assert len(pickle.dumps(part)) < 5_000 and pickle.loads(pickle.dumps(part)) == part
    encoded = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"c": words}))["c"][100:110]
    assert pickle.loads(pickle.dumps(encoded)) == encoded


def test_damaged_pickles():
    function, (kind, pieces) = numbers(5_000).__reduce_ex__(4)
    assert function(kind, pieces) == numbers(5_000)
    for wrong in ([], [b""], pieces[:-1], [pieces[0][:100]], pieces[1:]):
        with pytest.raises(arrow_ipc.ArrowIpcError):
            function(kind, wrong)
    damaged = [piece[:-1] + b"\xff" if len(piece) > 10_000 else piece for piece in pieces]
    try:
        function(kind, damaged)
    except arrow_ipc.ArrowIpcError:
        pass
    with pytest.raises(arrow_ipc.ArrowIpcError):
        function("nothing", pieces)
    for wrong in (None, 5, [None], ["a"]):
        with pytest.raises(TypeError):
            function(kind, wrong)


def test_copies(people):
    file = arrow_ipc.open(people)
    batch = file.batch(0)
    for value in (batch, batch["id"], batch.schema, batch.schema["id"]):
        assert copy.copy(value) is value and copy.deepcopy(value) is value and copy.deepcopy([value])[0] is value
    other = copy.copy(file)
    file.close()
    assert other.num_rows == 30 and copy.deepcopy(other).select(["id"])[:1].to_pylist() == [{"id": 0}]


def test_files(people, tmp_path, monkeypatch):
    path = tmp_path / "people.arrow"
    path.write_bytes(people)
    monkeypatch.chdir(tmp_path)
    for source in (path, str(path), "people.arrow"):
        for file in (
            arrow_ipc.open(source),
            arrow_ipc.open(source, columns=["name"]),
            arrow_ipc.open(source, validation="strict", threads=1).select(iter([0, 2])),
            arrow_ipc.open(source, memory_map=True).select(["address.city", "id"]),
        ):
            monkeypatch.chdir(tmp_path)
            pickled = pickle.dumps(file)
            monkeypatch.chdir("/")
            again = pickle.loads(pickled)
            assert type(again) is arrow_ipc.File and len(pickled) < 1_000
            assert again.schema == file.schema and again[:] == file[:]
            # Selections are of the whole file, before and after.
            assert again.select(["id"]).schema == file.select(["id"]).schema
        monkeypatch.chdir(tmp_path)


def test_changed_files(people, tmp_path):
    path = tmp_path / "people.arrow"
    path.write_bytes(people)
    pickled = pickle.dumps(arrow_ipc.open(path))
    os.utime(path, ns=(1, 1))
    with pytest.raises(OSError, match=r"the file was changed since it was pickled: then \d+ bytes, modified [\d.]+ seconds after 1970 began, now "):
        pickle.loads(pickled)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(pickled)


def test_what_cannot_be_pickled(people, tmp_path):
    with pytest.raises(TypeError, match="open it by its path, or pickle its batches"):
        pickle.dumps(arrow_ipc.open(people))
    path = tmp_path / "people.arrow"
    path.write_bytes(people)
    file = arrow_ipc.open(path)
    file.close()
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the file is closed"):
        pickle.dumps(file)
    with arrow_ipc.open(path) as file:
        with arrow_ipc.Writer(tmp_path / "x.arrow", file.schema) as writer:
            for value in (iter(file), arrow_ipc.Stream.from_arrow(file), writer):
                with pytest.raises(TypeError, match="cannot pickle"):
                    pickle.dumps(value)


def test_names_that_repeat():
    columns = pa.record_batch([pa.array([1, 2])] * 3, names=["", "a", "a"])
    batch = arrow_ipc.RecordBatch.from_arrow(columns)
    assert pickle.loads(pickle.dumps(batch)) == batch and pickle.loads(pickle.dumps(batch.schema)) == batch.schema


def test_errors():
    """An error of another process has its place."""
    with pytest.raises(arrow_ipc.ArrowIpcError) as raised:
        arrow_ipc.open(b"something else")
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.kind, again.category, str(again)) == (raised.value.kind, raised.value.category, str(raised.value))
    place = arrow_ipc.Location(1, ("record batch", 2), 3, "a.b", 4, "offsets", 5)
    assert pickle.loads(pickle.dumps(place)) == place and again.location == raised.value.location
    assert repr(place) == "Location(message=1, block=('record batch', 2), byte_offset=3, field=\"a.b\", buffer=4, role=\"offsets\", slot=5)"


def test_other_processes(tmp_path):
    """Tasks move, not data: by processes that share nothing."""
    path = tmp_path / "n.arrow"
    batch = numbers(20_000)
    arrow_ipc.write_file(path, batch)
    file = arrow_ipc.open(path)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        found = list(pool.map(total, [(file, batch, batch["n"][:10]), (file.select(["n"]), batch[:5], batch["n"][:0])]))
    everything = sum(range(20_000))
    assert [n for n, _ in found] == [2 * everything + 45, everything + 10]
    assert os.getpid() not in [process for _, process in found]


def test_buffers_are_given_back():
    batch = numbers(100_000)
    buffers = []
    pickled = pickle.dumps(batch, 5, buffer_callback=buffers.append)

    class Bytes(bytearray):
        pass

    moved = [Bytes(buffer.raw()) for buffer in buffers]
    watched = [weakref.ref(buffer) for buffer in moved]
    again = pickle.loads(pickled, buffers=moved)
    del moved
    assert all(ref() is None for ref in watched) and again == batch
