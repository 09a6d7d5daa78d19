//! Compares reading in parts with reading the whole text.

use std::io::{BufReader, Read};

use testing_support::{Hunt, Rng};

use super::*;
use crate::{RaggedRows, RowErrorKind, SkippedRows, write::JsonWriter};

/// The rows up to the first error, as JSON, with the skipped rows; and the error.
type Outcome = (String, Option<String>);

fn with_skipped(outcome: Outcome, skipped: SkippedRows) -> Outcome {
    let skipped =
        if skipped.n_rows() > 0 && outcome.1.is_none() { skipped.to_string() } else { String::new() };
    (outcome.0 + &skipped, outcome.1)
}

fn rows_of(batches: impl Iterator<Item = Result<arrow_data::RecordBatch, RowError>>) -> Outcome {
    let mut writer = JsonWriter::new();
    let mut rows = Vec::new();
    for batch in batches {
        match batch {
            Ok(batch) => writer.rows(&batch).unwrap().write_to(&mut rows).unwrap(),
            Err(error) => return (String::from_utf8(rows).unwrap(), Some(error.to_string())),
        }
    }
    (String::from_utf8(rows).unwrap(), None)
}

const SCHEMA: &str = "a: utf8\nb: utf8";

/// The outcome of reading the whole text with one reader.
fn whole(text: &[u8], options: CsvOptions, max_bytes: usize) -> Outcome {
    let schema: Schema = SCHEMA.parse().unwrap();
    let reader = CsvReader::try_new_with(text, schema, options).unwrap();
    let mut reader = reader.with_max_record_bytes(max_bytes);
    let rows = rows_of(reader.by_ref());
    with_skipped(rows, reader.skipped_rows())
}

/// The outcome of reading all parts, and the number of parts.
fn in_parts(
    text: &[u8],
    options: CsvOptions,
    max_bytes: usize,
    n_records: usize,
    capacity: usize,
) -> (Outcome, usize) {
    let schema: Schema = SCHEMA.parse().unwrap();
    let parts = CsvParts::try_new_with(BufReader::with_capacity(capacity, text), schema, options).unwrap();
    let parts = parts.with_max_record_bytes(max_bytes).with_part_records(n_records);
    let mut n_parts = 0;
    let mut skipped = SkippedRows::default();
    let batches = parts.flat_map(|part| {
        n_parts += 1;
        let mut rows = match part.and_then(CsvPart::reader) {
            Ok(rows) => rows,
            Err(error) => return vec![Err(error)],
        };
        let batches = rows.by_ref().collect();
        skipped.append(&rows.skipped_rows());
        batches
    });
    let rows = rows_of(batches);
    (with_skipped(rows, skipped), n_parts)
}

/// Removes errors whose order depends on how the input is divided into reads: a record may be found to be too long before or
/// after a later error is found.
fn without_late_errors((rows, error): Outcome, max_bytes: usize) -> Outcome {
    (rows, if max_bytes > MAX_BYTES { error } else { error.map(|_| "some".to_owned()) })
}

/// The maximum length of a record in tests of the limit.
const MAX_BYTES: usize = 12;

fn random_text(rng: &mut Rng, n_pieces: usize) -> Vec<u8> {
    let pieces: [&[u8]; 14] = [
        b"#",
        b"a",
        b"b c",
        b"\"",
        b"\"\"",
        b",",
        b",",
        b"\n",
        b"\r\n",
        b"\r",
        b"\xc3\xa9",
        b"x,y\n",
        b"x,y,\n",
        b"\"p\n\",q\r\n",
    ];
    (0..rng.below(n_pieces)).flat_map(|_| rng.pick(&pieces).iter().copied()).collect()
}

