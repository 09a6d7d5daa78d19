//! Reads the rows of one batch in several steps, to save memory: all columns together, or groups of columns.

use std::{
    fs::File,
    iter::FusedIterator,
    ops::Range,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use arrow_data::RecordBatch;

use super::{
    batch::{ReadBatch, ReadRows, slice},
    provided_ranges::ProvidedRanges,
    reader::FileReader,
};
use crate::{
    batch::{Account, BoundedRows, Charges, ChildSlots, DecodedRows, MeasuredColumn, RowState, RowTally},
    compression::FrameRest,
    error::{IpcErrorKind, Result},
    source::Source,
};
use arrow_ipc_format::{BatchView, length_of, share_of};

/// An iterator over rows of one batch in parts; see [`FileReader::parts_of`].
#[derive(Debug)]
pub struct BatchParts<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    /// The columns to read, as indices among the columns that the reader has selected.
    columns: Range<usize>,
    /// The rows that have not been read.
    rows: Range<u64>,
    max_bytes: u64,
    left: RemainingRows,
    /// The state that [`read`](BatchParts::read) needs in its next call.
    state: RowState,
    /// The whole batch, if reading rows has decompressed too many bytes. Inner `None`: the batch could not be read.
    whole: Option<Option<RecordBatch>>,
}

#[derive(Debug)]
enum RemainingRows {
    /// All rows: no row has been read.
    All,
    Some(Box<RowSteps>),
    Nothing,
}

/// The state of reading rows in order.
#[derive(Debug)]
struct RowSteps {
    /// The number of rows of the batch.
    n_rows: u64,
    /// The number of rows to read in the next step.
    at_once: u64,
    slots: ChildSlots,
    state: RowState,
    /// The account of the batch, with the charges of all columns so far.
    account: Arc<Mutex<Account>>,
    /// The charges for the rows that have been read.
    charges: Charges,
    /// The length of the columns' buffers in the body.
    n_body_bytes: u64,
    /// The number of bytes that were read or decompressed, plus a constant for each attempt to read rows.
    n_work: u64,
}

/// The size of a batch and its columns, from its metadata.
struct MeasuredBatch {
    n_rows: u64,
    columns: Vec<MeasuredColumn>,
    /// The account of the batch before any bytes of the body are read.
    account: Account,
}

impl<S: Source> BatchParts<S> {
    pub(super) fn try_new(
        reader: &FileReader<S>,
        batch_idx: usize,
        rows: Range<u64>,
        max_bytes: u64,
    ) -> Result<BatchParts<S>> {
        reader.decoder().block(batch_idx)?;
        let columns = 0..reader.decoder().message_decoder.selection().roots().len();
        let reader = reader.clone();
        let left = RemainingRows::All;
        let state = RowState::default();
        Ok(BatchParts { reader, batch_idx, columns, rows, max_bytes, left, state, whole: None })
    }

    /// The number of rows that the iterator has not returned.
    pub fn n_rows_left(&self) -> u64 {
        length_of(&self.rows)
    }

    /// The columns to read, as indices among the columns that the reader has selected.
    pub fn columns(&self) -> Range<usize> {
        self.columns.clone()
    }

    /// Divides the columns into groups, and returns an iterator over the same rows for each group. A group has at least
    /// one column, and more columns while their estimated decompressed bytes fit one part. Several threads can read the
    /// groups.
    ///
    /// # Errors
    /// If the metadata of the batch cannot be read or is malformed, or the batch does not have all of these rows.
    pub fn by_columns(self) -> Result<Vec<BatchParts<S>>> {
        let measured = self.measure()?;
        let (mut ranges, mut n_together): (Vec<Range<usize>>, u64) = (Vec::new(), 0);
        for (column, size) in measured.columns.iter().enumerate() {
            n_together = n_together.saturating_add(size.n_likely_bytes);
            match ranges.last_mut() {
                Some(columns) if n_together <= self.max_bytes => columns.end = column + 1,
                Some(_) | None => {
                    ranges.push(column..column + 1);
                    n_together = size.n_likely_bytes;
                }
            }
        }
        if ranges.is_empty() {
            ranges.push(0..0);
        }
        let account = Arc::new(Mutex::new(measured.account.clone()));
        let parts = ranges.into_iter().map(|columns| {
            let decoder = self.reader.decoder();
            let decoder = decoder.with_message_decoder(decoder.message_decoder.part(columns.clone())?);
            let steps = self.steps(&measured, columns.clone(), Arc::clone(&account));
            let first = self.columns.start;
            Ok(BatchParts {
                reader: self.reader.with_decoder(decoder),
                columns: first + columns.start..first + columns.end,
                rows: self.rows.clone(),
                left: RemainingRows::Some(Box::new(steps)),
                state: RowState::default(),
                whole: None,
                ..self
            })
        });
        parts.collect()
    }

