//! Summaries are equal for files, streams and pipes, and for any number of threads. Sizes come from the metadata.

use std::{fs, io::Cursor, num::NonZero};

use arrow_array::{Float32Array, Float64Array, Int64Array};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileWriter, StreamWriter, WriteOptions};
use arrow_ipc_report::JsonObject;
use arrow_ipc_tools::{
    ColumnNames, Input, RowQuery, Summary, SummaryOptions, ToolErrorKind, columns::ColumnName, summarize,
};
use arrow_schema::{DataType, Field, Schema};
use serde_json::Value;
use testing_support::{Generator, Rng, schema_of_all_types};

use crate::{
    ALLOCATOR,
    samples::{file, ids, stream},
};

fn summary(bytes: &[u8], options: &SummaryOptions) -> Summary {
    let input = Input::try_from_buffer("memory", Buffer::copy_from(bytes)).unwrap();
    summarize(input, options, &mut ()).unwrap()
}

/// The whole summary without the sizes, which differ between containers.
fn said(summary: &Summary) -> Vec<Value> {
    let json = JsonObject(summary).to_value();
    let columns = json["columns"].as_array().unwrap();
    let without_sizes = columns.iter().map(|column| {
        let mut column = column.clone();
        for name in ["n_bytes", "n_decompressed_bytes", "share"] {
            column.as_object_mut().unwrap().remove(name);
        }
        column
    });
    without_sizes.collect()
}

/// Compares the text, because `serde_json` parses some numbers as a neighbouring number.
#[test]
fn floating_point_numbers_are_exact() {
    let mut random = Rng::new(14);
    for _ in 0..400 {
        let number = loop {
            let number = f64::from_bits(random.bits());
            if number.is_finite() {
                break number;
            }
        };
        let narrow = number as f32;
        let batch = RecordBatch::try_from_columns([
            ("f64", Float64Array::from_iter([number]).into()),
            ("f32", Float32Array::from_iter([narrow]).into()),
        ]);
        let summary = summary(&stream(&[batch.unwrap()]), &SummaryOptions::new());
        let said = said(&summary);
        assert_eq!(said[0]["min"].to_string().parse::<f64>().unwrap().to_bits(), number.to_bits());
        if narrow.is_finite() {
            assert_eq!(said[1]["min"].to_string().parse::<f32>().unwrap().to_bits(), narrow.to_bits());
        }
    }
}

#[test]
fn columns_of_every_type_are_summarized_alike() {
    let mut generator = Generator::new(3);
    let schema = schema_of_all_types();
    let batches = generator.batches(&schema, &[70, 0, 9000]);
    let lz4 = WriteOptions::new().with_compression(Some(Compression::lz4()));
    let mut writer = StreamWriter::try_new_with(Vec::new(), schema.clone(), lz4).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    let compressed = writer.finish().unwrap();
    let raw = stream(&batches);

    let options = SummaryOptions::new();
    let expected = summary(&raw, &options);
    assert_eq!((expected.n_rows, expected.n_batches), (9070, 3));
    let pipe = Input::try_from_reader("pipe", Cursor::new(raw.clone())).unwrap();
    let threads = SummaryOptions { n_threads: NonZero::new(4).unwrap(), ..options.clone() };
    let of_pipe = summarize(pipe, &options, &mut ()).unwrap();
    for found in [summary(&compressed, &options), summary(&raw, &threads)] {
        assert_eq!(said(&found), said(&expected));
        // A buffer that is not compressed has one size.
        let sizes = found.columns.iter().zip(&expected.columns);
        for (column, raw) in sizes {
            assert_eq!(column.n_decompressed_bytes, raw.n_decompressed_bytes);
            assert_eq!(raw.n_decompressed_bytes, raw.n_bytes);
        }
    }
    assert_eq!(said(&of_pipe), said(&expected));
    assert!(of_pipe.columns.iter().all(|column| column.n_bytes.is_none()));
    let n_stored: u64 = expected.columns.iter().map(|column| column.n_bytes.unwrap()).sum();
    assert!(n_stored <= raw.len() as u64 && n_stored > raw.len() as u64 / 2, "{n_stored} of {}", raw.len());
}

