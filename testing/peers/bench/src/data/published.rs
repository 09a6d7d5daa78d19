//! Batches of the shapes that the benches of other projects have. The seed is of their own, and no code is tuned with them.

use super::{Data, Set, their_batch};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use rs_array::builder::{
    Date32Builder, Decimal128Builder, Int32Builder, Int64Builder, StringBuilder, StringDictionaryBuilder,
    StringViewBuilder,
};
use rs_array::types::Int32Type;
use rs_array::{ArrayRef, Float64Array, Int32Array, UInt64Array};
use std::sync::Arc;
use testing_support::Rng;

/// A shape of batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// arrow-rs: the same batch ten times, of `int32`, `utf8` with a null in each tenth slot, `date32` and `decimal128(11, 2)`.
    TenBatches,
    /// arrow-rs: ten batches, each with a dictionary of 4,096 texts that no other batch has.
    NewDictionaries,
    /// arrow-rs: ten batches whose dictionary grows. Three quarters of the slots refer to texts of the first batch.
    GrowingDictionaries,
    /// ClickHouse: numbers that grow, small integers, and floats of two decimals, in blocks of its default size.
    Numeric,
    /// Arrow C++: batches of 1 MiB. The fields are `int64` from 0 to 100, one in ten of them null.
    Fields { n_columns: usize },
    /// One batch of texts that are longer than 12 bytes, as views.
    Views,
}

/// The number of rows of arrow-rs's batches.
const N_ROWS: usize = 8192;
const N_TEN: usize = 10;
/// The default of ClickHouse's `max_block_size`.
const N_BLOCK_ROWS: usize = 65_409;
const N_BLOCKS: usize = 16;
/// The size of a batch in the bench of Arrow C++.
const N_BATCH_BYTES: usize = 1 << 20;
const N_FIELD_BATCHES: usize = 64;
const N_VIEWS: usize = 1 << 16;

impl Published {
    pub fn n_batches(self) -> usize {
        match self {
            Published::TenBatches | Published::NewDictionaries | Published::GrowingDictionaries => N_TEN,
            Published::Numeric => N_BLOCKS,
            Published::Fields { .. } => N_FIELD_BATCHES,
            Published::Views => 1,
        }
    }

    pub(super) fn make(self, set: Set) -> Result<Data, String> {
        let mut rng = Rng::new(set.seed());
        let batches = match self {
            Published::TenBatches => vec![ten(&mut rng)?; N_TEN],
            Published::NewDictionaries => {
                (0..N_TEN).map(|idx| new_dictionary(idx, &mut rng)).collect::<Result<_, _>>()?
            }
            Published::GrowingDictionaries => return growing(&mut rng),
            Published::Numeric => (0..N_BLOCKS).map(|_| block(&mut rng)).collect::<Result<_, _>>()?,
            Published::Fields { n_columns } => {
                vec![fields(n_columns, &mut rng)?; N_FIELD_BATCHES]
            }
            Published::Views => vec![views(&mut rng)?],
        };
        Data::of_theirs(batches)
    }
}

/// The values are the numbers of rows, as in arrow-rs's benches. Here the first row has a random one.
fn ten(rng: &mut Rng) -> Result<rs_array::RecordBatch, String> {
    let (mut numbers, mut dates) = (Int32Builder::new(), Date32Builder::new());
    let mut texts = StringBuilder::new();
    let decimals = Decimal128Builder::new().with_precision_and_scale(11, 2);
    let mut decimals = decimals.map_err(|error| error.to_string())?;
    let first = 1_000 + rng.below(1_000);
    for row in first..first + N_ROWS {
        numbers.append_value(row as i32);
        texts.append_option((!row.is_multiple_of(10)).then(|| format!("this is string number {row}")));
        dates.append_value(row as i32);
        decimals.append_value(row as i128 * 1_000_000);
    }
    their_batch(named([
        Arc::new(numbers.finish()),
        Arc::new(texts.finish()),
        Arc::new(dates.finish()),
        Arc::new(decimals.finish()),
    ]))
}

