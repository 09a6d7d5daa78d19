//! Compares reading in parts with reading the whole text.

use std::io::{BufReader, Read};

use testing_support::{Hunt, Rng};

use super::*;
use crate::{RowErrorKind, write::JsonWriter};

/// The rows up to the first error, as JSON; and the error.
type Outcome = (String, Option<String>);

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

fn schema() -> Schema {
    "a: int64".parse().unwrap()
}

fn whole(input: impl BufRead, max_bytes: usize) -> Outcome {
    rows_of(JsonReader::try_new(input, schema()).unwrap().with_max_line_bytes(max_bytes))
}

/// The outcome of reading all parts, and the number of parts.
fn in_parts(input: impl BufRead, max_bytes: usize, n_lines: u64) -> (Outcome, usize) {
    let parts = JsonParts::try_new(input, schema()).unwrap();
    let parts = parts.with_max_line_bytes(max_bytes).with_part_lines(n_lines);
    let mut n_parts = 0;
    let batches = parts.flat_map(|part| {
        n_parts += 1;
        part.and_then(JsonPart::reader).map_or_else(|error| vec![Err(error)], |rows| rows.collect())
    });
    (rows_of(batches), n_parts)
}

fn random_text(rng: &mut Rng, n_pieces: usize) -> Vec<u8> {
    let pieces: [&[u8]; 9] = [
        b"{\"a\":1}\n",
        b"{\"a\":23}\r\n",
        b"{}\n",
        b"\n",
        b" \r\n",
        b"{\"a\":null}",
        b"{\"a\":1.5}\n",
        b"\xc3\n",
        b"              ",
    ];
    (0..rng.below(n_pieces)).flat_map(|_| rng.pick(&pieces).iter().copied()).collect()
}

/// The same rows, errors and line numbers, for all kinds of text and all sizes of reads.
#[test]
fn parts_have_the_rows_of_the_whole() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(18);
    let mut n_cut = 0;
    let mut n_failed = 0;
    for case in 0..hunt.count(1_000, 40_000) {
        let start: &[u8] = if case % 3 == 0 { b"\xef\xbb\xbf" } else { b"" };
        // Errors should also occur in later parts, so some whole rows come first.
        let rows = b"{\"a\":7}\n\n{\"a\":8}\r\n".repeat(rng.below(4));
        let text = [start, &rows, &random_text(&mut rng, 12)].concat();
        let max_bytes = if case % 5 == 0 { 12 } else { 1 << 20 };
        let expected = whole(&*text, max_bytes);
        for n_lines in [0, 1, 2, 5] {
            let input = BufReader::with_capacity(1 + rng.below(9), &*text);
            let (found, n_parts) = in_parts(input, max_bytes, n_lines);
            assert_eq!(found, expected, "{:?}, {n_lines} lines", String::from_utf8_lossy(&text));
            n_cut += usize::from(n_parts > 2);
        }
        n_failed += usize::from(expected.1.is_some());
    }
    assert!(n_cut > 500 && n_failed > 125, "{n_cut} in several parts, {n_failed} failed");
}

