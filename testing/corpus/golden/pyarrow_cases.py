"""The cases that pyarrow writes: families of types in three variants each, then one case per peculiarity."""

from dataclasses import dataclass, field as attribute

import pyarrow as pa

from arrow_seeded import Dice, Seeded, bitmap, build, packed
from pyarrow_extensions import extension_batches
from pyarrow_families import INTEGERS, families


@dataclass
class Case:
    name: str
    about: str
    schema: pa.Schema
    batches: list
    # The highest level of validation that the content passes.
    level: str = "strict"
    formats: tuple = ("stream", "file")
    options: dict = attribute(default_factory=dict)
    # How many dictionaries are written anew, as deltas and in place of another, where the case is about that.
    dictionaries: tuple | None = None
    # Custom metadata as [key, value] pairs: of the schema, of fields by path, of batches by index, of the footer.
    # That of schema and fields is repeated here, since pyarrow's own `metadata` hides repeated keys.
    schema_metadata: list = attribute(default_factory=list)
    field_metadata: dict = attribute(default_factory=dict)
    batch_metadata: dict = attribute(default_factory=dict)
    footer_metadata: list = attribute(default_factory=list)


def all_cases():
    for k, (name, (about, fields)) in enumerate(families().items()):
        yield from family_cases(name, about, pa.schema(fields), seed=100 * k)
    yield from every_type_cases()
    yield from batch_cases()
    yield from schema_cases()
    yield from text_cases()
    yield from null_cases()
    yield from dictionary_cases()
    yield from option_cases()
    yield from random_cases()
    yield Case("extensions", "extension types that Arrow C++ knows", *extension_batches())


# --- every type ---


def family_cases(name, about, schema, seed):
    yield Case(f"{name}-full", f"{about}: one batch without nulls", schema,
               [Seeded(seed, 0, first_offset=1).batch(schema, 24)])
    maker = Seeded(seed + 1)
    batches = [maker.batch(schema, 11), maker.batch(schema, 0)]
    yield Case(f"{name}-nulls", f"{about}: a batch with nulls, one without rows", schema, batches)
    whole = Seeded(seed + 2).batch(schema, 20)
    slices = [whole.slice(*part) for part in [(3, 7), (0, 0), (12, 8)]]
    yield Case(f"{name}-sliced", f"{about}: slices of one batch", schema, slices)


def every_type_schema():
    columns = {}
    for family, (_, fields) in families().items():
        for f in fields:
            columns.setdefault(f.type.id, pa.field(f"{family}/{f.name}", f.type, f.nullable))
    return pa.schema(columns.values())


def every_type_cases():
    schema = every_type_schema()
    about = "one column of each type"
    yield Case("every-type-no-batches", f"{about}, no batch", schema, [])
    yield Case("every-type-empty", f"{about}, one batch without rows", schema, [Seeded(9000).batch(schema, 0)])
    yield Case("every-type-all-null", f"{about}, all null where that can be", schema,
               [Seeded(9001, 1).batch(schema, 5)])
    yield Case("every-type-one-row", f"{about}, one row", schema, [Seeded(9002, 0).batch(schema, 1)])


# --- batches ---


def batch_cases():
    schema = pa.schema([("n", pa.int64()), ("s", pa.string()), ("b", pa.bool_())])
    maker = Seeded(9100)
    yield Case("many-batches", "40 batches of 0 to 3 rows", schema, [maker.batch(schema, k % 4) for k in range(40)])
    yield Case("rows-300", "one batch of 300 rows", schema, [Seeded(9101).batch(schema, 300)])
    whole = Seeded(9102).batch(schema, 90)
    yield Case("bit-offsets", "slices whose bitmaps start at each bit of a byte, of 1 to 18 rows", schema,
               [whole.slice(start, 1 + start) for start in range(18)])
    wide = pa.schema([(f"c{k:02}", [pa.int8(), pa.string(), pa.bool_(), pa.float32(), pa.date32()][k % 5])
                      for k in range(50)])
    yield Case("fifty-columns", "50 columns, 2 batches of 2 rows", wide,
               [Seeded(9103).batch(wide, 2), Seeded(9104).batch(wide, 2)])
    schema = pa.schema([("list", pa.list_(pa.int8())), ("large", pa.large_list(pa.string()))])
    whole = Seeded(9105, first_offset=1).batch(schema, 4)
    yield Case("empty-slices", "lists without rows: the first offset is 1, the child has no values", schema,
               [whole, whole.slice(0, 0), whole.slice(2, 2)])
    three = pa.record_batch([pa.array([1, 2, 3])], names=["a"]).select([])
    yield Case("no-columns", "no columns; batches of 3, 0 and 2 rows", three.schema,
               [three, three.slice(0, 0), three.slice(1, 2)])
    yield Case("no-columns-no-batches", "no columns, no batch", three.schema, [])


