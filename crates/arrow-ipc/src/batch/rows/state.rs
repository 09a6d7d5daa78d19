//! The state of reading rows of one batch, from one step to the next.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
};

use arrow_buffer::{Buffer, BufferMut};
use arrow_data::{ArrayData, Validation};

use crate::{
    batch::{
        decode::{BatchDecoder, EntryBuffer},
        select::ProjectedSchema,
    },
    compression::{DeclaredLength, FrameDecoder},
    error::Result,
};

/// The state between two steps: the decompressed buffers, the number of passed run ends, and the counts.
#[derive(Debug, Default)]
pub(crate) struct RowState {
    /// The buffers of a compressed body whose decompressed length has been read, by their positions in the list of
    /// buffers.
    pub(super) found: HashMap<usize, PartialBuffer>,
    /// The number of decompressed bytes, including bytes that were dropped.
    n_decompressed: u64,
    /// For each column of run ends, by its position: a slot, and the number of runs that end before or at this slot.
    runs: HashMap<usize, (u64, u64)>,
    /// The counts of the rows that have been read.
    pub(crate) tally: RowTally,
}

/// A buffer of a compressed body whose decompressed length has been read.
#[derive(Debug)]
pub(crate) struct PartialBuffer {
    pub(super) length: DeclaredLength,
    /// The number of decompressed bytes that no slot needs.
    pub(super) n_unneeded: u64,
    pub(super) content: FrameContent,
    /// The end of the range that the last step requested.
    pub(super) given_end: u64,
    /// Whether slots may share bytes, so that the next step may request the same bytes again.
    pub(super) is_shared: bool,
}

/// The decompressed bytes of a frame that are in memory.
#[derive(Debug)]
pub(super) enum FrameContent {
    Nothing,
    /// A range of the decompressed bytes, the bytes of this range, and the state to continue from. There is no state
    /// after the end of the frame.
    Some(Range<u64>, Buffer, Option<Box<FrameDecoder>>),
    /// The state while bytes of the requested range are missing.
    Started(Box<PartialFrame>),
}

#[derive(Debug)]
pub(super) struct PartialFrame {
    pub(super) frame_decoder: Box<FrameDecoder>,
    pub(super) needed: Range<u64>,
    pub(super) decompressed: BufferMut,
    /// The value of `n_decompressed` when these bytes were requested.
    pub(super) n_decompressed_before: u64,
    /// The next compressed bytes to read, as a range of the body.
    pub(super) next: Range<u64>,
}

impl RowState {
    pub(crate) fn n_decompressed(&self) -> u64 {
        self.n_decompressed
    }

    pub(super) fn count_decompressed(&mut self, n_bytes: u64) {
        self.n_decompressed = self.n_decompressed.saturating_add(n_bytes);
    }

    /// The sum of the decompressed lengths that have been read.
    pub(crate) fn n_bytes(&self) -> u64 {
        self.found.values().fold(0, |sum, buffer| sum.saturating_add(buffer.n_bytes()))
    }

    /// Whether decompression of a buffer has started, or the buffer is stored uncompressed. Always `false` for an empty
    /// buffer.
    pub(crate) fn is_started(&self, buffer_idx: usize) -> bool {
        self.found.get(&buffer_idx).is_some_and(PartialBuffer::is_started)
    }

    /// The last known run that is at or before the run with `slot`.
    pub(super) fn run_before(&self, position: usize, slot: u64) -> u64 {
        let known = self.runs.get(&position).filter(|(known, _)| *known <= slot);
        known.map_or(0, |(_, run)| *run)
    }

    /// Stores a slot, and the number of runs that end before or at this slot.
    pub(super) fn skip_runs(&mut self, position: usize, passed: (u64, u64)) {
        self.runs.insert(position, passed);
    }

    /// Drops the bytes of the previous rows, except bytes that the next rows may need.
    pub(crate) fn drop_windows(&mut self) {
        self.found.values_mut().for_each(PartialBuffer::drop_window);
    }

    /// Whether decompressed bytes of a buffer, or the state of its decompression, are in memory.
    pub(super) fn is_in_memory(&self, buffer_idx: usize) -> bool {
        self.found.get(&buffer_idx).is_some_and(|buffer| match &buffer.content {
            FrameContent::Some(window, ..) => !window.is_empty() || buffer.content.continues(),
            FrameContent::Started(_) => true,
            FrameContent::Nothing => false,
        })
    }

    /// Whether a frame has bytes that were not decompressed.
    pub(super) fn is_unfinished(&self, buffer_idx: usize) -> bool {
        let found = self.found.get(&buffer_idx);
        found.is_some_and(|buffer| !buffer.is_started() || buffer.content.continues())
    }

    /// Whether decompression of a frame has started, but not finished.
    pub(super) fn continues(&self, buffer_idx: usize) -> bool {
        self.found.get(&buffer_idx).is_some_and(|buffer| buffer.content.continues())
    }

    /// Drops the decompressed bytes of a buffer whose decompression has started.
    pub(super) fn forget(&mut self, buffer_idx: usize) {
        if let Some(buffer) = self.found.get_mut(&buffer_idx).filter(|buffer| buffer.is_started()) {
            buffer.content = FrameContent::Some(0..0, Buffer::new(), None);
        }
    }

