//! Options for reading and writing CSV.

use std::fmt;

use crate::date_order::DateOrder;

/// How CSV is written or read. By default, a line of names comes first, commas separate cells, and lines end with a line feed.
/// Some options only affect reading.
///
/// ```
/// use arrow_text::CsvOptions;
///
/// let options = CsvOptions::new().with_delimiter(b';')?.without_header();
/// assert!(CsvOptions::new().with_delimiter(b'"').is_err());
/// # Ok::<(), arrow_text::CsvOptionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CsvOptions {
    /// The byte that separates cells. It is neither the quote nor a byte of a line end.
    pub(crate) delimiter: u8,
    /// Whether a line with the names of the columns precedes the rows.
    pub(crate) has_header: bool,
    pub(crate) line_end: &'static str,
    /// Whether the writer puts an apostrophe before text that spreadsheet programs take for a formula.
    pub(crate) escapes_formulas: bool,
    nulls: NullTexts,
    /// Whether the words in [`USUAL_NULLS`] are nulls in columns that are neither utf8 nor binary.
    has_usual_nulls: bool,
    /// The byte around quoted cells of input. `None` if quotes are ordinary text.
    pub(crate) quote: Option<u8>,
    /// The first byte of comment lines, which are skipped.
    pub(crate) comment: Option<u8>,
    /// The number of lines to skip before the line of names.
    n_skipped_lines: u64,
    pub(crate) ragged: RaggedRows,
    /// Whether rows may end with a delimiter.
    pub(crate) has_end_delimiters: bool,
    pub(crate) numbers: NumberMarks,
    pub(crate) dates: Option<DateOrder>,
    /// Whether inference gives columns without values the type null, and not utf8.
    pub(crate) has_null_columns: bool,
}

/// What the reader does with rows that have more or fewer cells than there are columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RaggedRows {
    /// A row with more or fewer cells is an error.
    #[default]
    Error,
    /// Missing cells at the end are nulls. Additional cells are dropped if they are empty, and are an error if they have text.
    Pad,
    /// The row is skipped and [counted](crate::CsvReader::skipped_rows).
    Skip,
}

/// Words that many programs write for a null.
const USUAL_NULLS: [&str; 8] = ["NA", "N/A", "#N/A", "n/a", "NULL", "null", "None", "\\N"];

/// Whether a text is one of [`USUAL_NULLS`]. The test of the first character rejects almost all numbers.
fn is_usual_null(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'N' | b'n' | b'#' | b'\\')) && USUAL_NULLS.contains(&text)
}

/// The texts that are nulls, in addition to empty cells. Each is stored as its length and its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct NullTexts {
    bytes: [u8; MAX_NULL_BYTES],
    n_bytes: usize,
}

const MAX_NULL_BYTES: usize = 127;

impl NullTexts {
    const NONE: NullTexts = NullTexts { bytes: [0; MAX_NULL_BYTES], n_bytes: 0 };

    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.get(..self.n_bytes).unwrap_or_default();
        std::iter::from_fn(move || {
            let (n_bytes, after) = rest.split_first()?;
            let (text, after) = after.split_at_checked(usize::from(*n_bytes))?;
            rest = after;
            Some(text)
        })
    }
}

impl fmt::Debug for NullTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.texts().map(String::from_utf8_lossy)).finish()
    }
}

/// The characters in the numbers of cells that mark the fraction and groups of thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumberMarks {
    /// The character before the fraction, by default a point.
    pub(crate) decimal: char,
    /// The character between groups of three digits. `None` if digits are not grouped.
    pub(crate) thousands: Option<char>,
}

impl NumberMarks {
    const PLAIN: NumberMarks = NumberMarks { decimal: '.', thousands: None };

    pub(crate) fn is_plain(self) -> bool {
        self == NumberMarks::PLAIN
    }

    pub(crate) fn has(self, byte: u8) -> bool {
        char::from(byte) == self.decimal || self.thousands == Some(char::from(byte))
    }

