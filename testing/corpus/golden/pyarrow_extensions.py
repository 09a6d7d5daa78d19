"""The case of extension types: those that pyarrow has classes for, and one that only Arrow C++ knows."""

import pyarrow as pa

from arrow_seeded import Seeded


def extension_batches():
    """The schema, and batches of it."""
    fields = [
        pa.field("bool8", pa.bool8()),
        pa.field("uuid", pa.uuid(), nullable=False),
        *[pa.field(f"json/{t}", pa.json_(t)) for t in (pa.string(), pa.large_string(), pa.string_view())],
        pa.field("opaque", pa.opaque(pa.binary(), "geometry", "PostGIS")),
        pa.field("opaque/null", pa.opaque(pa.null(), 'ö"\n\u202e', "")),
        pa.field("fixed", pa.fixed_shape_tensor(pa.int8(), [2, 3])),
        pa.field("fixed/scalar", pa.fixed_shape_tensor(pa.float32(), [])),
        pa.field("fixed/empty", pa.fixed_shape_tensor(pa.int8(), [0, 5])),
        pa.field("fixed/named", pa.fixed_shape_tensor(pa.int16(), [2, 1, 3], dim_names=["C", 'ö"', ""],
                                                      permutation=[2, 0, 1])),
        variable_shape_tensor("variable", "{}"),
        variable_shape_tensor("variable/uniform", '{"uniform_shape": [1, null], "dim_names": ["H", "W"]}'),
        variable_shape_tensor("variable/permuted", '{"permutation": [1, 0]}'),
    ]
    schema = pa.schema(fields)
    batches = []
    for seed, n in [(9220, 5), (9221, 0)]:
        maker = Seeded(seed)
        columns = [f.type.wrap_array(storage(f, n, maker)) for f in fields]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return schema, batches


def storage(field, n, maker):
    t = field.type.storage_type
    if field.name.startswith("json"):
        return pa.array(['{"a": [1, 2.5e3]}', None, "[]", '"\\u00e9"', "null"][:n], t)
    if field.name.startswith("variable"):
        rows = [([1, 2], [1, 2]), ([], [1, 0]), None, ([3], [1, 1]), ([4, 5, 6], [1, 3])]
        return pa.array([row and {"data": row[0], "shape": row[1]} for row in rows[:n]], t)
    return maker.array(t, n, nullable=field.nullable)


def variable_shape_tensor(name, metadata):
    """A field of a type that has no constructor in Python: Arrow C++ makes it when it reads one, and writes it anew."""
    t = pa.struct([("data", pa.list_(pa.int32())), ("shape", pa.list_(pa.int32(), 2))])
    pairs = {"ARROW:extension:name": "arrow.variable_shape_tensor", "ARROW:extension:metadata": metadata}
    plain = pa.schema([pa.field(name, t, metadata=pairs)])
    field = pa.ipc.read_schema(plain.serialize()).field(0)
    assert isinstance(field.type, pa.BaseExtensionType)
    return pa.field(name, field.type)
