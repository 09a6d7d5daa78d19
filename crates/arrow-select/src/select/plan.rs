//! The slots that a selection takes, in order: ranges of several arrays, or single slots of one.

use std::ops::Range;

use arrow_buffer::{Bitmap, BudgetError};
use arrow_data::{DataError, DataErrorKind as Kind};

use crate::error::SelectError;

/// The slots that a result consists of.
#[derive(Debug)]
pub(super) enum Picks {
    /// Ranges of slots of the sources.
    Ranges { pieces: Vec<SlotRange>, n_slots: usize },
    /// Single slots of the first source, all in bounds.
    Slots(Vec<u32>),
}

/// A range of consecutive slots of one source.
#[derive(Debug, Clone, Copy)]
pub(super) struct SlotRange {
    pub(super) source: usize,
    pub(super) start: usize,
    pub(super) n_slots: usize,
}

/// Sources with more slots than this are stored as ranges, since their slots do not fit 32 bits.
const MAX_LEN: usize = u32::MAX as usize;

impl SlotRange {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start.saturating_add(self.n_slots)
    }
}

impl Picks {
    /// The number of slots that the result has.
    pub(super) fn n_slots(&self) -> usize {
        match self {
            Picks::Ranges { n_slots, .. } => *n_slots,
            Picks::Slots(slots) => slots.len(),
        }
    }

    pub(super) fn none() -> Picks {
        Picks::Ranges { pieces: Vec::new(), n_slots: 0 }
    }

    /// A selection of all slots of sources with these lengths, one source after the other.
    pub(super) fn all(lengths: impl IntoIterator<Item = usize>) -> Result<Picks, SelectError> {
        let mut builder = PicksBuilder::default();
        for (source, n_slots) in lengths.into_iter().enumerate() {
            builder.push(source, 0..n_slots)?;
        }
        Ok(builder.finish())
    }

    /// Selects these slots from one source, which has `len` slots. All slots must be in bounds.
    pub(super) fn slots(
        slots: impl ExactSizeIterator<Item = usize>,
        len: usize,
    ) -> Result<Picks, SelectError> {
        let n_slots = slots.len();
        if len <= MAX_LEN {
            let mut picked = with_capacity(n_slots)?;
            picked.extend(slots.map(|slot| slot as u32));
            return Ok(Picks::Slots(picked));
        }
        let mut pieces = with_capacity(n_slots)?;
        pieces.extend(slots.map(|start| SlotRange { source: 0, start, n_slots: 1 }));
        Ok(Picks::Ranges { pieces, n_slots })
    }

    /// A selection of the slots whose bits are set.
    pub(super) fn set_bits(mask: &Bitmap) -> Picks {
        const SHORT_SLOTS: usize = 4;
        let n_slots = mask.count_set();
        let runs = mask.iter_set_runs();
        let pieces: Vec<SlotRange> =
            runs.map(|run| SlotRange { source: 0, start: run.start, n_slots: run.len() }).collect();
        if pieces.len() > 1 && pieces.len() > n_slots / SHORT_SLOTS && mask.len() <= MAX_LEN {
            return Picks::Slots(mask.iter_set().map(|slot| slot as u32).collect());
        }
        Picks::Ranges { pieces, n_slots }
    }

    /// Calls `visit` with ranges of slots; a single slot is a range of one.
    pub(super) fn for_each(
        &self,
        mut visit: impl FnMut(SlotRange) -> Result<(), SelectError>,
    ) -> Result<(), SelectError> {
        match self {
            Picks::Ranges { pieces, .. } => pieces.iter().try_for_each(|piece| visit(*piece)),
            Picks::Slots(slots) => slots
                .iter()
                .try_for_each(|slot| visit(SlotRange { source: 0, start: *slot as usize, n_slots: 1 })),
        }
    }

    /// Like [`for_each`](Picks::for_each), but also passes the source of each range to `visit`.
    pub(super) fn for_each_in<T>(
        &self,
        sources: &[T],
        mut visit: impl FnMut(&T, SlotRange) -> Result<(), SelectError>,
    ) -> Result<(), SelectError> {
        self.for_each(|piece| visit(source_of(sources, piece)?, piece))
    }

