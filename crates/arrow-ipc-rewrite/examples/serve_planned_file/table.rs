//! A large table, of which nothing is stored.

use std::io;

use arrow_data::Role;
use arrow_ipc::{WrittenContainer, error::BlockIndex};
use arrow_ipc_rewrite::plan::{BatchShape, BufferProvider, ColumnShape, Plan, PlanBuilder, PlannedData};
use arrow_schema::{DataType, Field, Schema};

use super::Failure;

/// A table whose values follow from their rows, so that nothing of it is stored: `id`, `name`, `flag`, and more numbers.
pub(super) struct Table {
    pub(super) n_batches: usize,
    pub(super) n_rows: u64,
    pub(super) n_columns: usize,
}

const N_NAME_BYTES: u32 = 16;

impl Table {
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let fields = (0..self.n_columns).map(|column| match column {
            0 => Field::new("id", DataType::Int64).required(),
            1 => Field::new("name", DataType::Utf8).required(),
            2 => Field::new("flag", DataType::Boolean),
            _ => Field::new(format!("c{column}"), DataType::Int64).required(),
        });
        let schema = Schema::new(fields.collect::<Vec<_>>());
        let shape = BatchShape::new(self.n_rows)
            .with_column(1, ColumnShape::bytes(self.n_rows * u64::from(N_NAME_BYTES)))
            .with_column(2, ColumnShape::new().with_nulls(self.n_rows.div_ceil(8)));
        let mut builder = PlanBuilder::try_new(schema, WrittenContainer::File)?;
        builder.push(&shape, self.n_batches)?;
        Ok(builder.finish()?)
    }

    /// A byte of a bitmap, with zeros after the last row.
    fn bits(&self, byte_idx: u64, bits: u8) -> [u8; 1] {
        let n_rows = (self.n_rows - byte_idx * 8).min(8);
        [bits & (0xff >> (8 - n_rows))]
    }
}

impl BufferProvider for Table {
    fn read_buffer(&self, data: &PlannedData<'_>, to: &mut [u8]) -> io::Result<usize> {
        let BlockIndex::RecordBatch(batch_idx) = data.buffer.block else {
            return Err(io::Error::other("the table has no dictionaries"));
        };
        let first_row = batch_idx as u64 * self.n_rows;
        let start = data.range.start;
        match (data.buffer.column, data.buffer.role) {
            (1, Role::Offsets) => fill(start, to, |slot| (slot as u32 * N_NAME_BYTES).to_ne_bytes()),
            (1, Role::Bytes) => fill(start, to, |slot| name(first_row + slot)),
            // Each eighth flag is null, each second one is set.
            (2, Role::Validity) => fill(start, to, |byte_idx| self.bits(byte_idx, 0b1111_1110)),
            (2, Role::Values) => fill(start, to, |byte_idx| self.bits(byte_idx, 0b1010_1010)),
            (0, Role::Values) => fill(start, to, |slot| (first_row + slot).to_ne_bytes()),
            (column, Role::Values) => {
                fill(start, to, |slot| ((first_row + slot) * column as u64).to_ne_bytes());
            }
            _ => return Err(io::Error::other("the table has no such buffer")),
        }
        Ok(to.len())
    }
}

/// Writes the bytes from `start` on of a buffer whose slots have `N` bytes each.
fn fill<const N: usize>(start: u64, to: &mut [u8], slot_bytes: impl Fn(u64) -> [u8; N]) {
    let n_bytes = N as u64;
    let (mut slot, n_skipped) = (start / n_bytes, (start % n_bytes) as usize);
    // The first slot may be cut at its start, and the last one at its end.
    let (first, rest) = to.split_at_mut(((N - n_skipped) % N).min(to.len()));
    if !first.is_empty() {
        first.copy_from_slice(&slot_bytes(slot)[n_skipped..][..first.len()]);
        slot += 1;
    }
    for (slot, to) in (slot..).zip(rest.chunks_mut(N)) {
        to.copy_from_slice(&slot_bytes(slot)[..to.len()]);
    }
}

/// "row ", and the number with 12 digits.
fn name(row: u64) -> [u8; N_NAME_BYTES as usize] {
    let mut name = *b"row 000000000000";
    let mut rest = row;
    for digit in name[4..].iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    name
}
