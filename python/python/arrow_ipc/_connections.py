"""Connections to HTTP servers, which all files and threads of the process share: idle ones are used again, and no host gets more than
`MAX_CONNECTIONS`. A forked process opens its own."""

import atexit
import base64
import collections
import dataclasses
import http.client
import os
import select
import ssl
import sys
import threading
import time
import urllib.parse
import urllib.request

from ._arrow_ipc import _escaped

# The connections to a host, idle ones included. Requests beyond them wait.
MAX_CONNECTIONS = 16
# A connection that was idle for this number of seconds is closed, since a router between may have forgotten it.
IDLE_SECONDS = 30
# A connection has failed if it sends nothing for this number of seconds.
TIMEOUT_SECONDS = 30
# Of an answer that is no range, such as a page about an error, this number of bytes is read, to use the connection again.
MAX_OTHER_BYTES = 8 << 10


class Again(Exception):
    """A request has failed, but may succeed if it is repeated."""


@dataclasses.dataclass(frozen=True)
class Server:
    """A host, and the proxy that leads to it: a URL, or `None`."""

    scheme: str
    host: str
    port: int | None
    proxy: str | None

    @classmethod
    def of(cls, parts):
        """The server of a URL that was split. The proxy is that of `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, or of the system."""
        proxies, is_direct = urllib.request.getproxies, urllib.request.proxy_bypass
        if sys.platform == "darwin":
            # Asking the system would end a forked process.
            proxies, is_direct = urllib.request.getproxies_environment, urllib.request.proxy_bypass_environment
        proxy = proxies().get(parts.scheme)
        return cls(parts.scheme, parts.hostname, parts.port, proxy if proxy and not is_direct(parts.hostname) else None)

    def connect(self):
        """A new connection, which connects with its first request."""
        if self.proxy is None:
            return connection_to(self.scheme, self.host, self.port)
        proxy = split_proxy(self.proxy)
        if self.scheme == "http":
            return connection_to(proxy.scheme, proxy.hostname, proxy.port)
        if proxy.scheme == "https":
            raise OSError(_escaped(f"the proxy {proxy.hostname} speaks TLS, which is supported for http only: begin HTTPS_PROXY with http://"))
        connection = connection_to("https", proxy.hostname, proxy.port or 80)
        connection.set_tunnel(self.host, self.port, proxy_headers(proxy))
        return connection

    def request_for(self, target, headers):
        """The target and the headers of a request. A proxy for `http` gets the whole URL."""
        if self.proxy is None or self.scheme == "https":
            return target, headers
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port else ""
        return f"http://{host}{port}{target}", headers | proxy_headers(split_proxy(self.proxy))

    @property
    def by_proxy(self):
        """What errors add: the proxy without its password."""
        return "" if self.proxy is None else f" by the proxy {split_proxy(self.proxy).hostname}"


def connection_to(scheme, host, port):
    if scheme == "https":
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT_SECONDS, context=default_context())
    return http.client.HTTPConnection(host, port, timeout=TIMEOUT_SECONDS)


def split_proxy(proxy):
    parts = urllib.parse.urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        what = f"the proxy {parts.scheme}://{parts.hostname or ''} is none of HTTP"
        raise OSError(_escaped(f"{what}: name one in HTTPS_PROXY, or the host in NO_PROXY"))
    return parts


def proxy_headers(proxy):
    return {} if proxy.username is None else {"Proxy-Authorization": basic(proxy)}


def basic(parts):
    """The value of a header with the user and the password of a URL."""
    names = (urllib.parse.unquote(name or "") for name in (parts.username, parts.password))
    return "Basic " + base64.b64encode(":".join(names).encode()).decode()


class Pool:
    """The connections to one server: slots for those in use, and those that are idle, the one that was used last at the end."""

    def __init__(self, server):
        self._server = server
        self._slots = threading.BoundedSemaphore(MAX_CONNECTIONS)
        # Its operations are atomic, so it needs no lock.
        self._idle = collections.deque()

    def get(self, target, headers, max_bytes):
        """Sends a request. Returns status, headers and body of the answer. Of a longer body, reads one byte more than `max_bytes`."""
        with self._slots:
            connection, response = self._begin(*self._server.request_for(target, headers))
            try:
                body = body_of(response, max_bytes)
            except BaseException:
                connection.close()
                raise
            if response.isclosed() and not response.will_close:
                self._idle.append((time.monotonic(), connection))
                self.close_older_than(IDLE_SECONDS)
            else:
                response.close()
                connection.close()
        return response.status, response.headers, body

    def _begin(self, target, headers):
        """Sends a request, and waits for the start of its answer. Returns the connection and the response."""
        connection = self._take()
        if connection is not None:
            try:
                return connection, answer_of(connection, target, headers)
            except TimeoutError:
                raise
            except OSError:
                # The server has closed it while it was idle. This is no failure of the request.
                pass
        connection = self._new()
        return connection, answer_of(connection, target, headers)

    def _new(self):
        close_idle(IDLE_SECONDS)
        return self._server.connect()

    def _take(self):
        """The idle connection that was used last and is still open; `None` if there is none."""
        while self._idle:
            try:
                since, connection = self._idle.pop()
            except IndexError:
                break
            # The end of a connection can be read, and nothing else can while no request runs.
            if time.monotonic() - since < IDLE_SECONDS and not is_readable(connection.sock):
                return connection
            connection.close()
        return None

    def close_older_than(self, seconds):
        """Closes connections that were idle for longer."""
        while self._idle:
            try:
                since, connection = self._idle.popleft()
            except IndexError:
                break
            if time.monotonic() - since < seconds:
                self._idle.appendleft((since, connection))
                break
            connection.close()


def answer_of(connection, target, headers):
    try:
        connection.request("GET", target, headers=headers)
        return connection.getresponse()
    except BaseException:
        connection.close()
        raise


def body_of(response, max_bytes):
    """The body of a range, and of a longer one, one byte more than `max_bytes`. Other answers have none."""
    if response.status != 206:
        response.read(MAX_OTHER_BYTES)
        return b""
    body = response.read(max_bytes + 1)
    expected = response.headers.get("Content-Length", "")
    if expected.isdecimal() and len(body) < min(int(expected), max_bytes + 1):
        raise Again(_escaped(f"the connection ended after {len(body)} of {expected} bytes"))
    return body


def is_readable(sock):
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([sock], [], [], 0)[0])


class Shared:
    """What all files of the process share. It is made anew in a forked process."""

    def __init__(self):
        self.lock = threading.Lock()
        self.pools = {}
        self.context = None


shared = Shared()


def get(server, target, headers, max_bytes):
    """Sends a request to a server, by a connection of its pool. See `Pool.get`."""
    with shared.lock:
        pool = shared.pools.get(server) or shared.pools.setdefault(server, Pool(server))
    return pool.get(target, headers, max_bytes)


def default_context():
    """The settings of TLS, which take longer to load than a request takes."""
    with shared.lock:
        if shared.context is None:
            shared.context = ssl.create_default_context()
        return shared.context


def close_idle(seconds=0):
    """Closes the connections that were idle for this number of seconds."""
    for pool in list(shared.pools.values()):
        pool.close_older_than(seconds)


def forget():
    """In a forked process: the connections belong to its parent, and threads that are not here may hold slots and locks."""
    global shared
    close_idle()
    shared = Shared()


atexit.register(close_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)
