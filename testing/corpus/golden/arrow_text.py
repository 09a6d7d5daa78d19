"""The text form of types, fields and schemas: one field per line.

Own code over pyarrow's type objects; pyarrow's own printing is not used.
"""

import re

import pyarrow as pa

BARE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

# Types without parameters, by pyarrow's type id.
PLAIN_TYPES = {
    pa.lib.Type_NA: "null",
    pa.lib.Type_BOOL: "bool",
    pa.lib.Type_INT8: "int8",
    pa.lib.Type_INT16: "int16",
    pa.lib.Type_INT32: "int32",
    pa.lib.Type_INT64: "int64",
    pa.lib.Type_UINT8: "uint8",
    pa.lib.Type_UINT16: "uint16",
    pa.lib.Type_UINT32: "uint32",
    pa.lib.Type_UINT64: "uint64",
    pa.lib.Type_HALF_FLOAT: "float16",
    pa.lib.Type_FLOAT: "float32",
    pa.lib.Type_DOUBLE: "float64",
    pa.lib.Type_DATE32: "date32",
    pa.lib.Type_DATE64: "date64",
    pa.lib.Type_INTERVAL_MONTH_DAY_NANO: "interval(month_day_nano)",
    pa.lib.Type_INTERVAL_MONTHS: "interval(year_month)",
    pa.lib.Type_INTERVAL_DAY_TIME: "interval(day_time)",
    pa.lib.Type_BINARY: "binary",
    pa.lib.Type_LARGE_BINARY: "large_binary",
    pa.lib.Type_BINARY_VIEW: "binary_view",
    pa.lib.Type_STRING: "utf8",
    pa.lib.Type_LARGE_STRING: "large_utf8",
    pa.lib.Type_STRING_VIEW: "utf8_view",
}

LIST_TYPES = {
    pa.lib.Type_LIST: "list",
    pa.lib.Type_LARGE_LIST: "large_list",
    pa.lib.Type_LIST_VIEW: "list_view",
    pa.lib.Type_LARGE_LIST_VIEW: "large_list_view",
}


SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def json_string(text):
    """A JSON string; only quotes, backslashes and control characters are escaped."""
    out = ['"']
    for char in text:
        if char in SHORT_ESCAPES:
            out.append(SHORT_ESCAPES[char])
        elif char in '"\\':
            out.append("\\" + char)
        elif ord(char) < 0x20 or 0x7F <= ord(char) <= 0x9F:
            out.append(f"\\u{ord(char):04x}")
        else:
            out.append(char)
    out.append('"')
    return "".join(out)


def schema_text(schema):
    """One field per line; an empty text for a schema without fields."""
    return "".join(field_text(field) + "\n" for field in schema)


def field_text(field):
    name = field.name if BARE_NAME.fullmatch(field.name) else json_string(field.name)
    return f"{name}: {type_text(field.type)}" + ("" if field.nullable else " not null")


def type_text(data_type):
    if isinstance(data_type, pa.BaseExtensionType):
        return type_text(data_type.storage_type)
    t, kind = data_type, data_type.id
    if kind in PLAIN_TYPES:
        return PLAIN_TYPES[kind]
    if kind in LIST_TYPES:
        return f"{LIST_TYPES[kind]}<{field_text(t.field(0))}>"
    if pa.types.is_decimal(t):
        return f"decimal{t.bit_width}({t.precision}, {t.scale})"
    if pa.types.is_time32(t) or pa.types.is_time64(t):
        return f"time{t.bit_width}({t.unit})"
    if pa.types.is_timestamp(t):
        zone = "" if t.tz is None else ", " + json_string(t.tz)
        return f"timestamp({t.unit}{zone})"
    if pa.types.is_duration(t):
        return f"duration({t.unit})"
    if pa.types.is_fixed_size_binary(t):
        return f"fixed_size_binary({t.byte_width})"
    if pa.types.is_fixed_size_list(t):
        return f"fixed_size_list<{field_text(t.field(0))}; {t.list_size}>"
    if pa.types.is_struct(t):
        return f"struct<{fields_text(t)}>"
    if pa.types.is_map(t):
        return f"map<{field_text(t.field(0))}{', sorted' if t.keys_sorted else ''}>"
    if pa.types.is_union(t):
        children = (f"{code}={field_text(t.field(k))}" for k, code in enumerate(t.type_codes))
        return f"{t.mode}_union<{', '.join(children)}>"
    if pa.types.is_dictionary(t):
        ordered = ", ordered" if t.ordered else ""
        return f"dictionary<{type_text(t.index_type)}, {type_text(t.value_type)}{ordered}>"
    if pa.types.is_run_end_encoded(t):
        return f"run_end_encoded<{fields_text(t)}>"
    raise TypeError(f"no text form for {t}")


def fields_text(data_type):
    return ", ".join(field_text(data_type.field(k)) for k in range(data_type.num_fields))
