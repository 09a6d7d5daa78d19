//! Options that select rows, and types of columns of data sets, for all commands that read rows.

use std::{fmt, ops::Range, str::FromStr};

use arrow_compute::{Predicate, PredicateError};
use arrow_ipc_tools::{ColumnNames, InputName, RowQuery, RowWindow, ToolError};
use arrow_schema::DataType;
use clap::Args;

use super::{named::TypeArg, values::at_least_0};
use crate::{exit::Failure, names::InputArg};

// Which rows are read.
#[derive(Debug, Clone, Args)]
pub(crate) struct RowsArgs {
    /// Only these rows, counted from 0; B is not included: A..B, A.. or ..B. Row A must exist, unless
    /// --where is given
    #[arg(long, help_heading = "Rows", value_name = "A..B", conflicts_with_all = ["offset", "limit"])]
    rows: Option<NumberRange>,
    /// Skip the first N rows. If no rows follow them, `cat` shows none, and other commands end with status 2
    #[arg(long, help_heading = "Rows", value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = at_least_0)]
    offset: u64,
    /// At most this many rows [default: all]. The input is not read after them, so errors and trailing bytes there are
    /// not reported
    #[arg(long, help_heading = "Rows", short = 'n', value_name = "N", allow_negative_numbers = true, value_parser = at_least_0)]
    limit: Option<u64>,
    #[command(flatten)]
    condition: ConditionArg,
}

// A condition on rows.
#[derive(Debug, Clone, Args)]
pub(crate) struct ConditionArg {
    /// Only rows for which CONDITION holds: comparisons of columns with constants or columns (=, !=, <, <=, >, >=, between,
    /// in, like, ilike, contains, is null), joined by `and`, `or`, `not` and parentheses. Write numbers, `true` and `false` without quotes,
    /// and all other values in single or double quotes, in the form that `cat` shows: 'amount > 100 and city in
    /// ("Oslo", "Rome")', 'day >= "2024-02-29" or note is null', 'name like "a%"'. A comparison with a null does not
    /// hold. With this option, other options that count rows only count rows that match
    #[arg(long = "where", help_heading = "Rows", value_name = "CONDITION", allow_hyphen_values = true, value_parser = condition)]
    condition: Option<Predicate>,
    /// Skip each batch in which no row can match according to the statistics that `convert --statistics` wrote into the
    /// footer. If the statistics are wrong, rows are missing and counts are wrong: first check files of others with
    /// `validate`
    #[arg(long, help_heading = "Rows", requires = "condition")]
    trust_statistics: bool,
}

// The types of columns of data sets.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CastArg {
    /// Give a column this type in all files of a folder or pattern, for files that have no common type for the column. Values that do not
    /// fit the type are an error. May be given several times
    #[arg(long, value_name = "COLUMN=TYPE", value_parser = arrow_type)]
    cast: Vec<TypeArg>,
}

impl CastArg {
    /// Adds the types to a query for these inputs.
    ///
    /// # Errors
    /// If types are given, and no input is a data set.
    pub(crate) fn add_to(&self, query: RowQuery, inputs: &[InputArg]) -> Result<RowQuery, Failure> {
        if !self.cast.is_empty() && !inputs.iter().any(InputArg::is_set) {
            let other = "a folder or pattern; `convert --cast` changes types of other inputs";
            return Err(Failure::Needs { option: "--cast", other });
        }
        let casts =
            self.cast.iter().map(|TypeArg(column, field)| (column.clone(), field.data_type().clone()));
        Ok(query.with_casts(casts))
    }
}

/// Parses a column and a type of Arrow: no extension type, and no dictionary of values whose type is that of the column.
fn arrow_type(text: &str) -> Result<TypeArg, String> {
    let TypeArg(column, field) = text.parse()?;
    let is_open = field.data_type().as_dictionary().is_some_and(|it| *it.value() == DataType::Null);
    if field.extension().is_some() || is_open {
        return Err("expected a type of Arrow, such as utf8, int64 or dictionary<int32, utf8>".to_owned());
    }
    Ok(TypeArg(column, field))
}