    /// Whether `mark` may separate groups of digits. If the separator is a space, it may also be a non-breaking space.
    fn has_groups_of(self, mark: char) -> bool {
        self.thousands == Some(mark) || self.thousands == Some(' ') && matches!(mark, '\u{a0}' | '\u{202f}')
    }

    /// An example of a number with these marks.
    pub(crate) fn example(self) -> String {
        let thousands = self.thousands.map(String::from).unwrap_or_default();
        format!("1{thousands}234{}5", self.decimal)
    }

    /// Converts a number to one with a decimal point and without separators. Returns `text` itself if nothing changes, or if it
    /// has no digits; otherwise the result is written to `buffer`. `None` if the text has digits, but is not a number with these
    /// marks.
    pub(crate) fn plain<'a>(self, text: &'a str, buffer: &'a mut String) -> Option<&'a str> {
        if self.is_plain() || !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return Some(text);
        }
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let unsigned = text.trim_start_matches(['+', '-']);
        let exponent_at = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
        let (mantissa, exponent) = unsigned.split_at_checked(exponent_at)?;
        let (whole, fraction) = mantissa.split_once(self.decimal).unwrap_or((mantissa, ""));
        buffer.clear();
        buffer.push_str(text.strip_suffix(unsigned)?);
        let found = whole.chars().find(|char| !char.is_ascii_digit());
        match found.filter(|mark| self.has_groups_of(*mark)) {
            None if is_digits(whole) => buffer.push_str(whole),
            None => return None,
            Some(mark) => {
                for (n_before, group) in whole.split(mark).enumerate() {
                    // Nobody groups digits after a zero: in 0.123, the mark is probably a decimal point.
                    let is_group = if n_before == 0 {
                        (1..=3).contains(&group.len()) && !group.starts_with('0')
                    } else {
                        group.len() == 3
                    };
                    if !is_group || !is_digits(group) {
                        return None;
                    }
                    buffer.push_str(group);
                }
            }
        }
        if !is_digits(fraction) {
            return None;
        }
        if mantissa.len() > whole.len() {
            buffer.push('.');
            buffer.push_str(fraction);
        }
        buffer.push_str(exponent);
        Some(buffer)
    }
}

/// The error if an option of CSV has an invalid value.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvOptionError {
    /// A byte cannot separate or quote cells, or begin comments.
    #[error(
        "{:?} cannot be a separator, quote or comment character: these must be different ASCII characters, no line ends, and '\"' can only be the quote",
        char::from(*found)
    )]
    Delimiter {
        /// The invalid byte.
        found: u8,
    },
    /// All texts for nulls together are too long.
    #[error(
        "the texts for nulls take {n_bytes} bytes, counting one more byte for each text; the limit is {MAX_NULL_BYTES}"
    )]
    NullText {
        /// The total length in bytes, including the text that was to be added.
        n_bytes: usize,
    },
    /// Two marks of numbers cannot be used together.
    #[error(
        "the decimal mark {decimal:?} and the thousands mark {thousands:?} are not allowed: they must differ, and must not be digits, \
         letters, signs, double quotes or control characters"
    )]
    NumberMarks {
        /// The character before the fraction.
        decimal: char,
        /// The character between groups of three digits.
        thousands: char,
    },
}

arrow_error::debug_as_display!(CsvOptionError);

impl CsvOptions {
    /// The default options: a line of names first, commas between cells, and a line feed after each line.
    pub const fn new() -> CsvOptions {
        CsvOptions {
            delimiter: b',',
            has_header: true,
            line_end: "\n",
            escapes_formulas: false,
            nulls: NullTexts::NONE,
            has_usual_nulls: false,
            quote: Some(b'"'),
            comment: None,
            n_skipped_lines: 0,
            ragged: RaggedRows::Error,
            has_end_delimiters: false,
            numbers: NumberMarks::PLAIN,
            dates: None,
            has_null_columns: false,
        }
    }

