"""Rows of a pyarrow record batch in the lossless JSON form.

Own code over the raw buffers: no value passes through pyarrow's conversion to Python objects, pandas, datetime or
Decimal, all of which round, clip or refuse something that the format can hold. Numbers are exact Python integers.
"""

import bisect
import json
import re

import numpy as np
import pyarrow as pa

from arrow_text import json_string

FRACTION_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}
SECONDS_PER_DAY = 86_400


def batch_rows(batch):
    """One JSON text per row."""
    names = batch.schema.names
    columns = [column_texts(batch.schema.field(k), batch.column(k)) for k in range(len(names))]
    return [record_text(names, [column[row] for column in columns]) for row in range(batch.num_rows)]


def column_texts(field, array):
    """As `value_texts`, in the form of the extension type of the column, if it has one that is known here."""
    texts = value_texts(array)
    noted = (field.metadata or {}).get(b"ARROW:extension:name")
    if field.type == pa.uuid() or (noted == b"arrow.uuid" and field.type == pa.binary(16)):
        cuts = [0, 9, 13, 17, 21, len('"') * 2 + 32]
        return [t if t == "null" else "-".join(t[a:b] for a, b in zip(cuts, cuts[1:])) for t in texts]
    if field.type == pa.bool8():
        return [{"0": "false", "1": "true"}.get(t, t) for t in texts]
    name = getattr(field.type, "extension_name", (noted or b"").decode())
    storage = getattr(array, "storage", array)
    if name == "arrow.json":
        return [json_inside(t) for t in texts]
    if name == "arrow.fixed_shape_tensor":
        shapes = [list(field.type.shape)] * len(array)
        return tensor_texts(storage, shapes, field.type.permutation, texts)
    if name == "arrow.variable_shape_tensor":
        # This type has no attribute for it; it prints as `permutation=[1,0]`.
        printed = re.search(r"permutation=(\[[0-9,]+\])", str(field.type))
        permutation = json.loads(printed[1]) if printed else None
        sizes = storage.field("shape").values.to_pylist()
        shapes = [sizes[a:b] for a, b in ranges(storage.field("shape"))]
        return tensor_texts(storage.field("data"), shapes, permutation, texts, least=1)
    return texts


def json_inside(text):
    """JSON that is no string and not null as it is, if it stands on one line."""
    inside = None if text == "null" else json.loads(text)
    has_control = any(ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F for char in inside or "")
    if not inside or inside[0] in 'n"' or inside != inside.strip() or has_control:
        return text
    try:
        json.loads(inside, parse_constant=int)
    except ValueError:
        return text
    return inside


def tensor_texts(lists, shapes, permutation, texts, least=2):
    """The lists by the shape of each slot, in logical order; the text of the storage where there is no such form."""
    items = value_texts(lists.values)
    made = []
    for text, shape, (a, b) in zip(texts, shapes, ranges(lists)):
        is_sound = len(shape) >= least and None not in shape and min(shape) > 0 and int(np.prod(shape)) == b - a
        if text == "null" or not is_sound:
            made.append(text)
            continue
        places = np.arange(a, b).reshape(shape).transpose(permutation or range(len(shape)))
        nested = json.dumps(places.tolist(), separators=(",", ":"))
        made.append(re.sub(r"\d+", lambda place: items[int(place[0])], nested))
    return made


def record_text(names, values):
    """An object; a list of pairs where a name repeats."""
    if len(set(names)) < len(names):
        return "[" + ",".join(f"[{json_string(n)},{v}]" for n, v in zip(names, values)) + "]"
    return "{" + ",".join(f"{json_string(n)}:{v}" for n, v in zip(names, values)) + "}"


def value_texts(array):
    """One JSON text per slot of the array."""
    t = array.type
    if isinstance(t, pa.BaseExtensionType):
        # `column_texts` knows those with a form of their own.
        return value_texts(array.storage)
    if pa.types.is_null(t):
        return ["null"] * len(array)
    # These have no validity of their own: nulls are those of the values they point to.
    if pa.types.is_union(t):
        return union_texts(array)
    if pa.types.is_run_end_encoded(t):
        return run_texts(array)
    return [text if valid else "null" for valid, text in zip(validity(array), slot_texts(array))]