    /// Whether the steps have checked as much as one step for the selected columns: each slot of each column and child,
    /// the number of nulls, and each compressed buffer.
    ///
    /// # Errors
    /// If the lists of the header are invalid.
    pub(crate) fn has_all(
        &self,
        decoder: &BatchDecoder<'_>,
        selection: &ProjectedSchema,
        level: Validation,
    ) -> Result<bool> {
        if self.tally.is_of_all {
            return Ok(true);
        }
        for columns in selection.ranges(decoder.columns) {
            for entry in decoder.entries(columns)? {
                let entry = entry?;
                let counted = self.tally.columns.get(&entry.position).copied().unwrap_or_default();
                let declared = if level >= Validation::Content { entry.node.null_count() } else { None };
                let is_other = declared.is_some_and(|null_count| null_count != counted.null_count);
                if counted.has_gap || counted.end != entry.node.n_slots() || is_other {
                    return Ok(false);
                }
                if decoder.message.compression().is_none() {
                    continue;
                }
                for EntryBuffer { idx, .. } in entry.buffers(decoder.extra) {
                    if !self.is_started(idx) && decoder.message.buffer(idx)?.n_bytes() > 0 {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }
}

impl PartialBuffer {
    pub(super) fn new(length: DeclaredLength) -> PartialBuffer {
        PartialBuffer {
            length,
            n_unneeded: 0,
            content: FrameContent::Nothing,
            given_end: 0,
            is_shared: false,
        }
    }

    pub(super) fn n_bytes(&self) -> u64 {
        self.length.n_bytes()
    }

    fn is_started(&self) -> bool {
        matches!(self.length, DeclaredLength::Raw { .. }) || !matches!(self.content, FrameContent::Nothing)
    }

    fn drop_window(&mut self) {
        let all = 0..self.n_bytes();
        if let FrameContent::Some(window, bytes, _) = &mut self.content
            && !self.is_shared
            && self.given_end >= window.end
            && *window != all
        {
            *window = 0..0;
            *bytes = Buffer::new();
        }
    }

    /// The charges for a buffer: its decompressed length, and the number of decompressed bytes that no slot needs.
    /// Reading the whole batch charges the same, so both ways of reading exceed the limits for the same batches.
    pub(super) fn charges(&self) -> Option<(u64, u64)> {
        match self.length {
            DeclaredLength::Raw { .. } => None,
            DeclaredLength::Frame { declared } => Some((declared, self.n_unneeded)),
        }
    }
}

impl FrameContent {
    fn continues(&self) -> bool {
        matches!(self, FrameContent::Some(_, _, Some(_)) | FrameContent::Started(_))
    }

    /// The state of a frame when a step requests `needed`. Keeps the decompressed bytes of the previous request, even if
    /// it was for another range.
    pub(super) fn for_other(self, needed: &Range<u64>) -> FrameContent {
        match self {
            FrameContent::Started(partial) if partial.needed != *needed => {
                let PartialFrame { mut frame_decoder, needed: before, decompressed, .. } = *partial;
                frame_decoder.drop_stored();
                let bytes = decompressed.freeze();
                let window = before.start..before.start.saturating_add(bytes.len() as u64);
                FrameContent::Some(window, bytes, Some(frame_decoder))
            }
            FrameContent::Nothing | FrameContent::Some(..) | FrameContent::Started(_) => self,
        }
    }
}

/// For some columns, the numbers of slots and nulls that were read.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowTally {
    /// The counts of each column and child, by its position.
    pub(super) columns: BTreeMap<usize, PrecedingSlots>,
    /// Whether all rows were read in one step, which makes all checks.
    pub(super) is_of_all: bool,
}

/// The counts of the slots of a column before `end`. `has_gap` means that some of these slots were skipped.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PrecedingSlots {
    pub(super) end: u64,
    pub(super) null_count: u64,
    pub(super) has_gap: bool,
}

impl RowTally {
    /// The tally of a batch whose rows are all read in one step.
    pub(crate) fn for_all() -> RowTally {
        RowTally { is_of_all: true, ..RowTally::default() }
    }

    /// Adds the next slots of a column. Slots that were counted before are not counted again.
    pub(crate) fn add(&mut self, position: usize, window: &Range<u64>, array: &ArrayData) {
        let counted = self.columns.entry(position).or_default();
        counted.has_gap |= window.start > counted.end;
        if window.end <= counted.end {
            return;
        }
        let n_known = usize::try_from(counted.end.saturating_sub(window.start)).unwrap_or(usize::MAX);
        let n_known = n_known.min(array.len());
        let null_count = match n_known {
            0 => array.null_count(),
            _ => array.slice(n_known, array.len() - n_known).null_count(),
        };
        counted.null_count = counted.null_count.saturating_add(null_count as u64);
        counted.end = window.end;
    }

    /// The position after the last counted slot of a column; 0 if there is none.
    pub(crate) fn end_of(&self, position: usize) -> u64 {
        self.columns.get(&position).map_or(0, |counted| counted.end)
    }
}
