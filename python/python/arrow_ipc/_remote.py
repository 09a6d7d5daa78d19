"""Files at URLs. Reads ranges of a file, all from the same version of the file.

``http`` and ``https`` need no other package. The module ``_stores`` opens all other URLs.

A file has ``size`` and ``fetch(ranges, max_requests)``, which returns the bytes of several ranges. It makes at most ``max_requests``
requests at the same time. Several threads can call it.
"""

import collections
import functools
import http.client
import importlib
import threading
import time
import urllib.parse

from . import _connections
from ._arrow_ipc import Location, _escaped
from ._connections import Again

# The number of bytes at the end that are read when a file is opened: they usually contain the footer.
TAIL_BYTES = (64 << 10) + 64
# The seconds to wait before each repetition of a request that failed, but may succeed.
PAUSES = (0.1, 0.4, 1.6)
MAX_REDIRECTS = 5


def reported(function):
    """Adds `location` and `hint`, which all errors of this package have, to errors of the function. The location is empty. Escapes their
    texts and those of their causes, which tracebacks show, too: they have texts of a server."""

    @functools.wraps(function)
    def call(*given):
        try:
            return function(*given)
        except Exception as error:
            if isinstance(error, OSError) and not hasattr(error, "location"):
                error.hint, error.location = None, Location()
            escape(error)
            raise

    return call


def escape(error):
    """Escapes the texts of an error, its causes, and the errors during which they were raised."""
    seen, left = set(), [error]
    while left:
        error = left.pop()
        if error is not None and id(error) not in seen:
            seen.add(id(error))
            args = tuple(_escaped(arg) if isinstance(arg, str) else arg for arg in error.args)
            if args != error.args:
                error.args = args
            left += [error.__cause__, error.__context__]


@reported
def open_url(url, n_bytes=TAIL_BYTES, at_start=False):
    """Opens the file at a URL. For HTTP, also reads `n_bytes` bytes, at the end or at the start."""
    scheme = url.partition("://")[0].lower()
    if scheme in ("http", "https"):
        return HttpFile(url, n_bytes, at_start)
    stores = importlib.import_module("arrow_ipc._stores")
    return stores.StoreFile(url)


def parallel(function, items, max_threads):
    """Calls the function for all items, and returns the results in order. Uses several threads, including the calling one. If the system
    cannot start more threads, those that run do all the work. All threads have ended when the call returns, so a program may fork."""
    items = list(items)
    results, failures, left = [None] * len(items), {}, collections.deque(enumerate(items))

    def work():
        while left:
            try:
                index, item = left.popleft()
            except IndexError:
                return
            try:
                results[index] = function(item)
            except BaseException as failure:
                failures[index] = failure
                left.clear()

    threads = []
    try:
        for _ in range(min(len(items), max_threads) - 1):
            thread = threading.Thread(target=work)
            thread.start()
            threads.append(thread)
    except RuntimeError:
        # The system cannot start more threads.
        pass
    try:
        work()
    finally:
        left.clear()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[min(failures)]
    return results


