//! The index of a stream: the position and the length of each message, so that a stream that does not change need not be
//! walked again. It is an Arrow file with a documented schema; see "Indexes of streams" in `docs/FORMAT.md`.

use super::footer::Block;
use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::{DictionaryHeader, MessageKind};

/// How the complete messages of a stream end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamEnd {
    /// With an end marker. Bytes after it do not belong to the stream.
    Marker,
    /// With the last byte of the input, without an end marker. A writer may append more messages.
    Input,
    /// With a message that is cut or malformed. [`FileReader::check_end`](crate::FileReader::check_end) returns its error.
    Incomplete,
}

/// The positions and lengths of the messages of a stream. With an index, a reader opens a stream in two requests, and
/// without a walk over its messages.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{FileReader, StreamWriter, file::StreamIndex};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("id", ArrayData::new_empty(&DataType::Int64))])?;
/// let stream = StreamWriter::write_to_buffer(batch.schema(), &[batch.clone(), batch.clone()])?;
/// // The bytes of a file, which the program keeps where it wants.
/// let saved: Buffer = FileReader::try_from_buffer(stream.clone())?.index()?.to_buffer()?;
///
/// let index = StreamIndex::try_from_buffer(saved)?;
/// let reader = FileReader::try_new_indexed(stream, &index)?;
/// assert_eq!(reader.n_batches(), 2);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamIndex {
    pub(crate) input_bytes: u64,
    pub(crate) end: StreamEnd,
    /// The position after the last message, or after the end marker.
    pub(crate) next: u64,
    /// All messages, in the order of the stream. The first is the schema.
    pub(crate) messages: Vec<IndexedMessage>,
    /// Checksums of the prefix and the metadata of the schema message and of the last message.
    pub(crate) schema_crc32: u32,
    pub(crate) last_crc32: u32,
}

/// A message in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexedMessage {
    pub(crate) block: Block,
    pub(crate) kind: IndexedKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexedKind {
    Schema,
    Dictionary { id: i64, is_delta: bool },
    Batch { n_rows: u64 },
    Tensor,
    SparseTensor,
}

impl IndexedKind {
    /// The tag of the header in `Message.fbs`.
    pub(crate) fn tag(self) -> i64 {
        match self {
            IndexedKind::Schema => 1,
            IndexedKind::Dictionary { .. } => 2,
            IndexedKind::Batch { .. } => 3,
            IndexedKind::Tensor => 4,
            IndexedKind::SparseTensor => 5,
        }
    }

    pub(crate) fn try_new(tag: i64, n_rows: u64, dictionary: DictionaryHeader) -> Option<IndexedKind> {
        match tag {
            1 => Some(IndexedKind::Schema),
            2 => Some(IndexedKind::Dictionary { id: dictionary.id, is_delta: dictionary.is_delta }),
            3 => Some(IndexedKind::Batch { n_rows }),
            4 => Some(IndexedKind::Tensor),
            5 => Some(IndexedKind::SparseTensor),
            _ => None,
        }
    }

    pub(crate) fn is_tensor(self) -> bool {
        match self {
            IndexedKind::Tensor | IndexedKind::SparseTensor => true,
            IndexedKind::Schema | IndexedKind::Dictionary { .. } | IndexedKind::Batch { .. } => false,
        }
    }

    /// The kind of a message between batches that has no values of them.
    pub(crate) fn from_tensor(kind: MessageKind) -> IndexedKind {
        if kind == MessageKind::SparseTensor { IndexedKind::SparseTensor } else { IndexedKind::Tensor }
    }
}

impl StreamIndex {
    /// Checks that the messages follow each other without gaps, up to the end of the stream.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |what: &'static str| IpcErrorKind::StreamIndex { what };
        let mut end = 0;
        for (idx, message) in self.messages.iter().enumerate() {
            if (message.kind == IndexedKind::Schema) != (idx == 0) {
                return Err(wrong("its first message, and no other, must be the schema").into());
            }
            let next = message.block.position().checked_add(message.block.n_bytes());
            match next {
                Some(next) if message.block.position() == end => end = next,
                Some(_) | None => {
                    return Err(wrong("its messages overlap, or have gaps between them").into());
                }
            }
        }
        let n_marker_bytes = self.next.checked_sub(end);
        let has_end = match self.end {
            StreamEnd::Marker => matches!(n_marker_bytes, Some(4 | 8)),
            StreamEnd::Input | StreamEnd::Incomplete => n_marker_bytes == Some(0),
        };
        if self.messages.is_empty() || !has_end || self.next > self.input_bytes {
            return Err(wrong("its messages do not end at the end of the stream").into());
        }
        Ok(())
    }

    /// The length of the input when it was indexed, in bytes, with what followed the end marker.
    pub fn stream_bytes(&self) -> u64 {
        self.input_bytes
    }
}

/// The checksum of these bytes: CRC-32 as in gzip and PNG (ISO 3309), to recognise a stream by some of its bytes. It does not protect from
/// an attacker.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, byte: &u8| (crc >> 8) ^ TABLE[usize::from(crc.to_le_bytes()[0] ^ byte)];
    !bytes.iter().fold(u32::MAX, step)
}

const TABLE: [u32; 256] = table();

const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let is_odd = remainder & 1 == 1;
            remainder >>= 1;
            if is_odd {
                remainder ^= 0xedb8_8320;
            }
            bit += 1;
        }
        table[byte] = remainder;
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
