//! Rows after those from which a schema was inferred: digits are not dropped, and nulls are limited.

use arrow_array::AnyArray;
use arrow_text::{
    CsvParts, CsvReader, InferRows, JsonParts, JsonReader, RowErrorKind, infer_csv, infer_json,
};
use testing_support::{Hunt, Rng};

/// In later rows, a number for which inference would choose another type is an error. All other numbers keep their digits.
#[test]
fn digits_stay_in_rows_that_were_not_looked_at() {
    let csv = [
        ("0.5", "9007199254740993", "a whole number that float64 represents exactly"),
        ("0.5", "-123456789012345678901", "a whole number that float64 represents exactly"),
        ("0.5", "007", "a number without a plus sign and leading zeros"),
        ("0.5", "08.30", "a number without a plus sign and leading zeros"),
        ("0.5", "+49.5", "a number without a plus sign and leading zeros"),
        ("1", "007", "a number without a plus sign and leading zeros"),
        ("1", "+7", "a number without a plus sign and leading zeros"),
        ("1", "9223372036854775808", "an integer from -9223372036854775808 to 9223372036854775807"),
        ("1", "0.5", "an integer from -9223372036854775808 to 9223372036854775807"),
        ("9223372036854775808", "01", "a number without a plus sign and leading zeros"),
        ("9007199254740993\n0.5", "0.25", "a decimal number that is exact with the scale 1"),
        ("9007199254740993\n0.5", "+1", "a number without a plus sign and leading zeros"),
        ("10:00", "930", "a time of day such as 12:34:56"),
        ("10:00:00.5", "-1", "a time of day such as 12:34:56"),
        ("2024-02-29T10:00:00", "2024-02-29T10:00:00.1234567", "at most 6 digits after the decimal point"),
    ];
    for (seen, later, expected) in csv {
        let text = format!("a\n{seen}\n{later}\n");
        let (n_seen, line) = (seen.lines().count(), seen.lines().count() + 2);
        let schema = infer_csv(text.as_bytes(), n_seen).unwrap();
        let reader = CsvReader::try_new(text.as_bytes(), schema.clone()).unwrap().with_exact_numbers();
        let whole = reader.map(|batch| batch.map_err(|error| error.to_string()));
        let parts = CsvParts::try_new(text.as_bytes(), schema).unwrap().with_exact_numbers_except(&[]);
        let parts = parts.flat_map(|part| part.unwrap().reader().unwrap());
        let parts = parts.map(|batch| batch.map_err(|error| error.to_string()));
        for error in [whole.last().unwrap().unwrap_err(), parts.last().unwrap().unwrap_err()] {
            let start = format!("line {line}: field `a`: expected {expected}");
            assert!(error.starts_with(&start), "{seen}, {later}: {error}");
        }
    }
    let text = "{\"a\":[{\"b\":0.5}]}\n{\"a\":[{\"b\":9007199254740993}]}\n";
    let schema = infer_json(text.as_bytes(), 1).unwrap();
    let whole = JsonReader::try_new(text.as_bytes(), schema.clone()).unwrap().with_exact_numbers();
    let parts = JsonParts::try_new(text.as_bytes(), schema.clone()).unwrap().with_exact_numbers_except(&[]);
    let parts = parts.flat_map(|part| part.unwrap().reader().unwrap());
    for error in [whole.last().unwrap().unwrap_err(), parts.last().unwrap().unwrap_err()] {
        assert_eq!(
            error.to_string(),
            "line 2, byte 12: field `a.item.b`: expected a whole number that float64 represents exactly, found \"9007199254740993\""
        );
    }
    let times = "{\"a\":\"10:00\"}\n{\"a\":930}\n";
    let reader = JsonReader::try_new(times.as_bytes(), infer_json(times.as_bytes(), 1).unwrap()).unwrap();
    let error = reader.with_exact_numbers().last().unwrap().unwrap_err().to_string();
    assert!(error.contains("field `a`: expected a time of day such as 12:34:56"), "{error}");
    // With a schema that was not inferred, numbers are rounded.
    assert_eq!(JsonReader::read_batch(text, schema).unwrap().n_rows(), 2);
}

