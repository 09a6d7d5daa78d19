//! Collects statistics of batches while they are written.

use std::{io::Write, sync::Arc};

use arrow_array::{Int32Array, Scalar};
use arrow_buffer::Buffer;
use arrow_compute::{ColumnBounds, StatisticsError};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FileWriter, IpcError, StreamWriter, WriteOptions, file::Footer};
use arrow_schema::{DataType, Field, FieldPath, IndexType, Schema, UnionMode};
use arrow_select::{GrowingArray, SelectError, concat};

use crate::{
    columns::{bounds_at, is_unknown, numbered},
    names::{NAMES, StatisticsName},
    read::FileStatistics,
};

/// The maximum length of a utf8 or binary bound in bytes.
const MAX_VALUE_BYTES: usize = 32;

/// The number of bytes for a column of a batch, in addition to its bounds: an index, offsets, and three entries with
/// key, type id and offset.
const COLUMN_BYTES: u64 = 48;

/// Collects the statistics of the batches of a file while you write them.
///
/// For each batch and column, the builder stores two values of at most 32 bytes. The README has an example.
#[derive(Debug)]
pub struct StatisticsBuilder {
    columns: Vec<KnownColumn>,
    n_rows: Vec<Option<i64>>,
}

/// The statistics of a column in all batches.
#[derive(Debug)]
struct KnownColumn {
    number: i32,
    path: FieldPath,
    null_count: Vec<Option<i64>>,
    /// The bounds of each batch, null where unknown. `None` until a bound is known.
    bounds: Option<[GrowingArray; 2]>,
    /// For each batch, whether the bounds occur as values.
    are_exact: Vec<[bool; 2]>,
    spread: ValueCoverage,
}

/// Which share of the range of all values a batch covers. For a sorted column, each batch covers a small share.
#[derive(Debug, Clone, Copy)]
struct ValueCoverage {
    n_covered: f64,
    n_batches: f64,
    range: [f64; 2],
}

impl StatisticsBuilder {
    /// A builder for a new file with this schema.
    pub fn new(schema: &Schema) -> StatisticsBuilder {
        let column = |(number, path)| KnownColumn::new(number, path);
        StatisticsBuilder { columns: numbered(schema).into_iter().map(column).collect(), n_rows: Vec::new() }
    }

