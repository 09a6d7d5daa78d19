//! Makes the index of a stream.

use arrow_ipc::{FileReader, IpcError, Limits, file::StreamIndex, message::Header, message::Message};
use arrow_ipc_tensor::AnyTensorHeader;

use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName},
    input::Input,
    source::{SharedSource, is_zero},
    walk::Walk,
};

/// Makes the [index](StreamIndex) of a stream: the positions of its messages, so that its rows are found without reading
/// the stream again. Reads only the prefix and the metadata of each message, once to find the messages and once to check them.
/// A pipe is first copied to a temporary file. Compares no message with the schema.
///
/// # Errors
/// If the input is a file, or cannot be read. If a message is cut, or its metadata malformed. If other bytes than zeros
/// follow the stream.
pub fn index_stream(input: Input) -> Result<StreamIndex, ToolError> {
    let name = input.name().clone();
    let options = input.metadata_options();
    let reader = FileReader::try_new_with(input.by_position().into_source()?, options).in_input(&name)?;
    reader.check_end().in_input(&name)?;
    let index = reader.index().in_input(&name)?;
    // Rows of a second stream would be missing for all who use the index.
    let n_bytes = reader.decoder().n_bytes_after_end();
    let position = index.stream_bytes().saturating_sub(n_bytes);
    if !is_zero(reader.source(), position..index.stream_bytes()).in_input(&name)? {
        return Err(ToolError::new(&name, ToolErrorKind::NotOneStream { position, n_bytes }));
    }
    check_all_metadata(&reader, &name)?;
    Ok(index)
}

/// Checks the metadata of all messages. A reader finds messages by less of it.
fn check_all_metadata(reader: &FileReader<SharedSource>, name: &InputName) -> Result<(), ToolError> {
    let mut walk = Walk::over_metadata(reader).in_input(name)?;
    while let Some(message) = walk.next_message().in_input(name)? {
        check_metadata(&message, walk.limits()).map_err(|error| {
            let (index, position) = (Some(message.index()), message.position());
            ToolError::new(name, ToolErrorKind::Message { index, position, error })
        })?;
    }
    Ok(())
}

fn check_metadata(message: &Message, limits: &Limits) -> Result<(), IpcError> {
    match message.header(limits)? {
        Header::Tensor | Header::SparseTensor => {
            AnyTensorHeader::try_from_message(message, limits)?;
        }
        Header::Schema(_) | Header::DictionaryBatch { .. } | Header::RecordBatch(_) => {}
    }
    Ok(())
}
