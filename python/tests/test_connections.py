"""Connections to servers: all files share them, a closed one is replaced at once, and a fork has its own."""

import contextlib
import http.server
import io
import os
import socket
import ssl
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import arrow_ipc
import pytest

pa = pytest.importorskip("pyarrow")

TLS = Path(__file__).parents[2] / "testing/remote/tls"


@pytest.fixture(scope="module")
def content():
    """A file of three batches."""
    target = io.BytesIO()
    table = pa.table({f"c{k}": pa.array(range(k, 3_000 + k), pa.int64()) for k in range(20)})
    arrow_ipc.write_file(target, table.to_batches(max_chunksize=1_000))
    return target.getvalue()


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def never_again(monkeypatch):
    """A request that fails is not repeated."""
    monkeypatch.setattr("arrow_ipc._remote.PAUSES", ())


def test_all_files_share_the_connections_of_a_host(server, content):
    urls = [server.put(f"{k}.arrow", content) for k in range(40)]
    server.delay_seconds = 0.005
    data = arrow_ipc.dataset(urls)
    assert pa.table(data.select(["c3"])).num_rows == 120_000
    assert server.n_connections <= 16, server.n_connections
    server.reset()
    assert pa.table(data.select(["c7", "c11"])).num_rows == 120_000
    assert [arrow_ipc.open(url).num_rows for url in urls] == [3_000] * 40
    assert server.n_connections <= 16 and len(server.seen) > 40
    server.reset()
    assert arrow_ipc.open(urls[0]).num_rows == 3_000
    assert server.n_connections == 0


def test_a_connection_that_the_server_has_closed_is_replaced(server, content, never_again):
    file = arrow_ipc.open(server.put("a.arrow", content))
    # It is seen that the connection has ended.
    server.close_connections()
    assert file.batch(0).num_rows == 1_000
    # It ends when it is used.
    server.reset({0: "no answer"})
    assert file.batch(1).num_rows == 1_000
    assert server.seen[0] == server.seen[1] and server.n_connections == 1
    server.reset({0: "closed after it"})
    assert file.batch(2, columns=["c1"]).num_rows == 1_000
    # A new connection that ends is a failure.
    server.reset({"always": "no answer"})
    with pytest.raises(OSError, match="RemoteDisconnected"):
        file.batch(0, columns=["c19"])
    assert len(server.seen) <= 2


def test_pages_about_errors_keep_the_connection(server, content):
    url = server.put("a.arrow", content)
    arrow_ipc.open(url)
    server.reset()
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            arrow_ipc.open(f"{server.url}/none.arrow")
    assert len(arrow_ipc.open(f"{server.url}/moved/a.arrow").schema.names) == 20
    assert server.n_connections == 0


def test_old_connections_are_closed(server, content, monkeypatch):
    url = server.put("a.arrow", content)
    arrow_ipc.open(url)
    monkeypatch.setattr("arrow_ipc._connections.IDLE_SECONDS", 0)
    server.reset()
    arrow_ipc.open(url)
    assert server.n_connections == 1
    pools = arrow_ipc._connections.shared.pools
    assert not any(pool._idle for pool in pools.values())


def test_more_requests_than_connections_wait(server, content, monkeypatch):
    monkeypatch.setattr("arrow_ipc._connections.MAX_CONNECTIONS", 2)
    server.delay_seconds = 0.001
    urls = [server.put(f"{k}.arrow", content) for k in range(20)]
    assert arrow_ipc.dataset(urls).count() == 60_000
    assert server.n_connections <= 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_has_its_own_connections(server, content):
    url = server.put("a.arrow", content)
    file = arrow_ipc.open(url)
    server.delay_seconds = 0.3
    # A thread holds a slot and a connection during the fork.
    threads = [threading.Thread(target=arrow_ipc.open, args=(url,)) for _ in range(16)]
    for thread in threads:
        thread.start()
    while len(server.seen) < 17:
        pass
    with warnings.catch_warnings():
        # Newer versions of Python warn of a fork beside threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        # Without what pytest does at the end of a process.
        with contextlib.suppress(BaseException):
            os._exit(int(file.batch(0).num_rows != 1_000 or arrow_ipc.open(url).num_rows != 3_000))
        os._exit(2)
    for thread in threads:
        thread.join()
    assert os.waitpid(child, 0)[1] == 0
    server.delay_seconds = 0
    n_connections = server.n_connections
    assert file.batch(1).num_rows == 1_000
    assert server.n_connections == n_connections


