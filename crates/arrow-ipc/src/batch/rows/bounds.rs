//! What rows may cost, what was read before them, and what of a child that no row refers to is read with them.

use arrow_data::RecordBatch;

use super::{RowsDecoder, Target, Waiting, Window, bytes::Place};
use crate::{
    batch::{account::Account, select::Selected, tally::Tally},
    compression::Then,
    error::Result,
};

/// What is asked of rows that are read some after others.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowBounds {
    /// They may take so many bytes of the body, decompressed.
    pub(crate) max_bytes: Option<u64>,
    /// What the rows before these have together.
    pub(crate) before: Tally,
    pub(crate) slots: Slots,
}

/// Which slots of children are read where rows may leave some out: items of list views, and what dense unions select.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Slots {
    /// From the first to the last that the rows refer to.
    #[default]
    OfRows,
    /// With those that come before them and were not read, so that all of them are once all rows are.
    All,
}

/// What became of rows.
pub(crate) enum RowsFound {
    Read(Box<TakenRows>),
    /// They need more bytes than they may take: none were taken but those that tell so. They are scattered if what they refer to is
    /// far apart, so that fewer rows would not need much less.
    TooMany {
        is_scattered: bool,
    },
}

/// Rows, and what they took.
pub(crate) struct TakenRows {
    pub(crate) batch: RecordBatch,
    /// What the batch has been charged.
    pub(crate) account: Account,
    /// What they and the rows before them have together.
    pub(crate) tally: Tally,
    /// The bytes of the body that they took, decompressed.
    pub(crate) n_bytes: u64,
}

/// How the rows that are decoded keep to their bounds.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) bounds: RowBounds,
    pub(super) n_bytes: u64,
    pub(super) is_refused: bool,
    is_scattered: bool,
}

impl Kept {
    pub(super) fn new(bounds: RowBounds) -> Kept {
        Kept { bounds, ..Kept::default() }
    }

    pub(super) fn refused(&self) -> Option<RowsFound> {
        self.is_refused.then_some(RowsFound::TooMany { is_scattered: self.is_scattered })
    }

    /// Counts bytes that are about to be taken. Whether they may be.
    pub(super) fn may_take(&mut self, n_bytes: u64) -> bool {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        self.is_refused |= self.bounds.max_bytes.is_some_and(|most| self.n_bytes > most);
        !self.is_refused
    }

    /// Notes that slots refer to so many bytes or slots together, and how many lie from the first of these to the last.
    pub(super) fn refer(&mut self, n_referred: u64, n_from_first_to_last: u64) {
        const FAR_TIMES: u64 = 4;
        const NEAR: u64 = 4096;
        let n_near = n_referred.saturating_mul(FAR_TIMES).saturating_add(NEAR);
        self.is_scattered |= n_from_first_to_last > n_near;
    }
}

impl RowsDecoder<'_, '_> {
    /// The slots of a child that are read where rows refer to these.
    pub(super) fn with_unreferred(
        &self,
        target: &Target<'_>,
        child: &Selected,
        referred: Window,
    ) -> Result<Window> {
        let RowBounds { slots, before, .. } = &self.kept.bounds;
        if *slots == Slots::OfRows {
            return Ok(referred);
        }
        let n_slots = self.node(child.position())?.n_slots();
        let start = before.end_of(child.position()).min(n_slots);
        let referred = if referred.is_empty() { start..start } else { referred };
        let end = if target.reaches_end() { n_slots } else { referred.end };
        Ok(referred.start.min(start)..end.max(start))
    }

    /// A data buffer that none of these rows refers to, and probably none after them: a frame that was begun is decompressed to its end,
    /// and nothing is kept of it. If all slots are read, that is also done with one that no row has referred to.
    pub(super) fn pass_by(&mut self, place: &Place) -> Waiting<()> {
        let Some(codec) = self.decoder.lists.compression().filter(|_| self.source.then != Then::End) else {
            return Ok(Some(()));
        };
        let is_last = self.source.then == Then::Finish && self.kept.bounds.slots == Slots::All;
        if self.decoder.lists.buffer(place.buffer_idx)?.n_bytes() == 0
            || !(is_last || self.source.compressed.is_kept(place.buffer_idx))
        {
            return Ok(Some(()));
        }
        let Some(end) = self.n_bytes(place)? else { return Ok(None) };
        if !self.source.compressed.is_unfinished(place.buffer_idx) {
            self.source.compressed.forget(place.buffer_idx);
            return Ok(Some(()));
        }
        let then = std::mem::replace(&mut self.source.then, Then::Finish);
        let finished = self.decompressed(codec, place, end..end);
        self.source.then = then;
        let Some(_) = finished? else { return Ok(None) };
        self.source.compressed.forget(place.buffer_idx);
        Ok(Some(()))
    }
}
