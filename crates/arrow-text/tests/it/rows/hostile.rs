//! Hostile text causes no panic, no stack overflow, and no memory use above the limits.

use std::io::{BufReader, Read};

use arrow_data::Validation;
use arrow_schema::{DataType, Field, Schema};
use arrow_text::{CsvOptions, CsvReader, CsvRows, JsonReader, RowErrorKind};
use testing_support::{Generator, Hunt, Nulls, Rng, all_types};

use super::{good::schema_of, trip::json};
use crate::ALLOCATOR;

const MIB: usize = 1 << 20;
const LONG: usize = 1 << 18;

fn all_schemas() -> impl Iterator<Item = (String, Schema)> {
    let required = Field::new("id", DataType::Int8).required();
    all_types()
        .into_iter()
        .map(move |(name, data_type)| (name, Schema::new([Field::new("value", data_type), required.clone()])))
}

/// Reads all rows of a text, and checks the returned batches.
fn read_json(text: &[u8], schema: &Schema) -> usize {
    let reader = JsonReader::try_new(text, schema.clone()).expect("it is not deep");
    let check = |batch: arrow_data::RecordBatch| {
        batch.validate(Validation::Content).expect("what is built is sound").n_rows()
    };
    reader.with_skipped_errors().with_ignored_unknown_members().map(|batch| batch.map_or(0, check)).sum()
}

fn read_csv(text: &[u8], schema: &Schema) -> usize {
    let reader = CsvReader::try_new(text, schema.clone()).expect("it is not deep");
    let check = |batch: arrow_data::RecordBatch| {
        batch.validate(Validation::Content).expect("what is built is sound").n_rows()
    };
    reader.with_skipped_errors().map(|batch| batch.map_or(0, check)).sum()
}

#[test]
fn long_tokens_of_every_type() {
    let long = [
        "[".repeat(MIB),
        "{\"a\":".repeat(LONG / 5),
        "[[\"a\",".repeat(LONG / 6),
        "[".repeat(LONG / 2) + &"]".repeat(LONG / 2),
        "9".repeat(LONG),
        format!("0.{}1", "0".repeat(LONG)),
        "1e999999999".to_owned(),
        format!("-1e-{}", "9".repeat(LONG)),
        format!("\"{}\"", "x".repeat(LONG)),
        format!("\"{}", "x".repeat(LONG)),
        format!("\"{}\"", "\\u0000".repeat(LONG / 6)),
    ];
    let hunt = Hunt::from_env();
    for (case, (name, schema)) in all_schemas().enumerate() {
        // In a short run, each type is tested with only one token.
        for token in hunt.some_of(&long, 1, case) {
            for text in [
                format!("{{\"value\":{token},\"id\":1}}"),
                format!("{{\"other\":{token},\"id\":1}}"),
                token.clone(),
            ] {
                let n_rows = read_json(text.as_bytes(), &schema);
                assert!(n_rows < 2, "{name}");
            }
            read_csv(format!("value,id\n{token},1\n").as_bytes(), &schema);
        }
    }
}

#[test]
fn changed_rows_never_panic() {
    let alphabet: Vec<char> = "{}[]\",:0123456789-+.eEtfn\\u \0\u{e9}\n".chars().collect();
    let mut rng = Rng::new(5);
    let (mut n_read, mut n_rows) = (0, 0);
    for (seed, (_, schema)) in all_schemas().enumerate() {
        let batch = Generator::new(seed as u64).batch(&schema, 30, Nulls::Some);
        let rows = CsvRows::try_new(&batch).expect("it is valid");
        let cells: Vec<String> = (0..30).map(|row| rows.row(row).to_string()).collect();
        let lines: Vec<String> = json(&batch).lines().map(str::to_owned).collect();
        for step in 0..300 {
            let is_json = step % 3 > 0;
            let line = rng.pick(if is_json { &lines } else { &cells });
            let mut line: Vec<char> = line.chars().collect();
            for _ in 0..1 + rng.below(3) {
                let at = rng.below(line.len() + 1);
                let end = (at + rng.below(3)).min(line.len());
                let new: Vec<char> = (0..rng.below(3)).map(|_| *rng.pick(&alphabet)).collect();
                line.splice(at..end, new);
            }
            let line: String = line.into_iter().collect();
            n_read += if is_json {
                read_json(line.as_bytes(), &schema)
            } else {
                read_csv(format!("value,id\n{line}").as_bytes(), &schema)
            };
            n_rows += 1;
        }
    }
    assert!(n_rows > 20_000 && n_read > n_rows / 10, "{n_read} of {n_rows} rows were read");
}

