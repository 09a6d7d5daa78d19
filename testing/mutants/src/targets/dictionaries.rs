//! Sequences of dictionaries that grow, shrink and change, under every policy.

use std::sync::Arc;

use arrow_array::Utf8Array;
use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::StreamReader;
use arrow_schema::{DataType, Field, IndexType};
use arrow_select::Select;

use crate::{
    operations::{is_short, rewrite},
    share::Share,
};

/// Makes batches with changing dictionaries. The bytes decide for each batch: the last dictionary, its start, a longer
/// one, or other values.
pub(super) fn sequences(bytes: &[u8]) {
    let mut values = words(&[0, 1, 2]);
    let mut batches = Vec::new();
    for command in bytes.chunks_exact(3).take(16) {
        let [kind, number, rows] = [command[0], command[1], command[2]].map(usize::from);
        let n_values = values.len();
        values = match kind % 6 {
            0 => values,
            1 => Arc::new(values.slice(0, 1 + number % n_values)),
            2 => Arc::new(values.slice(number % n_values, n_values - number % n_values)),
            // In new memory, as another writer would have it.
            3 => {
                let more = words(&[number, number / 16]);
                Arc::new(arrow_select::concat(&[(*values).clone(), (*more).clone()]).expect("few words"))
            }
            4 => Arc::new(values.take(&[number % n_values, kind % n_values]).expect("in bounds")),
            _ => words(&[number, kind, 3]),
        };
        let indices: Vec<i8> =
            (0..rows % 9).map(|row| ((row * number) % values.len().min(100)) as i8).collect();
        let column = encoded(&values, &indices, rows);
        let nested = encoded_lists(&column);
        batches.push(RecordBatch::try_from_columns([("plain", column), ("lists", nested)]).expect("as long"));
    }
    rewrite(&batches, &mut Share::by(bytes)).unwrap_or_else(|error| panic!("{error}"));
}

fn words(numbers: &[usize]) -> Arc<ArrayData> {
    let words: Vec<Option<String>> =
        numbers.iter().map(|number| (number % 7 != 6).then(|| format!("word {}", number % 40))).collect();
    let array = Utf8Array::try_from_iter(words.iter().map(Option::as_deref)).expect("short words");
    Arc::new(array.into())
}

fn encoded(values: &Arc<ArrayData>, indices: &[i8], nulls: usize) -> ArrayData {
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    ArrayData::try_new(ArrayParts {
        validity: Some((0..indices.len()).map(|row| (nulls >> (row % 8)) & 3 != 3).collect::<Bitmap>()),
        buffers: [Buffer::from(indices.to_vec()), Buffer::new()],
        dictionary: Some(Arc::clone(values)),
        ..ArrayParts::new(data_type, indices.len())
    })
    .expect("indices of values")
}

/// Encodes a column: each slot becomes a list of the slot, encoded by a dictionary of these lists. So a dictionary is
/// inside another one.
fn encoded_lists(column: &ArrayData) -> ArrayData {
    let item = Field::new("item", column.data_type().clone());
    let n_slots = column.len();
    let offsets: Vec<i32> = (0..=n_slots as i32).collect();
    let lists = ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::new()],
        children: Some(Arc::from([column.clone()])),
        ..ArrayParts::new(DataType::list(item), n_slots)
    });
    let indices: Vec<i8> = (0..n_slots as i8).rev().collect();
    encoded(&Arc::new(lists.expect("one item each")), &indices, 0)
}

/// Writes the readable batches of a stream with a policy.
pub(super) fn policies(bytes: &[u8]) {
    let Ok(reader) = StreamReader::try_new(bytes) else { return };
    let batches: Vec<RecordBatch> = reader.map_while(Result::ok).take(12).filter(is_short).collect();
    rewrite(&batches, &mut Share::by(bytes)).unwrap_or_else(|error| panic!("{error}"));
}
