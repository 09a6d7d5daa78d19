"""Writes the golden files of the JavaScript library into `apache-arrow-js-<version>`; see golden_folder.py.

Most of it are arrays of pyarrow, which the library reads from a stream and writes anew; the text is made from them
before that. Files named `built-…` are of the library's own builders, with the text by write_js.mjs. Needs `node`, and in
the environment NODE_PATH the folder `node_modules` that `npm ci` made by package.json.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import pyarrow as pa

from arrow_json import batch_rows
from arrow_seeded import Seeded
from arrow_text import schema_text
from golden_folder import SUFFIXES, Written, content_of, main
from pyarrow_cases import Case, family_cases
from pyarrow_families import families
from pyarrow_protocol import growing
from write_pyarrow import write

HERE = Path(__file__).parent
VERSION = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]["apache-arrow"]
SEED = 50_000
# What the library does not have.
UNKNOWN = ["list_view", "run_end_encoded"]
CODECS = ["lz4", "zstd"]


@dataclass
class Job:
    case: Case
    # By what it is written anew.
    compression: str | None = None
    legacy: bool = False


def cases():
    jobs = [*plain_jobs(), *protocol_jobs()]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        listed = []
        for job in jobs:
            (folder / f"{job.case.name}.source").write_bytes(write(job.case, "stream"))
            listed.append({"name": job.case.name, "source": job.case.name, "formats": job.case.formats,
                           "compression": job.compression, "legacy": job.legacy})
        copies = interval_copies()
        for name, (source, _) in copies.items():
            (folder / f"{name}.source").write_bytes(source)
            listed.append({"name": name, "source": name, "formats": list(SUFFIXES)})
        (folder / "jobs.json").write_text(json.dumps(listed), encoding="utf-8")
        subprocess.run(["node", HERE / "write_js.mjs", folder], check=True)

        def contents(name, formats):
            return {kind: (folder / (name + SUFFIXES[kind])).read_bytes() for kind in formats}

        for job in jobs:
            case, rows = job.case, [batch_rows(batch) for batch in job.case.batches]
            yield checked(Written(case.name, case.about, schema_text(case.schema), rows,
                                  contents(case.name, case.formats)))
        for name, (_, written) in copies.items():
            # pyarrow has no class for two of these types. Others that read the folder compare them.
            written.contents = contents(name, SUFFIXES)
            yield written
        for built in json.loads((folder / "built.json").read_text(encoding="utf-8")):
            files = contents(built["name"], built["formats"])
            schema, _ = content_of(files["stream"], "stream")
            yield checked(Written(built["name"], built["about"], schema, built["rows"], files))


def checked(written):
    for kind, content in written.contents.items():
        try:
            found = content_of(content, kind)
        except pa.ArrowException as error:
            found = error
        assert found == (written.schema, written.rows), f"{written.name} changes as a {kind}: {found}"
    return written


# --- what is written anew ---


def known_families():
    for name, (about, fields) in families().items():
        fields = [field for field in fields if not any(word in schema_text([field]) for word in UNKNOWN)]
        if fields:
            yield name, about, fields


def every_type_schema():
    columns = {}
    for name, _, fields in known_families():
        for field in fields:
            columns.setdefault(field.type.id, field.with_name(f"{name}/{field.name}"))
    return pa.schema(columns.values())


def plain_jobs():
    for k, (name, about, fields) in enumerate(known_families()):
        for case in family_cases(name, about, pa.schema(fields), SEED + 100 * k):
            if not case.name.endswith("-full"):
                yield Job(case)
    schema, about = every_type_schema(), "one column of each type"
    yield Job(Case("every-type-no-batches", f"{about}, no batch", schema, []))
    yield Job(Case("every-type-empty", f"{about}, one batch without rows", schema,
                   [Seeded(SEED + 9_000).batch(schema, 0)]))
    yield Job(Case("every-type-all-null", f"{about}, all null where that can be", schema,
                   [Seeded(SEED + 9_001, 1).batch(schema, 5)]))
    schema = pa.schema([("n", pa.int64()), ("s", pa.string()), ("b", pa.bool_())])
    maker = Seeded(SEED + 9_100)
    many = [maker.batch(schema, k % 4) for k in range(20)]
    yield Job(Case("many-batches", "20 batches of 0 to 3 rows", schema, many))
    yield Job(Case("legacy-framing", "metadata V5, messages without the continuation marker", schema,
                   [maker.batch(schema, 9)], formats=("stream",)), legacy=True)


def protocol_jobs():
    schema = every_type_schema()
    for k, codec in enumerate(CODECS):
        maker = Seeded(SEED + 9_200 + k)
        batches = [maker.batch(schema, n) for n in (9, 0)]
        yield Job(Case(f"stored-{codec}", f"{codec} that gains nothing: all buffers are stored as they are", schema,
                       [*batches, batches[0].slice(5, 4)]), codec)
    types = [pa.string(), pa.int64(), pa.bool_(), pa.list_(pa.string()), pa.binary(3), pa.string_view()]
    # pyarrow wrote deltas, and so does the library.
    yield Job(Case("dictionary-deltas", "dictionaries that grow", *growing(SEED + 9_400, [2, 5, 5, 12, 30], types),
                   options={"emit_dictionary_deltas": True}))
    parts = [growing(SEED + 9_500 + k, [n], types) for k, n in enumerate([6, 4, 0, 9])]
    yield Job(Case("dictionary-replaced", "dictionaries that are replaced", parts[0][0],
                   [batch for _, batches in parts for batch in batches], formats=("stream",)))


def interval_copies():
    """What arrow-rs wrote of intervals, and its text."""
    [folder] = sorted(HERE.glob("arrow-rs-*"))[-1:]
    copies = {}
    for row in (folder / "cases.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, _, n_rows, _, about = row.split("\t")
        if name.startswith("intervals-"):
            source = (folder / f"{name}.arrows").read_bytes()
            schema, rows = ((folder / (name + suffix)).read_bytes().decode("utf-8") for suffix in (".schema", ".json"))
            lines = iter(rows.split("\n"))
            batches = [list(islice(lines, int(n))) for n in n_rows.split(",")]
            copies[name] = (source, Written(name, about, schema, batches, {}))
    return copies


if __name__ == "__main__":
    main(sys.argv[1:], f"apache-arrow-js-{VERSION}", cases)
