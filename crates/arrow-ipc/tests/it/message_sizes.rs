//! The sizes of messages before they are encoded are those of the encoded messages, for every type and option.

use std::fs;

use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Compression, DictionaryPolicy, Encoded, Endianness, FileEncoder, Framing, IpcSchema, MessageEncoder,
    MessageSize, MetadataVersion, NullSlots, Result, SharedBuffers, StreamEncoder, StreamReader,
    WriteOptions,
};
use testing_support::{Generator, Nulls, all_types};

use crate::codecs;

/// The size of the message that a stream has for a batch.
pub(crate) fn n_batch_bytes(batch: &RecordBatch) -> Result<u64> {
    let sizes = StreamEncoder::try_new(batch.schema())?.message_sizes(batch)?;
    Ok(sizes.last().expect("the message of the batch").n_bytes())
}

pub(crate) fn all_options() -> Vec<WriteOptions> {
    let other = match Endianness::NATIVE {
        Endianness::Little => Endianness::Big,
        Endianness::Big => Endianness::Little,
    };
    let mut all = vec![
        WriteOptions::new(),
        WriteOptions::new().with_alignment(64).with_dictionaries(DictionaryPolicy::Delta),
        WriteOptions::new().with_null_slots(NullSlots::Zeros).with_framing(Framing::Legacy),
        WriteOptions::new().with_shared_buffers(SharedBuffers::Once),
        WriteOptions::new().with_endianness(other),
        WriteOptions::new().with_version(MetadataVersion::V4),
        WriteOptions::new().with_max_message_bytes(2000),
    ];
    if codecs::is_built_in("lz4") {
        all.push(WriteOptions::new().with_compression(Compression::lz4()));
    }
    all
}

fn sizes_of(encoded: &Encoded<'_>) -> Vec<MessageSize> {
    encoded.messages().iter().map(|message| **message).collect()
}

/// The parts are the bytes of the segments, in order, without prefixes.
fn check_parts(encoded: &Encoded<'_>, name: &str) -> Vec<MessageSize> {
    assert_eq!(encoded.parts().count(), encoded.messages().len(), "{name}");
    let bytes = encoded.to_bytes();
    let first = encoded.messages().first().map_or(0, |message| message.position());
    let n_before =
        bytes.len() as u64 - encoded.messages().iter().map(|message| message.n_bytes()).sum::<u64>();
    let mut sizes = Vec::new();
    for (parts, message) in encoded.parts().zip(encoded.messages()) {
        let start = (message.position() - first + n_before) as usize;
        let metadata = &bytes[start..start + message.n_metadata_bytes() as usize];
        let body = &bytes[start + metadata.len()..start + message.n_bytes() as usize];
        let n_prefix_bytes = if metadata.starts_with(&[0xff; 4]) { 8 } else { 4 };
        assert_eq!(parts.metadata_bytes(), &metadata[n_prefix_bytes..], "{name}");
        assert_eq!(*parts.to_body(), *body, "{name}");
        assert_eq!((parts.kind(), parts.n_rows()), (message.kind(), message.n_rows()), "{name}");
        sizes.push(MessageSize::new(parts.metadata_bytes().len() as u64, parts.n_body_bytes()));
    }
    sizes
}

/// Asks for the size of each batch before it is encoded, also of parts that are not encoded.
fn check(schema: &IpcSchema, batches: &[RecordBatch], options: &WriteOptions, name: &str) -> Result<()> {
    let mut stream = StreamEncoder::try_new_with(schema.clone(), options.clone())?;
    let mut other = StreamEncoder::try_new_with(schema.clone(), options.clone())?;
    let mut messages = MessageEncoder::try_new_with(schema.clone(), options.clone())?;
    let mut file = FileEncoder::try_new_with(schema.clone(), options.clone())?;
    for batch in batches {
        let planned = stream.message_sizes(batch)?;
        let position = stream.position();
        stream.message_sizes(&batch.slice(0, batch.n_rows() / 2))?;
        assert_eq!((stream.message_sizes(batch)?, stream.position()), (planned.clone(), position), "{name}");
        let bounds = stream.max_message_sizes(batch)?;
        assert_eq!(bounds.len(), planned.len(), "{name}");
        if options.compression().is_none() && options.shared_buffers() == SharedBuffers::Repeated {
            assert_eq!(bounds, planned, "{name}");
        }
        let fits = |(size, bound): (&MessageSize, &MessageSize)| size.n_bytes() <= bound.n_bytes();
        assert!(planned.iter().zip(&bounds).all(fits), "{name}");
        let encoded = stream.encode(batch)?;
        assert_eq!(sizes_of(&encoded), planned, "{name}");
        check_parts(&encoded, name);
        assert!(*encoded.to_bytes() == *other.encode(batch)?.to_bytes(), "{name}: asking changed the bytes");

        let planned = messages.message_sizes(batch)?;
        assert_eq!(check_parts(&messages.encode(batch)?, name), planned, "{name}");

        // A file may refuse a dictionary that has changed: then nothing is planned, either.
        let planned = file.message_sizes(batch);
        match file.encode(batch) {
            Ok(encoded) => {
                assert_eq!(sizes_of(&encoded), planned?, "{name}");
                check_parts(&encoded, name);
            }
            Err(error) => assert_eq!(planned.unwrap_err().to_string(), error.to_string(), "{name}"),
        }
    }
    Ok(())
}