    /// Sets the byte that separates cells.
    ///
    /// # Errors
    /// If the byte is a quote, a carriage return or a line feed, is not ASCII, or begins [comments](CsvOptions::with_comment).
    /// Any other byte is allowed, since the writer quotes text that contains the delimiter.
    pub fn with_delimiter(self, delimiter: u8) -> Result<CsvOptions, CsvOptionError> {
        CsvOptions { delimiter, ..self }.checked(delimiter)
    }

    /// Returns the options if delimiter, quote and comment byte are valid and differ. Otherwise returns an error that names
    /// `found`.
    fn checked(self, found: u8) -> Result<CsvOptions, CsvOptionError> {
        let is_fine = found.is_ascii()
            && !matches!(found, b'\r' | b'\n')
            && self.delimiter != b'"'
            && self.comment != Some(b'"');
        let are_others = ![self.comment, self.quote].contains(&Some(self.delimiter))
            && (self.quote.is_none() || self.comment != self.quote);
        if is_fine && are_others { Ok(self) } else { Err(CsvOptionError::Delimiter { found }) }
    }

    /// The byte that separates cells.
    pub const fn delimiter(self) -> u8 {
        self.delimiter
    }

    /// The byte around quoted cells of input. `None` if quotes are ordinary text.
    pub const fn quote(self) -> Option<u8> {
        self.quote
    }

    /// Whether the first line has the names of the columns.
    pub fn has_header(self) -> bool {
        self.has_header
    }

    /// CSV without a header: a reader reads the first line as values, and a writer writes no names.
    #[must_use]
    pub const fn without_header(self) -> CsvOptions {
        CsvOptions { has_header: false, ..self }
    }

    /// Reads and writes a line of names before the rows. This is the default.
    #[must_use]
    pub const fn with_header(self) -> CsvOptions {
        CsvOptions { has_header: true, ..self }
    }

    /// Adds a text that is read as null, such as `NA`, `NULL` or `\\N`. A cell with this text in quotes is a value. Empty cells
    /// are still read as nulls, and nulls are still written as empty cells. The writer quotes values with this text.
    ///
    /// # Errors
    /// If all texts for nulls together have more than 127 bytes. One byte is added for each text.
    pub fn with_null_text(self, text: &str) -> Result<CsvOptions, CsvOptionError> {
        let mut nulls = self.nulls;
        let n_bytes = nulls.n_bytes.saturating_add(text.len()).saturating_add(1);
        let failed = CsvOptionError::NullText { n_bytes };
        let buffer = nulls.bytes.get_mut(nulls.n_bytes..n_bytes).ok_or(failed)?;
        let (length, buffer) = buffer.split_first_mut().ok_or(failed)?;
        *length = u8::try_from(text.len()).map_err(|_| failed)?;
        buffer.copy_from_slice(text.as_bytes());
        nulls.n_bytes = n_bytes;
        Ok(CsvOptions { nulls, ..self })
    }

    /// Reads the words `NA`, `N/A`, `#N/A`, `n/a`, `NULL`, `null`, `None` and `\\N` as nulls in columns that are neither utf8
    /// nor binary. Type inference ignores these words like empty cells. Words in quotes are values, and the writer quotes them.
    #[must_use]
    pub const fn with_usual_nulls(self) -> CsvOptions {
        CsvOptions { has_usual_nulls: true, ..self }
    }

    /// In type inference, columns without values get the type null, and not utf8. So they say nothing about the type of the
    /// column, as for one of several texts with the same columns.
    ///
    /// ```
    /// use arrow_text::{CsvOptions, infer_csv_with};
    ///
    /// let schema = infer_csv_with("id,note\n1,\n".as_bytes(), 1000, CsvOptions::new().with_null_columns())?;
    /// assert_eq!(schema.to_string(), "id: int64\nnote: null");
    /// # Ok::<(), arrow_text::RowError>(())
    /// ```
    #[must_use]
    pub const fn with_null_columns(self) -> CsvOptions {
        CsvOptions { has_null_columns: true, ..self }
    }

