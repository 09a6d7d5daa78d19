//! Converts batches to rows. A batch becomes a tree of typed arrays, from which serde's deserializers read.

mod access;
mod budget;
mod column;
mod deserializer;
mod leaf;
mod slot;
mod variant;

use std::{fmt, iter::FusedIterator, marker::PhantomData, ops::Range};

use arrow_array::StructArray;
use arrow_data::RecordBatch;
use arrow_schema::PathStep;
use serde_core::de::{Deserialize, DeserializeOwned};

use self::{budget::RowBudget, column::TypedColumn, slot::Slot};
use crate::{
    MAX_DEPTH,
    error::{Result, SerdeErrorKind},
};

/// The rows of a batch, for reading them as values of a Rust type. Make a `BatchRows` once, then read each row.
///
/// Fields find their columns by name, in any order. Columns that are not fields of the type are skipped. A missing column
/// becomes `None`, a default or an error, as serde decides. Tuples read all columns in order. `&str` and `&[u8]` borrow from
/// the batch. The table in [the crate](crate) lists the Rust types for each column type.
///
/// ```
/// use arrow_schema::Schema;
/// use arrow_serde::BatchRows;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Person<'a> {
///     name: &'a str,
///     score: Option<f64>,
/// }
///
/// let schema: Schema = "score: float64\nid: int64\nname: utf8".parse()?;
/// let batch = arrow_serde::to_batch(schema, [(Some(0.5), 1, "ada"), (None, 2, "eve")])?;
/// let rows = BatchRows::try_new(&batch)?;
/// for person in rows.iter::<Person<'_>>() {
///     let Person { name, score } = person?;
///     println!("{name}: {score:?}");
/// }
/// assert_eq!(rows.row::<Person<'_>>(1)?.name, "eve");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A row of a small batch may be almost endless, since lists of nulls take no memory, and views, list views and dictionaries
/// can refer to the same values many times. So a row may have at most eight values, or bytes of text, for each byte of the
/// batch and of the names of its fields, plus a million. [`with_max_values`](BatchRows::with_max_values) changes this limit.
///
/// Text that is made of other values counts, too, such as that of decimals and dates. The name of a field that is read into a
/// map, or of a variant, counts from its 65th byte on, each time that it is read. Structs do not copy the names of fields, so
/// they count none.
///
/// If columns or fields share a name, reading a struct fails, and a map of the standard library keeps the last one.
#[derive(Debug)]
pub struct BatchRows {
    rows: TypedColumn,
    n_rows: usize,
    max_values: u64,
}

impl BatchRows {
    /// Prepares a batch for reading. Shares its data. Validates the content, unless it has been validated before.
    ///
    /// # Errors
    /// If the content of a column is invalid, or types nest deeper than the limit of 64 levels.
    pub fn try_new(batch: &RecordBatch) -> Result<BatchRows> {
        let fields = batch.schema().fields();
        let depth = fields.iter().map(|field| field.data_type().depth()).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(SerdeErrorKind::TooDeep { max: MAX_DEPTH as u64 }.into());
        }
        let structs = StructArray::try_from(batch)?;
        let rows = TypedColumn::try_new(PathStep::Dictionary, structs.data())?;
        let n_bytes = structs.data().n_bytes().saturating_add(rows.n_name_bytes());
        let max_values = n_bytes.saturating_mul(8).saturating_add(1 << 20);
        Ok(BatchRows { rows, n_rows: batch.n_rows(), max_values })
    }

    /// Sets the maximum number of values and bytes of text and long names of a row, counted together.
    #[must_use]
    pub fn with_max_values(self, max_values: u64) -> BatchRows {
        BatchRows { max_values, ..self }
    }

    /// The number of rows of the batch.
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    /// Reads one row as a value of type `T`.
    ///
    /// # Errors
    /// If the row is not a value of type `T`. If it has more values than the limit allows.
    ///
    /// # Panics
    /// If the row is out of bounds, as for indexing a slice.
    pub fn row<'de, T: Deserialize<'de>>(&'de self, row: usize) -> Result<T> {
        assert!(row < self.n_rows, "row {row} is outside of a batch of {}", self.n_rows);
        self.read(row)
    }

    /// Iterates over the rows as values of type `T`. Each row is read when the iterator reaches it.
    pub fn iter<'de, T: Deserialize<'de>>(&'de self) -> RowIter<'de, T> {
        RowIter { rows: self, positions: 0..self.n_rows, what: PhantomData }
    }

    #[inline]
    fn read<'de, T: Deserialize<'de>>(&'de self, row: usize) -> Result<T> {
        let budget = RowBudget::new(self.max_values);
        let value = T::deserialize(Slot { column: &self.rows, slot: row, budget: &budget });
        value.map_err(|error| error.at_row(row as u64))
    }
}

