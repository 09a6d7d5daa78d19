//! Single messages, as other protocols carry them: decoded, encoded, and refused.

use std::fs;

use arrow_array::{DictionaryArray, Int8Array, Int64Array, Utf8Array};
use arrow_buffer::{Buffer, Values};
use arrow_data::RecordBatch;
use arrow_ipc::{
    BatchWithMetadata, Compression, ErrorClass, FormatErrorKind, IpcErrorKind, Limits, MessageDecoder,
    MessageEncoder, MessageKind, MessageStep, Messages, Result, StreamEncoder, StreamReader, WriteOptions,
    message::Message,
    segment::{BodyPart, RawMessage, Segment},
};
use arrow_schema::{DataType, Schema};

use testing_support::rows;

use crate::codecs;

/// Metadata and body, as Flight sends them.
type FlightParts = (Buffer, Buffer);

/// The messages of a stream without their framing.
fn carried(stream: Buffer) -> Vec<FlightParts> {
    let mut messages = Messages::new(Limits::default());
    messages.feed(stream);
    messages.finish_input();
    let mut carried = Vec::new();
    loop {
        match messages.step().unwrap() {
            MessageStep::Message(message) => {
                carried.push((message.metadata_bytes().clone(), message.body().clone()));
            }
            MessageStep::NeedBytes(_) => panic!("the input has ended"),
            _ => return carried,
        }
    }
}

fn decode(carried: &[FlightParts]) -> Result<Vec<BatchWithMetadata>> {
    let limits = Limits::default();
    let mut carried = carried.iter().cloned();
    let (metadata, body) = carried.next().expect("a schema message");
    let mut decoder = MessageDecoder::try_from_schema_message(&Message::try_new(metadata, body, &limits)?)?;
    // Messages and their parts make the same batches and errors.
    let mut same = decoder.clone();
    let mut batches = Vec::new();
    for (metadata, body) in carried {
        let decoded = decoder.decode_parts(metadata.clone(), body.clone());
        if let Ok(message) = Message::try_new(metadata, body, &limits) {
            match (same.decode(&message), &decoded) {
                (Ok(_), Ok(_)) => {}
                (found, expected) => assert_eq!(format!("{found:?}"), format!("{expected:?}")),
            }
        }
        batches.extend(decoded?);
    }
    Ok(batches)
}

fn encode(
    batches: &[BatchWithMetadata],
    reader_schema: &arrow_ipc::IpcSchema,
    options: WriteOptions,
) -> Vec<FlightParts> {
    let mut encoder = MessageEncoder::try_new_with(reader_schema.clone(), options).unwrap();
    let carry = |message: arrow_ipc::MessageParts<'_>| {
        let body = message.to_body();
        let slices: Vec<&[u8]> = message.body().flat_map(|segment| segment.slices(1000)).collect();
        assert_eq!(slices.concat(), *body);
        assert_eq!(body.len() as u64, message.n_body_bytes());
        (Buffer::copy_from(message.metadata_bytes()), body)
    };
    let mut carried: Vec<FlightParts> = encoder.encode_schema().unwrap().parts().map(carry).collect();
    for batch in batches {
        let encoded = encoder.encode_with_metadata(&batch.batch, &batch.metadata).unwrap();
        assert_eq!(encoded.parts().last().unwrap().kind(), MessageKind::RecordBatch);
        carried.extend(encoded.parts().map(carry));
    }
    carried
}

fn assert_same(found: &[BatchWithMetadata], expected: &[BatchWithMetadata], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.batch.schema(), expected.batch.schema(), "{what}");
        assert_eq!(rows(&found.batch), rows(&expected.batch), "{what}");
        assert_eq!(found.metadata, expected.metadata, "{what}");
    }
}

