//! Checks of many views at once.
//!
//! One pass without unpredictable branches; what fails is looked at again, view by view, to say where.

mod run;
mod stretches;
mod text;

use std::ops::Range;

use crate::buffer::Buffer;
use crate::check_views::run::AdjacentValues;
use crate::check_views::text::TextCheck;
use crate::number::view::{MAX_INLINE_BYTES, View};
use crate::utf8::Characters;
use crate::view::ViewError;

/// How many views are looked at together.
const BLOCK: usize = 256;

/// Checks views: that sizes are not negative, that padding is zero, that long values lie inside their data buffers,
/// and that prefixes are those of the values.
///
/// # Errors
///
/// Names the first slot that is wrong, and what is wrong about it.
///
/// ```
/// use arrow_buffer::{View, ViewError, check_views};
///
/// let views = [View::inline(b"fine").unwrap(), View::from_parts(20, *b"lost", 0, 0)];
/// let error = ViewError::BufferIndex { buffer_idx: 0, n_buffers: 0 };
/// assert_eq!(check_views(&views, &[]), Err((1, error)));
/// ```
pub fn check_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    survey(views, data, &mut Binary)
}

/// Checks views as [`check_views`] does, and that their values are UTF-8.
///
/// # Errors
///
/// Names the first slot that is wrong, and what is wrong about it.
pub fn check_text_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    let mut check = TextCheck::new(data);
    let surveyed = survey(views, data, &mut check);
    // What comes before the first wrong view may still not be text.
    let n_right = surveyed.as_ref().map_or_else(|(slot, _)| *slot, |()| views.len());
    if surveyed.is_err() {
        check = TextCheck::new(data);
        survey(&views[..n_right], data, &mut check)?;
    }
    match check.first_not_utf8(&views[..n_right], data) {
        Some(slot) => Err((slot, ViewError::NotUtf8)),
        None => surveyed,
    }
}

/// Looks at views that were found right, block by block.
trait ViewObserver {
    /// What looks at one block.
    type OfBlock<'a>: BlockObserver
    where
        Self: 'a;

    fn block(&mut self) -> Self::OfBlock<'_>;

    /// Looks at one value, exactly. For blocks that no [`BlockObserver`] has finished.
    fn value(&mut self, slot: usize, bytes: &[u8]);
}

/// Looks at the views of one block.
trait BlockObserver {
    /// A long value, its data buffer, and where in it the value lies.
    fn long(&mut self, view: &View, buffer: &[u8], range: Range<usize>);

    /// Long values that follow each other, instead of each of them.
    fn run(&mut self, run: &AdjacentValues<'_>);

    /// All views of the block were right. `inline` says whether a value inside a view is not ASCII.
    fn finish(self, block: &[View], first_slot: usize, inline: Characters);
}

/// Any bytes will do.
struct Binary;

impl ViewObserver for Binary {
    type OfBlock<'a> = Binary;

    fn block(&mut self) -> Binary {
        Binary
    }

    fn value(&mut self, _: usize, _: &[u8]) {}
}

impl BlockObserver for Binary {
    fn long(&mut self, _: &View, _: &[u8], _: Range<usize>) {}

