//! Conversions that change columns, names, types and batches. The values of the rows stay equal for every kind of
//! input.

use std::{
    io::{self, Cursor},
    num::NonZero,
};

use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_compute::{Digits, Predicate, cast};
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_ipc::{Compression, FileWriter, StreamReader, StreamWriter, WriteOptions, WrittenContainer};
use arrow_ipc_tools::{
    Conversion, ConvertOptions, Input, Loss, Reshaping, RowQuery, RowWindow, Rows, ToolErrorKind,
    columns::ColumnName, convert,
};
use arrow_schema::DataType;
use testing_support::{Generator, rows, schema_of_all_types};

use crate::samples::{file, ids, stream};

fn converted(bytes: &[u8], options: &ConvertOptions) -> (Vec<RecordBatch>, Vec<Loss>) {
    let input = Input::try_from_reader("pipe", Cursor::new(bytes.to_vec())).unwrap();
    let (output, losses) = convert(input, Vec::new(), options, &mut ()).unwrap();
    let rows = Rows::open(Input::try_from_buffer("output", output.into()).unwrap()).unwrap();
    let batches = match rows {
        Rows::File { reader } => reader.batches().map(Result::unwrap).collect(),
        Rows::Streams(mut streams) => std::iter::from_fn(|| streams.next_batch().unwrap()).collect(),
    };
    (batches, losses)
}

#[test]
fn batches_get_other_rows_and_keep_their_values() {
    // Different ordered dictionaries cannot be joined.
    let schema = schema_of_all_types();
    let fields = schema.fields().iter().filter(|field| !field.data_type().to_string().contains(", ordered"));
    let schema: arrow_schema::Schema = fields.cloned().collect();
    let batches = Generator::new(8).batches(&schema, &[7, 0, 30, 1]);
    let expected: Vec<_> = batches.iter().flat_map(rows).collect();
    let input = stream(&batches);
    for n_rows in [1, 5, 19, 38, 100] {
        let options = ConvertOptions {
            n_batch_rows: Some(NonZero::new(n_rows as u64).unwrap()),
            ..ConvertOptions::new(WrittenContainer::Stream)
        };
        let (found, losses) = converted(&input, &options);
        assert!(losses.is_empty(), "{losses:?}");
        assert_eq!(found.iter().flat_map(rows).collect::<Vec<_>>(), expected);
        let sizes: Vec<usize> = found.iter().map(RecordBatch::n_rows).collect();
        let (last, others) = sizes.split_last().unwrap();
        assert!(others.iter().all(|size| *size == n_rows) && *last <= n_rows, "{n_rows}: {sizes:?}");
    }
}

