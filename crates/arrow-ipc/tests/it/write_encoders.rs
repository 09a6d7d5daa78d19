//! The output of encoders, and their reset: messages that own their bytes, slices of them, the next stream, metadata of
//! each kind of message, a schema alone.

use std::{
    io::{IoSlice, Write},
    sync::Arc,
};

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{
    Compression, DictionaryPolicy, EncodedBytes, Feature, FileEncoder, FileReader, FileWriter,
    FormatErrorKind, IpcErrorKind, IpcSchema, Limits, MessageKind, MessageScan, MessageStep, Messages,
    OwnedEncoded, StreamEncoder, StreamReader, StreamWriter, Threads, UnusedValues, WriteOptions,
    dictionary::UnifiedDictionaries,
    message::Message,
    segment::{BodyPart, RawMessage},
};
use arrow_schema::{DataType, Field, IndexType, Metadata, Schema};
use arrow_select::concat_batches;
use testing_support::{Generator, Nulls, all_types, batch_of, ints};

/// A batch with shared buffers and gathered buffers, and zeros between them.
fn numbers() -> RecordBatch {
    RecordBatch::try_from_columns([("large", ints(0..2_500)), ("other", ints(0..2_500))]).unwrap()
}

fn words(values: &[&str], indices: &[i32]) -> ArrayData {
    let mut offsets = vec![0_i32];
    offsets.extend(values.iter().scan(0, |end, value| {
        *end += value.len() as i32;
        Some(*end)
    }));
    let text = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::copy_from(values.concat().as_bytes())],
        ..ArrayParts::new(DataType::Utf8, values.len())
    });
    ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(indices.to_vec()), Buffer::new()],
        dictionary: Some(Arc::new(text.unwrap())),
        ..ArrayParts::new(DataType::dictionary(IndexType::Int32, DataType::Utf8).unwrap(), indices.len())
    })
    .unwrap()
}

fn pair(key: &str, value: &str) -> Metadata {
    Metadata::from_iter([(key, value)])
}

fn messages_of(file: &Buffer) -> Vec<Message> {
    let limits = Limits::default();
    let mut scan = match file.starts_with(b"ARROW1") {
        true => MessageScan::try_from_file(file.clone(), limits).unwrap(),
        false => MessageScan::try_new(file.clone(), 0..u64::MAX, limits).unwrap(),
    };
    std::iter::from_fn(|| scan.next_message().unwrap()).collect()
}

#[test]
fn owned_messages_are_those_that_were_encoded() {
    fn is_sent<T: Send + 'static>(value: T) -> T {
        value
    }
    let batch = numbers();
    let mut queue: Vec<OwnedEncoded> = Vec::new();
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    for _ in 0..3 {
        queue.push(is_sent(encoder.encode(&batch).unwrap().into_owned()));
    }
    queue.push(encoder.finish().unwrap().into_owned());
    drop((encoder, batch));
    // Each was made while earlier ones were waiting.
    let counts: Vec<usize> = queue.iter().map(|encoded| encoded.messages().len()).collect();
    assert_eq!(counts, [2, 1, 1, 0]);
    let stream: Vec<u8> = queue.iter().flat_map(|encoded| encoded.to_bytes().to_vec()).collect();
    let batch = numbers();
    let mut expected = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    (0..3).for_each(|_| expected.write(&batch).unwrap());
    assert_eq!(stream, expected.finish().unwrap());
}

#[test]
fn slices_are_all_bytes_and_keep_their_bound() {
    let batch = numbers();
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    let encoded = encoder.encode(&batch).unwrap();
    let all = encoded.to_bytes();
    for max_bytes in [0, 1, 63, 4096, 100_000, usize::MAX] {
        let slices = || encoded.slices(max_bytes);
        assert!(slices().all(|slice| (1..=max_bytes.max(1)).contains(&slice.len())), "{max_bytes}");
        assert!(slices().flatten().eq(all.iter()), "{max_bytes}");
    }
    // As a writer of a runtime does, whose sink takes some bytes at a time.
    let mut slices: Vec<IoSlice<'_>> = encoded.io_slices().collect();
    let (mut left, mut written) = (&mut slices[..], Vec::new());
    while !left.is_empty() {
        let n_bytes = left[0].len().min(1000);
        written.write_all(&left[0][..n_bytes]).unwrap();
        IoSlice::advance_slices(&mut left, n_bytes);
    }
    assert_eq!(written, &*all);
}