def test_no_connection_is_left_open_at_the_end(server, content):
    url = server.put("a.arrow", content)
    code = f"import arrow_ipc; print(arrow_ipc.open({url!r}).num_rows)"
    found = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", code], capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("3000\n", "")


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes on requests for `http`, and bytes for `https`, to `server.to`."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def is_refused(self):
        self.server.seen.append((self.command, self.path, self.headers.get("Proxy-Authorization")))
        if self.server.refuses:
            self.send_response(407)
            self.send_header("Content-Length", "0")
            self.end_headers()
        return self.server.refuses

    def do_GET(self):
        if self.is_refused():
            return
        target = self.path.removeprefix("http://files.example")
        connection = http.client.HTTPConnection("127.0.0.1", self.server.to)
        try:
            connection.request("GET", target, headers={name: self.headers[name] for name in ("Range", "If-Match") if name in self.headers})
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        self.send_response(answer.status)
        for name in ("Content-Range", "ETag", "Content-Length"):
            self.send_header(name, answer.headers[name])
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self):
        if self.is_refused():
            return
        with socket.create_connection(("127.0.0.1", self.server.to)) as there:
            self.send_response(200)
            self.end_headers()
            back = threading.Thread(target=passed, args=(there, self.connection))
            back.start()
            passed(self.connection, there)
            back.join()
        self.close_connection = True


def passed(source, dest):
    with contextlib.suppress(OSError):
        while some := source.recv(1 << 16):
            dest.sendall(some)
        dest.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def proxy(server):
    proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    proxy.daemon_threads = True
    proxy.seen, proxy.refuses, proxy.to = [], False, server.server_port
    thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield proxy
    proxy.shutdown()
    thread.join()
    proxy.server_close()


def test_proxies_of_http(server, proxy, content, monkeypatch):
    server.put("a.arrow", content)
    monkeypatch.setenv("http_proxy", f"http://ada:se%20cret@127.0.0.1:{proxy.server_port}")
    assert arrow_ipc.open("http://files.example/a.arrow").num_rows == 3_000
    assert set(proxy.seen) == {("GET", "http://files.example/a.arrow", "Basic YWRhOnNlIGNyZXQ=")}
    # Not for hosts that are named.
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    n_seen = len(proxy.seen)
    assert arrow_ipc.open(f"{server.url}/a.arrow").num_rows == 3_000
    assert len(proxy.seen) == n_seen
    proxy.refuses = True
    with pytest.raises(PermissionError, match="the proxy wants"):
        arrow_ipc.open("http://files.example/a.arrow")
    monkeypatch.setenv("http_proxy", "socks5://ada:secret@127.0.0.1:1")
    with pytest.raises(OSError, match="socks5://127.0.0.1 is none of HTTP") as raised:
        arrow_ipc.open("http://files.example/a.arrow")
    assert "secret" not in str(raised.value)
    monkeypatch.setenv("http_proxy", "http://ada:secret@127.0.0.1:1")
    monkeypatch.setattr("arrow_ipc._remote.PAUSES", ())
    with pytest.raises(OSError, match="by the proxy 127.0.0.1") as raised:
        arrow_ipc.open("http://files.example/a.arrow")
    assert "secret" not in str(raised.value)


@pytest.fixture
def trusted(monkeypatch):
    """Trusts the certificate of the tests, for settings of TLS that are loaded now."""
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS / "certificate.pem"))
    monkeypatch.setattr("arrow_ipc._connections.shared", arrow_ipc._connections.Shared())
    yield
    arrow_ipc._connections.close_idle()


def test_tls_and_proxies_of_https(server, proxy, content, monkeypatch, trusted):
    server.put("a.arrow", content)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    url = f"https://127.0.0.1:{server.server_port}/a.arrow"
    assert arrow_ipc.open(url).num_rows == 3_000
    server.reset()
    assert len(arrow_ipc.open(url).schema.names) == 20
    assert server.n_connections == 0 and not proxy.seen
    server.close_connections()
    assert arrow_ipc.open(url).num_rows == 3_000
    monkeypatch.setenv("https_proxy", f"http://ada:secret@127.0.0.1:{proxy.server_port}")
    assert arrow_ipc.open(url).num_rows == 3_000
    assert set(proxy.seen) == {("CONNECT", f"127.0.0.1:{server.server_port}", "Basic YWRhOnNlY3JldA==")}
    proxy.refuses = True
    arrow_ipc._connections.close_idle()
    with pytest.raises(OSError, match="407"):
        arrow_ipc.open(url)
