"""Stores for tests: S3, as `moto` speaks it on loopback, and what `s3fs` asks of it."""

import contextlib
import logging

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
        settings = {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        calls, call = [], s3fs.S3FileSystem._call_s3

        def counted(self, method, *given, **named):
            calls.append(method)
            return call(self, method, *given, **named)

        monkeypatch.setattr(s3fs.S3FileSystem, "_call_s3", counted)
        store = s3fs.S3FileSystem()
        store.mkdir("sales")
        store.test_calls = calls
        yield store
    finally:
        server.stop()
        s3fs.S3FileSystem.clear_instance_cache()
