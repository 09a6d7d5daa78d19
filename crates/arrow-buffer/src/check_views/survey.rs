//! One pass over views, block by block, that passes the valid views to an observer.

use std::ops::Range;

use crate::buffer::Buffer;
use crate::number::view::{MAX_INLINE_BYTES, View};
use crate::utf8::{Characters, starts_character};
use crate::view::ViewError;

/// The number of views that are checked together.
pub(super) const BLOCK: usize = 256;

/// Receives valid views, block by block.
pub(super) trait ViewObserver {
    type OfBlock<'a>: BlockObserver
    where
        Self: 'a;

    fn block(&mut self) -> Self::OfBlock<'_>;

    /// Receives the bytes of one value. It is called for all values of a block, unless a [`BlockObserver`] has received
    /// every value of the block.
    fn value(&mut self, slot: usize, bytes: &[u8]);
}

/// Receives the views of one block.
pub(super) trait BlockObserver {
    /// Receives a long value: its view, its data buffer, and its range in the buffer.
    fn long(&mut self, view: &View, buffer: &[u8], range: Range<usize>);

    /// Receives consecutive long values in one call.
    fn run(&mut self, run: &AdjacentValues<'_>);

    /// Receives the whole block after all its views were found valid. `inline` says whether all values inside views are
    /// ASCII.
    fn finish(self, block: &[View], first_slot: usize, inline: Characters);
}

/// The observer for binary values, which may have any bytes.
pub(super) struct BinaryObserver;

impl ViewObserver for BinaryObserver {
    type OfBlock<'a> = BinaryObserver;

    fn block(&mut self) -> BinaryObserver {
        BinaryObserver
    }

    fn value(&mut self, _: usize, _: &[u8]) {}
}

impl BlockObserver for BinaryObserver {
    fn long(&mut self, _: &View, _: &[u8], _: Range<usize>) {}

