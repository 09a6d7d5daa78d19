//! Infers a schema from the first rows of CSV or JSON.

#[cfg(feature = "json")]
mod json;
#[cfg_attr(not(feature = "json"), expect(dead_code))] // Cells have no parts.
mod kind;
mod numbers;
mod sniff;

use std::io::BufRead;

use arrow_schema::{DataType, Field, Schema};

use self::kind::Kind;
pub use self::sniff::{Sniff, SniffedCommas, SniffedCsv, SniffedDates, sniff_csv};
#[cfg(feature = "json")]
use self::{
    json::{kind_of, with_byte},
    kind::{InferenceContext, InferredMembers, MAX_MEMBERS},
};
#[cfg(feature = "json")]
use super::lines::Lines;
use super::{
    cells::is_row,
    csv::record_error,
    error::{RowError, RowErrorKind},
    records::Records,
};
use crate::csv_options::CsvOptions;

/// The maximum length of a record in bytes, which is the default of readers.
const MAX_RECORD_BYTES: usize = 16 << 20;

/// The bytes from which a schema is inferred by default, blank lines included, and the bytes of blank lines that may be
/// before the first row.
const START_BYTES: u64 = 8 << 20;

/// The maximum number of columns. Before rows are read, a column takes about a thousand times the memory of its text.
const MAX_COLUMNS: usize = 1 << 17;

/// How many rows inference reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum InferRows {
    /// The rows in the first 8 MiB of text.
    #[default]
    Start,
    /// This number of rows from the start, or all rows if there are fewer. Inference also stops before 8 MiB of blank
    /// lines.
    First(usize),
    /// All rows. Inference reads the whole text.
    All,
}

/// Where inference stops.
struct InferLimits {
    n_rows: usize,
    /// The bytes of blank lines before a row. If the next row does not begin before them, inference stops.
    n_empty_bytes: u64,
    /// The bytes of all rows.
    n_bytes: u64,
}

impl InferRows {
    fn limits(self) -> InferLimits {
        let all = InferLimits { n_rows: usize::MAX, n_empty_bytes: u64::MAX, n_bytes: u64::MAX };
        match self {
            InferRows::Start => InferLimits { n_empty_bytes: START_BYTES, n_bytes: START_BYTES, ..all },
            InferRows::First(n_rows) => InferLimits { n_rows, n_empty_bytes: START_BYTES, ..all },
            InferRows::All => all,
        }
    }
}

impl From<usize> for InferRows {
    fn from(n_rows: usize) -> InferRows {
        InferRows::First(n_rows)
    }
}

/// Infers a schema from the first `rows` of CSV. All columns are nullable. `NOTATION.md` has the rules.
///
/// Each column gets the first of these types that fits all its cells: boolean, integer, floating-point number, date, time of
/// day, timestamp with or without a time zone. Otherwise, and if all cells are empty, the type is utf8; with
/// [`with_null_columns`](CsvOptions::with_null_columns), it is null if all cells are empty. A column becomes
/// decimal if floating-point numbers would round a whole number. Read with
/// [`with_exact_numbers`](crate::CsvReader::with_exact_numbers), so that later whole numbers that would be rounded are errors. Without
/// a line of names, columns are called `c0`, `c1` and so on.
///
/// ```
/// use arrow_text::infer_csv;
///
/// let text = "id,price,day,code\n1,2.5,2024-02-29,007\n,3,,x\n";
/// let schema = infer_csv(text.as_bytes(), 1000)?;
/// assert_eq!(schema.to_string(), "id: int64\nprice: float64\nday: date32\ncode: utf8");
/// # Ok::<(), arrow_text::RowError>(())
/// ```
///
/// # Errors
/// If reading from the input fails. If a record is too long, is not UTF-8, has invalid quotes, or does not have a cell for each
/// name. If there are more than 131,072 columns. If no line follows the skipped lines.
pub fn infer_csv(input: impl BufRead, rows: impl Into<InferRows>) -> Result<Schema, RowError> {
    infer_csv_with(input, rows, CsvOptions::new())
}

/// Like [`infer_csv`], with options.
///
/// # Errors
/// The errors of [`infer_csv`].
pub fn infer_csv_with(
    input: impl BufRead,
    rows: impl Into<InferRows>,
    options: CsvOptions,
) -> Result<Schema, RowError> {
    let InferLimits { n_rows, n_empty_bytes, n_bytes } = rows.into().limits();
    let mut records = Records::new(input, &options, MAX_RECORD_BYTES);
    records.keep_cells(MAX_COLUMNS);
    records.end_after(n_empty_bytes);
    let mut columns: Option<Vec<(String, Kind)>> = None;
    let mut n_seen = 0;
    while n_seen < n_rows {
        let record = match records.next() {
            Ok(Some(record)) => record,
            Ok(None) => break,
            Err(error) => return Err(record_error(&records, error)),
        };
        let cells = (0..record.n_cells()).map_while(|idx| record.cell(idx));
        let Some(columns) = &mut columns else {
            if record.n_cells() > MAX_COLUMNS {
                let kind = RowErrorKind::TooManyColumns { max: MAX_COLUMNS as u64 };
                return Err(RowError::new(record.line(), kind));
            }
            columns = Some(if options.has_header() {
                cells.map(|(name, _)| (name.to_owned(), Kind::None)).collect()
            } else {
                n_seen += 1;
                let cells = cells.enumerate();
                cells.map(|(idx, cell)| (format!("c{idx}"), kind_of_cell(cell, &options))).collect()
            });
            if n_bytes > n_empty_bytes {
                records.end_after(n_empty_bytes);
            }
            continue;
        };
        let is_row = is_row(record, columns.len(), &options);
        if is_row.map_err(|kind| RowError::new(record.line(), kind))? {
            for ((_, kind), cell) in columns.iter_mut().zip(cells) {
                if !is_null(cell, &options) {
                    kind.add_cell(cell.0, &options);
                }
            }
        }
        if n_bytes > n_empty_bytes {
            records.end_after(n_empty_bytes);
        }
        n_seen += 1;
    }
    if columns.is_none() && records.is_cut() {
        return Err(only_empty_lines(records.line()));
    }
    if columns.is_none() && options.n_skipped_lines() > 0 {
        let n_lines = records.line().saturating_sub(1);
        return Err(RowError::new(
            0,
            RowErrorKind::TooFewLines { n_lines, n_skipped: options.n_skipped_lines() },
        ));
    }
    let column_type = |kind: Kind| {
        let is_null = matches!(kind, Kind::None) && options.has_null_columns;
        if is_null { DataType::Null } else { kind.csv_type() }
    };
    let fields = columns.into_iter().flatten().map(|(name, kind)| Field::new(name, column_type(kind)));
    Ok(fields.collect())
}

