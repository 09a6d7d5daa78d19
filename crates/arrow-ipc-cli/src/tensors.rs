//! Inputs that hold tensors only, without a schema or rows.

mod describe;
mod elements;

use arrow_ipc::{
    Header, IpcError, IpcErrorKind, Limits, MessageKind, ReadOptions, TensorReader, TensorWithMetadata,
};
use arrow_schema::Metadata;
use serde_json::Value;

pub(crate) use self::{
    describe::{dense_members, dense_note, sparse_members, sparse_note},
    elements::Elements,
};
use crate::{
    exit::Failure,
    input::{Input, StreamSource},
    names::InputName,
    rows::{Following, following},
    trailing::Rest,
    walk::{AfterEnd, Walk},
};

/// Reads one tensor after the other.
pub(crate) struct Tensors {
    name: InputName,
    limits: Limits,
    n_bytes_consumed: u64,
    rest: Option<Rest>,
    /// `None` after the last one.
    reader: Option<TensorReader<StreamSource>>,
}

impl Tensors {
    /// # Errors
    /// If the input cannot be read.
    pub(crate) fn open(input: Input, options: &ReadOptions) -> Result<Tensors, Failure> {
        let name = input.name().clone();
        let (bytes, source) = input.into_stream()?;
        let reader = Some(TensorReader::with_start(bytes, source, options.clone()));
        Ok(Tensors { name, limits: options.limits().clone(), n_bytes_consumed: 0, rest: None, reader })
    }

    /// Bytes from the start of the input to the end of the last returned tensor.
    pub(crate) fn n_bytes_consumed(&self) -> u64 {
        self.n_bytes_consumed
    }

    /// The next tensor; `None` at the end.
    ///
    /// # Errors
    /// If the input fails or is malformed. After an error there are no more tensors.
    pub(crate) fn next(&mut self) -> Result<Option<TensorWithMetadata>, Failure> {
        let failed = |error| failed(&self.name, error);
        let Some(mut reader) = self.reader.take() else { return Ok(None) };
        let next = reader.next_tensor().map_err(failed)?;
        self.n_bytes_consumed = reader.n_bytes_consumed();
        if next.is_some() {
            self.reader = Some(reader);
            return Ok(next);
        }
        let end = self.n_bytes_consumed;
        let (mut source, bytes) = reader.into_inner();
        match following(end, bytes, &mut source, &self.limits).map_err(failed)? {
            Following::Nothing => {}
            Following::Other { start, n_bytes } => self.rest = Some(Rest::new(start, n_bytes)),
            Following::Stream { start, .. } => {
                return Err(Failure::StreamAfterTensors { name: self.name.clone(), position: start });
            }
        }
        Ok(None)
    }

    /// Says whether bytes follow the last tensor.
    pub(crate) fn note_rest(&self) -> Option<Rest> {
        self.rest.inspect(|rest| rest.note(&self.name))
    }

    /// # Errors
    /// If bytes follow the last tensor.
    pub(crate) fn check_rest(&self) -> Result<(), Failure> {
        Rest::check(self.rest, &self.name)
    }
}

/// A schema message begins a stream, whether or not the end of the tensors is marked.
fn failed(name: &InputName, error: IpcError) -> Failure {
    let name = name.clone();
    match (error.kind(), error.location().byte_offset()) {
        (IpcErrorKind::UnexpectedMessage { found: MessageKind::Schema, .. }, Some(position)) => {
            Failure::StreamAfterTensors { name, position }
        }
        _ => Failure::Input { name, error },
    }
}

/// What the metadata of a tensor's message says.
pub(crate) struct Description {
    pub(crate) header: Header,
    pub(crate) metadata: Metadata,
}

impl Description {
    pub(crate) fn note(&self) -> Option<String> {
        match &self.header {
            Header::Tensor(tensor) => Some(dense_note(tensor)),
            Header::SparseTensor(tensor) => Some(sparse_note(tensor)),
            _ => None,
        }
    }

    pub(crate) fn members(&self) -> Option<Value> {
        match &self.header {
            Header::Tensor(tensor) => Some(dense_members(tensor)),
            Header::SparseTensor(tensor) => Some(sparse_members(tensor)),
            _ => None,
        }
    }
}

/// The tensors of an input, without their elements.
///
/// # Errors
/// If the input fails or is malformed, or holds anything but tensors.
pub(crate) fn descriptions(input: Input) -> Result<Vec<Description>, Failure> {
    let name = input.name().clone();
    let failed = |error| Failure::Input { name: name.clone(), error };
    let limits = Limits::default();
    let mut walk = Walk::stream(input, limits.clone())?;
    let mut found = Vec::new();
    while let Some(message) = walk.next_message().map_err(failed)? {
        let position = message.position();
        match message.kind() {
            MessageKind::Tensor | MessageKind::SparseTensor => {}
            MessageKind::Schema => return Err(Failure::StreamAfterTensors { name, position }),
            kind @ (MessageKind::DictionaryBatch | MessageKind::RecordBatch) => {
                let error = IpcErrorKind::UnexpectedMessage { expected: "a tensor", found: kind }.into();
                return Err(Failure::Message { name, index: Some(message.index()), position, error });
            }
        }
        let header = message.header(&limits).map_err(failed)?;
        found.push(Description { header, metadata: message.custom_metadata().map_err(failed)? });
    }
    match walk.after_end(&limits).map_err(failed)? {
        AfterEnd::Stream(next) => {
            let position = next.position();
            Err(Failure::StreamAfterTensors { name, position })
        }
        AfterEnd::Nothing | AfterEnd::Other(_) => Ok(found),
    }
}
