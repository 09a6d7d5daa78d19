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
        "open bytes, unchecked": lambda path, _: taken(arrow_ipc.open(path.read_bytes(), validation="deferred")),
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


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_every_hostile_file(tmp_path):
    n_refused = n_done = 0
    for name, work in ways(tmp_path).items():
        out = tmp_path / "out.arrow"
        for path in sorted(HOSTILE.iterdir()):
            try:
                work(path, out)
                n_done += 1
            except arrow_ipc.ArrowIpcError as error:
                assert error.kind and str(error), (name, path)
                assert not name.startswith("open") or "internal" not in error.category, (name, path, error)
                n_refused += 1
            out.unlink(missing_ok=True)
    assert n_refused > 1_000 and n_done > 1_000, (n_refused, n_done)
    # What was not completed is not left.
    assert [path.name for path in tmp_path.iterdir()] == ["other.arrow"]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux has it")
def test_ten_thousand_times(tmp_path):
    """What is opened, given away, refused and written, again and again, leaves nothing."""
    target = io.BytesIO()
    arrow_ipc.write_file(target, pa.table({"n": list(range(200)), "t": ["text"] * 200}), compression="lz4")
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

    for _ in range(1_000):
        once()
    before = resident()
    for _ in range(10_000):
        once()
    assert resident() - before < 4 << 20