/// Iterates over the rows of a batch, as values of a type that borrows nothing. For types that borrow, use [`BatchRows`].
///
/// ```
/// use std::collections::BTreeMap;
///
/// use arrow_schema::Schema;
///
/// let schema: Schema = "id: int64\nday: date32".parse()?;
/// let batch = arrow_serde::to_batch(schema, [(1, "2024-02-29"), (2, "1970-01-01")])?;
/// let rows: Vec<(i64, String)> = arrow_serde::try_from_batch(&batch)?.collect::<Result<_, _>>()?;
/// assert_eq!(rows[0], (1, "2024-02-29".to_owned()));
///
/// // Dates are days, too, if that is what is asked for.
/// let days: Result<Vec<BTreeMap<String, i64>>, _> = arrow_serde::try_from_batch(&batch)?.collect();
/// assert_eq!(days?[0]["day"], 19_782);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The errors of [`BatchRows::try_new`]. Reading a row may also return an error, as an item of the iterator.
pub fn try_from_batch<T: DeserializeOwned>(batch: &RecordBatch) -> Result<OwnedRowIter<T>> {
    let rows = BatchRows::try_new(batch)?;
    Ok(OwnedRowIter { positions: 0..rows.len(), rows, what: PhantomData })
}

/// Iterates over the rows of a [`BatchRows`]. Reads each row when it is reached.
pub struct RowIter<'de, T> {
    rows: &'de BatchRows,
    positions: Range<usize>,
    what: PhantomData<fn() -> T>,
}

/// Iterates over the rows of a batch, which [`try_from_batch`] returns. Reads each row when it is reached.
pub struct OwnedRowIter<T> {
    rows: BatchRows,
    positions: Range<usize>,
    what: PhantomData<fn() -> T>,
}

/// The maximum number of rows in a size hint. A batch of a few bytes may have any number of rows.
const MAX_PROMISED_ROWS: usize = 1 << 16;

macro_rules! row_iterators {
    ($([$($generics:tt)*] $iterator:ty;)*) => {$(
        impl<$($generics)*> Iterator for $iterator {
            type Item = Result<T>;

            #[inline]
            fn next(&mut self) -> Option<Result<T>> {
                self.nth(0)
            }

            #[inline]
            fn nth(&mut self, n: usize) -> Option<Result<T>> {
                self.positions.nth(n).map(|row| self.rows.read(row))
            }

            fn size_hint(&self) -> (usize, Option<usize>) {
                let n_rows = self.positions.len();
                (n_rows.min(MAX_PROMISED_ROWS), Some(n_rows))
            }

            /// Counts the remaining rows without reading them.
            fn count(self) -> usize {
                self.positions.len()
            }
        }

        impl<$($generics)*> FusedIterator for $iterator {}
    )*};
}

row_iterators! {
    ['de, T: Deserialize<'de>] RowIter<'de, T>;
    [T: DeserializeOwned] OwnedRowIter<T>;
}

impl<T> fmt::Debug for RowIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowIter").field("positions", &self.positions).finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for OwnedRowIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnedRowIter").field("positions", &self.positions).finish_non_exhaustive()
    }
}
