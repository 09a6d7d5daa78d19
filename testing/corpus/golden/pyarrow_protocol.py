"""Cases about how batches are written, not about their types: compression, and dictionaries that change."""

import pyarrow as pa

from arrow_seeded import Dice, Seeded, bitmap, build, packed
from pyarrow_cases import Case, every_type_schema

CODECS = ["lz4", "zstd"]


def protocol_cases():
    yield from compression_cases()
    yield from delta_cases()
    yield from replacement_cases()
    yield from nested_cases()


# --- compression ---


def compression_cases():
    every = every_type_schema()
    for k, codec in enumerate(CODECS):
        maker = Seeded(9400 + 10 * k)
        batches = [maker.batch(every, n) for n in (13, 0)]
        yield Case(f"compressed-{codec}", f"{codec}: one column of each type, a batch with rows and one without", every,
                   [*batches, batches[0].slice(5, 4)], options={"compression": codec})
        yield Case(f"compressed-{codec}-no-batches", f"{codec}: one column of each type, no batch", every, [],
                   options={"compression": codec})
        yield Case(f"compressed-{codec}-long", f"{codec}: buffers of more than 64 KiB, in a batch and a dictionary",
                   *long_batch(9500), options={"compression": codec})
    schema = pa.schema([("sorted", pa.int32()), ("random", pa.binary(24)), ("text", pa.string()), ("b", pa.bool_())])
    for codec, level in [("zstd", 19), ("zstd", -5), ("lz4", 9)]:
        dice, n = Dice(9600 + level), 150
        columns = [
            packed([3 * k + dice.below(3) for k in range(n)], 4),
            pa.py_buffer(bytes(dice.below(256) for _ in range(24 * n))),
            None,
            bitmap([k % 5 > 0 for k in range(n)]),
        ]
        text = pa.array([f"word {dice.below(20)} of some" if dice.below(7) else None for _ in range(n)])
        columns = [text if data is None else build(t, n, [None, data]) for t, data in zip(schema.types, columns)]
        batch = pa.RecordBatch.from_arrays(columns, schema=schema)
        name = f"compressed-{codec}-level-{level}".replace("--", "-minus-")
        yield Case(name, f"{codec} of level {level}: numbers, noise, text and bits", schema,
                   [batch, batch.slice(9, 77)], options={"compression": pa.Codec(codec, compression_level=level)})


def long_batch(seed):
    """Numbers that grow by a little, and a long dictionary of which few values are used."""
    dice, n = Dice(seed), 8_400
    numbers = [0]
    while len(numbers) < n:
        numbers.append(numbers[-1] + dice.below(9))
    values = pa.array([f"value {dice.below(1000)} of a dictionary, number {k}" for k in range(3_000)])
    indices = build(pa.int16(), n, [None, packed([2_999 - k % 7 for k in range(n)], 2)])
    words = pa.DictionaryArray.from_arrays(indices, values)
    none = pa.DictionaryArray.from_arrays(pa.nulls(n, pa.int16()), values)
    numbers = build(pa.int64(), n, [None, packed(numbers, 8)])
    schema = pa.schema([("n", numbers.type), ("w", words.type)])
    columns = [[numbers, none], [numbers.slice(0, 20), words.slice(0, 20)]]
    return schema, [pa.RecordBatch.from_arrays(arrays, schema=schema) for arrays in columns]


# --- dictionaries that grow ---


def growing(seed, prefixes, types):
    """A batch for each tuple of prefixes, of dictionaries of all types: `prefixes` are the numbers of values."""
    maker, dice = Seeded(seed), Dice(seed)
    longest = [maker.array(t, max(prefixes)) for t in types]
    schema = pa.schema([(f"c{k}", pa.dictionary([pa.int8(), pa.uint16(), pa.int32(), pa.int64()][k % 4], t))
                        for k, t in enumerate(types)])
    batches = []
    for n_values in prefixes:
        columns = []
        for field, values in zip(schema, longest):
            rows = [dice.below(n_values) if n_values and dice.below(5) else None for _ in range(7)]
            rows[3] = n_values - 1 if n_values else None
            columns.append(pa.DictionaryArray.from_arrays(pa.array(rows, field.type.index_type),
                                                          values.slice(0, n_values)))
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return schema, batches


def plain_value_types():
    point = pa.struct([("x", pa.int16()), ("y", pa.string())])
    return [pa.string(), pa.int64(), pa.bool_(), pa.large_binary(), pa.binary(3), pa.decimal128(20, 3),
            pa.timestamp("ms", "UTC"), pa.list_(pa.string()), point, pa.list_(pa.int8(), 2),
            pa.map_(pa.string(), pa.int8()), pa.date32()]