#[test]
fn columns_are_selected_then_cast_then_renamed() {
    let schema: arrow_schema::Schema =
        "id: int64 not null\nname: utf8\nplace: struct<zip: int32, city: utf8>".parse().unwrap();
    let schema = schema.with_metadata([("k", "v")].into_iter().collect());
    let batches = Generator::new(9).batches(&schema, &[4, 3]);
    let columns = ["place.city", "name", "id"].into_iter().map(ColumnName::from).collect();
    let dictionary: arrow_schema::DataType = "dictionary<int16, large_utf8>".parse().unwrap();
    let reshaping = Reshaping::new()
        .with_query(RowQuery::new().with_columns(columns))
        .with_cast("name", dictionary.clone())
        .with_rename("id", "number")
        .with_rename("name", "id");
    for bytes in [stream(&batches), file(&batches)] {
        let (found, _) = converted(
            &bytes,
            &ConvertOptions {
                reshaping: Some(reshaping.clone()),
                ..ConvertOptions::new(WrittenContainer::Stream)
            },
        );
        assert_eq!(
            format!("{:#}", found[0].schema()).lines().collect::<Vec<_>>()[..3],
            ["\"place.city\": utf8", "id: dictionary<int16, large_utf8>", "number: int64 not null"]
        );
        assert_eq!(found[0].schema().metadata().get("k"), Some("v"));
        for (found, batch) in found.iter().zip(&batches) {
            let names = cast(batch.column("name").unwrap(), &dictionary, Digits::Keep).unwrap();
            assert!(found.column("id").unwrap().same_values(&names).unwrap());
            assert!(found.column("number").unwrap().same_values(batch.column("id").unwrap()).unwrap());
        }
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let bytes = stream(&[ids([1, 2]), ids([1, 300])]);
    let failed = |reshaping: Reshaping| {
        let options =
            ConvertOptions { reshaping: Some(reshaping), ..ConvertOptions::new(WrittenContainer::File) };
        let input = Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
        convert(input, Vec::new(), &options, &mut ()).unwrap_err()
    };
    let error = failed(Reshaping::new().with_cast("id", arrow_schema::DataType::Int8));
    assert_eq!(error.to_string(), "memory: batch 1: column `id`: the value 300 in slot 1 does not fit int8");
    // Types that cannot be cast are no error of a batch.
    let error = failed(Reshaping::new().with_cast("id", arrow_schema::DataType::struct_([])));
    assert!(error.to_string().starts_with("memory: column `id`: "), "{error}");
    assert!(matches!(failed(Reshaping::new().with_rename("x", "y")).kind(), ToolErrorKind::Columns { .. }));
    let cast = Reshaping::new().with_cast("x", arrow_schema::DataType::Int8);
    assert!(matches!(failed(cast).kind(), ToolErrorKind::Columns { .. }));
}

/// A slot in an error of a cast is that of the batch, if the error names a batch.
#[test]
fn a_slot_is_that_of_the_batch_that_is_named() {
    let file = |batches: &[RecordBatch]| {
        let (input, to) = (Input::try_from_buffer("memory", stream(batches).into()).unwrap(), Vec::new());
        convert(input, to, &ConvertOptions::new(WrittenContainer::File), &mut ()).unwrap().0
    };
    let batches = [ids([1, 2]), ids([7, 8, 300, 9])];
    let query = |text: &str| RowQuery::new().with_condition(text.parse::<Predicate>().unwrap());
    let everything = RowQuery::new();
    let cases = [
        (everything.clone(), None, Some((1, 2))),
        (query("id > 0"), None, None),
        (query("id > 7"), None, None),
        (everything.clone(), Some(3..5), None),
        (everything.clone(), Some(4..6), None),
        (everything, Some(2..6), Some((1, 2))),
    ];
    for bytes in [stream(&batches), file(&batches)] {
        for (query, rows, expected) in cases.clone() {
            let rows = rows.map_or(RowWindow::ALL, RowWindow::from_rows);
            let reshaping = Reshaping::new().with_query(query).with_cast("id", DataType::Int8);
            let options = ConvertOptions {
                reshaping: Some(reshaping),
                rows,
                ..ConvertOptions::new(WrittenContainer::File)
            };
            let input = Input::try_from_buffer("memory", bytes.clone().into()).unwrap();
            let error = convert(input, Vec::new(), &options, &mut ()).unwrap_err();
            let ToolErrorKind::Cast { batch_idx, error, .. } = error.kind() else { panic!("{error}") };
            let slot = error.to_string();
            match expected {
                Some((batch, slot_of_batch)) => {
                    assert_eq!(*batch_idx, Some(batch));
                    assert!(slot.contains(&format!("in slot {slot_of_batch} ")), "{slot}");
                }
                None => assert_eq!(*batch_idx, None, "{slot}"),
            }
        }
    }
}

#[test]
fn lost_metadata_of_joined_batches_is_reported() {
    let batch = ids([1]);
    let mut writer = StreamWriter::try_new(Vec::new(), batch.schema()).unwrap();
    for value in ["a", "a", "b"] {
        writer.write_with_metadata(&batch, &[("k", value)].into_iter().collect()).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let options = ConvertOptions::new(WrittenContainer::File);
    let (found, losses) = converted(
        &bytes,
        &ConvertOptions { n_batch_rows: Some(NonZero::new(10).unwrap()), ..options.clone() },
    );
    assert_eq!(found.len(), 1);
    assert!(matches!(losses[..], [Loss::BatchMetadata { n_batches: 1 }]), "{losses:?}");
    let (found, losses) = converted(
        &bytes,
        &ConvertOptions { reshaping: Some(Reshaping::new().with_rename("id", "x")), ..options },
    );
    assert!(found.len() == 3 && losses.is_empty(), "{losses:?}");
}

/// The number of rows and the value of the key `k` of each written batch, and the number of batches that lose metadata.
fn joined(batches: &[(usize, &str)], n_rows: u64) -> (Vec<(usize, String)>, usize) {
    let schema = ids([]).schema().clone();
    let mut writer = StreamWriter::try_new(Vec::new(), schema).unwrap();
    for (n_rows, value) in batches {
        let metadata = [("k", *value)].into_iter().filter(|(_, value)| !value.is_empty()).collect();
        writer.write_with_metadata(&ids(0..*n_rows as i64), &metadata).unwrap();
    }
    let input = Input::try_from_buffer("memory", writer.finish().unwrap().into()).unwrap();
    let options = ConvertOptions {
        n_batch_rows: Some(NonZero::new(n_rows).unwrap()),
        ..ConvertOptions::new(WrittenContainer::Stream)
    };
    let (output, losses) = convert(input, Vec::new(), &options, &mut ()).unwrap();
    let n_lost = match losses[..] {
        [] => 0,
        [Loss::BatchMetadata { n_batches }] => n_batches,
        _ => panic!("{losses:?}"),
    };
    let mut reader = StreamReader::try_new(&output[..]).unwrap();
    let mut found = Vec::new();
    while let Some(batch) = reader.next_batch().unwrap() {
        let value = batch.metadata.get("k").unwrap_or_default();
        found.push((batch.batch.n_rows(), value.to_owned()));
    }
    (found, n_lost)
}

#[test]
fn batches_have_the_metadata_of_their_first_row() {
    type Case<'a> = (&'a [(usize, &'a str)], &'a [(usize, &'a str)], usize);
    let cases: [Case<'_>; 6] = [
        (&[(5, "a"), (25, "b")], &[(10, "a"), (10, "b"), (10, "b")], 0),
        (&[(25, "a"), (5, "b")], &[(10, "a"), (10, "a"), (10, "a")], 1),
        (&[(5, "a"), (5, "b"), (5, "")], &[(10, "a"), (5, "")], 1),
        (&[(5, ""), (10, "b")], &[(10, ""), (5, "b")], 0),
        (&[(5, "a"), (5, "a"), (1, "b")], &[(10, "a"), (1, "b")], 0),
        (&[(0, "a"), (5, "b")], &[(5, "b")], 1),
    ];
    for (batches, expected, n_lost) in cases {
        let expected = expected.iter().map(|(n_rows, value)| (*n_rows, (*value).to_owned())).collect();
        assert_eq!(joined(batches, 10), (expected, n_lost), "{batches:?}");
    }
}

/// Divides a batch into 20,000 batches of one row. Each is written before the next is made.
#[test]
fn pieces_of_a_batch_are_not_held() {
    let bytes = stream(&[ids(0..20_000)]);
    let options = ConvertOptions {
        n_batch_rows: Some(NonZero::new(1).unwrap()),
        ..ConvertOptions::new(WrittenContainer::Stream)
    };
    let input = Input::try_from_buffer("memory", bytes.into()).unwrap();
    let (losses, usage) = testing_support::CountingAllocator
        .measure(|| convert(input, io::sink(), &options, &mut ()).unwrap().1);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(usage.peak_bytes < 1 << 17, "{}", usage.peak_bytes);
}

/// A few bytes can be decompressed to any number of bytes. Joined batches therefore have the same limit as batches
/// that are read.
#[test]
fn batches_that_are_joined_have_a_bound() {
    const N_ROWS: usize = 130 << 20;
    let buffers = [vec![0_u8; N_ROWS].into(), Buffer::new()];
    let zeros = ArrayParts { buffers, ..ArrayParts::new(DataType::UInt8, N_ROWS) };
    let batch = RecordBatch::try_from_columns([("c", ArrayData::try_new(zeros).unwrap())]).unwrap();
    let options = WriteOptions::new().with_compression(Compression::zstd());
    let mut writer = StreamWriter::try_new_with(Vec::new(), batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    let bytes = Buffer::from(writer.finish().unwrap());

    let positioned = || Input::try_from_buffer("input", bytes.clone()).unwrap();
    let pipe = |times: usize| Input::try_from_reader("pipe", Cursor::new(bytes.repeat(times))).unwrap();
    let assembled = |inputs: Vec<Input>| {
        let options = ConvertOptions {
            n_batch_rows: Some(NonZero::new(1 << 40).unwrap()),
            ..ConvertOptions::copying(WrittenContainer::Stream)
        };
        Conversion::open(inputs, &options, &mut ())?.write_to(Vec::new(), &mut ()).map(drop)
    };
    let options = ConvertOptions {
        n_batch_rows: Some(NonZero::new(1 << 40).unwrap()),
        ..ConvertOptions::new(WrittenContainer::Stream)
    };
    let refused = [
        // The messages of a pipe are decoded. Messages of other inputs are copied, unless they are divided or joined.
        assembled(vec![positioned(), positioned()]),
        assembled(vec![pipe(1), pipe(1)]),
        convert(pipe(2), Vec::new(), &options, &mut ()).map(drop),
    ];
    for refused in refused {
        let error = refused.unwrap_err();
        let ToolErrorKind::RowMemory { n_bytes, max_bytes } = error.kind() else { panic!("{error:?}") };
        // The number includes the arrays themselves.
        assert!((260 << 20..261 << 20).contains(n_bytes), "{n_bytes} of {} bytes", bytes.len());
        assert_eq!(*max_bytes, 256 << 20);
    }
}

/// The casts of all columns of a batch share one budget. It is proportional to the length of the message before
/// decompression.
#[test]
fn columns_of_a_batch_share_one_budget() {
    const N: usize = 80_000;
    let encoded = |n_bytes: usize| {
        let words = Utf8Array::try_from_iter(["x".repeat(n_bytes)]).unwrap();
        let indices = Int8Array::from_iter(std::iter::repeat_n(0, N));
        DictionaryArray::try_new(indices, words).unwrap().into_data()
    };
    let batch = |n_bytes: usize, n_columns: usize| {
        let column = encoded(n_bytes);
        let names = ["a", "b", "c"].into_iter().take(n_columns);
        RecordBatch::try_from_columns(names.map(|name| (name, column.clone()))).unwrap()
    };
    let is_refused = |batch: &RecordBatch, max_bytes: Option<u64>| {
        let writing = || WriteOptions::new().with_compression(Compression::zstd());
        let file =
            FileWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), writing()).unwrap();
        let stream =
            StreamWriter::write_to_buffer_with(batch.schema(), std::slice::from_ref(batch), writing())
                .unwrap();
        let casts = batch
            .schema()
            .fields()
            .iter()
            .fold(Reshaping::new(), |reshaping, field| reshaping.with_cast(field.name(), DataType::Utf8));
        let casts = max_bytes.into_iter().fold(casts, |casts, n_bytes| casts.with_max_cast_bytes(n_bytes));
        let mut outcomes = [file.clone(), stream, file].into_iter().enumerate().map(|(how, bytes)| {
            let input = Input::try_from_buffer("input", bytes).unwrap();
            let whole = ConvertOptions {
                reshaping: Some(casts.clone()),
                ..ConvertOptions::new(WrittenContainer::Stream)
            };
            let options = match how {
                2 => ConvertOptions { unifies_dictionaries: true, ..whole },
                _ => whole,
            };
            match convert(input, io::sink(), &options, &mut ()) {
                Ok(_) => false,
                Err(error) => {
                    assert!(error.to_string().contains("exceed the memory budget"), "{error}");
                    true
                }
            }
        });
        let first = outcomes.next().unwrap();
        assert!(outcomes.all(|outcome| outcome == first), "{max_bytes:?}");
        first
    };
    // Each column takes 8 MB.
    let max_bytes = Some(15_000_000);
    assert!(!is_refused(&batch(100, 1), max_bytes));
    assert!(is_refused(&batch(100, 3), max_bytes));
    // 320 MB, from a message of less than a kilobyte with one or two columns.
    assert!(!is_refused(&batch(100, 2), None));
    assert!(is_refused(&batch(4_000, 1), None));
    assert!(is_refused(&batch(2_000, 2), None));
}

/// The size of a result is checked before the cast, so the budget limits the memory of a conversion.
#[test]
fn casts_take_no_more_memory_than_they_may() {
    const N: usize = 80_000;
    let words = Utf8Array::try_from_iter(["x".repeat(100)]).unwrap();
    let indices = Int8Array::from_iter(std::iter::repeat_n(0, N));
    let column = DictionaryArray::try_new(indices, words).unwrap().into_data();
    let bytes = stream(&[RecordBatch::try_from_columns([("a", column)]).unwrap()]);
    // 8 MB of text, and more for the offsets and the cast.
    for (max_bytes, is_enough) in
        [(1_u64 << 20, false), (4 << 20, false), (8_000_000, false), (12_000_000, true)]
    {
        let casts = Reshaping::new().with_cast("a", DataType::Utf8).with_max_cast_bytes(max_bytes);
        let options =
            ConvertOptions { reshaping: Some(casts), ..ConvertOptions::new(WrittenContainer::Stream) };
        let input = Input::try_from_buffer("input", bytes.clone().into()).unwrap();
        let (result, usage) =
            testing_support::CountingAllocator.measure(|| convert(input, io::sink(), &options, &mut ()));
        assert_eq!(result.is_ok(), is_enough, "{max_bytes}: {:?}", result.err());
        // The input is not copied. The writer and the reader use a few kilobytes.
        let limit = i64::try_from(max_bytes).unwrap() + (1 << 19);
        assert!(usage.peak_bytes <= limit, "{max_bytes}: {usage:?}");
    }
}
