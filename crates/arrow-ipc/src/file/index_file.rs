//! The index of a stream as an Arrow file.

use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, Metadata, Schema};

use super::{
    footer::Block,
    read::FileReader,
    stream_index::{IndexedKind, IndexedMessage, StreamEnd, StreamIndex},
    write::FileWriter,
};
use crate::error::{IpcErrorKind, Result};
use arrow_ipc_format::DictionaryHeader;

/// The columns of an index of type int64.
const COLUMNS: [&str; 6] = ["position", "metadata_bytes", "body_bytes", "kind", "rows", "dictionary_id"];
const IS_DELTA: &str = "is_delta";

const VERSION_KEY: &str = "arrow-ipc.index";
const VERSION: &str = "1";
const STREAM_BYTES_KEY: &str = "stream_bytes";
const END_KEY: &str = "end";
const HAS_MARKER_KEY: &str = "has_end_marker";
const SCHEMA_KEY: &str = "schema_crc32";
const LAST_KEY: &str = "last_crc32";

impl StreamIndex {
    /// The index as an Arrow file. Write it where [`try_from_buffer`](StreamIndex::try_from_buffer) will find it.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn to_buffer(&self) -> Result<Buffer> {
        let StreamIndex { input_bytes, end, next, schema_crc32, last_crc32, .. } = self;
        let has_marker = *end == StreamEnd::Marker;
        let metadata = Metadata::from_iter([
            (VERSION_KEY, VERSION.to_owned()),
            (STREAM_BYTES_KEY, input_bytes.to_string()),
            (END_KEY, next.to_string()),
            (HAS_MARKER_KEY, has_marker.to_string()),
            (SCHEMA_KEY, format!("{schema_crc32:08x}")),
            (LAST_KEY, format!("{last_crc32:08x}")),
        ]);
        let of =
            |number: fn(&IndexedMessage) -> i64| -> Vec<i64> { self.messages.iter().map(number).collect() };
        let numbers = [
            of(|message| message.block.position().cast_signed()),
            of(|message| message.block.n_metadata_bytes().cast_signed()),
            of(|message| message.block.n_body_bytes().cast_signed()),
            of(|message| message.kind.tag()),
            of(|message| match message.kind {
                IndexedKind::Batch { n_rows } => n_rows.cast_signed(),
                IndexedKind::Schema
                | IndexedKind::Dictionary { .. }
                | IndexedKind::Tensor
                | IndexedKind::SparseTensor => 0,
            }),
            of(|message| match message.kind {
                IndexedKind::Dictionary { id, .. } => id,
                IndexedKind::Schema
                | IndexedKind::Batch { .. }
                | IndexedKind::Tensor
                | IndexedKind::SparseTensor => 0,
            }),
        ];
        let is_delta =
            |message: &IndexedMessage| matches!(message.kind, IndexedKind::Dictionary { is_delta: true, .. });
        let is_delta: Bitmap = self.messages.iter().map(is_delta).collect();
        let n_rows = self.messages.len();
        let mut columns = Vec::with_capacity(COLUMNS.len() + 1);
        for numbers in numbers {
            columns.push(ArrayData::try_new(ArrayParts {
                buffers: [Buffer::from(numbers), Buffer::new()],
                ..ArrayParts::new(DataType::Int64, n_rows)
            })?);
        }
        columns.push(ArrayData::try_new(ArrayParts {
            buffers: [is_delta.to_packed(), Buffer::new()],
            ..ArrayParts::new(DataType::Boolean, n_rows)
        })?);
        let batch = RecordBatch::try_new(schema().with_metadata(metadata), columns)?;
        FileWriter::write_to_buffer(batch.schema(), std::slice::from_ref(&batch))
    }

    /// Whether a file of this schema is an index of this version. Its messages are not looked at.
    pub fn has_schema(found: &Schema) -> bool {
        found.metadata().get(VERSION_KEY) == Some(VERSION) && found.fields() == schema().fields()
    }

    /// Parses the bytes of an index, as [`to_buffer`](StreamIndex::to_buffer) returns them.
    ///
    /// # Errors
    /// If the bytes are not an Arrow file, or not an index of this version. If the messages of the index overlap, have
    /// gaps, or lie outside of the stream.
    pub fn try_from_buffer(file: Buffer) -> Result<StreamIndex> {
        let reader = FileReader::try_from_buffer(file)?;
        let metadata = reader.schema().metadata().clone();
        let wrong = |what: &'static str| IpcErrorKind::StreamIndex { what };
        let number = |key: &str| metadata.get(key).and_then(|value| value.parse::<u64>().ok());
        let checksum = |key: &str| metadata.get(key).and_then(|value| u32::from_str_radix(value, 16).ok());
        if !StreamIndex::has_schema(reader.schema()) {
            return Err(wrong("it is not an index of version 1").into());
        }
        let known = number(STREAM_BYTES_KEY).zip(number(END_KEY));
        let ((input_bytes, next), (schema_crc32, last_crc32)) = known
            .zip(checksum(SCHEMA_KEY).zip(checksum(LAST_KEY)))
            .ok_or_else(|| wrong("its metadata lacks a length or a checksum"))?;
        let has_marker = metadata.get(HAS_MARKER_KEY) == Some("true");
        let mut messages = Vec::new();
        for batch in reader.batches() {
            let batch = batch?;
            let columns: Option<Vec<&[[u8; 8]]>> = (0..COLUMNS.len())
                .map(|idx| Some(batch.columns().get(idx)?.buffer(0).as_chunks().0))
                .collect();
            let is_delta = batch.columns().last().map(|column| column.buffer(0).clone()).unwrap_or_default();
            for row in 0..batch.n_rows() {
                let cell =
                    |idx: usize| columns.as_ref()?.get(idx)?.get(row).map(|bytes| i64::from_ne_bytes(*bytes));
                let is_delta = is_delta.get(row / 8).is_some_and(|byte| byte >> (row % 8) & 1 == 1);
                let message = || {
                    let n_rows = u64::try_from(cell(4)?).ok()?;
                    let dictionary = DictionaryHeader { id: cell(5)?, is_delta };
                    let kind = IndexedKind::try_new(cell(3)?, n_rows, dictionary)?;
                    let block = Block::from_numbers(cell(0)?, cell(1)?, cell(2)?)?;
                    Some(IndexedMessage { block, kind })
                };
                messages.push(message().ok_or_else(|| wrong("a message has numbers that no message has"))?);
            }
        }
        let end = if has_marker { StreamEnd::Marker } else { StreamEnd::Input };
        let index = StreamIndex { input_bytes, end, next, messages, schema_crc32, last_crc32 };
        index.check()?;
        Ok(index)
    }
}

fn schema() -> Schema {
    let numbers = COLUMNS.iter().map(|name| Field::new(*name, DataType::Int64));
    let is_delta = Field::new(IS_DELTA, DataType::Boolean);
    let fields = numbers.chain([is_delta]).map(Field::required);
    Schema::new(fields.collect::<Vec<Field>>())
}
