//! Computes the nodes and buffers of a message from a packed shape. The encoder of arrays computes the same for a batch
//! of this shape.

use arrow_data::{ChildLen, Nulls, Role};

use super::{
    pack::{at_most, times},
    varint::Varints,
};
use crate::shape_error::ShapeError;
use arrow_ipc::{Result, error::Context};
use arrow_ipc_format::{
    BatchHeaderBuilder, MetadataVersion,
    columns::{Column, Columns, ExtraValidity},
};

/// The greatest length of a message, a stream or a file, in bytes.
pub(super) const MAX_BYTES: u64 = i64::MAX.unsigned_abs();

/// A packed shape with its columns.
#[derive(Debug)]
pub(super) struct PackedBatch<'a> {
    pub(super) columns: &'a Columns,
    pub(super) version: MetadataVersion,
    pub(super) n_rows: u64,
    pub(super) numbers: &'a [u8],
}

impl PackedBatch<'_> {
    /// Fills `lists`, and ends the body.
    ///
    /// # Errors
    /// If a buffer or the body is longer than 2^63 − 1 bytes. The error names the field.
    pub(super) fn fill(&self, lists: &mut BatchHeaderBuilder) -> Result<()> {
        lists.begin(self.n_rows);
        let mut walk = ShapeWalk { batch: self, numbers: Varints::new(self.numbers), lists };
        self.columns.roots().iter().try_for_each(|root| walk.column(*root, self.n_rows))?;
        lists.end_body();
        lists.wire_body_bytes()?;
        Ok(())
    }
}

struct ShapeWalk<'a, 'l> {
    batch: &'a PackedBatch<'a>,
    numbers: Varints<'a>,
    lists: &'l mut BatchHeaderBuilder,
}

impl ShapeWalk<'_, '_> {
    fn column(&mut self, position: usize, n_slots: u64) -> Result<()> {
        let columns = self.batch.columns;
        let column = columns.at(position);
        self.own(column, n_slots).in_field(|| columns.path(position))?;
        if column.end() == position + 1 {
            return Ok(());
        }
        for child in columns.children(position) {
            let n_slots = match column.layout.child_len() {
                ChildLen::NoChildren | ChildLen::SameAsParent => n_slots,
                ChildLen::Times(size) => times(n_slots, size)?.saturating_add(self.number()),
                ChildLen::FromData | ChildLen::Runs => self.number(),
            };
            self.column(child, n_slots)?;
        }
        Ok(())
    }

    fn own(&mut self, column: &Column, n_slots: u64) -> Result<()> {
        let null_count = match column.layout.nulls() {
            Nulls::All => n_slots,
            Nulls::InChildren => 0,
            Nulls::Bitmap => self.number(),
        };
        self.lists.add_node(to_usize(n_slots, n_slots)?, to_usize(null_count, n_slots)?);
        if column.extra_buffer(ExtraValidity::specified(self.batch.version)).is_some() {
            self.lists.add_buffer(0);
        }
        for spec in column.layout.buffers() {
            let n_bytes = match spec.role {
                Role::Validity if null_count == 0 => Some(0),
                Role::Bytes => Some(self.number()),
                Role::Validity
                | Role::Values
                | Role::Offsets
                | Role::Sizes
                | Role::TypeIds
                | Role::Views
                | Role::Variadic => spec.written_bytes(n_slots),
            };
            let what = "bytes in a buffer";
            self.buffer(n_bytes.ok_or(ShapeError::Overflow { what, n_slots })?, n_slots)?;
        }
        if column.layout.is_variadic() {
            let n_data_buffers = self.number();
            self.lists.add_variadic_count(to_usize(n_data_buffers, n_slots)?);
            for _ in 0..n_data_buffers {
                let n_bytes = self.number();
                self.buffer(n_bytes, n_slots)?;
            }
        }
        Ok(())
    }

    /// The next packed number. Packing has stored a number wherever the walk needs one.
    fn number(&mut self) -> u64 {
        self.numbers.next().unwrap_or(0)
    }

    fn buffer(&mut self, n_bytes: u64, n_slots: u64) -> Result<()> {
        self.lists.add_buffer(to_usize(n_bytes, n_slots)?);
        Ok(at_most("bytes up to the end of this field", self.lists.n_body_bytes(), MAX_BYTES)?)
    }
}

/// Converts a number to `usize`, which has fewer bits than a number of the format on some machines.
fn to_usize(number: u64, n_slots: u64) -> Result<usize> {
    usize::try_from(number).map_err(|_| ShapeError::Overflow { what: "bytes", n_slots }.into())
}
