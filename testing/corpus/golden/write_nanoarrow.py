"""Writes the golden files of nanoarrow into the folder `nanoarrow-<version>`; see golden_folder.py.

The arrays come from pyarrow by the C data interface, the text from them before they are written. nanoarrow writes
streams only, uncompressed, and no slices, dictionaries and views.
"""

import io
import sys

import nanoarrow
import nanoarrow.ipc
import pyarrow as pa

from arrow_json import batch_rows
from arrow_seeded import Seeded
from arrow_text import schema_text
from golden_folder import Written, content_of, main
from pyarrow_cases import Case, pairs_of
from pyarrow_families import families
from write_pyarrow import metadata_text

SEED = 30_000
UNKNOWN = ["dictionary<", "view", "fixed_size_binary[0]"]


def is_known(field):
    return not any(word in str(field.type) for word in UNKNOWN)


def cases():
    for case in [*family_cases(), *peculiar_cases()]:
        rows = [batch_rows(batch) for batch in case.batches]
        content = write(case)
        found, read_back = content_of(content, "stream")
        assert (found, read_back) == (schema_text(case.schema), rows), f"{case.name} changes"
        yield Written(case.name, case.about, found, rows, {"stream": content}, metadata=metadata_text(case))


def family_cases():
    columns = {}
    for k, (name, (about, fields)) in enumerate(families().items()):
        fields = [field for field in fields if is_known(field)]
        if not fields:
            continue
        schema, seed = pa.schema(fields), SEED + 100 * k
        full = Seeded(seed, 0, first_offset=1).batch(schema, 16)
        yield Case(f"{name}-full", f"{about}: one batch without nulls", schema, [full])
        maker = Seeded(seed + 1)
        batches = [maker.batch(schema, n) for n in (9, 0, 5)]
        yield Case(f"{name}-nulls", f"{about}: batches with nulls, one without rows", schema, batches)
        for field in fields:
            columns.setdefault(field.type.id, field.with_name(f"{name}/{field.name}"))
    schema, about = pa.schema(columns.values()), "one column of each type"
    yield Case("every-type-no-batches", f"{about}, no batch", schema, [])
    yield Case("every-type-all-null", f"{about}, all null where that can be", schema,
               [Seeded(SEED + 9_001, 1).batch(schema, 5)])


def peculiar_cases():
    schema = pa.schema([("n", pa.int64()), ("s", pa.string()), ("b", pa.bool_())])
    maker = Seeded(SEED + 9_100)
    yield Case("many-batches", "20 batches of 0 to 3 rows", schema, [maker.batch(schema, k % 4) for k in range(20)])
    names = ["plain", "", "", "plain", "a.b", 'quote"', "back\\slash", "line\nbreak", "nel\x85", "1x", "日本", "🚀"]
    schema = pa.schema([pa.field(name, pa.int8()) for name in names])
    yield Case("names", "empty, repeated and odd column names", schema, [Seeded(SEED + 9_200).batch(schema, 3)])
    pairs = [["on", "field"], ["ключ", "值"], ["", "empty key"]]
    schema = pa.schema([pa.field("n", pa.int8(), metadata=pairs_of(pairs))], metadata=pairs_of(pairs))
    yield Case("metadata", "custom metadata of schema and field", schema, [Seeded(SEED + 9_300).batch(schema, 4)],
               schema_metadata=pairs, field_metadata={("n",): pairs})


def write(case):
    for batch in case.batches:
        batch.validate(full=True)
    out = io.BytesIO()
    with nanoarrow.ipc.StreamWriter.from_writable(out) as writer:
        writer.write_stream(pa.RecordBatchReader.from_batches(case.schema, case.batches))
    return out.getvalue()


if __name__ == "__main__":
    main(sys.argv[1:], f"nanoarrow-{nanoarrow.__version__}", cases)
