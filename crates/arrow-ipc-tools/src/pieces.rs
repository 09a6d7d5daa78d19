//! Limits the number of batches that are cut from others, since few bytes can claim any number of rows.

use arrow_data::{ArrayData, DataError, RecordBatch, Unused};

use crate::{error::ToolErrorKind, pending::RowMemory};

/// This many pieces are always allowed.
const LEAST_PIECES: u64 = 1 << 16;

/// Counts the pieces that batches are cut into. Together, the batches so far may have one piece for each of their bits,
/// and 65,536 more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CutLimit {
    n_left: u64,
}

impl CutLimit {
    pub(crate) fn new() -> CutLimit {
        CutLimit { n_left: LEAST_PIECES }
    }

    /// Counts the pieces of a batch, whose next `n_rows` rows are cut into pieces of `n_rows_each`.
    ///
    /// # Errors
    /// If there are too many pieces.
    pub(crate) fn take(
        &mut self,
        batch: &RecordBatch,
        n_rows: u64,
        n_rows_each: u64,
    ) -> Result<(), ToolErrorKind> {
        let n_bytes = batch.columns().iter().map(ArrayData::n_bytes).fold(0, u64::saturating_add);
        let max_pieces = n_bytes.saturating_mul(8).saturating_add(self.n_left);
        let n_pieces = n_rows.div_ceil(n_rows_each.max(1));
        let n_left = max_pieces.checked_sub(n_pieces);
        self.n_left = n_left.ok_or(ToolErrorKind::TooManyPieces { n_rows, n_pieces, max_pieces })?;
        Ok(())
    }
}

/// Rows that have to wait for others. If they refer to less than half of the memory of their batch, they are copied,
/// since a slice keeps all of that memory.
///
/// # Errors
/// If the rows are invalid.
pub(crate) fn waiting(rows: &RecordBatch) -> Result<RecordBatch, ToolErrorKind> {
    let failed = |error: DataError| ToolErrorKind::Values(error.into());
    let used = rows.with_used_items(Unused::Bounded).map_err(failed)?;
    match RowMemory::bytes_of_rows(&used) < RowMemory::bytes_of_rows(rows) / 2 {
        true => used.compact().map_err(failed),
        false => Ok(used),
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Int8Array, NullArray};

    use super::*;

    #[test]
    fn rows_with_bytes_can_always_be_cut_and_others_not_for_ever() {
        let batch = |column: ArrayData| RecordBatch::try_from_columns([("c", column)]).unwrap();
        let bytes = batch(Int8Array::from_iter(vec![7; 1_000_000]).into());
        let mut pieces = CutLimit::new();
        for _ in 0..100 {
            pieces.take(&bytes, 1_000_000, 1).unwrap();
        }
        let (nulls, mut pieces) = (batch(NullArray::new(1 << 40).into()), CutLimit::new());
        pieces.take(&nulls, 1 << 40, 1 << 25).unwrap();
        pieces.take(&nulls, 1 << 40, 1 << 25).unwrap();
        let error = pieces.take(&nulls, 1 << 40, 1 << 25).unwrap_err();
        let ToolErrorKind::TooManyPieces { n_rows, n_pieces, max_pieces } = error else {
            panic!("{error:?}")
        };
        assert_eq!((n_rows, n_pieces, max_pieces), (1 << 40, 1 << 15, 0));
    }
}
