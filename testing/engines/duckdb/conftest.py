"""The extension, loaded."""

import duckdb
import pytest


def pytest_addoption(parser):
    parser.addoption("--extension", required=True, help="the file of the extension")


@pytest.fixture(scope="session")
def extension(request):
    return request.config.getoption("--extension")


@pytest.fixture(scope="session")
def connect(extension):
    def connected(path=":memory:", **settings):
        connection = duckdb.connect(path, config={"allow_unsigned_extensions": "true", **settings})
        connection.execute(f"load '{extension}'")
        return connection

    return connected


@pytest.fixture
def db(connect):
    with connect() as connection:
        yield connection


@pytest.fixture(scope="session")
def shared(connect):
    """One connection for all tests: a file that makes its database unusable lets all that follow fail."""
    with connect() as connection:
        yield connection
