//! Schemas by the first rows: the rules of `docs/CSV.md` and `docs/JSON.md`, and that what was looked at can be read.

use std::io::{BufReader, Read};

use arrow_array::AnyArray;
use arrow_text::{
    CsvOptions, CsvParts, CsvReader, JsonParts, JsonReader, JsonRows, RowErrorKind, infer_csv, infer_json,
};
use testing_support::{Hunt, Rng};

fn of_csv(text: &str) -> String {
    infer_csv(text.as_bytes(), CsvOptions::new(), 1000)
        .map_or_else(|error| error.to_string(), |schema| schema.to_string())
}

fn of_json(text: &str) -> String {
    infer_json(text.as_bytes(), 1000).map_or_else(|error| error.to_string(), |schema| schema.to_string())
}

#[test]
fn columns_get_the_narrowest_type_of_their_cells() {
    let cases: [(&[&str], &str); 49] = [
        (&["true", "false"], "bool"),
        (&["true", "1"], "utf8"),
        (&["TRUE", "False"], "bool"),
        (&["yes", "no"], "utf8"),
        (&["nan", "1.5", "-inf"], "float64"),
        (&["1.5", "\"\"", "2"], "float64"),
        (&["\"\"", "true"], "bool"),
        (&["a", "\"\""], "utf8"),
        (&["2024-02-29 10:00:00+00", "2024-02-29T10:00:00.5+0100"], "timestamp(us, \"UTC\")"),
        (&["1", "", "-5"], "int64"),
        (&["9223372036854775808", "0"], "uint64"),
        (&["9223372036854775808", "-1"], "utf8"),
        (&["18446744073709551616"], "utf8"),
        (&["1", "2.5"], "float64"),
        (&["1e5", "9223372036854775808"], "float64"),
        (&["NaN", "Infinity", "-Infinity"], "float64"),
        (&["0", "-0"], "int64"),
        (&["007"], "utf8"),
        (&["1", "007"], "utf8"),
        (&["+1"], "utf8"),
        (&["0.5", "1.50"], "float64"),
        (&["2024-02-29"], "date32"),
        (&["2023-02-29"], "utf8"),
        (&["2024-02-29", "20240229"], "utf8"),
        (&["2024-02-29T10:00:00"], "timestamp(us)"),
        (&["2024-02-29T10:00:00", "2024-02-29T10:00:00.123456789"], "timestamp(ns)"),
        (&["2024-02-29T10:00:00Z"], "timestamp(us, \"UTC\")"),
        (&["2024-02-29T10:00:00Z", "2024-02-29T10:00:00+02:00"], "timestamp(us, \"UTC\")"),
        (&["2024-02-29T10:00:00Z", "2024-02-29T10:00:00"], "utf8"),
        (&["2024-02-29T10:00:00", "2024-02-29"], "utf8"),
        (&["10:00:00"], "utf8"),
        (&["a"], "utf8"),
        (&[], "utf8"),
        (&["", ""], "utf8"),
        (&["\"1\"", "2"], "int64"),
        (&["[1]"], "utf8"),
        // Whole numbers keep their digits, others are rounded.
        (&["9007199254740993", "0.5"], "decimal128(38, 1)"),
        (&["0.5", "", "-9007199254740993"], "decimal128(38, 1)"),
        (&["9007199254740992", "0.5"], "float64"),
        (&["0.1234567890123456789"], "float64"),
        (&["9007199254740993", "0.1234567890123456789"], "decimal128(38, 19)"),
        (&["18446744073709551617", "1.25e1"], "decimal128(38, 1)"),
        (&["18446744073709551616", "0.5"], "float64"),
        (&["9223372036854775807", "1e3"], "decimal128(38, 0)"),
        (&["9007199254740993", "1e-40"], "decimal256(76, 40)"),
        (&["9007199254740993", "1e300"], "utf8"),
        (&["9007199254740993", "NaN"], "utf8"),
        (&["9007199254740993", "007", "0.5"], "utf8"),
        // Of other years, nanoseconds do not fit into 64 bits.
        (&["9999-01-01T00:00:00", "2024-02-29T10:00:00.123456789"], "utf8"),
    ];
    for (cells, expected) in cases {
        let text = format!("id,x\n{}", cells.iter().map(|cell| format!("1,{cell}\n")).collect::<String>());
        let schema = infer_csv(text.as_bytes(), CsvOptions::new(), 1000).unwrap();
        let found = schema.field(1).map(|field| field.data_type().to_string());
        assert_eq!(found.as_deref(), Some(expected), "{cells:?}");
        let batch = CsvReader::read_batch(&text, schema).unwrap_or_else(|error| panic!("{cells:?}: {error}"));
        assert_eq!(batch.n_rows(), cells.len());
    }
}

