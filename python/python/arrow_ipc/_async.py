"""Batches for ``async for``: a thread of the event loop's executor reads each batch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ._arrow_ipc import File, RecordBatch, Stream

_T = TypeVar("_T")


async def aenter(thing: _T) -> _T:
    return thing


async def aexit(thing: File | Stream) -> None:
    """Closes the object in another thread, because closing may have to wait for a thread that reads."""
    await asyncio.to_thread(thing.close)


class AsyncBatches(AsyncIterator["RecordBatch"]):
    """An asynchronous iterator over the batches of a stream.

    If a task is cancelled while it waits for a batch, the next call returns this batch. If tasks share an iterator, each batch is
    returned to one of them.
    """

    def __init__(self, stream: Stream, prefetches: bool) -> None:
        self._stream = stream
        # Whether the next batch is read while the current one is used.
        self._prefetches = prefetches
        # A thread that reads the next batch.
        self._reading: asyncio.Future[None] | None = None
        self._turn = asyncio.Lock()

    def __aiter__(self) -> AsyncBatches:
        return self

    async def __anext__(self) -> RecordBatch:
        async with self._turn:
            read = None
            # Repeats if another task took the batch that was read.
            while read is None:
                if self._reading is None or self._reading.cancelled():
                    self._reading = self._read()
                # A thread cannot be cancelled: it continues to read, and the next call waits for it.
                await asyncio.shield(self._reading)
                self._reading = None
                read = self._stream._take_read()
            (batch,) = read
            if batch is None:
                raise StopAsyncIteration
            if self._prefetches:
                self._reading = self._read()
            return batch

    def _read(self) -> asyncio.Future[None]:
        return asyncio.get_running_loop().run_in_executor(None, self._stream._read_next)
