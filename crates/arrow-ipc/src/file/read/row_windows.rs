//! Rows of one batch, in several steps.

use std::{fs::File, iter::FusedIterator, ops::Range};

use arrow_data::RecordBatch;

use super::{
    batch::WindowOf,
    in_order::{FindColumns, FoundColumns, InOrder, OrderedRows, more_or_fewer},
    reader::FileReader,
};
use crate::{
    batch::{ChildSlots, CompressedBuffers, RowBounds, RowsFound},
    error::{IpcError, IpcErrorKind, Result},
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

impl<S: Source> FileReader<S> {
    /// Reads rows of one batch in several steps. Each step returns what [`batch_rows`](FileReader::batch_rows) does. If
    /// rows are read in order, each compressed buffer is decompressed only once, from step to step. So a large batch
    /// needs only the memory of a few rows. A compressed buffer also keeps the window of its codec, if that has at most 8
    /// MiB. The memory budget is charged for it. If rows are read in another order, or refer to bytes and items in
    /// another order, buffers are decompressed again, up to twice. After that, the batch is read whole, if possible, and
    /// stays in memory.
    ///
    /// With the last rows of the batch, each frame that was begun is decompressed to its end and checked: its checksums,
    /// its length, and that nothing follows it. Buffers that no row refers to are not read.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// let (mut rows, n_rows) = (file.rows_of(0)?, file.n_rows_of(0)?);
    /// for start in (0..n_rows).step_by(1_000) {
    ///     println!("{:?}", rows.read(start..n_rows.min(start + 1_000))?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such batch.
    pub fn rows_of(&self, batch_idx: usize) -> Result<BatchRows<S>> {
        self.decoder().block(batch_idx)?;
        Ok(BatchRows {
            reader: self.clone(),
            batch_idx,
            compressed: CompressedBuffers::default(),
            again: Again::Begin,
        })
    }

    /// Rows of one batch in windows. A window has about this many bytes, decompressed, and at most four times as many; it
    /// has at least one row.
    ///
    /// In views, list views, dense unions and runs, rows may share what they refer to, or refer to it in another order.
    /// Most writers keep the order of the rows. If another order would make windows read more than twice the bytes of the
    /// batch, the rest of the rows becomes one window, with all that it needs in memory.
    ///
    /// If the windows cover all rows of the batch and none is an error, [`batch`](FileReader::batch) returns no error
    /// either: the last window also checks what no row refers to.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// for rows in file.windows_of(0, 0..file.n_rows_of(0)?, 8 << 20)? {
    ///     println!("{:?}", rows?);
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such batch, or it does not have these rows. If its metadata cannot be read or is malformed; for a
    /// batch without rows, as [`batch`](FileReader::batch).
    pub fn windows_of(&self, batch_idx: usize, rows: Range<u64>, max_bytes: u64) -> Result<BatchWindows<S>> {
        let FoundColumns { n_rows, columns, .. } = self.run(FindColumns::plan(self.decoder(), batch_idx)?)?;
        if rows.start > rows.end || rows.end > n_rows {
            return Err(IpcErrorKind::NoSuchRows { start: rows.start, end: rows.end, n_rows }.into());
        }
        if n_rows == 0 {
            // There is no window that would be checked.
            self.batch(batch_idx)?;
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
        Ok(BatchWindows { reader: self.clone(), left: Some(Box::new(InOrder::new(order))) })
    }
}

impl<S: Source> BatchRows<S> {
    /// These rows, counted from the first row of the batch.
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
        match window.found {
            RowsFound::Read(taken) => Ok(taken.batch),
            RowsFound::TooMany { .. } => {
                Err(IpcError::internal("rows are refused that may take any number of bytes"))
            }
        }
    }
}

impl<S: Source> BatchWindows<S> {
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