    /// When reading, skips lines that begin with this byte. Inside quotes, the byte is ordinary text, so the writer quotes values
    /// that begin with it.
    ///
    /// # Errors
    /// If the byte is a quote, a carriage return, a line feed or the delimiter, or is not ASCII.
    pub fn with_comment(self, comment: u8) -> Result<CsvOptions, CsvOptionError> {
        CsvOptions { comment: Some(comment), ..self }.checked(comment)
    }

    /// Sets the byte around quoted cells of input. Inside a quoted cell, the byte is doubled. With `None`, quotes are ordinary
    /// text. The writer ignores this option and uses `"`.
    ///
    /// ```
    /// use arrow_text::{CsvOptions, infer_csv_with};
    ///
    /// let options = CsvOptions::new().with_quote(Some(b'\''))?;
    /// let schema = infer_csv_with("'a,b',c\n1,2\n".as_bytes(), 1000, options)?;
    /// assert_eq!(schema.to_string(), "\"a,b\": int64\nc: int64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the byte is a carriage return, a line feed or the delimiter, is not ASCII, or begins comments.
    pub fn with_quote(self, quote: Option<u8>) -> Result<CsvOptions, CsvOptionError> {
        let options = CsvOptions { quote, ..self };
        quote.map_or(Ok(options), |quote| options.checked(quote))
    }

    /// When reading, skips the first `n_lines` lines without parsing them. Line numbers in errors count these lines.
    #[must_use]
    pub const fn with_skipped_lines(self, n_lines: u64) -> CsvOptions {
        CsvOptions { n_skipped_lines: n_lines, ..self }
    }

    /// The number of lines that are skipped at the start.
    pub const fn n_skipped_lines(&self) -> u64 {
        self.n_skipped_lines
    }

    /// Sets what the reader does with rows that have more or fewer cells than there are columns.
    #[must_use]
    pub const fn with_ragged_rows(self, ragged: RaggedRows) -> CsvOptions {
        CsvOptions { ragged, ..self }
    }

    /// Reads rows that end with a delimiter: an empty cell after the last column is dropped.
    ///
    /// ```
    /// use arrow_text::{CsvOptions, infer_csv_with};
    ///
    /// let options = CsvOptions::new().with_end_delimiters();
    /// assert_eq!(infer_csv_with("a,b\n1,2,\n".as_bytes(), 1000, options)?.to_string(), "a: int64\nb: int64");
    /// assert!(infer_csv_with("a,b\n1,2,3\n".as_bytes(), 1000, options).is_err());
    /// # Ok::<(), arrow_text::RowError>(())
    /// ```
    #[must_use]
    pub const fn with_end_delimiters(self) -> CsvOptions {
        CsvOptions { has_end_delimiters: true, ..self }
    }

    /// Whether rows may end with a delimiter.
    pub fn has_end_delimiters(self) -> bool {
        self.has_end_delimiters
    }

    /// Sets two characters in numbers: `decimal`, before the fraction, and `thousands`, between groups of three digits. The
    /// writer groups no digits, and quotes a number that contains the delimiter. If `thousands` is a space, the reader also
    /// accepts U+00A0 and U+202F, since they look alike.
    ///
    /// ```
    /// use arrow_text::{CsvOptions, infer_csv_with};
    ///
    /// let options = CsvOptions::new().with_delimiter(b';')?.with_number_marks(',', Some('.'))?;
    /// let schema = infer_csv_with("price;id\n1.234,5;1\n".as_bytes(), 1000, options)?;
    /// assert_eq!(schema.to_string(), "price: float64\nid: int64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the marks are equal. If a mark is a digit, a letter, a sign, a quote or a control character.
    pub fn with_number_marks(
        self,
        decimal: char,
        thousands: Option<char>,
    ) -> Result<CsvOptions, CsvOptionError> {
        let failed = CsvOptionError::NumberMarks { decimal, thousands: thousands.unwrap_or(' ') };
        let is_mark =
            |mark: char| !mark.is_alphanumeric() && !mark.is_control() && !matches!(mark, '+' | '-' | '"');
        if thousands == Some(decimal) || !is_mark(decimal) || !thousands.is_none_or(is_mark) {
            return Err(failed);
        }
        Ok(CsvOptions { numbers: NumberMarks { decimal, thousands }, ..self })
    }

