"""Files: opening, selections, batches and rows."""

import io
import mmap
import os
import pathlib

import arrow_ipc
import pyarrow as pa
import pytest


def test_whatever_is_opened(people, tmp_path):
    path = tmp_path / "people.arrow"
    path.write_bytes(people)
    expected = pa.table(arrow_ipc.open(people))
    assert expected.num_rows == 30
    with open(path, "rb") as file, open(path, "rb") as raw:
        mapped = mmap.mmap(raw.fileno(), 0, access=mmap.ACCESS_READ)
        for source in [
            str(path), path, pathlib.PurePath(path), people, bytearray(people), memoryview(people), mapped, file,
            io.BytesIO(people), pa.py_buffer(people),
        ]:
            opened = arrow_ipc.open(source)
            assert pa.table(opened).equals(expected), source
        assert pa.table(arrow_ipc.open(path, memory_map=True)).equals(expected)


def test_what_a_file_says(people):
    file = arrow_ipc.open(people)
    assert (file.num_batches, file.num_rows) == (3, 30)
    assert file.schema.names == ["id", "name", "address"]
    assert [field.type for field in file.schema.fields] == ["int64", "utf8", "struct<city: utf8, \"zip.code\": int64>"]
    assert file.metadata == {"made": "here"}
    assert file.num_rows_of(-1) == 10
    assert repr(file).startswith("<arrow_ipc.File: 3 batches>\nid: int64")
    assert [batch.num_rows for batch in file] == [10, 10, 10]
    assert pa.record_batch(file.batch(-1)).column("id").to_pylist() == list(range(20, 30))
    assert pa.record_batch(file.batch(1)).equals(pa.record_batch(file.batch(1)))


def test_columns(people):
    file = arrow_ipc.open(people)
    assert file.select(["name", "id"]).schema.names == ["name", "id"]
    assert file.select([2, 0]).schema.names == ["address", "id"]
    assert file.select([-1]).schema.names == ["address"]
    nested = file.select(["address.city"])
    assert nested.schema["address"].type == "struct<city: utf8>"
    assert pa.table(nested).column("address").to_pylist()[4] == {"city": "c1"}
    assert file.select(['address."zip.code"']).schema[0].children[0].name == "zip.code"
    # Names are those of the whole file, also after a selection.
    assert nested.select(["id"]).schema.names == ["id"]
    assert arrow_ipc.open(people, columns=["id"]).schema.names == ["id"]
    assert file.batch(0, columns=["id"]).column_names == ["id"]


def test_a_name_with_dots_is_a_name_first():
    table = pa.table({"a.b": [1], "a": [{"b": 2, "c": 3}]})
    target = io.BytesIO()
    arrow_ipc.write_file(target, table)
    file = arrow_ipc.open(target.getvalue())
    assert file.select(["a.b"]).schema.names == ["a.b"]
    assert file.select(["a.b", "a.c"]).schema.names == ["a.b", "a"]


@pytest.mark.parametrize("rows", [slice(2, 5), range(2, 5), (2, 5), slice(-8, -5)])
def test_rows(people, rows):
    batch = arrow_ipc.open(people).batch(1, rows=rows)
    assert pa.record_batch(batch).column("id").to_pylist() == [12, 13, 14]


def test_rows_and_columns(people):
    batch = arrow_ipc.open(people).batch(2, columns=["name"], rows=slice(8, None))
    assert pa.record_batch(batch).to_pydict() == {"name": [None, "person 29"]}
    assert arrow_ipc.open(people).batch(2, rows=slice(100, 200)).num_rows == 0


