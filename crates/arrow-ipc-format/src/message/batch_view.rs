//! The metadata of a record batch or dictionary batch. `parse` reads all of it except the nodes and buffers. Each node
//! or buffer is read and checked when a column needs it, so one column of ten thousand costs only its own entries.

use crate::flatbuf as fb;
use arrow_schema::Metadata;

use super::{Envelope, VectorLengths, experimental::experimental_codec};
use crate::{
    body_range::BodyRange,
    error::{FormatErrorKind, Result, WireResult},
    flatbuffer::{ListPlace, ValuePlace, WireTable, not_negative, required, two_numbers},
    limits::Limits,
    protocol::{Codec, MessageKind},
    schema::n_decoded_bytes,
};

/// A record batch or dictionary batch. Its lists stay in the metadata and are not copied.
#[derive(Debug)]
pub struct BatchView {
    /// The number of rows of the batch, or of values of the dictionary.
    pub n_rows: u64,
    /// The codec of the body; `None` if it is not compressed.
    pub compression: Option<Codec>,
    /// The custom metadata of the message.
    pub custom_metadata: Metadata,
    /// The dictionary of a dictionary batch; `None` for a record batch.
    pub dictionary: Option<DictionaryHeader>,
    /// The metadata of the message.
    pub head: Envelope,
    /// The length and the number of nulls of each field.
    pub nodes: ListPlace<16>,
    /// The offset and the length of each buffer.
    pub buffers: ListPlace<16>,
    /// The number of data buffers of each view field.
    pub variadic_counts: ListPlace<8>,
    max_slots: u64,
}

/// The id of the dictionary, and whether the batch is a delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DictionaryHeader {
    /// The id of the dictionary.
    pub id: i64,
    /// Whether the values are appended to the dictionary.
    pub is_delta: bool,
}

/// The length and null count of a field, as the message states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    n_slots: u64,
    n_nulls: Option<u64>,
}

impl BatchView {
    /// Reads everything except the entries of nodes, buffers and variadic counts.
    ///
    /// # Errors
    /// If the message is not a batch, or is malformed, unsupported or over a limit. If a list is out of bounds of the
    /// metadata.
    pub fn parse(head: Envelope, limits: &Limits) -> Result<BatchView> {
        Ok(BatchView::read(head, limits)?)
    }

    fn read(head: Envelope, limits: &Limits) -> WireResult<BatchView> {
        let (WireTable(table), dictionary) = match head.kind {
            MessageKind::RecordBatch => (head.header()?, None),
            MessageKind::DictionaryBatch => {
                let dictionary: WireTable<'_> = head.header()?;
                let data: Option<ValuePlace> = dictionary.0.access(1, "DictionaryBatch", "data")?;
                let data = required(data, "the record batch (`data`) of the dictionary batch")?;
                (data.read(&head.metadata, "DictionaryBatch", "data")?, Some(dictionary))
            }
            found @ (MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor) => {
                return Err(FormatErrorKind::UnexpectedMessage { expected: "a record batch", found }.into());
            }
        };
        let dictionary = match dictionary {
            Some(WireTable(dictionary)) => Some(DictionaryHeader {
                id: dictionary.access(0, "DictionaryBatch", "id")?.unwrap_or(0),
                is_delta: dictionary.access(2, "DictionaryBatch", "is_delta")?.unwrap_or(false),
            }),
            None => None,
        };
        let custom_metadata = head.custom_metadata(limits)?;
        let experimental = experimental_codec(head.version, &custom_metadata)?;
        let n_rows = table.access(0, "RecordBatch", "length")?.unwrap_or(0);
        let n_rows = not_negative(n_rows, "the number of rows of the batch")?;
        Limits::check("rows", n_rows, limits.max_slots)?;
        let compression = match table.access(3, "RecordBatch", "compression")? {
            Some(compression) => Some(parse_codec(compression)?),
            None => experimental,
        };
        let nodes = table.access(1, "RecordBatch", "nodes")?.unwrap_or_default();
        let buffers = table.access(2, "RecordBatch", "buffers")?.unwrap_or_default();
        let variadic_counts = table.access(4, "RecordBatch", "variadic_buffer_counts")?.unwrap_or_default();
        let max_slots = limits.max_slots;
        Ok(BatchView {
            n_rows,
            compression,
            custom_metadata,
            dictionary,
            head,
            nodes,
            buffers,
            variadic_counts,
            max_slots,
        })
    }

    /// The end of the last list or text in the metadata. Padding follows.
    ///
    /// # Errors
    /// If the custom metadata is malformed.
    pub fn lists_end(&self) -> planus::Result<usize> {
        let lists = [self.nodes.range(), self.buffers.range(), self.variadic_counts.range()];
        Ok(lists.iter().fold(self.head.custom_metadata_end()?, |end, list| end.max(list.end)))
    }

