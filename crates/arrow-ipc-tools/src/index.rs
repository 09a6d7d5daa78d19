//! Makes the index of a stream.

use arrow_ipc::{FileReader, file::StreamIndex};

use crate::{
    error::{InputContext, ToolError, ToolErrorKind},
    input::Input,
    source::is_zero,
};

/// Makes the [index](StreamIndex) of a stream: the positions of its messages, so that its rows are found without reading
/// the stream again. Reads only the prefix and the metadata of each message; a pipe is first copied to a temporary file.
///
/// # Errors
/// If the input is a file, or cannot be read. If a message is cut or malformed. If other bytes than zeros follow the stream.
pub fn index_stream(input: Input) -> Result<StreamIndex, ToolError> {
    let name = input.name().clone();
    let options = input.heads_alone();
    let reader = FileReader::try_new_with(input.by_position().into_source()?, options).in_input(&name)?;
    reader.check_end().in_input(&name)?;
    let index = reader.index().in_input(&name)?;
    // Rows of a second stream would be missing for all who use the index.
    let n_bytes = reader.decoder().n_bytes_after_end();
    let position = index.stream_bytes().saturating_sub(n_bytes);
    if !is_zero(reader.source(), position..index.stream_bytes()).in_input(&name)? {
        return Err(ToolError::new(&name, ToolErrorKind::NotOneStream { position, n_bytes }));
    }
    Ok(index)
}
