//! Compares records with expected records, and with the records of another reader.

use std::io::{BufReader, Read};

use arrow_array::{ColumnText, TextStyle};
use arrow_data::RecordBatch;
use testing_support::Hunt;

use super::*;
use crate::write::CsvRows;

/// The cells of each record, in which quoted cells are marked; and how reading ended.
type Outcome = (Vec<Vec<String>>, String);

fn records(text: &[u8], delimiter: u8, max_bytes: usize) -> Outcome {
    let options = CsvOptions::new().with_delimiter(delimiter).unwrap();
    let mut found: Vec<Outcome> = Vec::new();
    // The result must not depend on how many bytes arrive at a time.
    for capacity in [1, 2, 3, 7, 1 << 13] {
        let mut records = Records::new(BufReader::with_capacity(capacity, text), &options, max_bytes);
        let mut these = Vec::new();
        let end = loop {
            match records.next() {
                Ok(Some(record)) => these.push(show(record)),
                Ok(None) => break "end".to_owned(),
                Err(error) => break format!("line {}: {error}", records.line()),
            }
        };
        assert!(records.next().is_ok_and(|record| record.is_none()), "it is over");
        found.push((these, end));
    }
    assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    found.swap_remove(0)
}

fn show(record: &Record) -> Vec<String> {
    assert_eq!(record.cell(record.n_cells()), None);
    let texts = (0..record.n_cells()).map_while(|cell_idx| record.cell(cell_idx));
    assert_eq!(record.n_bytes(), texts.map(|(text, _)| text.len() + 1).sum::<usize>());
    let cells = (0..record.n_cells()).map(|cell_idx| match record.cell(cell_idx).expect("there is one") {
        (text, false) => text.to_owned(),
        (text, true) => format!("<{text}>"),
    });
    cells.collect()
}

#[test]
fn records_by_hand() {
    type Records<'a> = &'a [&'a [&'a str]];
    let cases: &[(&[u8], Records<'_>, &str)] = &[
        (b"", &[], "end"),
        (b"\n\r\n\r\r\n\n", &[], "end"),
        (b"a", &[&["a"]], "end"),
        (b"a,b\nc,d\n", &[&["a", "b"], &["c", "d"]], "end"),
        (b"a,b\r\n\r\nc,d", &[&["a", "b"], &["c", "d"]], "end"),
        (b"a\rb\r", &[&["a"], &["b"]], "end"),
        (b",", &[&["", ""]], "end"),
        (b"a,\n,\"\"\n\"\"\n", &[&["a", ""], &["", "<>"], &["<>"]], "end"),
        (b"\"a,\"\"b\"\"\r\n\",c", &[&["<a,\"b\"\r\n>", "c"]], "end"),
        (b"a\"b\",c\"\n", &[&["a\"b\"", "c\""]], "end"),
        (b" \"a\" ,b", &[&[" \"a\" ", "b"]], "end"),
        (b"a\0b,\xc3\xa9", &[&["a\0b", "\u{e9}"]], "end"),
        (b"\xef\xbb\xbfa,b", &[&["a", "b"]], "end"),
        (b"\xef\xbb\xbf\"a\"\n\xef\xbb\xbfb", &[&["<a>"], &["\u{feff}b"]], "end"),
        (b"\xef\xbb\xbf", &[], "end"),
        (b"\"\xef\xbb\xbfa\"", &[&["<\u{feff}a>"]], "end"),
        (b"a\n\"b\" ,c\n", &[&["a"]], "line 2: cell 1 has text after its closing quote"),
        (b"a,\"b\"c", &[], "line 1: cell 2 has text after its closing quote"),
        (b"a\nb,\"c\n\nd", &[&["a"]], "line 4: cell 2 has no closing quote"),
        (b"\"", &[], "line 1: cell 1 has no closing quote"),
        (b"a\nb,c\xff,d", &[&["a"]], "line 2: cell 2 is not UTF-8"),
        (b"a,\xc3,\xa9", &[], "line 1: cell 2 is not UTF-8"),
        (b"12345678901234567890123,\n", &[&["12345678901234567890123", ""]], "end"),
    ];
    for (text, expected, end) in cases {
        let (found, found_end) = records(text, b',', 25);
        assert_eq!(found, *expected, "{text:?}");
        assert_eq!(found_end, *end, "{text:?}");
    }
    assert_eq!(records(b"a;b,c", b';', 9).0, [["a", "b,c"]]);
}