/// Batches whose dictionaries grow, so that each policy writes something else.
fn growing() -> [RecordBatch; 2] {
    [words(&["a", "b"], &[0, 1, 0]), words(&["a", "b", "c"], &[2, 0])].map(batch_of)
}

fn policies(batches: &[RecordBatch]) -> [DictionaryPolicy; 3] {
    let unified = UnifiedDictionaries::try_from_batches(batches[0].schema(), batches).unwrap();
    [DictionaryPolicy::Replace, DictionaryPolicy::Delta, DictionaryPolicy::Unify(unified)]
}

#[test]
fn encoders_that_are_reset_write_the_same_bytes() {
    let batches = growing();
    for policy in policies(&batches) {
        let options = WriteOptions::new().with_dictionaries(policy.clone());
        let mut encoder = StreamEncoder::try_new_with(batches[0].schema(), options.clone()).unwrap();
        let mut stream = || {
            let mut bytes = Vec::new();
            for batch in &batches {
                encoder.encode(batch).unwrap().write_to(&mut bytes).unwrap();
            }
            encoder.finish().unwrap().write_to(&mut bytes).unwrap();
            assert_eq!(encoder.position(), bytes.len() as u64);
            encoder.reset();
            assert_eq!(encoder.position(), 0);
            // A stream that is given up leaves no trace either.
            let id = encoder.ipc_schema().dictionary_ids()[0];
            encoder.set_dictionary_metadata(id, pair("from", "before")).unwrap();
            encoder.encode(&batches[1]).unwrap();
            encoder.reset();
            bytes
        };
        let first = stream();
        assert_eq!(first, stream(), "{policy:?}");
        assert_eq!(StreamReader::try_new(&*first).unwrap().count(), 2);
        if matches!(policy, DictionaryPolicy::Replace) {
            continue;
        }
        let mut encoder = FileEncoder::try_new_with(batches[0].schema(), options).unwrap();
        let mut file = || {
            let mut bytes = Vec::new();
            for batch in &batches {
                encoder.encode(batch).unwrap().write_to(&mut bytes).unwrap();
            }
            encoder.finish().unwrap().write_to(&mut bytes).unwrap();
            encoder.reset();
            bytes
        };
        let first = file();
        assert_eq!(first, file(), "{policy:?}");
        assert_eq!(FileReader::try_from_buffer(Buffer::from(first)).unwrap().n_batches(), 2);
    }
}

