//! A failed row is removed completely: the batches have the same buffers as those of the text without the row.

use std::io::{self, BufReader, Read};

use arrow_data::RecordBatch;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::{CsvReader, JsonReader, RowError, RowErrorKind};
use testing_support::{Generator, Nulls, Rng, all_types};

use super::trip::json;

/// The content of the buffers of all batches, and the number of failed rows.
fn stored(batches: impl Iterator<Item = Result<RecordBatch, RowError>>) -> (Vec<String>, usize) {
    let (mut stored, mut n_errors) = (Vec::new(), 0);
    for batch in batches {
        match batch {
            Ok(batch) => {
                stored.extend(batch.columns().iter().map(|column| column.dump().to_string()));
            }
            Err(_) => n_errors += 1,
        }
    }
    (stored, n_errors)
}

fn read_json(text: &str, schema: &Schema) -> (Vec<String>, usize) {
    let reader = JsonReader::try_new(text.as_bytes(), schema.clone()).expect("it is not deep");
    stored(reader.with_batch_rows(16).with_skipped_errors())
}

fn read_csv(text: &str, schema: &Schema) -> (Vec<String>, usize) {
    let reader = CsvReader::try_new(text.as_bytes(), schema.clone()).expect("it is not deep");
    stored(reader.with_batch_rows(16).with_skipped_errors())
}

/// Copies of the row with an invalid value after each token except the last.
fn spoiled(line: &str) -> Vec<String> {
    let mut spoiled: Vec<String> = Vec::new();
    let mut is_string = false;
    for (at, char) in line.char_indices() {
        if char == '"' && !line[..at].ends_with('\\') {
            is_string = !is_string;
        }
        if !is_string && ",]}".contains(char) {
            spoiled.push(format!("{}@{}", &line[..at], &line[at..]));
        }
        if is_string || ",:[".contains(char) {
            continue;
        }
        spoiled.push(line[..at].to_owned());
    }
    let inner = line.strip_suffix('}').expect("it is an object");
    // All other values are appended before the error is found.
    spoiled.push(format!(r#"{inner},"id":1}}"#));
    spoiled.push(format!(r#"{inner},"other":1}}"#));
    spoiled.push(format!("{line} 1"));
    spoiled.retain(|line| !line.trim().is_empty());
    spoiled
}

fn schema_of(data_type: DataType) -> Schema {
    Schema::new([Field::new("value", data_type), Field::new("id", DataType::Int8).required()])
}

#[test]
fn rows_of_json_are_taken_back() {
    let mut n_spoiled = 0;
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = schema_of(data_type);
        let mut generator = Generator::new(seed as u64);
        let good = json(&generator.batch(&schema, 40, Nulls::Some));
        let bad: Vec<String> =
            json(&generator.batch(&schema, 6, Nulls::Some)).lines().flat_map(spoiled).collect();
        n_spoiled += bad.len();
        let expected = read_json(&good, &schema);
        assert_eq!(expected.1, 0, "{name}");

        let mut rng = Rng::new(seed as u64);
        let mut lines: Vec<&str> = good.lines().collect();
        for line in &bad {
            lines.insert(rng.below(lines.len() + 1), line);
        }
        let found = read_json(&lines.join("\n"), &schema);
        assert_eq!(found.1, bad.len(), "{name}");
        assert!(found.0 == expected.0, "{name}: {:#?}\n{:#?}", found.0, expected.0);
    }
    assert!(n_spoiled > 9_000, "{n_spoiled}");
}

#[test]
fn rows_of_csv_are_taken_back() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let schema = schema_of(data_type);
        let mut generator = Generator::new(seed as u64);
        let mut texts = [40, 8].map(|n_rows| {
            let batch = generator.batch(&schema, n_rows, Nulls::Some);
            let rows = arrow_text::CsvRows::try_new(&batch).expect("it is valid");
            (0..n_rows).map(|row| format!("{}\n", rows.row(row))).collect::<Vec<String>>()
        });
        let text = |rows: &[String]| format!("value,id\n{}", rows.concat());
        let expected = read_csv(&text(&texts[0]), &schema);
        assert_eq!(expected.1, 0, "{name}");
        let mut rng = Rng::new(seed as u64);
        let [good, bad] = &mut texts;
        for row in &*bad {
            let row = row.trim_end();
            for spoiled in [format!("{row},\n"), format!("{row}x\n"), "x\n".to_owned()] {
                good.insert(rng.below(good.len() + 1), spoiled);
            }
        }
        let found = read_csv(&text(good), &schema);
        assert_eq!(found.1, 3 * bad.len(), "{name}");
        assert!(found.0 == expected.0, "{name}: {:#?}\n{:#?}", found.0, expected.0);
    }
}

/// The sizes of batches and the lines of errors, in the order in which the reader returns them.
fn order(batches: impl Iterator<Item = Result<RecordBatch, RowError>>) -> Vec<String> {
    let show = |batch: Result<RecordBatch, RowError>| match batch {
        Ok(batch) => format!("{} rows", batch.n_rows()),
        Err(error) => format!("line {}", error.line()),
    };
    batches.map(show).collect()
}

#[test]
fn errors_come_after_the_rows_before_them_or_at_once() {
    let schema = Schema::new([Field::new("n", DataType::Int8)]);
    let json = "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n\n{\"n\":\n{\"n\":4}\n?\n{\"n\":5}";
    let reader = || JsonReader::try_new(json.as_bytes(), schema.clone()).expect("it is flat");
    assert_eq!(order(reader()), ["3 rows", "line 5"]);
    assert_eq!(order(reader().with_batch_rows(2)), ["2 rows", "1 rows", "line 5"]);
    assert_eq!(order(reader().with_batch_rows(3)), ["3 rows", "line 5"]);
    assert_eq!(order(reader().with_batch_rows(0)), ["1 rows", "1 rows", "1 rows", "line 5"]);
    assert_eq!(order(reader().with_batch_bytes(8)), ["2 rows", "1 rows", "line 5"]);
    assert_eq!(order(reader().with_skipped_errors()), ["line 5", "line 7", "5 rows"]);
    assert_eq!(
        order(reader().with_skipped_errors().with_batch_rows(4)),
        ["line 5", "4 rows", "line 7", "1 rows"]
    );

    let csv = "n\n1\n2\n\n\"\n3\"\n4\n5,6\n7\n";
    let reader = || CsvReader::try_new(csv.as_bytes(), schema.clone()).expect("it is flat");
    assert_eq!(order(reader()), ["2 rows", "line 5"]);
    assert_eq!(order(reader().with_skipped_errors()), ["line 5", "line 8", "4 rows"]);
    assert_eq!(order(CsvReader::try_new(&b"n"[..], schema.clone()).expect("it is flat")), [""; 0]);
    assert_eq!(order(JsonReader::try_new(&b" \n\n"[..], schema).expect("it is flat")), [""; 0]);
}

#[test]
fn lines_that_are_too_long_are_skipped() {
    let schema = Schema::new([Field::new("n", DataType::Int8)]);
    let long = "x".repeat(100);
    let text = format!("{{\"n\":1}}\n{long}\n{{\"n\":2}}\n{long}");
    let reader = || JsonReader::try_new(text.as_bytes(), schema.clone()).expect("it is flat");
    assert_eq!(order(reader().with_max_line_bytes(8)), ["1 rows", "line 2"]);
    assert_eq!(order(reader().with_max_line_bytes(8).with_skipped_errors()), ["line 2", "line 4", "2 rows"]);
}

/// Returns a text, then fails.
struct FailingReader<'a>(&'a [u8]);