#[test]
fn sizes_are_exact_for_every_type() {
    let mut n_checked = 0;
    for (_, data_type) in all_types() {
        let batch = |seed, n_rows| {
            let array = Generator::new(seed).array(&data_type, n_rows, Nulls::Some);
            RecordBatch::try_from_columns([("c", array)]).unwrap()
        };
        let batches = [batch(1, 100).slice(3, 40), batch(2, 100), batch(1, 0), batch(3, 9)];
        for options in all_options() {
            let name = format!("{data_type} {options:?}");
            let schema = IpcSchema::from(batches[0].schema());
            match check(&schema, &batches, &options, &name) {
                Ok(()) => n_checked += 1,
                // The version or the policy does not allow the type.
                Err(error) => assert!(options != WriteOptions::new(), "{name}: {error}"),
            }
        }
    }
    assert!(n_checked > 300, "{n_checked}");
}

#[test]
fn sizes_are_exact_for_golden_streams() {
    let golden = testing_support::corpus_dir().join("golden");
    for path in testing_support::files_below(&golden, ".arrows") {
        let name = path.display().to_string();
        if codecs::missing_codec(&name).is_some() {
            continue;
        }
        let mut reader = StreamReader::try_from_buffer(Buffer::from(fs::read(&path).unwrap())).unwrap();
        let batches: Result<Vec<RecordBatch>> = reader.by_ref().collect();
        let Ok(batches) = batches else { continue }; // a tensor among batches
        check(reader.ipc_schema(), &batches, &WriteOptions::new(), &name).unwrap();
    }
}

#[test]
fn custom_metadata_is_counted() {
    let array = Generator::new(4).array(&"int64".parse().unwrap(), 100, Nulls::Some);
    let batch = RecordBatch::try_from_columns([("c", array)]).unwrap();
    let metadata = [("key", "value"), ("long", &"text".repeat(100))].into_iter().collect();
    let mut stream = StreamEncoder::try_new(batch.schema()).unwrap();
    let planned = stream.message_sizes_with_metadata(&batch, &metadata).unwrap();
    assert_eq!(sizes_of(&stream.encode_with_metadata(&batch, &metadata).unwrap()), planned);
    let mut messages = MessageEncoder::try_new(batch.schema()).unwrap();
    let planned = messages.message_sizes_with_metadata(&batch, &metadata).unwrap();
    let encoded = messages.encode_with_metadata(&batch, &metadata).unwrap();
    assert_eq!(check_parts(&encoded, "metadata"), planned);
}

/// What was encoded counts as sent, whether or not anybody has sent it. Asking for sizes sends nothing.
#[test]
fn only_encoded_dictionaries_count_as_sent() {
    let column = DictionaryArray::try_new(
        Int8Array::from_iter([1, 0, 1, 1]),
        Utf8Array::try_from_iter(["ada", "grace"]).unwrap(),
    );
    let batch = RecordBatch::try_from_columns([("text", column.unwrap().into())]).unwrap();
    for policy in [DictionaryPolicy::Replace, DictionaryPolicy::Delta] {
        let options = WriteOptions::new().with_dictionaries(policy);
        let mut encoder = MessageEncoder::try_new_with(batch.schema(), options).unwrap();
        assert_eq!(encoder.message_sizes(&batch).unwrap().len(), 2);
        assert_eq!(encoder.message_sizes(&batch).unwrap().len(), 2);
        assert_eq!(encoder.encode(&batch.slice(0, 2)).unwrap().parts().count(), 2);
        assert_eq!(encoder.message_sizes(&batch).unwrap().len(), 1);
        assert_eq!(encoder.encode(&batch.slice(2, 2)).unwrap().parts().count(), 1);
    }
}
