//! Finds the field of each buffer of a message, for tools that show messages.

mod structure;

use std::{fmt, sync::Arc};

use arrow_data::Role;
use arrow_schema::{DataType, FieldPath};

use crate::error::{FormatErrorKind, Result};
use arrow_ipc_format::{
    BatchHeader, BodyRange, IpcSchema, MetadataVersion,
    columns::{Columns, ExtraValidity, SchemaColumns},
};

/// Finds the field and the role of each buffer in the batches of one schema.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_ipc::{BufferMap, Limits, MessageScan, StreamWriter, WriteOptions, message::Header};
/// # use arrow_data::{ArrayData, RecordBatch};
/// # use arrow_schema::DataType;
///
/// # let batch = RecordBatch::try_from_columns([("name", ArrayData::new_empty(&DataType::Utf8))])?;
/// let mut writer = StreamWriter::try_new(Vec::new(), batch.schema(), WriteOptions::default())?;
/// writer.write(&batch)?;
/// let stream = Buffer::from(writer.finish()?);
///
/// let limits = Limits::default();
/// let mut scan = MessageScan::try_new(stream, 0..u64::MAX, limits.clone())?;
/// let mut names = Vec::new();
/// let mut map = None;
/// while let Some(message) = scan.next_message()? {
///     match (message.header(&limits)?, &map) {
///         (Header::Schema(schema), _) => map = Some(BufferMap::try_new(&schema)?),
///         (Header::RecordBatch(batch), Some(map)) => {
///             for buffer in map.record_batch(&batch, message.version())? {
///                 names.push(format!("{} {}", buffer.path, buffer.role));
///             }
///         }
///         _ => {}
///     }
/// }
/// assert_eq!(names, ["name validity", "name offsets", "name bytes"]);
/// # Ok::<(), arrow_ipc::IpcError>(())
/// ```
#[derive(Debug)]
pub struct BufferMap {
    columns: SchemaColumns,
}

/// One buffer of a message: its field, its role and its range.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferDescription {
    /// The path of the field. All buffers of a field share this `Arc`.
    pub path: Arc<FieldPath>,
    /// The index of the field's node in [`BatchHeader::nodes`].
    pub node_idx: usize,
    /// What the buffer contains, such as validity or offsets.
    pub role: Role,
    /// The range of the buffer in the body, in bytes. If the body is compressed, it contains the compressed bytes.
    pub range: BodyRange,
}

impl BufferMap {
    /// Prepares the fields of a schema.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share a dictionary.
    pub fn try_new(schema: &IpcSchema) -> Result<BufferMap> {
        Ok(BufferMap { columns: SchemaColumns::try_new(schema)? })
    }

