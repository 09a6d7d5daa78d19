//! Splits batches into pieces whose messages are not longer than a limit.
//!
//! The size of a message grows with its rows, so the longest piece that fits is found by a search, and taking the longest
//! piece each time makes the fewest pieces. But where slots refer to their data in any order, a longer slice may have a
//! shorter message, because the writer removes unused data only if there is much of it. So unused data of such columns is
//! removed from a piece that would not fit otherwise, unless the options keep it.

use std::sync::Arc;

use arrow_data::{ArrayData, Physical, RecordBatch, References, Validation};
use arrow_ipc_format::columns::Columns;
use arrow_schema::Metadata;
use arrow_select::{Select, UnusedValues};

use super::{BatchEncoder, RowsForm, Trailer};
use crate::{
    batch::has_dictionary,
    error::{Context, IpcErrorKind, Result},
};

impl<T: Trailer> BatchEncoder<T> {
    /// Adds the messages of the fewest pieces of a batch, whose columns must fit the schema.
    pub(super) fn add_pieces(
        &mut self,
        batch: &RecordBatch,
        form: RowsForm<'_>,
        max_bytes: u64,
    ) -> Result<()> {
        let mut pieces = BatchPieces::new(batch, form, max_bytes, self.options.unused_items());
        while let Some((piece, _)) = pieces.next_piece(self, self.output.next_position())? {
            self.add_message(&piece, form)?;
        }
        Ok(())
    }

    /// The fewest pieces of a batch whose messages have at most this number of bytes, each with the size of its message, or
    /// an upper bound of it. Without a limit, the batch is the only piece. The encoder is as before the call.
    ///
    /// # Errors
    /// The errors of [`encode`](BatchEncoder::encode), and an error if a row does not fit alone.
    pub(crate) fn split(
        &mut self,
        batch: &RecordBatch,
        max_bytes: Option<u64>,
    ) -> Result<Vec<(RecordBatch, u64)>> {
        self.clear();
        let split = self.observe(batch, max_bytes).and_then(|observed| {
            let metadata = Metadata::new();
            let batch = observed.as_ref().unwrap_or(batch);
            let max_bytes = max_bytes.unwrap_or(u64::MAX);
            let form = RowsForm { metadata: &metadata, maps_indices: true };
            let mut pieces = BatchPieces::new(batch, form, max_bytes, self.options.unused_items());
            let mut all = Vec::new();
            // Messages begin at multiples of the alignment, as the first byte does.
            while let Some(piece) = pieces.next_piece(self, 0)? {
                all.push(piece);
            }
            Ok(all)
        });
        self.clear();
        split
    }

    /// The size of the message of a batch, or an upper bound of it.
    fn measure(&mut self, position: u64, batch: &RecordBatch, form: RowsForm<'_>) -> Result<u64> {
        let columns = &self.columns.batch;
        let maps = form.maps(&*self.tracker);
        let rows = super::MessageRows { columns, maps, arrays: batch.columns(), n_rows: batch.n_rows() };
        Ok(self.output.measure(position, &rows, form.metadata)?.n_bytes())
    }
}

/// The pieces of a batch, from its first row on.
struct BatchPieces<'a> {
    batch: &'a RecordBatch,
    form: RowsForm<'a>,
    max_bytes: u64,
    /// Whether unused data may be removed from pieces.
    may_trim: bool,
    /// The first row of the next piece; `None` after the last piece.
    next_row: Option<usize>,
    /// The number of rows with which the next search begins.
    n_expected: usize,
}

/// A number of rows, and the size of their message.
#[derive(Debug, Clone, Copy)]
struct MeasuredRows {
    n_rows: usize,
    n_bytes: u64,
}

