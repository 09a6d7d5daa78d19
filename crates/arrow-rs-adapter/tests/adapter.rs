//! Passes all samples and files of released libraries to arrow-rs and back, and compares what both read.

use std::{collections::HashMap, fs, io::Cursor, path::PathBuf, sync::Arc};

use arrow_60::{
    array::{
        Array, Int64Array as RsInt64Array, RecordBatch as RsRecordBatch, RecordBatchReader, StringArray,
    },
    datatypes::{DataType as RsDataType, Field as RsField, Schema as RsSchema, TimeUnit as RsTimeUnit},
    error::ArrowError,
    ipc::reader as rs_reader,
};
use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch, Validation};
use arrow_ipc::{FileReader, ReadOptions, StreamReader, StreamWriter};
use arrow_rs_adapter::{AdapterErrorKind, ArrowRsBatches, ArrowRsReader, FromArrowRs, ToArrowRs};
use arrow_schema::{DataType, Field, Metadata, Schema};
use samples::samples;
use testing_support::{arrow_test_data, files_below};

const SEEDS: [u64; 3] = [1, 2, 3];

#[test]
fn every_sample_returns_as_it_was() {
    let mut n_batches = 0;
    for sample in SEEDS.into_iter().flat_map(samples) {
        for batch in &sample.batches {
            let theirs = batch.to_arrow_rs().unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            // What was not validated by arrow-rs on the way would pass.
            for column in theirs.columns() {
                column.to_data().validate_full().unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            }
            let ours = RecordBatch::try_from_arrow_rs(&theirs).unwrap();
            let ours =
                ours.validate(Validation::Strict).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
            assert_eq!(ours.columns(), batch.columns(), "{}", sample.name);
            assert_eq!(plain(ours.schema()), plain(batch.schema()), "{}", sample.name);
            n_batches += 1;
        }
    }
    assert!(n_batches > 3_000, "{n_batches}");
}

/// The schema with metadata as arrow-rs can state it: each key once, in order.
fn plain(schema: &Schema) -> Schema {
    fn sorted(metadata: &Metadata) -> Metadata {
        std::collections::BTreeMap::from(metadata).into()
    }
    fn field(it: &Field) -> Field {
        let children: Vec<Field> = it.children().iter().map(field).collect();
        let data_type = it.data_type().with_children(children).unwrap_or_else(|_| it.data_type().clone());
        it.clone().with_data_type(data_type).with_metadata(sorted(it.metadata()))
    }
    let fields: Vec<Field> = schema.fields().iter().map(field).collect();
    Schema::new(fields).with_metadata(sorted(schema.metadata()))
}

#[test]
fn both_read_the_same_from_samples() {
    let mut n_read = 0;
    for sample in SEEDS.into_iter().flat_map(samples) {
        let mut writer = StreamWriter::try_new(Vec::new(), &sample.schema).unwrap();
        sample.batches.iter().try_for_each(|batch| writer.write(batch)).unwrap();
        n_read += usize::from(both_read(writer.finish().unwrap(), &sample.name));
    }
    assert!(n_read > 1_000, "{n_read}");
}

#[test]
fn both_read_the_same_from_files_of_others() {
    let Some(data) = arrow_test_data("files of released libraries, by both") else { return };
    let folder = data.join("arrow-ipc-stream/integration");
    let read = |path: PathBuf, both_read: fn(Vec<u8>, &str) -> bool| {
        // arrow-rs returns numbers of the other byte order as they are, without an error.
        if path.to_string_lossy().contains("bigendian") {
            return 0;
        }
        usize::from(both_read(fs::read(&path).unwrap(), &path.display().to_string()))
    };
    let streams: usize = files_below(&folder, ".stream").into_iter().map(|path| read(path, both_read)).sum();
    let files = files_below(&folder, ".arrow_file");
    let files: usize = files.into_iter().map(|path| read(path, both_read_file)).sum();
    assert!(streams > 50 && files > 50, "{streams} streams, {files} files");
}

/// Whether arrow-rs reads the stream. If so, both have read the same, in the types of each.
fn both_read(bytes: Vec<u8>, name: &str) -> bool {
    let Ok(theirs) = rs_reader::StreamReader::try_new(Cursor::new(&bytes), None) else { return false };
    let rs_schema = theirs.schema();
    let Ok(theirs) = theirs.collect::<Result<Vec<_>, _>>() else { return false };
    let Ok(ours) = StreamReader::try_new(&bytes[..]) else { return false };
    let schema = Arc::clone(ours.schema());
    let ours: Vec<_> = ours.collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{name}: {error}"));
    same((&schema, &ours), (&rs_schema, &theirs), name);
    true
}

/// As [`both_read`], of a file.
fn both_read_file(bytes: Vec<u8>, name: &str) -> bool {
    let Ok(theirs) = rs_reader::FileReader::try_new(Cursor::new(&bytes), None) else { return false };
    let rs_schema = theirs.schema();
    let Ok(theirs) = theirs.collect::<Result<Vec<_>, _>>() else { return false };
    let Ok(ours) = FileReader::try_from_buffer(Buffer::from(bytes)) else { return false };
    let schema = Arc::clone(ours.schema());
    let ours: Vec<_> =
        ours.batches().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{name}: {error}"));
    same((&schema, &ours), (&rs_schema, &theirs), name);
    true
}

