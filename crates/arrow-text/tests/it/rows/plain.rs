//! Rows in the simplest notation, read without the parser, have the same result as with the parser.

use arrow_schema::Schema;
use arrow_text::JsonReader;
use testing_support::{Rng, rows};

const SCHEMA: &str = "id: int64\nname: utf8\nx: float64\nok: bool\nday: date32\nn: int8 not null\ncode: utf8";

const LINES: [&str; 8] = [
    r#"{"id":1,"name":"ada","x":0.5,"ok":true,"day":"2024-02-29","n":-7,"code":""}"#,
    r#"{"id":-0,"name":"é, {","x":-1.25e-3,"ok":false,"day":null,"n":0,"code":"\"}"}"#,
    r#"{"n":1,"id":10,"x":"NaN"}"#,
    r#" { "id" : 9223372036854775807 , "n" : 100 } "#,
    r#"{"n":1}"#,
    r#"{"n":1e0,"x":1E+2,"ok":null}"#,
    r#"{"n":1,"n":2}"#,
    r"{}",
];

/// The rows, or the error. With a tab before the row, the parser reads it.
fn outcome(before: &str, line: &str, round: usize) -> String {
    let schema: Schema = SCHEMA.parse().expect("it is valid");
    let line = format!("{{\"n\":5}}\n{before}{line}\n{{\"n\":6}}\n");
    let reader = JsonReader::try_new(line.as_bytes(), schema).expect("it is not deep");
    let reader = if round.is_multiple_of(2) { reader.with_exact_numbers() } else { reader };
    let outcomes = reader.with_skipped_errors().map(|batch| match batch {
        Ok(batch) => format!("{:?}", rows(&batch)),
        // The position in the error counts the tab.
        Err(error) => match error.to_string().split_once(", byte ") {
            Some((line, rest)) => {
                line.to_owned() + rest.trim_start_matches(|char: char| char.is_ascii_digit())
            }
            None => error.to_string(),
        },
    });
    outcomes.collect::<Vec<_>>().join("\n")
}

#[test]
fn plain_rows_are_read_as_the_parser_reads_them() {
    let mut rng = Rng::new(7);
    let pieces: Vec<&str> = r#"{ } " : , \ 0 1 - + . e E 9 true false null x [ ] é 0.0 01 1. 2024-02-29 "id" "name":"#.split(' ').collect();
    let (mut n_rows, mut n_errors) = (0, 0);
    for round in 0..10_000 {
        let mut line: Vec<char> = rng.pick(&LINES).chars().collect();
        for _ in 0..rng.below(4) {
            let (at, n_removed) = (rng.below(line.len() + 1), rng.below(3));
            let piece: Vec<char> =
                if rng.one_in(3) { Vec::new() } else { rng.pick(&pieces).chars().collect() };
            line.splice(at..line.len().min(at + n_removed), piece);
        }
        let line: String = line.into_iter().collect();
        let found = outcome("", &line, round);
        assert_eq!(found, outcome("\t", &line, round), "{line}");
        if found.contains("line 2") { n_errors += 1 } else { n_rows += 1 }
    }
    assert!(n_rows > 1_000 && n_errors > 1_000, "{n_rows} and {n_errors}");
}