class HttpFile:
    """A file on a server that supports range requests."""

    def __init__(self, url, n_bytes=TAIL_BYTES, at_start=False):
        self._condition = {}
        self._tag = None
        self._go_to(url)
        try:
            self._open(n_bytes, at_start)
        except OSError as error:
            raise type(error)(_escaped(f"{self.name}: {error}")) from error

    def _go_to(self, url):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(_escaped(f"{parts.scheme}://{parts.hostname or ''}: expected http or https, and a host"))
        self._parts = parts
        self._target = urllib.parse.urlunsplit(("", "", parts.path or "/", parts.query, ""))
        # No request for a URL with these characters can succeed.
        in_target = (char for char in self._target if not "!" <= char <= "~")
        in_host = (char for char in parts.hostname if char <= " " or char == "\x7f")
        if wrong := [*in_target, *in_host]:
            where = f"{parts.scheme}://{parts.hostname}{parts.path}"
            raise ValueError(_escaped(f"{where}: a URL has no {wrong[0]!r}: `urllib.parse.quote(path)` escapes it"))
        self._server = _connections.Server.of(parts)
        self._headers = {"User-Agent": "arrow-ipc", "Accept-Encoding": "identity"}
        if parts.username is not None:
            self._headers["Authorization"] = _connections.basic(parts)
        # The name does not contain a password or a signature.
        port = f":{parts.port}" if parts.port else ""
        self.name = f"{parts.scheme}://{parts.hostname}{port}{parts.path}"

    def _open(self, n_bytes, at_start):
        """Reads the end or the start of the file, and stores its length and version."""
        span = f"0-{n_bytes - 1}" if at_start else f"-{n_bytes}"
        for _ in range(MAX_REDIRECTS):
            status, headers, body = self._request({"Range": f"bytes={span}"}, n_bytes)
            location = headers.get("Location")
            if status not in (301, 302, 303, 307, 308) or location is None:
                break
            before = self._parts
            self._go_to(urllib.parse.urljoin(urllib.parse.urlunsplit(before), location))
            if before.scheme == "https" and self._parts.scheme == "http":
                raise OSError("redirected from https to http, which is refused")
        self._check_status(status)
        found = content_range(headers)
        if status == 416 and headers.get("Content-Range", "").strip() == "bytes */0":
            self.size, self._kept_at, self._kept = 0, 0, b""
        elif status != 206 or found is None:
            whole = "pass `urllib.request.urlopen(url).read()`, which is all of it" if status == 200 else "is it a file?"
            raise OSError(_escaped(f"the server does not answer ranges (status {status}): {whole}"))
        else:
            start, end, self.size = found
            wanted = (0, min(self.size, n_bytes)) if at_start else (max(self.size - n_bytes, 0), self.size)
            if (start, end) != wanted or len(body) != end - start:
                what = f"the {'first' if at_start else 'last'} {n_bytes} of {self.size} bytes were requested"
                raise OSError(_escaped(f"{what}; the answer has {start}..{end}"))
            self._kept_at, self._kept = start, body
        self._tag = tag_of(headers)
        kind, value = self._tag
        if kind is None and self.size > len(self._kept):
            why = "the server returns no etag or time of modification"
            whole = "pass `urllib.request.urlopen(url).read()`, which is all of it"
            raise OSError(_escaped(f"{why}, so a change could not be noticed: {whole}"))
        # A weak etag does not match in a condition, so it is compared with that of each answer.
        if kind == "ETag" and not value.startswith("W/"):
            self._condition = {"If-Match": value}
        elif kind == "Last-Modified":
            self._condition = {"If-Unmodified-Since": value}

    def version(self):
        """The tag of this version of the file."""
        return f"{self.size} bytes, {self._tag}"

    @reported
    def fetch(self, ranges, max_requests):
        """The bytes of several ranges, each a pair of start and end. At most `max_requests` requests run at the same time."""
        return parallel(self._fetch, ranges, min(max_requests, _connections.MAX_CONNECTIONS))

    def _fetch(self, wanted):
        start, end = wanted
        if self._kept_at <= start <= end <= self._kept_at + len(self._kept):
            return self._kept[start - self._kept_at : end - self._kept_at]
        try:
            range_header = {"Range": f"bytes={start}-{end - 1}"}
            status, headers, body = self._request(range_header | self._condition, end - start)
            self._check_status(status)
            if status != 206 or content_range(headers) != (start, end, self.size):
                found = headers.get("Content-Range")
                raise OSError(_escaped(f"the answer has status {status} and the range {found!r} of {self.size} bytes"))
            if tag_of(headers) != self._tag:
                raise OSError(_escaped(f"changed while being read: its {self._tag[0]} was {self._tag[1]}, and is {tag_of(headers)[1]} now"))
            if len(body) != end - start:
                raise OSError(_escaped(f"the answer has {len(body)} bytes instead of {end - start}"))
            return body
        except OSError as error:
            # Raises the same class of exception, with the name of the file and the range.
            raise type(error)(_escaped(f"{self.name}, bytes {start}..{end}: {error}")) from error

    def _check_status(self, status):
        if status in (404, 410):
            raise FileNotFoundError(_escaped(f"the server answered with status {status}"))
        if status in (401, 403):
            raise PermissionError(_escaped(f"the server answered with status {status}"))
        if status == 407:
            raise PermissionError("the proxy wants a name and a password, as in HTTP_PROXY=http://name:password@host:port")
        if status == 412:
            raise OSError(_escaped(f"changed while being read: its {self._tag[0]} is no longer {self._tag[1]}"))
        if status not in (200, 206, 416):
            raise OSError(_escaped(f"the server answered with status {status}"))

    def _request(self, headers, max_bytes):
        """Sends a request. Returns status, headers and body of the answer. Of a longer body, reads one byte more than `max_bytes`."""
        for pause in (*PAUSES, None):
            try:
                return self._request_once(headers, max_bytes)
            except (Again, http.client.HTTPException, ConnectionError, TimeoutError) as error:
                if pause is None:
                    cause = error if isinstance(error, Again) else f"{type(error).__name__}: {error}"
                    raise OSError(_escaped(f"{cause}, after {len(PAUSES)} more attempts{self._server.by_proxy}")) from error
                time.sleep(pause)

    def _request_once(self, headers, max_bytes):
        status, headers, body = _connections.get(self._server, self._target, self._headers | headers, max_bytes)
        if status in (429, 500, 502, 503, 504):
            raise Again(_escaped(f"the server answered with status {status}"))
        return status, headers, body


def content_range(headers):
    """Parses `Content-Range`: start and end of the range, and length of the file. `None` if the header is missing or invalid."""
    try:
        unit, _, rest = headers.get("Content-Range", "").strip().partition(" ")
        span, _, size = rest.partition("/")
        start, _, last = span.partition("-")
        return (int(start), int(last) + 1, int(size)) if unit == "bytes" else None
    except ValueError:
        return None


def tag_of(headers):
    """The tag of a version of a file: the etag, or the modification time if there is no etag."""
    for kind in ("ETag", "Last-Modified"):
        if headers.get(kind):
            return kind, headers[kind]
    return None, None