    /// A copy that shares no memory with the input.
    pub fn into_copied(self) -> BatchView {
        BatchView { head: self.head.copied(), ..self }
    }

    /// The approximate number of bytes of memory that this value uses, if nothing else shares its metadata.
    pub fn n_kept_bytes(&self) -> u64 {
        n_decoded_bytes(&self.custom_metadata).saturating_add(self.head.metadata.len() as u64)
    }

    #[inline]
    /// A node.
    ///
    /// # Errors
    /// If there is no such node, or its numbers are invalid or over a limit.
    pub fn node(&self, idx: usize) -> Result<Node> {
        let Some(node) = self.nodes.get(&self.head.metadata, idx) else {
            let (expected, found) = (idx as u64 + 1, self.nodes.len() as u64);
            return Err(FormatErrorKind::NodeCount { expected, found }.into());
        };
        let (n_slots, n_nulls) = two_numbers(node);
        let n_slots = not_negative(n_slots, "the length of the field node")?;
        Limits::check("slots", n_slots, self.max_slots)?;
        // In arrays in memory, −1 means that the nulls have not been counted. Some producers also write −1 into
        // messages.
        let n_nulls = match n_nulls {
            -1 => None,
            n_nulls => Some(not_negative(n_nulls, "the null count of the field node")?),
        };
        Ok(Node { n_slots, n_nulls })
    }

    /// The range of a buffer in the body. A buffer outside the body is an error.
    #[inline]
    pub fn buffer(&self, idx: usize) -> Result<BodyRange> {
        let numbers = self.buffers.get(&self.head.metadata, idx).map(two_numbers);
        let range =
            numbers.and_then(|(start, n_bytes)| BodyRange::within(start, n_bytes, self.head.n_body_bytes));
        range.map_or_else(|| self.refuse_buffer(idx), Ok)
    }

    /// The error for a buffer that is outside the body or not in the list.
    #[cold]
    #[inline(never)]
    fn refuse_buffer(&self, idx: usize) -> Result<BodyRange> {
        match self.buffers.get(&self.head.metadata, idx).map(two_numbers) {
            Some((start, n_bytes)) => {
                let range = BodyRange::parse(start, n_bytes, self.head.n_body_bytes);
                range.map_err(|error| error.in_buffer(idx, None))
            }
            None => {
                let (expected, found) = (idx as u64 + 1, self.buffers.len() as u64);
                Err(FormatErrorKind::BufferCount { expected, found }.into())
            }
        }
    }

    /// The number of data buffers of a view field. A number greater than the number of all buffers is an error.
    pub fn variadic_count(&self, idx: usize) -> Result<usize> {
        let n_buffers = self.buffers.len();
        let Some(count) = self.variadic_counts.get(&self.head.metadata, idx) else {
            let (expected, found) = (idx as u64 + 1, self.variadic_counts.len() as u64);
            return Err(FormatErrorKind::VariadicCount { expected, found }.into());
        };
        let count = not_negative(i64::from_le_bytes(*count), "a variadic buffer count")?;
        match usize::try_from(count) {
            Ok(count) if count <= n_buffers => Ok(count),
            _ => Err(FormatErrorKind::VariadicBuffers { count, n_buffers: n_buffers as u64 }.into()),
        }
    }

    /// The lengths of the lists. The sum of the variadic counts may exceed the number of buffers. A single count that
    /// is negative or exceeds the number of buffers is an error.
    pub fn list_lengths(&self) -> VectorLengths {
        let n_counts = self.variadic_counts.len();
        let sum = |sum: usize, idx| Ok(sum.saturating_add(self.variadic_count(idx)?));
        VectorLengths {
            version: self.head.version,
            n_nodes: self.nodes.len(),
            n_buffers: self.buffers.len(),
            n_variadic_counts: n_counts,
            n_variadic_buffers: (0..n_counts).try_fold(0, sum),
        }
    }
}

impl Node {
    /// The number of slots of the field.
    pub fn n_slots(&self) -> u64 {
        self.n_slots
    }

    /// The number of nulls; `None` if the message states −1, which means unknown.
    pub fn n_nulls(&self) -> Option<u64> {
        self.n_nulls
    }
}

fn parse_codec(compression: fb::BodyCompressionRef<'_>) -> WireResult<Codec> {
    match compression.method()? {
        fb::BodyCompressionMethod::Buffer => {}
    }
    Ok(match compression.codec()? {
        fb::CompressionType::Lz4Frame => Codec::Lz4Frame,
        fb::CompressionType::Zstd => Codec::Zstd,
    })
}