#[test]
fn bytes_that_are_no_text() {
    for (_, schema) in all_schemas() {
        for bytes in
            [&b"\xff"[..], b"\0", b"\xef\xbb\xbf", b"{\"value\":\0}", b"{\"value\":\"\xc3\"}", b"\xc3,\xa9\n"]
        {
            assert_eq!(read_json(bytes, &schema), 0);
            assert_eq!(read_csv(&[b"value,id\n", bytes].concat(), &schema), 0);
        }
    }
}

/// Types of the maximum depth, on a small stack. CI also runs this without optimisation.
#[test]
fn deep_types() {
    let thread = std::thread::Builder::new().name("deep types".to_owned()).stack_size(512 << 10);
    thread.spawn(read_deep_types).expect("a thread starts").join().expect("all is as expected");
}

fn read_deep_types() {
    type Wrap = fn(DataType) -> DataType;
    let wraps: [(Wrap, &str, &str); 4] = [
        (|inner| DataType::list(Field::new("item", inner)), "[", "]"),
        (|inner| DataType::struct_([Field::new("a", inner)]), "{\"a\":", "}"),
        (
            |inner| DataType::struct_([Field::new("a", DataType::Null), Field::new("a", inner)]),
            "[[\"a\",null],[\"a\",",
            "]]",
        ),
        (
            |inner| {
                let fields = [(0, Field::new("a", inner))];
                DataType::union(arrow_schema::UnionMode::Sparse, fields).expect("one child")
            },
            "{\"a\":",
            "}",
        ),
    ];
    for (wrap, open, close) in wraps {
        let mut data_type = DataType::Int8;
        for _ in 0..63 {
            data_type = wrap(data_type);
        }
        let schema = Schema::new([Field::new("v", data_type.clone()), Field::new("w", DataType::Int8)]);
        for (depth, fits) in [(63, true), (64, false), (62, false), (100_000, false)] {
            let value = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let text = format!("{{\"v\":{value},\"w\":1}}");
            let batch = JsonReader::read_batch(&text, schema.clone());
            assert_eq!(batch.is_ok(), fits, "{depth} levels of {open}");
            if let Ok(batch) = batch {
                assert_eq!(json(&batch).trim_end(), text);
            }
            let text = format!("v,w\n\"{}\",1\n", value.replace('"', "\"\""));
            assert_eq!(
                CsvReader::read_batch(&text, schema.clone()).is_ok(),
                fits,
                "{depth} levels of {open}"
            );
        }
        let schema = Schema::new([Field::new("v", wrap(data_type))]);
        let error = JsonReader::try_new(&b""[..], schema.clone()).expect_err("it is too deep");
        assert!(matches!(error.kind(), RowErrorKind::TooDeep { depth: 65, max: 64 }), "{error}");
        assert!(CsvReader::try_new(&b""[..], schema).is_err());
    }
}

