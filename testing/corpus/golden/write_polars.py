"""Writes the golden files of polars into the folder `polars-<version>`; see golden_folder.py.

The values come as arrays of pyarrow, the text of the rows from them before polars has them. The types are those that
polars has; where it has fewer than the format, the columns are of those that it keeps. Its own types say what is in the
metadata of its fields.
"""

import io
import sys
from dataclasses import dataclass

import polars
import pyarrow as pa

from arrow_json import batch_rows
from arrow_seeded import TEXTS, Dice, Seeded
from golden_folder import Written, content_of, main
from pyarrow_families import INTEGERS

SEED = 40_000
CODECS = ["uncompressed", "lz4", "zstd"]


@dataclass
class Case:
    name: str
    about: str
    frame: polars.DataFrame
    # One text for each row.
    rows: list
    compression: str = "uncompressed"
    formats: tuple = ("stream", "file")
    # Only files come in batches of a size.
    batch_size: int | None = None
    options: dict | None = None
    # In the footer of files.
    row_counts: bool = False


def cases():
    for case in [*family_cases(), *compression_cases(), *batch_cases(), *category_cases(), *peculiar_cases()]:
        contents, found = {}, set()
        for kind in case.formats:
            contents[kind] = write(case, kind)
            schema, rows = content_of(contents[kind], kind)
            read_back = [row for batch in rows for row in batch]
            assert read_back == case.rows, f"{case.name} changes as a {kind}:\n{read_back}\n{case.rows}"
            found.add((schema, tuple(map(tuple, rows))))
        [(schema, rows)] = found
        yield Written(case.name, case.about, schema, rows, contents)


def write(case, kind):
    out = io.BytesIO()
    options = {"compression": case.compression, **(case.options or {})}
    if kind == "stream":
        case.frame.write_ipc_stream(out, **options)
    elif case.row_counts:
        case.frame.lazy().sink_ipc(out, record_batch_size=case.batch_size, _record_batch_statistics=True, **options)
    else:
        case.frame.write_ipc(out, record_batch_size=case.batch_size, **options)
    return out.getvalue()


# --- types ---


def types():
    utf8, i8 = pa.string_view(), pa.int8()
    point = pa.struct([("x", pa.int16()), ("y", utf8)])
    category = pa.dictionary(pa.uint32(), utf8)
    return {
        "numbers": ("nulls, booleans and numbers", [
            pa.null(), pa.bool_(), *INTEGERS, pa.float16(), pa.float32(), pa.float64()]),
        "decimals": ("decimals", [pa.decimal128(38, 10), pa.decimal128(5, 2), pa.decimal128(20, 0)]),
        "times": ("dates, times, timestamps and durations", [
            pa.date32(), pa.time64("ns"), pa.timestamp("ms"), pa.timestamp("us", "UTC"),
            pa.timestamp("ns", "Europe/Paris"), *(pa.duration(unit) for unit in ("ms", "us", "ns"))]),
        "text": ("text and binary, as views", [utf8, pa.binary_view()]),
        "lists": ("lists and arrays", [
            pa.large_list(i8), pa.large_list(utf8), pa.large_list(pa.large_list(pa.bool_())), pa.large_list(point),
            pa.list_(pa.int16(), 3), pa.list_(utf8, 1), pa.list_(pa.list_(i8, 2), 2)]),
        "structs": ("structs and maps", [
            point, pa.struct([]), pa.struct([("list", pa.large_list(point)), ("inner", point)]), pa.map_(utf8, i8)]),
        "categories": ("categorical text, also inside other types", [
            category, pa.large_list(category), pa.struct([("c", category)])]),
    }


def schema_of(data_types):
    return pa.schema([(f"c{k}", t) for k, t in enumerate(data_types)])


def every_type_schema():
    return schema_of([t for _, data_types in types().values() for t in data_types])


def frame_of(batch):
    return polars.from_arrow(pa.Table.from_batches([batch]))


def family_cases():
    for k, (name, (about, data_types)) in enumerate(types().items()):
        schema, seed = schema_of(data_types), SEED + 100 * k
        for variant, text, batch in [
            ("full", "without nulls", Seeded(seed, 0, first_offset=1).batch(schema, 20)),
            ("nulls", "with nulls", Seeded(seed + 1).batch(schema, 11)),
        ]:
            yield Case(f"{name}-{variant}", f"{about}: {text}", frame_of(batch), batch_rows(batch))
        batch = Seeded(seed + 2).batch(schema, 20)
        yield Case(f"{name}-sliced", f"{about}: a slice", frame_of(batch).slice(3, 9), batch_rows(batch)[3:12])


# --- compression ---