#[test]
fn records_know_their_lines() {
    let text = b"a\n\n\"b\n\n\"\r\n\r\nc\rd".as_slice();
    let mut records = Records::new(text, &CsvOptions::new(), 100);
    let mut lines = Vec::new();
    while let Some(record) = records.next().expect("it is fine") {
        lines.push((record.cell(0).expect("a cell").0.to_owned(), record.line()));
    }
    assert_eq!(
        lines,
        [("a", 1), ("b\n\n", 3), ("c", 7), ("d", 8)].map(|(text, line)| (text.to_owned(), line))
    );
}

/// Line ends in quoted cells are counted like those in an obvious reading, wherever pieces of the text end.
#[test]
fn line_ends_in_quotes_are_counted() {
    let pieces = ["a", "\r", "\n", "\"\""];
    for choice in 0..pieces.len().pow(5) {
        let cell: String = (0..5).map(|k| pieces[choice / pieces.len().pow(k) % pieces.len()]).collect();
        for end in ["\r", "\n", "\r\n"] {
            let before = format!("\"{cell}\"{end}");
            let expected = 1 + before.replace("\r\n", "\n").matches(['\r', '\n']).count() as u64;
            let text = format!("{before}b");
            for capacity in [1, 2, 3, 64] {
                let input = BufReader::with_capacity(capacity, text.as_bytes());
                let mut records = Records::new(input, &CsvOptions::new(), 100);
                assert_eq!(records.next().unwrap().expect("a record").line(), 1);
                assert_eq!(
                    records.next().unwrap().expect("a record").line(),
                    expected,
                    "{text:?} {capacity}"
                );
            }
        }
    }
}

#[test]
fn memory_is_bounded() {
    const MAX_BYTES: usize = 1 << 16;
    let endless: [(&[u8], u8); 3] = [(b"", b'x'), (b"", b','), (b"a,\"", b'\n')];
    for (start, byte) in endless {
        let input = BufReader::new(start.chain(io::repeat(byte).take(1 << 40)));
        let mut records = Records::new(input, &CsvOptions::new(), MAX_BYTES);
        assert!(matches!(records.next(), Err(RowErrorKind::TooLong { max_bytes: MAX_BYTES })));
        assert!(matches!(records.next(), Ok(None)));
    }
}

/// All records if at most `n_stored` cells of each are stored: the stored cells, the number of cells, and the error at the end.
fn keeping(text: &[u8], n_stored: usize) -> (Vec<(Vec<String>, usize)>, Option<String>) {
    let mut records = Records::new(text, &CsvOptions::new(), 20);
    records.keep_cells(n_stored);
    let mut found = Vec::new();
    loop {
        match records.next() {
            Ok(Some(record)) => {
                let cells = (0..n_stored.min(record.n_cells())).map_while(|idx| record.cell(idx));
                let cells = cells.map(|(text, is_quoted)| format!("{text}{is_quoted}")).collect();
                assert!(record.cell(n_stored).is_none());
                found.push((cells, record.n_cells()));
            }
            Ok(None) => return (found, None),
            Err(error) => return (found, Some(format!("{}: {error}", records.line()))),
        }
    }
}