#[test]
fn nulls_take_what_is_allowed() {
    let item = |data_type| Field::new("item", data_type);
    let wide = || DataType::fixed_size_binary(1 << 30).expect("it is short enough");
    let many = DataType::fixed_size_list(item(DataType::Int64), i32::MAX as u32).expect("it is legal");
    let more = DataType::fixed_size_list(item(many.clone()), i32::MAX as u32).expect("it is legal");
    let struct_ = DataType::struct_([Field::new("a", wide())]);
    let union = DataType::union(
        arrow_schema::UnionMode::Sparse,
        [(0, Field::new("a", DataType::Null)), (1, Field::new("b", wide()))],
    );
    // If the union's parent is null, the first child gets a null.
    let dense = DataType::union(arrow_schema::UnionMode::Dense, [(0, Field::new("a", wide()))]);
    let dense = DataType::struct_([Field::new("u", dense.expect("one child"))]);
    let cases = [
        (wide(), "null"),
        (dense, "null"),
        (many, "null"),
        (more, "null"),
        (DataType::run_end_encoded(arrow_schema::RunEndType::Int32, wide()), "null"),
        (
            DataType::struct_([Field::new(
                "a",
                DataType::run_end_encoded(arrow_schema::RunEndType::Int32, wide()),
            )]),
            "{}",
        ),
        (struct_.clone(), "null"),
        (struct_.clone(), "{}"),
        (DataType::list(item(struct_)), "[{}]"),
        (union.expect("the ids are legal"), "{\"a\":null}"),
    ];
    for (data_type, value) in cases {
        let schema = Schema::new([Field::new("v", data_type), Field::new("w", DataType::Int8)]);
        let text = format!("{{\"w\":1,\"v\":{value}}}\n");
        let (error, usage) = ALLOCATOR.measure(|| {
            JsonReader::read_batch(&text, schema.clone()).expect_err("so much memory is not allowed")
        });
        assert!(matches!(error.kind(), RowErrorKind::TooLarge { .. }), "{error}");
        assert!(usage.peak_bytes < 1 << 16, "{usage:?}");
        let text = if value == "null" {
            "v,w\n,1\n".to_owned()
        } else {
            format!("v,w\n\"{}\",1", value.replace('"', "\"\""))
        };
        let error = CsvReader::read_batch(&text, schema.clone()).expect_err("so much memory is not allowed");
        assert!(matches!(error.kind(), RowErrorKind::TooLarge { .. }), "{error}");
    }
    let schema = Schema::new([Field::new("v", DataType::fixed_size_binary(1000).expect("it is legal"))]);
    let text = "{}\n".repeat(100);
    let reader = || JsonReader::try_new(text.as_bytes(), schema.clone()).expect("it is flat");
    assert!(reader().with_max_null_bytes(999).all(|batch| batch.is_err()));
    let n_rows: Vec<usize> =
        reader().with_batch_bytes(40_000).map(|batch| batch.expect("it fits").n_rows()).collect();
    assert_eq!(n_rows, [40, 40, 20]);
}

/// Repeats a piece of text.
struct RepeatedText<'a> {
    piece: &'a [u8],
    n_left: usize,
}

impl Read for RepeatedText<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n_bytes = out.len().min(self.piece.len()).min(self.n_left);
        out[..n_bytes].copy_from_slice(&self.piece[..n_bytes]);
        self.piece = &self.piece[n_bytes..];
        self.n_left -= n_bytes;
        Ok(n_bytes)
    }
}

