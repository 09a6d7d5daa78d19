"""The program that the package installs, as `arrow-ipc` and as `python -m arrow_ipc`."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import arrow_ipc
import pytest
from corpus import HOSTILE
from test_defaults import program  # noqa: F401

INSTALLED = [Path(sys.executable).with_name("arrow-ipc")]
MODULE = [sys.executable, "-m", "arrow_ipc"]


def run(command, *args, **options):
    env = {**os.environ, "COLUMNS": "80"}
    return subprocess.run([*map(str, command), *map(str, args)], capture_output=True, env=env, **options)


@pytest.fixture
def file(tmp_path):
    arrow_ipc.write_file(tmp_path / "people.arrow", {"id": range(1000), "name": [f"person {k}" for k in range(1000)]})
    return tmp_path / "people.arrow"


@pytest.mark.parametrize("command", [INSTALLED, MODULE], ids=["script", "module"])
def test_it_is_the_program(command, file, tmp_path, program):  # noqa: F811
    damaged = HOSTILE / "file-cut-40.arrow_file"
    undecoded = os.fsdecode(b"\xff.csv")
    for args in [
        ["--version"],
        ["--help"],
        ["help", "conditions"],
        ["completions", "bash"],
        ["schema", file],
        [file],
        ["cat", file, "--where", 'name contains "99"', "--format", "csv"],
        ["validate", damaged],
        ["count", tmp_path / undecoded],
        ["count", file, damaged],
        ["nonsense"],
    ]:
        here, there = run(command, *args), run([program], *args)
        assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr), args
    piped = run(command, "count", "-", input=file.read_bytes())
    assert (piped.returncode, piped.stdout) == (0, b"1000\n")
    converted = run(command, "convert", file, tmp_path / "out.arrow", "--compression", "zstd")
    assert converted.returncode == 0 and arrow_ipc.count(tmp_path / "out.arrow")["n_rows"] == 1000


def test_urls_are_read_as_by_functions(file, server):
    url = server.put("people.arrow", file.read_bytes())
    found = run(INSTALLED, "tail", "-n", "1", url)
    assert (found.returncode, found.stdout) == (0, b'{"id":999,"name":"person 999"}\n'), found.stderr
    missing = run(INSTALLED, "count", server.url + "/none.arrow?signature=secret")
    assert missing.returncode == 4 and b"404" in missing.stderr and b"secret" not in missing.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interruption_ends_it_and_leaves_nothing(tmp_path):
    command = [str(word) for word in [*INSTALLED, "convert", "-", tmp_path / "out.arrow"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdin.write(b"id,name\n" + b"1,ada\n" * 3_000_000)
        child.stdin.flush()
        for _ in range(500):
            if any(tmp_path.iterdir()):
                break
            time.sleep(0.01)
        assert any(tmp_path.iterdir()), "no output was begun"
        child.send_signal(signal.SIGINT)
        child.stdin.close()
        assert child.wait(timeout=30) == -signal.SIGINT
        assert b"Traceback" not in child.stderr.read()
    assert not list(tmp_path.iterdir())


def test_a_reader_that_goes_away_ends_it(file):
    with subprocess.Popen([str(INSTALLED[0]), "cat", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        child.stdout.read(10)
        child.stdout.close()
        assert child.wait(timeout=30) == 0
        assert child.stderr.read() == b""
