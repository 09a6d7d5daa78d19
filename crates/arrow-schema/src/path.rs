//! The path to a field.

use std::{fmt, sync::Arc};

use crate::{
    QuotedText,
    hidden::{is_ever_hidden, is_refused},
};

/// The path from a schema, or from one column, to a field inside it.
///
/// Each step has a position and a name. The positions select the field, because names may repeat or be empty. The names
/// are for readers: a path prints as names with dots between them. Names that are empty or contain a dot, a quote, a
/// backslash, an angle bracket or a character that could harm a terminal are [`QuotedText`]. The step into the values of a
/// dictionary prints as `<dictionary>`. A path without steps prints as an empty text.
/// [`Schema::path`](crate::Schema::path) parses this text form.
///
/// ```
/// use arrow_schema::FieldPath;
///
/// let path = FieldPath::root().child(3, "address").child(0, "zip.code");
/// assert_eq!(path.to_string(), r#"address."zip.code""#);
/// assert_eq!(path.positions().collect::<Vec<_>>(), [3, 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct FieldPath {
    steps: Vec<PathStep>,
}

/// One step of a [`FieldPath`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// A step to a column of a schema, or to a child of a field.
    Child {
        /// The position of the column in the schema, or of the child in its parent, counted from 0.
        position: u32,
        /// The name of the field.
        name: Arc<str>,
    },
    /// A step from a dictionary-encoded field to the values of its dictionary.
    Dictionary,
}

impl FieldPath {
    /// The path without steps.
    pub const fn root() -> Self {
        Self { steps: Vec::new() }
    }

    /// Whether the path has no steps.
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    /// The steps, the outermost first.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// The positions of the child steps. Steps into dictionaries have no position and need none: the only children of a
    /// dictionary-encoded field are the children of its values.
    pub fn positions(&self) -> impl Iterator<Item = u32> + '_ {
        self.steps.iter().filter_map(|step| match step {
            PathStep::Child { position, name: _ } => Some(*position),
            PathStep::Dictionary => None,
        })
    }

    /// The path as it prints; or, if its names have more than 256 bytes, `at` and its positions. Each field below a long
    /// name would repeat it.
    ///
    /// ```
    /// use arrow_schema::FieldPath;
    ///
    /// let path = |name: &str| FieldPath::root().child(3, name).child(0, "item");
    /// assert_eq!(path("tags").brief(), "tags.item");
    /// assert_eq!(path(&"long".repeat(100)).brief(), "at 3.0");
    /// ```
    pub fn brief(&self) -> String {
        if self.has_long_names() { format!("at {}", self.positions_text()) } else { self.to_string() }
    }

    /// Whether the names have so many bytes that [`brief`](Self::brief) leaves them out.
    pub(crate) fn has_long_names(&self) -> bool {
        const MAX_NAME_BYTES: usize = 256;
        let n_bytes = self.steps.iter().map(|step| match step {
            PathStep::Child { position: _, name } => name.len(),
            PathStep::Dictionary => 0,
        });
        n_bytes.sum::<usize>() > MAX_NAME_BYTES
    }

    /// The positions with dots between them.
    pub(crate) fn positions_text(&self) -> String {
        self.positions().map(|position| position.to_string()).collect::<Vec<String>>().join(".")
    }

    /// Adds a step to a child at the end of the path.
    #[must_use]
    pub fn child(mut self, position: u32, name: impl Into<Arc<str>>) -> Self {
        self.push(PathStep::Child { position, name: name.into() });
        self
    }

    /// Adds a step to the values of a dictionary at the end of the path.
    #[must_use]
    pub fn dictionary(mut self) -> Self {
        self.push(PathStep::Dictionary);
        self
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: PathStep) {
        self.steps.push(step);
    }

    /// Adds a step at the start. Errors get their path in this way: each function that returns the error adds its own
    /// step.
    pub fn prepend(&mut self, step: PathStep) {
        self.steps.insert(0, step);
    }

    /// Removes all steps after the first `n_steps`. Does nothing if there are at most `n_steps` steps.
    pub fn truncate(&mut self, n_steps: usize) {
        self.steps.truncate(n_steps);
    }
}

impl FromIterator<PathStep> for FieldPath {
    fn from_iter<I: IntoIterator<Item = PathStep>>(steps: I) -> Self {
        Self { steps: steps.into_iter().collect() }
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { "." })?;
            step.fmt(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Child { position: _, name } if is_plain(name) => f.write_str(name),
            Self::Child { position: _, name } => QuotedText(name).fmt(f),
            Self::Dictionary => f.write_str(DICTIONARY_STEP),
        }
    }
}

/// The text form of the step to the values of a dictionary.
pub(crate) const DICTIONARY_STEP: &str = "<dictionary>";

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c| is_special(c) || is_ever_hidden(c))
}

/// Whether a name with this character must be quoted.
pub(crate) fn is_special(c: char) -> bool {
    matches!(c, '.' | '"' | '\\' | '<' | '>') || is_refused(c)
}
