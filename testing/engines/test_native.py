"""The format for DataFusion in Rust, crates/arrow-datafusion, beside the data set that the Python package gives it."""

import os
import pathlib
import subprocess

import arrow_ipc
import pyarrow as pa
import pytest
from queries import n_read
from test_embedded import QUERIES, by_datafusion

HERE = pathlib.Path(__file__).resolve().parent / "datafusion"


@pytest.fixture(scope="session")
def program():
    """Builds it, by the versions of its lock file."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parents[2] / "target")).absolute() / "engines-datafusion"
    if subprocess.run(["cargo", "fetch", "--quiet", "--locked"], cwd=HERE).returncode != 0:
        pytest.skip("the crates of testing/engines/datafusion cannot be had")
    subprocess.run(["cargo", "build", "--quiet", "--locked", "--target-dir", target], cwd=HERE, check=True)
    return target / "debug/arrow-ipc-datafusion"


def answered(program, data, sql, *flags):
    """The rows, and how many bytes were read for them."""
    done = subprocess.run([program, data, sql, *flags], capture_output=True, check=True)
    return pa.ipc.open_stream(done.stdout).read_all(), int(done.stderr.split()[0])


def plain(rows):
    """Prices as numbers, and days as text, which they are in names of folders."""
    forms = {"p": float, "day": str}
    return [{name: forms.get(name, lambda value: value)(value) for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("k", range(len(QUERIES)))
def test_answers_and_bytes(k, program, data):
    """Both ways give the same rows, and with statistics none reads more than the other, beside the ends of files."""
    sql, expected, _ = QUERIES[k]
    found, _ = answered(program, data, sql)
    assert plain(found.to_pylist()) == plain(expected)
    given = arrow_ipc.dataset(data, trust_statistics=True)
    by_datafusion(given, sql)
    before = n_read()
    by_datafusion(arrow_ipc.dataset(data, trust_statistics=True), sql)
    read_by_python = n_read() - before
    found, read = answered(program, data, sql, "--trust-statistics")
    assert plain(found.to_pylist()) == plain(expected)
    n_files = len(list(data.glob("*/*.arrow")))
    assert read <= read_by_python * 1.1 + n_files * 66_000


def test_files_that_change(program, changed):
    data, change = changed
    change()
    done = subprocess.run([program, pathlib.Path(data.files[0]).parent, "select sum(id) from t"], capture_output=True, text=True)
    assert done.returncode != 0 and "1.arrow" in done.stderr