# --- schemas ---


def schema_cases():
    i8 = pa.int8()
    names = ["plain", "", "", "plain", "with space", "a.b", 'quote"', "back\\slash", "line\nbreak", "nel\x85", "_x1",
             "1x", "naïve", "日本", "🚀", "null", "x" * 300]
    schema = pa.schema([pa.field(name, i8) for name in names])
    yield Case("names", "empty, repeated, long and odd column names", schema, [Seeded(9200).batch(schema, 3)])
    struct = pa.struct([pa.field(name, i8) for name in names if name not in ("plain", "")])
    unions = [pa.field(name, i8) for name in ("", "a.b", 'quote"')]
    schema = pa.schema([("struct", struct), ("union", pa.sparse_union(unions)), ("list", pa.list_(pa.field("", i8)))])
    yield Case("names-inside", "odd names of children", schema, [Seeded(9201).batch(schema, 3)])
    column = pa.array([1, None, 3], i8)
    for level in range(30):
        # The outermost lists hold one and two lists, all others one element.
        offsets = [0, 1, 3] if level == 29 else [0, 1, 2, 3]
        column = build(pa.list_(column.type), len(offsets) - 1, [None, packed(offsets, 4)], [column])
    schema = pa.schema([("deep", column.type)])
    yield Case("deep", "lists nested 30 deep", schema, [pa.record_batch([column], schema=schema)])
    yield from metadata_cases()


def metadata_cases():
    top = [["zebra", "1"], ["apple", "2"], ["zebra", "3"], ["", "empty key"], ["empty value", ""],
           ["ключ", "值\n\"\\"]]
    fields = {
        ("id",): [["ARROW:extension:name", "arrow.uuid"], ["ARROW:extension:metadata", ""]],
        ("list",): [["on", "list"]],
        ("list", "item"): [["on", "item"], ["on", "item again"]],
        ("struct", "a"): [["on", "struct child"]],
        ("map", "entries", "value"): [["on", "map value"]],
        ("dictionary",): [["on", "dictionary"]],
        ("unknown",): [["ARROW:extension:name", "example.unheard_of"], ["ARROW:extension:metadata", "{\"a\": 1}"]],
    }

    def field(*path, t):
        return pa.field(path[-1], t, metadata=pairs_of(fields.get(path, [])))

    utf8, i8 = pa.string(), pa.int8()
    schema = pa.schema([
        field("id", t=pa.binary(16)),
        field("list", t=pa.list_(field("list", "item", t=i8))),
        field("struct", t=pa.struct([field("struct", "a", t=i8), field("struct", "b", t=utf8)])),
        field("map", t=pa.map_(utf8, field("map", "entries", "value", t=i8))),
        field("dictionary", t=pa.dictionary(i8, utf8)),
        field("unknown", t=pa.int64()),
    ], metadata=pairs_of(top))
    # Arrays of types without metadata: pyarrow would wrap those of extension types that it knows.
    maker = Seeded(9210)
    batches = [maker.batch(schema, n) for n in (4, 0, 3)]
    yield Case("metadata", "custom metadata on schema, fields, nested fields, batches and footer", schema, batches,
               schema_metadata=top, field_metadata=fields,
               batch_metadata={0: [["first", "batch"], ["b", "1"], ["b", "2"]], 2: [["третий", ""]]},
               footer_metadata=[["z", "footer"], ["a", "footer"], ["z", "again"]])
    schema = pa.schema([("n", pa.int32())])
    yield Case("metadata-footer", "custom metadata on the footer only", schema, [Seeded(9211).batch(schema, 2)],
               footer_metadata=[["only", "here"]])


def pairs_of(pairs):
    return pa.KeyValueMetadata([(key, value) for key, value in pairs]) if pairs else None


# --- text ---


