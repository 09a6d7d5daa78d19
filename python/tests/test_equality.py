"""`==`, `equals` and `hash` of schemas, fields, arrays and batches."""

import arrow_ipc
import pyarrow as pa
import pytest
from peers import columns_by_type


def batch(columns, metadata=None):
    table = pa.record_batch(columns)
    return arrow_ipc.RecordBatch.from_arrow(table.replace_schema_metadata(metadata))


def test_batches(people):
    file = arrow_ipc.open(people)
    first = file.batch(0)
    assert first == first and first == file.batch(0) and not first != file.batch(0)
    assert first != file.batch(1) and first != first[1:] and first != first.select(["name", "id", "address"])
    for other in (None, 1, "a", [], file, first.schema, first["id"], pa.record_batch(first)):
        assert (first == other) is False and (first != other) is True
    noted, plain = batch({"a": [1]}, {"k": "v"}), batch({"a": [1]})
    assert noted == plain and noted.equals(plain) and not noted.equals(plain, metadata=True)
    assert noted.schema != plain.schema and noted.schema.equals(plain.schema, metadata=False)
    # Other names, types and layouts.
    assert batch({"a": [1]}) != batch({"b": [1]})
    plain, views = batch({"a": pa.array(["x"])}), batch({"a": pa.array(["x"], pa.string_view())})
    assert plain != views and plain.same_rows(views)


def test_arrays():
    for name, (path, position) in columns_by_type().items():
        array = arrow_ipc.concat(arrow_ipc.open(path).select([position])).column(0)
        assert array == array[:] and array.equals(array[:], metadata=True), name
        assert len(array) < 2 or array.type == "null" or array != array[1:], name
    a, b = batch({"a": [1, None], "b": [1, None]}).columns
    # The name is not a value.
    assert a == b and not a.equals(b, metadata=True) and a != a.cast("int8")
    assert (a == [1, None]) is False and a.to_pylist() == [1, None]
    words = batch({"a": pa.array(["x", "y", "x"])})["a"]
    encoded = words.cast("dictionary<int32, utf8>")
    assert words != encoded and words.same_values(encoded) and encoded.to_pylist() == words.to_pylist()
    # By bits.
    nan, zero, negative = (batch({"a": [number]})["a"] for number in (float("nan"), 0.0, -0.0))
    assert nan == nan[:] and zero != negative
    for wrong in (None, 1, [1], batch({"a": [1]})):
        with pytest.raises(TypeError):
            a.equals(wrong)
        with pytest.raises(TypeError):
            a.same_values(wrong)


def test_hashes(people):
    """What holds values is not hashed by where it lies; what is a name for something is."""
    file = arrow_ipc.open(people)
    for value in (file.batch(0), file["id"]):
        assert type(value).__hash__ is None
        with pytest.raises(TypeError, match="unhashable"):
            hash(value)
    schema = arrow_ipc.Schema.parse(str(file.schema))
    assert len({schema, file.schema}) == 1 and len({schema["id"], file.schema["id"], schema["name"]}) == 2
    assert {schema["id"].type: 1}["int64"] == 1


def test_schemas():
    """`==` compares with one of another library, too; `equals` says how to compare them."""
    schema = arrow_ipc.Schema([("a", "int8")])
    theirs = pa.schema([("a", pa.int8())])
    assert schema == theirs and theirs == schema and not schema != theirs and schema[0] == theirs[0]
    for other in (pa.schema([("a", pa.int16())]), pa.schema([("a", pa.int8()), ("b", pa.int8())]), theirs.with_metadata({"k": "v"}), pa.struct(theirs), pa.table({"a": pa.array([1], pa.int8())}), {"a": "int8"}, None):
        assert schema != other and other != schema and schema[0] != other
    with pytest.raises(TypeError):
        schema < theirs  # noqa: B015
    with pytest.raises(TypeError, match=r"`arrow_ipc.Schema\(other\)` makes one"):
        schema.equals(theirs)
    assert schema == arrow_ipc.Schema(theirs) and schema.equals(arrow_ipc.Schema(theirs))


def test_fields():
    field, other = arrow_ipc.Schema.parse("a: int8\na: int8 not null")
    assert field == arrow_ipc.Schema.parse("a: int8")[0] and field != other and not field.equals(other, metadata=False)
    noted = arrow_ipc.Schema.from_arrow(pa.schema([pa.field("a", pa.int8(), metadata={"k": "v"})]))[0]
    assert field != noted and field.equals(noted, metadata=False) and not field.equals(noted)
    for wrong in (None, "a", arrow_ipc.Schema.parse("a: int8")):
        assert field != wrong
        with pytest.raises(TypeError):
            field.equals(wrong)