#[test]
fn some_columns_are_summarized() {
    let options = WriteOptions::new();
    let (ids, more) = (Int64Array::from_iter(0..10), Int64Array::from_iter([None; 10]));
    let batch = RecordBatch::try_from_columns([("id", ids.into_data()), ("more", more.into_data())]).unwrap();
    let schema: arrow_schema::Schema = "id: int64\nmore: int64".parse().unwrap();
    assert_eq!(batch.schema().to_string(), schema.to_string());
    let structs = arrow_array::StructArray::try_from(&batch).unwrap();
    let nested = RecordBatch::try_from_columns([("s", structs.into_data())]).unwrap();
    let mut writer = FileWriter::try_new_with(Vec::new(), nested.schema(), options).unwrap();
    writer.write(&nested).unwrap();
    let file = writer.finish().unwrap();

    let columns: ColumnNames = ["s.more", "s", "s.id"].into_iter().map(ColumnName::from).collect();
    let found = summary(
        &file,
        &SummaryOptions { query: RowQuery::new().with_columns(columns), ..SummaryOptions::new() },
    );
    let shown: Vec<(&str, u64, u64)> = found
        .columns
        .iter()
        .map(|column| (column.field.name(), column.statistics.null_count(), column.n_bytes.unwrap()))
        .collect();
    assert_eq!(shown, [("s.more", 10, 82), ("s", 0, 162), ("s.id", 0, 80)]);
}

#[test]
fn bytes_after_streams_and_errors_are_reported() {
    let sound = stream(&[ids(0..5)]);
    let found = summary(&[&sound[..], &sound, b"more"].concat(), &SummaryOptions::new());
    assert_eq!((found.n_rows, found.remarks.trailing_bytes.is_some()), (10, true));

    let mut broken = file(&[ids(0..1000)]);
    let end = broken.len();
    broken.truncate(end - 20);
    let input = Input::try_from_buffer("broken", broken.into()).unwrap();
    let error = summarize(input, &SummaryOptions::new(), &mut ()).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Input(_)), "{error}");
}

/// 3,000 columns of different values together stay within the memory limit.
#[test]
fn many_columns_share_the_memory() {
    let column = Int64Array::from_iter(0..3000).into_data();
    let columns = (0..3000).map(|n| (format!("c{n}"), column.clone()));
    let batch = RecordBatch::try_from_columns(columns).unwrap();
    let bytes = stream(&[batch]);
    let (found, usage) =
        testing_support::CountingAllocator.measure(|| summary(&bytes, &SummaryOptions::new()));
    assert_eq!(found.columns.len(), 3000);
    // The test makes one copy of the input.
    let allowed = bytes.len() as i64 + (128 << 20) + 3000 * (40 << 10);
    assert!(usage.peak_bytes < allowed, "{} of {allowed}", usage.peak_bytes);
}

/// The corpus has files of a few hundred bytes with 2^62 rows.
#[test]
fn rows_without_bytes_are_summarized() {
    for (name, null_count) in [("batch-null-2e62.stream", 1_u64 << 62), ("fsl-size-zero-2e62.stream", 0)] {
        let bytes = fs::read(testing_support::corpus_dir().join("hostile").join(name)).unwrap();
        let found = summary(&bytes, &SummaryOptions::new());
        assert_eq!(found.n_rows, 1 << 62, "{name}");
        assert_eq!(found.columns[0].statistics.null_count(), null_count, "{name}");
        assert_eq!(said(&found).len(), 1, "{name}");
    }
}

/// The name of a nested field is its path, which repeats the names of its parents.
#[test]
fn fields_below_a_long_name_are_bounded() {
    let fields: Vec<Field> = (0..100).map(|idx| Field::new(format!("f{idx}"), DataType::Int8)).collect();
    let schema = Schema::new([Field::new("a".repeat(1 << 20), DataType::struct_(fields))]);
    let bytes: Buffer = StreamWriter::write_to_vec(schema, &[]).unwrap().into();
    let columns = |pattern: &str| ColumnNames::from_iter([ColumnName::Pattern(pattern.to_owned())]);
    let (result, usage) = ALLOCATOR.measure(|| {
        let options =
            SummaryOptions { query: RowQuery::new().with_columns(columns("*.f*")), ..SummaryOptions::new() };
        summarize(Input::try_from_buffer("memory", bytes.clone()).unwrap(), &options, &mut ())
    });
    let error = result.unwrap_err();
    assert!(
        matches!(error.kind(), ToolErrorKind::LongNames { max_bytes } if *max_bytes == 64 << 20),
        "{error}"
    );
    assert!(usage.peak_bytes < 32 << 20, "{usage:?}");
    let few = summary(
        &bytes,
        &SummaryOptions { query: RowQuery::new().with_columns(columns("*.f1*")), ..SummaryOptions::new() },
    );
    assert_eq!(few.columns.len(), 11);
}