def delta_cases():
    deltas = {"emit_dictionary_deltas": True}
    types = plain_value_types()
    n = len(types)
    steps = [2, 5, 5, 12, 13, 30]
    yield Case("dictionary-deltas", "dictionaries of many types that grow four times",
               *growing(9700, steps, types), options=deltas, dictionaries=(n, 4 * n, 0))
    types = [pa.string(), pa.list_(pa.string())]
    # An empty dictionary is replaced, which files cannot.
    yield Case("dictionary-deltas-from-empty", "dictionaries that are empty at first",
               *growing(9701, [0, 0, 3, 4], types), options=deltas, formats=("stream",), dictionaries=(2, 2, 2))
    for codec in CODECS:
        yield Case(f"dictionary-deltas-{codec}", f"{codec}: dictionaries that grow", *growing(9702, [9, 20, 33], types),
                   options={**deltas, "compression": codec}, dictionaries=(2, 4, 0))
    yield Case("dictionary-deltas-legacy", "metadata V4, no continuation markers: dictionaries that grow",
               *growing(9703, [2, 3, 7], types), dictionaries=(2, 4, 0),
               options={**deltas, "use_legacy_format": True, "metadata_version": pa.ipc.MetadataVersion.V4})
    yield Case("dictionary-deltas-many", "a dictionary that grows by one value, sixty times",
               *growing(9704, list(range(1, 62)), [pa.string()]), options=deltas, dictionaries=(1, 60, 0))


# --- dictionaries that are replaced ---


def replacement_cases():
    stream = ("stream",)
    types = plain_value_types()
    parts = [growing(9800 + k, [n_values], types) for k, n_values in enumerate([6, 4, 1, 9])]
    schema, batches = parts[0][0], [batch for _, part in parts for batch in part]
    batches.insert(2, batches[1].slice(2, 3))
    n = len(types)
    yield Case("dictionary-replaced", "dictionaries of many types, replaced three times", schema, batches,
               formats=stream, dictionaries=(n, 0, 3 * n))
    words = ["one", "two", None, "three"]
    steps = [words[:2], words[:3], words[1:], ["one"], [], words]
    batches = [changing_words(values, k) for k, values in enumerate(steps)]
    yield Case("dictionary-replaced-by-others", "a longer, another, a shorter, an empty dictionary", batches[0].schema,
               batches, formats=stream, dictionaries=(1, 0, 5))
    yield Case("dictionary-deltas-and-replaced", "the same with deltas where one begins as that before",
               batches[0].schema, batches, formats=stream, options={"emit_dictionary_deltas": True},
               dictionaries=(1, 1, 4))
    for codec in CODECS:
        yield Case(f"dictionary-replaced-{codec}", f"{codec}: dictionaries that are replaced", batches[0].schema,
                   batches, formats=stream, options={"compression": codec}, dictionaries=(1, 0, 5))


def changing_words(values, k):
    n = len(values)
    indices = [(k + i) % n if n and i % 4 != 3 else None for i in range(6)]
    column = pa.DictionaryArray.from_arrays(pa.array(indices, pa.int8()), pa.array(values, pa.string()))
    return pa.record_batch([column], names=["word"])


# --- dictionaries whose values hold dictionaries ---


def nested_cases():
    words = [["x", "y"], ["x", "y"], ["x", "y", "z"], ["q", "y"], ["q", "y", "r", "s"]]
    lists = [2, 3, 3, 3, 4]
    batches = [nested(w, n) for w, n in zip(words, lists)]
    schema, stream = batches[0].schema, ("stream",)
    yield Case("dictionary-nested-replaced", "dictionaries of lists of dictionaries, either replaced", schema, batches,
               formats=stream, dictionaries=(4, 0, 14))
    yield Case("dictionary-nested-deltas", "dictionaries of lists of dictionaries, deltas where pyarrow makes them",
               schema, batches, formats=stream, options={"emit_dictionary_deltas": True},
               dictionaries=(4, 4, 10))


def nested(words, n_lists):
    inner = pa.DictionaryArray.from_arrays(
        pa.array([k % len(words) if k % 5 != 4 else None for k in range(2 * n_lists)], pa.int8()), pa.array(words))
    lists = build(pa.list_(inner.type), n_lists, [None, packed([2 * k for k in range(n_lists + 1)], 4)], [inner])
    rows = pa.array([n_lists - 1, None, 0, 1], pa.int16())
    outer = pa.DictionaryArray.from_arrays(rows, lists)
    return pa.record_batch([outer, pa.StructArray.from_arrays([outer], names=["again"])], names=["lists", "struct"])