def slot_texts(array):
    """One text per slot, as if none were null; that of a null slot means nothing, and nothing it holds may fail."""
    t = array.type
    if pa.types.is_boolean(t):
        return ["true" if bit else "false" for bit in bits(array.buffers()[1], array.offset, len(array))]
    if pa.types.is_integer(t):
        return map(str, integers(array, t.bit_width // 8, signed=pa.types.is_signed_integer(t)))
    if pa.types.is_floating(t):
        dtype = {16: "<f2", 32: "<f4", 64: "<f8"}[t.bit_width]
        return (float_text(np.frombuffer(raw, dtype)[0]) for raw in fixed(array, t.bit_width // 8))
    if pa.types.is_decimal(t):
        return (f'"{decimal_text(n, t.scale)}"' for n in integers(array, t.bit_width // 8))
    if pa.types.is_date32(t):
        return (f'"{date_text(n)}"' for n in integers(array, 4))
    if pa.types.is_date64(t):
        return (f'"{date64_text(n)}"' for n in integers(array, 8))
    if pa.types.is_time(t):
        return (time_text(n, FRACTION_DIGITS[t.unit]) for n in integers(array, t.bit_width // 8))
    if pa.types.is_timestamp(t):
        zulu = "" if t.tz is None else "Z"
        return (f'"{timestamp_text(n, FRACTION_DIGITS[t.unit])}{zulu}"' for n in integers(array, 8))
    if pa.types.is_duration(t):
        return map(str, integers(array, 8))
    if pa.types.is_interval(t):
        return map(month_day_nano_text, fixed(array, 16))
    if pa.types.is_fixed_size_binary(t):
        return (f'"{raw.hex()}"' for raw in fixed(array, t.byte_width))
    if pa.types.is_string(t) or pa.types.is_large_string(t):
        return (json_string(raw.decode("utf-8")) for raw in variable(array, masked=True))
    if pa.types.is_string_view(t):
        return (json_string(raw.decode("utf-8")) for raw in views(array))
    if pa.types.is_binary(t) or pa.types.is_large_binary(t):
        return (f'"{raw.hex()}"' for raw in variable(array))
    if pa.types.is_binary_view(t):
        return (f'"{raw.hex()}"' for raw in views(array))
    if pa.types.is_struct(t):
        names = [t.field(k).name for k in range(t.num_fields)]
        columns = [value_texts(array.field(k)) for k in range(t.num_fields)]
        return (record_text(names, [column[slot] for column in columns]) for slot in range(len(array)))
    if pa.types.is_map(t):
        entries = array.values
        pairs = [f"[{k},{v}]" for k, v in zip(value_texts(entries.field(0)), value_texts(entries.field(1)))]
        return ("[" + ",".join(pairs[a:b]) + "]" for a, b in ranges(array))
    if pa.types.is_dictionary(t):
        return dictionary_texts(array)
    items = value_texts(array.values)
    return ("[" + ",".join(items[a:b]) + "]" for a, b in ranges(array))


def dictionary_texts(array):
    values = value_texts(array.dictionary)
    index_type = array.indices.type
    indices = integers(array.indices, index_type.bit_width // 8, pa.types.is_signed_integer(index_type))
    return (values[i] if valid else None for i, valid in zip(indices, validity(array)))


def union_texts(array):
    t = array.type
    n, start = len(array), array.offset
    names = [t.field(k).name for k in range(t.num_fields)]
    children = [value_texts(array.field(k)) for k in range(t.num_fields)]
    child_of = {code: k for k, code in enumerate(t.type_codes)}
    buffers = array.buffers()
    ids = words(buffers[1], 1, start, n)
    slots = words(buffers[2], 4, start, n) if t.mode == "dense" else range(n)
    out = []
    for type_id, slot in zip(ids, slots):
        child = child_of[type_id]
        value = children[child][slot]
        if len(set(names)) < len(names):
            out.append(f"[{type_id},{value}]")
        else:
            out.append("{" + json_string(names[child]) + ":" + value + "}")
    return out


def run_texts(array):
    run_ends = array.run_ends
    ends = list(integers(run_ends, run_ends.type.bit_width // 8))
    values = value_texts(array.values)
    return [values[bisect.bisect_right(ends, array.offset + slot)] for slot in range(len(array))]


# --- raw buffers ---


def validity(array):
    buffer = array.buffers()[0]
    return [True] * len(array) if buffer is None else bits(buffer, array.offset, len(array))


def bits(buffer, start, n):
    data = b"" if buffer is None else buffer.to_pybytes()
    return [bool(data[k // 8] >> (k % 8) & 1) for k in range(start, start + n)]


def words(buffer, width, start, n, signed=True):
    data = b"" if buffer is None else buffer.to_pybytes()
    at = range(start * width, (start + n) * width, width)
    return [int.from_bytes(data[k : k + width], "little", signed=signed) for k in at]


def integers(array, width, signed=True):
    return words(array.buffers()[1], width, array.offset, len(array), signed)


def fixed(array, width):
    buffer = array.buffers()[1]
    data = b"" if buffer is None else buffer.to_pybytes()
    return [data[k * width : (k + 1) * width] for k in range(array.offset, array.offset + len(array))]


def variable(array, masked=False):
    """The bytes of each slot; those of null slots as empty where they need not be text."""
    data = array.buffers()[2]
    data = b"" if data is None else data.to_pybytes()
    valid = validity(array) if masked else [True] * len(array)
    return [data[a:b] if ok else b"" for ok, (a, b) in zip(valid, ranges(array))]


def views(array):
    buffers = array.buffers()
    raw_views = b"" if buffers[1] is None else buffers[1].to_pybytes()
    data = [buffer.to_pybytes() for buffer in buffers[2:]]
    out = []
    for slot, valid in enumerate(validity(array), start=array.offset):
        view = raw_views[slot * 16 : slot * 16 + 16]
        size, buffer_idx, offset = (int.from_bytes(view[k : k + 4], "little", signed=True) for k in (0, 8, 12))
        if not valid:
            out.append(b"")
        elif size <= 12:
            out.append(view[4 : 4 + size])
        else:
            out.append(data[buffer_idx][offset : offset + size])
    return out


def ranges(array):
    """(start, end) of each slot in the child or the data of any kind of list, map, binary or text."""
    t, n, start = array.type, len(array), array.offset
    if pa.types.is_fixed_size_list(t):
        return [(k * t.list_size, (k + 1) * t.list_size) for k in range(start, start + n)]
    if pa.types.is_list_view(t) or pa.types.is_large_list_view(t):
        width = 8 if pa.types.is_large_list_view(t) else 4
        _, offsets, sizes = array.buffers()[:3]
        return [(a, a + size) for a, size in zip(words(offsets, width, start, n), words(sizes, width, start, n))]
    large = pa.types.is_large_list(t) or pa.types.is_large_string(t) or pa.types.is_large_binary(t)
    if n == 0:
        return []
    offsets = words(array.buffers()[1], 8 if large else 4, start, n + 1)
    return list(zip(offsets, offsets[1:]))


# --- single values ---


def float_text(value):
    """Shortest digits of the value's own width; plain from 0.0001 to below 1e16, else with an exponent."""
    if np.isnan(value):
        return '"NaN"'
    if np.isinf(value):
        return '"Infinity"' if value > 0 else '"-Infinity"'
    sign = "-" if np.signbit(value) else ""
    if value == 0:
        return sign + "0.0"
    mantissa, exponent = np.format_float_scientific(abs(value), unique=True, trim="-").split("e")
    digits, exponent = mantissa.replace(".", ""), int(exponent)
    if not -4 <= exponent < 16:
        point = "." if len(digits) > 1 else ""
        return f"{sign}{digits[0]}{point}{digits[1:]}e{exponent}"
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    whole, fraction = digits[: exponent + 1].ljust(exponent + 1, "0"), digits[exponent + 1 :]
    return f"{sign}{whole}.{fraction or '0'}"


def decimal_text(unscaled, scale):
    if scale <= 0:
        return str(unscaled * 10**-scale)
    sign, digits = "-" if unscaled < 0 else "", str(abs(unscaled)).rjust(scale + 1, "0")
    return f"{sign}{digits[:-scale]}.{digits[-scale:]}"


def date_text(days):
    """Days since 1970-01-01 in the proleptic Gregorian calendar, for any integer."""
    # Count from 0000-03-01, so that a leap day is the last day of its year; 146,097 days are 400 years.
    cycle, day = divmod(days + 719_468, 146_097)
    year = (day - day // 1_460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    month = (5 * day + 2) // 153
    day -= (153 * month + 2) // 5
    year += 400 * cycle + (month >= 10)
    month += 3 if month < 10 else -9
    sign = "" if 0 <= year <= 9999 else "-" if year < 0 else "+"
    return f"{sign}{abs(year):0{6 if sign else 4}}-{month:02}-{day + 1:02}"


def clock_text(ticks, digits):
    seconds, fraction = divmod(ticks, 10**digits)
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{fraction:0{digits}}" if digits else "")


def time_text(ticks, digits):
    in_a_day = 0 <= ticks < SECONDS_PER_DAY * 10**digits
    return f'"{clock_text(ticks, digits)}"' if in_a_day else str(ticks)


def timestamp_text(ticks, digits):
    days, rest = divmod(ticks, SECONDS_PER_DAY * 10**digits)
    return f"{date_text(days)}T{clock_text(rest, digits)}"


def date64_text(milliseconds):
    days, rest = divmod(milliseconds, SECONDS_PER_DAY * 1000)
    return date_text(days) if rest == 0 else timestamp_text(milliseconds, 3)


def month_day_nano_text(raw):
    months, days = (int.from_bytes(raw[k : k + 4], "little", signed=True) for k in (0, 4))
    nanoseconds = int.from_bytes(raw[8:16], "little", signed=True)
    return f'{{"months":{months},"days":{days},"nanoseconds":{nanoseconds}}}'
