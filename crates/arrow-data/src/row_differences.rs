//! The differences of two batches, row by row.

use std::{fmt, iter::FusedIterator, sync::Arc};

use crate::{
    array::{ColumnDifference, Comparer},
    batch::{RecordBatch, check_names},
    columns,
    error::DataError,
};

/// Iterates over the values of two batches that differ, row by row and, within a row, in the order of the columns. Reports at most
/// one difference for each row of a column. Copies nothing, and searches as the iterator advances.
///
/// Rows that only one batch has are not reported: compare [`n_rows`](RecordBatch::n_rows).
///
/// # Errors
/// If the names of the columns differ, if the types of a column cannot have the same values
/// ([`Incomparable`](crate::DataErrorKind::Incomparable)), or if a column is invalid. The error names the column.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
/// use arrow_schema::DataType;
/// use arrow_data::differences;
///
/// let batch = |values: Vec<i32>| {
///     let parts = ArrayParts::new(DataType::Int32, values.len());
///     let ids = ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })?;
///     RecordBatch::try_from_columns([("id", ids)])
/// };
/// let found: Vec<String> =
///     differences(&batch(vec![1, 2, 3])?, &batch(vec![1, 5, 4])?)?.map(|found| found.to_string()).collect();
/// assert_eq!(found, ["row 1, id", "row 2, id"]);
/// # Ok::<(), arrow_data::DataError>(())
/// ```
pub fn differences(left: &RecordBatch, right: &RecordBatch) -> Result<RowDifferences, DataError> {
    check_names(left.schema(), right.schema())?;
    let n_rows = left.n_rows().min(right.n_rows());
    let columns = left.columns().iter().zip(right.columns());
    let columns = columns::each(left.schema(), columns, |field, (one, other)| {
        let name = field.to_shared_name();
        let comparer = Comparer::try_new(one, other)?;
        Ok(ComparedColumn { name, comparer, next: NextDifference::After(0) })
    });
    Ok(RowDifferences { columns: columns.collect::<Result<Vec<ComparedColumn>, DataError>>()?, n_rows })
}

/// The differences of two batches, by row and column: see [`differences`](crate::differences).
#[derive(Debug)]
pub struct RowDifferences {
    columns: Vec<ComparedColumn>,
    n_rows: usize,
}

#[derive(Debug)]
struct ComparedColumn {
    name: Arc<str>,
    comparer: Comparer,
    next: NextDifference,
}

#[derive(Debug, Clone, Copy)]
enum NextDifference {
    /// The next row that differs.
    Row(usize),
    /// The next row that differs is this row or a later one. It has not been searched yet.
    After(usize),
    None,
}

/// A value that differs from the value in the same row and column of another batch.
///
/// A difference prints as its position: `row 3, phones[2].number`.
#[derive(Debug, Clone)]
pub struct RowDifference {
    row: usize,
    column_idx: usize,
    name: Arc<str>,
    difference: ColumnDifference,
}

impl RowDifference {
    /// The row, counted from 0 in both batches.
    pub fn row(&self) -> usize {
        self.row
    }

    /// The position of the column in the batch, counted from 0.
    pub fn column_idx(&self) -> usize {
        self.column_idx
    }

    /// The name of the column, which is the same in both batches.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The field below the column, and both values.
    pub fn difference(&self) -> &ColumnDifference {
        &self.difference
    }
}

impl fmt::Display for RowDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, {}", self.row, self.difference.in_column(&self.name))
    }
}

impl ComparedColumn {
    /// Returns the next row that differs. A second call does not search again.
    fn next_row(&mut self, n_rows: usize) -> Option<usize> {
        if let NextDifference::After(start) = self.next {
            // No slot is out of bounds: both columns have these rows.
            let n_equal = self.comparer.mismatch_inside(start, start, n_rows.saturating_sub(start));
            self.next = n_equal.map_or(NextDifference::None, |n| NextDifference::Row(start + n));
        }
        match self.next {
            NextDifference::Row(row) => Some(row),
            NextDifference::After(_) | NextDifference::None => None,
        }
    }
}

impl Iterator for RowDifferences {
    type Item = RowDifference;

    fn next(&mut self) -> Option<RowDifference> {
        let n_rows = self.n_rows;
        let rows = self.columns.iter_mut().enumerate();
        let rows = rows.filter_map(|(column_idx, column)| Some((column.next_row(n_rows)?, column_idx)));
        let (row, column_idx) = rows.min()?;
        let column = &mut self.columns[column_idx];
        column.next = NextDifference::After(row + 1);
        let difference = column.comparer.difference_at(row, row);
        Some(RowDifference { row, column_idx, name: Arc::clone(&column.name), difference })
    }
}

impl FusedIterator for RowDifferences {}
