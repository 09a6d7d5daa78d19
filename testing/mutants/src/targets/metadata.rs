//! Tests headers of frames and messages, and schemas.

use arrow_buffer::Buffer;
use arrow_ipc::{IpcSchema, Limits, MessageStep, Messages, message::Header};
use arrow_ipc_tensor::AnyTensor;
use arrow_schema::Schema;

/// Splits a stream, and reads each header, its metadata and its tensor.
pub(super) fn messages(bytes: &[u8]) {
    let limits = Limits::default();
    let mut messages = Messages::new(limits.clone());
    messages.feed(Buffer::copy_from(bytes));
    messages.finish_input();
    while let Ok(MessageStep::Message(message)) = messages.step() {
        let _ = message.custom_metadata();
        let _ = AnyTensor::try_from_message(&message, &limits);
        match message.header(&limits) {
            Ok(Header::Schema(schema)) => written_schema(&schema),
            Ok(header) => assert!(!format!("{header:?}").is_empty()),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Reads the bytes as a schema message, or as the start of a stream.
pub(super) fn schema(bytes: &[u8]) {
    let read = IpcSchema::try_from_message(Buffer::copy_from(bytes), &Limits::default());
    match read {
        Ok((schema, _)) => written_schema(&schema),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Writes a schema as a message and as text, and reads it back.
fn written_schema(schema: &IpcSchema) {
    assert!(!schema.to_string().is_empty() || schema.schema().fields().is_empty());
    if !schema.unsupported_columns().is_empty() {
        return;
    }
    let Ok(message) = schema.to_message(&arrow_schema::Metadata::new()) else { return };
    let (again, _) = IpcSchema::try_from_message(message, &Limits::default()).expect("it was written");
    assert_eq!(again.schema(), schema.schema());
    assert_eq!(again.dictionary_ids(), schema.dictionary_ids());
    let text = schema.schema().to_string();
    // The text has no metadata of fields.
    let read = text.parse::<Schema>().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.to_string(), text);
}