#[test]
fn writers_go_on_in_the_next_sink() {
    let batch = numbers();
    let schema = batch.schema();
    let mut writer = StreamWriter::try_new(Vec::new(), schema).unwrap();
    writer.write(&batch).unwrap();
    let streams = [writer.next_stream(Vec::new()).unwrap(), writer.next_stream(Vec::new()).unwrap()];
    writer.write(&batch).unwrap();
    assert_eq!(writer.finish().unwrap(), streams[0]);
    // One without batches has its schema all the same.
    assert_eq!(StreamReader::try_new(&*streams[1]).unwrap().count(), 0);

    let folder = std::env::temp_dir().join(format!("arrow-ipc-next-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let paths = ["a", "b"].map(|name| folder.join(name));
    let mut writer = FileWriter::create_atomic(&paths[0], schema).unwrap();
    writer.write(&batch).unwrap();
    writer.next_file(arrow_ipc::AtomicFile::create(&paths[1]).unwrap()).unwrap();
    assert_eq!((paths[0].exists(), paths[1].exists()), (true, false));
    writer.write(&batch).unwrap();
    writer.finish().unwrap();
    let [a, b] = paths.map(|path| std::fs::read(path).unwrap());
    assert_eq!(a, b);
    assert_eq!(FileReader::try_from_buffer(Buffer::from(a)).unwrap().n_batches(), 1);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A sink that could not be committed is lost, so nothing may seem to be written after it.
#[test]
fn a_writer_stops_if_a_file_cannot_be_committed() {
    let batch = numbers();
    let folder = std::env::temp_dir().join(format!("arrow-ipc-uncommitted-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let next = || arrow_ipc::AtomicFile::create(folder.join("b")).unwrap();
    let mut writer = FileWriter::create_atomic(folder.join("a"), batch.schema()).unwrap();
    writer.write(&batch).unwrap();
    writer.sink().remover()();
    assert!(matches!(writer.next_file(next()).unwrap_err().kind(), IpcErrorKind::Write(_)));
    let failed =
        [writer.write(&batch), writer.flush(), writer.next_file(next()).map(drop), writer.finish().map(drop)];
    for result in failed {
        assert!(matches!(result.unwrap_err().kind(), IpcErrorKind::AlreadyFailed { .. }));
    }
    assert!(!folder.join("b").exists());
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The messages of a stream, each as another encoder copies it.
fn copied(encoder: &mut StreamEncoder, stream: &[u8], kind: MessageKind) -> Vec<u8> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(Buffer::copy_from(stream));
    let mut bytes = Vec::new();
    while let MessageStep::Message(message) = messages.step().unwrap() {
        if message.kind() == kind {
            let body = [BodyPart { offset: 0, bytes: message.body().clone() }];
            let raw = RawMessage::from_envelope(message.envelope(), 0).with_body(&body);
            encoder.encode_message(raw).unwrap().write_to(&mut bytes).unwrap();
        }
    }
    bytes
}

/// The dictionaries are there, whatever the policy for other batches; unused items are left out.
#[test]
fn batches_are_encoded_after_dictionaries_that_others_have_made() {
    let array = words(&["a", "b", "c", "d"], &(0..100).map(|slot| slot % 4).collect::<Vec<i32>>());
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(vec![2_i32, 91, 7]), Buffer::from(vec![1_i32, 1, 2])],
        children: Some([array].into()),
        ..ArrayParts::new(DataType::list_view(Field::new("item", words(&[], &[]).data_type().clone())), 3)
    });
    let batch = batch_of(lists.unwrap());
    let stream = StreamWriter::write_to_vec(batch.schema(), std::slice::from_ref(&batch)).unwrap();
    let unified = WriteOptions::new().with_unified_dictionaries(batch.schema(), [&batch]).unwrap();
    let policies = [
        DictionaryPolicy::Replace,
        DictionaryPolicy::Error,
        DictionaryPolicy::Delta,
        unified.dictionaries().clone(),
    ];
    for policy in policies {
        let options = WriteOptions::new().with_dictionaries(policy.clone()).with_alignment(8);
        let options = options.with_unused_items(UnusedValues::Remove);
        let n_bytes = batch.n_encoded_bytes_with(options.clone()).unwrap();
        for max_bytes in [n_bytes, n_bytes - 8] {
            let options = options.clone().with_max_message_bytes(max_bytes);
            let mut encoder = StreamEncoder::try_new_with(batch.schema(), options).unwrap();
            let mut bytes = copied(&mut encoder, &stream, MessageKind::DictionaryBatch);
            let encoded = encoder.encode_without_dictionaries(&batch, &Metadata::new()).unwrap();
            assert!(encoded.messages().iter().all(|message| message.kind() != MessageKind::DictionaryBatch));
            encoded.write_to(&mut bytes).unwrap();
            encoder.finish().unwrap().write_to(&mut bytes).unwrap();
            let read =
                StreamReader::try_new(&*bytes).unwrap().collect::<arrow_ipc::Result<Vec<_>>>().unwrap();
            assert_eq!(read.len() > 1, max_bytes < n_bytes);
            // The items of the last list lie between those of the first two.
            let n_items = read.iter().map(|batch| batch.columns()[0].children()[0].len()).sum::<usize>();
            assert_eq!(n_items, if read.len() == 1 { 4 } else { 6 }, "{policy:?}");
            let joined = concat_batches(batch.schema().clone(), &read).unwrap();
            assert!(joined.same_values(&batch).unwrap(), "{policy:?}");
        }
    }
}

#[test]
fn dictionaries_carry_metadata_once() {
    let [first, second] = growing();
    let options = WriteOptions::new().with_dictionaries(DictionaryPolicy::Delta);
    let mut writer = FileWriter::try_new_with(Vec::new(), first.schema(), options).unwrap();
    let error = writer.set_dictionary_metadata(9, pair("k", "v")).unwrap_err();
    assert!(
        matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::UnknownDictionary { id: 9 })),
        "{error}"
    );
    writer.set_dictionary_metadata(0, pair("of", "the first")).unwrap();
    writer.write(&first).unwrap();
    // Nothing is written for this one, so its metadata waits for the delta.
    writer.set_dictionary_metadata(0, pair("of", "the delta")).unwrap();
    writer.write(&first).unwrap();
    writer.write(&second).unwrap();
    let file = Buffer::from(writer.finish().unwrap());
    let messages = messages_of(&file);
    let dictionaries = messages.iter().filter(|message| message.kind() == MessageKind::DictionaryBatch);
    let metadata: Vec<Metadata> =
        dictionaries.map(|dictionary| dictionary.custom_metadata().unwrap()).collect();
    assert_eq!(metadata, [pair("of", "the first"), pair("of", "the delta")]);
    assert_eq!(FileReader::try_from_buffer(file).unwrap().batches().flatten().count(), 3);
}

