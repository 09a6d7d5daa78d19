//! Reads the statistics in the footer of a file.

use arrow_array::{
    DictionaryArray, Int32Array, Int64Array, MapArray, Scalar, TypedBatch, UnionArray, Utf8Array,
};
use arrow_buffer::MemoryBudget;
use arrow_compute::{BoundPredicate, ColumnBounds, Matches, has_order};
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::{ReadOptions, StreamReader, file::Footer};
use arrow_schema::{FieldPath, visit};
use arrow_select::concat;

use crate::{
    check::{StatisticsCheck, WrongStatistics},
    columns::{n_fields, numbered},
    names::StatisticsName,
};

/// Statistics may use this much memory even if they are short.
const LEAST_BYTES: u64 = 1 << 20;

/// The statistics of the batches of a file, as its producer wrote them. If they are wrong, a reader may skip batches
/// with matching rows. [`check`](FileStatistics::check) compares them with the rows of a batch.
#[derive(Debug)]
pub struct FileStatistics {
    /// The columns, sorted by path, and so by index.
    columns: Vec<DescribedColumn>,
    batches: Vec<BatchEntries>,
    /// The number of rows of all batches; `None` if unknown.
    n_rows: Option<u64>,
}

/// A column, or a field inside structs, and the rows of the statistics about it. A footer can have many columns and many
/// batches, but few such rows.
#[derive(Debug)]
struct DescribedColumn {
    number: i32,
    path: FieldPath,
    /// The index of a batch, and the row in the statistics of this batch. Sorted, one for each batch.
    rows: Vec<(usize, usize)>,
}

/// The statistics of a batch.
#[derive(Debug)]
struct BatchEntries {
    /// The number of rows of the batch; `None` if unknown.
    n_rows: Option<u64>,
    entries: MapArray,
    keys: DictionaryArray,
    names: Utf8Array,
    values: UnionArray,
}

impl FileStatistics {
    /// Reads the statistics in a footer. `None` if the footer has no statistics, or if they are invalid: they describe
    /// another number of batches, do not have the statistics schema, have more rows than columns, or use more memory
    /// than 64 times their length plus 1 MiB.
    pub fn from_footer(footer: &Footer) -> Option<FileStatistics> {
        let stream = footer.statistics()?;
        let max_bytes = (stream.len() as u64).saturating_mul(64).saturating_add(LEAST_BYTES);
        let options = ReadOptions::new().with_memory_budget(MemoryBudget::new(max_bytes));
        let reader = StreamReader::try_new_with(&*stream, options).ok()?;
        let schema = footer.schema();
        let max_rows = n_fields(schema).saturating_add(1);
        let columns = numbered(schema).into_iter();
        let mut columns: Vec<DescribedColumn> =
            columns.map(|(number, path)| DescribedColumn { number, path, rows: Vec::new() }).collect();
        let mut batches: Vec<BatchEntries> = Vec::new();
        for batch in reader {
            if batches.len() == footer.n_batches() {
                return None;
            }
            let (entries, numbers) = BatchEntries::try_new(&batch.ok()?, max_rows)?;
            for (row, number) in numbers.iter().enumerate() {
                let Some(number) = number else { continue };
                let found = columns.binary_search_by_key(&number, |column| column.number).ok();
                if let Some(column) = found.and_then(|idx| columns.get_mut(idx)) {
                    column.add(batches.len(), row);
                }
            }
            batches.push(entries);
        }
        let n_rows = batches.iter().try_fold(0u64, |sum, batch| sum.checked_add(batch.n_rows?));
        (batches.len() == footer.n_batches()).then_some(FileStatistics { columns, batches, n_rows })
    }

    /// The number of batches in the file.
    pub fn n_batches(&self) -> usize {
        self.batches.len()
    }

    /// The paths of the columns, and of the fields inside structs, that can have statistics.
    pub fn columns(&self) -> impl Iterator<Item = &FieldPath> {
        self.columns.iter().map(|column| &column.path)
    }

