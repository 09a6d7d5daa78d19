//! One batch in parts, so that no more is in memory: some columns after others, and of a large one some rows after others.

use std::{
    fs::File,
    iter::FusedIterator,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::RecordBatch;

use super::{
    batch::ReadBatch,
    decoder::FileDecoder,
    plan::{ReadPlan, Work},
    provided::Provided,
    reader::FileReader,
    row_windows::Window,
};
use crate::{
    batch::{Account, Charges, CompressedBuffers, Tally},
    error::{BlockIndex, Context, Result},
    message::BatchMessage,
    source::Source,
};

/// Some columns of a batch, all rows at once or some after others; see [`FileReader::parts_of`].
#[derive(Debug)]
pub struct BatchPart<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    columns: Range<usize>,
    n_rows: u64,
    max_bytes: u64,
    /// What the batch has been charged for all parts.
    account: Arc<Mutex<Account>>,
    left: Left,
}

#[derive(Debug)]
enum Left {
    Whole,
    Rows(Box<Begun>),
    Nothing,
}

/// Rows from one on, so many at once, and what was found before them.
#[derive(Debug)]
struct Begun {
    start: u64,
    at_once: u64,
    compressed: CompressedBuffers,
    /// What the batch had been charged before, and what it has been charged for the preceding rows.
    account: Account,
    charges: Charges,
    tally: Tally,
}

impl<S: Source> FileReader<S> {
    /// One batch in parts, each with the selected columns that come next: as many as have so many bytes together when they are
    /// decompressed, and at least one. A part is an iterator of its rows. Those of a column that has more bytes, and whose rows have their own items and
    /// bytes, are read some after others, about so many bytes at once; all others are one batch. Their bytes are fetched when they
    /// are taken. Several threads may read parts.
    ///
    /// All parts together are held to the limits of one batch, and if none of them has an error, [`batch`](FileReader::batch) has
    /// none. If the batch is invalid, the error is that of the first part with one, which need not be the one that
    /// [`batch`](FileReader::batch) gives.
    ///
    /// ```no_run
    /// use arrow_ipc::FileReader;
    ///
    /// let file = FileReader::open("large.arrow")?;
    /// for part in file.parts_of(0, 8 << 20)? {
    ///     for rows in part {
    ///         println!("{:?}", rows?);
    ///     }
    /// }
    /// # Ok::<(), arrow_ipc::IpcError>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such batch, or its metadata cannot be read or is malformed.
    pub fn parts_of(&self, batch_idx: usize, max_bytes: u64) -> Result<Vec<BatchPart<S>>> {
        let Found { account, n_rows, parts } = self.run(self.decoder().parts(batch_idx, max_bytes)?)?;
        let account = Arc::new(Mutex::new(account));
        let parts = parts.into_iter().map(|(columns, at_once)| {
            let decoder = self.decoder().part(columns.clone())?;
            let left = match at_once.filter(|at_once| *at_once < n_rows) {
                None => Left::Whole,
                Some(at_once) => Left::Rows(Box::new(Begun::new(at_once, &account))),
            };
            let (reader, account) = (self.with_decoder(decoder), Arc::clone(&account));
            Ok(BatchPart { reader, batch_idx, columns, n_rows, max_bytes, account, left })
        });
        parts.collect()
    }
}

impl Begun {
    fn new(at_once: u64, account: &Mutex<Account>) -> Begun {
        Begun {
            start: 0,
            at_once,
            compressed: CompressedBuffers::new(),
            account: account.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            charges: Charges::default(),
            tally: Tally::default(),
        }
    }
}

impl<S: Source> BatchPart<S> {
    /// Which of the selected columns it has.
    pub fn columns(&self) -> Range<usize> {
        self.columns.clone()
    }

    /// How many rows it has, which are those of the batch.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn lock_account(&self) -> std::sync::MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn whole(&self) -> Result<RecordBatch> {
        let before = self.lock_account().clone();
        let rows = (self.batch_idx, 0..self.n_rows);
        let plan = self.reader.decoder().window(rows, CompressedBuffers::new(), Some(before.clone()))?;
        let Window { batch, account, .. } = self.reader.run(plan)?;
        self.charge(account.charges().since(before.charges()))?;
        Ok(batch)
    }

    fn charge(&self, charges: Charges) -> Result<()> {
        let Some(block) = self.reader.footer().batch(self.batch_idx) else { return Ok(()) };
        let charged = self.lock_account().charge(charges);
        let charged = charged.in_block(BlockIndex::RecordBatch(self.batch_idx), block.position());
        self.reader.decoder().file.located(charged)
    }

    /// The next rows, and what is left then.
    fn rows(&self, mut begun: Box<Begun>) -> Result<(RecordBatch, Left)> {
        let rows = begun.start..begun.start.saturating_add(begun.at_once).min(self.n_rows);
        let compressed = std::mem::take(&mut begun.compressed);
        let decoder = self.reader.decoder();
        let plan = decoder.window((self.batch_idx, rows.clone()), compressed, Some(begun.account.clone()))?;
        let Window { batch, compressed, account } = self.reader.run(plan)?;
        begun.charges = begun.charges.and_rows(account.charges().since(begun.account.charges()));
        let n_bytes = begun.tally.add(&batch);
        if rows.end < self.n_rows {
            begun.at_once = more_or_fewer(rows.end.saturating_sub(rows.start), n_bytes, self.max_bytes);
            (begun.start, begun.compressed) = (rows.end, compressed);
            return Ok((batch, Left::Rows(begun)));
        }
        self.charge(begun.charges)?;
        let all = CheckAll { batch: decoder.batch_to_read(self.batch_idx)?, tally: begun.tally, compressed };
        let plan = ReadPlan::of_file(decoder, all);
        if !self.reader.run(plan)? {
            self.whole()?;
        }
        Ok((batch, Left::Nothing))
    }
}