fn only_empty_lines(line: u64) -> RowError {
    RowError::new(line, RowErrorKind::OnlyEmptyLines { n_bytes: START_BYTES })
}

fn kind_of_cell(cell: (&str, bool), options: &CsvOptions) -> Kind {
    if is_null(cell, options) { Kind::None } else { Kind::from_cell(cell.0, options) }
}

/// Whether inference ignores a cell, which is then null for every type.
fn is_null((text, is_quoted): (&str, bool), options: &CsvOptions) -> bool {
    text.is_empty() || !is_quoted && options.is_null(text)
}

/// Infers a schema from the first `rows` lines of JSON. All fields are nullable. `NOTATION.md` has the rules. Needs the
/// feature `json`.
///
/// Members become columns, in order of first occurrence. A field with integers and other numbers becomes floating-point, or
/// decimal if floating-point numbers would round an integer. Read with [`with_exact_numbers`](crate::JsonReader::with_exact_numbers),
/// so that later integers that would be rounded are errors. Strings become dates, times of day or timestamps if all strings of
/// the field have this form, otherwise utf8. Objects become structs with the members of all objects, and arrays become lists.
///
/// ```
/// use arrow_text::infer_json;
///
/// let text = "{\"id\":1,\"at\":\"2024-02-29\"}\n{\"id\":2.5,\"tags\":[\"a\",null]}\n";
/// let schema = infer_json(text.as_bytes(), 1000)?;
/// assert_eq!(schema.to_string(), "id: float64\nat: date32\ntags: list<item: utf8>");
///
/// let error = infer_json("{\"id\":1}\n{\"id\":[1]}\n".as_bytes(), 1000).unwrap_err();
/// assert_eq!(error.to_string(), "line 2, byte 7: field `id`: expected an integer, as in earlier values, found an array");
/// # Ok::<(), arrow_text::RowError>(())
/// ```
///
/// # Errors
/// If reading from the input fails. If a line is too long, is not UTF-8 or is not an object. If no type fits all values of a
/// field: a number and an array, or numbers with more digits than decimals can have. If all levels together have more than
/// 1,048,576 members. If the type of a column would have more than 64 levels.
#[cfg(feature = "json")]
pub fn infer_json(input: impl BufRead, rows: impl Into<InferRows>) -> Result<Schema, RowError> {
    infer_json_except(input, rows, &[])
}

/// Like [`infer_json`], but the columns with these names get the type null. Needs the feature `json`.
///
/// # Errors
/// The errors of [`infer_json`].
#[cfg(feature = "json")]
pub fn infer_json_except(
    input: impl BufRead,
    rows: impl Into<InferRows>,
    given: &[&str],
) -> Result<Schema, RowError> {
    let InferLimits { n_rows, n_empty_bytes, n_bytes: most_bytes } = rows.into().limits();
    let mut lines = Lines::new(input, MAX_RECORD_BYTES);
    let given = given.iter().copied().collect();
    let mut all = Kind::Struct(InferredMembers::default());
    let mut context = InferenceContext::new(MAX_MEMBERS);
    let mut n_seen = 0;
    let mut n_bytes = 0_u64;
    let mut n_empty = 0_u64;
    while n_seen < n_rows && n_bytes < most_bytes && n_empty < n_empty_bytes {
        let Some(line) = lines.next()? else { break };
        let n_line_bytes = (line.len() as u64).saturating_add(1);
        n_bytes = n_bytes.saturating_add(n_line_bytes);
        n_empty = n_empty.saturating_add(n_line_bytes);
        if line.trim_matches([' ', '\t', '\r']).is_empty() {
            continue;
        }
        let merged = kind_of(line, &given, &mut context).and_then(|found| all.merge(found, &mut context));
        let merged = merged.map_err(|error| with_byte(error, line));
        merged.map_err(|error| error.on_line(lines.number()))?;
        n_seen += 1;
        n_empty = 0;
    }
    if n_seen == 0 && n_empty >= n_empty_bytes {
        return Err(only_empty_lines(lines.number()));
    }
    Ok(if let Kind::Struct(members) = all { Schema::new(members.into_fields()) } else { Schema::default() })
}
