//! How much memory rows may take, and which unused items of a child are read with them.

use arrow_data::RecordBatch;

use super::{RowsDecoder, Waiting, WalkColumn, WantedBuffer, Window};
use crate::{
    batch::{account::Account, select::SelectedColumn},
    compression::Then,
    error::{IpcError, Result},
};

/// Which slots of children are read if rows leave some out. This concerns items of list views, and children of dense
/// unions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ChildSlots {
    /// From the first slot to the last that the rows refer to.
    #[default]
    OfRows,
    /// Also earlier slots that were not read, so that all slots have been read after all rows.
    All,
}

/// The result of reading rows.
pub(crate) enum RowsFound {
    Read(Box<TakenRows>),
    /// They need more bytes than they may take. Only bytes that tell this were taken. `is_scattered`: the rows refer
    /// to bytes so far apart that fewer rows would not need much less.
    TooMany {
        is_scattered: bool,
    },
}

impl RowsFound {
    /// The rows, which had no bound.
    ///
    /// # Errors
    /// If they were refused, it is an internal error.
    pub(crate) fn unbounded(self) -> Result<TakenRows> {
        match self {
            RowsFound::Read(taken) => Ok(*taken),
            RowsFound::TooMany { .. } => {
                Err(IpcError::internal("rows are refused that may take any number of bytes"))
            }
        }
    }
}

/// Rows, and what reading them took.
pub(crate) struct TakenRows {
    pub(crate) batch: RecordBatch,
    /// What the batch has been charged.
    pub(crate) account: Account,
    /// The bytes of the body that they took, decompressed.
    pub(crate) n_bytes: u64,
}

impl RowsDecoder<'_, '_> {
    /// Counts bytes before they are taken, and returns whether they may be taken.
    pub(super) fn may_take(&mut self, n_bytes: u64) -> bool {
        self.n_bytes = self.n_bytes.saturating_add(n_bytes);
        self.is_refused |= self.source.max_bytes.is_some_and(|most| self.n_bytes > most);
        !self.is_refused
    }

    /// Notes how many bytes or slots rows refer to, and how many lie from the first of these to the last.
    pub(super) fn refer(&mut self, n_referred: u64, n_from_first_to_last: u64) {
        const FAR_TIMES: u64 = 4;
        const NEAR: u64 = 4096;
        let n_near = n_referred.saturating_mul(FAR_TIMES).saturating_add(NEAR);
        self.is_scattered |= n_from_first_to_last > n_near;
    }

    /// The slots of a child that are read if rows refer to these.
    pub(super) fn with_unreferred(
        &self,
        target: &WalkColumn<'_>,
        child: &SelectedColumn,
        referred: Window,
    ) -> Result<Window> {
        if self.source.slots == ChildSlots::OfRows {
            return Ok(referred);
        }
        let n_slots = self.node(child.position())?.n_slots();
        let start = self.source.state.tally.end_of(child.position()).min(n_slots);
        let referred = if referred.is_empty() { start..start } else { referred };
        let end = if target.reaches_end() { n_slots } else { referred.end };
        Ok(referred.start.min(start)..end.max(start))
    }

    /// Skips a data buffer that these rows do not refer to, nor probably any later ones. A frame that was begun is
    /// decompressed to its end, and nothing is kept of it. If all slots are read, a buffer that no row has referred to is
    /// decompressed in the same way.
    pub(super) fn pass_by(&mut self, place: &WantedBuffer) -> Waiting<()> {
        let Some(codec) = self.decoder.lists.compression().filter(|_| self.source.then != Then::End) else {
            return Ok(Some(()));
        };
        let is_last = self.source.then == Then::Finish && self.source.slots == ChildSlots::All;
        if self.decoder.lists.buffer(place.buffer.idx)?.n_bytes() == 0
            || !(is_last || self.source.state.is_kept(place.buffer.idx))
        {
            return Ok(Some(()));
        }
        let Some(end) = self.n_bytes(place)? else { return Ok(None) };
        if !self.source.state.is_unfinished(place.buffer.idx) {
            self.source.state.forget(place.buffer.idx);
            return Ok(Some(()));
        }
        let then = std::mem::replace(&mut self.source.then, Then::Finish);
        let finished = self.decompressed(codec, place, end..end);
        self.source.then = then;
        let Some(_) = finished? else { return Ok(None) };
        self.source.state.forget(place.buffer.idx);
        Ok(Some(()))
    }
}
