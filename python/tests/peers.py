"""What becomes of a column of each type in other libraries, and when it comes back: `peers.tsv` and `PEERS.md` are made of this."""

import faulthandler
import functools
import json
import os
import re
import signal
import sys
import warnings

import arrow_ipc
import duckdb
import nanoarrow
import pandas
import polars
import pyarrow
from corpus import cases

# The columns of these have every type, with nulls and the extremes of values.
FOLDER, NAMES = "arrow-rs-60.1.0", "-nulls"


@functools.cache
def connection_of(process):
    """One for each process, since it has threads."""
    return duckdb.connect()


TAKE = {
    "pyarrow": pyarrow.table,
    "polars": polars.DataFrame,
    "pandas": pandas.DataFrame.from_arrow,
    "duckdb": lambda batches: connection_of(os.getpid()).from_arrow(batches),
    "nanoarrow": lambda batches: nanoarrow.ArrayStream(batches).read_all(),
}

VERSIONS = {
    "pyarrow": pyarrow.__version__,
    "polars": polars.__version__,
    "pandas": pandas.__version__,
    "duckdb": duckdb.__version__,
    "nanoarrow": nanoarrow.__version__,
}

CRASHES = "crashes, or has wrong values"
# From the best to the worst.
SUMMARIES = ["same", "other type", "changed", "refused", "crashes"]


def type_of(field):
    return field.type if field.nullable else f"{field.type} not null"


def columns_by_type():
    """A column of a golden file for each type."""
    found = {}
    for case in cases(FOLDER, NAMES):
        for position, field in enumerate(arrow_ipc.open(case.path("file")).schema.fields):
            found.setdefault(type_of(field), (case.path("file"), position))
    return dict(sorted(found.items()))


def round_trip(take, path, position):
    """What becomes of a column that another library takes, and gives back."""
    ours = arrow_ipc.open(path).select([position])
    expected = arrow_ipc.concat(ours)
    try:
        taken = take(ours)
    except BaseException as error:  # a panic of polars is no `Exception`
        return f"refused: {say(error)}"
    try:
        given = arrow_ipc.concat(taken)
    except BaseException as error:
        return f"not given back: {say(error)}"
    field = given.schema[0]
    try:
        is_same = given.same_rows(expected)
    except ValueError:
        is_same = False
    if type_of(field) == type_of(expected.schema[0]):
        return "" if is_same else "changed"
    return f"as `{type_of(field)}`" + ("" if is_same else ", changed")


def say(error):
    text = re.sub(r"0x[0-9a-f]+|\d{12,}", "…", str(error).strip().split("\n")[0])
    text = text.replace("\t", " ").replace("`", "'")
    return f"{type(error).__name__}, {text[:70]}" if text else type(error).__name__


def outcomes(peer):
    """Type by type; a library that ends the process does so in a child."""
    columns = columns_by_type()
    found = {}
    while len(found) < len(columns):
        left = [name for name in columns if name not in found]
        lines, status = in_child(lambda out, left=left: run(peer, {name: columns[name] for name in left}, out))
        found.update(json.loads(line) for line in lines)
        if status != 0:
            assert len(lines) < len(left), "it ended after the last type"
            found[left[len(lines)]] = CRASHES
    return found


def run(peer, columns, out):
    for name, (path, position) in columns.items():
        print(json.dumps([name, round_trip(TAKE[peer], path, position)]), file=out, flush=True)


def in_child(work):
    """The lines that `work` prints, and how its process ended."""
    read_end, write_end = os.pipe()
    with warnings.catch_warnings():
        # Threads of the libraries are not needed in the child: each starts its own there.
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        # A library that waits for threads of its parent is killed.
        signal.alarm(60)
        os.close(read_end)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        warnings.simplefilter("ignore")
        faulthandler.disable()
        # Nobody reads where it crashed, which takes longer than all else.
        os.environ["RUST_BACKTRACE"] = "0"
        status = 1
        try:
            with open(write_end, "w", encoding="utf-8") as out:
                work(out)
            status = 0
        finally:
            os._exit(status)
    os.close(write_end)
    with open(read_end, encoding="utf-8") as lines:
        read = lines.read().splitlines()
    return read, os.waitpid(child, 0)[1]


def kind_of(name):
    """The name of a type without its parameters."""
    return re.match(r"\w+", name)[0]


def summary_of(outcome):
    """An outcome in a word or two."""
    if outcome == "":
        return "same"
    if outcome == CRASHES:
        return "crashes"
    if outcome.endswith("changed"):
        return "changed"
    return "other type" if outcome.startswith("as ") else "refused"


def page_of(found):
    """The table of `PEERS.md`: for each kind of type, what happens to some type of this kind. `found` has the outcomes of each library."""
    names = list(next(iter(found.values())))
    lines = ["| type | " + " | ".join(found) + " |", "|---" * (len(found) + 1) + "|"]
    same = [f"{sum(outcome == '' for outcome in each.values())} of {len(each)}" for each in found.values()]
    lines.append("| types that come back unchanged | " + " | ".join(same) + " |")
    for kind in sorted({kind_of(name) for name in names}):
        cells = []
        for outcomes_of in found.values():
            seen = {summary_of(outcomes_of[name]) for name in names if kind_of(name) == kind}
            cells.append("" if seen == {"same"} else ", ".join(word for word in SUMMARIES if word in seen))
        lines.append(f"| `{kind}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
