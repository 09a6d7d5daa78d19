//! Options for writing: metadata version, framing and byte order. Every type in every combination that supports it.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, Content, RecordBatch, Validation, layout};
use arrow_ipc::{
    Endianness, ErrorClass, FileReader, FileWriter, Framing, IpcErrorKind, Limits, MessageScan, MessageStep,
    Messages, MetadataVersion, NullSlots, StreamReader, StreamWriter, WriteOptions, message::Header,
};
use arrow_schema::{DataType, Field, Metadata, Schema};
use testing_support::{Generator, Hunt, Nulls, all_types, rows};

const FOREIGN: Endianness = if cfg!(target_endian = "big") { Endianness::Little } else { Endianness::Big };

/// All combinations, including refused combinations.
fn variants() -> Vec<WriteOptions> {
    let mut variants = Vec::new();
    for version in [MetadataVersion::V4, MetadataVersion::V5] {
        for framing in [Framing::Current, Framing::Legacy] {
            for endianness in [Endianness::NATIVE, FOREIGN] {
                let options = WriteOptions::new().with_version(version).with_framing(framing);
                variants.push(options.with_endianness(endianness));
            }
        }
    }
    variants
}

/// Whether a type, or one below it, has a layout that version 4 does not define.
fn is_since_v5(data_type: &DataType) -> bool {
    let is_new = matches!(
        layout(data_type).content(),
        Content::RunEnds | Content::Views | Content::TextViews | Content::OffsetsAndSizes
    );
    let inside = data_type.as_dictionary().map(|dictionary| dictionary.value());
    let mut below = data_type.children().iter().map(Field::data_type).chain(inside);
    is_new || below.any(is_since_v5)
}

fn can_carry(options: &WriteOptions, data_type: &DataType) -> bool {
    match options.version() {
        MetadataVersion::V4 => !is_since_v5(data_type),
        _ => options.framing() == Framing::Current,
    }
}

fn batch_of(name: &str, array: ArrayData) -> RecordBatch {
    let schema = Schema::new([Field::new(name, array.data_type().clone())]);
    RecordBatch::try_new(schema, [array]).unwrap()
}

fn stream_of(batches: &[RecordBatch], options: &WriteOptions) -> arrow_ipc::Result<Vec<u8>> {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone())?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.finish()
}

fn file_of(batches: &[RecordBatch], options: &WriteOptions) -> arrow_ipc::Result<Vec<u8>> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options.clone())?;
    batches.iter().try_for_each(|batch| writer.write(batch))?;
    writer.finish()
}

fn check_same(read: Vec<RecordBatch>, written: &[RecordBatch], what: &str) {
    assert_eq!(read.len(), written.len(), "{what}");
    for (read, written) in read.into_iter().zip(written) {
        let read = read.validate(Validation::Strict).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_eq!(rows(&read), rows(written), "{what}");
    }
}

#[test]
fn every_type_in_every_combination_that_can_carry_it() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for (idx, nulls) in Nulls::ALL.into_iter().enumerate() {
            let arrays = [
                generator.array(&data_type, 70, nulls),
                generator.array(&data_type, 0, nulls),
                generator.sliced_array(&data_type, 33, nulls),
            ];
            for array in Hunt::from_env().some_of(&arrays, 1, seed * Nulls::ALL.len() + idx) {
                let batches = [batch_of(&name, array.clone())];
                for options in variants() {
                    let what = format!("{name}, {nulls:?}, {options:?}");
                    if !can_carry(&options, &data_type) {
                        let error = stream_of(&batches, &options).expect_err(&what);
                        assert_eq!(error.class(), ErrorClass::Misuse, "{what}: {error}");
                        assert!(file_of(&batches, &options).is_err(), "{what}");
                        continue;
                    }
                    let stream = stream_of(&batches, &options).unwrap();
                    let reader = StreamReader::try_new(&*stream).unwrap();
                    assert_eq!(reader.ipc_schema().version(), options.version(), "{what}");
                    assert_eq!(reader.ipc_schema().endianness(), options.endianness(), "{what}");
                    check_same(reader.map(Result::unwrap).collect(), &batches, &what);
                    let file = Buffer::from(file_of(&batches, &options).unwrap());
                    let reader = FileReader::try_from_buffer(file).unwrap();
                    assert_eq!(reader.ipc_schema().version(), options.version(), "{what}");
                    assert_eq!(reader.ipc_schema().endianness(), options.endianness(), "{what}");
                    check_same(reader.batches().map(Result::unwrap).collect(), &batches, &what);
                }
            }
        }
    }
}

#[test]
fn numbers_lie_in_the_requested_byte_order() {
    let numbers = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![0x0102_0304i32, 5]), Buffer::new()],
        ..ArrayParts::new(DataType::Int32, 2)
    });
    let batches = [batch_of("n", numbers.unwrap())];
    for (endianness, expected) in
        [(Endianness::Big, [1, 2, 3, 4, 0, 0, 0, 5]), (Endianness::Little, [4, 3, 2, 1, 5, 0, 0, 0])]
    {
        let stream = stream_of(&batches, &WriteOptions::new().with_endianness(endianness)).unwrap();
        let mut messages = Messages::new(Limits::default());
        messages.feed(Buffer::from(stream));
        let mut bodies = Vec::new();
        while let MessageStep::Message(message) = messages.step().unwrap() {
            bodies.push(message.body().to_vec());
        }
        assert_eq!(bodies[1][..8], expected, "{endianness}");
    }
}