#[test]
fn schema_message_and_footer_have_metadata_of_their_own() {
    let batch = numbers();
    let options = WriteOptions::new().with_file_metadata(pair("in", "message"));
    for (options, in_footer) in [
        (options.clone(), pair("in", "message")),
        (options.clone().with_footer_metadata(pair("in", "footer")), pair("in", "footer")),
        (options.with_footer_metadata(Metadata::new()), Metadata::new()),
    ] {
        let file = FileWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap().finish().unwrap();
        let file = Buffer::from(file);
        assert_eq!(messages_of(&file)[0].custom_metadata().unwrap(), pair("in", "message"));
        assert_eq!(*FileReader::try_from_buffer(file).unwrap().footer_metadata(), in_footer);
    }
}

#[test]
fn features_are_declared_when_requested() {
    let batch = numbers();
    for features in [vec![], vec![Feature::CompressedBody, Feature::Unused, Feature::DictionaryReplacement]] {
        let options = WriteOptions::new().with_features(features.clone());
        let file =
            FileWriter::try_new_with(Vec::new(), batch.schema(), options.clone()).unwrap().finish().unwrap();
        assert_eq!(
            FileReader::try_from_buffer(Buffer::from(file)).unwrap().ipc_schema().features(),
            features
        );
        let stream =
            StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap().finish().unwrap();
        let schema = StreamReader::try_new(&*stream).unwrap().ipc_schema().clone();
        assert_eq!(schema.features(), features);
        // They are not those of the schema that is given: what is written may be something else.
        let again = StreamWriter::try_new(Vec::new(), schema).unwrap();
        assert!(again.ipc_schema().features().is_empty());
    }
}

#[test]
fn a_schema_travels_alone() {
    let fields = all_types().into_iter().map(|(name, data_type)| Field::new(name, data_type));
    let schema = IpcSchema::from(Schema::new(fields.collect::<Vec<Field>>()));
    let message = schema.to_message(&pair("k", "v")).unwrap();
    let read = IpcSchema::try_from_message(message.clone(), &Limits::default()).unwrap();
    assert_eq!(read, (schema.clone(), pair("k", "v")));
    let options = WriteOptions::new().with_file_metadata(pair("k", "v"));
    let stream = StreamWriter::try_new_with(Vec::new(), &schema, options).unwrap().finish().unwrap();
    assert!(stream.starts_with(&message));
    assert_eq!(IpcSchema::try_from_message(stream, &Limits::default()).unwrap().0, schema);

    for n_bytes in (0..message.len()).step_by(97) {
        let cut = IpcSchema::try_from_message(message.slice(..n_bytes), &Limits::default());
        let error = cut.unwrap_err();
        let is_named = match n_bytes {
            0 => matches!(error.kind(), FormatErrorKind::Missing { what: "the schema message" }),
            _ => matches!(error.kind(), FormatErrorKind::Truncated { .. }),
        };
        assert!(is_named, "{n_bytes}: {error}");
    }
    let batch = numbers();
    let mut encoder = StreamEncoder::try_new(batch.schema()).unwrap();
    encoder.start().unwrap();
    let other = encoder.encode(&batch).unwrap().to_bytes().freeze();
    let error = IpcSchema::try_from_message(other, &Limits::default()).unwrap_err();
    assert!(
        matches!(error.kind(), FormatErrorKind::UnexpectedMessage { expected: "the schema", .. }),
        "{error}"
    );
    let error = IpcSchema::try_from_message(message, &Limits::default().with_max_fields(3)).unwrap_err();
    assert!(matches!(error.kind(), FormatErrorKind::TooManyFields { found: Some(_), limit: 3 }), "{error}");
}

#[test]
fn threads_change_no_bytes() {
    if !cfg!(feature = "lz4") {
        return;
    }
    let mut generator = Generator::new(11);
    let columns = (0..8).map(|idx| (idx.to_string(), generator.array(&DataType::Int64, 40_000, Nulls::Some)));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let [one, pool] = [Threads::One, Threads::Pool].map(|threads| {
        let options = WriteOptions::new().with_compression(Compression::lz4()).with_threads(threads);
        let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap()
    });
    assert_eq!(one, pool);
}