/// How many rows are read next, after so many rows with so many bytes.
fn more_or_fewer(n_rows: u64, n_bytes: u64, max_bytes: u64) -> u64 {
    const MOST_TIMES: u64 = 4;
    let fitting = u128::from(n_rows) * u128::from(max_bytes) / u128::from(n_bytes.max(1));
    u64::try_from(fitting).unwrap_or(u64::MAX).clamp(1, n_rows.saturating_mul(MOST_TIMES).max(1))
}

impl<S: Source> Iterator for BatchPart<S> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        match std::mem::replace(&mut self.left, Left::Nothing) {
            Left::Nothing => None,
            Left::Whole => Some(self.whole()),
            Left::Rows(begun) => Some(self.rows(begun).map(|(batch, left)| {
                self.left = left;
                batch
            })),
        }
    }
}

impl<S: Source> FusedIterator for BatchPart<S> {}

impl FileDecoder {
    fn parts(&self, batch_idx: usize, max_bytes: u64) -> Result<ReadPlan<Found>> {
        let batch = self.batch_to_read(batch_idx)?;
        let position = batch.block.position();
        let plan = ReadPlan::of_file(self, FindParts { batch, max_bytes });
        Ok(plan.about(BlockIndex::RecordBatch(batch_idx), position))
    }

    fn batch_to_read(&self, batch_idx: usize) -> Result<ReadBatch> {
        Ok(ReadBatch { decoder: self.clone(), batch_idx, block: self.block(batch_idx)? })
    }

    /// The same with some of the selected columns.
    fn part(&self, columns: Range<usize>) -> Result<FileDecoder> {
        Ok(FileDecoder { file: self.file.clone(), session: self.session.part(columns)? })
    }
}

/// Finds out which columns are read together, and how many rows of them.
#[derive(Debug)]
struct FindParts {
    batch: ReadBatch,
    max_bytes: u64,
}

/// Of each part its columns, and how many rows of it are read at first, if not all.
#[derive(Debug)]
struct Found {
    account: Account,
    n_rows: u64,
    parts: Vec<(Range<usize>, Option<u64>)>,
}

impl FindParts {
    fn find(&self, message: &BatchMessage) -> Result<Found> {
        let session = &self.batch.decoder.session;
        let lists = message.lists(session.options().limits())?;
        let n_rows = lists.n_rows();
        let decoder = session.batch_decoder(lists)?;
        let mut parts: Vec<(Range<usize>, Option<u64>)> = Vec::new();
        // Of the columns that are read together with the next one, if it is not large.
        let mut n_together = 0u64;
        for (column, root) in session.selection().roots().iter().enumerate() {
            let n_bytes = decoder.n_likely_bytes(root)?;
            let at_once = (n_bytes > self.max_bytes && decoder.has_own_items(root))
                .then(|| more_or_fewer(n_rows, n_bytes, self.max_bytes));
            n_together = n_together.saturating_add(n_bytes);
            match parts.last_mut() {
                Some((columns, None)) if at_once.is_none() && n_together <= self.max_bytes => {
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
        Ok(Found { account: decoder.into_account(), n_rows, parts })
    }
}

impl Work<Found> for FindParts {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<Found>> {
        let ReadBatch { batch_idx, block, .. } = &self.batch;
        let found = self
            .batch
            .message(bytes)
            .and_then(|message| message.map(|message| self.find(&message)).transpose());
        found.in_block(BlockIndex::RecordBatch(*batch_idx), block.position())
    }
}

/// Whether rows that were read some after others were all of their columns.
#[derive(Debug)]
struct CheckAll {
    batch: ReadBatch,
    tally: Tally,
    compressed: CompressedBuffers,
}

impl Work<bool> for CheckAll {
    fn advance(&mut self, bytes: &mut Provided) -> Result<Option<bool>> {
        let session = &self.batch.decoder.session;
        let Some(message) = self.batch.message(bytes)? else { return Ok(None) };
        let decoder = session.batch_decoder(message.lists(session.options().limits())?)?;
        let selected = (session.selection(), session.options().validation().level());
        decoder.is_all(&self.tally, selected, &self.compressed).map(Some)
    }
}