/// Blocks of lines that are read without the parser give the same batches, errors, positions and nulls as the parser.
#[test]
fn blocks_have_what_the_parser_reads() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(24);
    // The first kinds of lines have no error. The others occur in some texts only.
    let names = [
        r#""a""#,
        r#""b""#,
        r#""c""#,
        r#" "a" "#,
        r#""x""#,
        r#""\u0061""#,
        r#""q\"s""#,
        "\"a\t\"",
        "b",
        r#""a"b""#,
        r#""a\"b""#,
    ];
    let values = [
        "1",
        "-7",
        "null",
        r#""t""#,
        r#""é u""#,
        r#""""#,
        "true",
        " 2 ",
        "0",
        r#""9""#,
        "false",
        "300",
        "1.5",
        "1e2",
        "01",
        "-",
        "nul",
        "nulls",
        "[]",
        "{}",
        "\"a\u{1}\"",
        r#""\n""#,
        r#""\""#,
        "\"a\rb\"",
        "\"a\nb\"",
        "\"",
        "1 2",
        "1e",
        "+1",
        "'a'",
    ];
    let ends = ["\n", "\r\n", " \n", "\n\n", "\r", " \r\n", ",\n", "}\n", "\\\n", "\r\r\n", ""];
    const TEXTS: [&str; 3] = [r#""t""#, r#""é u""#, r#""""#];
    const INTEGERS: [&str; 3] = ["1", "-7", "null"];
    let schemas = [
        ("a: int8\nb: utf8\nc: bool", [INTEGERS, TEXTS, ["true", "false", "null"]]),
        ("a: utf8\nb: utf8\nc: utf8", [TEXTS, TEXTS, TEXTS]),
        ("a: float64 not null\nb: utf8_view\nc: int64", [["1.5", "-7", "1e2"], TEXTS, INTEGERS]),
        (
            "a: int64\n\"q\\\"s\": utf8\nb: date32\nc: int8\n\"a\\\"b\": utf8",
            [INTEGERS, ["null", r#""2024-02-29""#, " null"], INTEGERS],
        ),
    ];
    let mut n_rows = 0;
    let mut n_block_rows = 0;
    let mut n_errors = 0;
    let mut n_batches = 0;
    for case in 0..hunt.count(2_500, 100_000) {
        let is_wild = case % 3 == 0;
        let (schema, fine) = schemas[rng.below(schemas.len())];
        let n_of = |n_fine: usize, n_all: usize| if is_wild { n_all } else { n_fine };
        let mut text = Vec::new();
        for _ in 0..rng.below(50) {
            let mut members = Vec::new();
            for (at, name) in names[..3].iter().enumerate() {
                let name = match rng.below(n_of(100, 20)) {
                    0 | 1 if at > 0 => continue,
                    2 => names[rng.below(n_of(3, names.len()))],
                    _ => name,
                };
                let is_odd = rng.below(n_of(200, 12)) == 0;
                let value = if is_odd { values[rng.below(values.len())] } else { fine[at][rng.below(3)] };
                members.push(format!("{name}:{value}"));
            }
            let separator = if rng.below(4) == 0 { " , " } else { "," };
            text.extend(format!("{{{}}}", members.join(separator)).bytes());
            text.extend(ends[rng.below(n_of(4, ends.len()))].bytes());
            if is_wild && rng.below(30) == 0 {
                text.push(0xFF);
            }
        }
        let batch_rows = 1 + rng.below(40);
        let batch_bytes = 1 + rng.below(1_500) as u64;
        let null_bytes = rng.below(1_000) as u64;
        let line_bytes = 40 + rng.below(2_000);
        let capacity = 1 + rng.below(600);
        let schema: Schema = schema.parse().unwrap();
        let goes_on = rng.below(3) > 0;
        let ignores = rng.below(2) == 0;
        let keeps = rng.below(2) == 0;
        let reader = || {
            let input = BufReader::with_capacity(capacity, text.as_slice());
            let reader = JsonReader::try_new(input, schema.clone()).unwrap();
            let reader = reader.with_batch_rows(batch_rows).with_batch_bytes(batch_bytes);
            let reader = reader.with_max_null_bytes(null_bytes).with_max_line_bytes(line_bytes);
            let reader = if ignores { reader.with_ignored_unknown_members() } else { reader };
            let reader = if keeps { reader.with_exact_numbers() } else { reader };
            if goes_on { reader.with_skipped_errors() } else { reader }
        };
        let mut outcome = |mut reader: JsonReader<BufReader<&[u8]>>| {
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
            (found, reader.null_bytes())
        };
        let text = String::from_utf8_lossy(&text);
        assert_eq!(outcome(reader()), outcome(reader().one_by_one()), "{text:?} as {schema}");
    }
    assert!(n_rows > 20_000 && n_errors > 2_000 && n_batches > 5_000, "{n_rows}, {n_errors}, {n_batches}");
    assert!(n_block_rows > 10_000, "{n_block_rows} rows in blocks");
}

/// Lines and parts are stored up to their limits.
#[test]
fn memory_is_bounded() {
    const MAX_BYTES: usize = 1 << 16;
    let endless = || io::repeat(b' ').take(1 << 40);
    let mut parts =
        JsonParts::try_new(BufReader::new(endless()), schema()).unwrap().with_max_line_bytes(MAX_BYTES);
    let part = parts.next().unwrap().unwrap();
    // A part may exceed the limit by the bytes of one step of the reader.
    assert!(part.0.text.len() < 3 * MAX_BYTES, "{}", part.0.text.len());
    let error = part.reader().unwrap().next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::TooLong { max_bytes: MAX_BYTES }), "{error}");
    let line = [&b"{\"a\":1}"[..], &b" ".repeat(1 << 19), b"\n"].concat();
    let text = line.repeat(40);
    let n_parts: Vec<usize> = JsonParts::try_new(&*text, schema())
        .unwrap()
        .map(|part| part.unwrap().0.text.len() / line.len())
        .collect();
    assert_eq!(n_parts, [16, 16, 8]);
}

#[test]
fn line_ends_are_counted() {
    for n_bytes in [0, 1, 127, 128, 129, 1000] {
        for step in [1, 2, 7, 200] {
            let text: Vec<u8> = (0..n_bytes).map(|n| if n % step == 0 { b'\n' } else { b'x' }).collect();
            let naive = text.iter().filter(|byte| **byte == b'\n').count() as u64;
            assert_eq!(n_line_ends(&text), naive);
        }
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
    for text in ["", "{\"a\":1}\n\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n{\"a\":"] {
        let input = || BufReader::new(text.as_bytes().chain(FailingReader));
        let expected = whole(input(), 1 << 20);
        for n_lines in [1, 100] {
            assert_eq!(in_parts(input(), 1 << 20, n_lines).0, expected);
        }
        let n_lines = text.lines().filter(|line| line.ends_with('}') || line.is_empty()).count();
        assert!(expected.1.unwrap().contains(&format!("line {}", n_lines + 1)));
    }
}
