"""What importing the package costs."""

import subprocess
import sys

# What Python itself imports first is not counted; what the package imports is of the standard library.
SCRIPT = """
import sys, time
before = set(sys.modules)
start = time.process_time()
import arrow_ipc
seconds = time.process_time() - start
print(seconds, *sorted({name.partition(".")[0] for name in set(sys.modules) - before} - {"arrow_ipc"} - sys.stdlib_module_names))
print(*sorted(set(sys.modules) - before))
"""
# These take milliseconds.
SLOW = {"asyncio", "datetime", "decimal", "inspect", "json", "re", "typing", "urllib", "uuid", "zoneinfo"}


def test_import():
    runs = [subprocess.run([sys.executable, "-I", "-c", SCRIPT], check=True, capture_output=True, text=True).stdout for _ in range(5)]
    for first, modules in (run.splitlines() for run in runs):
        assert first.split()[1:] == [], "a package of others"
        assert SLOW.isdisjoint(modules.split())
    assert min(float(run.split()[0]) for run in runs) < 0.010
