//! The length of the output is in proportion to the data that rows use, and the memory to the length of the input.

use std::fs;

use arrow_array::{DictionaryArray, Int32Array, Utf8Array};
use arrow_buffer::{Buffer, View};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{Compression, FileWriter, StreamWriter, WriteOptions};
use arrow_schema::{DataType, Field};
use testing_support::{Hunt, Rng, array};

use crate::program::{Outcome, command, run, temporary_folder};

const N_ROWS: usize = 4_000;

fn text(row: usize) -> String {
    format!("customer-{row:012}-{:02}", row % 97)
}

/// The row numbers in a random order.
fn shuffled() -> Vec<usize> {
    let (mut rows, mut rng) = ((0..N_ROWS).collect::<Vec<usize>>(), Rng::new(5));
    (1..N_ROWS).for_each(|last| rows.swap(last, rng.below(last + 1)));
    rows
}

fn views() -> ArrayData {
    let data: Vec<u8> = (0..N_ROWS).flat_map(|row| text(row).into_bytes()).collect();
    let n_bytes = text(0).len();
    let view = |row: usize| View::long(text(row).as_bytes(), 0, (row * n_bytes) as i32).unwrap();
    let views: Vec<View> = shuffled().into_iter().map(view).collect();
    let (buffers, variadic) = ([Buffer::from(views), Buffer::new()], Some([Buffer::from(data)].into()));
    let parts = ArrayParts::new(DataType::Utf8View, N_ROWS);
    ArrayData::try_new(ArrayParts { buffers, variadic, ..parts }).unwrap()
}

fn list_views() -> ArrayData {
    let numbers: Vec<i64> = (0..3 * N_ROWS as i64).collect();
    let numbers = array(DataType::Int64, numbers.len(), [numbers.into(), Buffer::new()], Vec::new());
    let offsets: Vec<i32> = shuffled().into_iter().map(|row| 3 * row as i32).collect();
    let buffers = [Buffer::from(offsets), Buffer::from(vec![3_i32; N_ROWS])];
    array(DataType::list_view(Field::new("item", DataType::Int64)), N_ROWS, buffers, vec![numbers])
}

fn words() -> ArrayData {
    let indices = Int32Array::from_iter(shuffled().into_iter().map(|row| row as i32));
    let words = Utf8Array::try_from_iter((0..N_ROWS).map(text)).unwrap();
    DictionaryArray::try_new(indices, words).unwrap().into_data()
}

/// Neighbouring rows use bytes far from each other. Each command that divides a file writes only the bytes that the
/// rows of a part use.
#[test]
fn parts_are_as_long_as_their_rows() {
    // The bytes of a row, and of the dictionary, which is written once and whole.
    let inputs =
        [("views", views(), 16 + 28, 0), ("lists", list_views(), 8 + 24, 0), ("words", words(), 4, 32)];
    // The number of written rows and batches, and whether all values of dictionaries are written.
    let cases: [(&str, usize, usize, bool); 9] = [
        ("concat IN -o OUT --rows 100..110", 10, 1, true),
        ("convert IN -o OUT --rows 100..110", 10, 1, true),
        ("convert IN -o OUT --rows 100..110 --share-buffers", 10, 1, true),
        ("convert IN -o OUT --rows 100..110 --compact", 10, 1, false),
        ("split IN -o OUT --rows 100..110", 10, 1, true),
        ("split IN -o OUT --batch-rows 20", N_ROWS, 200, true),
        ("convert IN -o OUT --batch-rows 20", N_ROWS, 200, true),
        ("convert IN -o OUT --batch-rows 20 --share-buffers", N_ROWS, 200, true),
        ("concat IN -o OUT --batch-rows 20", N_ROWS, 200, true),
    ];
    let folder = temporary_folder();
    let in_folder = |line: &str| -> Outcome {
        let args = line.split(' ').map(|word| match word {
            word if word.contains(".arrow") => folder.path().join(word).to_str().unwrap().to_owned(),
            word => word.to_owned(),
        });
        run(args)
    };
    for (name_idx, (name, column, row_bytes, value_bytes)) in inputs.into_iter().enumerate() {
        let batch = RecordBatch::try_from_columns([("c", column)]).unwrap();
        let (schema, options) = (batch.schema(), WriteOptions::new);
        let file = FileWriter::write_to_buffer_with(schema, std::slice::from_ref(&batch), options()).unwrap();
        let stream =
            StreamWriter::write_to_buffer_with(schema, std::slice::from_ref(&batch), options()).unwrap();
        let containers = [(format!("{name}.arrow"), file), (format!("{name}.arrows"), stream)];
        for (container_idx, (input, bytes)) in containers.into_iter().enumerate() {
            fs::write(folder.path().join(&input), bytes).unwrap();
            let [all, some] = ["0..", "100..110"].map(|rows| {
                let shown = in_folder(&format!("cat {input} --rows {rows}"));
                shown.expect(&[0]).text().to_owned()
            });
            for (case_idx, (line, n_rows, n_batches, is_whole)) in cases.into_iter().enumerate() {
                // A short run writes one of the two outputs, in turn.
                let turn = name_idx + container_idx + case_idx;
                for output in Hunt::from_env().some_of(&["out.arrow", "out.arrows"], 1, turn) {
                    let line = line.replace("IN", &input).replace("OUT", output);
                    assert_eq!(in_folder(&line).expect(&[0]).stderr, "", "{line}");
                    let found = fs::metadata(folder.path().join(output)).unwrap().len() as usize;
                    let values = if is_whole { N_ROWS * value_bytes } else { n_rows * value_bytes };
                    // Each level may write twice the bytes that rows use, and metadata for each message and block.
                    let limit = 2 * n_rows * row_bytes + values + 512 * n_batches + 1_024;
                    assert!(found <= limit, "{line}: {found} bytes, and {limit} are allowed");
                    let expected = if n_rows == N_ROWS { &all } else { &some };
                    assert_eq!(in_folder(&format!("cat {output}")).text(), expected, "{line}");
                }
            }
        }
    }
}

/// A few KiB have rows of 100 MiB each. If too many are joined, the hint names options that join fewer.
#[test]
fn the_bound_of_joined_rows_names_the_options() {
    let folder = temporary_folder();
    let zeros = Utf8Array::try_from_iter(["\0".repeat(100 << 20)]).unwrap();
    let batch = RecordBatch::try_from_columns([("c", zeros.into_data())]).unwrap();
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let stream = StreamWriter::write_to_vec_with(batch.schema(), &vec![batch.clone(); 4], options).unwrap();
    assert!(stream.len() < 1 << 17, "{}", stream.len());
    fs::write(folder.path().join("in.arrows"), stream).unwrap();
    for line in [
        "convert in.arrows out.arrow --batch-rows 4",
        "concat in.arrows in.arrows out.arrow --batch-rows 4",
        "split in.arrows out.arrow --batch-rows 4",
    ] {
        let refused = command(line.split(' ')).current_dir(folder.path()).output().unwrap();
        let error = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(5), "{line}: {error}");
        let options = "--batch-rows N of `convert`, `concat` and `split`";
        for words in ["268,435,456 are allowed for an input of this length", options] {
            assert!(error.contains(words), "{line}: {error}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{line}: something was left");
    }
}
