//! Reads rows of some columns of a batch in order, and about a given number of bytes at once.

use std::ops::Range;

use arrow_data::RecordBatch;

use super::{
    batch::{ReadBatch, WindowOf},
    decoder::FileDecoder,
    plan::{ReadPlan, Work},
    provided::Provided,
    reader::FileReader,
};
use crate::{
    alignment::{length_of, share_of},
    batch::{Account, Charges, ChildSlots, CompressedBuffers, RowBounds, RowTally, RowsFound},
    error::Result,
    message::OpenBatch,
    source::Source,
};

/// The rows that are still to be read, and the state that earlier rows have left.
#[derive(Debug)]
pub(super) struct InOrder {
    batch_idx: usize,
    rows: Range<u64>,
    at_once: u64,
    max_bytes: u64,
    slots: ChildSlots,
    /// The account of the batch before these rows, if there is one, and the charges for the rows so far.
    account: Option<Account>,
    charges: Charges,
    tally: RowTally,
    compressed: CompressedBuffers,
    /// The length of the columns in the body.
    n_body_bytes: u64,
    /// The bytes that were read or decompressed, and a constant for each time that rows were read or refused.
    n_work: u64,
    /// Whether all rows were read at once.
    is_at_once: bool,
}

/// Which rows are read in order, and how.
#[derive(Debug)]
pub(super) struct OrderedRows {
    pub(super) batch_idx: usize,
    pub(super) rows: Range<u64>,
    /// How many rows are tried first.
    pub(super) at_once: u64,
    /// About how many bytes are wanted at once; there may be a few times as many.
    pub(super) max_bytes: u64,
    pub(super) slots: ChildSlots,
    pub(super) account: Option<Account>,
    pub(super) n_body_bytes: u64,
}

impl InOrder {
    pub(super) fn new(order: OrderedRows) -> InOrder {
        let OrderedRows { batch_idx, rows, at_once, max_bytes, slots, account, n_body_bytes } = order;
        InOrder {
            batch_idx,
            rows,
            at_once,
            max_bytes,
            slots,
            account,
            charges: Charges::default(),
            tally: RowTally::default(),
            compressed: CompressedBuffers::default(),
            n_body_bytes,
            n_work: 0,
            is_at_once: false,
        }
    }

    pub(super) fn batch_idx(&self) -> usize {
        self.batch_idx
    }

    /// The rows that are still to be read.
    pub(super) fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// The charges for the rows so far.
    pub(super) fn charges(&self) -> Charges {
        self.charges
    }

    /// Whether the rows, which have all been read, are all rows of their columns. Then everything has been checked that
    /// reading them at once would check. If not all slots were wanted, only the wanted ones count.
    ///
    /// # Errors
    /// If the lists of the message are malformed.
    pub(super) fn are_all<S: Source>(self, reader: &FileReader<S>) -> Result<bool> {
        let InOrder { batch_idx, tally, compressed, .. } = self;
        if self.slots == ChildSlots::OfRows || self.is_at_once {
            return Ok(true);
        }
        let batch = ReadBatch::of(reader.decoder(), batch_idx)?;
        reader.run(reader.decoder().plan(CheckAll { batch, tally, compressed }))
    }

    /// The next rows: about as many as have the wanted bytes, and at least one. `None` if the rest should be read at
    /// once, because rows refer to scattered bytes or bytes were read more than twice.
    ///
    /// # Errors
    /// As [`FileReader::batch_rows`].
    pub(super) fn next<S: Source>(&mut self, reader: &FileReader<S>) -> Result<Option<RecordBatch>> {
        /// Rows of one buffer differ in length, so some windows may have this many times the bytes.
        const ROOM_TIMES: u64 = 4;
        /// If this many rows or fewer are scattered, fewer rows are tried.
        const FEW_ROWS: u64 = 64;
        while self.n_work <= self.most_work() {
            let n_rows = self.at_once.min(length_of(&self.rows)).max(1);
            let max_bytes = (n_rows > 1).then(|| self.max_bytes.saturating_mul(ROOM_TIMES));
            let end = self.rows.start.saturating_add(n_rows).min(self.rows.end);
            self.is_at_once = (self.rows.start..end) == (0..self.rows.end);
            match self.read(reader, self.rows.start..end, max_bytes)? {
                RowsFound::Read(taken) => {
                    self.rows.start = end;
                    self.at_once = more_or_fewer(n_rows, taken.n_bytes, self.max_bytes);
                    return Ok(Some(taken.batch));
                }
                RowsFound::TooMany { is_scattered: true }
                    if n_rows > FEW_ROWS || self.compressed.n_bytes() > 0 =>
                {
                    break;
                }
                RowsFound::TooMany { .. } => self.at_once = n_rows / 2,
            }
        }
        Ok(None)
    }

    /// Reads all remaining rows at once.
    ///
    /// # Errors
    /// As [`FileReader::batch_rows`].
    pub(super) fn rest<S: Source>(&mut self, reader: &FileReader<S>) -> Result<RecordBatch> {
        let rows = self.rows();
        self.rows.start = rows.end;
        self.is_at_once = rows.start == 0;
        Ok(self.read(reader, rows, None)?.unbounded()?.batch)
    }