fn same(ours: (&Schema, &[RecordBatch]), theirs: (&Arc<RsSchema>, &[RsRecordBatch]), name: &str) {
    assert_eq!(ours.0.to_arrow_rs().unwrap(), *theirs.0, "{name}");
    assert_eq!(ours.1.len(), theirs.1.len(), "{name}");
    for (our, their) in ours.1.iter().zip(theirs.1) {
        let expected = RecordBatch::try_from_arrow_rs(their).unwrap().validate(Validation::Content).unwrap();
        assert_eq!(our.columns(), expected.columns(), "{name}");
        let our = our.to_arrow_rs().unwrap_or_else(|error| panic!("{name}: {error}"));
        // arrow-rs cannot compare all types.
        let is_comparable = |column: &&dyn Array| !has_views_of_lists(column.data_type());
        let columns = our.columns().iter().map(|it| &**it).zip(their.columns());
        for (our, their) in columns.filter(|(our, _)| is_comparable(our)) {
            assert_eq!(our, &**their, "{name}");
        }
    }
}

fn has_views_of_lists(data_type: &RsDataType) -> bool {
    data_type.to_string().contains("ListView")
}

#[test]
fn memory_is_shared() {
    let bits = Bitmap::from_iter((0..100).map(|k| k % 3 != 0));
    let numbers = ArrayData::try_new(ArrayParts {
        validity: Some(bits.clone()),
        buffers: [Buffer::from((0..100).collect::<Vec<i64>>()), Buffer::new()],
        ..ArrayParts::new(DataType::Int64, 100)
    });
    let numbers = numbers.unwrap().slice(5, 20);
    let theirs = numbers.to_arrow_rs().unwrap();
    let values = theirs.as_any().downcast_ref::<RsInt64Array>().unwrap();
    assert_eq!(values.values().as_ptr().cast(), numbers.buffer(0).as_ptr());
    let nulls = values.nulls().unwrap();
    let validity = numbers.validity().unwrap();
    assert_eq!(
        (nulls.buffer().as_ptr(), nulls.offset()),
        (validity.buffer().as_ptr(), validity.bit_offset())
    );
    assert_eq!(values.null_count(), numbers.null_count());
    // There and back is the same memory, also of another slice.
    let back = ArrayData::try_from_arrow_rs(&theirs.slice(3, 10)).unwrap();
    assert_eq!(back, numbers.slice(3, 10));
    assert_eq!(back.buffer(0).as_ptr(), numbers.slice(3, 10).buffer(0).as_ptr());
    assert_eq!(back.validity().unwrap().buffer().as_ptr(), validity.buffer().as_ptr());

    // Bits that do not begin with a byte.
    let booleans = ArrayParts {
        buffers: [bits.buffer().clone(), Buffer::new()],
        offset: 3,
        ..ArrayParts::new(DataType::Boolean, 50)
    };
    let booleans = ArrayData::try_new(booleans).unwrap();
    let back = ArrayData::try_from_arrow_rs(&booleans.to_arrow_rs().unwrap()).unwrap();
    assert_eq!(back, booleans);
    assert_eq!((back.buffer(0).as_ptr(), back.offset()), (bits.buffer().as_ptr(), 3));

    // Theirs.
    let names = StringArray::from(vec![Some("ada"), None, Some("grace")]);
    let ours = ArrayData::try_from_arrow_rs(&names as &dyn Array).unwrap();
    assert_eq!(ours.buffer(1).as_ptr(), names.value_data().as_ptr());
    let ours = ours.validate(Validation::Content).unwrap();
    assert_eq!(ours.text().map(|text| &text[..]), Some("adagrace"));
}

#[test]
fn numbers_that_are_not_aligned_are_copied() {
    let bytes: Vec<u8> = [0, 0, 7, 0, 8, 0, 9, 0].into_iter().flat_map(i64::to_le_bytes).collect();
    let moved = Buffer::from(bytes).to_aligned(64).slice(8..56);
    let data_type = DataType::decimal128(20, 2).unwrap();
    let array = ArrayParts { buffers: [moved, Buffer::new()], ..ArrayParts::new(data_type, 3) };
    // Half of all addresses suffice for us, but not for arrow-rs.
    let array = ArrayData::try_new(array).unwrap();
    let theirs = array.to_arrow_rs().unwrap();
    assert!(theirs.to_data().buffers()[0].as_ptr().addr().is_multiple_of(align_of::<i128>()));
    assert_eq!(ArrayData::try_from_arrow_rs(&theirs).unwrap(), array);
}