def compression_cases():
    every = every_type_schema()
    for k, codec in enumerate(CODECS[1:]):
        batch = Seeded(SEED + 1_000 + k).batch(every, 14)
        yield Case(f"compressed-{codec}", f"{codec}: one column of each type", frame_of(batch), batch_rows(batch),
                   codec)
        dice = Dice(SEED + 1_100 + k)
        schema = pa.schema([("n", pa.int64()), ("noise", pa.binary_view()), ("t", pa.string_view())])
        numbers = [7 * k + dice.below(7) for k in range(1_000)]
        noise = [bytes(dice.below(256) for _ in range(20)) if k % 50 == 0 else b"" for k in range(1_000)]
        text = [f"line {k} of text" if k % 9 == 0 else None for k in range(1_000)]
        batch = pa.record_batch([pa.array(values, t) for values, t in zip([numbers, noise, text], schema.types)],
                                schema=schema)
        yield Case(f"compressed-{codec}-rows-1000", f"{codec}: numbers, noise and text", frame_of(batch),
                   batch_rows(batch), codec)
        yield Case(f"compressed-{codec}-batches", f"{codec}: batches of 450 rows", frame_of(batch), batch_rows(batch),
                   codec, ("file",), 450)


# --- batches ---


def batch_cases():
    every = every_type_schema()
    none = Seeded(SEED + 1_200).batch(every, 0)
    about = "one column of each type, no rows"
    for codec in CODECS:
        suffix = "" if codec == "uncompressed" else f"-{codec}"
        yield Case(f"every-type-empty{suffix}", f"{about}: one batch", frame_of(none), [], codec, ("stream",))
        yield Case(f"every-type-no-batches{suffix}", f"{about}: no batch", frame_of(none), [], codec, ("file",))
    nulls = Seeded(SEED + 1_201, 1).batch(every, 5)
    yield Case("every-type-all-null", "one column of each type, all null", frame_of(nulls), batch_rows(nulls))
    batch = Seeded(SEED + 1_202).batch(every, 11)
    yield Case("batches", "one column of each type, batches of 4 rows", frame_of(batch), batch_rows(batch),
               formats=("file",), batch_size=4)
    batch = Seeded(SEED + 1_210).batch(schema_of([pa.int16(), pa.string_view()]), 11)
    yield Case("row-counts", "batches of 4 rows, counted in the footer", frame_of(batch), batch_rows(batch),
               formats=("file",), batch_size=4, row_counts=True)
    parts = [Seeded(SEED + 1_203 + k).batch(every, n) for k, n in enumerate([5, 0, 7])]
    frame = polars.concat([frame_of(part) for part in parts], rechunk=False)
    rows = [row for part in parts for row in batch_rows(part)]
    yield Case("chunks", "one column of each type, of three frames", frame, rows)


# --- categories ---


def category_cases():
    words = ["low", "middle", "high", "", "a category of more than twelve bytes", "日本"]
    for n_categories, index in [(6, "uint8"), (300, "uint16")]:
        categories = words + [f"category {k}" for k in range(n_categories - len(words))]
        dice = Dice(SEED + n_categories)
        values = [None if dice.below(4) == 0 else dice.pick(categories) for _ in range(15)]
        values[0] = categories[-1]
        rows = batch_rows(pa.record_batch([pa.array(values, pa.string())], names=["e"]))
        frame = polars.DataFrame({"e": polars.Series(values, dtype=polars.Enum(categories))})
        for codec in CODECS[::2]:
            suffix = "" if codec == "uncompressed" else f"-{codec}"
            yield Case(f"enum-{n_categories}{suffix}", f"an ordered dictionary of {index}, {codec}", frame, rows, codec)


# --- peculiarities ---


def peculiar_cases():
    long = "".join(f"{k} żółw 龍 🐉\n" for k in range(60))
    rows = [*TEXTS, "x" * 12, "x" * 13, "é" * 6, "é" * 6 + "!", "", None, long]
    batch = pa.record_batch([pa.array(rows, pa.string()), pa.array([[row, None] for row in rows])], names=["t", "l"])
    oldest = {"compat_level": polars.CompatLevel.oldest()}
    yield Case("long-text", "long and multi-byte text, in views", frame_of(batch), batch_rows(batch))
    yield Case("oldest-level", "the same with offsets of 64 bits, by an option for old readers", frame_of(batch),
               batch_rows(batch), options=oldest)
    names = ["plain", "", "a.b", 'quote"', "back\\slash", "line\nbreak", "nel\x85", "1x", "日本", "🚀"]
    schema = pa.schema([pa.field(name, pa.int8()) for name in names])
    batch = Seeded(SEED + 2_000).batch(schema, 3)
    # A column without a name gets one when it is taken over.
    frame = frame_of(batch).rename({"column_1": ""})
    yield Case("names", "empty and odd column names", frame, batch_rows(batch))


if __name__ == "__main__":
    main(sys.argv[1:], f"polars-{polars.__version__}", cases)