    fn run(&mut self, _: &AdjacentValues<'_>) {}

    fn finish(self, _: &[View], _: usize, _: Characters) {}
}

/// Checks all views, and passes the valid views to the observer.
pub(super) fn survey<O: ViewObserver>(
    views: &[View],
    data: &[Buffer],
    observer: &mut O,
) -> Result<(), (usize, ViewError)> {
    for (block_idx, block) in views.chunks(BLOCK).enumerate() {
        if survey_block(block, block_idx * BLOCK, data, observer).is_none() {
            survey_slowly(block, block_idx * BLOCK, data, observer)?;
        }
    }
    Ok(())
}

/// Checks one block view by view, to find the invalid view and the reason.
///
/// Usually a view is invalid. If the two passes disagree and all views are valid, the observer receives each value
/// here. Unchecked reads rely on the observer's check of every value.
#[cold]
pub(super) fn survey_slowly<O: ViewObserver>(
    block: &[View],
    first_slot: usize,
    data: &[Buffer],
    observer: &mut O,
) -> Result<(), (usize, ViewError)> {
    let value = |(slot, view)| View::bytes(view, data).map_err(|kind| (slot, kind));
    let mut views = (first_slot..).zip(block);
    // All views are checked before any value is passed on: values may be large, and many views may have the same value.
    views.clone().try_for_each(|view| value(view).map(|_| ()))?;
    views.try_for_each(|(slot, view)| {
        observer.value(slot, value((slot, view))?);
        Ok(())
    })
}

/// Masks for the bits of a view whose value has a given size. A mask has the two words of the view, in memory order.
struct Masks {
    /// Bits that have to be zero.
    padding: [u64; 2],
    /// The highest bit of each byte of an inline value.
    not_ascii: [u64; 2],
}

/// The masks for inline values of each size, followed by the masks for long values, which are all zero.
static MASKS: [Masks; 16] = {
    let mut masks = [const { Masks { padding: [0; 2], not_ascii: [0; 2] } }; 16];
    let mut n_bytes = 0;
    while n_bytes <= MAX_INLINE_BYTES {
        let mut padding = [[0_u8; 8]; 2];
        let mut not_ascii = [[0_u8; 8]; 2];
        let mut at = size_of::<i32>();
        while at < size_of::<View>() {
            if at < size_of::<i32>() + n_bytes {
                not_ascii[at / 8][at % 8] = 0x80;
            } else {
                padding[at / 8][at % 8] = 0xff;
            }
            at += 1;
        }
        masks[n_bytes].padding = [u64::from_ne_bytes(padding[0]), u64::from_ne_bytes(padding[1])];
        masks[n_bytes].not_ascii = [u64::from_ne_bytes(not_ascii[0]), u64::from_ne_bytes(not_ascii[1])];
        n_bytes += 1;
    }
    masks
};

/// The index of the masks for a view; negative sizes count as long.
#[inline]
pub(super) fn mask_idx(view: &View) -> usize {
    const LONG: u32 = MAX_INLINE_BYTES as u32 + 1;
    (view.n_bytes() as u32).min(LONG) as usize
}

#[inline]
pub(super) fn words(view: &View) -> [u64; 2] {
    bytemuck::cast(*view)
}

/// Checks a block of views, and passes it to the observer. `None` if a view of the block is invalid.
#[inline]
fn survey_block<O: ViewObserver>(
    block: &[View],
    first_slot: usize,
    data: &[Buffer],
    observer: &mut O,
) -> Option<()> {
    if let Some(run) = AdjacentValues::find(block.iter(), data) {
        let mut observer = observer.block();
        observer.run(&run);
        observer.finish(block, first_slot, Characters::Ascii);
        return Some(());
    }
    let mut wrong = 0;
    let mut not_ascii = 0;
    let mut long = [0_u8; BLOCK];
    let mut n_long = 0;
    for (idx, view) in block.iter().enumerate() {
        let mask_idx = mask_idx(view);
        let words = words(view);
        let masks = &MASKS[mask_idx % MASKS.len()];
        wrong |= words[0] & masks.padding[0] | words[1] & masks.padding[1];
        not_ascii |= words[0] & masks.not_ascii[0] | words[1] & masks.not_ascii[1];
        // The next entry is always written, but only counts if the value is long. This avoids a branch.
        long[n_long % BLOCK] = idx as u8;
        n_long += usize::from(mask_idx > MAX_INLINE_BYTES);
    }
    if wrong != 0 {
        return None;
    }
    let mut observer = observer.block();
    let inline = if not_ascii == 0 { Characters::Ascii } else { Characters::Any };
    let long = long[..n_long].iter().map(|&idx| &block[usize::from(idx)]);
    if let Some(run) = AdjacentValues::find(long.clone(), data) {
        observer.run(&run);
        observer.finish(block, first_slot, inline);
        return Some(());
    }
    for view in long {
        let n_bytes = usize::try_from(view.n_bytes()).ok()?;
        let buffer = data.get(usize::try_from(view.buffer_idx()).ok()?)?.as_slice();
        let start = usize::try_from(view.offset()).ok()?;
        let end = start.checked_add(n_bytes)?;
        let prefix = buffer.get(start..end)?.first_chunk::<4>()?;
        if *prefix != view.prefix() {
            return None;
        }
        observer.long(view, buffer, start..end);
    }
    observer.finish(block, first_slot, inline);
    Some(())
}

/// Consecutive long values of one data buffer: each value starts at the end of the value before it. Their views have
/// been checked.
pub(super) struct AdjacentValues<'a> {
    pub(super) buffer_idx: i32,
    pub(super) buffer: &'a [u8],
    /// The range from the start of the first value to the end of the last value.
    pub(super) range: Range<usize>,
    /// Whether a character can start at the start of each value.
    pub(super) starts_characters: bool,
}

impl<'a> AdjacentValues<'a> {
    /// Joins the values of these views to one run. `None` if there are no views, if a view is invalid, or if the values
    /// are not consecutive. Each view must then be checked by itself.
    #[inline]
    pub(super) fn find<'v>(
        mut views: impl Iterator<Item = &'v View> + Clone,
        data: &'a [Buffer],
    ) -> Option<AdjacentValues<'a>> {
        let first = views.clone().next()?;
        let (buffer_idx, start) = (first.buffer_idx(), first.offset());
        let buffer = data.get(usize::try_from(buffer_idx).ok()?)?.as_slice();
        let mut end = start;
        let mut wrong = 0;
        let mut starts_characters = true;
        views.try_for_each(|view| {
            let n_bytes = view.n_bytes();
            // A negative size does not count as the size of a long value.
            if n_bytes <= MAX_INLINE_BYTES as i32 || view.buffer_idx() != buffer_idx || view.offset() != end {
                return None;
            }
            let found = buffer.get(usize::try_from(end).ok()?..)?.first_chunk::<4>()?;
            wrong |= u32::from_ne_bytes(*found) ^ u32::from_ne_bytes(view.prefix());
            starts_characters &= starts_character(found[0]);
            end = end.checked_add(n_bytes)?;
            Some(())
        })?;
        let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
        let is_right = wrong == 0 && range.end <= buffer.len();
        is_right.then_some(AdjacentValues { buffer_idx, buffer, range, starts_characters })
    }
}
