//! The batches that the hot paths read and write.

use std::io::{self, IoSlice, Write};

use arrow_array::{BooleanArray, Float64Array, Int64Array, Utf8Array, Utf8ViewArray};
use arrow_buffer::{Bitmap, Buffer};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};
use arrow_schema::{DataType, Field, IndexType};

/// The number of rows of all batches that are not small.
pub(crate) const N_ROWS: usize = 16 << 10;

/// Text of one-byte characters. The next constant has longer characters.
pub(crate) const ASCII: &str = "some text of plain letters";
pub(crate) const MULTI_BYTE: &str = "grüße, мир и 世界 — ça va";

/// A number that differs from slot to slot, without a pattern.
pub(crate) fn scrambled(slot: usize) -> usize {
    slot.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

pub(crate) fn one_column(array: impl Into<ArrayData>) -> RecordBatch {
    RecordBatch::try_from_columns([("c", array.into())]).expect("there is one column")
}

/// A batch of 10 rows × 4 columns, with numbers, text and nulls.
pub(crate) fn small() -> RecordBatch {
    let words: Vec<String> = (0..10).map(|row| format!("value {row}")).collect();
    RecordBatch::try_from_columns([
        ("id", ArrayData::from(Int64Array::from_iter(0..10))),
        ("price", ArrayData::from(Float64Array::from_iter((0..10).map(f64::from)))),
        ("name", ArrayData::from(Utf8Array::try_from_iter(&words).expect("they are short"))),
        ("count", ArrayData::from(Int64Array::from_iter((0..10).map(|row| (row % 3 > 0).then_some(row))))),
    ])
    .expect("columns are as long as each other")
}

/// A batch of 10 rows with `n_columns` columns.
pub(crate) fn wide(n_columns: i64) -> RecordBatch {
    let column = |idx: i64| (format!("column_{idx}"), ArrayData::from(Int64Array::from_iter(idx..idx + 10)));
    RecordBatch::try_from_columns((0..n_columns).map(column)).expect("columns are as long as each other")
}

pub(crate) fn words(pattern: &str) -> Vec<String> {
    (0..N_ROWS).map(|row| format!("{pattern} {}", scrambled(row) % 100_000)).collect()
}

pub(crate) fn texts(pattern: &str) -> ArrayData {
    Utf8Array::try_from_iter(words(pattern)).expect("it is short").into()
}

/// Texts of which every tenth is null.
pub(crate) fn texts_with_nulls() -> ArrayData {
    let words = words(ASCII);
    let some = words.iter().enumerate().map(|(row, word)| (row % 10 > 0).then_some(word));
    Utf8Array::try_from_iter(some).expect("it is short").into()
}

pub(crate) fn views() -> ArrayData {
    words(ASCII).iter().map(String::as_str).collect::<Utf8ViewArray>().into()
}

pub(crate) fn integers() -> ArrayData {
    Int64Array::from_iter((0..N_ROWS).map(|row| (scrambled(row) % 100_000) as i64)).into()
}

pub(crate) fn floats_with_nulls() -> ArrayData {
    let value = |row| (!scrambled(row).is_multiple_of(5)).then_some(row as f64 / 3.0);
    Float64Array::from_iter((0..N_ROWS).map(value)).into()
}

pub(crate) fn booleans() -> ArrayData {
    BooleanArray::from_iter((0..64 * N_ROWS).map(|row| scrambled(row).is_multiple_of(2))).into()
}

/// Lists of three integers each.
pub(crate) fn lists() -> ArrayData {
    let offsets: Vec<i32> = (0..=N_ROWS as i32).map(|row| 3 * row).collect();
    let items = Int64Array::from_iter((0..3 * N_ROWS as i64).rev());
    ArrayData::try_new(ArrayParts {
        buffers: [Buffer::from(offsets), Buffer::new()],
        validity: Some((0..N_ROWS).map(|row| row % 7 > 0).collect::<Bitmap>()),
        children: Some([items.into()].into()),
        ..ArrayParts::new(DataType::list(Field::new("item", DataType::Int64)), N_ROWS)
    })
    .expect("offsets rise")
}

/// Batches of 100 rows. Each has a dictionary with 100 words more than the dictionary of the previous batch.
pub(crate) fn growing(n_batches: usize) -> Vec<RecordBatch> {
    let words: Vec<String> = (0..100 * n_batches).map(|word| format!("word number {word:08}")).collect();
    let all = ArrayData::from(Utf8Array::try_from_iter(&words).expect("they are short"));
    let batch = |idx: usize| {
        let n_words = 100 * (idx + 1);
        let indices: Vec<i32> = (0..100).map(|row| ((row * 31 + 7) % n_words) as i32).collect();
        let array = ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(indices), Buffer::new()],
            dictionary: Some(all.slice(0, n_words).into()),
            ..ArrayParts::new(
                DataType::dictionary(IndexType::Int32, DataType::Utf8).expect("text may be encoded"),
                100,
            )
        });
        one_column(array.expect("indices are in the dictionary"))
    };
    (0..n_batches).map(batch).collect()
}

/// A batch of four columns, similar to tables of users.
pub(crate) fn table() -> RecordBatch {
    RecordBatch::try_from_columns([
        ("id", integers()),
        ("name", texts(ASCII)),
        ("price", floats_with_nulls()),
        ("is_new", booleans().slice(0, N_ROWS)),
    ])
    .expect("columns are as long as each other")
}

pub(crate) fn stream(batches: &[RecordBatch], options: WriteOptions) -> Buffer {
    let mut writer = StreamWriter::try_new_with(Vec::new(), batches[0].schema(), options).expect("it starts");
    batches.iter().for_each(|batch| writer.write(batch).expect("it is written"));
    Buffer::from(writer.finish().expect("it ends")).to_aligned(64)
}

pub(crate) fn file(batches: &[RecordBatch], options: WriteOptions) -> Buffer {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).expect("it starts");
    batches.iter().for_each(|batch| writer.write(batch).expect("it is written"));
    Buffer::from(writer.finish().expect("it ends")).to_aligned(64)
}

/// Memory that is overwritten each time.
pub(crate) struct ReusedMemory {
    memory: Vec<u8>,
    n_written: usize,
}

impl ReusedMemory {
    pub(crate) fn with_bytes(n_bytes: usize) -> ReusedMemory {
        ReusedMemory { memory: vec![0; n_bytes], n_written: 0 }
    }

    pub(crate) fn again(&mut self) -> &mut ReusedMemory {
        self.n_written = 0;
        self
    }
}

impl Write for ReusedMemory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.memory[self.n_written..][..bytes.len()].copy_from_slice(bytes);
        self.n_written += bytes.len();
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        slices.iter().try_fold(0, |n_written, slice| Ok(n_written + self.write(slice)?))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