    /// Reads these rows, counted from the first row of the batch, instead of the next rows. If rows are read in order,
    /// each compressed buffer is decompressed only once, a part of it in each call. If rows are read in another order, or
    /// refer to bytes and items in another order, buffers are decompressed again, up to twice. After that, the whole
    /// batch is read, if possible, and stays in memory. Each call that reads all rows decompresses all buffers.
    ///
    /// # Errors
    /// The errors of [`FileReader::batch_rows`]. After an error, buffers are decompressed from their start again.
    pub fn read(&mut self, rows: Range<u64>) -> Result<RecordBatch> {
        const MOST_TIMES: u64 = 2;
        if self.whole.is_none()
            && self.state.n_decompressed() > self.state.n_bytes().saturating_mul(MOST_TIMES)
        {
            self.whole = Some(self.reader.batch(self.batch_idx).ok());
            self.state = RowState::default();
        }
        if let Some(Some(batch)) = &self.whole {
            return slice(batch, rows);
        }
        let state = std::mem::take(&mut self.state);
        let frame_rest = FrameRest::Needed;
        let (found, after) =
            self.run(|batch| ReadRows { state, frame_rest, ..ReadRows::alone(batch, rows) })?;
        self.state = after;
        // The next call may read any rows, so the counts are of no use.
        self.state.tally = RowTally::default();
        Ok(found.unbounded()?.batch)
    }

    fn run(&self, rows: impl FnOnce(ReadBatch) -> ReadRows) -> Result<(BoundedRows, RowState)> {
        let plan = ReadBatch::plan(self.reader.decoder(), self.batch_idx, |batch| {
            let mut rows = rows(batch);
            move |bytes: &mut ProvidedRanges| rows.with_state(bytes)
        });
        self.reader.run(plan?)
    }

    /// Calls `query` with the metadata of the batch.
    fn query<T>(
        &self,
        mut query: impl FnMut(&ReadBatch, &BatchView) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let decoder = self.reader.decoder();
        let plan = ReadBatch::plan(decoder, self.batch_idx, |batch| {
            move |bytes: &mut ProvidedRanges| {
                let message = batch.message(bytes);
                let found = message.and_then(|it| it.map(|message| query(&batch, &message)).transpose());
                batch.in_block(found)
            }
        });
        self.reader.run(plan?)
    }

    fn measure(&self) -> Result<MeasuredBatch> {
        let measured = self.query(|batch, message| {
            let message_decoder = &batch.decoder.message_decoder;
            let level = message_decoder.options().validation();
            let decoder = batch.batch_decoder(message)?;
            let sizes = message_decoder
                .selection()
                .roots()
                .iter()
                .map(|root| MeasuredColumn::try_new(&decoder, root, level));
            let columns = sizes.collect::<Result<_>>()?;
            Ok(MeasuredBatch { n_rows: message.n_rows(), columns, account: decoder.into_account() })
        })?;
        let (Range { start, end }, n_rows) = (self.rows.clone(), measured.n_rows);
        if start > end || end > n_rows {
            return Err(IpcErrorKind::NoSuchRows { start, end, n_rows }.into());
        }
        Ok(measured)
    }

    /// The initial state for reading some of the columns.
    fn steps(
        &self,
        measured: &MeasuredBatch,
        columns: Range<usize>,
        account: Arc<Mutex<Account>>,
    ) -> RowSteps {
        let n_rows = measured.n_rows;
        let slots = if self.rows == (0..n_rows) { ChildSlots::All } else { ChildSlots::OfRows };
        let sizes = measured.columns.get(columns).unwrap_or_default();
        let sum =
            |n_bytes: fn(&MeasuredColumn) -> u64| sizes.iter().map(n_bytes).fold(0, u64::saturating_add);
        let n_likely_bytes = sum(|size| size.n_likely_bytes);
        let is_checked = slots == ChildSlots::OfRows || sizes.iter().all(|size| size.is_checked_in_parts);
        let at_once = if n_likely_bytes <= self.max_bytes || !is_checked {
            n_rows
        } else {
            more_or_fewer(n_rows, n_likely_bytes, self.max_bytes)
        };
        let n_body_bytes = sum(|size| size.n_body_bytes);
        let state = RowState::default();
        let charges = Charges::default();
        RowSteps { n_rows, at_once, slots, state, account, charges, n_body_bytes, n_work: 0 }
    }

    fn next_part(&mut self) -> Result<Option<RecordBatch>> {
        let mut steps = match std::mem::replace(&mut self.left, RemainingRows::Nothing) {
            RemainingRows::Nothing => return Ok(None),
            RemainingRows::Some(steps) => steps,
            RemainingRows::All => {
                let measured = self.measure()?;
                let account = Arc::new(Mutex::new(measured.account.clone()));
                Box::new(self.steps(&measured, self.columns.clone(), account))
            }
        };
        if steps.n_rows == 0 {
            // Reads a batch without rows as a whole, to report its errors.
            return self.whole(&steps).map(Some);
        }
        if self.rows.is_empty() {
            return Ok(None);
        }
        let batch = self.next_rows(&mut steps)?;
        if !self.rows.is_empty() {
            self.left = RemainingRows::Some(steps);
            return Ok(Some(batch));
        }
        // After the last rows, all checks of a whole batch must have been made.
        let state = std::mem::take(&mut steps.state);
        let is_checked = steps.slots == ChildSlots::OfRows
            || self.query(move |batch, message| {
                let message_decoder = &batch.decoder.message_decoder;
                let level = message_decoder.options().validation();
                state.has_all(&batch.batch_decoder(message)?, message_decoder.selection(), level)
            })?;
        if is_checked {
            self.charge(&steps, steps.charges)?
        } else {
            drop(self.whole(&steps)?)
        }
        Ok(Some(batch))
    }