#[test]
fn values_below_nulls_can_be_zeros() {
    let with_null = |value: i32| {
        let numbers = ArrayData::try_new(ArrayParts {
            validity: Some(Bitmap::from_iter([true, false])),
            buffers: [Buffer::from(vec![1i32, value]), Buffer::new()],
            ..ArrayParts::new(DataType::Int32, 2)
        });
        [batch_of("n", numbers.unwrap())]
    };
    let zeros = WriteOptions::new().with_null_slots(NullSlots::Zeros);
    let stream = |value, options: &WriteOptions| stream_of(&with_null(value), options).unwrap();
    assert_eq!(stream(1234, &zeros), stream(0, &WriteOptions::new()));
    assert_ne!(stream(1234, &WriteOptions::new()), stream(0, &WriteOptions::new()));
    // Every type, dictionaries too, means what it meant.
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let array = Generator::new(seed as u64).sliced_array(&data_type, 50, Nulls::Garbage);
        let batches = [batch_of(&name, array)];
        let stream = stream_of(&batches, &zeros).unwrap();
        check_same(StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect(), &batches, &name);
    }
}

#[test]
fn legacy_framing_has_no_marker_anywhere() {
    let batches = [batch_of("n", ArrayData::new_empty(&DataType::Int8))];
    let options = WriteOptions::new().with_version(MetadataVersion::V4).with_framing(Framing::Legacy);
    let stream = stream_of(&batches, &options).unwrap();
    assert!(stream.ends_with(&[0; 4]) && stream.len() % 8 == 4, "{} bytes", stream.len());
    let mut scan = MessageScan::try_new(Buffer::from(stream), 0..u64::MAX, Limits::default()).unwrap();
    let mut n_messages = 0;
    while let Some(message) = scan.next_message().unwrap() {
        assert!(message.has_legacy_framing());
        assert_eq!(message.version(), MetadataVersion::V4);
        assert_eq!((message.n_metadata_bytes() % 8, message.body_position() % 64), (0, 0));
        assert!(matches!(message.header(&Limits::default()), Ok(Header::Schema(_) | Header::RecordBatch(_))));
        n_messages += 1;
    }
    assert_eq!(n_messages, 2);
}

/// Streams and files of all versions and framings, also without a batch.
#[test]
fn an_end_of_stream_is_always_written() {
    let batch = batch_of("n", testing_support::ints(0..3));
    let forms = [
        (MetadataVersion::V5, Framing::Current, &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0][..]),
        (MetadataVersion::V4, Framing::Current, &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
        (MetadataVersion::V4, Framing::Legacy, &[0, 0, 0, 0]),
    ];
    for (version, framing, end) in forms {
        let options = WriteOptions::new().with_version(version).with_framing(framing);
        for batches in [&[][..], std::slice::from_ref(&batch)] {
            let stream =
                StreamWriter::write_to_buffer_with(batch.schema(), batches, options.clone()).unwrap();
            assert!(stream.ends_with(end), "{version:?}, {framing:?}, {} batches", batches.len());
            let file = FileWriter::write_to_buffer_with(batch.schema(), batches, options.clone()).unwrap();
            // The footer follows, then its length in four bytes and the magic.
            let n_footer_bytes = file[file.len() - 10..][..4].try_into().map(u32::from_le_bytes).unwrap();
            let before_footer = &file[..file.len() - 10 - n_footer_bytes as usize];
            assert!(before_footer.ends_with(end), "{version:?}, {framing:?}, {} batches", batches.len());
        }
    }
}

/// Arrow 0.17 named the codec of a body there. Readers of V4 still believe it.
#[test]
fn no_codec_is_named_in_the_metadata_of_v4() {
    let key = "ARROW:experimental_compression";
    let metadata = Metadata::from_iter([(key, "ZSTD"), ("kept", "yes")]);
    let batch = batch_of("n", testing_support::ints(0..100));
    for version in [MetadataVersion::V4, MetadataVersion::V5] {
        let options = WriteOptions::new().with_version(version);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write_with_metadata(&batch, &metadata).unwrap();
        let stream = writer.finish().unwrap();
        let mut reader = StreamReader::try_new(&*stream).unwrap();
        let read = reader.next_batch().unwrap().unwrap();
        check_same(vec![read.batch], std::slice::from_ref(&batch), "ints");
        assert_eq!(read.metadata.get("kept"), Some("yes"));
        assert_eq!(read.metadata.get(key).is_some(), version == MetadataVersion::V5);
    }
}

#[test]
fn refusals_name_the_field_and_the_version() {
    let list_view = DataType::list_view(Field::new("item", DataType::Utf8View));
    let schema = Schema::new([Field::new("ok", DataType::Int8), Field::new("views", list_view)]);
    let options = WriteOptions::new().with_version(MetadataVersion::V4);
    let error = StreamWriter::try_new_with(Vec::new(), schema, options).unwrap_err();
    assert!(matches!(error.kind(), IpcErrorKind::NotInVersion { version: MetadataVersion::V4, .. }));
    let expected = "field `views`: metadata version V4 does not allow the layout of list views";
    assert_eq!(error.to_string(), expected);
    let options = WriteOptions::new().with_framing(Framing::Legacy);
    let error = StreamWriter::try_new_with(Vec::new(), Schema::new([]), options).unwrap_err();
    let expected = "metadata version V5 does not allow legacy framing";
    assert_eq!(error.to_string(), expected);
}
