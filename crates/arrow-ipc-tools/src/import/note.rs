//! What detection has decided about a text, and could have decided in another way.

use arrow_text::{DateOrder, SniffedCommas, SniffedDates};

use crate::error::foreign::ForeignFormat;

/// A decision about the form of a text, of which its reader should know. Lines are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextNote {
    /// The first line of the text looks like another format than the given one: CSV, JSON or HTML.
    OtherFormat(ForeignFormat),
    /// Line 1 declares the delimiter, and is skipped.
    DeclaredDelimiter {
        /// The delimiter.
        delimiter: u8,
    },
    /// Lines are taken for a title, and skipped.
    Title {
        /// The first of these lines.
        first_line: u64,
        /// The last of these lines.
        last_line: u64,
    },
    /// Another delimiter would do as well.
    OtherDelimiter {
        /// The delimiter that is used.
        delimiter: u8,
        /// The other delimiter.
        other: u8,
        /// Whether the delimiter was detected, not given. A given delimiter occurs in no line.
        is_guess: bool,
    },
    /// The first line is taken for a row, not for names.
    NoHeader {
        /// The line.
        line: u64,
    },
    /// The line of names looks like a row.
    NamesMayBeRow {
        /// The line.
        line: u64,
    },
    /// The line of names has only one name, and may be a title.
    NamesMayBeTitle {
        /// The line.
        line: u64,
    },
    /// The line of names begins like a comment.
    NamesMayBeComment {
        /// The line.
        line: u64,
    },
    /// Cells begin and end with apostrophes, which are read as text.
    Apostrophes,
    /// All rows end with a delimiter, and the empty cell after it is dropped.
    EndDelimiters {
        /// The delimiter.
        delimiter: u8,
    },
    /// The dates of a column are taken for text.
    Dates(SniffedDates),
    /// No cell is a date in the given order.
    UnusedDateOrder(DateOrder),
    /// The numbers of a column are taken for text, because of their marks.
    Commas(SniffedCommas),
}