    fn read<S: Source>(
        &mut self,
        reader: &FileReader<S>,
        rows: Range<u64>,
        max_bytes: Option<u64>,
    ) -> Result<RowsFound> {
        /// The cost of each request for rows, however few they are; at most an eighth of the wanted bytes.
        const ASKED_BYTES: u64 = 64 << 10;
        let n_asked = ASKED_BYTES.min(self.max_bytes / 8);
        let compressed = std::mem::take(&mut self.compressed);
        let n_made = compressed.n_made();
        let bounds = RowBounds { max_bytes, before: self.tally.clone(), slots: self.slots };
        let account = self.account.clone();
        let window = WindowOf { batch_idx: self.batch_idx, rows, compressed, account, bounds };
        let window = reader.run(window.plan(reader.decoder())?)?;
        self.compressed = window.compressed;
        let mut n_taken = self.compressed.n_made().saturating_sub(n_made);
        if let RowsFound::Read(taken) = &window.found {
            n_taken = n_taken.max(taken.n_bytes);
            self.tally = taken.tally.clone();
            let before = self.account.as_ref().map(Account::charges).unwrap_or_default();
            self.charges = self.charges.and_rows(taken.account.charges().since(before));
        }
        self.n_work = self.n_work.saturating_add(n_taken).saturating_add(n_asked);
        Ok(window.found)
    }

    /// Each byte may be read twice, since rows that refer to the same bytes are mostly near each other.
    fn most_work(&self) -> u64 {
        const BASE_BYTES: u64 = 1 << 20;
        self.n_body_bytes.max(self.compressed.n_bytes()).saturating_mul(2).saturating_add(BASE_BYTES)
    }
}

/// How many rows are read next, if this many rows had this many bytes.
pub(super) fn more_or_fewer(n_rows: u64, n_bytes: u64, max_bytes: u64) -> u64 {
    const MOST_TIMES: u64 = 4;
    share_of(n_rows, max_bytes, n_bytes).clamp(1, n_rows.saturating_mul(MOST_TIMES).max(1))
}

/// Measures the columns of a batch.
#[derive(Debug)]
pub(super) struct FindColumns {
    batch: ReadBatch,
}

/// The columns of a batch.
#[derive(Debug)]
pub(super) struct FoundColumns {
    pub(super) account: Account,
    pub(super) n_rows: u64,
    pub(super) columns: Vec<FoundColumn>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct FoundColumn {
    /// The decompressed length, or an upper bound of it.
    pub(super) n_likely_bytes: u64,
    pub(super) n_body_bytes: u64,
    /// Whether reading rows in several steps checks everything that reading them at once does.
    pub(super) is_checked_in_parts: bool,
}

impl FindColumns {
    /// Measures the selected columns of a batch.
    pub(super) fn plan(decoder: &FileDecoder, batch_idx: usize) -> Result<ReadPlan<FoundColumns>> {
        ReadBatch::plan(decoder, batch_idx, |batch| FindColumns { batch })
    }

    fn find(&self, message: &OpenBatch) -> Result<FoundColumns> {
        let session = &self.batch.decoder.session;
        let lists = message.lists(session.options().limits())?;
        let n_rows = lists.n_rows();
        let decoder = session.batch_decoder(lists)?;
        let level = session.options().validation().level();
        let columns = session.selection().roots().iter().map(|root| {
            Ok(FoundColumn {
                n_likely_bytes: decoder.n_likely_bytes(root)?,
                n_body_bytes: decoder.n_body_bytes(root)?,
                is_checked_in_parts: decoder.is_checked_in_parts(root, level),
            })
        });
        Ok(FoundColumns { columns: columns.collect::<Result<_>>()?, account: decoder.into_account(), n_rows })
    }
}

impl FoundColumns {
    /// The columns of each part. If its rows are read in several steps, also the number of rows in the first step.
    pub(super) fn parts(&self, max_bytes: u64) -> Vec<(Range<usize>, Option<u64>)> {
        let mut parts: Vec<(Range<usize>, Option<u64>)> = Vec::new();
        // Of the columns that are read together with the next one, if it is not large.
        let mut n_together = 0u64;
        for (column, found) in self.columns.iter().enumerate() {
            let n_bytes = found.n_likely_bytes;
            let at_once = (n_bytes > max_bytes && found.is_checked_in_parts)
                .then(|| more_or_fewer(self.n_rows, n_bytes, max_bytes));
            n_together = n_together.saturating_add(n_bytes);
            match parts.last_mut() {
                Some((columns, None)) if at_once.is_none() && n_together <= max_bytes => {
                    columns.end = column.saturating_add(1);
                }
                Some(_) | None => {
                    parts.push((column..column.saturating_add(1), at_once));
                    n_together = n_bytes;
                }
            }
        }
        if parts.is_empty() {
            parts.push((0..0, None));
        }
        parts
    }
}

impl Work<FoundColumns> for FindColumns {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<FoundColumns>> {
        let message = self.batch.message(bytes);
        self.batch
            .in_block(message.and_then(|message| message.map(|message| self.find(&message)).transpose()))
    }
}

/// Checks whether rows that were read in several steps were all rows of their columns.
#[derive(Debug)]
struct CheckAll {
    batch: ReadBatch,
    tally: RowTally,
    compressed: CompressedBuffers,
}

impl Work<bool> for CheckAll {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<bool>> {
        let session = &self.batch.decoder.session;
        let Some(message) = self.batch.message(bytes)? else { return Ok(None) };
        let decoder = self.batch.batch_decoder(&message)?;
        let level = session.options().validation().level();
        decoder.is_all(&self.tally, session.selection(), level, &self.compressed).map(Some)
    }
}
