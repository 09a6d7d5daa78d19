//! Rows of one batch, in several steps.

use std::{fs::File, iter::FusedIterator, ops::Range};

use arrow_data::RecordBatch;

use super::{
    batch::WindowOf,
    in_order::{FindColumns, FoundColumns, InOrder, OrderedRows, more_or_fewer},
    reader::FileReader,
};
use crate::{
    batch::{ChildSlots, CompressedBuffers, RowBounds},
    error::{IpcErrorKind, Result},
    source::Source,
};

/// Rows of one batch, which can be read in several steps; see [`FileReader::rows_of`].
#[derive(Debug)]
pub struct BatchRows<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    /// How far its buffers have been decompressed.
    compressed: CompressedBuffers,
    again: Again,
}

/// What happens when buffers have to be decompressed again.
#[derive(Debug)]
enum Again {
    /// They are decompressed from their start.
    Begin,
    /// All rows were read at once, and are kept.
    Whole(RecordBatch),
    /// Reading all rows fails, but some can be read.
    Invalid,
}

/// Rows of one batch in windows; see [`FileReader::windows_of`].
#[derive(Debug)]
pub struct BatchWindows<S = File> {
    reader: FileReader<S>,
    left: Option<Box<InOrder>>,
}

impl<S: Source> BatchRows<S> {
    /// As [`FileReader::rows_of`].
    pub(super) fn try_new(reader: &FileReader<S>, batch_idx: usize) -> Result<BatchRows<S>> {
        reader.decoder().block(batch_idx)?;
        Ok(BatchRows {
            reader: reader.clone(),
            batch_idx,
            compressed: CompressedBuffers::default(),
            again: Again::Begin,
        })
    }

    /// Reads these rows, counted from the first row of the batch.
    ///
    /// # Errors
    /// As [`FileReader::batch_rows`]. After an error, buffers are decompressed again from their start.
    pub fn read(&mut self, rows: Range<u64>) -> Result<RecordBatch> {
        const MOST_TIMES: u64 = 2;
        let most_made = self.compressed.n_bytes().saturating_mul(MOST_TIMES);
        if matches!(self.again, Again::Begin) && self.compressed.n_made() > most_made {
            self.again = self.reader.batch(self.batch_idx).map_or(Again::Invalid, Again::Whole);
            self.compressed = CompressedBuffers::default();
        }
        if let Again::Whole(batch) = &self.again {
            return slice(batch, rows);
        }
        let compressed = std::mem::take(&mut self.compressed);
        let (account, bounds) = (None, RowBounds::default());
        let window = WindowOf { batch_idx: self.batch_idx, rows, compressed, account, bounds };
        let window = self.reader.run(window.plan(self.reader.decoder())?)?;
        self.compressed = window.compressed;
        Ok(window.found.unbounded()?.batch)
    }
}

impl<S: Source> BatchWindows<S> {
    /// As [`FileReader::windows_of`].
    pub(super) fn try_new(
        reader: &FileReader<S>,
        batch_idx: usize,
        rows: Range<u64>,
        max_bytes: u64,
    ) -> Result<BatchWindows<S>> {
        let FoundColumns { n_rows, columns, .. } =
            reader.run(FindColumns::plan(reader.decoder(), batch_idx)?)?;
        if rows.start > rows.end || rows.end > n_rows {
            return Err(IpcErrorKind::NoSuchRows { start: rows.start, end: rows.end, n_rows }.into());
        }
        if n_rows == 0 {
            // There is no window that would be checked.
            reader.batch(batch_idx)?;
        }
        let sum = |sum: (u64, u64), n: (u64, u64)| (sum.0.saturating_add(n.0), sum.1.saturating_add(n.1));
        let sizes = columns.iter().map(|column| (column.n_likely_bytes, column.n_body_bytes));
        let (n_likely_bytes, n_body_bytes) = sizes.fold((0, 0), sum);
        let slots = if rows == (0..n_rows) { ChildSlots::All } else { ChildSlots::OfRows };
        let is_checked =
            slots == ChildSlots::OfRows || columns.iter().all(|column| column.is_checked_in_parts);
        let at_once = match n_likely_bytes <= max_bytes || !is_checked {
            true => n_rows,
            false => more_or_fewer(n_rows, n_likely_bytes, max_bytes),
        };
        let account = None;
        let order = OrderedRows { batch_idx, rows, at_once, max_bytes, slots, account, n_body_bytes };
        Ok(BatchWindows { reader: reader.clone(), left: Some(Box::new(InOrder::new(order))) })
    }

    /// The number of rows that have not been read.
    pub fn n_rows_left(&self) -> u64 {
        self.left.as_ref().map_or(0, |left| left.rows().end.saturating_sub(left.rows().start))
    }
}

impl<S: Source> Iterator for BatchWindows<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        let left = self.left.take().filter(|left| !left.rows().is_empty())?;
        Some(self.rows(left))
    }
}

impl<S: Source> BatchWindows<S> {
    fn rows(&mut self, mut left: Box<InOrder>) -> Result<RecordBatch> {
        let rows = match left.next(&self.reader)? {
            Some(rows) => rows,
            None => left.rest(&self.reader)?,
        };
        if !left.rows().is_empty() {
            self.left = Some(left);
        } else {
            let batch_idx = left.batch_idx();
            if !left.are_all(&self.reader)? {
                self.reader.batch(batch_idx)?;
            }
        }
        Ok(rows)
    }
}

impl<S: Source> FusedIterator for BatchWindows<S> {}

fn slice(batch: &RecordBatch, rows: Range<u64>) -> Result<RecordBatch> {
    let (n_rows, Range { start, end }) = (batch.n_rows() as u64, rows);
    let found = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match found.filter(|_| start <= end && end <= n_rows) {
        Some((start, end)) => Ok(batch.slice(start, end.saturating_sub(start))),
        None => Err(IpcErrorKind::NoSuchRows { start, end, n_rows }.into()),
    }
}