/// Numbers read with an inferred schema have the digits of the text. Only numbers with a decimal point are rounded.
#[test]
fn numbers_of_any_length_keep_their_digits_or_are_text() {
    let mut rng = Hunt::from_env().rng(21);
    let mut n_decimals = 0;
    for _ in 0..Hunt::from_env().count(300, 30_000) {
        let number = |rng: &mut Rng| {
            let sign = if rng.one_in(3) { "-" } else { "" };
            let n_digits = 1 + rng.below(22);
            let whole: String = (0..n_digits).map(|_| char::from(b'0' + rng.below(10) as u8)).collect();
            let whole = whole.trim_start_matches('0');
            let whole = if whole.is_empty() { "0" } else { whole };
            let fraction = if rng.one_in(3) { format!(".{}", rng.below(1_000)) } else { String::new() };
            format!("{sign}{whole}{fraction}")
        };
        let numbers: Vec<String> = (0..1 + rng.below(4)).map(|_| number(&mut rng)).collect();
        let csv = format!("a\n{}\n", numbers.join("\n"));
        let json: String = numbers.iter().map(|number| format!("{{\"a\":{number}}}\n")).collect();
        let csv_schema = infer_csv(csv.as_bytes(), 1000).unwrap();
        let json_schema = infer_json(json.as_bytes(), 1000).unwrap();
        n_decimals += usize::from(json_schema.to_string().contains("decimal"));
        let batches = [
            CsvReader::read_batch(&csv, csv_schema).unwrap(),
            JsonReader::read_batch(&json, json_schema).unwrap(),
        ];
        for batch in batches {
            let column = AnyArray::try_new(batch.column("a").unwrap()).unwrap();
            for (slot, number) in numbers.iter().enumerate() {
                let found = column.display(slot).to_string();
                // Zeros at the end are dropped, and whole floating-point numbers may have an exponent.
                let plain = |text: &str| match text.split_once('.') {
                    Some((whole, fraction)) => format!("{whole}.{}", fraction.trim_end_matches('0')),
                    None => format!("{text}."),
                };
                let plain = |text: &str| if plain(text) == "-0." { "0.".to_owned() } else { plain(text) };
                let is_whole = !number.contains('.');
                let is_same = match column.data_type().name() {
                    "float64" if is_whole => format!("{:.0}", found.parse::<f64>().unwrap()) == *number,
                    "float64" => found.parse::<f64>() == number.parse::<f64>(),
                    _ => plain(&found) == plain(number),
                };
                assert!(is_same, "{number} became {found} in {}", column.data_type());
            }
        }
    }
    assert!(n_decimals > 50, "{n_decimals}");
}

/// Missing members become nulls. Their number has a limit for the whole text, however it is divided into batches.
#[test]
fn nulls_that_nobody_wrote_have_a_bound() {
    let memory = testing_support::CountingAllocator;
    let wide = |n: usize| {
        let members: Vec<String> = (0..n).map(|idx| format!("\"{idx:x}\":1")).collect();
        format!("{{{}}}\n{}", members.join(","), "{}\n".repeat(n))
    };
    // Each line has a new member, and inference reads all lines.
    let growing = |n: usize| (0..n).map(|idx| format!("{{\"{idx:x}\":1}}\n")).collect::<String>();
    for make in [&wide as &dyn Fn(usize) -> String, &growing] {
        let costs = [1_000, 2_000, 4_000].map(|n| {
            let text = make(n);
            let schema = infer_json(text.as_bytes(), usize::MAX).unwrap();
            assert_eq!(schema.fields().len(), n);
            let parts = JsonParts::try_new(text.as_bytes(), schema).unwrap().with_max_null_bytes(1 << 16);
            let (result, usage) = memory.measure(|| {
                let mut batches = parts.flat_map(|part| part.unwrap().reader().unwrap().with_batch_rows(10));
                batches.find_map(Result::err)
            });
            let error = result.expect("there are too many nulls");
            assert!(matches!(
                error.kind(),
                RowErrorKind::TooLarge { .. } | RowErrorKind::TooManyNulls { .. }
            ));
            usage.total_bytes
        });
        assert!(costs[2] < costs[1] * 5 / 2 && costs[1] < costs[0] * 5 / 2, "{costs:?}");
    }
    // The limit holds for the whole text, not for one batch.
    let text = wide(100);
    let read = |n_bytes: u64| {
        let schema = infer_json(text.as_bytes(), 1).unwrap();
        let reader = JsonReader::try_new(text.as_bytes(), schema).unwrap();
        reader.with_batch_rows(1).with_max_null_bytes(n_bytes).find_map(Result::err)
    };
    // A null of a number takes 8 bytes, so this is exactly the limit.
    assert!(read(100 * 100 * 8).is_none());
    let long = wide(1_000);
    let schema = infer_json(long.as_bytes(), 1).unwrap();
    let mut reader =
        JsonReader::try_new(long.as_bytes(), schema).unwrap().with_batch_rows(1).with_max_null_bytes(8_000);
    let error = reader.find_map(Result::err).unwrap();
    assert!(matches!(error.kind(), RowErrorKind::TooManyNulls { max_bytes: 8_000 }), "{error}");
    assert!((250..400).contains(&error.line()), "{error}");
    assert!(error.to_string().contains("the nulls of the rows so far take more than 8000 bytes"), "{error}");
}

/// By default, 8 MiB are looked at; a number of rows is looked at whole.
#[test]
fn only_the_requested_rows_are_read() {
    let long = "a".repeat(10_000);
    let csv = format!("x,t\n{}y,z\n", format!("1,{long}\n").repeat(900));
    let json = format!("{}{{\"x\":\"y\"}}\n", format!("{{\"x\":1,\"t\":\"{long}\"}}\n").repeat(900));
    let rows = [
        (InferRows::default(), "int64"),
        (899.into(), "int64"),
        (901.into(), "utf8"),
        (InferRows::All, "utf8"),
    ];
    for (rows, expected) in rows {
        let schema = infer_csv(csv.as_bytes(), rows).unwrap();
        assert_eq!(schema.fields()[0].data_type().to_string(), expected, "{rows:?}");
        let found = infer_json(json.as_bytes(), rows);
        assert_eq!(found.is_ok(), expected == "int64", "{rows:?}: {found:?}");
    }
    // Blank lines before the first row have a limit, unless all rows are looked at.
    let empty_lines = "\n".repeat(9 << 20) + "x\n1\n";
    for (rows, is_found) in [(InferRows::default(), false), (5.into(), false), (InferRows::All, true)] {
        assert_eq!(infer_csv(empty_lines.as_bytes(), rows).is_ok(), is_found, "{rows:?}");
    }
}
