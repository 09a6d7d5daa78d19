//! Extension types through streams and files: names and metadata stay as they are, canonical ones are understood.

use std::{fs, sync::Arc};

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, StreamReader, StreamWriter};
use arrow_schema::{
    Bool8, CanonicalExtension, DataType, EXTENSION_METADATA_KEY, EXTENSION_NAME_KEY, Extension, Field,
    FixedShapeTensor, FixedSize, IndexType, Json, Metadata, Opaque, ParquetVariant, RunEndType, Schema,
    TimeUnit, TimestampWithOffset, Uuid, VariableShapeTensor,
};
use testing_support::{Generator, Nulls, rows};

/// The batch after writing and reading it as a stream, and as a file.
fn written_and_read(batch: &RecordBatch) -> [RecordBatch; 2] {
    let mut stream = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    let mut file = FileWriter::try_new(Vec::new(), batch.schema()).unwrap();
    stream.write(batch).unwrap();
    file.write(batch).unwrap();
    let stream = stream.finish().unwrap();
    let file = FileReader::try_from_buffer(Buffer::from(file.finish().unwrap())).unwrap();
    [StreamReader::try_new(stream.as_slice()).unwrap().next().unwrap().unwrap(), file.batch(0).unwrap()]
}

#[test]
fn unknown_names_pass_through() {
    let words = DataType::dictionary(IndexType::Int8, DataType::Utf8).unwrap();
    let lists = |item: Field| DataType::list(item);
    let named = |name, metadata| move |field: Field| field.with_extension(Extension { name, metadata });
    let tagged = named("example.tag", Some("\0{ not json"));
    let absent = [(Some(EXTENSION_NAME_KEY.into()), None), (Some(EXTENSION_METADATA_KEY.into()), None)];
    let twice =
        [(EXTENSION_NAME_KEY, "a"), ("k", "v"), (EXTENSION_NAME_KEY, "b"), (EXTENSION_METADATA_KEY, "")];
    let fields = [
        named("example.unheard_of", Some(r#"{"a": 1}"#))(Field::new("unknown", DataType::Int64)),
        named("example.absent", None)(Field::new("no metadata", DataType::Utf8View)),
        named("example.empty", Some(""))(Field::new("empty metadata", DataType::Binary)),
        named("", Some("nameless"))(Field::new("empty name", DataType::Null)),
        named("geoarrow.point", Some(r#"{"crs":null}"#))(Field::new("point", DataType::Float64)),
        // Canonical, but not as they should be.
        named("arrow.uuid", Some("garbage"))(Field::new("no uuid", DataType::Int8)),
        tagged(Field::new("dictionary", words.clone())),
        Field::new("items", lists(tagged(Field::new("item", words)))),
        Field::new("absent", DataType::Int8).with_metadata(Metadata::from_pairs(absent.into())),
        Field::new("twice", DataType::Int8).with_metadata(Metadata::from_iter(twice)),
    ];
    let schema = Arc::new(Schema::new(fields));
    let batch = Generator::new(1).batch(&schema, 20, Nulls::Some);
    for read in written_and_read(&batch) {
        assert_eq!(read.schema(), &schema);
        assert_eq!(rows(&read), rows(&batch));
        let extensions: Vec<_> = read.schema().fields().iter().map(Field::extension).collect();
        let expected: Vec<_> = schema.fields().iter().map(Field::extension).collect();
        assert_eq!(extensions, expected);
        let metadata = Some("\0{ not json");
        assert_eq!(extensions[6], Some(Extension { name: "example.tag", metadata }));
        assert!(read.schema().fields()[5].canonical_extension().is_err());
    }
}

/// A field of each canonical type, and of some more than one.
fn canonical_fields() -> Vec<(CanonicalExtension, DataType)> {
    let item = || Field::new("item", DataType::Float32);
    let fixed = FixedShapeTensor::try_new([2, 3]).unwrap();
    let named = fixed.clone().with_dim_names(["rows", "ö\"\n"]).unwrap().with_permutation([1, 0]).unwrap();
    let variable = VariableShapeTensor::new(FixedSize::from(2));
    let uniform = variable.clone().with_uniform_shape([None, Some(4)]).unwrap();
    let shredded = DataType::struct_([
        Field::new("typed_value", DataType::list(Field::new("item", ParquetVariant.storage()).required())),
        Field::new("metadata", DataType::run_end_encoded(RunEndType::Int32, DataType::BinaryView)).required(),
    ]);
    let encoded = DataType::struct_([
        Field::new("timestamp", DataType::timestamp_with_zone(TimeUnit::Second, "UTC")).required(),
        Field::new("offset_minutes", DataType::dictionary(IndexType::Int8, DataType::Int16).unwrap()),
    ]);
    let timestamps = TimestampWithOffset::new(TimeUnit::Nanosecond);
    let mut fields: Vec<(CanonicalExtension, DataType)> = vec![
        (Bool8.into(), Bool8.storage()),
        (Uuid.into(), Uuid.storage()),
        (Opaque::new("varray", "Oracle").into(), DataType::Null),
        (Opaque::new("\u{1f980}", "").into(), DataType::Binary),
        (ParquetVariant.into(), ParquetVariant.storage()),
        (ParquetVariant.into(), shredded),
        (timestamps.into(), timestamps.storage()),
        (TimestampWithOffset::new(TimeUnit::Second).into(), encoded),
    ];
    fields.extend([fixed, named].map(|tensor| (tensor.clone().into(), tensor.storage(item()))));
    fields.extend([variable, uniform].map(|tensor| (tensor.clone().into(), tensor.storage(item()))));
    fields.extend([DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View].map(|text| (Json.into(), text)));
    fields
}

#[test]
fn canonical_types_are_read_as_they_were_written() {
    let described = canonical_fields();
    for name in CanonicalExtension::NAMES {
        assert!(described.iter().any(|(extension, _)| extension.name() == *name), "{name}");
    }
    let field = |(extension, storage): &(CanonicalExtension, DataType)| {
        Field::new(extension.name(), storage.clone()).with_canonical_extension(extension).unwrap()
    };
    // As columns, and inside of another type.
    let columns = described.iter().map(field);
    let inside = described.iter().map(|described| Field::new("list", DataType::list(field(described))));
    let schema = Arc::new(Schema::new(columns.chain(inside).collect::<Vec<_>>()));
    for seed in 0..10 {
        let batch = Generator::new(seed).batch(&schema, 17, Nulls::Some);
        for read in written_and_read(&batch) {
            assert_eq!(read.schema(), &schema);
            assert_eq!(rows(&read), rows(&batch));
            let fields = read.schema().fields();
            let fields =
                fields.iter().map(|field| if field.name() == "list" { &field.children()[0] } else { field });
            for (field, (extension, _)) in fields.zip(described.iter().chain(&described)) {
                assert_eq!(field.canonical_extension().as_ref(), Ok(&Some(extension.clone())));
            }
        }
    }
}

/// The metadata that Arrow C++ writes.
#[test]
fn canonical_types_of_pyarrow_are_understood() {
    let fixed = |shape: &[u64]| FixedShapeTensor::try_new(shape).unwrap();
    let named =
        fixed(&[2, 1, 3]).with_dim_names(["C", "ö\"", ""]).unwrap().with_permutation([2, 0, 1]).unwrap();
    let variable = VariableShapeTensor::new(FixedSize::from(2));
    let uniform = variable.clone().with_dim_names(["H", "W"]).unwrap();
    let uniform = uniform.with_uniform_shape([Some(1), None]).unwrap();
    let expected: [(&str, CanonicalExtension); 14] = [
        ("bool8", Bool8.into()),
        ("uuid", Uuid.into()),
        ("json/string", Json.into()),
        ("json/large_string", Json.into()),
        ("json/string_view", Json.into()),
        ("opaque", Opaque::new("geometry", "PostGIS").into()),
        ("opaque/null", Opaque::new("ö\"\n\u{202e}", "").into()),
        ("fixed", fixed(&[2, 3]).into()),
        ("fixed/scalar", fixed(&[]).into()),
        ("fixed/empty", fixed(&[0, 5]).into()),
        ("fixed/named", named.into()),
        ("variable", variable.clone().into()),
        ("variable/uniform", uniform.into()),
        ("variable/permuted", variable.with_permutation([1, 0]).unwrap().into()),
    ];
    let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1/extensions.arrows");
    let stream = StreamReader::try_new(fs::File::open(&path).unwrap()).unwrap();
    let file = FileReader::open(path.with_extension("arrow")).unwrap();
    for schema in [stream.schema(), file.schema()] {
        let found =
            schema.fields().iter().map(|field| (field.name(), field.canonical_extension().unwrap().unwrap()));
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}