    /// Describes the buffers of a record batch, in the order of the message. Nothing is read from the body.
    ///
    /// # Errors
    /// If the batch does not have as many nodes, buffers and variadic counts as the schema needs.
    pub fn record_batch<'a>(
        &'a self,
        header: &'a BatchHeader,
        version: MetadataVersion,
    ) -> Result<BufferDescriptions<'a>> {
        BufferDescriptions::try_new(&self.columns.batch, header, version)
    }

    /// Whether the batch has an empty validity buffer for a column without a validity bitmap: see
    /// [`has_extra_validity`](crate::ReadStats::has_extra_validity). Pass the id of a dictionary batch, or `None` for a
    /// record batch. Such a message cannot be [copied](crate::transcode::Transcoder::copy) as it is.
    ///
    /// # Errors
    /// If the batch does not have as many nodes, buffers and variadic counts as the schema needs.
    pub fn has_extra_validity(
        &self,
        dictionary: Option<i64>,
        header: &BatchHeader,
        version: MetadataVersion,
    ) -> Result<bool> {
        let Some(columns) = self.columns_of(dictionary) else { return Ok(false) };
        let extra = columns.check_lists(header.list_lengths(version))?;
        Ok(columns.n_fixed_buffers(extra) > columns.n_fixed_buffers(ExtraValidity::specified(version)))
    }

    /// The type of the field of a node. Pass the id of a dictionary batch, or `None` for a record batch. Returns `None`
    /// if the dictionary or the node does not exist.
    pub fn data_type(&self, dictionary: Option<i64>, node_idx: usize) -> Option<&DataType> {
        self.columns_of(dictionary)?.data_type(node_idx)
    }

    /// The id of the dictionary of a node; `None` if its field is not dictionary-encoded. For the arguments see
    /// [`data_type`](BufferMap::data_type).
    pub fn dictionary_of(&self, dictionary: Option<i64>, node_idx: usize) -> Option<i64> {
        let columns = self.columns_of(dictionary)?;
        columns.data_type(node_idx)?.as_dictionary()?;
        Some(self.columns.dictionaries.get(columns.at(node_idx).dictionary?.0)?.id)
    }

    fn columns_of(&self, dictionary: Option<i64>) -> Option<&Columns> {
        self.columns.of_id(dictionary).ok().flatten()
    }

    /// Describes the buffers of a dictionary batch, in the order of the message. `id` is the id of the dictionary.
    ///
    /// # Errors
    /// If no field has this dictionary, or the batch does not have as many nodes, buffers and variadic counts as its
    /// values need.
    pub fn dictionary_batch<'a>(
        &'a self,
        id: i64,
        header: &'a BatchHeader,
        version: MetadataVersion,
    ) -> Result<BufferDescriptions<'a>> {
        let columns = self.columns_of(Some(id)).ok_or(FormatErrorKind::UnknownDictionary { id })?;
        BufferDescriptions::try_new(columns, header, version)
    }
}

/// Iterates over the buffers of a batch: see [`BufferMap`]. Only one path is in memory at a time.
pub struct BufferDescriptions<'a>(Box<dyn Iterator<Item = BufferDescription> + 'a>);

impl<'a> BufferDescriptions<'a> {
    fn try_new(
        columns: &'a Columns,
        header: &'a BatchHeader,
        version: MetadataVersion,
    ) -> Result<BufferDescriptions<'a>> {
        let extra = columns.check_lists(header.list_lengths(version))?;
        let mut counts = header.variadic_counts.iter();
        let of_columns = columns.paths().into_iter().enumerate().flat_map(move |(position, path)| {
            let (column, path) = (columns.at(position), Arc::new(path));
            let n_variadic = match column.layout.is_variadic() {
                true => counts.next().copied().unwrap_or_default(),
                false => 0,
            };
            column.buffers(extra, n_variadic).map(move |(role, _)| (Arc::clone(&path), position, role))
        });
        let described = of_columns.zip(&header.buffers);
        let described = described.map(|((path, node_idx, role), range)| BufferDescription {
            path,
            node_idx,
            role,
            range: *range,
        });
        Ok(BufferDescriptions(Box::new(described)))
    }
}

impl Iterator for BufferDescriptions<'_> {
    type Item = BufferDescription;

    fn next(&mut self) -> Option<BufferDescription> {
        self.0.next()
    }
}

