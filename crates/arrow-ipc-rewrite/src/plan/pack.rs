//! Checks a shape against the schema, and packs the numbers that do not follow from the schema: slots, nulls and bytes,
//! in the order of the columns.

use arrow_data::{ChildLen, Nulls, OffsetType, Physical};
use arrow_schema::{RunEndType, UnionMode};

use super::{
    shape::{BatchShape, ColumnShape},
    varint,
};
use crate::shape_error::ShapeError;
use arrow_ipc::{Result, error::Context};
use arrow_ipc_format::columns::{Column, Columns, DictionaryIdx};

pub(super) type ShapeResult<T> = std::result::Result<T, ShapeError>;

/// The shape of columns that the caller did not describe.
static FLAT: ColumnShape = ColumnShape::FLAT;
/// The greatest number of slots in a message.
const MAX_SLOTS: u64 = i64::MAX.unsigned_abs();
/// The greatest length of a data buffer: a view has a 31-bit offset and a 31-bit length.
const MAX_VIEW_BYTES: u64 = 2 * i32::MAX.unsigned_abs() as u64;

/// A packed shape, and the dictionaries that it needs.
#[derive(Debug, Default)]
pub(super) struct PackedNumbers {
    /// The packed numbers, as varints. Most numbers are 0, which takes one byte.
    pub(super) numbers: Vec<u8>,
    /// The dictionaries with valid indices, and the position of the first column with such indices.
    pub(super) needed: Vec<(DictionaryIdx, usize)>,
}

impl PackedNumbers {
    /// Packs a shape. `is_nullable` says whether the top-level column at an index is nullable.
    ///
    /// # Errors
    /// If a number contradicts the schema or another number, or does not fit into a message. The error names the field.
    pub(super) fn pack(
        &mut self,
        columns: &Columns,
        shape: &BatchShape,
        is_nullable: impl Fn(usize) -> bool,
    ) -> Result<()> {
        self.numbers.clear();
        self.needed.clear();
        let expected = columns.roots().len() as u64;
        let found = shape.n_columns();
        if found > expected {
            return Err(ShapeError::Differs { what: "columns", expected, found }.into());
        }
        at_most("rows", shape.n_rows(), MAX_SLOTS)?;
        for (idx, root) in columns.roots().iter().enumerate() {
            let column = shape.columns().get(idx).unwrap_or(&FLAT);
            let slots = ColumnSlots { n_slots: shape.n_rows(), is_nullable: is_nullable(idx) };
            exactly("slots", column.n_slots().unwrap_or(slots.n_slots), slots.n_slots)
                .in_field(|| columns.path(*root))?;
            self.column(columns, *root, column, slots)?;
        }
        Ok(())
    }

    fn column(
        &mut self,
        columns: &Columns,
        position: usize,
        shape: &ColumnShape,
        slots: ColumnSlots,
    ) -> Result<()> {
        let column = columns.at(position);
        self.own(column, shape, slots).in_field(|| columns.path(position))?;
        if let Some(dictionary) = column.dictionary
            && shape.null_count() < slots.n_slots
        {
            self.needed.push((dictionary, position));
        }
        if column.end() == position + 1 && shape.children().is_empty() {
            return Ok(());
        }
        let fields = column.data_type.children();
        let expected = fields.len() as u64;
        let found = shape.children().len() as u64;
        if found != 0 {
            exactly("children", found, expected).in_field(|| columns.path(position))?;
        }
        for (child_idx, (child, field)) in columns.children(position).zip(fields).enumerate() {
            let child_shape = shape.children().get(child_idx).unwrap_or(&FLAT);
            let n_slots = self
                .child_slots(column, slots.n_slots, shape, child_shape)
                .in_field(|| columns.path(child))?;
            // Fields that are not nullable may have nulls in slots that no valid parent refers to. Run ends have no
            // such slots.
            let is_run_end = matches!(column.layout.physical(), Physical::Runs(_)) && child_idx == 0;
            let slots = ColumnSlots { n_slots, is_nullable: !is_run_end || field.is_nullable() };
            self.column(columns, child, child_shape, slots)?;
        }
        Ok(())
    }

    /// Packs the numbers of a column without its children.
    fn own(&mut self, column: &Column, shape: &ColumnShape, slots: ColumnSlots) -> ShapeResult<()> {
        let ColumnSlots { n_slots, is_nullable } = slots;
        let null_count = shape.null_count();
        let physical = column.layout.physical();
        match column.layout.nulls() {
            Nulls::All if null_count == 0 => {}
            Nulls::All => exactly("nulls", null_count, n_slots)?,
            Nulls::InChildren => absent("nulls", null_count)?,
            Nulls::Bitmap => {
                at_most("nulls", null_count, n_slots)?;
                if !is_nullable {
                    at_most("nulls in a field that is not nullable", null_count, 0)?;
                }
                varint::push(&mut self.numbers, null_count);
            }
        }
        match physical {
            Physical::Bytes(offset) => {
                at_most("bytes", shape.n_bytes(), if n_slots == 0 { 0 } else { max_offset(offset) })?;
                varint::push(&mut self.numbers, shape.n_bytes());
            }
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Views
            | Physical::List(_)
            | Physical::ListView(_)
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(_)
            | Physical::Runs(_)
            | Physical::Dictionary(_) => absent("bytes of variable size", shape.n_bytes())?,
        }
        let n_data_buffers = shape.data_buffers().len() as u64;
        if !column.layout.is_variadic() {
            return absent("data buffers of views", n_data_buffers);
        }
        at_most(
            "data buffers",
            n_data_buffers,
            if n_slots == 0 { 0 } else { i32::MAX.unsigned_abs().into() },
        )?;
        varint::push(&mut self.numbers, n_data_buffers);
        for n_bytes in shape.data_buffers() {
            // Writers leave out empty data buffers, since some readers panic on them.
            at_least("bytes in a data buffer", *n_bytes, 1)?;
            at_most("bytes in a data buffer", *n_bytes, MAX_VIEW_BYTES)?;
            varint::push(&mut self.numbers, *n_bytes);
        }
        Ok(())
    }