#[test]
fn cells_that_are_not_stored_are_counted() {
    let mut rng = Hunt::from_env().rng(9);
    let pieces: [&[u8]; 7] = [b"a", b"b c", b"\"", b"\"\"", b",", b"\n", b"\xc3\xa9"];
    for _ in 0..2_000 {
        let text: Vec<u8> = (0..rng.below(24)).flat_map(|_| rng.pick(&pieces).iter().copied()).collect();
        let (all, error) = keeping(&text, usize::MAX);
        for n_stored in [0, 1, 2, 5] {
            let (some, same_error) = keeping(&text, n_stored);
            assert_eq!(error, same_error, "{text:?}");
            assert_eq!(all.len(), some.len(), "{text:?}");
            for (all, some) in all.iter().zip(&some) {
                assert_eq!(
                    all.0.iter().take(n_stored).collect::<Vec<_>>(),
                    some.0.iter().collect::<Vec<_>>()
                );
                assert_eq!(all.1, some.1, "{text:?}");
            }
        }
    }
}

/// The records that the `csv` crate returns, which accepts more texts.
fn theirs(text: &[u8]) -> Option<Vec<Vec<String>>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let record = |record: csv::Result<csv::StringRecord>| {
        record.ok().map(|record| record.iter().map(str::to_owned).collect())
    };
    reader.records().map(record).collect()
}

#[test]
fn agrees_with_another_reader() {
    let hunt = Hunt::from_env();
    let mut rng = hunt.rng(5);
    let pieces: [&[u8]; 10] = [b"a", b"b c", b"\"", b"\"\"", b",", b",", b"\n", b"\r\n", b"\r", b"\xc3\xa9"];
    let mut n_agreed = 0;
    for _ in 0..hunt.count(5_000, 30_000) {
        let text: Vec<u8> = (0..rng.below(14)).flat_map(|_| rng.pick(&pieces).iter().copied()).collect();
        let mut ours = Records::new(text.as_slice(), &CsvOptions::new(), 1_000);
        let mut found = Vec::new();
        let end = loop {
            match ours.next() {
                Ok(Some(record)) => {
                    let cells = (0..record.n_cells()).filter_map(|cell_idx| record.cell(cell_idx));
                    found.push(cells.map(|(text, _)| text.to_owned()).collect::<Vec<_>>());
                }
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        let theirs = theirs(&text).unwrap_or_else(|| panic!("{text:?} is UTF-8"));
        match end {
            Ok(()) => assert_eq!(found, theirs, "{:?}", String::from_utf8_lossy(&text)),
            // Other readers accept some texts that this one rejects. Before the error, the records are equal.
            Err(_) => assert_eq!(found, theirs[..found.len()], "{:?}", String::from_utf8_lossy(&text)),
        }
        n_agreed += usize::from(end.is_ok());
    }
    assert!(n_agreed > 1_500, "{n_agreed} texts were read");
}

#[test]
fn what_is_written_reads_back() {
    for (seed, (name, data_type)) in testing_support::all_types().into_iter().enumerate() {
        let mut generator = testing_support::Generator::new(seed as u64);
        let columns = [(); 2].map(|()| generator.array(&data_type, 50, testing_support::Nulls::Garbage));
        let json =
            columns.clone().map(|column| ColumnText::try_new(&column, TextStyle::Json).expect("it is valid"));
        let [a, b] = columns;
        let batch = RecordBatch::try_from_columns([("a", a), ("", b)]).expect("equal lengths");
        let text = CsvRows::try_new(&batch).expect("it is valid").to_string();
        let mut records = Records::new(text.as_bytes(), &CsvOptions::new(), 1 << 20);
        assert_eq!(show(records.next().expect("names").expect("names")), ["a", "<>"]);
        for slot in 0..50 {
            let record = records.next().expect("it is well-formed").expect("there are as many as rows");
            for (cell_idx, column) in json.iter().enumerate() {
                let cell = record.cell(cell_idx).expect("two cells");
                match column.value(slot).to_string().as_str() {
                    "null" => assert_eq!(cell, ("", false), "{name}"),
                    "\"\"" => assert_eq!(cell, ("", true), "{name}"),
                    json if json.starts_with('"') => {
                        assert_eq!(cell.0, serde_json::from_str::<String>(json).expect("a string"), "{name}");
                    }
                    json => assert_eq!(cell.0, json, "{name}"),
                }
            }
        }
        assert!(records.next().is_ok_and(|record| record.is_none()));
    }
}
