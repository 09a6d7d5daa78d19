//! Utf8 and binary values, by offsets and by views.

use std::sync::Arc;

use arrow_buffer::{Buffer, OffsetWidth, Values, View};

use super::raw::first_mismatch;
use crate::{
    array::ArrayData,
    error::DataError,
    positions::{Ranges, numbers},
};

/// The values of both sides.
#[derive(Debug)]
pub(super) struct Bytes {
    left: Source,
    right: Source,
}

#[derive(Debug)]
enum Source {
    Offsets(Ranges, Buffer),
    Views(Values<View>, Arc<[Buffer]>),
}

/// Slots whose offsets are compared at once.
const BLOCK_SLOTS: usize = 1024;

impl Bytes {
    pub(super) fn try_of(left: &ArrayData, right: &ArrayData) -> Result<Bytes, DataError> {
        Ok(Bytes { left: Source::try_of(left)?, right: Source::try_of(right)? })
    }

    /// Whether null slots may be compared too: offsets are always in order, views of null slots may be anything.
    pub(super) fn is_total(&self) -> bool {
        matches!((&self.left, &self.right), (Source::Offsets(..), Source::Offsets(..)))
    }

    /// How many values are equal before the first that is not.
    pub(super) fn find(&self, i: usize, j: usize, n: usize) -> Option<usize> {
        let (Source::Offsets(left, left_bytes), Source::Offsets(right, right_bytes)) =
            (&self.left, &self.right)
        else {
            return (0..n).find(|k| !self.same(i + k, j + k));
        };
        let mut done = 0;
        while done < n {
            let n_block = (n - done).min(BLOCK_SLOTS);
            let (from, to) = (i + done, j + done);
            if n_block == 1 || !same_block(left, right, [from, to, n_block], (left_bytes, right_bytes)) {
                let differs = |k: &usize| !self.same(from + k, to + k);
                if let Some(k) = (0..n_block).find(differs) {
                    return Some(done + k);
                }
            }
            done += n_block;
        }
        None
    }

    #[inline]
    fn same(&self, left: usize, right: usize) -> bool {
        if let (Source::Views(left_views, _), Source::Views(right_views, _)) = (&self.left, &self.right)
            && let (Some(left), Some(right)) = (left_views.get(left), right_views.get(right))
        {
            // Short values are all in the view; the others begin there.
            if left.is_inline() {
                return left == right;
            }
            if left.n_bytes() != right.n_bytes() || left.prefix() != right.prefix() {
                return false;
            }
        }
        // A value that is out of bounds equals no other.
        let (Some(left), Some(right)) = (self.left.get(left), self.right.get(right)) else { return false };
        std::ptr::eq(left, right) || left == right
    }
}

/// Whether slots have the same sizes and bytes, compared at once.
fn same_block(left: &Ranges, right: &Ranges, [i, j, n]: [usize; 3], bytes: (&Buffer, &Buffer)) -> bool {
    let sizes = match (left, right) {
        (Ranges::Offsets32(left), Ranges::Offsets32(right)) => same_sizes::<i32, i32>(left, right, [i, j, n]),
        (Ranges::Offsets64(left), Ranges::Offsets64(right)) => same_sizes::<i64, i64>(left, right, [i, j, n]),
        (Ranges::Offsets32(left), Ranges::Offsets64(right)) => same_sizes::<i32, i64>(left, right, [i, j, n]),
        (Ranges::Offsets64(left), Ranges::Offsets32(right)) => same_sizes::<i64, i32>(left, right, [i, j, n]),
        _ => return false,
    };
    let all = |ranges: &Ranges, start: usize| Some(ranges.get(start)?.start..ranges.get(start + n - 1)?.end);
    let (Some(left), Some(right)) = (all(left, i), all(right, j)) else { return false };
    let (left, right) = (bytes.0.as_slice().get(left), bytes.1.as_slice().get(right));
    let (Some(left), Some(right)) = (left, right) else { return false };
    sizes && left.len() == right.len() && first_mismatch(left, right).is_none()
}

fn same_sizes<L: OffsetWidth, R: OffsetWidth>(left: &[L], right: &[R], [i, j, n]: [usize; 3]) -> bool {
    let (Some(left), Some(right)) = (left.get(i..=i + n), right.get(j..=j + n)) else { return false };
    let (Some(first_left), Some(first_right)) = (left.first(), right.first()) else { return false };
    // Offsets are not negative, so the difference of two fits, and so does the other one where they are equal.
    let shift: i64 = (*first_right).into() - (*first_left).into();
    let pairs = left.iter().zip(right);
    pairs.fold(true, |same, (left, right)| same & ((*right).into() - (*left).into() == shift))
}

impl Source {
    fn try_of(array: &ArrayData) -> Result<Source, DataError> {
        if !array.layout().is_variadic() {
            return Ok(Source::Offsets(Ranges::of(array)?, array.buffer(1).clone()));
        }
        let data = array.shared_variadic().cloned().unwrap_or_default();
        Ok(Source::Views(numbers(array.buffer(0), array.len())?, data))
    }

    /// The bytes of a valid slot.
    #[inline]
    fn get(&self, slot: usize) -> Option<&[u8]> {
        match self {
            Source::Offsets(ranges, bytes) => bytes.as_slice().get(ranges.get(slot)?),
            Source::Views(views, data) => {
                let view = views.get(slot)?;
                view.inline_bytes().or_else(|| long(view, data))
            }
        }
    }
}

fn long<'a>(view: &View, data: &'a [Buffer]) -> Option<&'a [u8]> {
    let buffer = data.get(usize::try_from(view.buffer_idx()).ok()?)?;
    let start = usize::try_from(view.offset()).ok()?;
    buffer.as_slice().get(start..start.checked_add(usize::try_from(view.n_bytes()).ok()?)?)
}
