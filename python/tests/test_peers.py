"""Each library takes our columns of every type and gives them back; `PEERS.md` says what becomes of them."""

from pathlib import Path

import pyarrow as pa
import pytest
from peers import CRASHES, TAKE, columns_by_type, in_child, table

PEERS = Path(__file__).resolve().parents[1] / "PEERS.md"

HEAD = """# What other libraries make of each type

A column of each type goes to a library through `__arrow_c_stream__`, and comes back the same way. The columns are those of golden
files, with nulls and the extremes of values. Each type that is not listed comes back as it went; others come back as another
type with the same values, changed, or not at all. *Changed* are values that differ, or that cannot be compared, since the type has
another unit, width or meaning. What crashes does so without this package, too, when that library exports what it has.

`python/test.sh --update-peers -k peers` writes this page; the tests fail if it is not true, better or worse.

"""


@pytest.mark.parametrize("peer", TAKE)
def test_peer(peer, request):
    found = table(peer)
    head, sections = read()
    if request.config.getoption("--update-peers"):
        sections[peer] = found
        ordered = [sections[name] for name in TAKE if name in sections]
        PEERS.write_text(HEAD + "\n".join(ordered), encoding="utf-8")
        return
    assert head == HEAD
    assert found.splitlines() == sections[peer].splitlines()


def read():
    """The text before the sections, and these by the name of the library."""
    if not PEERS.exists():
        return HEAD, {}
    head, *sections = PEERS.read_text(encoding="utf-8").split("## ")
    return head, {section.split(" ")[0]: f"## {section.rstrip()}\n" for section in sections}


class OnlyCapsules:
    """A table of pyarrow that others know by its capsules alone."""

    def __init__(self, table):
        self.schema, self.table = table.schema, table

    def __arrow_c_schema__(self):
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("peer", TAKE)
def test_crashes_are_theirs(peer):
    """What ends the process in the table does so, too, between that library and pyarrow alone."""
    columns = columns_by_type()
    rows = [line.split("`") for line in read()[1][peer].splitlines() if line.endswith(f"| {CRASHES} |")]
    for _, name, _ in rows:
        path, position = columns[name]
        theirs = OnlyCapsules(pa.ipc.open_file(path).read_all().select([position]))
        _, status = in_child(lambda out, theirs=theirs: pa.table(TAKE[peer](theirs)))
        assert status > 1 and status & 0x7F, name