def text_cases():
    long = "".join(f"{k} żółw 龍 🐉\n" for k in range(60))
    rows = ["x" * 12, "x" * 13, "é" * 6, "é" * 6 + "!", "", None, long, "\0", "a\u0300", "\u0080\u009f\u00a0",
            long[:100]]
    types = [pa.string(), pa.large_string(), pa.string_view()]
    schema = pa.schema([(str(t), t) for t in types])
    yield Case("long-text", "long and multi-byte text, and text at the inline limit of views", schema,
               [pa.record_batch([pa.array(rows, t) for t in types], schema=schema)])
    shared = "one piece of text that several views share, Ünïcödé included".encode("utf-8")
    other = b"another data buffer"
    views, valid = [], []
    pieces = [(20, 0, 0), (20, 0, 4), (len(shared), 0, 0), (len(other), 2, 0), (13, 2, 6), (20, 0, 0)]
    for size, idx, offset in pieces:
        data = [shared, b"", other][idx]
        views.append(size.to_bytes(4, "little") + data[offset : offset + 4] + packed([idx, offset], 4).to_pybytes())
        valid.append(True)
    views += [b"\xff" * 16, b"\x05\0\0\0short\0\0\0\0\0\0\0", b"\x0e\0\0\0" + b"\x09" * 12]
    valid += [False, True, False]
    buffers = [bitmap(valid), pa.py_buffer(b"".join(views)), *(pa.py_buffer(d) for d in (shared, b"", other))]
    columns = [build(t, len(views), buffers) for t in (pa.string_view(), pa.binary_view())]
    inline = pa.array(["a", None, "bc"] * 3, pa.string_view())
    batch = pa.record_batch([*columns, inline], names=["text", "binary", "inline"])
    yield Case("view-buffers", "views that share and overlap, an empty buffer, garbage beneath nulls, no buffer",
               batch.schema, [batch, batch.slice(2, 5)])


# --- nulls ---


def null_cases():
    valid = [True, False, True, False, True]
    bits = bitmap(valid)

    def masked(t, *buffers):
        return build(t, 5, [bits, *buffers])

    utf8 = pa.py_buffer(b"ok\xff\xfe\xc3fine\xed\xa0end")
    columns = {
        "utf8": masked(pa.string(), packed([0, 2, 5, 9, 11, 14], 4), utf8),
        "large_utf8": masked(pa.large_string(), packed([0, 2, 5, 9, 11, 14], 8), utf8),
        "decimal": masked(pa.decimal32(3, 0), packed([999, 2**31 - 1, -999, -(2**31), 0], 4)),
        "date64": masked(pa.date64(), packed([0, 1, 86_400_000, -1, -86_400_000], 8)),
        "time": masked(pa.time32("s"), packed([0, -1, 86_399, 86_400, 1], 4)),
        "bool": masked(pa.bool_(), pa.py_buffer(b"\x1e")),
        "float": masked(pa.float64(), packed([0, 2**62 + 2**61 + 1, 1, -1, 0], 8)),
    }
    batch = pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
    yield Case("null-garbage", "null slots over invalid UTF-8 and over values out of range", batch.schema, [batch])

    child = build(pa.int32(), 5, [None, packed([10, 20, 30, 40, 50], 4)])
    text = pa.array(["a", "b", None, "d", "e"])
    pair = pa.struct([pa.field("n", pa.int32(), nullable=False), ("s", pa.string())])
    struct = build(pair, 5, [bits], [child, text])
    outer = build(pa.struct([("inner", struct.type)]), 5, [bitmap([False, False, True, True, True])], [struct])
    fixed = build(pa.list_(pa.int32(), 1), 5, [bits], [child])
    batch = pa.RecordBatch.from_arrays([struct, outer, fixed], names=["struct", "outer", "fixed"])
    yield Case("null-parents", "null parents over children that are not null", batch.schema,
               [batch, batch.slice(1, 3)])

    columns = {
        "decimal": build(pa.decimal128(3, 1), 3, [None, packed([1000, -1000, 10**37], 16)]),
        "date64": build(pa.date64(), 3, [None, packed([1, -1, 2**63 - 1], 8)]),
        "time_s": build(pa.time32("s"), 3, [None, packed([86_400, -1, 2**31 - 1], 4)]),
        "time_ns": build(pa.time64("ns"), 3, [None, packed([86_400 * 10**9, -1, -(2**63)], 8)]),
    }
    batch = pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))
    yield Case("loose-values", "decimals beyond their precision, dates with a time, times outside a day",
               batch.schema, [batch], level="content")


# --- dictionaries ---


