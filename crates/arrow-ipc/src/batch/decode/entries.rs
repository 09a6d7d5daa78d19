//! Finds the field node and the buffers of each column in the lists of a header.

use std::ops::Range;

use arrow_data::{BufferSpec, Count, Role};

use super::BatchDecoder;
use crate::error::{Context, Result};
use arrow_ipc_format::{
    FieldNode,
    columns::{Column, ExtraValidity},
};

/// One column's entries in the header of a batch: its field node and its range in the list of buffers.
pub(in crate::batch) struct ColumnEntries<'a> {
    pub(in crate::batch) position: usize,
    pub(in crate::batch) column: &'a Column,
    pub(in crate::batch) node: FieldNode,
    /// The position of the column's first buffer in the list of buffers.
    first_buffer: usize,
    n_variadic: usize,
}

/// A buffer of a column, and the number of its bytes that the column's slots need.
#[derive(Debug, Clone, Copy)]
pub(in crate::batch) struct EntryBuffer {
    /// The position in the list of buffers.
    pub(in crate::batch) idx: usize,
    pub(in crate::batch) role: Role,
    pub(in crate::batch) n_slots: u64,
    /// The number of bytes that the slots need; `None` if the number depends on offsets or views.
    pub(in crate::batch) needed: Option<u64>,
}

impl EntryBuffer {
    pub(in crate::batch) fn new(idx: usize, spec: &BufferSpec, n_slots: u64) -> EntryBuffer {
        let needed = match spec.count {
            Count::PerSlot | Count::PerSlotPlusOne => spec.min_bytes(n_slots),
            Count::FromData => None,
        };
        EntryBuffer { idx, role: spec.role, n_slots, needed }
    }
}

impl ColumnEntries<'_> {
    /// The column's buffers, in the order of the list of buffers.
    pub(in crate::batch) fn buffers(&self, extra: ExtraValidity) -> impl Iterator<Item = EntryBuffer> {
        let n_slots = self.node.n_slots();
        let buffers = self.column.buffers(extra, self.n_variadic);
        (self.first_buffer..).zip(buffers).map(move |(idx, (role, spec))| match spec {
            Some(spec) => EntryBuffer::new(idx, spec, n_slots),
            None => EntryBuffer { idx, role, n_slots, needed: None },
        })
    }
}

impl<'a> BatchDecoder<'a> {
    /// The nodes and buffers of consecutive columns. `range` has the positions of the columns.
    pub(in crate::batch) fn entries(
        &self,
        range: Range<usize>,
    ) -> Result<impl Iterator<Item = Result<ColumnEntries<'a>>> + use<'a>> {
        let columns = self.columns;
        let message = self.message;
        let extra = self.extra;
        let mut cursor = self.position_in_lists(range.start)?;
        Ok(range.map(move |position| {
            let column = columns.at(position);
            let first_buffer = cursor.buffer;
            let node = message.node(cursor.node).in_field(|| columns.path(position))?;
            cursor.node += 1;
            let mut n_variadic = 0;
            if column.layout.is_variadic() {
                n_variadic = message.variadic_count(cursor.variadic)?;
                cursor.variadic += 1;
            }
            let n_fixed_buffers = column.n_fixed_buffers(extra);
            cursor.buffer = cursor.buffer.saturating_add(n_fixed_buffers).saturating_add(n_variadic);
            Ok(ColumnEntries { position, column, node, first_buffer, n_variadic })
        }))
    }
}