#[test]
fn memory_is_that_of_a_batch() {
    let schema = schema_of("struct<a: utf8, b: list<item: int64>>");
    let bad = "{\"a\":\"0123456789\",\"b\":[1,2,3,4,5,6,x]}\n".repeat(1000);
    let good = "{\"a\":\"0123456789\",\"b\":[1,2,3,4,5,6,7]}\n".repeat(1000);
    let csv = format!("a,b\n{}", "0123456789,\"[1,2,3,4,5,6,7]\"\n".repeat(1000));
    let ((), usage) = ALLOCATOR.measure(|| {
        for _ in 0..30 {
            let text = [bad.as_bytes(), good.as_bytes()];
            let input = text[0].chain(text[1]).chain(text[0]);
            let reader = JsonReader::try_new(BufReader::new(input), schema.clone()).expect("it is not deep");
            let found = reader.with_batch_rows(100).with_skipped_errors();
            let (n_good, n_bad) = found.fold((0, 0), |(good, bad), batch| match batch {
                Ok(batch) => (good + batch.n_rows(), bad),
                Err(_) => (good, bad + 1),
            });
            assert_eq!((n_good, n_bad), (1000, 2000));
            let reader = CsvReader::try_new(csv.as_bytes(), schema.clone()).expect("it is not deep");
            let n_rows: usize =
                reader.with_batch_rows(100).map(|batch| batch.map_or(0, |batch| batch.n_rows())).sum();
            assert_eq!(n_rows, 1000);
        }
    });
    assert!(usage.peak_bytes < 100_000, "{usage:?}");

    // One endless line.
    let piece = vec![b'7'; MIB];
    for (open, kind) in [("{\"a\":", "JSON"), ("a,b\n", "CSV")] {
        let (error, usage) = ALLOCATOR.measure(|| {
            let input = BufReader::new(open.as_bytes().chain(RepeatedText { piece: &piece, n_left: MIB }));
            if kind == "JSON" {
                let mut reader = JsonReader::try_new(input, schema.clone())
                    .expect("it is not deep")
                    .with_max_line_bytes(1000);
                reader.next().and_then(Result::err)
            } else {
                let mut reader = CsvReader::try_new(input, schema.clone())
                    .expect("it is not deep")
                    .with_max_record_bytes(1000);
                reader.next().and_then(Result::err)
            }
        });
        let error = error.expect("it is too long");
        assert!(matches!(error.kind(), RowErrorKind::TooLong { max_bytes: 1000 }), "{kind}: {error}");
        assert!(usage.peak_bytes < 100_000, "{kind}: {usage:?}");
    }
}

/// Cells after the last column are counted and not stored, in the line of names and in rows. Each would take 16 bytes.
#[test]
fn cells_without_a_column_take_no_memory() {
    let schema = schema_of("struct<a: utf8, b: int64>");
    let many = ["x".to_owned() + &",".repeat(3 * MIB), "x,\"y\"".to_owned() + &",\"z\"".repeat(MIB)];
    for cells in many {
        for text in [format!("{cells}\n1,2\n"), format!("a,b\n{cells}\n1,2\n")] {
            let n_cells = cells.split(',').count() as u64;
            let (errors, usage) = ALLOCATOR.measure(|| {
                let options = CsvOptions::new().with_end_delimiters();
                let reader = CsvReader::try_new_with(text.as_bytes(), schema.clone(), options);
                let reader = reader.expect("it is not deep");
                reader.with_skipped_errors().filter_map(Result::err).collect::<Vec<_>>()
            });
            let [error] = &*errors else { panic!("{errors:?}") };
            match error.kind() {
                RowErrorKind::OtherNames { .. } => assert!(!text.starts_with('a')),
                RowErrorKind::Count { expected: 2, found, .. }
                | RowErrorKind::EmptyCells { expected: 2, found } => assert_eq!(*found, n_cells),
                _ => panic!("{error}"),
            }
            assert!(usage.peak_bytes < 100_000, "{usage:?}");
        }
    }
}

/// What readers store about a type takes memory and time in proportion to the depth of the type, also for nested runs.
#[test]
fn deep_types_are_looked_at_once() {
    type Wrap = fn(DataType) -> DataType;
    let wraps: [Wrap; 3] = [
        |inner| DataType::run_end_encoded(arrow_schema::RunEndType::Int32, inner),
        |inner| DataType::struct_([Field::new("a", inner)]),
        |inner| DataType::list(Field::new("item", inner)),
    ];
    for wrap in wraps {
        let schema_of = |depth| {
            let data_type = (1..depth).fold(DataType::Int8, |inner, _| wrap(inner));
            Schema::new([Field::new("v", data_type)])
        };
        let costs = [16, 32, 64].map(|depth| {
            let schema = schema_of(depth);
            let read = || {
                let json = JsonReader::try_new(&b""[..], schema.clone()).expect("it is not too deep");
                let csv = CsvReader::try_new(&b""[..], schema.clone()).expect("it is not too deep");
                (json.count(), csv.count())
            };
            ALLOCATOR.measure(read).1.total_bytes
        });
        for pair in costs.windows(2) {
            assert!(pair[1] as f64 <= 2.2 * pair[0] as f64, "{} {costs:?}", wrap(DataType::Int8));
        }
    }
}
