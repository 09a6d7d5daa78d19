//! Checks many views at once.
//!
//! One pass without unpredictable branches finds whether any view is invalid. Only then, a second pass looks for the
//! first invalid view.

mod character_spans;
mod survey;
mod text;

use crate::buffer::Buffer;
use crate::check_views::survey::{BinaryObserver, survey};
use crate::check_views::text::TextCheck;
use crate::number::view::View;
use crate::view::ViewError;

/// Checks views: that sizes are not negative, that padding is zero, that long values lie inside their data buffers,
/// and that prefixes agree with the values.
///
/// # Errors
///
/// The first invalid slot, and the reason.
///
/// ```
/// use arrow_buffer::{View, ViewError, check_views};
///
/// let views = [View::inline(b"fine").unwrap(), View::from_parts(20, *b"lost", 0, 0)];
/// let error = ViewError::BufferIndex { buffer_idx: 0, n_buffers: 0 };
/// assert_eq!(check_views(&views, &[]), Err((1, error)));
/// ```
pub fn check_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    survey(views, data, &mut BinaryObserver)
}

/// Checks views as [`check_views`] does, and that their values are UTF-8.
///
/// # Errors
///
/// The first invalid slot, and the reason.
pub fn check_text_views(views: &[View], data: &[Buffer]) -> Result<(), (usize, ViewError)> {
    let mut check = TextCheck::new(data);
    let surveyed = survey(views, data, &mut check);
    // A value before the first invalid view may not be UTF-8. Then the first such value is the first error.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check_views::survey::{BLOCK, survey_slowly};

    /// Runs [`check_text_views`] as if the fast pass refused every block, so that the slow pass checks all values.
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