    /// The bounds of a column, or of a field inside structs, in a batch. Unknown bounds are `None`.
    pub fn bounds(&self, batch_idx: usize, path: &FieldPath) -> ColumnBounds {
        let row = self.column(path).and_then(|column| column.row_of(batch_idx));
        self.bounds_in(batch_idx, row)
    }

    /// The bounds of a column, or of a field inside structs, in the batches for which the statistics describe it, each
    /// with the index of its batch.
    pub fn described_bounds(&self, path: &FieldPath) -> impl Iterator<Item = (usize, ColumnBounds)> + '_ {
        let rows = self.column(path).map_or(&[][..], |column| &column.rows);
        rows.iter().map(|(batch_idx, row)| (*batch_idx, self.bounds_in(*batch_idx, Some(*row))))
    }

    /// The number of batches for which the statistics describe a column.
    pub(crate) fn n_described(&self, path: &FieldPath) -> usize {
        self.column(path).map_or(0, |column| column.rows.len())
    }

    fn column(&self, path: &FieldPath) -> Option<&DescribedColumn> {
        let order = |known: &DescribedColumn| known.path.positions().cmp(path.positions());
        self.columns.binary_search_by(order).ok().and_then(|idx| self.columns.get(idx))
    }

    /// The bounds in a row of the statistics of a batch; unknown bounds without a row.
    fn bounds_in(&self, batch_idx: usize, row: Option<usize>) -> ColumnBounds {
        visit(1);
        let Some(batch) = self.batches.get(batch_idx) else { return ColumnBounds::default() };
        let known = row.map(|row| batch.bounds(row)).unwrap_or_default();
        ColumnBounds { n_rows: batch.n_rows, ..known }
    }

    /// The bounds of a column, or of a field inside structs, in all batches. Unknown bounds are `None`.
    pub fn bounds_of_all(&self, path: &FieldPath) -> ColumnBounds {
        // Bounds are unknown if they are unknown for one batch. Few columns may have statistics, of many batches.
        if self.n_described(path) < self.n_batches() {
            return ColumnBounds { n_rows: self.n_rows, ..ColumnBounds::default() };
        }
        let of_batches: Vec<ColumnBounds> = self.described_bounds(path).map(|(_, known)| known).collect();
        let sum = |count: fn(&ColumnBounds) -> Option<u64>| {
            of_batches.iter().try_fold(0u64, |sum, of_batch| sum.checked_add(count(of_batch)?))
        };
        // Batches without values have no bounds, and do not count here.
        let with_values =
            || of_batches.iter().filter(|known| known.n_rows.is_none() || known.n_rows != known.null_count);
        let joined = |bound: fn(&ColumnBounds) -> &Option<Scalar>| {
            let slots = with_values().map(|known| Some(bound(known).as_ref()?.as_array().data().clone()));
            let slots = slots.collect::<Option<Vec<ArrayData>>>().filter(|slots| !slots.is_empty())?;
            ColumnBounds::from_array(&concat(&slots).ok()?, usize::MAX).ok()
        };
        ColumnBounds {
            n_rows: self.n_rows,
            null_count: sum(|known| known.null_count),
            min: joined(|known| &known.min).and_then(|known| known.min),
            max: joined(|known| &known.max).and_then(|known| known.max),
            is_min_exact: false,
            is_max_exact: false,
        }
    }

    /// The number of rows of a batch; `None` if unknown.
    pub fn n_rows(&self, batch_idx: usize) -> Option<u64> {
        self.batches.get(batch_idx)?.n_rows
    }

    /// Whether no, some or all rows of a batch can match a predicate, which must be bound to the schema of the file.
    pub fn matches(&self, batch_idx: usize, predicate: &BoundPredicate) -> Matches {
        predicate.can_match(|path| self.bounds(batch_idx, path))
    }

    /// The indices of the batches in which rows can match a predicate, which must be bound to the schema of the file.
    pub fn batches_matching<'a>(&'a self, predicate: &'a BoundPredicate) -> impl Iterator<Item = usize> + 'a {
        (0..self.n_batches()).filter(|batch_idx| self.matches(*batch_idx, predicate) != Matches::None)
    }

    /// Compares the statistics of a batch with its rows. The batch must have all columns of the file.
    ///
    /// # Errors
    /// If the statistics contradict the rows: see [`WrongStatistics`].
    pub fn check(&self, batch_idx: usize, batch: &RecordBatch) -> Result<(), WrongStatistics> {
        let mut check = self.begin_check(batch_idx);
        check.add(batch)?;
        check.finish()
    }

    /// Like [`check`](FileStatistics::check), for a batch that you read in several steps.
    pub fn begin_check(&self, batch_idx: usize) -> StatisticsCheck<'_> {
        let columns = self
            .columns
            .iter()
            .map(|column| (&column.path, self.bounds_in(batch_idx, column.row_of(batch_idx))));
        StatisticsCheck::new(self.n_rows(batch_idx), columns)
    }
}

