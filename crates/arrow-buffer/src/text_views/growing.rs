//! Views of text that grow while others read what is there so far.

use crate::text_views::TextViews;
use crate::values::Values;
use crate::view::growing::GrowingViews;

/// Texts that are appended to, and of which [`TextViews`] can be taken at any time, without a copy and without looking at
/// them again: all were proven before.
///
/// ```
/// use arrow_buffer::{GrowingTextViews, TextViews, Values, View};
///
/// let views = Values::from(vec![View::inline("kurz".as_bytes()).unwrap()]);
/// let part = TextViews::try_new(views, None)?;
/// let mut texts = GrowingTextViews::new();
/// texts.extend_from_views(&part);
/// let before = texts.snapshot();
/// texts.extend_from_views(&part);
/// assert!(before.iter().eq(["kurz"]) && texts.snapshot().iter().eq(["kurz", "kurz"]));
/// # Ok::<(), arrow_buffer::TextViewsError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct GrowingTextViews {
    /// Each is one that was proven, moved with its data.
    views: GrowingViews,
    n_views: usize,
}

impl GrowingTextViews {
    /// No texts.
    pub const fn new() -> GrowingTextViews {
        GrowingTextViews { views: GrowingViews::new(), n_views: 0 }
    }

    /// How many texts there are.
    pub const fn len(&self) -> usize {
        self.n_views
    }

    /// Whether there are no texts.
    pub const fn is_empty(&self) -> bool {
        self.n_views == 0
    }

    /// Appends all texts, with the data buffers that they have.
    pub fn extend_from_views(&mut self, texts: &TextViews) {
        let extended = self.views.extend(texts.views.iter().copied(), texts.data());
        extended.expect("the values of a `TextViews` lie inside its data buffers");
        self.n_views += texts.len();
    }

    /// All texts so far. Nothing is copied, and they never change.
    pub fn snapshot(&self) -> TextViews {
        let Ok(views) = Values::try_new(self.views.views(), self.n_views) else {
            unreachable!("the buffer is aligned, and a view was appended for every text")
        };
        TextViews { views, data: self.views.data() }
    }
}