    /// Also reads dates, and the dates of timestamps, in this order. Dates such as `2024-02-29` are read with any option. The time
    /// after a date may have AM or PM. In a column of timestamps without a time zone, a date alone is midnight.
    ///
    /// ```
    /// use arrow_text::{CsvOptions, DateOrder, infer_csv_with};
    ///
    /// let options = CsvOptions::new().with_date_order(DateOrder::DayFirst);
    /// let text = "day,at\n29/2/2024,29.02.2024 12:30\n1/3/2024,1/3/2024\n2/3/2024,2/3/2024 5:07 PM\n";
    /// let schema = infer_csv_with(text.as_bytes(), 1000, options)?;
    /// assert_eq!(schema.to_string(), "day: date32\nat: timestamp(us)");
    /// # Ok::<(), arrow_text::RowError>(())
    /// ```
    #[must_use]
    pub const fn with_date_order(self, order: DateOrder) -> CsvOptions {
        CsvOptions { dates: Some(order), ..self }
    }

    /// Whether a cell without quotes is null, if its text is the notation of a value.
    #[inline]
    pub(crate) fn is_null(&self, text: &str) -> bool {
        self.is_null_text(text) || self.has_usual_nulls && is_usual_null(text)
    }

    /// Whether a cell without quotes is null, if its text itself is a utf8 value or encodes a binary value. [`USUAL_NULLS`]
    /// are values then.
    #[inline]
    pub(crate) fn is_null_text(&self, text: &str) -> bool {
        text.is_empty() || self.nulls.n_bytes > 0 && self.nulls.texts().any(|null| null == text.as_bytes())
    }

    /// Whether the reader takes some cells without quotes, other than empty cells, for nulls or comments.
    pub(crate) fn skips_values(&self) -> bool {
        self.nulls.n_bytes > 0 || self.has_usual_nulls || self.comment.is_some()
    }

    /// Writes a carriage return and a line feed at the end of each line, as in RFC 4180.
    #[must_use]
    pub const fn with_crlf(self) -> CsvOptions {
        CsvOptions { line_end: "\r\n", ..self }
    }

    /// Writes an apostrophe before text and names that begin with `=`, `+`, `-`, `@`, a tab or a line end. Spreadsheet programs
    /// would run such cells as formulas, which may send data to other computers or start programs. Numbers are unchanged. Other
    /// readers of CSV return the apostrophe as the first character of the value.
    ///
    /// ```
    /// use arrow_array::Utf8Array;
    /// use arrow_data::RecordBatch;
    /// use arrow_text::{CsvOptions, CsvWriter};
    ///
    /// let text = Utf8Array::try_from_iter(["=1+2", "1+2"])?;
    /// let batch = RecordBatch::try_from_columns([("text", text.into())])?;
    /// let mut out = Vec::new();
    /// CsvWriter::new_with(CsvOptions::new().with_escaped_formulas()).rows(&batch)?.write_to(&mut out)?;
    /// assert_eq!(out, b"text\n'=1+2\n1+2\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn with_escaped_formulas(self) -> CsvOptions {
        CsvOptions { escapes_formulas: true, ..self }
    }
}

impl Default for CsvOptions {
    fn default() -> CsvOptions {
        CsvOptions::new()
    }
}