#[test]
fn messages_of_golden_streams_are_decoded_as_streams_are_and_come_back_when_encoded() {
    let golden = testing_support::corpus_dir().join("golden");
    let mut n_streams = 0;
    for path in testing_support::files_below(&golden, ".arrows") {
        let name = path.display().to_string();
        if codecs::missing_codec(&name).is_some() {
            continue;
        }
        let stream = Buffer::from(fs::read(&path).unwrap());
        let mut reader = StreamReader::try_from_buffer(stream.clone()).unwrap();
        let mut expected = Vec::new();
        let read: Result<()> = loop {
            match reader.next_batch() {
                Ok(Some(batch)) => expected.push(batch),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if read.is_err() {
            continue; // a tensor among batches
        }
        n_streams += 1;
        assert_same(&decode(&carried(stream)).unwrap(), &expected, &name);
        for options in [WriteOptions::new(), WriteOptions::new().with_alignment(64)] {
            let carried = encode(&expected, reader.ipc_schema(), options);
            assert_same(&decode(&carried).unwrap(), &expected, &name);
        }
    }
    assert!(n_streams > 100, "{n_streams} streams");
}

#[test]
fn metadata_and_bodies_are_those_of_a_stream() {
    let batches =
        [batch_of(&["a", "b"]), batch_of(&["a", "b"]), batch_of(&["a", "b", "c"]), batch_of(&["c", "d"])];
    let mut all_options = vec![WriteOptions::new(), WriteOptions::new().with_alignment(64)];
    if codecs::is_built_in("lz4") {
        all_options.push(WriteOptions::new().with_compression(Compression::lz4()));
    }
    for options in all_options {
        let schema = batches[0].schema();
        let stream =
            arrow_ipc::StreamWriter::write_to_buffer_with(schema, &batches, options.clone()).unwrap();
        let with_metadata: Vec<_> =
            batches.iter().map(|batch| BatchWithMetadata::new(batch.clone(), Default::default())).collect();
        let found = encode(&with_metadata, &arrow_ipc::IpcSchema::from(schema), options);
        assert_eq!(found, carried(stream));
    }
}

/// A batch with one dictionary column, whose dictionary has these values.
fn batch_of(values: &[&str]) -> RecordBatch {
    let indices = Int8Array::from_iter([1, 0, 1]);
    let values = Utf8Array::try_from_iter(values.iter().copied()).unwrap();
    let column = DictionaryArray::try_new(indices, values).unwrap();
    RecordBatch::try_from_columns([("text", column.into())]).unwrap()
}

#[test]
fn messages_that_lie_about_themselves_are_refused() {
    let batches = [BatchWithMetadata::new(batch_of(&["a", "b"]), Default::default())];
    let good = encode(&batches, &arrow_ipc::IpcSchema::from(batches[0].batch.schema()), WriteOptions::new());
    let [schema, dictionary, batch] = &good[..] else { panic!("{} messages", good.len()) };
    assert_same(&decode(&good).unwrap(), &batches, "the good ones");

    let error = |carried: &[&FlightParts]| {
        let carried: Vec<FlightParts> = carried.iter().map(|one| (*one).clone()).collect();
        decode(&carried).unwrap_err()
    };
    // A message of another kind: a second schema, and a batch instead of the schema.
    for carried in [&[schema, schema][..], &[batch]] {
        let found = error(carried);
        let IpcErrorKind::Format(FormatErrorKind::UnexpectedMessage { .. }) = found.kind() else {
            panic!("{found}")
        };
        assert_eq!(found.class(), ErrorClass::Malformed);
    }
    // A batch before its dictionary.
    let found = error(&[schema, batch, dictionary]);
    assert!(matches!(found.kind(), IpcErrorKind::MissingDictionary { id: 0 }), "{found}");
    assert_eq!((found.location().message, found.location().byte_offset), (Some(1), None));
    assert_eq!(error(&[batch]).location().message, Some(0));
    assert_eq!(error(&[schema, dictionary, schema]).location().message, Some(2));
    // A body that is shorter or longer than the metadata states.
    for (n_bytes, class) in [(-8, ErrorClass::Truncated), (8, ErrorClass::Malformed)] {
        for (idx, (metadata, body)) in good.iter().enumerate() {
            let Some(n_bytes) = body.len().checked_add_signed(n_bytes) else { continue };
            let mut other = body.to_vec();
            other.resize(n_bytes, 0);
            let mut carried: Vec<&FlightParts> = good.iter().collect();
            let changed = (metadata.clone(), Buffer::from(other));
            carried[idx] = &changed;
            let found = error(&carried);
            assert_eq!(found.class(), class, "message {idx}");
            assert_eq!(found.location().message.unwrap_or_default(), idx as u64);
        }
    }
    // A message whose body a reader skipped.
    let limits = Limits::default();
    let parsed =
        |(metadata, body): &FlightParts| Message::try_new(metadata.clone(), body.clone(), &limits).unwrap();
    let mut decoder = MessageDecoder::try_from_schema_message(&parsed(schema)).unwrap();
    let message = parsed(batch);
    let skipped = Message::from_parts(
        2,
        message.position(),
        message.n_prefix_bytes(),
        message.envelope().clone(),
        Buffer::new(),
    );
    let found = decoder.decode(&skipped).unwrap_err();
    assert_eq!((found.class(), found.location().message), (ErrorClass::Truncated, Some(2)));
    // After an error, the decoder goes on. A forgotten dictionary is missing until it arrives again.
    decoder.decode(&parsed(dictionary)).unwrap();
    assert!(decoder.decode(&parsed(batch)).unwrap().is_some());
    decoder.forget_dictionary(0);
    assert!(decoder.decode(&parsed(batch)).is_err());
    // Metadata over its limit.
    let few = Limits::default().with_max_metadata_bytes(batch.0.len() as u64 - 1);
    let found = Message::try_new(batch.0.clone(), batch.1.clone(), &few).unwrap_err();
    assert_eq!(found.class(), ErrorClass::LimitExceeded, "{found}");
    // Metadata that is none.
    assert!(Message::try_new(Buffer::new(), Buffer::new(), &limits).is_err());
    for n_bytes in 0..batch.0.len() {
        let cut = batch.0.slice(0..n_bytes);
        let _ = Message::try_new(cut, batch.1.clone(), &limits).map(|message| decoder.decode(&message));
    }
}

#[test]
fn an_encoder_drops_its_batch_and_begins_again_for_a_new_receiver() {
    let values = Buffer::from(vec![7_i64; 1000]);
    let column =
        Int64Array::try_new(DataType::Int64, Values::try_new(values.clone(), 1000).unwrap(), None).unwrap();
    let batch = RecordBatch::try_from_columns([("id", column.into())]).unwrap();
    let mut encoder = MessageEncoder::try_new(batch.schema()).unwrap();
    assert_eq!(encoder.encode(&batch).unwrap().parts().count(), 1);
    drop(batch);
    let values = values.into_vec::<i64>().expect_err("the messages share the buffer");
    encoder.clear();
    assert!(values.into_vec::<i64>().is_ok(), "nothing shares the buffer any more");

    let batch = batch_of(&["a", "b"]);
    let mut encoder = MessageEncoder::try_new(batch.schema()).unwrap();
    let mut n_messages = || encoder.encode(&batch).unwrap().parts().count();
    assert_eq!([n_messages(), n_messages()], [2, 1]);
    encoder.reset();
    assert_eq!(encoder.encode(&batch).unwrap().parts().count(), 2);
}

#[test]
fn bodies_of_raw_messages_take_the_memory_of_their_parts() {
    let schema: Schema = "id: int64".parse().unwrap();
    let mut encoder = StreamEncoder::try_new(schema).unwrap();
    let flatbuffer = [0; 8];
    let parts = [BodyPart { offset: 0, bytes: Buffer::from(vec![1u8]) }];
    let raw =
        |n_bytes| RawMessage::from_flatbuffer(MessageKind::Tensor, 0, &flatbuffer, n_bytes).with_body(&parts);
    let class = |error: arrow_ipc::IpcError| error.class();
    assert_eq!(encoder.encode_message(raw(u64::MAX)).map_err(class).err(), Some(ErrorClass::LimitExceeded));
    assert_eq!(encoder.encode_message(raw(0)).map_err(class).err(), Some(ErrorClass::Misuse));
    // The zeros after the part are a segment without memory.
    let encoded = encoder.encode_message(raw(1 << 40)).unwrap();
    let n_bytes: u64 = encoded.segments().map(|segment| segment.n_bytes() as u64).sum();
    assert!(n_bytes > 1 << 40);
    assert!(matches!(encoded.segments().last(), Some(Segment::Zeros(_))));
}
