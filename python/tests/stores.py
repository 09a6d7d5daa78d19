"""Stores for tests: S3, as `moto` speaks it on loopback, and what `s3fs` asks of it."""

import contextlib
import logging
import urllib.request

import pytest


@contextlib.contextmanager
def s3_store(monkeypatch):
    """A store with the bucket `sales`, and the file system of `s3fs` for it. Its `calls` are what was asked."""
    moto = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        # Without what an earlier server of this process got.
        urllib.request.urlopen(f"http://{host}:{port}/moto-api/reset", data=b"").close()
        settings = {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        calls = []
        before_calls_of_s3(monkeypatch, calls.append)
        # Longer files are uploaded in parts.
        monkeypatch.setattr(s3fs.S3FileSystem, "default_block_size", 5 << 20)
        store = s3fs.S3FileSystem()
        store.mkdir("sales")
        store.test_calls = calls
        yield store
    finally:
        server.stop()
        s3fs.S3FileSystem.clear_instance_cache()


def before_calls_of_s3(monkeypatch, function):
    """Calls a function with the name of each request of `s3fs`, before it is made."""
    s3fs = pytest.importorskip("s3fs")
    for name in ("_call_s3", "call_s3"):

        def called(self, method, *given, call=getattr(s3fs.S3FileSystem, name), **named):
            function(method)
            return call(self, method, *given, **named)

        monkeypatch.setattr(s3fs.S3FileSystem, name, called)
