//! Which buffer of a message belongs to which field, for tools that show messages.

use arrow_data::Role;
use arrow_schema::FieldPath;

use crate::{
    columns::{Columns, SchemaColumns},
    error::{IpcErrorKind, Result},
    ipc_schema::{IpcSchema, MetadataVersion},
    message::{BatchHeader, BodyRange},
};

/// Names the buffers of the batches of one schema.
#[derive(Debug)]
pub struct BufferMap {
    columns: SchemaColumns,
}

/// What one buffer of a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BufferDescription {
    /// The field that it belongs to.
    pub path: FieldPath,
    /// What it is for.
    pub role: Role,
    /// Where it is in the body.
    pub range: BodyRange,
}

impl BufferMap {
    /// Prepares the names for a schema.
    ///
    /// # Errors
    /// If a dictionary contains itself, or fields of different types share one.
    pub fn try_new(schema: &IpcSchema) -> Result<BufferMap> {
        Ok(BufferMap { columns: SchemaColumns::try_new(schema)? })
    }

    /// The buffers of a record batch, in the order of its list.
    ///
    /// # Errors
    /// If the batch does not list as many buffers as the schema needs.
    pub fn record_batch(
        &self,
        header: &BatchHeader,
        version: MetadataVersion,
    ) -> Result<Vec<BufferDescription>> {
        describe(&self.columns.batch, header, version)
    }

    /// The buffers of the dictionary batch with this id, in the order of its list.
    ///
    /// # Errors
    /// If no field has such a dictionary, or the batch does not list as many buffers as its values need.
    pub fn dictionary_batch(
        &self,
        id: i64,
        header: &BatchHeader,
        version: MetadataVersion,
    ) -> Result<Vec<BufferDescription>> {
        let dictionary = self.columns.dictionary(id).and_then(|idx| self.columns.dictionaries.get(idx.0));
        let dictionary = dictionary.ok_or(IpcErrorKind::UnknownDictionary { id })?;
        describe(&dictionary.columns, header, version)
    }
}

fn describe(
    columns: &Columns,
    header: &BatchHeader,
    version: MetadataVersion,
) -> Result<Vec<BufferDescription>> {
    let (mut ranges, mut counts) = (header.buffers.iter(), header.variadic_counts.iter());
    let mut described = Vec::with_capacity(header.buffers.len());
    let totals = columns.totals();
    let n_variadic = header.variadic_counts.iter().fold(0, |sum: usize, count| sum.saturating_add(*count));
    let expected = totals.n_fixed_buffers(version).saturating_add(n_variadic) as u64;
    let found = header.buffers.len() as u64;
    for position in 0..totals.n_nodes {
        let column = columns.at(position);
        let legacy = column.has_legacy_validity(version).then_some(Role::Validity);
        let n_variadic = match column.layout.is_variadic() {
            true => counts.next().copied().unwrap_or(0),
            false => 0,
        };
        let fixed = column.layout.buffers().iter().map(|spec| spec.role);
        let variadic = std::iter::repeat_n(Role::Variadic, n_variadic);
        for role in legacy.into_iter().chain(fixed).chain(variadic) {
            let range = *ranges.next().ok_or(IpcErrorKind::BufferCount { expected, found })?;
            described.push(BufferDescription { path: columns.path(position), role, range });
        }
    }
    if ranges.next().is_some() {
        return Err(IpcErrorKind::BufferCount { expected, found }.into());
    }
    Ok(described)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::{Header, Limits, MessageScan};

    /// The buffers of all messages of a golden file, as text.
    fn buffers_of(case: &str) -> Vec<String> {
        let path = testing_support::corpus_dir().join("golden/pyarrow-26.0.1").join(case);
        let file = fs::File::open(path).unwrap();
        let limits = Limits::default();
        let mut scan = MessageScan::new(&file, 0..u64::MAX, limits.clone()).unwrap();
        let (mut map, mut lines) = (None, Vec::new());
        while let Some(message) = scan.next_message().unwrap() {
            let version = message.version();
            let buffers = match (message.header(&limits).unwrap(), &map) {
                (Header::Schema(schema), None) => {
                    map = Some(BufferMap::try_new(&schema).unwrap());
                    continue;
                }
                (Header::RecordBatch(batch), Some(map)) => map.record_batch(&batch, version),
                (Header::DictionaryBatch { id, batch, .. }, Some(map)) => {
                    map.dictionary_batch(id, &batch, version)
                }
                (header, _) => panic!("{header:?}"),
            };
            let line = |buffer: BufferDescription| format!("{} {}", buffer.path, buffer.role);
            lines.extend(buffers.unwrap().into_iter().map(line));
        }
        lines
    }

    #[test]
    fn buffers_are_named_in_order() {
        let lines = buffers_of("structs-full.arrows");
        assert_eq!(lines.first().map(String::as_str), Some("plain validity"), "{lines:?}");
        let dictionaries = buffers_of("dictionary-nested.arrows");
        assert!(dictionaries.iter().any(|line| line.contains("<dictionary>")), "{dictionaries:?}");
        let views = buffers_of("views-full.arrows");
        assert!(views.iter().any(|line| line.ends_with("variadic")), "{views:?}");
        for unions in ["unions-full.arrows", "metadata-v4.arrows"] {
            assert!(!buffers_of(unions).is_empty());
        }
    }
}