    /// Reads the next rows: at least one, and about as many as have `max_bytes` bytes. Reads all remaining rows if rows
    /// refer to scattered bytes, or if the bytes of the batch were read more than twice.
    fn next_rows(&mut self, steps: &mut RowSteps) -> Result<RecordBatch> {
        /// A part may have up to this number times `max_bytes`, since rows differ in length.
        const MAX_BYTES_FACTOR: u64 = 4;
        /// If more rows than this refer to scattered bytes, fewer rows are not tried.
        const FEW_ROWS: u64 = 64;
        while steps.n_work <= steps.most_work() {
            let n_rows = steps.at_once.min(length_of(&self.rows)).max(1);
            let max_bytes = (n_rows > 1).then(|| self.max_bytes.saturating_mul(MAX_BYTES_FACTOR));
            match self.take(steps, n_rows, max_bytes)? {
                BoundedRows::Read(taken) => {
                    steps.at_once = more_or_fewer(n_rows, taken.n_bytes, self.max_bytes);
                    return Ok(taken.batch);
                }
                BoundedRows::TooMany { is_scattered: true }
                    if n_rows > FEW_ROWS || steps.state.n_bytes() > 0 =>
                {
                    break;
                }
                BoundedRows::TooMany { .. } => steps.at_once = n_rows / 2,
            }
        }
        Ok(self.take(steps, length_of(&self.rows), None)?.unbounded()?.batch)
    }

    /// Reads the next `n_rows` rows if they need at most `max_bytes` bytes.
    fn take(&mut self, steps: &mut RowSteps, n_rows: u64, max_bytes: Option<u64>) -> Result<BoundedRows> {
        /// The cost of an attempt to read rows, in bytes, but at most an eighth of a part.
        const REQUEST_BYTES: u64 = 64 << 10;
        let end = self.rows.start + n_rows.min(length_of(&self.rows));
        let rows = self.rows.start..end;
        let slots = steps.slots;
        let before = steps.lock_account().clone();
        let state = std::mem::take(&mut steps.state);
        let n_decompressed = state.n_decompressed();
        let account = Some(before.clone());
        let frame_rest = FrameRest::Needed;
        let read = |batch| ReadRows { batch, rows, state, frame_rest, account, max_bytes, slots };
        let (found, state) = self.run(read)?;
        let mut n_taken = state.n_decompressed().saturating_sub(n_decompressed);
        steps.state = state;
        if let BoundedRows::Read(taken) = &found {
            n_taken = n_taken.max(taken.n_bytes);
            steps.charges = steps.charges.and_rows(taken.account.charges().since(before.charges()));
            self.rows.start = end;
        }
        let n_request_bytes = REQUEST_BYTES.min(self.max_bytes / 8);
        steps.n_work = steps.n_work.saturating_add(n_taken).saturating_add(n_request_bytes);
        Ok(found)
    }

    /// Reads all rows of the batch at once.
    fn whole(&self, steps: &RowSteps) -> Result<RecordBatch> {
        let rows = 0..steps.n_rows;
        let before = steps.lock_account().clone();
        let account = Some(before.clone());
        let (found, _) = self.run(|batch| ReadRows { account, ..ReadRows::alone(batch, rows) })?;
        let DecodedRows { batch, account, .. } = found.unbounded()?;
        self.charge(steps, account.charges().since(before.charges()))?;
        Ok(batch)
    }

    /// Charges these columns to the account of the batch.
    fn charge(&self, steps: &RowSteps, charges: Charges) -> Result<()> {
        let charged = steps.lock_account().charge(charges);
        ReadBatch::try_new(self.reader.decoder(), self.batch_idx)?.located(charged)
    }
}

impl<S: Source> Iterator for BatchParts<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        self.next_part().transpose()
    }
}

impl<S: Source> FusedIterator for BatchParts<S> {}

impl RowSteps {
    fn lock_account(&self) -> MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit for `n_work`. After that, all remaining rows are read at once. Each byte may be read twice, since rows
    /// that refer to the same bytes are mostly near each other.
    fn most_work(&self) -> u64 {
        const BASE_BYTES: u64 = 1 << 20;
        self.n_body_bytes.max(self.state.n_bytes()).saturating_mul(2).saturating_add(BASE_BYTES)
    }
}

/// The number of rows that probably have `max_bytes` bytes, if `n_rows` rows had `n_bytes` bytes. At most four times
/// `n_rows`.
fn more_or_fewer(n_rows: u64, n_bytes: u64, max_bytes: u64) -> u64 {
    const MOST_TIMES: u64 = 4;
    share_of(n_rows, max_bytes, n_bytes).clamp(1, n_rows.saturating_mul(MOST_TIMES).max(1))
}
