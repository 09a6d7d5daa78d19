//! The output of the writer, message by message: the shapes in its headers, and a provider of its buffers. This module
//! uses no plan.

use std::{collections::HashMap, io, ops::Range};

use arrow_buffer::Buffer;
use arrow_data::{Count, RecordBatch, Role, layout};
use arrow_ipc::{
    BufferMap, FileEncoder, IpcSchema, Limits, MessageScan, MetadataVersion, StreamEncoder, WriteOptions,
    WrittenContainer,
    error::BlockIndex,
    message::{BatchHeader, Header},
};
use arrow_ipc_rewrite::plan::{BatchShape, BufferProvider, ColumnShape, PlannedData};
use arrow_schema::{DataType, Field, FieldPath, Metadata};

/// The bytes of a stream or file, and its messages.
pub(super) struct Written {
    pub(super) bytes: Buffer,
    pub(super) messages: Vec<WrittenMessage>,
    buffers: HashMap<Key, Range<u64>>,
}

/// A message without the schema's.
pub(super) struct WrittenMessage {
    pub(super) block: BlockIndex,
    pub(super) dictionary_id: Option<i64>,
    pub(super) shape: BatchShape,
    pub(super) range: Range<u64>,
    pub(super) body_position: u64,
    pub(super) buffers: Vec<(FieldPath, Role, usize, Range<u64>)>,
}

type Key = (BlockIndex, FieldPath, Role, usize);

/// Custom metadata of the messages, or none.
pub(super) struct MessageMetadata {
    pub(super) batch: Metadata,
    pub(super) dictionary: Metadata,
}

impl Written {
    pub(super) fn new(
        container: WrittenContainer,
        schema: &IpcSchema,
        batches: &[RecordBatch],
        options: &WriteOptions,
        extra: &MessageMetadata,
    ) -> arrow_ipc::Result<Written> {
        let mut bytes = Vec::new();
        match container {
            WrittenContainer::Stream => {
                let mut encoder = StreamEncoder::try_new_with(schema, options.clone())?;
                encoder.start()?.write_to(&mut bytes)?;
                for id in schema.dictionary_ids() {
                    encoder.set_dictionary_metadata(*id, extra.dictionary.clone())?;
                }
                for batch in batches {
                    encoder.encode_with_metadata(batch, &extra.batch)?.write_to(&mut bytes)?;
                }
                encoder.finish()?.write_to(&mut bytes)?;
            }
            WrittenContainer::File => {
                let mut encoder = FileEncoder::try_new_with(schema, options.clone())?;
                encoder.start()?.write_to(&mut bytes)?;
                for id in schema.dictionary_ids() {
                    encoder.set_dictionary_metadata(*id, extra.dictionary.clone())?;
                }
                for batch in batches {
                    encoder.encode_with_metadata(batch, &extra.batch)?.write_to(&mut bytes)?;
                }
                encoder.finish()?.write_to(&mut bytes)?;
            }
        }
        Ok(Written::of(container, Buffer::from(bytes), schema))
    }

    fn of(container: WrittenContainer, bytes: Buffer, schema: &IpcSchema) -> Written {
        let limits = Limits::default();
        let mut scan = match container {
            WrittenContainer::Stream => {
                MessageScan::try_new(bytes.clone(), 0..u64::MAX, limits.clone()).unwrap()
            }
            WrittenContainer::File => MessageScan::try_from_file(bytes.clone(), limits.clone()).unwrap(),
        };
        let map = BufferMap::try_new(schema).unwrap();
        let fields = schema.schema().fields();
        let (mut messages, mut n_batches, mut n_dictionaries) = (Vec::new(), 0, 0);
        while let Some(message) = scan.next_message().unwrap() {
            let version = message.version();
            let (block, dictionary_id, header, named, types) = match message.header(&limits).unwrap() {
                Header::RecordBatch(header) => {
                    n_batches += 1;
                    let named = map.record_batch(&header, version).unwrap().collect::<Vec<_>>();
                    let types: Vec<&DataType> = fields.iter().map(Field::data_type).collect();
                    (BlockIndex::RecordBatch(n_batches - 1), None, header, named, types)
                }
                Header::DictionaryBatch { id, batch: header, .. } => {
                    n_dictionaries += 1;
                    let named = map.dictionary_batch(id, &header, version).unwrap().collect();
                    let types = vec![value_type(schema, id)];
                    (BlockIndex::Dictionary(n_dictionaries - 1), Some(id), header, named, types)
                }
                _ => continue,
            };
            let shape =
                Entries::shape(&header, &types, version).with_metadata(message.custom_metadata().unwrap());
            let body_position = message.body_position();
            let end = body_position + message.n_body_bytes();
            let mut n_data_buffers = 0;
            let named = named.into_iter().map(|buffer| {
                n_data_buffers = if buffer.role == Role::Variadic { n_data_buffers + 1 } else { 0 };
                let start = body_position + buffer.range.start();
                let idx = usize::max(n_data_buffers, 1) - 1;
                ((*buffer.path).clone(), buffer.role, idx, start..start + buffer.range.n_bytes())
            });
            let buffers = named.collect();
            let range = message.position()..end;
            messages.push(WrittenMessage { block, dictionary_id, shape, range, body_position, buffers });
        }
        let keyed = |message: &WrittenMessage| {
            let block = message.block;
            let named = message.buffers.iter().cloned();
            named.map(move |(path, role, idx, range)| ((block, path, role, idx), range)).collect::<Vec<_>>()
        };
        let buffers = messages.iter().flat_map(keyed).collect();
        Written { bytes, messages, buffers }
    }