    /// The number of ranges; a single slot is a range of one.
    pub(super) fn n_pieces(&self) -> usize {
        match self {
            Picks::Ranges { pieces, n_slots: _ } => pieces.len(),
            Picks::Slots(slots) => slots.len(),
        }
    }

    /// The selected slots of a child that has `times` slots for each slot of its parent.
    pub(super) fn times(&self, times: usize) -> Result<Picks, SelectError> {
        let mut builder = PicksBuilder::try_with_capacity(self.n_pieces())?;
        self.for_each(|piece| {
            let start = piece.start.saturating_mul(times);
            Ok(builder.push(piece.source, start..start.saturating_add(scaled(piece.n_slots, times)?))?)
        })?;
        Ok(builder.finish())
    }
}

/// The source that slots are picked from.
pub(super) fn source_of<T>(sources: &[T], piece: SlotRange) -> Result<&T, SelectError> {
    sources
        .get(piece.source)
        .ok_or_else(|| SelectError::internal("slots were selected from an array that does not exist"))
}

/// The first source, from which single slots are picked.
pub(super) fn first_of<T>(sources: &[T]) -> Result<&T, SelectError> {
    sources.first().ok_or_else(|| SelectError::internal("slots were selected from no arrays"))
}

fn scaled(n_slots: usize, times: usize) -> Result<usize, SelectError> {
    n_slots.checked_mul(times).ok_or_else(|| Kind::SizeOverflow { n_slots: n_slots as u64 }.into())
}

/// An empty vector with capacity for `n` items.
///
/// # Errors
/// If the system refuses the memory.
pub(super) fn with_capacity<T>(n: usize) -> Result<Vec<T>, SelectError> {
    let mut list = Vec::new();
    let requested = n.saturating_mul(size_of::<T>()) as u64;
    let reserved = list.try_reserve_exact(n);
    reserved.map_err(|_| Kind::Memory(BudgetError::OutOfMemory { requested }))?;
    Ok(list)
}

/// Collects ranges, and joins consecutive ranges of the same source.
#[derive(Debug, Default)]
pub(super) struct PicksBuilder {
    pieces: Vec<SlotRange>,
    n_slots: usize,
}

impl PicksBuilder {
    pub(super) fn try_with_capacity(n_pieces: usize) -> Result<PicksBuilder, SelectError> {
        Ok(PicksBuilder { pieces: with_capacity(n_pieces)?, n_slots: 0 })
    }

    pub(super) fn n_slots(&self) -> usize {
        self.n_slots
    }

    #[inline]
    pub(super) fn push(&mut self, source: usize, slots: Range<usize>) -> Result<(), DataError> {
        let n_slots = slots.len();
        if n_slots == 0 {
            return Ok(());
        }
        // `ok_or` would make an error for each piece, and call a function to drop it.
        let Some(sum) = self.n_slots.checked_add(n_slots) else {
            return Err(Kind::SizeOverflow { n_slots: n_slots as u64 }.into());
        };
        self.n_slots = sum;
        match self.pieces.last_mut() {
            Some(last) if last.source == source && last.range().end == slots.start => last.n_slots += n_slots,
            Some(_) | None => self.pieces.push(SlotRange { source, start: slots.start, n_slots }),
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Picks {
        Picks::Ranges { pieces: self.pieces, n_slots: self.n_slots }
    }
}

mod sealed {
    pub trait Sealed {}
}

/// An integer type that can select a slot: `usize`, `u32`, `u64`, `i32` or `i64`. Other crates cannot implement this trait.
pub trait SlotIndex: sealed::Sealed + Copy {
    /// The index as a slot. `None` if negative, or greater than `usize::MAX`.
    fn to_slot(self) -> Option<usize>;

    /// The index itself, for error messages.
    fn to_number(self) -> i128;
}

macro_rules! slot_index {
    ($($number:ty),*) => {$(
        impl sealed::Sealed for $number {}
        impl SlotIndex for $number {
            #[inline]
            fn to_slot(self) -> Option<usize> {
                usize::try_from(self).ok()
            }

            fn to_number(self) -> i128 {
                self as i128
            }
        }
    )*};
}

slot_index!(usize, u32, u64, i32, i64);