impl Read for FailingReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() { Err(io::ErrorKind::BrokenPipe.into()) } else { self.0.read(out) }
    }
}

#[test]
fn errors_of_the_input_come_after_the_rows_before_them() {
    let schema = Schema::new([Field::new("n", DataType::Int8)]);
    let input = |text: &'static str| BufReader::new(FailingReader(text.as_bytes()));
    let json =
        JsonReader::try_new(input("{\"n\":1}\n{\"n\":2}\n{\"n\""), schema.clone()).expect("it is flat");
    assert_eq!(order(json.with_skipped_errors()), ["2 rows", "line 3"]);
    let csv = CsvReader::try_new(input("n\n1\n2\n3"), schema.clone()).expect("it is flat");
    assert_eq!(order(csv.with_skipped_errors()), ["2 rows", "line 4"]);
    let error = JsonReader::try_new(input(""), schema).expect("it is flat").next().and_then(Result::err);
    let error = error.expect("the input fails");
    assert!(matches!(error.kind(), RowErrorKind::Io(error) if error.kind() == io::ErrorKind::BrokenPipe));
}

#[test]
fn runs_end_batches_that_they_cannot_count() {
    let runs = DataType::run_end_encoded(arrow_schema::RunEndType::Int16, DataType::Boolean);
    let schema = Schema::new([Field::new("b", runs)]);
    let text = "{\"b\":true}\n".repeat(40_000);
    let reader = JsonReader::try_new(text.as_bytes(), schema).expect("it is flat");
    assert_eq!(order(reader), ["32767 rows", "7233 rows"]);
}