fn named<const N: usize>(columns: [ArrayRef; N]) -> Vec<(String, ArrayRef)> {
    columns.into_iter().enumerate().map(|(idx, column)| (format!("c{idx}"), column)).collect()
}

fn new_dictionary(batch_idx: usize, rng: &mut Rng) -> Result<rs_array::RecordBatch, String> {
    let first = rng.below(1_000);
    let mut builder = StringDictionaryBuilder::<Int32Type>::new();
    for row in 0..N_ROWS {
        builder.append_value(format!("batch {batch_idx} value {}", first + row % (N_ROWS / 2)));
    }
    their_batch(named([Arc::new(builder.finish())]))
}

/// The dictionary of each batch is the beginning of one that has all texts.
fn growing(rng: &mut Rng) -> Result<Data, String> {
    let (n_shared, n_new) = (N_ROWS / 4 * 3, N_ROWS / 4);
    let first = rng.below(1_000);
    let mut builder = StringDictionaryBuilder::<Int32Type>::new();
    (0..n_shared).for_each(|idx| builder.append_value(format!("shared {}", first + idx)));
    for batch_idx in 0..N_TEN {
        (0..n_new).for_each(|idx| builder.append_value(format!("batch {batch_idx} value {}", first + idx)));
    }
    let whole = Data::of_theirs(vec![their_batch(named([Arc::new(builder.finish())]))?])?;
    let column =
        whole.batches.first().and_then(|batch| batch.columns().first()).ok_or("there is no column")?;
    let values = column.dictionary().ok_or("the column has no dictionary")?;
    let batch = |batch_idx: usize| {
        let n_before = n_shared + batch_idx * n_new;
        let new = (n_before..n_before + n_new).map(|idx| idx as i32);
        let indices: Vec<i32> = new.chain((0..n_shared).map(|idx| idx as i32)).collect();
        let mut parts = ArrayParts::new(column.data_type().clone(), N_ROWS);
        parts.buffers[0] = indices.into();
        parts.dictionary = Some(Arc::new(values.slice(0, n_before + n_new)));
        RecordBatch::try_new(whole.schema.clone(), vec![ArrayData::try_new(parts)?])
    };
    let batches: Result<_, _> = (0..N_TEN).map(batch).collect();
    let batches = batches.map_err(|error: arrow_data::DataError| error.to_string())?;
    Data::of_ours(whole.schema.clone(), batches)
}

fn block(rng: &mut Rng) -> Result<rs_array::RecordBatch, String> {
    let first = rng.bits() >> 20;
    let ids = UInt64Array::from_iter_values((0..N_BLOCK_ROWS as u64).map(|row| first + row));
    let counts = Int32Array::from_iter_values((0..N_BLOCK_ROWS).map(|_| rng.below(100_000) as i32));
    let prices =
        Float64Array::from_iter_values((0..N_BLOCK_ROWS).map(|_| rng.below(1_000_000) as f64 / 100.0));
    their_batch(named([Arc::new(ids), Arc::new(counts), Arc::new(prices)]))
}

fn fields(n_columns: usize, rng: &mut Rng) -> Result<rs_array::RecordBatch, String> {
    let n_rows = N_BATCH_BYTES / n_columns / size_of::<i64>();
    let mut column = || -> ArrayRef {
        let mut builder = Int64Builder::with_capacity(n_rows);
        (0..n_rows).for_each(|_| builder.append_option((!rng.one_in(10)).then(|| rng.within(0..=100))));
        Arc::new(builder.finish())
    };
    their_batch((0..n_columns).map(|idx| (format!("f{idx}"), column())).collect())
}

fn views(rng: &mut Rng) -> Result<rs_array::RecordBatch, String> {
    let mut builder = StringViewBuilder::new();
    let beginnings = ["spilled by a sort: row ", "spilled by a join, on the build side: row "];
    (0..N_VIEWS).for_each(|row| builder.append_value(format!("{}{row}", rng.pick(&beginnings))));
    their_batch(named([Arc::new(builder.finish())]))
}