    fn run(&mut self, _: &AdjacentValues<'_>) {}

    fn finish(self, _: &[View], _: usize, _: Characters) {}
}

/// Checks all views, and shows those that are right to the observer.
fn survey<O: ViewObserver>(
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

/// The same for one block, view by view, to say what is wrong.
///
/// Something is, or the two ways to look would disagree. Even then no value goes unseen, since unchecked reads rely on
/// it: the observer, which has not seen the whole block, gets each value.
#[cold]
fn survey_slowly<O: ViewObserver>(
    block: &[View],
    first_slot: usize,
    data: &[Buffer],
    observer: &mut O,
) -> Result<(), (usize, ViewError)> {
    let value = |(slot, view)| View::bytes(view, data).map_err(|kind| (slot, kind));
    let mut views = (first_slot..).zip(block);
    // All of this first: values may be large, and the same ones again and again.
    views.clone().try_for_each(|view| value(view).map(|_| ()))?;
    views.try_for_each(|(slot, view)| {
        observer.value(slot, value((slot, view))?);
        Ok(())
    })
}

/// Which bits of a view mean what, for one size of value. The words are those of the view, in memory order.
struct Masks {
    /// Bits that have to be zero.
    padding: [u64; 2],
    /// The highest bit of each byte that belongs to an inline value.
    not_ascii: [u64; 2],
}

/// The masks for inline values of each size, followed by those for long values, which are zero.
static MASKS: [Masks; 16] = {
    let mut masks = [const { Masks { padding: [0; 2], not_ascii: [0; 2] } }; 16];
    let mut n_bytes = 0;
    while n_bytes <= MAX_INLINE_BYTES {
        let (mut padding, mut not_ascii) = ([[0_u8; 8]; 2], [[0_u8; 8]; 2]);
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
fn mask_idx(view: &View) -> usize {
    const LONG: u32 = MAX_INLINE_BYTES as u32 + 1;
    (view.n_bytes() as u32).min(LONG) as usize
}

/// The two words of a view.
#[inline]
fn words(view: &View) -> [u64; 2] {
    bytemuck::cast(*view)
}

/// Nothing, if some view of the block is wrong.
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
    let (mut wrong, mut not_ascii) = (0, 0);
    let (mut long, mut n_long) = ([0_u8; BLOCK], 0);
    for (idx, view) in block.iter().enumerate() {
        let mask_idx = mask_idx(view);
        let (words, masks) = (words(view), &MASKS[mask_idx % MASKS.len()]);
        wrong |= words[0] & masks.padding[0] | words[1] & masks.padding[1];
        not_ascii |= words[0] & masks.not_ascii[0] | words[1] & masks.not_ascii[1];
        // The next place is written in any case, and kept if the value is long.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What [`check_text_views`] says when the fast look refuses each block that the slow one finds nothing wrong with.
    fn check_without_fast_pass(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
        let mut check = TextCheck::new(data);
        for (block_idx, block) in views.chunks(BLOCK).enumerate() {
            survey_slowly(block, block_idx * BLOCK, data, &mut check)?;
        }
        check.first_not_utf8(views, data).map_or(Ok(()), |slot| Err((slot, ViewError::NotUtf8)))
    }

    #[test]
    fn blocks_that_only_the_fast_pass_refuses_are_checked_value_by_value() {
        let data = [Buffer::from_static(b"plain ascii text, \xff, and \xe2\x82\xac after it..")];
        let long = |start: usize, n_bytes: usize| {
            View::long(&data[0][start..start + n_bytes], 0, start as i32).unwrap_or_default()
        };
        let short = |bytes| View::inline(bytes).unwrap_or_default();
        let fine = [long(0, 18), short(b"ascii"), short("€".as_bytes()), long(20, 19)];
        let cases = [
            (short(b"\xff"), Some(ViewError::NotUtf8)),
            (short(b"\xe2\x82"), Some(ViewError::NotUtf8)),
            (long(0, 19), Some(ViewError::NotUtf8)),
            (long(5, 22), Some(ViewError::NotUtf8)),
            (long(26, 13), Some(ViewError::NotUtf8)),
            (View::from_parts(-1, [0; 4], 0, 0), Some(ViewError::NegativeSize { n_bytes: -1 })),
            (long(25, 14), None),
        ];
        for (view, kind) in cases {
            for n_before in [0, 1, 255, 256, 600] {
                let mut views: Vec<View> = fine.iter().copied().cycle().take(n_before).collect();
                views.push(view);
                views.extend(fine);
                let expected = kind.map_or(Ok(()), |kind| Err((n_before, kind)));
                assert_eq!(check_without_fast_pass(&views, &data), expected, "{view:?}");
                assert_eq!(check_text_views(&views, &data), expected, "{view:?}");
            }
        }
    }
}