    /// Continues the statistics in a footer, for a file to which you append batches. `None` if the footer has no
    /// readable statistics. The statistics are not compared with the batches. A column without statistics in the footer,
    /// or with statistics of less than half of the batches, loses them, and gets none for later batches.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn continuing(footer: &Footer) -> Result<Option<StatisticsBuilder>, StatisticsError> {
        let Some(known) = FileStatistics::from_footer(footer) else { return Ok(None) };
        let n_rows = (0..known.n_batches()).map(|batch_idx| known.n_rows(batch_idx).map(count_of)).collect();
        let mut columns = Vec::new();
        for (number, path) in numbered(footer.schema()) {
            // A continued column takes memory for each batch, even for batches without statistics.
            if known.n_described(&path) < known.n_batches().div_ceil(2) {
                continue;
            }
            let of_batches: Vec<ColumnBounds> =
                (0..known.n_batches()).map(|batch_idx| known.bounds(batch_idx, &path)).collect();
            if of_batches.iter().all(is_unknown) {
                continue;
            }
            let mut column = KnownColumn::new(number, path);
            of_batches.iter().try_for_each(|known| column.add(known))?;
            columns.push(column);
        }
        Ok(Some(StatisticsBuilder { columns, n_rows }))
    }

    /// Whether there are no statistics to write, because there is no batch or no column.
    pub fn is_empty(&self) -> bool {
        self.n_rows.is_empty() || self.columns.is_empty()
    }

    /// The number of batches so far, including those of a continued footer.
    pub fn n_batches(&self) -> usize {
        self.n_rows.len()
    }

    /// Adds the next batch of the file.
    ///
    /// # Errors
    /// If the batch has another schema or invalid content; the batch is then not added. If the system refuses memory;
    /// all statistics are then lost.
    pub fn add(&mut self, batch: &RecordBatch) -> Result<(), StatisticsError> {
        let mut known = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            known.push(bounds_at(batch, &column.path, MAX_VALUE_BYTES)?);
        }
        let added = self.columns.iter_mut().zip(&known).try_for_each(|(column, known)| column.add(known));
        if let Err(error) = added {
            // At this point, only some columns have the statistics of this batch.
            self.columns.clear();
            return Err(error);
        }
        self.n_rows.push(Some(count_of(batch.n_rows() as u64)));
        Ok(())
    }

    /// Writes the statistics into the footer, as far as they fit into 2 % of the file. Returns whether the footer has
    /// statistics. It has none if it would be longer than readers accept by default, or with
    /// [`WriteOptions::with_same_metadata`](arrow_ipc::WriteOptions::with_same_metadata).
    ///
    /// # Errors
    /// If the system refuses memory. The errors of [`FileWriter::set_statistics`].
    pub fn put_into<W: Write>(self, writer: &mut FileWriter<W>) -> Result<bool, IpcError> {
        match self.finish_for(writer.position())? {
            Some(stream) => writer.set_statistics(&stream),
            None => Ok(false),
        }
    }

    /// Like [`finish`](StatisticsBuilder::finish), with 2 % of `n_file_bytes` as the maximum.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn finish_for(self, n_file_bytes: u64) -> Result<Option<Vec<u8>>, IpcError> {
        const BYTES_PER_BYTE: u64 = 50;
        self.finish(n_file_bytes / BYTES_PER_BYTE)
    }

    /// Encodes the statistics as an IPC stream, which takes at most `max_bytes` bytes as text in the footer. `None` if
    /// nothing fits. If not all columns fit, the stream contains the columns whose batches cover the smallest shares of
    /// the range of all values. Conditions on these columns skip the most batches.
    ///
    /// # Errors
    /// If the system refuses memory.
    pub fn finish(self, max_bytes: u64) -> Result<Option<Vec<u8>>, IpcError> {
        let StatisticsBuilder { mut columns, n_rows } = self;
        columns.sort_by(|left, right| left.spread.share().total_cmp(&right.spread.share()));
        let max_bytes = max_bytes / 4 * 3; // Base64 is a third longer.
        let n_batches = n_rows.len() as u64;
        let mut n_left = max_bytes;
        let n_fitting = columns.iter().take_while(|column| {
            let n_bytes = column.n_bytes(n_batches);
            let fits = n_bytes <= n_left;
            n_left = n_left.saturating_sub(n_bytes);
            fits
        });
        let n_fitting = n_fitting.count();
        columns.truncate(n_fitting);
        // The lengths are estimates without the bytes that columns share. So the real length is checked.
        while !columns.is_empty() && n_batches > 0 {
            let stream = encoded(&columns, &n_rows)?;
            if stream.len() as u64 <= max_bytes {
                return Ok(Some(stream));
            }
            let n_retained = (columns.len() as u64).saturating_mul(max_bytes) / (stream.len() as u64).max(1);
            columns.truncate(usize::try_from(n_retained).unwrap_or(0).min(columns.len() - 1));
        }
        Ok(None)
    }
}

