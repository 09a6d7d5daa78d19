//! Writes arrays of builders to streams and files, and reads them back.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileReader, FileWriter, StreamReader, StreamWriter};
use arrow_schema::{DataType, Field, Schema};
use samples::rebuilt;
use testing_support::{Generator, Nulls, Value, all_types, rows, values};

/// Batches of one column: a whole array, and slices.
fn batches(data_type: &DataType, seed: u64, nulls: Nulls) -> Vec<RecordBatch> {
    let schema = Arc::new(Schema::new([Field::new("column", data_type.clone())]));
    let array = rebuilt(&Generator::new(seed).array(data_type, 90, nulls)).expect("values of the type");
    let whole = RecordBatch::try_new(schema, vec![array]).expect("a column of the type");
    [(0, 90), (13, 64), (1, 1), (90, 0), (71, 19)].map(|(start, n_rows)| whole.slice(start, n_rows)).into()
}

#[test]
fn slices_are_written_and_read_again() {
    for (name, data_type) in all_types() {
        for (seed, nulls) in [(1, Nulls::None), (2, Nulls::Some), (3, Nulls::All)] {
            let batches = batches(&data_type, seed, nulls);
            let schema = batches[0].schema();
            let mut stream = StreamWriter::try_new(Vec::new(), schema).expect(&name);
            let mut file = FileWriter::try_new(Vec::new(), schema).expect(&name);
            for batch in &batches {
                stream.write(batch).expect(&name);
                file.write(batch).expect(&name);
            }
            let stream = stream.finish().expect(&name);
            let stream = StreamReader::try_new(stream.as_slice()).expect(&name);
            let stream: Vec<RecordBatch> = stream.map(|batch| batch.expect(&name)).collect();
            let file = FileReader::try_from_buffer(Buffer::from(file.finish().expect(&name))).expect(&name);
            let file: Vec<RecordBatch> = file.batches().map(|batch| batch.expect(&name)).collect();
            for read in [stream, file] {
                assert_eq!(read.len(), batches.len(), "{name}");
                for (read, written) in read.iter().zip(&batches) {
                    assert_eq!(rows(read), rows(written), "{name}, {nulls:?}");
                    assert!(read.columns()[0].same_values(&written.columns()[0]).expect(&name), "{name}");
                }
            }
        }
    }
}

/// The least and greatest numbers, text with characters of one to four bytes, and values that are just short enough and
/// just too long to be inlined in a view.
#[test]
fn extremes_are_built_as_they_are() {
    let int = |numbers: &[i128]| numbers.iter().map(|number| Value::Int(*number)).collect::<Vec<_>>();
    let text = |texts: &[&str]| texts.iter().map(|text| Value::Str((*text).to_owned())).collect::<Vec<_>>();
    let texts = [
        "",
        "é",
        "龍",
        "🐉",
        "twelve bytes",
        "thirteen byte",
        "zwölf ＋ 🐉🐉🐉",
        "\0\u{7f}\u{ffff}\u{10ffff}",
    ];
    let floats = [0, 1, 1 << 63, f64::NAN.to_bits(), f64::INFINITY.to_bits(), f64::MAX.to_bits(), u64::MAX];
    let cases = [
        (DataType::Int64, int(&[i64::MIN.into(), -1, 0, 1, i64::MAX.into()])),
        (DataType::UInt64, int(&[0, u64::MAX.into()])),
        (DataType::Int8, int(&[-128, 127])),
        (DataType::Float64, floats.map(Value::Float).into()),
        (DataType::Utf8, text(&texts)),
        (DataType::LargeUtf8, text(&texts)),
        (DataType::Utf8View, text(&texts)),
        (
            DataType::decimal128(38, 0).expect("38 digits"),
            ["9", "-9"].map(|start| Value::Decimal(start.to_owned() + &"9".repeat(37))).into(),
        ),
    ];
    for (data_type, expected) in cases {
        let mut builder = arrow_array::AnyBuilder::new(&data_type);
        expected.iter().for_each(|value| samples::append(&mut builder, value));
        let array = builder.finish().expect("values of the type").into_data();
        assert_eq!(values(&array), expected, "{data_type}");
    }
}
