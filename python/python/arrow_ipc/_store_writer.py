"""Writes files to stores: a file has its name when it is complete, and an error leaves no part of it."""

import contextlib
import os
import secrets

from ._arrow_ipc import _escaped
from ._remote import reported
from ._stores import explained, file_system_of, move_file, without_secrets

# In the stores of these packages, an object is there when its upload is completed. Elsewhere, a file is renamed when it is complete.
UPLOADING = ("s3fs", "gcsfs", "adlfs")


def has_uploads(fs):
    return type(fs).__module__.partition(".")[0] in UPLOADING


@reported
def create(url):
    """Begins a file at a URL."""
    if url.partition("://")[0].lower() in ("http", "https"):
        raise ValueError(_escaped(f"{without_secrets(url)}: servers of HTTP are not written to, but stores such as s3://bucket/name.arrow"))
    return StoreWriter(url)


class StoreWriter:
    """A file that is written. It ends with `commit` or with `abort`."""

    def __init__(self, url):
        self._url = url
        # A forked process has the same upload, which only its parent ends.
        self._process = os.getpid()
        self._fs, self._path = file_system_of(url)
        self._temporary = None if has_uploads(self._fs) else hidden_beside(self._path)
        with explained(url):
            self._file = self._fs.open(self._temporary or self._path, "wb")

    @reported
    def write(self, content):
        with explained(self._url):
            return self._file.write(content)

    @reported
    def commit(self):
        """Completes the file."""
        with explained(self._url):
            self._file.close()
            if self._temporary is not None:
                move_file(self._fs, self._temporary, self._path)

    def abort(self):
        """Ends the file without a name. Ignores errors, since it follows one."""
        # Then closing it does not complete it.
        self._file.forced = True
        if self._process != os.getpid():
            self._file.closed = True
            return
        with contextlib.suppress(Exception):
            if self._temporary is None:
                self._file.discard()
        with contextlib.suppress(Exception):
            self._file.close()
        with contextlib.suppress(Exception):
            if self._temporary is not None:
                self._fs.rm_file(self._temporary)


def hidden_beside(path):
    """A path in the same folder that readers of data sets ignore."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}.{name}.{secrets.token_hex(8)}.unfinished"