impl<'a> BatchPieces<'a> {
    fn new(
        batch: &'a RecordBatch,
        form: RowsForm<'a>,
        max_bytes: u64,
        unused_items: UnusedValues,
    ) -> BatchPieces<'a> {
        let may_trim = removes_unused(batch, unused_items) && !batch.columns().iter().any(may_be_replaced);
        BatchPieces { batch, form, max_bytes, may_trim, next_row: Some(0), n_expected: 1 }
    }

    /// The next piece with the size of its message at this position. The first piece is the whole batch if it fits.
    ///
    /// # Errors
    /// If a row does not fit alone.
    fn next_piece<T: Trailer>(
        &mut self,
        encoder: &mut BatchEncoder<T>,
        position: u64,
    ) -> Result<Option<(RecordBatch, u64)>> {
        let Some(start) = self.next_row else { return Ok(None) };
        if start == 0 {
            let n_rows = self.batch.n_rows();
            let n_bytes = encoder.measure(position, self.batch, self.form)?;
            if n_bytes <= self.max_bytes {
                self.next_row = None;
                return Ok(Some((self.batch.clone(), n_bytes)));
            }
            if n_rows == 0 {
                return Err(self.too_long(None, n_bytes));
            }
            self.n_expected = proportion(n_rows, self.max_bytes, n_bytes);
        }
        let (piece, n_bytes) = self.longest(start, encoder, position)?;
        let end = start + piece.n_rows();
        self.n_expected = piece.n_rows();
        self.next_row = (end < self.batch.n_rows()).then_some(end);
        Ok(Some((piece, n_bytes)))
    }

    /// The longest piece from a row on that fits, and the size of its message. There must be a row.
    fn longest<T: Trailer>(
        &self,
        start: usize,
        encoder: &mut BatchEncoder<T>,
        position: u64,
    ) -> Result<(RecordBatch, u64)> {
        let n_left = self.batch.n_rows() - start;
        let mut longest: Option<(RecordBatch, u64)> = None;
        let mut too_long: Option<MeasuredRows> = None;
        let mut n_rows = self.n_expected.clamp(1, n_left);
        for n_steps in 0_u64.. {
            let mut piece = self.batch.try_slice(start, n_rows)?;
            let mut n_bytes = encoder.measure(position, &piece, self.form)?;
            if n_bytes > self.max_bytes && self.may_trim {
                piece = piece.with_used_items(UnusedValues::Remove)?;
                n_bytes = encoder.measure(position, &piece, self.form)?;
            }
            if n_bytes <= self.max_bytes {
                longest = Some((piece, n_bytes));
            } else {
                too_long = Some(MeasuredRows { n_rows, n_bytes });
            }
            let fits = longest.as_ref().map_or(MeasuredRows { n_rows: 0, n_bytes: 0 }, |(piece, n_bytes)| {
                MeasuredRows { n_rows: piece.n_rows(), n_bytes: *n_bytes }
            });
            // The last number of rows that may fit.
            let last = too_long.map_or(n_left, |too_long| too_long.n_rows - 1);
            if fits.n_rows == last {
                break;
            }
            let next = fits.n_rows + 1;
            let guess = match (n_steps % 3, too_long) {
                (_, None) => proportion(fits.n_rows, self.max_bytes, fits.n_bytes),
                (0, Some(too_long)) => fits.n_rows.saturating_add(proportion(
                    too_long.n_rows - fits.n_rows,
                    self.max_bytes - fits.n_bytes,
                    too_long.n_bytes.saturating_sub(fits.n_bytes),
                )),
                // The last guess was often right.
                (1, Some(_)) => {
                    if n_rows == fits.n_rows {
                        next
                    } else {
                        last
                    }
                }
                (_, Some(_)) => fits.n_rows.midpoint(last),
            };
            n_rows = guess.clamp(next, last);
        }
        match (longest, too_long) {
            (Some(longest), _) => Ok(longest),
            (None, too_long) => {
                Err(self.too_long(Some(start as u64), too_long.map_or(0, |too_long| too_long.n_bytes)))
            }
        }
    }

    #[cold]
    fn too_long(&self, row: Option<u64>, n_bytes: u64) -> crate::error::IpcError {
        IpcErrorKind::MessageTooLong { row, n_bytes, max_bytes: self.max_bytes }.into()
    }
}

/// `n * part / whole`, which is at most `n` times as much; `n * 2` if `whole` is 0.
fn proportion(n: usize, part: u64, whole: u64) -> usize {
    let scaled = (n as u128).saturating_mul(part.into()).checked_div(whole.into());
    scaled.map_or(n.saturating_mul(2), |scaled| usize::try_from(scaled).unwrap_or(usize::MAX))
}

/// The batch with columns whose content is checked before they are split. Otherwise pieces would get checked dictionaries,
/// which have not been compared with those that were written, and each piece would check the run ends of all pieces.
/// `None` if there is no such column.
///
/// # Errors
/// If the content of such a column is invalid.
pub(super) fn checked(
    columns: &Columns,
    batch: &RecordBatch,
    unused_items: UnusedValues,
) -> Result<Option<RecordBatch>> {
    let removes_unused = removes_unused(batch, unused_items);
    let is_meant = |array: &ArrayData| removes_unused && may_be_replaced(array) || has_unchecked_runs(array);
    if !batch.columns().iter().any(is_meant) {
        return Ok(None);
    }
    let arrays = batch.columns().iter().zip(columns.roots()).map(|(array, root)| {
        let level = if is_meant(array) { Validation::Content } else { array.checked() };
        array.clone().validate(level).in_field(|| columns.path(*root))
    });
    let arrays = arrays.collect::<Result<Vec<ArrayData>>>()?;
    Ok(Some(RecordBatch::try_new(Arc::clone(batch.schema()), arrays)?))
}

/// Whether pieces of the batch have no unused data.
fn removes_unused(batch: &RecordBatch, unused_items: UnusedValues) -> bool {
    unused_items != UnusedValues::Keep && batch.columns().iter().any(refers_in_any_order)
}

/// Whether checking the array may replace a dictionary.
fn may_be_replaced(array: &ArrayData) -> bool {
    array.checked() < Validation::Content && has_dictionary(array)
}

/// Whether the array, or one of its children, is run-end encoded and unchecked.
fn has_unchecked_runs(array: &ArrayData) -> bool {
    let is_unchecked = array.checked() < Validation::Content;
    is_unchecked && matches!(array.layout().physical(), Physical::Runs(_))
        || array.children().iter().any(has_unchecked_runs)
}

/// Whether slots of the array, or of its children, may refer to their data in any order.
fn refers_in_any_order(array: &ArrayData) -> bool {
    match array.layout().references() {
        References::Data | References::Items | References::Values => true,
        References::None | References::InOrder | References::Dictionary => {
            array.children().iter().any(refers_in_any_order)
        }
    }
}
