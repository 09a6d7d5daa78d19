"""Batches by ``async for``: read by other threads, none lost and none twice."""

import asyncio
import io
import threading

import arrow_ipc
import pyarrow as pa
import pytest


def batches_of(n_batches=20, n_rows=100):
    return [pa.record_batch({"n": list(range(k, k + n_rows)), "word": ["a", "b"] * (n_rows // 2)}) for k in range(n_batches)]


def file_of(batches):
    target = io.BytesIO()
    arrow_ipc.write_file(target, batches, compression="lz4")
    return target.getvalue()


def stream_of(batches):
    target = io.BytesIO()
    arrow_ipc.write_stream(target, batches)
    return target.getvalue()


@pytest.fixture(scope="module")
def batches():
    return batches_of()


async def collect(source):
    return [pa.record_batch(batch) async for batch in source]


def test_files_and_streams(batches, tmp_path):
    path = tmp_path / "words.arrow"
    path.write_bytes(file_of(batches))
    for source in [path, path.read_bytes(), io.BytesIO(path.read_bytes())]:
        file = arrow_ipc.open(source)
        assert asyncio.run(collect(file)) == batches
        assert asyncio.run(collect(file)) == batches, "a file has all its batches each time"
    assert asyncio.run(collect(arrow_ipc.open(path).select(["word"])))[0] == batches[0].select(["word"])
    assert asyncio.run(collect(arrow_ipc.dataset(path))) == batches
    stream = arrow_ipc.read_stream(stream_of(batches))
    assert asyncio.run(collect(stream)) == batches
    assert asyncio.run(collect(stream)) == [], "a stream has each batch once"
    assert asyncio.run(collect(arrow_ipc.read_stream(stream_of([batches[0]])))) == batches[:1]


class Waiting(io.RawIOBase):
    """A stream that comes when it may."""

    def __init__(self, content):
        self.content = io.BytesIO(content)
        self.may_read = threading.Event()
        self.may_read.set()
        self.is_waiting = threading.Event()

    def readable(self):
        return True

    def read(self, n=-1):
        if not self.may_read.is_set():
            self.is_waiting.set()
            assert self.may_read.wait(30)
        return self.content.read(min(n, 200) if n >= 0 else 200)


def test_the_loop_goes_on_meanwhile(batches):
    async def run():
        source = Waiting(stream_of(batches))
        stream = await asyncio.to_thread(arrow_ipc.read_stream, source)
        source.may_read.clear()
        reading = asyncio.create_task(collect(stream))
        # The thread waits for the source, this one does not.
        while not source.is_waiting.is_set():
            await asyncio.sleep(0.001)
        assert not reading.done()
        source.may_read.set()
        return await reading

    assert asyncio.run(run()) == batches


def test_cancelled_tasks_lose_nothing(batches):
    async def run():
        source = Waiting(stream_of(batches))
        stream = await asyncio.to_thread(arrow_ipc.read_stream, source)
        found = []
        n_cancelled = 0
        iterator = aiter(stream)
        for k in range(len(batches)):
            # Cancelled while it waits, several times; the same iterator goes on, or another one, or none.
            source.may_read.clear()
            source.is_waiting.clear()
            for _ in range(3):
                try:
                    found.append(pa.record_batch(await asyncio.wait_for(anext(iterator), 0.005)))
                    break
                except asyncio.TimeoutError:
                    n_cancelled += 1
            else:
                source.may_read.set()
                if k % 3 == 1:
                    iterator = aiter(stream)
                if k % 3 == 2:
                    found.append(pa.record_batch(await asyncio.to_thread(next, stream)))
                else:
                    found.append(pa.record_batch(await anext(iterator)))
        source.may_read.set()
        found += await collect(stream)
        return found, n_cancelled

    found, n_cancelled = asyncio.run(run())
    assert n_cancelled > 20
    assert found == batches


def test_cancelled_tasks_lose_nothing_of_a_file(batches):
    async def run():
        iterator = aiter(arrow_ipc.open(file_of(batches)))
        found = []
        while True:
            task = asyncio.ensure_future(anext(iterator))
            # Before it began, while it waits, or after it is done.
            for _ in range(len(found) % 4):
                await asyncio.sleep(0)
            if task.cancel():
                try:
                    found.append(await task)
                except asyncio.CancelledError:
                    pass
            elif task.exception():
                return found
            else:
                found.append(task.result())
            try:
                found.append(await anext(iterator))
            except StopAsyncIteration:
                return found

    found = asyncio.run(run())
    assert [pa.record_batch(batch) for batch in found] == batches


def test_tasks_that_share_an_iterator_get_each_batch_once(batches):
    async def run():
        iterator = aiter(arrow_ipc.open(file_of(batches)))
        found = await asyncio.gather(*(collect(iterator) for _ in range(5)))
        return [batch for some in found for batch in some]

    found = asyncio.run(run())
    assert sorted(batch["n"][0].as_py() for batch in found) == list(range(len(batches)))


def test_one_batch_is_prefetched(batches):
    """Not more: memory is bounded however slow the program is."""
    positions = []

    class Counting(io.BytesIO):
        def read(self, n=-1):
            positions.append(self.tell())
            return super().read(n)

    async def run():
        large = batches_of(10, 100_000)
        file = arrow_ipc.open(Counting(file_of(large)))
        positions.clear()
        iterator = aiter(file)
        await anext(iterator)
        await asyncio.sleep(0.2)
        return len(set(positions)), len(large)

    n_read, n_batches = asyncio.run(run())
    n_requests_per_batch = 2
    assert n_read <= 2 * n_requests_per_batch + 1 < n_batches


def test_errors_come_in_their_place(batches):
    content = bytearray(stream_of(batches))
    content[len(content) // 2 :] = b""

    async def run():
        found = []
        with pytest.raises(arrow_ipc.ArrowIpcError, match="truncated"):
            async for batch in arrow_ipc.read_stream(bytes(content)):
                found.append(pa.record_batch(batch))
        return found

    found = asyncio.run(run())
    assert 0 < len(found) < len(batches)
    assert found == batches[: len(found)]

    async def closed():
        stream = arrow_ipc.read_stream(stream_of(batches))
        await anext(aiter(stream))
        stream.close()
        with pytest.raises(arrow_ipc.ArrowIpcError, match="closed"):
            await anext(aiter(stream))
        file = arrow_ipc.open(file_of(batches))
        file.close()
        with pytest.raises(arrow_ipc.ArrowIpcError, match="closed"):
            aiter(file)

    asyncio.run(closed())


def test_a_loop_that_ends_early(batches):
    async def first(source):
        async for batch in source:
            return pa.record_batch(batch)

    stream = arrow_ipc.read_stream(stream_of(batches))
    assert asyncio.run(first(stream)) == batches[0]
    assert asyncio.run(first(stream)) == batches[1], "the rest is still there"
    assert [pa.record_batch(batch) for batch in stream] == batches[2:]
    assert asyncio.run(first(arrow_ipc.open(file_of(batches)))) == batches[0]
