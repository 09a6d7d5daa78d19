//! How values look that the program shows to people, and the colours of texts on terminals, which the caller chooses.

use std::fmt::{self, Display};

use arrow_array::{TextStyle, TimeZones};

/// Values as a table shows them, with times of named zones in local time.
#[cfg(feature = "text")]
pub const CELL_STYLE: TextStyle = TextStyle::LocalCell(TimeZones::database());
/// Values as a table shows them, with times of named zones in UTC.
#[cfg(not(feature = "text"))]
pub const CELL_STYLE: TextStyle = TextStyle::LocalCell(TimeZones::new(|_| None));

/// The codes that a terminal needs before pieces of a text, by what the pieces are, and after them. By default all are empty,
/// so that a text has no codes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextColors {
    /// Before the name of a column.
    pub name: &'static str,
    /// Before the type of a column.
    pub data_type: &'static str,
    /// Before a sentence about what is wrong or odd.
    pub problem: &'static str,
    /// After each piece.
    pub end: &'static str,
}

impl TextColors {
    /// Formats a piece of text between a code of these colours and the end of the colour.
    pub(crate) fn paint<T: Display>(self, begin: &'static str, shown: T) -> ColoredText<T> {
        ColoredText { begin, shown, end: self.end }
    }
}

/// Formats a piece of text between two codes.
pub(crate) struct ColoredText<T> {
    begin: &'static str,
    shown: T,
    end: &'static str,
}

impl<T: Display> Display for ColoredText<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.begin, self.shown, self.end)
    }
}