/// The same rows, errors and line numbers, for all kinds of text.
#[test]
fn parts_have_the_rows_of_the_whole() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(17);
    let mut n_cut = 0;
    let mut n_failed = 0;
    for case in 0..hunt.count(1_000, 40_000) {
        let (start, options): (&[u8], CsvOptions) = match case % 4 {
            0 => (b"a,b\n", CsvOptions::new()),
            1 => (b"\xef\xbb\xbfb,a\r\n", CsvOptions::new()),
            2 => (b"\xef\xbb\xbf", CsvOptions::new().without_header()),
            _ => (b"", CsvOptions::new().without_header()),
        };
        let options = if rng.below(4) == 0 { options.with_end_delimiters() } else { options };
        let comment = || options.with_comment(b'#').unwrap();
        let (start, options) = match case % 3 {
            0 => (start.to_vec(), options),
            1 => (start.to_vec(), comment().with_ragged_rows(RaggedRows::Skip)),
            _ => {
                let skipped: &[u8] = if case % 2 == 0 { b"\"\r\n\"," } else { b"\n#\r" };
                let options = comment().with_skipped_lines(2).with_ragged_rows(RaggedRows::Pad);
                ([skipped, b"\n", start].concat(), options)
            }
        };
        // Errors should also occur in later parts, so some whole rows come first.
        let rows = b"1,2\r\n\"3\n\",\"4\"\"\"\n\n".repeat(rng.below(3));
        let text = [&*start, &rows, &random_text(&mut rng, 30)].concat();
        let max_bytes = if case % 5 == 0 { MAX_BYTES } else { 1 << 20 };
        let expected = without_late_errors(whole(&text, options, max_bytes), max_bytes);
        for n_records in [1, 2, 5] {
            let capacity = 1 + rng.below(9);
            let (found, n_parts) = in_parts(&text, options, max_bytes, n_records, capacity);
            let text = String::from_utf8_lossy(&text);
            assert_eq!(
                without_late_errors(found, max_bytes),
                expected,
                "{text:?}, {n_records} records, {capacity} bytes"
            );
            n_cut += usize::from(n_parts > 2);
        }
        n_failed += usize::from(expected.1.is_some());
    }
    assert!(n_cut > 500 && n_failed > 125, "{n_cut} in several parts, {n_failed} failed");
}

/// Blocks of records give the same batches, errors, lines, nulls and skipped rows as single records.
#[test]
fn blocks_have_what_single_records_have() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(23);
    let lines: [&[u8]; 16] = [
        b"1,a\n",
        b"2,\"b,c\"\r\n",
        b",\n",
        b"-3,\"\"\n",
        b" 4 ,d\r",
        b"5,\xc3\xa9\n",
        b"6,\"x\"\"y\"\n",
        b"7,\"p\nq\"\n",
        b"\n",
        b"#8,z\n",
        b"9\n",
        b"1,2,3\n",
        b"300,a\n",
        b"x,a\n",
        b"1,\xff\n",
        b"\"7\",NULL\r\n",
    ];
    let schemas = [
        "a: int8\nb: utf8",
        "a: dictionary<int8, int16>\nb: run_end_encoded<run_ends: int16 not null, values: utf8>",
        "a: int64 not null\nb: fixed_size_binary(4)",
    ];
    let mut n_rows = 0;
    let mut n_block_rows = 0;
    let mut n_errors = 0;
    let mut n_batches = 0;
    for case in 0..hunt.count(1_500, 60_000) {
        // In most texts, most lines have no error.
        let n_kinds = if case % 3 == 0 { lines.len() } else { 6 + rng.below(4) };
        let text: Vec<u8> =
            (0..rng.below(60)).flat_map(|_| rng.pick(&lines[..n_kinds]).iter().copied()).collect();
        let ragged = [RaggedRows::Error, RaggedRows::Skip, RaggedRows::Pad][rng.below(3)];
        let options = CsvOptions::new().without_header().with_ragged_rows(ragged);
        let options = if rng.below(2) == 0 { options.with_comment(b'#').unwrap() } else { options };
        let batch_rows = 1 + rng.below(40);
        let batch_bytes = 1 + rng.below(200) as u64;
        let null_bytes = rng.below(100) as u64;
        let record_bytes = 4 + rng.below(300);
        let capacity = 1 + rng.below(200);
        let schema: Schema = schemas[rng.below(schemas.len())].parse().unwrap();
        let goes_on = rng.below(2) == 0;
        let reader = || {
            let input = BufReader::with_capacity(capacity, text.as_slice());
            let reader = CsvReader::try_new_with(input, schema.clone(), options).unwrap();
            let reader = reader.with_batch_rows(batch_rows).with_batch_bytes(batch_bytes);
            let reader = reader.with_max_null_bytes(null_bytes).with_max_record_bytes(record_bytes);
            if goes_on { reader.with_skipped_errors() } else { reader }
        };
        let mut outcome = |mut reader: CsvReader<BufReader<&[u8]>>| {
            let found: Vec<String> = reader
                .by_ref()
                .map(|batch| match batch {
                    Ok(batch) => {
                        n_rows += batch.n_rows();
                        n_batches += 1;
                        rows_of(std::iter::once(Ok(batch))).0
                    }
                    Err(error) => {
                        n_errors += 1;
                        format!("line {}: {error}", error.line())
                    }
                })
                .collect();
            n_block_rows += reader.n_block_rows();
            (found, reader.null_bytes(), reader.skipped_rows())
        };
        let text = String::from_utf8_lossy(&text);
        assert_eq!(outcome(reader()), outcome(reader().one_by_one()), "{text:?} as {schema}, {options:?}");
    }
    assert!(n_rows > 20_000 && n_errors > 2_000 && n_batches > 5_000, "{n_rows}, {n_errors}, {n_batches}");
    assert!(n_block_rows > 3_000, "{n_block_rows} rows in blocks");
}

