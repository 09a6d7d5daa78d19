//! Reads tensor messages from a [`Read`].

use std::io::{self, Read};

use arrow_buffer::Buffer;

use arrow_ipc::{MessageStep, Messages, ReadOptions, Result, error::Context};
use arrow_ipc_format::Endianness;

use crate::{AnyTensor, TensorWithMetadata};

/// Reads tensor messages that are not in a stream, so no schema precedes them. The reader is an iterator of tensors.
///
/// The reader ends at the end of the source, or at an end marker. For tensors in a stream with a schema, use
/// [`StreamDecoder`](arrow_ipc::StreamDecoder).
///
/// A tensor message does not contain its byte order, so the reader assumes the byte order of this machine.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc_tensor::{TensorReader, TensorWriter, Tensor};
/// use arrow_schema::DataType;
///
/// let tensor = Tensor::try_new(DataType::Int16, [2, 2], Buffer::from(vec![1i16, 2, 3, 4]))?;
/// let mut writer = TensorWriter::new(Vec::new());
/// writer.write(&tensor)?;
/// writer.write(&tensor)?;
/// let bytes = writer.finish()?;
///
/// // From memory, without a copy.
/// let mut reader = TensorReader::from_buffer(Buffer::from(bytes.clone()));
/// let first = reader.next_tensor()?.expect("there are two");
/// assert_eq!(first.tensor.as_dense(), Some(&tensor));
///
/// // From whatever can be read.
/// assert_eq!(TensorReader::new(&*bytes).count(), 2);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct TensorReader<R> {
    source: R,
    messages: Messages,
    options: ReadOptions,
    is_done: bool,
}

impl TensorReader<io::Empty> {
    /// Reads from memory. The tensors share this memory.
    pub fn from_buffer(bytes: Buffer) -> TensorReader<io::Empty> {
        TensorReader::from_buffer_with(bytes, ReadOptions::default())
    }

    /// Like [`from_buffer`](TensorReader::from_buffer), with options.
    pub fn from_buffer_with(bytes: Buffer, options: ReadOptions) -> TensorReader<io::Empty> {
        TensorReader::resume_with(vec![bytes], io::empty(), options)
    }
}

impl<R: Read> TensorReader<R> {
    /// Reads from a source. It need not be buffered.
    pub fn new(source: R) -> TensorReader<R> {
        TensorReader::new_with(source, ReadOptions::default())
    }

    /// Like [`new`](TensorReader::new), with options. The projection, the threads and the options of files have no effect.
    /// The reader checks the indices of sparse tensors unless the validation is
    /// [`Structure`](arrow_ipc::Validation::Structure).
    pub fn new_with(source: R, options: ReadOptions) -> TensorReader<R> {
        TensorReader::resume_with(Vec::new(), source, options)
    }

    /// Reads tensors from `start`, and then from `source`.
    pub fn resume_with(start: Vec<Buffer>, source: R, options: ReadOptions) -> TensorReader<R> {
        let mut messages = Messages::new_with(options.clone());
        start.into_iter().for_each(|bytes| messages.feed(bytes));
        TensorReader { source, messages, options, is_done: false }
    }

    /// The next tensor and the metadata of its message; `None` at the end.
    ///
    /// # Errors
    /// If the source fails, or a message is malformed, truncated, unsupported, over a limit, or not a tensor. After an error
    /// the reader is exhausted.
    pub fn next_tensor(&mut self) -> Result<Option<TensorWithMetadata>> {
        if self.is_done {
            return Ok(None);
        }
        let next = self.read();
        self.is_done = !matches!(next, Ok(Some(_)));
        next
    }

    fn read(&mut self) -> Result<Option<TensorWithMetadata>> {
        loop {
            match self.messages.step()? {
                MessageStep::End => return Ok(None),
                MessageStep::Message(message) => {
                    let index = message.index();
                    let position = message.position();
                    let tensor =
                        AnyTensor::try_from_message_with(&message, Endianness::NATIVE, self.options.clone());
                    let read = tensor.and_then(|tensor| {
                        Ok(TensorWithMetadata { tensor, metadata: message.custom_metadata()? })
                    });
                    return read.in_message(index, position).map(Some);
                }
                MessageStep::NeedBytes(_) => match read_some(&mut self.source, self.messages.spare())? {
                    0 => self.messages.finish_input(),
                    n_bytes => self.messages.filled(n_bytes),
                },
            }
        }
    }

    /// The number of bytes of all tensor messages that have been returned.
    pub fn n_bytes_consumed(&self) -> u64 {
        self.messages.position()
    }

    /// The source, and the bytes that were read but not decoded.
    pub fn into_inner(self) -> (R, Vec<Buffer>) {
        (self.source, self.messages.into_rest())
    }
}

/// The iterator ends after an error.
impl<R: Read> Iterator for TensorReader<R> {
    type Item = Result<AnyTensor>;

    fn next(&mut self) -> Option<Result<AnyTensor>> {
        Some(self.next_tensor().transpose()?.map(|next| next.tensor))
    }
}

impl<R: Read> std::iter::FusedIterator for TensorReader<R> {}

/// Reads once. An interrupted read is repeated.
fn read_some(source: &mut impl Read, spare: &mut [u8]) -> io::Result<usize> {
    loop {
        match source.read(spare) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}
