"""File-like objects: memory that may change while it is read, and named pipes."""

import os
from io import FileIO


class MemoryFile:
    """A `memoryview` of bytes, as a file-like object with its own position."""

    def __init__(self, memory: memoryview) -> None:
        self._memory = memory
        self._position = 0

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._position = offset + (len(self._memory) if whence == os.SEEK_END else 0)
        return self._position

    def read(self, n: int) -> bytes:
        found = self._memory[self._position : self._position + n].tobytes()
        self._position += len(found)
        return found


class Fifo(FileIO):
    """A named pipe, which is closed when the object is deleted."""

    def __del__(self) -> None:
        self.close()
