"""Ray, Daft and Spark, whose processes are killed while they append parts to a data set."""

import os
import signal
import subprocess
import sys

import arrow_ipc
import pyarrow as pa
import pytest
from killing import OLD, POINTS, SCHEMA, check_killed, ids_of, names_of, with_ten_rows
from test_recipes import ENVIRONMENT, HERE, why_not

N_ROWS = 4_000
ALL = [*OLD, *range(N_ROWS)]

START = """
import os, sys, arrow_ipc, pyarrow
from killing import Killing
"""

# Each runs in a worker, except the last point, which runs in the driver.
RAY = START + """
import arrow_ipc.ray, ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
ray.data.DataContext.get_current().enable_progress_bars = False
for root, point in zip(sys.argv[1::2], sys.argv[2::2]):
    sink = arrow_ipc.ray.Datasink(f"{root}/new", pyarrow.schema([("id", pyarrow.int64())]))
    sink._writer = Killing(sink._writer, point, root)
    ray.data.read_datasource(arrow_ipc.ray.Datasource("data", target_bytes=1)).write_datasink(sink)
    print(point, flush=True)
"""

# All of it is one process.
DAFT = START + """
import arrow_ipc.daft, daft
root, point = sys.argv[1:]
sink = arrow_ipc.daft.sink(f"{root}/new", pyarrow.schema([("id", pyarrow.int64())]))
sink._writer = Killing(sink._writer, point, root)
arrow_ipc.daft.source("data", target_bytes=1).read().write_sink(sink)
print(point)
"""

# All of it runs in workers, which Spark starts again. A commit is not tried again.
SPARK = START + """
from pyspark.sql import SparkSession
from spark_source import ArrowIpc

class Killed(ArrowIpc):
    @classmethod
    def name(cls):
        return "killed"

    def writer(self, schema, overwrite):
        found = super().writer(schema, overwrite)
        found.writer = Killing(found.writer, self.options["point"], self.options["path"])
        return found

config = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
spark = SparkSession.builder.master("local[2,2]").config(map=config).getOrCreate()
spark.dataSource.register(ArrowIpc)
spark.dataSource.register(Killed)
rows = spark.read.format("arrow_ipc").options(path="data", target_bytes=1).load()
for root, point in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        rows.write.format("killed").options(path=root, point=point).mode("append").save()
        print(point, flush=True)
    except Exception:
        print("failed", flush=True)
spark.stop()
"""


def sets(tmp_path):
    """Rows in four files, and a set for each point, to which they are to be appended."""
    (tmp_path / "data").mkdir()
    for k in range(4):
        ids = range(k * N_ROWS // 4, (k + 1) * N_ROWS // 4)
        arrow_ipc.write_file(tmp_path / f"data/{k}.arrow", pa.table({"id": ids}))
    return {point: with_ten_rows(tmp_path / point.replace(" ", "-")) for point in POINTS}


def run(script, folder, roots, alone=True):
    args = [str(each) for point, root in roots.items() for each in (root, point)]
    # The network ends with its first process, and with it all that engines have started.
    command = [*(NETWORK if alone else []), sys.executable, "-W", "ignore", "-c", script, *args]
    environment = {**os.environ, **ENVIRONMENT, "PYTHONPATH": str(HERE), "PYSPARK_PYTHON": sys.executable}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


# As `ALONE`, and with processes of its own: a driver that is killed leaves none behind.
NETWORK = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc", "--map-root-user", "sh", "-c", 'ip link set lo up; "$@"', "sh"]


def append(root):
    """What somebody does who finds that the rows are not there."""
    writer = arrow_ipc.DatasetWriter(root / "new", SCHEMA)
    writer.commit([writer.write(arrow_ipc.dataset(root.with_name("data")))])


def check_whole(root):
    """All rows are there once, also for readers that are given a pattern."""
    assert ids_of(root) == ALL
    assert ids_of(root / "**/*.arrow") == ALL


@pytest.mark.skipif(why_not("Ray Data") is not None, reason="SKIPPED: no network of its own can be made here")
def test_ray(tmp_path):
    roots = sets(tmp_path)
    done = run(RAY, tmp_path, roots)
    # Ray prints there, too, that workers were killed.
    said = [line for line in done.stdout.splitlines() if line in POINTS]
    assert (done.returncode, said) == (128 + signal.SIGKILL, list(POINTS[:2])), done.stderr[-3000:]
    for point, root in roots.items():
        check_killed(root)
        if point == "before the commit":
            assert ids_of(root) == OLD
            append(root)
        else:
            # A commit removes what it does not publish.
            assert names_of(root) == ["new", "old.arrow"] and len(names_of(root / "new")) == 4
        check_whole(root)


@pytest.mark.parametrize("point", POINTS)
def test_daft(point, tmp_path):
    root = sets(tmp_path)[point]
    done = run(DAFT, tmp_path, {point: root}, alone=False)
    assert (done.returncode, done.stdout) == (-signal.SIGKILL, ""), done.stderr[-3000:]
    check_killed(root)
    assert ids_of(root) == OLD
    # The marker is there: now nothing is killed.
    done = run(DAFT, tmp_path, {point: root}, alone=False)
    assert (done.returncode, done.stdout) == (0, f"{point}\n"), done.stderr[-3000:]
    check_whole(root)


@pytest.mark.skipif(why_not("Spark") is not None, reason="SKIPPED: there is no Java, or no network of its own can be made here")
def test_spark(tmp_path):
    roots = sets(tmp_path)
    done = run(SPARK, tmp_path, roots)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == [*POINTS[:2], "failed"], done.stderr[-3000:]
    for point, root in roots.items():
        check_killed(root)
        if point == "before the commit":
            assert ids_of(root) == OLD
            append(root)
        check_whole(root)