#[test]
fn invalid_content_is_not_passed_on() {
    let parts = |validity| ArrayParts {
        validity,
        buffers: [Buffer::from(vec![0_i32, 1, 2]), Buffer::copy_from(b"\xffa")],
        ..ArrayParts::new(DataType::Utf8, 2)
    };
    let batch = |validity| {
        let array = ArrayData::try_new(parts(validity)).unwrap();
        RecordBatch::try_from_columns([("name", array)]).unwrap()
    };
    let error = batch(None).to_arrow_rs().unwrap_err();
    assert!(matches!(error.kind(), AdapterErrorKind::Data(_)), "{error}");
    assert_eq!(error.path().to_string(), "name");
    assert!(matches!(ArrowError::from(error), ArrowError::ExternalError(_)));

    // In a null slot it is allowed, but arrow-rs trusts it there, too.
    let theirs = batch(Some(Bitmap::from_iter([false, true]))).to_arrow_rs().unwrap();
    theirs.column(0).to_data().validate_full().unwrap();
    let theirs = theirs.column(0).as_any().downcast_ref::<StringArray>().unwrap();
    assert_eq!((theirs.value(0), theirs.value(1)), ("\0", "a"));
}

#[test]
fn readers_return_the_same_batches() {
    let sample = samples(1).into_iter().find(|it| it.name.starts_with("int64")).unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &sample.schema).unwrap();
    sample.batches.iter().try_for_each(|batch| writer.write(batch)).unwrap();
    let bytes = writer.finish().unwrap();

    let stream = StreamReader::try_new(&bytes[..]).unwrap();
    let reader = ArrowRsReader::try_new(Arc::clone(stream.schema()), stream).unwrap();
    let boxed: Box<dyn RecordBatchReader> = Box::new(reader);
    let back = ArrowRsBatches::try_new(boxed).unwrap();
    assert_eq!(*back.schema(), sample.schema);
    let back: Vec<RecordBatch> = back.collect::<Result<_, _>>().unwrap();
    assert_eq!(back, sample.batches);
}

#[test]
fn readers_pass_errors_on() {
    let schema = Arc::new(Schema::new([Field::new("id", DataType::Int64)]));
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    let ids = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![1_i64; 1000]), Buffer::new()],
        ..ArrayParts::new(DataType::Int64, 1000)
    });
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![ids.unwrap()]).unwrap();
    writer.write(&batch).unwrap();
    let bytes = writer.finish().unwrap();

    let stream = StreamReader::try_new_with(&bytes[..1000], ReadOptions::new()).unwrap();
    let mut reader = ArrowRsReader::try_new(Arc::clone(stream.schema()), stream).unwrap();
    let Some(Err(ArrowError::ExternalError(error))) = reader.next() else { panic!("it is truncated") };
    assert!(error.is::<arrow_ipc::IpcError>(), "{error}");

    let other = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int32))]).unwrap();
    let batches = [Ok::<_, ArrowError>(batch), Ok(other)];
    let found: Vec<_> = ArrowRsReader::try_new(schema, batches.into_iter()).unwrap().collect();
    assert!(found[0].is_ok() && found[1].is_err());
}

#[test]
fn types_that_one_side_lacks_are_errors() {
    let scale = DataType::decimal32(5, 300).unwrap();
    let column = Field::new("price", DataType::list(Field::new("item", scale)));
    let error = Schema::new([column]).to_arrow_rs().unwrap_err();
    assert_eq!(error.path().to_string(), "price.item");
    assert!(matches!(error.kind(), AdapterErrorKind::DecimalScale { found: 300 }));
    #[cfg(feature = "facade")]
    {
        let error = arrow::Error::from(error);
        assert_eq!(error.class(), arrow::ipc::ErrorClass::Unsupported);
        assert!(error.downcast_ref::<arrow_rs_adapter::AdapterError>().is_some());
    }

    let cases = [
        RsDataType::Time32(RsTimeUnit::Nanosecond),
        RsDataType::Time64(RsTimeUnit::Second),
        RsDataType::FixedSizeBinary(-1),
        RsDataType::Decimal32(10, 0),
        RsDataType::Decimal128(0, 0),
        RsDataType::Dictionary(Box::new(RsDataType::Utf8), Box::new(RsDataType::Utf8)),
        RsDataType::Map(Arc::new(RsField::new("entries", RsDataType::Int8, false)), false),
    ];
    for data_type in cases {
        assert!(DataType::try_from_arrow_rs(&data_type).is_err(), "{data_type}");
        let schema = RsSchema::new(vec![RsField::new("a", data_type, true)]);
        assert_eq!(Schema::try_from_arrow_rs(&schema).unwrap_err().path().to_string(), "a");
    }
}

#[test]
fn order_of_dictionaries_and_metadata_are_preserved() {
    let data_type = RsDataType::Dictionary(Box::new(RsDataType::Int8), Box::new(RsDataType::Utf8));
    let field = RsField::new("a", data_type, true)
        .with_dict_is_ordered(true)
        .with_metadata(HashMap::from([("k".to_owned(), "v".to_owned())]));
    let ours = Field::try_from_arrow_rs(&field).unwrap();
    assert_eq!(ours.metadata().get("k"), Some("v"));
    let theirs = ours.to_arrow_rs().unwrap();
    assert_eq!((theirs.dict_is_ordered(), &theirs), (Some(true), &field));
}
