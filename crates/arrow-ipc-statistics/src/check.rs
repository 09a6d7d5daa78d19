//! Compares statistics with the rows that they describe.

use std::{error, fmt};

use arrow_array::Scalar;
use arrow_compute::{ColumnBounds, StatisticsError};
use arrow_data::RecordBatch;
use arrow_schema::FieldPath;

use crate::columns::{bounds_at, is_unknown};

/// A contradiction between statistics and the rows that they describe.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WrongStatistics {
    /// The number of rows differs from the number in the statistics.
    Rows {
        /// The number in the statistics.
        stated: u64,
        /// The number of rows that were read.
        found: u64,
    },
    /// The number of nulls of a column differs from the number in the statistics.
    Nulls {
        /// The column, or a field inside it.
        path: FieldPath,
        /// The number in the statistics.
        stated: u64,
        /// The number of nulls that were read.
        found: u64,
    },
    /// A value is less than the lower bound.
    Less {
        /// The column, or a field inside it.
        path: FieldPath,
        /// The bound, at most 64 characters of it.
        bound: String,
        /// The least value, at most 64 characters of it.
        found: String,
    },
    /// A value is greater than the upper bound.
    Greater {
        /// The column, or a field inside it.
        path: FieldPath,
        /// The bound, at most 64 characters of it.
        bound: String,
        /// The greatest value, at most 64 characters of it.
        found: String,
    },
    /// The least or the greatest value is declared exact, but no row has this value.
    Exact {
        /// The column, or a field inside it.
        path: FieldPath,
        /// The value that no row has, at most 64 characters of it.
        value: String,
    },
    /// The rows cannot be compared: they have another schema, or invalid content.
    Batch(StatisticsError),
}

/// Compares statistics of a batch with its rows, which may be added in several steps.
#[derive(Debug, Clone)]
pub struct StatisticsCheck<'a> {
    stated_rows: Option<u64>,
    n_rows: u64,
    columns: Vec<CheckedColumn<'a>>,
}

/// The bounds of a column in the statistics, and what the rows so far have shown.
#[derive(Debug, Clone)]
struct CheckedColumn<'a> {
    path: &'a FieldPath,
    known: ColumnBounds,
    n_nulls: Option<u64>,
    /// Whether a row has the least value. `max_occurs` is the same for the greatest value.
    min_occurs: bool,
    max_occurs: bool,
}

impl<'a> StatisticsCheck<'a> {
    /// Begins a comparison with statistics: with the number of rows, and with the bounds of columns and of fields inside them.
    pub fn new(
        n_rows: Option<u64>,
        columns: impl IntoIterator<Item = (&'a FieldPath, ColumnBounds)>,
    ) -> StatisticsCheck<'a> {
        let stated = columns.into_iter().filter(|(_, known)| !is_unknown(known));
        let columns = stated.map(|(path, known)| CheckedColumn {
            path,
            known,
            n_nulls: Some(0),
            min_occurs: false,
            max_occurs: false,
        });
        StatisticsCheck { stated_rows: n_rows, n_rows: 0, columns: columns.collect() }
    }

    /// Adds the next rows.
    ///
    /// # Errors
    /// If a value is outside the bounds, or the content of a column is invalid.
    pub fn add(&mut self, rows: &RecordBatch) -> Result<(), WrongStatistics> {
        self.n_rows = self.n_rows.saturating_add(rows.n_rows() as u64);
        for CheckedColumn { path, known, n_nulls, min_occurs, max_occurs } in &mut self.columns {
            let found = bounds_at(rows, path, usize::MAX).map_err(WrongStatistics::Batch)?;
            if !known.encloses(&found) {
                return Err(outside(path, known, &found));
            }
            // If each of two bounds encloses the other, they are equal.
            *min_occurs |= found.min.is_some() && only_min(&found).encloses(&only_min(known));
            *max_occurs |= found.max.is_some() && only_max(&found).encloses(&only_max(known));
            *n_nulls = n_nulls.zip(found.n_nulls).map(|(sum, n)| sum.saturating_add(n));
        }
        Ok(())
    }

    /// Adds the result of another check of the same statistics, which has compared other rows.
    pub fn join(&mut self, other: &StatisticsCheck<'_>) {
        self.n_rows = self.n_rows.saturating_add(other.n_rows);
        for (own, other) in self.columns.iter_mut().zip(&other.columns) {
            own.n_nulls = own.n_nulls.zip(other.n_nulls).map(|(sum, n)| sum.saturating_add(n));
            own.min_occurs |= other.min_occurs;
            own.max_occurs |= other.max_occurs;
        }
    }

    /// Compares the totals. Call this after all rows have been added.
    ///
    /// # Errors
    /// If the number of rows or nulls is wrong, or if a bound is declared exact, but no row has its value.
    pub fn finish(self) -> Result<(), WrongStatistics> {
        let StatisticsCheck { stated_rows, n_rows: found, columns } = self;
        if let Some(stated) = stated_rows.filter(|stated| *stated != found) {
            return Err(WrongStatistics::Rows { stated, found });
        }
        for CheckedColumn { path, known, n_nulls, min_occurs, max_occurs } in columns {
            let nulls = known.n_nulls.zip(n_nulls).filter(|(stated, found)| stated != found);
            if let Some((stated, found)) = nulls {
                return Err(WrongStatistics::Nulls { path: path.clone(), stated, found });
            }
            let missing = [
                known.min.filter(|_| known.is_min_exact && !min_occurs),
                known.max.filter(|_| known.is_max_exact && !max_occurs),
            ];
            if let Some(value) = missing.iter().flatten().next() {
                return Err(WrongStatistics::Exact { path: path.clone(), value: shown(value) });
            }
        }
        Ok(())
    }
}

/// The error for the bound that `found` exceeds.
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

/// A value as text, at most its first 64 characters.
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

impl fmt::Display for WrongStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongStatistics::Rows { stated, found } => {
                write!(f, "the statistics say {stated} rows, and there are {found}")
            }
            WrongStatistics::Nulls { path, stated, found } => {
                write!(f, "the statistics say {stated} nulls of {path}, and there are {found}")
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
                    "the statistics say that {value} is the least or the greatest value of {path}, and it does not occur"
                )
            }
            WrongStatistics::Batch(error) => error.fmt(f),
        }
    }
}

impl error::Error for WrongStatistics {}
