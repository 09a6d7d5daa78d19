"""A server of ranges on loopback, which can be told to answer wrongly."""

import contextlib
import http.server
import socket
import threading
import time


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.objects = {}
        self.faults = {}
        self.seen = []
        # How long an answer takes, the connections since the last `reset`, and those that are open.
        self.delay_seconds = 0
        self.n_connections = 0
        self.open = set()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def put(self, name, content, **tags):
        """Serves an object with these headers, by default with an etag."""
        headers = {name.replace("_", "-"): value for name, value in tags.items()}
        self.objects[f"/{name}"] = (bytes(content), headers or {"ETag": '"1"'})
        return f"{self.url}/{name}"

    @contextlib.contextmanager
    def running(self):
        """Answers in another thread until the block ends."""
        thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            self.shutdown()
            thread.join()
            self.server_close()

    def reset(self, faults=()):
        self.seen, self.faults, self.n_connections = [], dict(faults), 0

    def close_connections(self):
        """Closes all connections, as servers do that were not asked for a while."""
        with self.lock:
            for connection in self.open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request, client_address):
        """Clients may go away."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers are not delayed until the client has acknowledged their first part.
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.n_connections += 1
            self.server.open.add(self.connection)

    def finish(self):
        with self.server.lock:
            self.server.open.discard(self.connection)
        super().finish()

    def status(self, status, **headers):
        self.send_response(status)
        for name, value in ({"Content-Length": "0"} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def do_GET(self):
        server = self.server
        with server.lock:
            fault = server.faults.get(len(server.seen), server.faults.get("always"))
            server.seen.append((self.path, self.headers.get("Range"), self.headers.get("Authorization")))
        time.sleep(server.delay_seconds)
        if fault == "no answer":
            self.close_connection = True
            return
        if isinstance(fault, int):
            self.status(fault)
            return
        # The query is a signature, unless an object has it in its name.
        path = self.path if self.path in server.objects else self.path.partition("?")[0]
        if path.startswith("/moved/"):
            self.status(302, Location=path.removeprefix("/moved"))
            return
        if path not in server.objects:
            self.status(404)
            return
        content, tags = server.objects[path]
        if self.headers.get("If-Match", tags.get("ETag")) != tags.get("ETag"):
            self.status(412)
            return
        modified = tags.get("Last-Modified")
        if self.headers.get("If-Unmodified-Since", modified) != modified:
            self.status(412)
            return
        first, _, last = self.headers["Range"].removeprefix("bytes=").partition("-")
        n_bytes = len(content)
        start = int(first) if first else max(n_bytes - int(last), 0)
        end = min(int(last) + 1, n_bytes) if first else n_bytes
        if start >= end:
            self.status(416, Content_Range=f"bytes */{n_bytes}")
            return
        body = content[start:end]
        headers = dict(tags)
        if fault != "whole":
            shift = 8 if fault == "other range" else 0
            total = n_bytes + (8 if fault == "other length" else 0)
            headers["Content-Range"] = f"bytes {start + shift}-{end + shift - 1}/{total}"
        if fault == "other tag":
            headers["ETag"] = '"other"'
        body = {"fewer": body[:-8], "more": body + bytes(8), "whole": content}.get(fault, body)
        self.send_response(200 if fault == "whole" else 206)
        headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if fault == "closed":
            self.wfile.write(body[:-8])
            self.close_connection = True
            return
        self.close_connection |= fault == "closed after it"
        with contextlib.suppress(ConnectionError):
            self.wfile.write(body)
