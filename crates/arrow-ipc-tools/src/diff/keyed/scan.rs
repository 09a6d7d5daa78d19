//! Reads rows of one input by their numbers, as often as needed.

use arrow_data::RecordBatch;
use arrow_select::concat_batches;

use crate::{
    diff::{
        reporter::ComparisonEnd,
        rows::{KeyNames, failed},
        side::SideRows,
    },
    error::ToolError,
    rows::{accumulator::WaitingRows, row_keys::KeyReader},
};

/// The number of a row of A, and of its row of B.
pub(super) type RowPair = [u64; 2];

/// Consecutive rows of one side.
pub(super) struct RowSpan {
    pub(super) start: u64,
    pub(super) rows: RecordBatch,
}

/// Reads rows by their numbers. To go back, it reads the input again.
pub(super) struct RowScan<'a> {
    side: &'a mut SideRows,
    /// The number of the first row in the current batch of `side`.
    start: u64,
}

/// The maximal number of rows that are read and dropped to reach a later row. To reach a row farther away, the scan
/// skips the batches between without reading them.
const FAR_ROWS: u64 = 1 << 16;

/// Small consecutive batches are joined until they have this many bytes.
const SMALL_BYTES: u64 = 4 << 20;

impl<'a> RowScan<'a> {
    /// Makes a scan of an input from which `n_read` rows have been read.
    pub(super) fn new(side: &'a mut SideRows, n_read: u64) -> RowScan<'a> {
        RowScan { side, start: n_read }
    }

    pub(super) fn side(&self) -> &SideRows {
        self.side
    }

    /// Moves to the batch that contains `row`, and returns its rows.
    ///
    /// # Errors
    /// If the input cannot be read, or does not have the row.
    pub(super) fn seek(&mut self, row: u64) -> Result<RowSpan, ToolError> {
        if row < self.start {
            self.start = self.side.restart(row)?;
        }
        loop {
            self.side.fill()?;
            let Some((rows, _)) = self.side.current() else {
                return Err(self.side.past_end(row, self.start));
            };
            let found = RowSpan { start: self.start, rows: rows.clone() };
            if row < found.end() {
                return Ok(found);
            }
            if self.side.can_skip() && row - found.end() > FAR_ROWS {
                self.start = self.side.restart(row)?;
                continue;
            }
            self.side.advance(found.rows.n_rows());
            self.start = found.end();
        }
    }

    /// The rows of A for the first pairs, and the number of these pairs. Reads at least one batch, and more until
    /// they have `max_bytes` bytes.
    ///
    /// # Errors
    /// The errors of [`seek`](RowScan::seek).
    pub(super) fn block(
        &mut self,
        pairs: &[RowPair],
        max_bytes: u64,
    ) -> Result<(Vec<RowSpan>, usize), ToolError> {
        let (mut block, mut n_bytes, mut n_pairs): (Vec<RowSpan>, u64, usize) = (Vec::new(), 0, 0);
        while let Some(next) = pairs.get(n_pairs) {
            let found = self.seek(next[0])?;
            n_pairs += pairs[n_pairs..].partition_point(|pair| pair[0] < found.end());
            n_bytes = n_bytes.saturating_add(WaitingRows::bytes_of_rows(&found.rows));
            block.push(found);
            if n_bytes >= max_bytes {
                break;
            }
        }
        Ok((joined(block), n_pairs))
    }

    /// The key of a row, as bytes. `side` must have been opened with only the columns of the key.
    ///
    /// # Errors
    /// The errors of [`seek`](RowScan::seek).
    pub(super) fn key(&mut self, row: u64) -> Result<Vec<u8>, ComparisonEnd> {
        let found = self.seek(row)?;
        let mut key = Vec::new();
        // The batch contains the row, so `at` is in bounds.
        let read =
            KeyReader::try_new(&found.rows).and_then(|mut reader| reader.read(found.at(row), &mut key));
        read.map_err(|error| failed(self.side, error))?;
        Ok(key)
    }

    /// The key of a row, as text. `side` must have been opened with only the columns of the key.
    ///
    /// # Errors
    /// The errors of [`seek`](RowScan::seek).
    pub(super) fn key_name(&mut self, row: u64) -> Result<String, ComparisonEnd> {
        let found = self.seek(row)?;
        let names = KeyNames::from_columns(self.side, &found.rows);
        names.at(found.at(row)).map_err(|error| failed(self.side, error))
    }
}

impl RowSpan {
    /// The number of the first row after these rows.
    pub(super) fn end(&self) -> u64 {
        self.start.saturating_add(self.rows.n_rows() as u64)
    }

    /// The slot of row number `row` in `rows`, which must contain the row.
    pub(super) fn at(&self, row: u64) -> usize {
        (row - self.start) as usize
    }
}

/// Joins small batches of consecutive rows.
fn joined(block: Vec<RowSpan>) -> Vec<RowSpan> {
    let mut joined = Vec::new();
    let mut group = Vec::<RowSpan>::new();
    let mut n_bytes = 0_u64;
    for next in block {
        if n_bytes >= SMALL_BYTES || group.last().is_none_or(|last| last.end() != next.start) {
            join(&mut group, &mut joined);
            n_bytes = 0;
        }
        n_bytes = n_bytes.saturating_add(WaitingRows::bytes_of_rows(&next.rows));
        group.push(next);
    }
    join(&mut group, &mut joined);
    joined
}

fn join(group: &mut Vec<RowSpan>, joined: &mut Vec<RowSpan>) {
    if let [first, _, ..] = &group[..] {
        let batches: Vec<RecordBatch> = group.iter().map(|part| part.rows.clone()).collect();
        if let Ok(rows) = concat_batches(first.rows.schema().clone(), &batches) {
            let start = first.start;
            joined.push(RowSpan { start, rows });
            group.clear();
        }
    }
    joined.append(group);
}