impl fmt::Debug for BufferDescriptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BufferDescriptions").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use arrow_schema::{Field, Schema};

    use super::*;
    use crate::error::IpcErrorKind;
    use crate::{Limits, MessageScan};
    use arrow_ipc_format::Header;

    fn buffers_of(case: &str) -> Result<Vec<String>> {
        let file = fs::File::open(testing_support::corpus_dir().join(case)).unwrap();
        let limits = Limits::default();
        let mut scan = MessageScan::try_new(&file, 0..u64::MAX, limits.clone())?;
        let (mut map, mut lines) = (None, Vec::new());
        while let Some(message) = scan.next_message()? {
            let version = message.version();
            let buffers = match (message.header(&limits)?, &map) {
                (Header::Schema(schema), None) => {
                    map = Some(BufferMap::try_new(&schema)?);
                    continue;
                }
                (Header::RecordBatch(batch), Some(map)) => lines_of(map.record_batch(&batch, version)?),
                (Header::DictionaryBatch { id, batch, .. }, Some(map)) => {
                    lines_of(map.dictionary_batch(id, &batch, version)?)
                }
                (header, _) => panic!("{header:?}"),
            };
            lines.extend(buffers);
        }
        Ok(lines)
    }

    fn lines_of(buffers: BufferDescriptions<'_>) -> Vec<String> {
        buffers.map(|buffer| format!("{} {}", buffer.path, buffer.role)).collect()
    }

    #[test]
    fn buffers_are_named_in_order() {
        let cases = [
            (
                "structs-full",
                "point validity, point.x validity, point.x values, point.y validity, point.y offsets",
            ),
            ("dictionary-nested", "lists.<dictionary>.item.<dictionary> validity"),
            ("unions-full", "sparse type ids, sparse.number validity, sparse.number values"),
            ("views-full", "binary_view validity, binary_view views, binary_view variadic data"),
        ];
        for (case, expected) in cases {
            let found = buffers_of(&format!("golden/pyarrow-26.0.1/{case}.arrows")).unwrap().join(", ");
            assert!(found.starts_with(expected), "{case}: {found}");
        }
        // Before V5, unions had a validity bitmap. This file has three unions in each of three batches.
        let is_bitmap_of_union = |pair: &[String]| {
            pair[1].strip_suffix(" type ids").is_some_and(|path| pair[0] == format!("{path} validity"))
        };
        for (case, n_bitmaps) in [("metadata-v4", 9), ("unions-full", 0)] {
            let lines = buffers_of(&format!("golden/pyarrow-26.0.1/{case}.arrows")).unwrap();
            assert_eq!(lines.windows(2).filter(|pair| is_bitmap_of_union(pair)).count(), n_bitmaps, "{case}");
        }
    }

    #[test]
    fn nodes_have_the_types_of_their_fields() {
        let point = DataType::Struct([Field::new("x", DataType::Int8)].into());
        let words = DataType::dictionary(arrow_schema::IndexType::Int16, DataType::Utf8).unwrap();
        let schema = Schema::new([Field::new("point", point.clone()), Field::new("word", words.clone())]);
        let map = BufferMap::try_new(&schema.into()).unwrap();
        let types: Vec<_> = (0..4).map(|node_idx| map.data_type(None, node_idx)).collect();
        assert_eq!(types, [Some(&point), Some(&DataType::Int8), Some(&words), None]);
        assert_eq!(map.data_type(Some(0), 0), Some(&DataType::Utf8));
        assert_eq!((map.data_type(Some(0), 1), map.data_type(Some(7), 0)), (None, None));
        let dictionaries = [(None, 1), (None, 2), (None, 3), (Some(0), 0)];
        let dictionaries = dictionaries.map(|(of, node_idx)| map.dictionary_of(of, node_idx));
        assert_eq!(dictionaries, [None, Some(0), None, None]);
    }

    #[test]
    fn lists_of_another_schema_are_refused() {
        for case in ["batch-buffers-none", "batch-buffers-many"] {
            let error = buffers_of(&format!("hostile/{case}.stream")).expect_err(case);
            assert!(
                matches!(
                    error.kind(),
                    IpcErrorKind::Format(FormatErrorKind::BufferCount { expected: 2, .. })
                ),
                "{case}: {error}"
            );
        }
        // The batch has a variadic count, but no view field. Readers refuse it, too.
        let map = BufferMap::try_new(&Schema::default().into()).unwrap();
        let header = BatchHeader { variadic_counts: vec![0], ..BatchHeader::default() };
        let error = map.record_batch(&header, MetadataVersion::V5).unwrap_err();
        assert!(
            matches!(
                error.kind(),
                IpcErrorKind::Format(FormatErrorKind::VariadicCount { expected: 0, found: 1 })
            ),
            "{error}"
        );
        let error = buffers_of("hostile/dict-unknown-id.stream").expect_err("an unknown dictionary");
        assert!(
            matches!(error.kind(), IpcErrorKind::Format(FormatErrorKind::UnknownDictionary { .. })),
            "{error}"
        );
    }
}
