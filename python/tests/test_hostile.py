"""Every hostile file by every way in: an exception of ours or an answer, no crash, and nothing that is left in memory."""

import gc
import io
import itertools
import os
import shutil
from pathlib import Path

import arrow_ipc
import pyarrow as pa
import pytest
from corpus import HOSTILE
from how_often import IS_LONG

GOOD = pa.table({"n": [1, 2, 3]})


def taken(reader):
    """All batches, as values and by capsules."""
    for batch in itertools.islice(reader, 20):
        for column in batch.columns:
            list(itertools.islice(column, 100))
        repr(batch)
        batch.__arrow_c_array__()


def ways(folder):
    """Each takes a path, and a name for what it writes."""
    other = folder / "other.arrow"
    arrow_ipc.write_file(other, GOOD)

    def append(path, out):
        shutil.copy(other, out)
        return arrow_ipc.append(out, path)

    def append_to(path, out):
        shutil.copy(path, out)
        return arrow_ipc.append(out, other)

    return {
        "open": lambda path, _: taken(arrow_ipc.open(path)),
        "open bytes, unchecked": lambda path, _: taken(arrow_ipc.open(path.read_bytes(), validation="structure")),
        "open mapped": lambda path, _: taken(arrow_ipc.open(path, memory_map=True)),
        "rows": lambda path, _: arrow_ipc.open(path)[-3:],
        "sample": lambda path, _: arrow_ipc.open(path).sample(2, seed=1),
        "read_stream": lambda path, _: taken(arrow_ipc.read_stream(path)),
        "read_stream of a file-like object": lambda path, _: taken(arrow_ipc.read_stream(io.BytesIO(path.read_bytes()))),
        "another library": lambda path, _: arrow_ipc.concat(arrow_ipc.open(path)),
        "validate": lambda path, _: arrow_ipc.validate(path, strict=True),
        "inspect": lambda path, _: arrow_ipc.inspect(path, buffers=True),
        "diff": lambda path, _: arrow_ipc.diff(path, other),
        "convert": lambda path, out: arrow_ipc.convert(path, out, compression="zstd"),
        "recover": lambda path, out: arrow_ipc.recover(path, out),
        "concat_files": lambda path, out: arrow_ipc.concat_files([path, path], out),
        "split_file": lambda path, out: arrow_ipc.split_file(path, out, batches=(0, 1)),
        "append": append,
        "append to": append_to,
    }


def test_claimed_slots(tmp_path):
    """Nulls and runs have as many slots as a file claims: no call collects them all."""
    n = 2**40
    for claimed in (pa.RunEndEncodedArray.from_arrays(pa.array([n], pa.int64()), ["run"]), pa.Array.from_buffers(pa.null(), n, [None])):
        path = tmp_path / "claimed.arrow"
        arrow_ipc.write_file(path, pa.record_batch({"r": claimed}))
        assert path.stat().st_size < 2_000
        file = arrow_ipc.open(path)
        batch = file.batch(0)
        array = batch["r"]
        value = array[0]
        works = [lambda: array[::2], lambda: array[::-1], lambda: file.column("r")[::2], lambda: batch[::-1], array._valid]
        works += [array.to_pylist, batch.to_pylist, batch.to_pydict, lambda: array.to_numpy(zero_copy_only=False)]
        for work in works:
            with pytest.raises((arrow_ipc.ArrowIpcError, MemoryError)):
                work()
        # Some of them are no matter, and nor is a loop that ends early.
        assert array[: 10**6 : 10**5].to_pylist() == [value] * 10 and len(batch[10:0:-2]) == 5
        for walk in (iter, reversed):
            assert list(itertools.islice(walk(array), 3_000)) == [value] * 3_000


def test_backwards():
    numbers = arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"n": list(range(5_000)), "t": list(map(str, range(5_000)))}))
    for name, rows in numbers.to_pydict().items():
        for n in (0, 1, 1_023, 1_024, 1_025, 5_000):
            assert list(reversed(numbers[name][:n])) == rows[:n][::-1]
    # Of so many items a block is not made at once, but one slot after the other.
    shared = pa.ListViewArray.from_arrays(pa.array([0] * 100, pa.int32()), pa.array([20_000] * 99 + [1], pa.int32()), pa.array([7] * 20_000))
    lengths = map(len, reversed(arrow_ipc.RecordBatch.from_arrow(pa.record_batch({"l": shared}))["l"]))
    assert list(lengths) == [1] + [20_000] * 99


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux has it")
@pytest.mark.filterwarnings("ignore:.* are in none of its blocks")
def test_every_hostile_file(tmp_path):
    """And again, every eighth of them or, which is more than ten thousand calls, all: this takes no more memory."""
    works, paths, out = ways(tmp_path), sorted(HOSTILE.iterdir()), tmp_path / "out.arrow"

    def growth(paths):
        before, n_refused, n_done = resident(), 0, 0
        for name, work in works.items():
            for path in paths:
                try:
                    work(path, out)
                    n_done += 1
                except arrow_ipc.ArrowIpcError as error:
                    assert error.kind and str(error), (name, path)
                    assert not name.startswith("open") or "internal" not in error.category, (name, path, error)
                    n_refused += 1
                out.unlink(missing_ok=True)
        return resident() - before, n_refused, n_done

    _, n_refused, n_done = growth(paths)
    assert n_refused + n_done > 4_500 and min(n_refused, n_done) > 1_000, (n_refused, n_done)
    again = paths if IS_LONG else paths[::8]
    # What leaks grows each time; threads that earlier tests have left may still end during one of them.
    assert any(growth(again)[0] < len(again) << 14 for _ in range(3))
    # What was not completed is not left.
    assert [path.name for path in tmp_path.iterdir()] == ["other.arrow"]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux has it")
def test_a_thousand_times(tmp_path):
    """What is opened, given away, refused and written, again and again, leaves nothing: less than 256 bytes each time."""
    target = io.BytesIO()
    arrow_ipc.write_file(target, pa.table({"n": list(range(20)), "t": ["text"] * 20}), compression="lz4")
    good = target.getvalue()
    damaged = good[:-10]
    invalid = (HOSTILE / "utf8-invalid.stream").read_bytes()

    def once():
        file = arrow_ipc.open(good)
        batch = file.batch(0)
        pa.record_batch(batch)
        batch.__arrow_c_stream__()
        batch["n"].to_pylist()
        next(iter(batch["t"]))
        for read, content in [(arrow_ipc.open, damaged), (lambda source: list(arrow_ipc.read_stream(source)), invalid)]:
            try:
                read(content)
            except arrow_ipc.ArrowIpcError:
                continue
            raise AssertionError("it is damaged")
        arrow_ipc.write_stream(io.BytesIO(), batch)

    def growth():
        before = resident()
        for _ in range(1_000):
            once()
        return resident() - before

    for _ in range(200):
        once()
    # As in the test of hostile files.
    assert any(growth() < 256 << 10 for _ in range(3))
