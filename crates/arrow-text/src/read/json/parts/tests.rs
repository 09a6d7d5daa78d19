//! Compares reading in parts with reading the whole text.

use std::io::{BufReader, Read};

use testing_support::{Hunt, Rng};

use super::*;
use crate::write::JsonWriter;

/// The rows up to the first error, as JSON, and the error.
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

/// The result of one reader.
fn whole(input: impl BufRead, max_bytes: usize) -> Outcome {
    rows_of(JsonReader::try_new(input, schema()).unwrap().with_max_line_bytes(max_bytes))
}

/// The results of the readers of all parts, and the number of parts.
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

/// Rows, errors and line numbers, for all kinds of text, however it arrives.
#[test]
fn parts_have_the_rows_of_the_whole() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(18);
    let (mut n_cut, mut n_failed) = (0, 0);
    for case in 0..hunt.count(1_000, 40_000) {
        let start: &[u8] = if case % 3 == 0 { b"\xef\xbb\xbf" } else { b"" };
        // Whole rows come first, so that later parts have errors, too.
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

/// No more of a line is kept than the limit, and no more of a part than it may have.
#[test]
fn memory_is_bounded() {
    const MAX_BYTES: usize = 1 << 16;
    let endless = || io::repeat(b' ').take(1 << 40);
    let mut parts =
        JsonParts::try_new(BufReader::new(endless()), schema()).unwrap().with_max_line_bytes(MAX_BYTES);
    let part = parts.next().unwrap().unwrap();
    // The reader may exceed the limit by one step.
    assert!(part.text.len() < 3 * MAX_BYTES, "{}", part.text.len());
    let error = part.reader().unwrap().next().unwrap().unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::TooLong { max_bytes: MAX_BYTES }), "{error}");
    let line = [&b"{\"a\":1}"[..], &b" ".repeat(1 << 19), b"\n"].concat();
    let text = line.repeat(40);
    let n_parts: Vec<usize> = JsonParts::try_new(&*text, schema())
        .unwrap()
        .map(|part| part.unwrap().text.len() / line.len())
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
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::ConnectionReset.into())
        }
    }
    for text in ["", "{\"a\":1}\n\n{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n{\"a\":"] {
        let input = || BufReader::new(text.as_bytes().chain(Broken));
        let expected = whole(input(), 1 << 20);
        for n_lines in [1, 100] {
            assert_eq!(in_parts(input(), 1 << 20, n_lines).0, expected);
        }
        let n_lines = text.lines().filter(|line| line.ends_with('}') || line.is_empty()).count();
        assert!(expected.1.unwrap().contains(&format!("line {}", n_lines + 1)));
    }
}
