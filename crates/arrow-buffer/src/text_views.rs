//! Utf8 views that are checked once, and lists of utf8 views that grow.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::budget::{BudgetError, MemoryBudget};
use crate::buffer::Buffer;
use crate::buffer::mutable::BufferMut;
use crate::check_views::check_text_views;
use crate::number::view::View;
use crate::values::Values;
use crate::view::{GrowingViews, ViewError};

/// Views whose values all lie inside their data buffers and are UTF-8. Every value reads as `str`.
///
/// ```
/// use arrow_buffer::{TextViews, Values, View};
///
/// let views = Values::from(vec![View::inline("kurz".as_bytes()).unwrap()]);
/// let texts = TextViews::try_new(views, None)?;
/// assert_eq!(texts.get(0), Some("kurz"));
/// # Ok::<(), arrow_buffer::TextViewsError>(())
/// ```
#[derive(Clone, Default)]
pub struct TextViews {
    /// Each view has passed [`check_text_views`] with `data`.
    views: Values<View>,
    data: Option<Arc<[Buffer]>>,
}

impl TextViews {
    /// Makes texts of views and their data buffers, after a check of all views.
    ///
    /// # Errors
    ///
    /// If a view is invalid or its value is not UTF-8. The error contains the first invalid slot, the views and the
    /// data.
    pub fn try_new(views: Values<View>, data: Option<Arc<[Buffer]>>) -> Result<TextViews, TextViewsError> {
        match check_text_views(&views, data.as_deref().unwrap_or_default()) {
            Ok(()) => Ok(TextViews { views, data }),
            Err((slot, kind)) => Err(TextViewsError { slot, kind, views, data }),
        }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        self.views.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    /// The value of a slot. `None` if out of bounds.
    #[inline]
    pub fn get(&self, slot: usize) -> Option<&str> {
        let view = self.views.get(slot)?;
        let bytes = match view.inline_bytes() {
            Some(bytes) => bytes,
            None => {
                // Checked reads take 10 to 16 more instructions for each long value, in addition to about 25.
                let (buffer_idx, start) = (view.buffer_idx() as usize, view.offset() as usize);
                // SAFETY: the view is one of `self.views`, all of which passed `check_text_views` in `try_new`, or were
                // moved by `GrowingViews::extend` together with their data. So the index of a long view is the index of
                // a buffer in `self.data`.
                let buffer = unsafe { self.data().get_unchecked(buffer_idx) };
                let range = start..start + view.n_bytes() as usize;
                // SAFETY: the same check found that the value lies inside that buffer. Sizes and offsets that passed
                // are not negative, and their sum is at most the length of the buffer; `extend` adds the new position
                // of the copied bytes to the offset.
                unsafe { buffer.as_slice().get_unchecked(range) }
            }
        };
        // SAFETY: the view is one of `self.views`. It passed `check_text_views` with `self.data` in `try_new`, so its
        // value is UTF-8, or was moved by `GrowingViews::extend`, which keeps the value. `slice` and `select` keep some
        // of the views with the same data. Neither views nor data can change.
        Some(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    /// All values, one after the other.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        // This never ends early: every slot has a value.
        (0..self.len()).map(|slot| self.get(slot).unwrap_or_default())
    }

    /// The `n_slots` values from slot `start` on. Shares the memory.
    ///
    /// # Panics
    ///
    /// If the range is out of bounds, like indexing into a slice.
    pub fn slice(&self, start: usize, n_slots: usize) -> TextViews {
        let end = start.checked_add(n_slots).expect("a slice ends after usize::MAX");
        TextViews { views: self.views.slice(start..end), data: self.data.clone() }
    }

    /// The values of these ranges of slots, one range after the other. `None` if a range is out of bounds. The views
    /// are copied, and charged to the budget if there is one. The data is shared. Nothing is checked again.
    ///
    /// # Errors
    ///
    /// If the budget or the system refuses the memory.
    ///
    /// ```
    /// use arrow_buffer::{TextViews, Values, View};
    ///
    /// let views = ["a", "b", "c"].map(|text| View::inline(text.as_bytes()).unwrap());
    /// let texts = TextViews::try_new(Values::from(views.to_vec()), None)?;
    /// let selected = texts.select([2..3, 0..2], None)?.unwrap();
    /// assert!(selected.iter().eq(["c", "a", "b"]));
    /// assert!(texts.select([2..4], None)?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select<I>(
        &self,
        ranges: I,
        budget: Option<&MemoryBudget>,
    ) -> Result<Option<TextViews>, BudgetError>
    where
        I: IntoIterator<Item = Range<usize>, IntoIter: Clone>,
    {
        let ranges = ranges.into_iter();
        let mut n_views = 0_usize;
        for range in ranges.clone() {
            if range.start > range.end || range.end > self.len() {
                return Ok(None);
            }
            n_views = n_views.saturating_add(range.len());
        }
        let mut views = BufferMut::try_with_capacity_in(n_views.saturating_mul(size_of::<View>()), budget)?;
        for range in ranges {
            views.extend_values(self.views.get(range).unwrap_or_default());
        }
        let views = Values::try_new(views.freeze(), n_views);
        Ok(views.ok().map(|views| TextViews { views, data: self.data.clone() }))
    }

    /// The views, one for each value.
    pub fn views(&self) -> &Values<View> {
        &self.views
    }

    /// The data buffers to which the views refer.
    pub fn data(&self) -> &[Buffer] {
        self.data.as_deref().unwrap_or_default()
    }

    /// The data buffers, as a shared value that can be cloned without a copy.
    pub fn shared_data(&self) -> Option<&Arc<[Buffer]>> {
        self.data.as_ref()
    }

    /// The views and the data buffers, without a copy.
    pub fn into_parts(self) -> (Values<View>, Option<Arc<[Buffer]>>) {
        (self.views, self.data)
    }
}

impl PartialEq for TextViews {
    fn eq(&self, other: &TextViews) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl Eq for TextViews {}

/// Shows the number of values, and the beginnings of the first values.
impl fmt::Debug for TextViews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const N_SHOWN: usize = 8;
        const N_SHOWN_BYTES: usize = 64;
        write!(f, "TextViews({} values:", self.len())?;
        for value in self.iter().take(N_SHOWN) {
            let shown =
                value.get(..crate::bytes::floor_char_boundary(value, N_SHOWN_BYTES)).unwrap_or_default();
            write!(f, " {shown:?}{}", if shown.len() < value.len() { "…" } else { "" })?;
        }
        f.write_str(if self.len() > N_SHOWN { " …)" } else { ")" })
    }
}

