//! Inputs that only have tensors: no schema and no rows.

use arrow_ipc::{FormatErrorKind, IpcError, IpcErrorKind, Limits, MessageKind, ReadOptions, Validation};
use arrow_ipc_tensor::{AnyTensorHeader, TensorReader, TensorWithMetadata};
use arrow_schema::Metadata;

use crate::{
    error::{InputContext, ToolError, ToolErrorKind, name::InputName, trailing::TrailingBytes},
    input::{Input, StreamSource, continuation::Continuation},
    walk::{StreamSuccessor, Walk},
};

/// Reads the tensors of an input that only has tensors, in order.
#[derive(Debug)]
pub struct Tensors {
    name: InputName,
    limits: Limits,
    n_bytes_consumed: u64,
    rest: Option<TrailingBytes>,
    /// The reader; `None` after the last tensor.
    reader: Option<TensorReader<StreamSource>>,
}

impl Tensors {
    /// Opens an input of tensors.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn open(input: Input, validation: Validation) -> Result<Tensors, ToolError> {
        let name = input.name().clone();
        let limits = input.limits().clone();
        let (bytes, source) = input.into_stream()?;
        let options = ReadOptions::new().with_validation(validation).with_limits(limits.clone());
        let reader = Some(TensorReader::resume_with(bytes, source, options));
        Ok(Tensors { name, limits, n_bytes_consumed: 0, rest: None, reader })
    }

    /// The number of bytes from the start of the input to the end of the last returned tensor.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.n_bytes_consumed
    }

    /// The next tensor; `None` at the end.
    ///
    /// # Errors
    /// If the input cannot be read or is malformed. After an error there are no more tensors.
    pub fn next_tensor(&mut self) -> Result<Option<TensorWithMetadata>, ToolError> {
        let Some(mut reader) = self.reader.take() else { return Ok(None) };
        let next = reader.next_tensor().map_err(cause).in_input(&self.name)?;
        self.n_bytes_consumed = reader.n_bytes_consumed();
        if next.is_some() {
            self.reader = Some(reader);
            return Ok(next);
        }
        let end = self.n_bytes_consumed;
        let (mut source, bytes) = reader.into_inner();
        let found = Continuation::detect(end, bytes, &mut source, None, &self.limits);
        match found.map_err(cause).in_input(&self.name)? {
            Continuation::Nothing => {}
            Continuation::Other(rest) => self.rest = Some(rest),
            Continuation::Stream { start, .. } => {
                return Err(ToolError::new(
                    &self.name,
                    ToolErrorKind::StreamAfterTensors { position: start },
                ));
            }
        }
        Ok(None)
    }

    /// The bytes after the last tensor; `None` if there are none, or before the last tensor was returned.
    pub fn trailing_bytes(&self) -> Option<TrailingBytes> {
        self.rest.clone()
    }
}

impl TensorDescription {
    /// Reads the headers and metadata of all tensors of an input, without their values.
    ///
    /// # Errors
    /// If the input cannot be read or is malformed, or contains messages other than tensors.
    pub fn read_all(input: Input) -> Result<Vec<TensorDescription>, ToolError> {
        let name = input.name().clone();
        let mut walk = Walk::open_without_bodies(input)?;
        let mut found = Vec::new();
        while let Some(message) = walk.next_message().in_input(&name)? {
            let position = message.position();
            match message.kind() {
                MessageKind::Tensor | MessageKind::SparseTensor => {}
                MessageKind::Schema => {
                    return Err(ToolError::new(&name, ToolErrorKind::StreamAfterTensors { position }));
                }
                kind @ (MessageKind::DictionaryBatch | MessageKind::RecordBatch) => {
                    let error =
                        FormatErrorKind::UnexpectedMessage { expected: "a tensor", found: kind }.into();
                    let index = Some(message.index());
                    return Err(ToolError::new(&name, ToolErrorKind::Message { index, position, error }));
                }
            }
            let header = AnyTensorHeader::try_from_message(&message, walk.limits()).in_input(&name)?;
            let metadata = message.custom_metadata().map_err(IpcError::from).in_input(&name)?;
            found.push(TensorDescription { header, metadata });
        }
        match walk.after_end().in_input(&name)? {
            StreamSuccessor::Stream(next) => {
                let position = Walk::position(&next);
                Err(ToolError::new(&name, ToolErrorKind::StreamAfterTensors { position }))
            }
            StreamSuccessor::Nothing | StreamSuccessor::Other(_) => Ok(found),
        }
    }
}

/// The cause of an error of reading tensors. A schema message after tensors is the start of a stream, with or without an
/// end marker before it.
fn cause(error: IpcError) -> ToolErrorKind {
    match (error.kind(), error.location().byte_offset) {
        (
            IpcErrorKind::Format(FormatErrorKind::UnexpectedMessage { found: MessageKind::Schema, .. }),
            Some(position),
        ) => ToolErrorKind::StreamAfterTensors { position },
        _ => ToolErrorKind::Input(error),
    }
}

/// The header and the custom metadata of a tensor message, without the values of the tensor.
#[derive(Debug)]
pub struct TensorDescription {
    header: AnyTensorHeader,
    metadata: Metadata,
}

impl TensorDescription {
    /// The header of the tensor, dense or sparse.
    pub fn header(&self) -> &AnyTensorHeader {
        &self.header
    }

    /// The custom metadata of the message.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}