/// A record is stored up to the limit, and empty lines are not stored.
#[test]
fn memory_is_bounded() {
    const MAX_BYTES: usize = 1 << 16;
    let endless: [(&[u8], &[u8]); 6] = [
        (b"a,b\n", b"x"),
        (b"a,b\n\"", b"\n"),
        (b"a,b\n\"", b"\"\""),
        (b"a,b\n#", b"\""),
        (b"a,b\n", b"\n"),
        (b"a,b\n", b"#\n"),
    ];
    let options = CsvOptions::new().with_comment(b'#').unwrap();
    for (start, repeated) in endless {
        // A part of empty lines ends after 8 MiB, and a long record at the limit.
        let is_empty_lines = repeated.ends_with(b"\n") && start == b"a,b\n";
        let rest = repeated.repeat((if is_empty_lines { 10 << 20 } else { 1 << 20 }) / repeated.len());
        let schema: Schema = SCHEMA.parse().unwrap();
        let parts = CsvParts::try_new_with(start.chain(&*rest), schema, options).unwrap();
        let mut parts = parts.with_max_record_bytes(MAX_BYTES);
        let part = parts.next().unwrap().unwrap();
        if is_empty_lines {
            assert!(part.text.text.len() <= 9 << 20 && part.reader().unwrap().next().is_none());
            continue;
        }
        // A part may exceed the limit by the bytes of one step of the reader.
        assert!(part.text.text.len() < 4 * MAX_BYTES, "{}", part.text.text.len());
        let error = part.reader().unwrap().next().unwrap().unwrap_err();
        assert!(matches!(error.kind(), RowErrorKind::TooLong { max_bytes: MAX_BYTES }), "{error}");
    }
}

#[test]
fn an_input_that_fails_does_so_after_its_rows() {
    struct FailingReader;
    impl Read for FailingReader {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    for text in ["a,b\n1,2\n\n3,4\n5,\"", "a,b\n1,2\n\n3,4\n5"] {
        let input = || BufReader::new(text.as_bytes().chain(FailingReader));
        let schema: Schema = SCHEMA.parse().unwrap();
        let expected = rows_of(CsvReader::try_new(input(), schema.clone()).unwrap());
        let parts = CsvParts::try_new(input(), schema).unwrap();
        let mut batches = Vec::new();
        for part in parts {
            match part {
                Ok(part) => batches.extend(part.reader().unwrap()),
                Err(error) => batches.push(Err(error)),
            }
        }
        assert_eq!(rows_of(batches.into_iter()), expected);
        assert!(expected.1.unwrap().contains("line 5"));
    }
}
