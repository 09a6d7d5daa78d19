//! Makes the index of a stream.

use arrow_ipc::{FileReader, file::StreamIndex};

use crate::{
    error::{InputContext, ToolError},
    input::Input,
};

/// Makes the [index](StreamIndex) of a stream: the positions of its messages, so that its rows are found without reading
/// the stream again. Reads only the prefix and the metadata of each message; a pipe is first copied to a temporary file.
///
/// # Errors
/// If the input is a file, or cannot be read. If a message is cut or malformed.
pub fn index_stream(input: Input) -> Result<StreamIndex, ToolError> {
    let name = input.name().clone();
    let options = input.heads_alone();
    let reader = FileReader::try_new_with(input.by_position().into_source()?, options).in_input(&name)?;
    reader.check_end().in_input(&name)?;
    reader.index().in_input(&name)
}
