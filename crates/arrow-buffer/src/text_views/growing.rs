//! Views of text that grow while others read snapshots.

use crate::text_views::TextViews;
use crate::values::Values;
use crate::view::growing::GrowingViews;

/// Text views that grow. A snapshot, [`TextViews`], can be taken at any time: it copies nothing and checks nothing, since
/// all views were proven before.
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

    /// The number of texts.
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