/// Whether spreadsheet programs take this text for a formula. Full-width forms of `=`, `+`, `-` and `@` count, too.
pub(crate) fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// A cell without the spaces and tabs around it. Values of types other than text may have them.
pub(crate) fn unspaced(cell: &str) -> &str {
    cell.trim_matches([' ', '\t'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_marks_are_plain_numbers() {
        let german = CsvOptions::new().with_number_marks(',', Some('.')).unwrap().numbers;
        let comma = CsvOptions::new().with_number_marks(',', None).unwrap().numbers;
        let swiss = CsvOptions::new().with_number_marks('.', Some('\'')).unwrap().numbers;
        let [spaces, narrow] = [' ', '\u{202f}']
            .map(|mark| CsvOptions::new().with_number_marks(',', Some(mark)).unwrap().numbers);
        let cases = [
            (german, "1.234,5", Some("1234.5")),
            (german, "-1.234.567", Some("-1234567")),
            (german, "1234,5e-3", Some("1234.5e-3")),
            (german, "+12,", Some("+12.")),
            (german, "007", Some("007")),
            (german, "NaN", Some("NaN")),
            (german, "", Some("")),
            (german, "1.5", None),
            (german, "1234.567", None),
            (german, "1.234.5", None),
            (german, ".123", None),
            (german, "0.123", None),
            (german, "-00.123", None),
            (german, "0,5", Some("0.5")),
            (german, "007", Some("007")),
            (german, "1,234.5", None),
            (german, "1,2,3", None),
            (german, "1 234", None),
            (comma, "1,5", Some("1.5")),
            (comma, "1.5", None),
            (comma, ",5", Some(".5")),
            (swiss, "1'234.5", Some("1234.5")),
            (swiss, "1'23", None),
            (NumberMarks::PLAIN, "1,5", Some("1,5")),
            (german, "2024-02-29", None),
            (spaces, "1 234,5", Some("1234.5")),
            (spaces, "1\u{a0}234\u{a0}567,5", Some("1234567.5")),
            (spaces, "1\u{202f}234", Some("1234")),
            (spaces, "1 234\u{a0}567", None),
            (spaces, "1\u{a0}23", None),
            (narrow, "1\u{202f}234,5", Some("1234.5")),
            (narrow, "1\u{a0}234,5", None),
            (narrow, "1 234,5", None),
        ];
        for (marks, text, expected) in cases {
            assert_eq!(marks.plain(text, &mut "old".to_owned()), expected, "{text}");
        }
        for (decimal, thousands) in [
            (',', Some(',')),
            ('1', None),
            ('e', None),
            ('-', None),
            ('é', None),
            ('\n', None),
            ('.', Some('٣')),
        ] {
            assert!(CsvOptions::new().with_number_marks(decimal, thousands).is_err(), "{decimal}");
        }
    }

    #[test]
    fn comments_begin_with_another_byte_than_the_delimiter() {
        let semicolons = CsvOptions::new().with_delimiter(b';').unwrap();
        assert!(semicolons.with_comment(b',').is_ok_and(|options| options.with_delimiter(b'#').is_ok()));
        assert_eq!(semicolons.with_comment(b';'), Err(CsvOptionError::Delimiter { found: b';' }));
        let comments = CsvOptions::new().with_comment(b';').unwrap();
        assert_eq!(comments.with_delimiter(b';'), Err(CsvOptionError::Delimiter { found: b';' }));
    }

    #[test]
    fn nulls_may_have_many_texts() {
        let mut options = CsvOptions::new();
        for text in ["NA", "-", "\\N", "", "é"] {
            options = options.with_null_text(text).unwrap();
        }
        let cases =
            [("NA", true), ("-", true), ("é", true), ("\\N", true), ("", true), ("N", false), ("NA-", false)];
        for (text, expected) in cases {
            assert_eq!(options.is_null_text(text), expected, "{text}");
        }
        // The lengths of the five texts, plus one byte for each.
        assert!(options.with_null_text(&"x".repeat(127 - 12 - 1)).is_ok());
        assert!(options.with_null_text(&"x".repeat(127 - 12)).is_err());
        assert!(options.with_null_text(&"x".repeat(300)).is_err());
        let usual = CsvOptions::new().with_usual_nulls();
        assert!(usual.is_null("N/A") && !usual.is_null_text("N/A"));
        assert!(!usual.is_null("-") && !usual.is_null("NaN"));
        assert!(USUAL_NULLS.iter().all(|word| usual.is_null(word)));
    }
}