    pub(super) fn slice(&self, range: Range<u64>) -> &[u8] {
        &self.bytes[range.start as usize..range.end as usize]
    }
}

impl BufferProvider for Written {
    fn read_buffer(&self, data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
        let buffer = data.buffer;
        // Of the bitmaps of unions before V5, which have the name of another buffer, none has any bytes.
        let key = (buffer.block, buffer.field.clone(), buffer.role, buffer.data_buffer_idx.unwrap_or(0));
        let range = self.buffers.get(&key).unwrap_or_else(|| panic!("{key:?} was not written"));
        assert_eq!(range.end - range.start, buffer.n_bytes, "{key:?}");
        assert_eq!(data.range.end - data.range.start, to.len() as u64);
        to.copy_from_slice(self.slice(range.start + data.range.start..range.start + data.range.end));
        Ok(to.len())
    }
}

/// The value type of a dictionary, by the order in which ids are given.
fn value_type(schema: &IpcSchema, id: i64) -> &DataType {
    fn add<'a>(data_type: &'a DataType, found: &mut Vec<&'a DataType>) {
        if let Some(dictionary) = data_type.as_dictionary() {
            found.push(dictionary.value());
            add(dictionary.value(), found);
        }
        data_type.children().iter().for_each(|field| add(field.data_type(), found));
    }
    let mut found = Vec::new();
    schema.schema().fields().iter().for_each(|field| add(field.data_type(), &mut found));
    found[schema.dictionary_ids().iter().position(|known| *known == id).unwrap()]
}

/// The lists of a header, from which a shape is read.
struct Entries<'a> {
    nodes: std::slice::Iter<'a, arrow_ipc::message::FieldNode>,
    buffers: std::slice::Iter<'a, arrow_ipc::BodyRange>,
    counts: std::slice::Iter<'a, usize>,
    version: MetadataVersion,
}

impl Entries<'_> {
    fn shape(header: &BatchHeader, types: &[&DataType], version: MetadataVersion) -> BatchShape {
        let (nodes, buffers) = (header.nodes().iter(), header.buffers().iter());
        let mut entries = Entries { nodes, buffers, counts: header.variadic_counts().iter(), version };
        let columns: Vec<ColumnShape> = types.iter().map(|data_type| entries.column(data_type)).collect();
        BatchShape::new(header.n_rows()).with_columns(columns)
    }

    /// All numbers, including numbers that may be omitted.
    fn column(&mut self, data_type: &DataType) -> ColumnShape {
        let node = self.nodes.next().unwrap();
        let layout = layout(data_type);
        if data_type.as_union().is_some() && self.version == MetadataVersion::V4 {
            self.buffers.next().unwrap();
        }
        let mut n_bytes = 0;
        for spec in layout.buffers() {
            let length = self.buffers.next().unwrap().n_bytes();
            n_bytes = if spec.count == Count::FromData { length } else { n_bytes };
        }
        let n_variadic = if layout.is_variadic() { *self.counts.next().unwrap() } else { 0 };
        let data: Vec<u64> = (0..n_variadic).map(|_| self.buffers.next().unwrap().n_bytes()).collect();
        let children: Vec<ColumnShape> =
            data_type.children().iter().map(|field| self.column(field.data_type())).collect();
        let shape = match (n_bytes, data.is_empty(), children.is_empty()) {
            (0, true, false) => ColumnShape::nested(children),
            (0, false, true) => ColumnShape::views(data),
            (n_bytes, true, true) => ColumnShape::bytes(n_bytes),
            other => panic!("{data_type}: {other:?}"),
        };
        shape.with_nulls(node.null_count().unwrap_or(0)).with_n_slots(node.n_slots())
    }
}
