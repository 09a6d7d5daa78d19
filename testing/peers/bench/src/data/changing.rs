//! Batches whose dictionaries change: they grow, or each batch has a different one.

use super::text::Words;
use super::{Data, Set, their_batch};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use rs_array::types::Int32Type;
use rs_array::{ArrayRef, DictionaryArray, Int32Array, StringArray};
use std::sync::Arc;
use testing_support::Rng;

const N_ROWS: usize = 100;

/// The dictionary of each batch is the beginning of one that has all words.
pub(super) fn growing(n_batches: usize, n_words: usize, set: Set, rng: &mut Rng) -> Result<Data, String> {
    let all = encoded(0..n_batches * n_words, &[0; N_ROWS], set)?;
    let whole = Data::of_theirs(vec![all])?;
    let column = &whole.batches[0].columns()[0];
    let values = column.dictionary().ok_or("the column has a dictionary")?;
    let batch = |n_values: usize| {
        let indices: Vec<i32> = (0..N_ROWS).map(|_| rng.below(n_values) as i32).collect();
        let mut parts = ArrayParts::new(column.data_type().clone(), N_ROWS);
        parts.buffers[0] = indices.into();
        parts.dictionary = Some(Arc::new(values.slice(0, n_values)));
        RecordBatch::try_new(whole.schema.clone(), vec![ArrayData::try_new(parts)?])
    };
    let batches: Result<_, _> = (1..=n_batches).map(|batch| batch * n_words).map(batch).collect();
    let batches = batches.map_err(|error: arrow_data::DataError| error.to_string())?;
    Data::of_ours(whole.schema.clone(), batches)
}

/// The dictionary of each batch has different words.
pub(super) fn replaced(n_batches: usize, n_values: usize, set: Set, rng: &mut Rng) -> Result<Data, String> {
    let batch = |batch: usize| {
        let indices: Vec<i32> = (0..n_values).map(|_| rng.below(n_values) as i32).collect();
        encoded(batch * n_values..(batch + 1) * n_values, &indices, set)
    };
    Data::of_theirs((0..n_batches).map(batch).collect::<Result<_, _>>()?)
}

fn encoded(
    words: std::ops::Range<usize>,
    indices: &[i32],
    set: Set,
) -> Result<rs_array::RecordBatch, String> {
    let words = StringArray::from_iter_values(words.map(|number| Words::numbered(set, number)));
    let indices = Int32Array::from_iter_values(indices.iter().copied());
    let column = DictionaryArray::<Int32Type>::try_new(indices, Arc::new(words));
    let column: ArrayRef = Arc::new(column.map_err(|error| error.to_string())?);
    their_batch(vec![("word".to_owned(), column)])
}