impl DescribedColumn {
    /// Adds a row of the last batch. Of several rows, the first counts.
    fn add(&mut self, batch_idx: usize, row: usize) {
        if self.rows.last().is_none_or(|(last, _)| *last != batch_idx) {
            self.rows.push((batch_idx, row));
        }
    }

    fn row_of(&self, batch_idx: usize) -> Option<usize> {
        let found = self.rows.binary_search_by_key(&batch_idx, |(batch_idx, _)| *batch_idx).ok()?;
        self.rows.get(found).map(|(_, row)| *row)
    }
}

impl BatchEntries {
    /// Reads the statistics of one batch, and the index of the column that each row describes. `None` if `batch` does not
    /// have the statistics schema, has more than `max_rows` rows, or has more than 64 entries in one row.
    fn try_new(batch: &RecordBatch, max_rows: usize) -> Option<(BatchEntries, Int32Array)> {
        let columns = batch.column_as::<Int32Array>("column").ok()?;
        let entries = batch.column_as::<MapArray>("statistics").ok()?;
        // Each call of `bounds` reads all entries of a row. Writers need at most six entries.
        let is_long = (0..entries.len()).any(|row| entries.range(row).len() > 64);
        if is_long || batch.n_rows() > max_rows {
            return None;
        }
        let keys = DictionaryArray::try_from(entries.keys().clone()).ok()?;
        let names = Utf8Array::try_from(keys.values().clone()).ok()?;
        let values = UnionArray::try_from(entries.values().clone()).ok()?;
        let mut entries = BatchEntries { n_rows: None, entries, keys, names, values };
        // The first row without a column describes the whole batch.
        let whole = (0..columns.len()).find(|row| columns.get(*row).is_none());
        entries.n_rows = whole.and_then(|row| entries.bounds(row).n_rows);
        Some((entries, columns))
    }

    /// The bounds in a row.
    fn bounds(&self, row: usize) -> ColumnBounds {
        let mut known = ColumnBounds::default();
        for entry in self.entries.range(row) {
            let name =
                self.keys.get(entry).and_then(|key| self.names.get(key)).and_then(StatisticsName::from_key);
            let Some(name) = name else { continue };
            let value = self.values.selected(entry);
            match name {
                StatisticsName::Rows => known.n_rows = count(value),
                StatisticsName::Nulls => known.null_count = count(value),
                StatisticsName::Min | StatisticsName::MinBound => {
                    known.min = bound(&value);
                    known.is_min_exact = name == StatisticsName::Min;
                }
                StatisticsName::Max | StatisticsName::MaxBound => {
                    known.max = bound(&value);
                    known.is_max_exact = name == StatisticsName::Max;
                }
            }
        }
        known
    }
}

fn count(value: ArrayData) -> Option<u64> {
    u64::try_from(Int64Array::try_from(value).ok()?.get(0)?).ok()
}

/// A bound of a type whose values have an order. Other writers may write bounds of other types, which say nothing here.
fn bound(value: &ArrayData) -> Option<Scalar> {
    if !has_order(value.data_type()) {
        return None;
    }
    Scalar::try_from_slot(value, 0).ok().filter(|value| !value.is_null())
}
