//! Makes the index of a stream.

use arrow_ipc::{FileReader, Projection, ReadOptions, file::StreamIndex};

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
    // Columns of unknown types are no error.
    let options = ReadOptions::new().with_limits(input.limits().clone());
    let options = options.with_projection(Projection::Positions(Vec::new()));
    let source = match input.positioned_stream() {
        Some(source) => source,
        None => input.into_source()?,
    };
    let reader = FileReader::try_new_with(source, options).in_input(&name)?;
    reader.check_end().in_input(&name)?;
    reader.index().in_input(&name)
}
