//! The packed shapes of a plan. Equal shapes are stored once.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use arrow_schema::Metadata;

use super::{lists::PackedBatch, pack::PackedNumbers, shape::BatchShape};
use arrow_ipc::{MessageSize, Result};
use arrow_ipc_format::{
    BatchHeaderBuilder, DictionaryHeader, MessageFormat, MetadataEncoder,
    columns::{DictionaryIdx, SchemaColumns},
};

#[derive(Debug)]
pub(super) struct PackedShapes {
    all: Vec<PackedShape>,
    /// The packed numbers of all shapes, in order.
    numbers: Vec<u8>,
    /// Custom metadata of shapes, without consecutive repetitions. The first entry is empty.
    metadata: Vec<Metadata>,
}

/// A shape, and the lengths of the messages with this shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct PackedShape {
    /// The dictionary with this shape; `None` for record batches.
    pub(super) dictionary: Option<DictionaryIdx>,
    pub(super) size: MessageSize,
    pub(super) n_rows: u64,
    numbers_start: usize,
    metadata_idx: usize,
}

/// Finds the index of a shape in `PackedShapes`.
#[derive(Debug)]
pub(super) struct ShapeIndex {
    by_hash: HashMap<u64, usize>,
    hasher: RandomState,
    lists: BatchHeaderBuilder,
}

impl ShapeIndex {
    pub(super) fn new(format: MessageFormat) -> ShapeIndex {
        let lists = BatchHeaderBuilder::new(format.alignment);
        ShapeIndex { by_hash: HashMap::new(), hasher: RandomState::new(), lists }
    }
}

impl PackedShapes {
    pub(super) fn new() -> PackedShapes {
        PackedShapes { all: Vec::new(), numbers: Vec::new(), metadata: vec![Metadata::new()] }
    }

    pub(super) fn at(&self, shape_idx: usize) -> &PackedShape {
        &self.all[shape_idx]
    }

    /// The index of a shape. Adds the shape if it is new.
    ///
    /// # Errors
    /// If the messages of the shape would be longer than the format can express.
    pub(super) fn find_or_add(
        &mut self,
        index: &mut ShapeIndex,
        message: NewMessage<'_>,
        encoder: &MetadataEncoder,
    ) -> Result<usize> {
        let NewMessage { schema, dictionary, shape, packed } = message;
        let key = (dictionary.map(|idx| idx.0), shape.n_rows(), &packed.numbers, shape.metadata());
        let hash = index.hasher.hash_one(key);
        if let Some(known) = index.by_hash.get(&hash).copied()
            && self.is_same(known, &message)
        {
            return Ok(known);
        }
        let columns = schema.for_dictionary(dictionary);
        let n_rows = shape.n_rows();
        let version = encoder.format().version;
        let batch = PackedBatch { columns, version, n_rows, numbers: &packed.numbers };
        batch.fill(&mut index.lists)?;
        let kind = kind_of(schema, dictionary);
        let n_metadata_bytes = encoder.batch_metadata(kind, &index.lists, shape.metadata())?.n_bytes() as u64;
        let size = MessageSize::new(n_metadata_bytes, index.lists.n_body_bytes());
        let metadata_idx = self.add_metadata(shape.metadata());
        let numbers_start = self.numbers.len();
        self.numbers.extend_from_slice(&packed.numbers);
        self.all.push(PackedShape { dictionary, size, n_rows, numbers_start, metadata_idx });
        let added = self.all.len() - 1;
        // Only the first of two shapes with the same hash is found again. Copies of the second are stored repeatedly.
        index.by_hash.entry(hash).or_insert(added);
        Ok(added)
    }

    fn is_same(&self, shape_idx: usize, message: &NewMessage<'_>) -> bool {
        let PackedShape { dictionary, n_rows, metadata_idx, .. } = *self.at(shape_idx);
        dictionary == message.dictionary
            && n_rows == message.shape.n_rows()
            && self.metadata[metadata_idx] == *message.shape.metadata()
            && self.numbers_of(shape_idx) == message.packed.numbers
    }

    /// The index of custom metadata in the list. Adds the metadata unless it is empty or equals the last entry.
    /// Consecutive batches mostly have the same metadata.
    fn add_metadata(&mut self, metadata: &Metadata) -> usize {
        if metadata.is_empty() {
            return 0;
        }
        if self.metadata.last() != Some(metadata) {
            self.metadata.push(metadata.clone());
        }
        self.metadata.len() - 1
    }

    fn numbers_of(&self, shape_idx: usize) -> &[u8] {
        let start = self.at(shape_idx).numbers_start;
        let end = self.all.get(shape_idx + 1).map_or(self.numbers.len(), |next| next.numbers_start);
        &self.numbers[start..end]
    }

    /// The nodes and buffers that all messages of a shape have.
    pub(super) fn lists(
        &self,
        shape_idx: usize,
        schema: &SchemaColumns,
        format: MessageFormat,
    ) -> Result<BatchHeaderBuilder> {
        let PackedShape { dictionary, n_rows, .. } = *self.at(shape_idx);
        let mut lists = BatchHeaderBuilder::new(format.alignment);
        let columns = schema.for_dictionary(dictionary);
        let numbers = self.numbers_of(shape_idx);
        PackedBatch { columns, version: format.version, n_rows, numbers }.fill(&mut lists)?;
        Ok(lists)
    }

    pub(super) fn metadata(&self, shape_idx: usize) -> &Metadata {
        &self.metadata[self.at(shape_idx).metadata_idx]
    }

    pub(super) fn shrink(&mut self) {
        self.all.shrink_to_fit();
        self.numbers.shrink_to_fit();
        self.metadata.shrink_to_fit();
    }
}

/// A shape to add, as described and as packed.
#[derive(Debug, Clone, Copy)]
pub(super) struct NewMessage<'a> {
    pub(super) schema: &'a SchemaColumns,
    pub(super) dictionary: Option<DictionaryIdx>,
    pub(super) shape: &'a BatchShape,
    pub(super) packed: &'a PackedNumbers,
}

/// The columns of a record batch, or of the values of a dictionary.
pub(super) fn kind_of(schema: &SchemaColumns, dictionary: Option<DictionaryIdx>) -> Option<DictionaryHeader> {
    dictionary.map(|idx| DictionaryHeader { id: schema.dictionaries[idx.0].id, is_delta: false })
}