#[test]
fn cells_are_counted_and_named() {
    assert_eq!(of_csv(""), "");
    assert_eq!(of_csv("a,b\n"), "a: utf8\nb: utf8");
    assert_eq!(of_csv("\u{feff}a,\"odd name\"\r\n1,2\r\n"), "a: int64\n\"odd name\": int64");
    let options = CsvOptions::new().without_header().with_delimiter(b';').unwrap();
    assert_eq!(infer_csv(&b"1;x\n2;y\n"[..], options, 1000).unwrap().to_string(), "c0: int64\nc1: utf8");
    // Rows that are not looked at make no difference.
    assert_eq!(infer_csv(&b"a\n1\nx\n"[..], CsvOptions::new(), 1).unwrap().to_string(), "a: int64");
    assert_eq!(of_csv("a,b\n1\n"), "line 2: expected 2 cells, found 1");
    assert_eq!(of_csv("a\n\"x\n"), "line 2: cell 1 has no closing quote");
    assert_eq!(of_csv("a\n\"x\"y\n"), "line 2: cell 1 has text after its closing quote");
    let latin_1 = infer_csv(&b"a,b\n1,gr\xfc\xdfe\n"[..], CsvOptions::new(), 1000).unwrap_err();
    assert_eq!(latin_1.to_string(), "line 2: cell 2 is not UTF-8");
}