def test_what_is_not_there(people):
    file = arrow_ipc.open(people)
    with pytest.raises(IndexError, match="batch 3 is out of bounds; the file has 3 batches"):
        file.batch(3)
    with pytest.raises(IndexError):
        file.batch(-4)
    with pytest.raises(KeyError, match="no field is named"):
        file.select(["street"])
    with pytest.raises(KeyError, match="in address"):
        file.select(["address.street"])
    with pytest.raises(IndexError):
        file.select([3])
    with pytest.raises(IndexError, match="rows 5..11 are out of bounds; the batch has 10 rows"):
        file.batch(0, rows=(5, 11))
    with pytest.raises(IndexError):
        file.batch(0, rows=(-1, 3))
    with pytest.raises(ValueError, match="step"):
        file.batch(0, rows=slice(0, 5, 2))
    with pytest.raises(TypeError, match="pass a list"):
        file.select("id")
    with pytest.raises(TypeError, match="all names or all positions"):
        file.select(["id", 1])
    with pytest.raises(KeyError):
        file.batch(0).column("street")
    with pytest.raises(IndexError):
        file.batch(0).column(9)
    with pytest.raises(TypeError):
        file.batch(0, rows=3)


def test_closing(people):
    with arrow_ipc.open(people) as file:
        batch = file.batch(0)
        stream = iter(file)
        assert not file.closed
    assert file.closed
    with pytest.raises(arrow_ipc.ArrowIpcError, match="the file is closed"):
        file.batch(0)
    assert repr(file) == "<arrow_ipc.File: closed>"
    file.close()
    # What was taken from it lives on.
    assert batch.num_rows == 10
    assert sum(batch.num_rows for batch in stream) == 30


def test_batches(people):
    batch = arrow_ipc.open(people).batch(0)
    assert (len(batch), batch.num_rows, batch.num_columns) == (10, 10, 3)
    assert batch.column_names == ["id", "name", "address"]
    assert pa.array(batch["id"]).to_pylist() == list(range(10))
    assert batch["name"].null_count == 2
    assert batch[3:5].num_rows == 2
    assert batch[-2:].num_rows == 2
    assert batch.slice(8).num_rows == 2
    assert batch.slice(20, 5).num_rows == 0
    assert batch.select(["name"]).column_names == ["name"]
    assert batch.same_rows(arrow_ipc.open(people).batch(0))
    assert not batch.same_rows(arrow_ipc.open(people).batch(1))
    batch.validate(strict=True)
    assert repr(batch).startswith("<arrow_ipc.RecordBatch: 10 rows, 3 columns>\n")
    array = batch["id"]
    assert (len(array), array.type, array.field.name) == (10, "int64", "id")
    assert repr(array).startswith("<arrow_ipc.Array: 10 slots>\n   id\nint64\n-----\n    0\n")


def test_schemas():
    text = "id: int64 not null\nname: utf8"
    schema = arrow_ipc.Schema.parse(text)
    assert str(schema) == text
    assert repr(schema) == f"Schema({text!r})".replace("'", '"')
    assert schema == arrow_ipc.Schema.parse(text)
    assert hash(schema) == hash(arrow_ipc.Schema.parse(text))
    assert schema != arrow_ipc.Schema.parse("id: int64")
    assert [field.nullable for field in schema.fields] == [False, True]
    assert len(schema) == 2 and schema[-1].name == "name" and schema["id"] == schema.field(0)
    assert pa.schema(schema) == pa.schema([pa.field("id", pa.int64(), nullable=False), ("name", pa.string())])
    assert arrow_ipc.Schema.from_arrow(pa.schema(schema)) == schema
    assert pa.field(schema["id"]).type == pa.int64()
    with_metadata = schema.with_metadata([("k", "1"), ("k", "2")])
    assert with_metadata.metadata == {"k": "1"}
    assert with_metadata.metadata_pairs == [("k", "1"), ("k", "2")]
    with pytest.raises(arrow_ipc.ArrowIpcError, match='write "utf8"'):
        arrow_ipc.Schema.parse("name: string")
    with pytest.raises(IndexError):
        schema[2]
    extension = pa.schema([pa.field("u", pa.uuid())])
    assert arrow_ipc.Schema.from_arrow(extension)[0].extension_name == "arrow.uuid"


def test_a_directory_is_an_os_error(tmp_path):
    with pytest.raises(IsADirectoryError):
        arrow_ipc.open(tmp_path)
    with pytest.raises(FileNotFoundError) as raised:
        arrow_ipc.open(tmp_path / "nothing.arrow")
    assert raised.value.filename == os.fspath(tmp_path / "nothing.arrow")
