//! Reads one batch in parts, to save memory: some columns after others, and rows of large columns in several steps.

use std::{
    fs::File,
    iter::FusedIterator,
    ops::Range,
    sync::{Arc, Mutex, PoisonError},
};

use arrow_data::RecordBatch;

use super::{
    batch::{ReadBatch, WindowOf},
    in_order::{FindColumns, InOrder, OrderedRows},
    reader::FileReader,
};
use crate::{
    batch::{Account, Charges, ChildSlots, CompressedBuffers, RowBounds},
    error::Result,
    source::Source,
};

/// Some columns of a batch, whose rows are read at once or in several steps; see [`FileReader::parts_of`].
#[derive(Debug)]
pub struct BatchPart<S = File> {
    reader: FileReader<S>,
    batch_idx: usize,
    columns: Range<usize>,
    n_rows: u64,
    /// What the batch has been charged for all parts so far.
    account: Arc<Mutex<Account>>,
    left: Left,
}

#[derive(Debug)]
enum Left {
    Whole,
    Rows(Box<InOrder>),
    Nothing,
}

impl<S: Source> BatchPart<S> {
    /// As [`FileReader::parts_of`].
    pub(super) fn all_of(
        reader: &FileReader<S>,
        batch_idx: usize,
        max_bytes: u64,
    ) -> Result<Vec<BatchPart<S>>> {
        let found = reader.run(FindColumns::plan(reader.decoder(), batch_idx)?)?;
        let (n_rows, found_account) = (found.n_rows, &found.account);
        let account = Arc::new(Mutex::new(found_account.clone()));
        let parts = found.parts(max_bytes).into_iter().map(|(columns, at_once)| {
            let decoder = reader.decoder().with_session(reader.decoder().session.part(columns.clone())?);
            let left = match at_once.filter(|at_once| *at_once < n_rows) {
                None => Left::Whole,
                Some(at_once) => {
                    let found = found.columns.get(columns.start);
                    let order = OrderedRows {
                        batch_idx,
                        rows: 0..n_rows,
                        at_once,
                        max_bytes,
                        slots: ChildSlots::All,
                        account: Some(found_account.clone()),
                        n_body_bytes: found.map_or(0, |column| column.n_body_bytes),
                    };
                    Left::Rows(Box::new(InOrder::new(order)))
                }
            };
            let (reader, account) = (reader.with_decoder(decoder), Arc::clone(&account));
            Ok(BatchPart { reader, batch_idx, columns, n_rows, account, left })
        });
        parts.collect()
    }

    /// The positions of its columns among the selected ones.
    pub fn columns(&self) -> Range<usize> {
        self.columns.clone()
    }

    /// The number of rows of the batch.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    fn lock_account(&self) -> std::sync::MutexGuard<'_, Account> {
        self.account.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn whole(&self) -> Result<RecordBatch> {
        let before = self.lock_account().clone();
        let (batch_idx, rows, account) = (self.batch_idx, 0..self.n_rows, Some(before.clone()));
        let (compressed, bounds) = (CompressedBuffers::default(), RowBounds::default());
        let window = WindowOf { batch_idx, rows, compressed, account, bounds };
        let taken = self.reader.run(window.plan(self.reader.decoder())?)?.found.unbounded()?;
        self.charge(taken.account.charges().since(before.charges()))?;
        Ok(taken.batch)
    }

    fn charge(&self, charges: Charges) -> Result<()> {
        let charged = self.lock_account().charge(charges);
        ReadBatch::of(self.reader.decoder(), self.batch_idx)?.located(charged)
    }

    /// The next rows, and the state after them.
    fn rows(&self, mut in_order: Box<InOrder>) -> Result<(RecordBatch, Left)> {
        let start = in_order.rows().start;
        let Some(batch) = in_order.next(&self.reader)? else {
            drop(in_order);
            let whole = self.whole()?;
            let start = usize::try_from(start).unwrap_or(usize::MAX).min(whole.n_rows());
            return Ok((whole.slice(start, whole.n_rows().saturating_sub(start)), Left::Nothing));
        };
        if !in_order.rows().is_empty() {
            return Ok((batch, Left::Rows(in_order)));
        }
        self.charge(in_order.charges())?;
        if !in_order.are_all(&self.reader)? {
            self.whole()?;
        }
        Ok((batch, Left::Nothing))
    }
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
