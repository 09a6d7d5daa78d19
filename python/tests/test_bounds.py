"""Memory that reading takes: in proportion to what is asked for, however large a batch is. Each in a process of its own."""

import subprocess
import sys

import arrow_ipc
import numpy as np
import pyarrow as pa
import pytest

N = 2_000_000
MEGABYTES_OF_FILE = 82  # Of one batch: four columns of numbers, and one of text.

# The peak above what there was after a first use.
MEASURED = """
import re, sys
import arrow_ipc

def kilobytes(of):
    with open("/proc/self/status") as status:
        return int(re.search(of + r":\\s+(\\d+)", status.read())[1])

path, work = sys.argv[1:]
arrow_ipc.open(path).head(1).to_pylist()
with open("/proc/self/clear_refs", "w") as refs:
    refs.write("5")
before = kilobytes("VmRSS")
exec(work)
print((kilobytes("VmHWM") - before) / 1_000)
"""

# Work, and the megabytes that it may take: the rows asked for, and some for the parts that are read at once.
WORK = {
    "arrow_ipc.open(path).num_rows": 1,
    "arrow_ipc.open(path)[1_000_000:1_000_010].to_pylist()": 2,
    "arrow_ipc.open(path).head(); arrow_ipc.open(path).tail()": 2,
    "arrow_ipc.open(path)[['b']][5:1_000]['b'].to_pylist()": 2,
    "arrow_ipc.open(path).batch(0, columns=['t'], rows=(1_999_000, 1_999_001))": 2,
    "arrow_ipc.open(path)['b']": 18,
    "for row in arrow_ipc.open(path).iter_rows():\n    if row['a'] > 800_000: break": 18,
}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "one.arrow"
    numbers = pa.array(np.arange(N))
    batch = pa.record_batch({**dict.fromkeys("abcd", numbers), "t": pa.repeat("some text", N)})
    arrow_ipc.write_file(path, batch)
    assert MEGABYTES_OF_FILE <= path.stat().st_size / 1e6 < MEGABYTES_OF_FILE + 10
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="no /proc/self/clear_refs")
@pytest.mark.parametrize("work", WORK)
def test_rows_of_a_large_batch(path, work):
    def megabytes():
        done = subprocess.run([sys.executable, "-c", MEASURED, path, work], capture_output=True, text=True, check=True)
        return float(done.stdout)

    # The system hands out memory in pieces, some of them for threads: the least of three counts.
    found = []
    while len(found) < 3 and not any(peak < WORK[work] for peak in found):
        found.append(megabytes())
    assert min(found) < WORK[work], found
