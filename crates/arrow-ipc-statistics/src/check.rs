//! Compares statistics with rows.

use std::{error, fmt};

use arrow_array::Scalar;
use arrow_compute::{ColumnBounds, StatisticsError};
use arrow_data::RecordBatch;
use arrow_schema::FieldPath;

use crate::columns::{bounds_at, is_unknown};

/// A contradiction between statistics and rows.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum WrongStatistics {
    /// The statistics state another number of rows.
    Rows {
        /// The number in the statistics.
        stated: u64,
        /// The number of rows that were read.
        found: u64,
    },
    /// The statistics state another number of nulls for a column.
    Nulls {
        /// The path of the column or of a field inside it.
        path: FieldPath,
        /// The number in the statistics.
        stated: u64,
        /// The number of nulls in the rows that were read.
        found: u64,
    },
    /// A value is less than the lower bound.
    Less {
        /// The path of the column or of a field inside it.
        path: FieldPath,
        /// The bound as text, cut after 64 characters.
        bound: String,
        /// The least value as text, cut after 64 characters.
        found: String,
    },
    /// A value is greater than the upper bound.
    Greater {
        /// The path of the column or of a field inside it.
        path: FieldPath,
        /// The bound as text, cut after 64 characters.
        bound: String,
        /// The greatest value as text, cut after 64 characters.
        found: String,
    },
    /// A bound is declared to be an exact value, but no row has this value.
    Exact {
        /// The path of the column or of a field inside it.
        path: FieldPath,
        /// The bound as text, cut after 64 characters.
        value: String,
    },
    /// The rows cannot be compared, because they have another schema or invalid content.
    Batch(StatisticsError),
}

/// Compares the statistics of a batch with its rows. You may add the rows in several calls.
#[derive(Debug, Clone)]
pub struct StatisticsCheck<'a> {
    stated_rows: Option<u64>,
    n_rows: u64,
    columns: Vec<CheckedColumn<'a>>,
}

/// The statistics of a column, and what is known of the rows so far.
#[derive(Debug, Clone)]
struct CheckedColumn<'a> {
    path: &'a FieldPath,
    known: ColumnBounds,
    null_count: Option<u64>,
    /// Whether a row has the least value of the statistics; `max_occurs` is for the greatest.
    min_occurs: bool,
    max_occurs: bool,
}

impl<'a> StatisticsCheck<'a> {
    /// Begins a check before any row was read. `n_rows` is the number of rows in the statistics. `columns` contains the
    /// bounds of columns and of fields inside them.
    pub fn new(
        n_rows: Option<u64>,
        columns: impl IntoIterator<Item = (&'a FieldPath, ColumnBounds)>,
    ) -> StatisticsCheck<'a> {
        let stated = columns.into_iter().filter(|(_, known)| !is_unknown(known));
        let columns = stated.map(|(path, known)| CheckedColumn {
            path,
            known,
            null_count: Some(0),
            min_occurs: false,
            max_occurs: false,
        });
        StatisticsCheck { stated_rows: n_rows, n_rows: 0, columns: columns.collect() }
    }

    /// Adds rows of the batch. Each row must be added once.
    ///
    /// # Errors
    /// If a value is outside the bounds, or the content of a column is invalid.
    pub fn add(&mut self, rows: &RecordBatch) -> Result<(), WrongStatistics> {
        self.n_rows = self.n_rows.saturating_add(rows.n_rows() as u64);
        for CheckedColumn { path, known, null_count, min_occurs, max_occurs } in &mut self.columns {
            let found = bounds_at(rows, path, usize::MAX).map_err(WrongStatistics::Batch)?;
            if !known.encloses(&found) {
                return Err(outside(path, known, &found));
            }
            // Two bounds that enclose each other are equal.
            *min_occurs |= found.min.is_some() && only_min(&found).encloses(&only_min(known));
            *max_occurs |= found.max.is_some() && only_max(&found).encloses(&only_max(known));
            *null_count = null_count.zip(found.null_count).map(|(sum, n)| sum.saturating_add(n));
        }
        Ok(())
    }

    /// Compares the numbers of rows and nulls and the exact bounds. Call this after all rows have been added.
    ///
    /// # Errors
    /// If the number of rows or nulls is wrong, or no row has a bound that is declared exact.
    pub fn finish(self) -> Result<(), WrongStatistics> {
        let StatisticsCheck { stated_rows, n_rows: found, columns } = self;
        if let Some(stated) = stated_rows.filter(|stated| *stated != found) {
            return Err(WrongStatistics::Rows { stated, found });
        }
        for CheckedColumn { path, known, null_count, min_occurs, max_occurs } in columns {
            let nulls = known.null_count.zip(null_count).filter(|(stated, found)| stated != found);
            if let Some((stated, found)) = nulls {
                return Err(WrongStatistics::Nulls { path: path.clone(), stated, found });
            }
            let missing = [
                if known.is_min_exact && !min_occurs { known.min } else { None },
                if known.is_max_exact && !max_occurs { known.max } else { None },
            ];
            if let Some(value) = missing.iter().flatten().next() {
                return Err(WrongStatistics::Exact { path: path.clone(), value: shown(value) });
            }
        }
        Ok(())
    }
}

/// The error for the bound that `found` violates.
fn outside(path: &FieldPath, known: &ColumnBounds, found: &ColumnBounds) -> WrongStatistics {
    let path = path.clone();
    let text = |value: &Option<Scalar>| value.as_ref().map_or_else(|| "NaN".to_owned(), shown);
    let of_min = ColumnBounds { max: None, ..known.clone() };
    if of_min.encloses(found) {
        WrongStatistics::Greater { path, bound: text(&known.max), found: text(&found.max) }
    } else {
        WrongStatistics::Less { path, bound: text(&known.min), found: text(&found.min) }
    }
}

/// A value as text, cut after 64 characters.
fn shown(value: &Scalar) -> String {
    let mut text = value.to_string();
    if let Some((end, _)) = text.char_indices().nth(64) {
        text.truncate(end);
        text.push('…');
    }
    text
}

fn only_min(bounds: &ColumnBounds) -> ColumnBounds {
    ColumnBounds { min: bounds.min.clone(), ..ColumnBounds::default() }
}

fn only_max(bounds: &ColumnBounds) -> ColumnBounds {
    ColumnBounds { max: bounds.max.clone(), ..ColumnBounds::default() }
}

arrow_error::debug_as_display!(WrongStatistics);

impl fmt::Display for WrongStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongStatistics::Rows { stated, found } => {
                write!(f, "the statistics state {stated} rows, but {found} were found")
            }
            WrongStatistics::Nulls { path, stated, found } => {
                write!(f, "the statistics state {stated} nulls of {path}, but {found} were found")
            }
            WrongStatistics::Less { path, bound, found } => {
                write!(
                    f,
                    "the statistics say that no value of {path} is less than {bound}, but a row has {found}"
                )
            }
            WrongStatistics::Greater { path, bound, found } => {
                write!(
                    f,
                    "the statistics say that no value of {path} is greater than {bound}, but a row has {found}"
                )
            }
            WrongStatistics::Exact { path, value } => {
                write!(
                    f,
                    "the statistics say that {value} is the least or the greatest value of {path}, but the value does not occur"
                )
            }
            WrongStatistics::Batch(error) => error.fmt(f),
        }
    }
}

impl error::Error for WrongStatistics {}
