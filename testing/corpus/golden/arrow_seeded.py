"""Arrays of any type from a seed, built from raw buffers.

The first slots hold the edge values of the type, the later ones random values. Null slots hold garbage: a value, a
non-empty range, an index beyond the dictionary. Lists leave the last elements of their child unused, and on demand
the first; views lie in several data buffers; list views overlap and run backwards; dictionaries repeat values.
"""

import struct

import pyarrow as pa

TEXTS = [
    "",
    "a",
    "twelve bytes",
    "thirteen byte",
    "naïve café",
    "日本語のテキストです",
    'quote " backslash \\ slash /',
    "tab\tnewline\nnul\0del\x7fnel\x85",
    "👩‍👩‍👧 family",
    "a text long enough for a data buffer of its own",
    "\ufeffbom \u2028 \uffff \U0010ffff",
]
FLOATS = [0.0, -0.0, 1.0, -1.5, 0.1, 1 / 3, 1e-4, 9e-5, 65504.0, 1e15, 1e16, 1e30, 6e-8, 2.0**-14, 2.0**-24, 2.0**-44]
# 1 January 0000, the day before, 31 December 9999, the day after, a leap day, the last of a February without one.
DAYS = [-719_528, -719_529, 2_932_896, 2_932_897, 11_016, -25_510]
SECONDS_PER_DAY = 86_400
TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Dice:
    """SplitMix64: the same numbers from the same seed, everywhere and for ever."""

    def __init__(self, seed):
        self.state = seed

    def u64(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def below(self, n):
        return self.u64() % n

    def pick(self, values):
        return values[self.below(len(values))]

    def between(self, low, high):
        """Both ends included; any number of bits."""
        return low + sum(self.u64() << (64 * k) for k in range(5)) % (high - low + 1)


class Seeded:
    """Makes arrays. One dictionary per value type and maker, so that the batches of a case share it."""

    def __init__(self, seed, one_null_in=3, first_offset=0):
        self.dice = Dice(seed)
        self.one_null_in = one_null_in
        self.first_offset = first_offset
        self.dictionaries = {}

    def batch(self, schema, n):
        return pa.RecordBatch.from_arrays([self.column(field, n) for field in schema], schema=schema)

    def column(self, field, n):
        return self.array(field.type, n, nullable=field.nullable)

    def array(self, t, n, nullable=True):
        if pa.types.is_null(t):
            return pa.nulls(n)
        if pa.types.is_dictionary(t):
            return self.dictionary(t, n, nullable)
        if pa.types.is_run_end_encoded(t):
            return self.runs(t, n, nullable)
        if pa.types.is_union(t):
            return self.union(t, n, nullable)
        valid = self.validity(n, nullable)
        if pa.types.is_struct(t):
            return build(t, n, [valid], [self.column(t.field(k), n) for k in range(t.num_fields)])
        if pa.types.is_fixed_size_list(t):
            return build(t, n, [valid], [self.column(t.field(0), n * t.list_size)])
        if pa.types.is_list_view(t) or pa.types.is_large_list_view(t):
            return self.list_view(t, n, valid)
        if pa.types.is_map(t):
            return self.map(t, n, valid)
        if pa.types.is_list(t) or pa.types.is_large_list(t):
            offsets = self.offsets(n, self.first_offset)
            child = self.column(t.field(0), offsets[-1] + 2)
            return build(t, n, [valid, packed(offsets, 8 if pa.types.is_large_list(t) else 4)], [child])
        if pa.types.is_string_view(t) or pa.types.is_binary_view(t):
            return self.views(t, n, valid)
        if pa.types.is_fixed_size_binary(t) and not pa.types.is_decimal(t):
            return build(t, n, [valid, pa.py_buffer(b"".join(self.blob(t.byte_width) for _ in range(n)))])
        if is_variable(t):
            values = [self.bytes_at(t, slot) for slot in range(n)]
            width = 8 if pa.types.is_large_string(t) or pa.types.is_large_binary(t) else 4
            offsets = [0]
            for value in values:
                offsets.append(offsets[-1] + len(value))
            return build(t, n, [valid, packed(offsets, width), pa.py_buffer(b"".join(values))])
        if pa.types.is_boolean(t):
            return build(t, n, [valid, bitmap([self.dice.below(2) == 1 for _ in range(n)])])
        return build(t, n, [valid, pa.py_buffer(b"".join(self.fixed_at(t, slot) for slot in range(n)))])

    def validity(self, n, nullable=True):
        if not nullable or self.one_null_in == 0:
            return None
        return bitmap([self.dice.below(self.one_null_in) != 0 for _ in range(n)])

    def offsets(self, n, first):
        offsets = [first]
        for _ in range(n):
            offsets.append(offsets[-1] + self.dice.below(4))
        return offsets

    def blob(self, n):
        return bytes(self.dice.below(256) for _ in range(n))

    def bytes_at(self, t, slot):
        if pa.types.is_string(t) or pa.types.is_large_string(t) or pa.types.is_string_view(t):
            return (TEXTS[slot] if slot < len(TEXTS) else self.dice.pick(TEXTS)).encode("utf-8")
        return self.blob([0, 1, 12, 13, 30][slot] if slot < 5 else self.dice.below(20))

    def fixed_at(self, t, slot):
        """The bytes of one value of a type of fixed width."""
        if pa.types.is_floating(t):
            code, most, least = {16: ("<e", 65504.0, 2.0**-24), 32: ("<f", 3.4028234663852886e38, 2.0**-149),
                                 64: ("<d", 1.7976931348623157e308, 5e-324)}[t.bit_width]
            edges = FLOATS + [most, -most, least, -least, float("inf"), float("-inf"), float("nan")]
            value = edges[slot] if slot < len(edges) else (self.dice.below(2**20) - 2**19) / 1000.0
            # A value that this width cannot hold becomes its largest.
            return struct.pack(code, value if not most < abs(value) < float("inf") else most)
        if pa.types.is_interval(t):
            edges = [(0, 0, 0), (1, -1, 1), (-(2**31), 2**31 - 1, -(2**63)), (2**31 - 1, -(2**31), 2**63 - 1)]
            random = tuple(self.dice.between(-1000, 1000) for _ in range(3))
            return struct.pack("<iiq", *(edges[slot] if slot < len(edges) else random))
        low, high, step, signed = integer_range(t)
        edges = [0, 1, -1 if signed else 2, low, high, low + 1, high - 1]
        if pa.types.is_date(t):
            edges += DAYS
        if pa.types.is_timestamp(t):
            second = TICKS[t.unit]
            edges += [day * SECONDS_PER_DAY * second - k for day in DAYS for k in (0, 1)]
            low_random, high_random = -4_000_000_000 * second, 4_000_000_000 * second
        else:
            low_random, high_random = low, high
        value = edges[slot] if slot < len(edges) else self.dice.between(low_random, high_random)
        value = min(max(value, low), high) * step
        return value.to_bytes(t.bit_width // 8, "little", signed=signed)

    def views(self, t, n, valid):
        values = [self.bytes_at(t, slot) for slot in range(n)]
        # Each buffer starts with bytes that nothing refers to; two more buffers are empty or unused.
        data = [bytearray(b"unused"), bytearray(b"-"), bytearray(), bytearray(b"never referred to")]
        raw_views = bytearray()
        for slot, value in enumerate(values):
            if len(value) <= 12:
                raw_views += struct.pack("<i12s", len(value), value)
            else:
                idx = slot % 2
                raw_views += struct.pack("<i4sii", len(value), value[:4], idx, len(data[idx]))
                data[idx] += value
        return build(t, n, [valid, pa.py_buffer(bytes(raw_views)), *(pa.py_buffer(bytes(d)) for d in data)])

    def list_view(self, t, n, valid):
        n_child = n + 3
        starts = [n_child - 1 - slot if slot % 3 else self.dice.below(n_child) for slot in range(n)]
        sizes = [self.dice.below(min(4, n_child - start + 1)) for start in starts]
        width = 8 if pa.types.is_large_list_view(t) else 4
        return build(t, n, [valid, packed(starts, width), packed(sizes, width)], [self.column(t.field(0), n_child)])

    def map(self, t, n, valid):
        offsets = self.offsets(n, 0)
        n_entries = offsets[-1]
        if t.keys_sorted:
            # Keys that grow over the whole array grow within each map.
            assert pa.types.is_int32(t.key_type)
            key_type, keys = t.key_type, [-5 + 3 * k for k in range(n_entries)]
            keys = build(key_type, n_entries, [None, packed(keys, 4)])
        else:
            keys = self.array(t.key_type, n_entries, nullable=False)
        entries = build(t.field(0).type, n_entries, [None], [keys, self.column(t.item_field, n_entries)])
        return build(t, n, [valid, packed(offsets, 4)], [entries])

    def union(self, t, n, nullable):
        # A union has no validity of its own: it is null where the child is.
        n_fields = t.num_fields
        children = [t.field(k) for k in range(n_fields)]
        if not nullable:
            children = [f if pa.types.is_null(f.type) else f.with_nullable(False) for f in children]
        picks = [slot % n_fields if slot < 2 * n_fields else self.dice.below(n_fields) for slot in range(n)]
        # 64 spare bytes: pyarrow 26 writes a slice's type ids from beyond the end of their buffer otherwise, and so
        # different bytes each time.
        ids = packed([t.type_codes[k] for k in picks] + [0] * 64, 1)
        if t.mode == "sparse":
            return build(t, n, [None, ids], [self.column(child, n) for child in children])
        last, offsets = [-1] * n_fields, []
        for child in picks:
            # Slots may share a value of the child or leave holes in it.
            last[child] += self.dice.pick([0, 1, 1, 1, 2]) if last[child] >= 0 else 1
            offsets.append(last[child])
        children = [self.column(child, n_used + 3) for child, n_used in zip(children, last)]
        return build(t, n, [None, ids, packed(offsets, 4)], children)

    def dictionary(self, t, n, nullable):
        key = (str(t.value_type), nullable)
        if key not in self.dictionaries:
            self.dictionaries[key] = self.array(t.value_type, 13, nullable)
        values = self.dictionaries[key]
        width, signed = t.index_type.bit_width // 8, pa.types.is_signed_integer(t.index_type)
        valid = [not nullable or self.one_null_in == 0 or self.dice.below(self.one_null_in) != 0 for _ in range(n)]
        used = [slot if slot < 13 else self.dice.below(13) for slot in range(n)]
        indices = [index if ok else 99 for index, ok in zip(used, valid)]
        indices = build(t.index_type, n, [None if all(valid) else bitmap(valid), packed(indices, width, signed)])
        # `safe` would refuse the indices beneath nulls.
        return pa.DictionaryArray.from_arrays(indices, values, ordered=t.ordered, safe=False)

    def runs(self, t, n, nullable):
        ends = []
        while not ends or ends[-1] < n:
            ends.append((ends[-1] if ends else 0) + 1 + self.dice.below(3))
        ends = [] if n == 0 else ends
        run_ends = build(t.run_end_type, len(ends), [None, packed(ends, t.run_end_type.bit_width // 8)])
        return build(t, n, [None], [run_ends, self.array(t.value_type, len(ends), nullable)])


def build(t, n, buffers, children=None):
    return pa.Array.from_buffers(t, n, buffers, children=children)


def bitmap(flags):
    data = bytearray((len(flags) + 7) // 8)
    for k, flag in enumerate(flags):
        data[k // 8] |= flag << (k % 8)
    return pa.py_buffer(bytes(data))


def packed(values, width, signed=True):
    return pa.py_buffer(b"".join(value.to_bytes(width, "little", signed=signed) for value in values))


def is_variable(t):
    checks = [pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary]
    return any(check(t) for check in checks)


def integer_range(t):
    """(lowest, highest, step, signed) of what a type over integers may hold, by the strictest reading."""
    if pa.types.is_decimal(t):
        return 1 - 10**t.precision, 10**t.precision - 1, 1, True
    if pa.types.is_time(t):
        return 0, SECONDS_PER_DAY * TICKS[t.unit] - 1, 1, True
    if pa.types.is_date64(t):
        return -(2**63) // 86_400_000 + 1, 2**63 // 86_400_000, 86_400_000, True
    if pa.types.is_unsigned_integer(t):
        return 0, 2**t.bit_width - 1, 1, False
    return -(2 ** (t.bit_width - 1)), 2 ** (t.bit_width - 1) - 1, 1, True