/// Converts a number of rows or nulls. The format has `i64` for counts, so a greater number becomes `i64::MAX`.
fn count_of(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

impl KnownColumn {
    fn new(number: i32, path: FieldPath) -> KnownColumn {
        KnownColumn {
            number,
            path,
            null_count: Vec::new(),
            bounds: None,
            are_exact: Vec::new(),
            spread: ValueCoverage {
                n_covered: 0.0,
                n_batches: 0.0,
                range: [f64::INFINITY, f64::NEG_INFINITY],
            },
        }
    }

    fn add(&mut self, known: &ColumnBounds) -> Result<(), StatisticsError> {
        let n_before = self.null_count.len();
        self.null_count.push(known.null_count.map(count_of));
        self.are_exact.push([known.is_min_exact, known.is_max_exact]);
        self.spread.add(known);
        let found = [&known.min, &known.max];
        if self.bounds.is_none() {
            let Some(first) = found.into_iter().flatten().next() else { return Ok(()) };
            let before = nulls(first.data_type(), n_before)?;
            let grown = || GrowingArray::new(first.data_type()).append(&before, u64::MAX);
            self.bounds = Some([grown()?, grown()?]);
        }
        let Some(bounds) = self.bounds.take() else { return Ok(()) };
        let [min, max] = bounds;
        let add = |grown: GrowingArray, bound: &Option<Scalar>| -> Result<GrowingArray, StatisticsError> {
            // Statistics of another writer may contain bounds of several types.
            let is_one = |bound: &&Scalar| bound.data_type() == grown.array().data_type();
            let slot = match bound.as_ref().filter(is_one) {
                Some(bound) => bound.as_array().data().clone(),
                None => nulls(grown.array().data_type(), 1)?,
            };
            Ok(grown.append(&slot, u64::MAX)?)
        };
        self.bounds = Some([add(min, &known.min)?, add(max, &known.max)?]);
        Ok(())
    }

    /// The approximate length of the column in the stream.
    fn n_bytes(&self, n_batches: u64) -> u64 {
        let n_bytes =
            self.bounds.iter().flatten().map(|grown| grown.array().n_bytes()).fold(0, u64::saturating_add);
        n_bytes.saturating_add(n_batches.saturating_mul(COLUMN_BYTES))
    }
}

fn nulls(data_type: &DataType, n_slots: usize) -> Result<ArrayData, StatisticsError> {
    Ok(Scalar::try_new_null(data_type)?.to_array(n_slots)?.into_data())
}

impl ValueCoverage {
    fn add(&mut self, known: &ColumnBounds) {
        let Some([min, max]) =
            known.approximate_range().filter(|range| range.iter().all(|it| it.is_finite()))
        else {
            return;
        };
        self.n_covered += max - min;
        self.n_batches += 1.0;
        self.range = [self.range[0].min(min), self.range[1].max(max)];
    }

    /// The average share of the range that a batch covers: near 0 for a sorted column, 1 without bounds.
    fn share(self) -> f64 {
        let whole = (self.range[1] - self.range[0]) * self.n_batches;
        if whole > 0.0 { (self.n_covered / whole).min(1.0) } else { 1.0 }
    }
}

/// Encodes a stream with a batch for each batch of the file.
fn encoded(columns: &[KnownColumn], n_rows: &[Option<i64>]) -> Result<Vec<u8>, IpcError> {
    let mut types: Vec<DataType> = vec![DataType::Int64];
    let type_ids: Vec<Option<usize>> = columns
        .iter()
        .map(|column| {
            let data_type = column.bounds.as_ref()?[0].array().data_type().clone();
            let known = types.iter().position(|it| *it == data_type);
            // The maximum number of type ids in a union.
            if known.is_none() && types.len() >= usize::from(i8::MAX.unsigned_abs()) {
                return None;
            }
            Some(known.unwrap_or_else(|| {
                types.push(data_type);
                types.len() - 1
            }))
        })
        .collect();
    let bounds: Vec<Option<[ArrayData; 2]>> = columns
        .iter()
        .map(|column| column.bounds.as_ref().map(|bounds| bounds.each_ref().map(GrowingArray::array)))
        .collect();
    let n_types = types.len();
    let types = StatisticsTypes::try_new(types)?;
    let options = WriteOptions::new().with_alignment(8);
    let mut writer = StreamWriter::try_new_with(Vec::new(), Arc::clone(&types.schema), options)?;
    for (batch_idx, n_rows) in n_rows.iter().enumerate() {
        let mut rows = StatisticsRows::new(n_types);
        if let Some(n_rows) = n_rows {
            rows.count(StatisticsName::Rows, *n_rows);
        }
        rows.end_row(None);
        for (column, (bounds, type_id)) in columns.iter().zip(bounds.iter().zip(&type_ids)) {
            if let Some(null_count) = column.null_count.get(batch_idx).copied().flatten() {
                rows.count(StatisticsName::Nulls, null_count);
            }
            let [is_min_exact, is_max_exact] = column.are_exact.get(batch_idx).copied().unwrap_or_default();
            if let (Some([min, max]), Some(type_id)) = (bounds, type_id) {
                let min_name = if is_min_exact { StatisticsName::Min } else { StatisticsName::MinBound };
                let max_name = if is_max_exact { StatisticsName::Max } else { StatisticsName::MaxBound };
                for (bound, name) in [(min, min_name), (max, max_name)] {
                    let slot = bound.slice(batch_idx, 1);
                    if slot.null_count() == 0 {
                        rows.value(name, *type_id, slot);
                    }
                }
            }
            rows.end_row(Some(column.number));
        }
        writer.write(&rows.into_batch(&types)?)?;
    }
    writer.finish()
}

/// The schema of the statistics, and the types in it.
struct StatisticsTypes {
    schema: Arc<Schema>,
    /// The types of the union, by type id.
    values: Vec<DataType>,
    names: Arc<ArrayData>,
}

impl StatisticsTypes {
    fn try_new(values: Vec<DataType>) -> Result<StatisticsTypes, IpcError> {
        let children =
            (0..).zip(&values).map(|(id, value)| (id, Field::new(value.to_string(), value.clone())));
        let items = Field::new("items", DataType::union(UnionMode::Dense, children)?).required();
        let key = Field::new("key", DataType::dictionary(IndexType::Int32, DataType::Utf8)?).required();
        let statistics = Field::new("statistics", DataType::map(key, items)).required();
        let schema = Arc::new(Schema::new([Field::new("column", DataType::Int32), statistics]));
        let names = NAMES.map(|name| Scalar::from(name).as_array().data().clone());
        Ok(StatisticsTypes { schema, values, names: Arc::new(concat(&names)?) })
    }
}

/// The rows for one batch of the file: one for the whole batch, then one for each column.
struct StatisticsRows {
    columns: Vec<Option<i32>>,
    /// The offsets of the map.
    ends: Vec<i32>,
    keys: Vec<i32>,
    type_ids: Vec<i8>,
    offsets: Vec<i32>,
    /// The values of the union, by type id.
    values: Vec<Vec<ArrayData>>,
}

impl StatisticsRows {
    fn new(n_types: usize) -> StatisticsRows {
        StatisticsRows {
            columns: Vec::new(),
            ends: vec![0],
            keys: Vec::new(),
            type_ids: Vec::new(),
            offsets: Vec::new(),
            values: vec![Vec::new(); n_types],
        }
    }

    fn count(&mut self, name: StatisticsName, n: i64) {
        self.value(name, 0, Scalar::from(n).as_array().data().clone());
    }

    fn value(&mut self, name: StatisticsName, type_id: usize, slot: ArrayData) {
        let Some(values) = self.values.get_mut(type_id) else { return };
        // No overflow: there are at most 127 types, and fewer than four entries for each field.
        self.offsets.push(i32::try_from(values.len()).unwrap_or(i32::MAX));
        self.type_ids.push(i8::try_from(type_id).unwrap_or(i8::MAX));
        self.keys.push(name as i32);
        values.push(slot);
    }

    fn end_row(&mut self, column: Option<i32>) {
        self.columns.push(column);
        self.ends.push(i32::try_from(self.keys.len()).unwrap_or(i32::MAX));
    }

    fn into_batch(self, types: &StatisticsTypes) -> Result<RecordBatch, SelectError> {
        let StatisticsRows { columns, ends, keys, type_ids, offsets, values } = self;
        let [_, map] = types.schema.fields() else { unreachable!("the schema has two columns") };
        let [entries] = map.children() else { unreachable!("a map has entries") };
        let [key, items] = entries.children() else { unreachable!("entries have a key and a value") };
        let n_rows = columns.len();
        let n_entries = keys.len();
        let mut children = Vec::with_capacity(values.len());
        for (values, data_type) in values.iter().zip(&types.values) {
            children.push(if values.is_empty() { ArrayData::new_empty(data_type) } else { concat(values)? });
        }
        let keys = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(keys), Buffer::new()],
            dictionary: Some(Arc::clone(&types.names)),
            ..ArrayParts::new(key.data_type().clone(), n_entries)
        })?;
        let items = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(type_ids), Buffer::from(offsets)],
            children: Some(children.into()),
            ..ArrayParts::new(items.data_type().clone(), n_entries)
        })?;
        let entries = ArrayData::try_new(ArrayParts {
            children: Some([keys, items].into()),
            ..ArrayParts::new(entries.data_type().clone(), n_entries)
        })?;
        let statistics = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(ends), Buffer::new()],
            children: Some([entries].into()),
            ..ArrayParts::new(map.data_type().clone(), n_rows)
        })?;
        let columns = Int32Array::from_iter(columns).into_data();
        Ok(RecordBatch::try_new(Arc::clone(&types.schema), vec![columns, statistics])?)
    }
}