/// The error of a condition. It has the text of the condition, to mark the wrong characters.
#[derive(Debug)]
pub(crate) struct ConditionError {
    text: String,
    error: PredicateError,
}

impl ConditionArg {
    /// The query for these columns, with the condition of the arguments.
    pub(crate) fn query(&self, columns: Option<ColumnNames>) -> RowQuery {
        let query = columns.into_iter().fold(RowQuery::new(), RowQuery::with_columns);
        let query = self.condition.clone().into_iter().fold(query, RowQuery::with_condition);
        if self.trust_statistics { query.with_trusted_statistics() } else { query }
    }

    pub(crate) fn is_given(&self) -> bool {
        self.condition.is_some()
    }
}

fn condition(text: &str) -> Result<Predicate, ConditionError> {
    text.parse().map_err(|error| ConditionError { text: text.to_owned(), error })
}

/// Writes the error, and below it a line that marks the wrong characters.
impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConditionError { text, error } = self;
        write!(f, "{}", error.kind())?;
        if text.contains(char::is_control) {
            return Ok(());
        }
        let Some(range) = error.range() else { return Ok(()) };
        /// The maximal number of characters that are shown on each side of the error.
        const SHOWN: usize = 100;
        let width = |range: Range<usize>| text.get(range).map_or(0, |text| text.chars().count());
        let before = width(0..range.start);
        let marked = width(range);
        let first = before.saturating_sub(SHOWN);
        let shown: String = text.chars().skip(first).take(before - first + SHOWN).collect();
        let start = if first > 0 { "…" } else { "" };
        let end = if width(0..text.len()) > before + SHOWN { "…" } else { "" };
        let indent = " ".repeat(start.chars().count() + before - first);
        write!(f, "\n\n    {start}{shown}{end}\n    {indent}{}", "^".repeat(marked.clamp(1, SHOWN)))
    }
}

impl std::error::Error for ConditionError {}

impl RowsArgs {
    /// The arguments with the condition on rows.
    pub(crate) fn condition(&self) -> &ConditionArg {
        &self.condition
    }

    /// The window of rows that the options select.
    pub(crate) fn window(&self) -> RowWindow {
        match &self.rows {
            Some(rows) => rows.window(),
            None => RowWindow::new(self.offset, self.limit),
        }
    }

    /// Checks that the first selected row exists, if `--rows` selects rows by number. Call this after the last input,
    /// whose name is `last`.
    ///
    /// # Errors
    /// If this row does not exist.
    pub(crate) fn check_named(&self, window: RowWindow, last: &InputName) -> Result<(), ToolError> {
        if self.rows.is_some() { window.check_start(last) } else { Ok(()) }
    }
}

/// A range of numbers: A..B, A.. or ..B.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NumberRange(pub(crate) Range<u64>);

impl NumberRange {
    /// The window of rows with these numbers.
    pub(crate) fn window(&self) -> RowWindow {
        RowWindow::from_rows(self.0.clone())
    }
}

impl FromStr for NumberRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<NumberRange, &'static str> {
        const EXPECTED: &str = "expected a range of numbers from 0 on: 2..5 is 2, 3 and 4";
        let (start, end) = text.split_once("..").ok_or(EXPECTED)?;
        let number = |text: &str, absent: u64| match text {
            "" => Ok(absent),
            text => text.parse().map_err(|_| EXPECTED),
        };
        let start = number(start, 0)?;
        let end = number(end, u64::MAX)?;
        if end < start {
            return Err("the end of the range is before its start");
        }
        Ok(NumberRange(start..end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_may_be_open() {
        let cases = [
            ("2..5", Some(2..5)),
            ("0..0", Some(0..0)),
            ("..7", Some(0..7)),
            ("7..", Some(7..u64::MAX)),
            ("..", Some(0..u64::MAX)),
            ("5..2", None),
            ("5", None),
            ("-1..2", None),
            ("1...2", None),
            ("a..b", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse().ok(), expected.map(NumberRange), "{text}");
        }
    }
}