def dictionary_cases():
    def encoded(indices, values, index_type=pa.int8()):
        return pa.DictionaryArray.from_arrays(pa.array(indices, index_type), values)

    none = encoded([None] * 4, pa.array([], pa.string()))
    batch = pa.record_batch([none], names=["d"])
    yield Case("dictionary-empty", "a dictionary without values, all rows null", batch.schema, [batch])

    words = pa.array(["x", None, "x", "a longer word than twelve", "", "never used"])
    column = encoded([4, 1, 0, None, 2, 3, 1], words)
    batch = pa.record_batch([column, column, column.slice(0, 7)], names=["a", "b", "c"])
    yield Case("dictionary-shared", "one dictionary with a null and a repeated value, three columns", batch.schema,
               [batch, batch.slice(2, 3), batch.slice(6, 0)])

    inner = encoded([0, 2, None, 1, 3, 0, 2], words)
    lists = build(pa.list_(inner.type), 4, [bitmap([True, True, False, True]), packed([0, 2, 5, 5, 7], 4)], [inner])
    seven = lists.take(pa.array([0, 1, 2, 3, 1, 0, 2]))
    structs = pa.StructArray.from_arrays([inner, seven], names=["word", "words"])
    batch = pa.record_batch([encoded([3, 0, None, 1, 2], lists), encoded([6, 5, None, 0, 6], structs, pa.uint16())],
                            names=["lists", "structs"])
    yield Case("dictionary-nested", "dictionaries whose values hold dictionaries", batch.schema,
               [batch, batch.slice(1, 3)])

    many = pa.array([f"value {k}" for k in range(250)])
    picks = [249, 128, 127, 0, None, 200]
    columns = [encoded(picks, many, t) for t in (pa.uint8(), pa.uint64())]
    batch = pa.record_batch(columns, names=["u8", "u64"])
    yield Case("dictionary-250", "indices above 127 in 8 bits", batch.schema, [batch])

    batches = [pa.record_batch([encoded(indices, pa.array(values))], names=["d"])
               for indices, values in [([0, 1, None], ["a", "b"]), ([1, 0], ["c", "a"]), ([0, 0, 1], ["b", "d"])]]
    table = pa.Table.from_batches(batches).unify_dictionaries()
    yield Case("dictionary-unified", "batches with dictionaries of their own, unified", table.schema,
               table.to_batches())


# --- options of the writer ---


def option_cases():
    v4 = {"metadata_version": pa.ipc.MetadataVersion.V4}
    # Views, list views and runs came after V4.
    newer = ("views", "list-views", "run-ends", "nested", "dictionary-inside")
    old = [name for name in families() if name not in newer]
    fields = [f for name in old for f in families()[name][1][:3] if "view" not in str(f.type)]
    schema = pa.schema([pa.field(f"c{k}", f.type, f.nullable) for k, f in enumerate(fields)])
    maker = Seeded(9300)
    batches = [maker.batch(schema, n) for n in (7, 0)]
    batches.append(batches[0].slice(2, 4))
    yield Case("metadata-v4", "metadata V4: unions carry a validity buffer", schema, batches, options=v4)
    yield Case("legacy-framing", "metadata V4, messages without the continuation marker", schema, batches,
               options={**v4, "use_legacy_format": True})


# --- random schemas ---


def random_cases():
    for k in range(8):
        dice = Dice(7000 + k)
        schema = pa.schema([random_field(dice, f"f{i}", 4) for i in range(4)])
        maker = Seeded(7100 + k, one_null_in=[0, 2, 3, 5][k % 4])
        whole = maker.batch(schema, 16)
        batches = [whole.slice(dice.below(8), dice.below(8)) for _ in range(2)] + [maker.batch(schema, 5)]
        yield Case(f"random-{k}", "a random schema up to 4 deep, slices and a whole batch", schema, batches)


def random_field(dice, name, depth):
    t = random_type(dice, depth)
    return pa.field(name, t, nullable=pa.types.is_null(t) or dice.below(4) > 0)


def random_type(dice, depth):
    flat = [f.type for name, (_, fields) in families().items() for f in fields
            if not f.type.num_fields and not pa.types.is_dictionary(f.type)]
    if depth == 0 or dice.below(4) == 0:
        return dice.pick(flat)

    def child(name="item"):
        return random_field(dice, name, depth - 1)

    def children():
        return [child(f"c{k}") for k in range(1 + dice.below(3))]

    def values():
        t = random_type(dice, depth - 1)
        return dice.pick(flat) if pa.types.is_dictionary(t) or pa.types.is_run_end_encoded(t) else t

    kinds = [
        lambda: pa.list_(child()), lambda: pa.large_list(child()), lambda: pa.list_view(child()),
        lambda: pa.large_list_view(child()), lambda: pa.list_(child(), dice.below(4)), lambda: pa.struct(children()),
        lambda: pa.map_(dice.pick(flat[1:]), child("value")), lambda: pa.sparse_union(children()),
        lambda: pa.dense_union(children()), lambda: pa.dictionary(dice.pick(INTEGERS), values()),
        lambda: pa.run_end_encoded(dice.pick([pa.int16(), pa.int32(), pa.int64()]), values()),
    ]
    return dice.pick(kinds)()