/// Text views that can grow. A snapshot is a [`TextViews`]. It copies nothing, and needs no check, since only checked
/// views are appended.
///
/// ```
/// use arrow_buffer::{GrowingTextViews, TextViews, Values, View};
///
/// let views = Values::from(vec![View::inline("kurz".as_bytes()).unwrap()]);
/// let part = TextViews::try_new(views, None)?;
/// let mut texts = GrowingTextViews::new();
/// texts.extend_from_views(&part).unwrap();
/// let before = texts.snapshot();
/// texts.extend_from_views(&part).unwrap();
/// assert!(before.iter().eq(["kurz"]) && texts.snapshot().iter().eq(["kurz", "kurz"]));
/// # Ok::<(), arrow_buffer::TextViewsError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingTextViews {
    /// The views, which have been checked. Their offsets refer to the joined data buffers.
    views: GrowingViews,
    n_views: usize,
}

#[deny(unsafe_code)]
impl GrowingTextViews {
    /// Makes an empty list of texts.
    pub const fn new() -> GrowingTextViews {
        GrowingTextViews { views: GrowingViews::new(), n_views: 0 }
    }

    /// The number of texts.
    pub const fn len(&self) -> usize {
        self.n_views
    }

    /// Whether there are no texts.
    pub const fn is_empty(&self) -> bool {
        self.n_views == 0
    }

    /// Appends all texts, with the data buffers to which they refer.
    ///
    /// # Errors
    ///
    /// If the result would have more data buffers than views can refer to. After an error, no text is appended.
    pub fn extend_from_views(&mut self, texts: &TextViews) -> Result<(), (usize, ViewError)> {
        self.views.extend(texts.views.iter().copied(), texts.data())?;
        self.n_views += texts.len();
        Ok(())
    }

    /// All texts so far. Nothing is copied. The texts of the snapshot never change.
    pub fn snapshot(&self) -> TextViews {
        let Ok(views) = Values::try_new(self.views.views(), self.n_views) else {
            unreachable!("the buffer is aligned, and a view was appended for every text")
        };
        TextViews { views, data: self.views.data() }
    }
}

/// The error for views that are invalid, or whose values are not UTF-8.
#[derive(Clone)]
pub struct TextViewsError {
    /// The first invalid slot.
    pub slot: usize,
    /// The reason why the view is invalid.
    pub kind: ViewError,
    /// The views that were checked.
    pub views: Values<View>,
    /// The data buffers of these views.
    pub data: Option<Arc<[Buffer]>>,
}

arrow_error::debug_as_display!(TextViewsError);

impl fmt::Display for TextViewsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextViewsError { slot, kind, .. } = self;
        write!(f, "slot {slot}: {kind}")
    }
}

impl std::error::Error for TextViewsError {}
