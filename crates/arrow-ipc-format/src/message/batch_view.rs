//! The metadata of a record batch or dictionary batch. `parse` reads all of it except the nodes and buffers. Each node
//! or buffer is read and checked when a column needs it, so one column of ten thousand costs only its own entries.

use std::borrow::Cow;

use arrow_schema::Metadata;

use super::{Envelope, VectorLengths};
use crate::{
    body_range::BodyRange,
    error::{FormatErrorKind, Result, UnsupportedPart, not_negative, required},
    flatbuffer::{self, VectorSpan},
    limits::Limits,
    protocol::{Codec, MessageKind, MetadataVersion},
    schema::n_decoded_bytes,
    tables as fb,
};

/// A record batch or dictionary batch. Its lists stay in the metadata and are not copied.
#[derive(Debug)]
pub struct BatchView {
    /// The number of rows of the batch, or of values of the dictionary.
    n_rows: u64,
    /// The codec of the body; `None` if it is not compressed.
    compression: Option<Codec>,
    /// The custom metadata of the message.
    custom_metadata: Metadata,
    /// The dictionary of a dictionary batch; `None` for a record batch.
    dictionary: Option<DictionaryHeader>,
    /// The metadata of the message.
    envelope: Envelope,
    /// The length and the number of nulls of each field.
    nodes: VectorSpan<fb::FieldNode>,
    /// The offset and the length of each buffer.
    buffers: VectorSpan<fb::Buffer>,
    /// The number of data buffers of each view field.
    variadic_counts: VectorSpan<i64>,
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
pub struct FieldNode {
    n_slots: u64,
    null_count: Option<u64>,
}

impl BatchView {
    /// Reads everything except the entries of nodes, buffers and variadic counts.
    ///
    /// # Errors
    /// If the message is not a batch, or is malformed, unsupported or over a limit. If a list is out of bounds of the
    /// metadata.
    pub fn parse(envelope: Envelope, limits: &Limits) -> Result<BatchView> {
        let (batch, dictionary) = match envelope.kind() {
            MessageKind::RecordBatch => (envelope.header::<fb::RecordBatch<'_>>()?, None),
            MessageKind::DictionaryBatch => {
                let dictionary: fb::DictionaryBatch<'_> = envelope.header()?;
                let batch =
                    required(dictionary.data()?, "the record batch (`data`) of the dictionary batch")?;
                (batch, Some(DictionaryHeader { id: dictionary.id()?, is_delta: dictionary.is_delta()? }))
            }
            found @ (MessageKind::Schema | MessageKind::Tensor | MessageKind::SparseTensor) => {
                return Err(FormatErrorKind::UnexpectedMessage { expected: "a record batch", found }.into());
            }
        };
        let custom_metadata = envelope.custom_metadata(limits)?;
        let experimental = experimental_codec(envelope.version(), &custom_metadata)?;
        let n_rows = not_negative(batch.length()?, "the number of rows of the batch")?;
        Limits::check("rows", n_rows, limits.max_slots)?;
        let compression = match batch.compression()? {
            Some(compression) => Some(parse_codec(compression)?),
            None => experimental,
        };
        let nodes = batch.nodes()?.map(|nodes| nodes.span()).unwrap_or_default();
        let buffers = batch.buffers()?.map(|buffers| buffers.span()).unwrap_or_default();
        let variadic_counts = batch.variadic_buffer_counts()?.map(|counts| counts.span()).unwrap_or_default();
        let max_slots = limits.max_slots;
        Ok(BatchView {
            n_rows,
            compression,
            custom_metadata,
            dictionary,
            envelope,
            nodes,
            buffers,
            variadic_counts,
            max_slots,
        })
    }

    /// The number of rows of the batch, or of values of the dictionary.
    #[inline]
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// The codec of the body; `None` if it is not compressed.
    #[inline]
    pub fn compression(&self) -> Option<Codec> {
        self.compression
    }

    /// The custom metadata of the message.
    #[inline]
    pub fn custom_metadata(&self) -> &Metadata {
        &self.custom_metadata
    }

    /// Returns the custom metadata of the message, and drops the rest.
    pub fn into_custom_metadata(self) -> Metadata {
        self.custom_metadata
    }

    /// The dictionary of a dictionary batch; `None` for a record batch.
    #[inline]
    pub fn dictionary(&self) -> Option<DictionaryHeader> {
        self.dictionary
    }

    /// The metadata of the message.
    #[inline]
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// The end of the last list or text in the metadata. Padding follows.
    ///
    /// # Errors
    /// If the custom metadata is malformed.
    pub fn lists_end(&self) -> flatbuffer::Result<usize> {
        let lists = [self.nodes.range(), self.buffers.range(), self.variadic_counts.range()];
        Ok(lists.iter().fold(self.envelope.custom_metadata_end()?, |end, list| end.max(list.end)))
    }

    /// A copy that shares no memory with the input.
    pub fn into_copied(self) -> BatchView {
        BatchView { envelope: self.envelope.copied(), ..self }
    }

    /// The approximate number of bytes of memory that this value uses, if nothing else shares its metadata.
    pub fn n_memory_bytes(&self) -> u64 {
        n_decoded_bytes(&self.custom_metadata).saturating_add(self.envelope.metadata().len() as u64)
    }

    /// The number of nodes.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The number of buffers.
    pub fn n_buffers(&self) -> usize {
        self.buffers.len()
    }

    /// The number of entries of the list of variadic counts.
    pub fn n_variadic_counts(&self) -> usize {
        self.variadic_counts.len()
    }

    /// A node.
    ///
    /// # Errors
    /// If there is no such node, or its numbers are invalid or over a limit.
    #[inline]
    pub fn node(&self, idx: usize) -> Result<FieldNode> {
        let Some(node) = self.nodes.get(self.envelope.metadata(), idx) else {
            let (expected, found) = (idx as u64 + 1, self.nodes.len() as u64);
            return Err(FormatErrorKind::NodeCount { expected, found }.into());
        };
        let n_slots = not_negative(node.length, "the length of the field node")?;
        Limits::check("slots", n_slots, self.max_slots)?;
        // In arrays in memory, −1 means that the nulls have not been counted. Some producers also write −1 into
        // messages.
        let null_count = match node.null_count {
            -1 => None,
            null_count => Some(not_negative(null_count, "the null count of the field node")?),
        };
        Ok(FieldNode { n_slots, null_count })
    }

    /// The range of a buffer in the body. A buffer outside the body is an error.
    #[inline]
    pub fn buffer(&self, idx: usize) -> Result<BodyRange> {
        let buffer = self.buffers.get(self.envelope.metadata(), idx);
        let range = buffer.and_then(|fb::Buffer { offset, length }| {
            BodyRange::within(offset, length, self.envelope.n_body_bytes())
        });
        range.map_or_else(|| self.refuse_buffer(idx), Ok)
    }

    /// The error for a buffer that is outside the body or not in the list.
    #[cold]
    #[inline(never)]
    fn refuse_buffer(&self, idx: usize) -> Result<BodyRange> {
        match self.buffers.get(self.envelope.metadata(), idx) {
            Some(buffer) => {
                let range = BodyRange::parse_buffer(buffer, self.envelope.n_body_bytes());
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
        let Some(count) = self.variadic_counts.get(self.envelope.metadata(), idx) else {
            let (expected, found) = (idx as u64 + 1, self.variadic_counts.len() as u64);
            return Err(FormatErrorKind::VariadicCount { expected, found }.into());
        };
        let count = not_negative(count, "a variadic buffer count")?;
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
            version: self.envelope.version(),
            n_nodes: self.nodes.len(),
            n_buffers: self.buffers.len(),
            n_variadic_counts: n_counts,
            n_variadic_buffers: (0..n_counts).try_fold(0, sum),
        }
    }
}

impl FieldNode {
    /// The number of slots of the field.
    pub fn n_slots(&self) -> u64 {
        self.n_slots
    }

    /// The number of nulls; `None` if the message states −1, which means unknown.
    pub fn null_count(&self) -> Option<u64> {
        self.null_count
    }
}

fn parse_codec(compression: fb::BodyCompression<'_>) -> Result<Codec> {
    match compression.method()? {
        fb::BodyCompressionMethod::Buffer => {}
    }
    Ok(match compression.codec()? {
        fb::CompressionType::Lz4Frame => Codec::Lz4Frame,
        fb::CompressionType::Zstd => Codec::Zstd,
    })
}

/// The metadata in which Arrow 0.17 named the codec: its format had no field for it.
const EXPERIMENTAL_CODEC_KEY: &str = "ARROW:experimental_compression";

/// The codec that the custom metadata of a batch message names. The compressed buffers have the same layout as today.
/// Arrow 0.17 wrote the name in upper case. If several entries name a codec, the first one is used.
///
/// # Errors
/// If the codec is unknown.
fn experimental_codec(version: MetadataVersion, metadata: &Metadata) -> Result<Option<Codec>> {
    if version != MetadataVersion::V4 {
        return Ok(None);
    }
    let Some((_, name)) = metadata.iter().find(|(key, _)| *key == Some(EXPERIMENTAL_CODEC_KEY)) else {
        return Ok(None);
    };
    match name.map(str::to_ascii_lowercase).as_deref() {
        Some("lz4") => Ok(Some(Codec::Lz4Frame)),
        Some("zstd") => Ok(Some(Codec::Zstd)),
        Some("uncompressed") => Ok(None),
        Some(_) | None => {
            let what = UnsupportedPart::Part(
                "codec in `ARROW:experimental_compression`; supported are LZ4 and ZSTD",
            );
            Err(FormatErrorKind::Unsupported { what }.into())
        }
    }
}

/// Removes the entry of the codec. Metadata that was read from a V4 message may contain this entry, and readers of V4
/// would use the codec that it names.
pub(super) fn without_codec(version: MetadataVersion, metadata: &Metadata) -> Cow<'_, Metadata> {
    if version != MetadataVersion::V4 || metadata.iter().all(|(key, _)| key != Some(EXPERIMENTAL_CODEC_KEY)) {
        return Cow::Borrowed(metadata);
    }
    let others = metadata.iter().filter(|(key, _)| *key != Some(EXPERIMENTAL_CODEC_KEY));
    let others = others.map(|(key, value)| (key.map(Into::into), value.map(Into::into)));
    Cow::Owned(Metadata::from_pairs(others.collect()))
}
