//! Checks the metadata of a batch without its body.

use arrow_data::{ChildLen, DataErrorKind, Nulls, Role};

use super::BufferMap;
use crate::{
    body_range::BodyRange,
    columns::{Columns, ExtraValidity},
    error::{FormatError, FormatErrorKind, Result},
    message::{BatchHeader, FieldNode},
    protocol::MetadataVersion,
};

impl BufferMap {
    /// Checks the metadata of a batch against the schema: the numbers of nodes, rows, slots and nulls, and the lengths
    /// of buffers. Pass the id of a dictionary batch, or `None` for a record batch. `n_bytes` returns the decompressed
    /// length of a buffer, or `None` if unknown. Its arguments are the index of the buffer in the message, and its
    /// range in the body.
    ///
    /// # Errors
    /// If the metadata contradicts the schema or itself. A reader returns the same error for the batch. The body is not
    /// read.
    pub fn check(
        &self,
        dictionary: Option<i64>,
        header: &BatchHeader,
        version: MetadataVersion,
        n_bytes: impl Fn(usize, BodyRange) -> Option<u64>,
    ) -> Result<()> {
        let Some(columns) = self.columns_of(dictionary) else { return Ok(()) };
        let extra = columns.check_lists(header.list_lengths(version))?;
        let mut batch = BatchCheck { columns, header, extra, next_buffer: 0, next_count: 0 };
        for (position, node) in header.nodes().iter().enumerate() {
            let checked = batch.column(position, node, &n_bytes);
            if let Err((error, buffer)) = checked {
                let error = match buffer {
                    Some((buffer_idx, role)) => error.in_buffer(buffer_idx, Some(role)),
                    None => error,
                };
                return Err(error.in_field(&|| columns.path(position)));
            }
        }
        Ok(())
    }
}

/// A batch, and the positions in its lists up to which columns have been checked.
struct BatchCheck<'a> {
    columns: &'a Columns,
    header: &'a BatchHeader,
    extra: ExtraValidity,
    next_buffer: usize,
    next_count: usize,
}

/// A violated rule, and the buffer that violates it.
type Violation = (FormatError, Option<(usize, Role)>);

/// The error of a rule about the whole column.
fn wrong(kind: DataErrorKind) -> Violation {
    (FormatErrorKind::Data(kind.into()).into(), None)
}

impl BatchCheck<'_> {
    fn column(
        &mut self,
        position: usize,
        node: &FieldNode,
        n_bytes: &impl Fn(usize, BodyRange) -> Option<u64>,
    ) -> std::result::Result<(), Violation> {
        let column = self.columns.at(position);
        let layout = &*column.layout;
        let n_slots = node.n_slots();
        let n_rows = self.header.n_rows();
        if self.columns.roots().binary_search(&position).is_ok() && n_slots != n_rows {
            return Err(wrong(DataErrorKind::RowCount { expected: n_rows, found: n_slots }));
        }
        let null_count =
            if layout.nulls() == Nulls::Bitmap { node.null_count().unwrap_or_default() } else { 0 };
        if null_count > n_slots {
            return Err(wrong(DataErrorKind::TooManyNulls { null_count, n_slots }));
        }
        if let Some(extra) = column.extra_buffer(self.extra) {
            let buffer_idx = self.next_buffer;
            self.next_buffer += 1;
            let found = self.header.buffers().get(buffer_idx).map_or(0, |range| range.n_bytes());
            extra.check(found).map_err(|error| (error, Some((buffer_idx, Role::Validity))))?;
        }
        for spec in layout.buffers() {
            let buffer_idx = self.next_buffer;
            self.next_buffer += 1;
            let range = self.header.buffers().get(buffer_idx);
            let Some(found) = range.and_then(|range| n_bytes(buffer_idx, *range)) else { continue };
            let broken = match spec.min_bytes(n_slots) {
                _ if spec.role == Role::Validity && found == 0 => {
                    (null_count > 0).then_some(DataErrorKind::MissingValidity { null_count })
                }
                None => Some(DataErrorKind::SizeOverflow { n_slots }),
                Some(needed) if found < needed => {
                    Some(DataErrorKind::BufferTooShort { n_slots, needed, found })
                }
                Some(_) => None,
            };
            if let Some(broken) = broken {
                return Err((FormatErrorKind::Data(broken.into()).into(), Some((buffer_idx, spec.role))));
            }
        }
        if layout.is_variadic() {
            let n_variadic = self.header.variadic_counts.get(self.next_count).copied().unwrap_or_default();
            self.next_buffer = self.next_buffer.saturating_add(n_variadic);
            self.next_count += 1;
        }
        let children = self.columns.children(position).filter_map(|child| self.header.nodes().get(child));
        let mut lengths = children.map(FieldNode::n_slots);
        let (expected, fits): (_, fn(u64, u64) -> bool) = match layout.child_len() {
            ChildLen::SameAsParent => (Some(n_slots), |found, expected| found == expected),
            ChildLen::Times(size) => (n_slots.checked_mul(size.into()), |found, needed| found >= needed),
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => return Ok(()),
        };
        let expected = expected.ok_or_else(|| wrong(DataErrorKind::SizeOverflow { n_slots }))?;
        match lengths.find(|found| !fits(*found, expected)) {
            Some(found) => Err(wrong(DataErrorKind::ChildLength { expected, found })),
            None => Ok(()),
        }
    }
}
