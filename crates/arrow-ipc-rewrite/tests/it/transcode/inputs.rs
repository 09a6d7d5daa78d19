//! Inputs and outputs for tests of the transcoder.

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{
    Encoded, FileReader, IpcSchema, Limits, MessageKind, MessageStep, Messages, Result, StreamReader,
    WriteOptions, WrittenContainer,
    file::{Block, Footer},
    message::Message,
};
use arrow_ipc_rewrite::Transcoder;
use arrow_schema::Metadata;

/// The messages of a stream after its schema, which is the first result.
pub(super) fn messages_of(stream: &Buffer) -> Result<(IpcSchema, Metadata, Vec<Message>)> {
    let (schema, metadata) = IpcSchema::try_from_message(stream.clone(), &Limits::default())?;
    let mut messages = Messages::new(Limits::default());
    messages.feed(stream.clone());
    messages.finish_input();
    let mut all = Vec::new();
    while let MessageStep::Message(message) = messages.step()? {
        all.extend((message.kind() != MessageKind::Schema).then_some(message));
    }
    Ok((schema, metadata, all))
}

/// The messages that the footer of a file lists, dictionaries first.
pub(super) fn messages_of_file(file: &Buffer) -> Result<Vec<Message>> {
    let footer = Footer::read(file, &Limits::default())?;
    let blocks = footer.dictionaries().iter().chain(footer.batches());
    let message = |block: &Block| {
        let mut messages = Messages::new(Limits::default()).with_start_position(block.position());
        messages.feed(file.try_slice(block.position(), block.n_bytes())?);
        match messages.step()? {
            MessageStep::Message(message) => Ok(message),
            step => panic!("{step:?}"),
        }
    };
    blocks.map(message).collect()
}

/// The messages, each written by `write`.
pub(super) fn transcoded(
    (to, schema, options): (WrittenContainer, &IpcSchema, WriteOptions),
    messages: &[Message],
    mut write: impl for<'a> FnMut(&'a mut Transcoder, &Message) -> Result<Encoded<'a>>,
) -> Result<Buffer> {
    let mut transcoder = Transcoder::try_new_with(schema, to, options)?;
    let mut written = Vec::new();
    for message in messages {
        write(&mut transcoder, message)?.write_to(&mut written)?;
    }
    transcoder.finish()?.write_to(&mut written)?;
    assert_eq!(transcoder.position(), written.len() as u64);
    Ok(Buffer::from(written))
}

pub(super) fn read(to: WrittenContainer, bytes: &Buffer) -> Result<Vec<RecordBatch>> {
    match to {
        WrittenContainer::Stream => StreamReader::try_new(&**bytes)?.collect(),
        WrittenContainer::File => FileReader::try_from_buffer(bytes.clone())?.batches().collect(),
    }
}
