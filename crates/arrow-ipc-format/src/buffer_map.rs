//! Finds the field of each buffer of a message, for tools that show messages.

mod check;

use std::{fmt, sync::Arc};

use arrow_data::Role;
use arrow_schema::{DataType, FieldPath};

use crate::{
    body_range::BodyRange,
    columns::{Columns, ExtraValidity, SchemaColumns},
    error::{FormatErrorKind, Result},
    message::BatchHeader,
    protocol::MetadataVersion,
    schema::IpcSchema,
};

/// Finds the field and the role of each buffer in the batches of one schema.
///
/// ```
/// use arrow_data::Role;
/// use arrow_ipc_format::{BodyRange, BufferDescription, BufferMap, Header, Limits, Message};
///
/// /// What is at each range of the body of a record batch.
/// fn ranges(map: &BufferMap, message: &Message) -> arrow_ipc_format::error::Result<Vec<(String, Role, BodyRange)>> {
///     let Header::RecordBatch(batch) = message.header(&Limits::default())? else { return Ok(Vec::new()) };
///     let buffers = map.record_batch(&batch, message.version())?;
///     Ok(buffers.map(|buffer| (buffer.path.to_string(), buffer.role, buffer.range)).collect())
/// }
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
    /// If a column is unsupported. If a dictionary contains itself, or fields of different types share a dictionary.
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

    /// Whether the batch has an empty validity buffer for a column without a validity bitmap, as
    /// some writers write it. Pass the id of a dictionary batch, or `None` for a
    /// record batch. Such a message cannot be copied as it is.
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
        self.columns.for_dictionary_id(dictionary).ok().flatten()
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

/// Iterates over the buffers of a batch: see [`BufferMap`].
pub struct BufferDescriptions<'a>(Box<dyn Iterator<Item = BufferDescription> + 'a>);

impl<'a> BufferDescriptions<'a> {
    fn try_new(
        columns: &'a Columns,
        header: &'a BatchHeader,
        version: MetadataVersion,
    ) -> Result<BufferDescriptions<'a>> {
        let extra = columns.check_lists(header.list_lengths(version))?;
        let mut counts = header.variadic_counts.iter();
        let column_buffers = columns.paths().into_iter().enumerate().flat_map(move |(position, path)| {
            let column = columns.at(position);
            let path = Arc::new(path);
            let mut n_variadic = 0;
            if column.layout.is_variadic() {
                n_variadic = counts.next().copied().unwrap_or_default();
            }
            column.buffers(extra, n_variadic).map(move |(role, _)| (Arc::clone(&path), position, role))
        });
        let described = column_buffers.zip(&header.buffers);
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
    use arrow_schema::Schema;

    use super::*;

    #[test]
    fn variadic_counts_without_a_view_field_are_refused() {
        let map = BufferMap::try_new(&Schema::default().into()).unwrap();
        let header = BatchHeader { variadic_counts: vec![0], ..BatchHeader::default() };
        let error = map.record_batch(&header, MetadataVersion::V5).unwrap_err();
        assert!(matches!(error.kind(), FormatErrorKind::VariadicCount { expected: 0, found: 1 }), "{error}");
    }
}