#[test]
fn members_get_types_that_take_all_their_values() {
    let cases: [(&[&str], &str); 30] = [
        (&[r#"{"a":1,"b":true}"#, r#"{"c":"x","a":-2}"#], "a: int64\nb: bool\nc: utf8"),
        (&[r#"{"a":1}"#, r#"{"a":2.5}"#], "a: float64"),
        (&[r#"{"a":18446744073709551615}"#, r#"{"a":1}"#], "a: uint64"),
        (&[r#"{"a":18446744073709551615}"#, r#"{"a":-1}"#], "a: decimal128(38, 0)"),
        (&[r#"{"a":18446744073709551617}"#], "a: decimal128(38, 0)"),
        (&[r#"{"a":100000000000000000000}"#], "a: float64"),
        (&[r#"{"a":-0}"#, r#"{"a":1}"#], "a: float64"),
        (&[r#"{"a":9007199254740993}"#, r#"{"a":0.5}"#], "a: decimal128(38, 1)"),
        (&[r#"{"a":{"b":[0.25,9007199254740993]}}"#], "a: struct<b: list<item: decimal128(38, 2)>>"),
        (
            &[r#"{"b":"1.5\"","a":[{"1.25":0.125}],"c":-123456789012345678901}"#, r#"{"c":0.1}"#],
            "b: utf8\na: list<item: struct<\"1.25\": float64>>\nc: decimal128(38, 1)",
        ),
        (
            &[r#"{"a":9007199254740993}"#, r#"{"a":1e70}"#, r#"{"a":1e-9}"#],
            "line 3, byte 6: field `a`: no type keeps all digits of the numbers so far: 71 before the decimal point and 9 after \
             it; a decimal has 76, and float64 would round a whole number",
        ),
        (
            &[r#"{"a":[1,12345678901234567890123456789012345678901234567890123456789012345678901234567]}"#],
            "line 1, byte 85: field `a.item`: no type keeps all digits of the numbers so far: 77 before the decimal point and 0 \
             after it; a decimal has 76, and float64 would round a whole number",
        ),
        (&[r#"{"a":"9999-01-01T00:00:00Z"}"#, r#"{"a":"2024-02-29T10:00:00.123456789Z"}"#], "a: utf8"),
        (&[r#"{"a":null}"#], "a: null"),
        (&[r#"{"a":null}"#, r#"{"a":[]}"#, r#"{"a":[null]}"#], "a: list<item: null>"),
        (&[r#"{"a":[1,null,2.5]}"#], "a: list<item: float64>"),
        (&[r#"{"a":[{"x":1},{"y":"z"}]}"#], "a: list<item: struct<x: int64, y: utf8>>"),
        (
            &[r#"{"a":{"x":{"y":1}}}"#, r#"{"a":{"x":null,"z":2}}"#],
            "a: struct<x: struct<y: int64>, z: int64>",
        ),
        (&[r#"{"a":"2024-02-29"}"#], "a: date32"),
        (&[r#"{"a":"2024-02-29T10:00:00Z"}"#], "a: timestamp(us, \"UTC\")"),
        (&[r#"{"a":"2024-02-29"}"#, r#"{"a":"x"}"#], "a: utf8"),
        (&[r#"{"a":"1"}"#], "a: utf8"),
        (&["", "  ", r#"{"a":1}"#], "a: int64"),
        (&[], ""),
        (
            &[r#"{"a":1}"#, r#"{"a":"x"}"#],
            "line 2, byte 6: field `a`: expected an integer, as in values before, found a string",
        ),
        (
            &[r#"{"a":{"b":[1]}}"#, r#"{"x":"a", "a":{"b": [{}]}}"#],
            "line 2, byte 22: field `a.b.item`: expected an integer, as in values before, found an object",
        ),
        (
            &["[1]"],
            "line 1: expected an object, found an array; each row is one line, without brackets around all rows",
        ),
        (&["1"], "line 1: expected an object, as in values before, found an integer"),
        (&[r#"{"a":"#], "line 1"),
        (&[r#"{"a" 1}"#], "line 1"),
    ];
    for (lines, expected) in cases {
        let text = lines.join("\n");
        let found = of_json(&text);
        assert!(
            found == expected || (expected == "line 1" && found.starts_with("line 1, byte ")),
            "{lines:?}: {found}"
        );
        if let Ok(schema) = infer_json(text.as_bytes(), 1000) {
            let n_rows = JsonReader::read_batch(&text, schema)
                .unwrap_or_else(|error| panic!("{lines:?}: {error}"))
                .n_rows();
            assert_eq!(n_rows, lines.iter().filter(|line| line.starts_with('{')).count());
        }
    }
    // Those inside of one row, too, have their path.
    let differ = "expected an integer, as in values before, found";
    for (row, path, found) in [
        ("{\"a\":[1,\"x\"]}", "`a.item`", "a string"),
        ("{\"a\":{\"b\":[[1],[[2]]]}}", "`a.b.item.item`", "an array"),
        ("{\"b\":1,\"a\":[{\"c\":1},{\"c\":{}}]}", "`a.item.c`", "an object"),
        ("{\"a\":1,\"a\":\"x\"}", "`a`", "a string"),
    ] {
        let mixed = of_json(row);
        assert!(mixed.contains(&format!("field {path}: {differ} {found}")), "{row}: {mixed}");
    }
}

/// Text that never ends, many columns, deep values: memory and time stay bounded.
#[test]
fn hostile_text_is_refused() {
    let endless = || BufReader::new(std::io::repeat(b'x').take(1 << 30));
    let memory = testing_support::CountingAllocator;
    let (error, usage) = memory.measure(|| infer_csv(endless(), CsvOptions::new(), 1000).unwrap_err());
    assert!(error.to_string().starts_with("line 1: it has more than"), "{error}");
    assert!(usage.peak_bytes < 64 << 20, "{}", usage.peak_bytes);
    let (error, usage) = memory.measure(|| infer_json(endless(), 1000).unwrap_err());
    assert!(error.to_string().starts_with("line 1: it has more than"), "{error}");
    assert!(usage.peak_bytes < 64 << 20, "{}", usage.peak_bytes);

    let deep = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(of_json(&deep).starts_with("line 1"), "{}", of_json(&deep));
    // Members that come in another order in each row are found without a search.
    let row = |reversed: bool| {
        let names = (0..50_000).map(|n| if reversed { 49_999 - n } else { n });
        format!("{{{}}}", names.map(|n| format!("\"m{n}\":1")).collect::<Vec<_>>().join(","))
    };
    let text = format!("{}\n{}\n", row(false), row(true));
    assert_eq!(infer_json(text.as_bytes(), 10).unwrap().fields().len(), 50_000);
    let short = "a\n".repeat(10_000_000);
    let (schema, usage) =
        memory.measure(|| infer_csv(short.as_bytes(), CsvOptions::new(), usize::MAX).unwrap());
    assert_eq!(schema.to_string(), "a: utf8");
    assert!(usage.peak_bytes < 1 << 20, "{}", usage.peak_bytes);
}

/// Rows that come after 8 MiB of blank lines are not looked for.
#[test]
fn blank_lines_count() {
    struct Counted(std::io::Take<std::io::Repeat>, u64);
    impl Read for Counted {
        fn read(&mut self, place: &mut [u8]) -> std::io::Result<usize> {
            let n_bytes = self.0.read(place)?;
            self.1 += n_bytes as u64;
            Ok(n_bytes)
        }
    }
    for blank in [b'\n', b'\r'] {
        let mut text = BufReader::new(Counted(std::io::repeat(blank).take(1 << 40), 0));
        let schema = infer_csv((&b"a\n1\n"[..]).chain(&mut text), CsvOptions::new(), 1000).unwrap();
        assert_eq!(schema.to_string(), "a: int64");
        assert!((8 << 20..9 << 20).contains(&text.get_ref().1), "{}", text.get_ref().1);
    }
    let mut text = BufReader::new(Counted(std::io::repeat(b'\n').take(1 << 40), 0));
    let schema = infer_json((&b"{\"a\":1}\n"[..]).chain(&mut text), 1000).unwrap();
    assert_eq!(schema.to_string(), "a: int64");
    assert!((8 << 20..9 << 20).contains(&text.get_ref().1), "{}", text.get_ref().1);
}

/// Blank lines alone are no text of which a schema is inferred.
#[test]
fn blank_lines_are_no_rows() {
    let blank = "\n".repeat(9 << 20);
    let error = infer_csv(blank.as_bytes(), CsvOptions::new(), 1000).unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::Blank { n_bytes: 8_388_608 }), "{error}");
    let error = infer_json(blank.as_bytes(), 1000).unwrap_err();
    assert!(matches!(error.kind(), RowErrorKind::Blank { n_bytes: 8_388_608 }), "{error}");
    assert_eq!(of_csv("\n\n"), "");
    assert_eq!(of_json("\n\n"), "");
}

/// Only without quotes, in columns of any type; a text for nulls has no other meaning then.
#[test]
fn nulls_may_have_a_text() {
    let text = "n,s\nNA,NA\n1,\"NA\"\n,x\n";
    let options = CsvOptions::new().with_null_text("NA").unwrap();
    let schema = infer_csv(text.as_bytes(), options, 1000).unwrap();
    assert_eq!(schema.to_string(), "n: int64\ns: utf8");
    let batch =
        CsvReader::try_new(text.as_bytes(), schema).unwrap().with_options(options).next().unwrap().unwrap();
    let mut rows = Vec::new();
    JsonRows::try_new(&batch).unwrap().write_to(&mut rows).unwrap();
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows, "{\"n\":null,\"s\":null}\n{\"n\":1,\"s\":\"NA\"}\n{\"n\":null,\"s\":\"x\"}\n");
    assert!(CsvOptions::new().with_null_text("sixteen letters!").is_err());
    assert_eq!(
        format!("{:?}", CsvOptions::new().with_null_text("fifteen letters").unwrap())
            .matches("fifteen letters")
            .count(),
        1
    );
}

/// A column's type has at most 64 levels, and so has what is inferred.
#[test]
fn inferred_types_are_no_deeper_than_what_is_read() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for (n_levels, is_fine) in [(63, true), (64, false), (100, false)] {
            let text = format!("{{\"a\":{}1{}}}", open.repeat(n_levels), close.repeat(n_levels));
            match infer_json(text.as_bytes(), 1000) {
                Ok(schema) => {
                    assert!(is_fine, "{n_levels} levels of {open}");
                    assert_eq!(schema.fields()[0].data_type().depth(), 64);
                    JsonReader::try_new(text.as_bytes(), schema).unwrap();
                }
                Err(error) => {
                    assert!(!is_fine, "{n_levels} levels of {open}: {error}");
                    assert!(matches!(error.kind(), RowErrorKind::TooDeep { depth: 65, max: 64 }), "{error}");
                }
            }
        }
    }
}

/// Rows that were not looked at: what inference would find another type for is an error, and no number has other digits.
#[test]
fn digits_stay_in_rows_that_were_not_looked_at() {
    let csv = [
        ("0.5", "9007199254740993", "a whole number that float64 does not round"),
        ("0.5", "-123456789012345678901", "a whole number that float64 does not round"),
        ("0.5", "007", "a number without a plus sign and leading zeros"),
        ("1", "007", "a number without a plus sign and leading zeros"),
        ("1", "+7", "a number without a plus sign and leading zeros"),
        ("1", "9223372036854775808", "an integer from -9223372036854775808 to 9223372036854775807"),
        ("1", "0.5", "an integer from -9223372036854775808 to 9223372036854775807"),
        ("9223372036854775808", "01", "a number without a plus sign and leading zeros"),
        ("9007199254740993\n0.5", "0.25", "a decimal number that the scale 1 holds exactly"),
        ("9007199254740993\n0.5", "+1", "a number without a plus sign and leading zeros"),
        ("2024-02-29T10:00:00", "2024-02-29T10:00:00.1234567", "at most 6 digits after the decimal point"),
    ];
    for (seen, later, expected) in csv {
        let text = format!("a\n{seen}\n{later}\n");
        let (n_seen, line) = (seen.lines().count(), seen.lines().count() + 2);
        let schema = infer_csv(text.as_bytes(), CsvOptions::new(), n_seen).unwrap();
        let reader = CsvReader::try_new(text.as_bytes(), schema.clone()).unwrap().keeping_digits();
        let whole = reader.map(|batch| batch.map_err(|error| error.to_string()));
        let parts = CsvParts::try_new(text.as_bytes(), schema, CsvOptions::new()).unwrap().keeping_digits();
        let parts = parts.flat_map(|part| part.unwrap().reader().unwrap());
        let parts = parts.map(|batch| batch.map_err(|error| error.to_string()));
        for error in [whole.last().unwrap().unwrap_err(), parts.last().unwrap().unwrap_err()] {
            let start = format!("line {line}: field `a`: expected {expected}");
            assert!(error.starts_with(&start), "{seen}, {later}: {error}");
        }
    }
    let text = "{\"a\":[{\"b\":0.5}]}\n{\"a\":[{\"b\":9007199254740993}]}\n";
    let schema = infer_json(text.as_bytes(), 1).unwrap();
    let whole = JsonReader::try_new(text.as_bytes(), schema.clone()).unwrap().keeping_digits();
    let parts = JsonParts::try_new(text.as_bytes(), schema.clone()).unwrap().keeping_digits();
    let parts = parts.flat_map(|part| part.unwrap().reader().unwrap());
    for error in [whole.last().unwrap().unwrap_err(), parts.last().unwrap().unwrap_err()] {
        assert_eq!(
            error.to_string(),
            "line 2, byte 12: field `a.item.b`: expected a whole number that float64 does not round, found \"9007199254740993\""
        );
    }
    // By a schema that someone chose, numbers are rounded.
    assert_eq!(JsonReader::read_batch(text, schema).unwrap().n_rows(), 2);
}

/// What is read by an inferred schema has the digits that the text has; only numbers with a decimal point are rounded.
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
        let of_csv = infer_csv(csv.as_bytes(), CsvOptions::new(), 1000).unwrap();
        let of_json = infer_json(json.as_bytes(), 1000).unwrap();
        n_decimals += usize::from(of_json.to_string().contains("decimal"));
        let batches =
            [CsvReader::read_batch(&csv, of_csv).unwrap(), JsonReader::read_batch(&json, of_json).unwrap()];
        for batch in batches {
            let column = AnyArray::try_new(batch.column("a").unwrap()).unwrap();
            for (slot, number) in numbers.iter().enumerate() {
                let found = column.display(slot).to_string();
                // Without zeros at the end; whole floating-point numbers may have an exponent.
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

/// Members that are missing become nulls, of which a text may bring only so many, however it is spread over batches.
#[test]
fn nulls_that_nobody_wrote_have_a_bound() {
    let memory = testing_support::CountingAllocator;
    let wide = |n: usize| {
        let members: Vec<String> = (0..n).map(|idx| format!("\"{idx:x}\":1")).collect();
        format!("{{{}}}\n{}", members.join(","), "{}\n".repeat(n))
    };
    // A new member in each line, all of which are looked at.
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
    // Over the whole text, and not over a batch of it.
    let text = wide(100);
    let read = |n_bytes: u64| {
        let schema = infer_json(text.as_bytes(), 1).unwrap();
        let reader = JsonReader::try_new(text.as_bytes(), schema).unwrap();
        reader.with_batch_rows(1).with_max_null_bytes(n_bytes).find_map(Result::err)
    };
    // A null of a number takes 8 bytes: all of them fit exactly.
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