    /// Returns the number of slots of a child. Packs it unless it follows from the parent.
    fn child_slots(
        &mut self,
        parent: &Column,
        n_parent_slots: u64,
        parent_shape: &ColumnShape,
        shape: &ColumnShape,
    ) -> ShapeResult<u64> {
        let n_slots = match parent.layout.child_len() {
            ChildLen::NoChildren | ChildLen::SameAsParent => {
                let n_slots = shape.n_slots().unwrap_or(n_parent_slots);
                exactly("slots", n_slots, n_parent_slots)?;
                return Ok(n_slots);
            }
            ChildLen::Times(size) => {
                let needed = times(n_parent_slots, size)?;
                let n_slots = shape.n_slots().unwrap_or(needed);
                at_least("slots", n_slots, needed)?;
                varint::push(&mut self.numbers, n_slots.saturating_sub(needed));
                at_most("slots", n_slots, MAX_SLOTS)?;
                return Ok(n_slots);
            }
            ChildLen::FromData => shape.n_slots().unwrap_or(0),
            ChildLen::Runs => {
                let n_runs = shape.n_slots().unwrap_or(0);
                // There are as many runs as run ends.
                let first = parent_shape.children().first().and_then(ColumnShape::n_slots);
                exactly("slots", n_runs, first.unwrap_or(0))?;
                at_least("runs", n_runs, n_parent_slots.min(1))?;
                n_runs
            }
        };
        at_most("slots", n_slots, if n_parent_slots == 0 { 0 } else { MAX_SLOTS })?;
        match parent.layout.physical() {
            Physical::List(offset) => at_most("slots", n_slots, max_offset(offset))?,
            // The end of a list is offset plus size, and each of them has at most `max_offset`.
            Physical::ListView(offset) => {
                at_most("slots", n_slots, max_offset(offset).saturating_mul(2).min(MAX_SLOTS))?;
            }
            Physical::Union(UnionMode::Dense) => {
                at_most("slots", n_slots, max_offset(OffsetType::Int32).saturating_add(1))?;
            }
            Physical::Runs(run_end) => {
                at_most("runs", n_slots, n_parent_slots)?;
                at_most("slots in runs", n_parent_slots, max_run_end(run_end))?;
            }
            Physical::Null
            | Physical::Bits
            | Physical::Fixed(_)
            | Physical::Bytes(_)
            | Physical::Views
            | Physical::FixedSizeList(_)
            | Physical::Struct
            | Physical::Union(UnionMode::Sparse)
            | Physical::Dictionary(_) => {}
        }
        varint::push(&mut self.numbers, n_slots);
        Ok(n_slots)
    }
}

#[derive(Debug, Clone, Copy)]
struct ColumnSlots {
    n_slots: u64,
    is_nullable: bool,
}

pub(super) fn times(n_slots: u64, size: u32) -> ShapeResult<u64> {
    n_slots.checked_mul(size.into()).ok_or(ShapeError::Overflow { what: "items", n_slots })
}

fn max_offset(offset: OffsetType) -> u64 {
    match offset {
        OffsetType::Int32 => i32::MAX.unsigned_abs().into(),
        OffsetType::Int64 => i64::MAX.unsigned_abs(),
    }
}

fn max_run_end(run_end: RunEndType) -> u64 {
    match run_end {
        RunEndType::Int16 => i16::MAX.unsigned_abs().into(),
        RunEndType::Int32 => i32::MAX.unsigned_abs().into(),
        RunEndType::Int64 => i64::MAX.unsigned_abs(),
    }
}

fn exactly(what: &'static str, found: u64, expected: u64) -> ShapeResult<()> {
    if found == expected { Ok(()) } else { Err(ShapeError::Differs { what, expected, found }) }
}

fn at_least(what: &'static str, found: u64, min: u64) -> ShapeResult<()> {
    if found >= min { Ok(()) } else { Err(ShapeError::TooFew { what, found, min }) }
}

pub(super) fn at_most(what: &'static str, found: u64, max: u64) -> ShapeResult<()> {
    if found <= max { Ok(()) } else { Err(ShapeError::TooMany { what, found, max }) }
}

fn absent(what: &'static str, found: u64) -> ShapeResult<()> {
    if found == 0 { Ok(()) } else { Err(ShapeError::NotInType { what, found }) }
}
