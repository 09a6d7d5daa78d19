//! The form of CSV, and values of every type in CSV, as another reader returns them.

use arrow_array::*;
use arrow_buffer::F16;
use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, Schema};
use arrow_text::*;
use testing_support::{Generator, Nulls, all_types, schema_of_all_types};

fn csv(batch: &RecordBatch, options: CsvOptions) -> String {
    let rows = CsvWriter::new_with(options).rows(batch).unwrap_or_else(|error| panic!("{error}"));
    let mut out = Vec::new();
    rows.write_to(&mut out).expect("memory takes all");
    let text = String::from_utf8(out).expect("it is text");
    assert_eq!(rows.to_string(), text);
    text
}

/// The records that the `csv` crate returns.
fn records(text: &str, delimiter: u8) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).delimiter(delimiter).from_reader(text.as_bytes());
    let record = |record: Result<csv::StringRecord, csv::Error>| {
        record.expect("all records are of one length").iter().map(str::to_owned).collect()
    };
    reader.records().map(record).collect()
}

/// The expected cell of a value, from its JSON form.
fn cell_of(json: &str) -> String {
    match json {
        "null" => String::new(),
        _ if json.starts_with('"') => serde_json::from_str(json).expect("it is a string"),
        _ => json.to_owned(),
    }
}

fn cells_of(batch: &RecordBatch) -> Vec<Vec<String>> {
    let columns: Vec<ColumnText> = batch
        .columns()
        .iter()
        .map(|column| ColumnText::try_new(column, TextStyle::Json).expect("it is valid"))
        .collect();
    let row = |row| columns.iter().map(|column| cell_of(&column.value(row).to_string())).collect();
    (0..batch.n_rows()).map(row).collect()
}

const DELIMITERS: [u8; 6] = [b',', b';', b'\t', b'0', b'e', b'['];

#[test]
fn values_of_every_type_are_read_back() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(seed as u64);
        for (nulls, delimiter) in Nulls::ALL.into_iter().zip(DELIMITERS.into_iter().cycle().skip(seed)) {
            let column = generator.sliced_array(&data_type, 40, nulls);
            let batch = RecordBatch::try_from_columns([(name.as_str(), column)]).expect("one column");
            let options = CsvOptions::new().with_delimiter(delimiter).expect("it can separate cells");
            let found = records(&csv(&batch, options), delimiter);
            assert_eq!(found[0], [name.as_str()]);
            assert_eq!(found[1..], cells_of(&batch), "{name}, {nulls:?}");
        }
    }
}

/// Rows written in ranges equal rows written at once, for every type, as JSON and as CSV.
#[test]
fn ranges_of_rows_are_what_all_rows_are() {
    let batch = Generator::new(21).batches(&schema_of_all_types(), &[40]).remove(0);
    let (csv, json) = (CsvRows::try_new(&batch).unwrap(), JsonRows::try_new(&batch).unwrap());
    let [mut all_csv, mut all_json] = [Vec::new(), Vec::new()];
    csv.write_to(&mut all_csv).unwrap();
    json.write_to(&mut all_json).unwrap();
    assert!(!all_csv.is_empty() && !all_json.is_empty());
    for n_of_range in [1, 7, 39, 40, 100] {
        let [mut in_ranges, mut json_in_ranges] = [Vec::new(), Vec::new()];
        for start in (0..40).step_by(n_of_range) {
            csv.write_range_to(start..start + n_of_range, &mut in_ranges).unwrap();
            json.write_range_to(start..start + n_of_range, &mut json_in_ranges).unwrap();
        }
        assert!(in_ranges == all_csv && json_in_ranges == all_json, "{n_of_range} rows each");
    }
}

#[test]
fn batches_of_all_types_are_read_back() {
    let schema = schema_of_all_types();
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name()).collect();
    let batches = Generator::new(3).batches(&schema, &[5, 0, 33]);
    for delimiter in DELIMITERS {
        let options = CsvOptions::new().with_delimiter(delimiter).expect("it can separate cells").with_crlf();
        let mut writer = CsvWriter::new_with(options);
        let mut text = Vec::new();
        for batch in &batches {
            let rows = writer.rows(batch).expect("generated batches are valid");
            assert_eq!((rows.len(), rows.is_empty()), (batch.n_rows(), batch.n_rows() == 0));
            rows.write_to(&mut text).expect("memory takes all");
        }
        let found = records(str::from_utf8(&text).expect("it is text"), delimiter);
        assert_eq!(found[0], names);
        assert_eq!(found[1..], batches.iter().flat_map(cells_of).collect::<Vec<_>>());
    }
}

#[test]
fn only_nulls_are_empty_and_only_empty_texts_are_quotes() {
    for (seed, (name, data_type)) in all_types().into_iter().enumerate() {
        let column = Generator::new(seed as u64).array(&data_type, 50, Nulls::Garbage);
        let json = ColumnText::try_new(&column, TextStyle::Json).expect("it is valid");
        let id = ArrayData::from(Int8Array::from_iter([7].repeat(50)));
        let batch = RecordBatch::try_from_columns([("id", id), ("", column.clone())]).expect("equal lengths");
        let rows = CsvRows::try_new(&batch).expect("it is valid");
        for slot in 0..50 {
            let line = rows.row(slot).to_string();
            match json.value(slot).to_string().as_str() {
                "null" => assert_eq!(line, "7,", "{name}"),
                "\"\"" => assert_eq!(line, "7,\"\"", "{name}"),
                _ => assert!(line.len() > 2 && line != "7,\"\"", "{name}: {line}"),
            }
        }
    }
}

fn texts<const N: usize>(texts: [Option<&str>; N]) -> ArrayData {
    Utf8ViewArray::from_iter(texts).into()
}

fn batch<const N: usize>(columns: [(&str, ArrayData); N]) -> RecordBatch {
    RecordBatch::try_from_columns(columns).expect("equal lengths")
}

#[test]
fn lines_by_hand() {
    let new = CsvOptions::new;
    let with = |delimiter| new().with_delimiter(delimiter).expect("it can separate cells");
    let two = || [("a", texts([Some("x,y"), None])), ("b", texts([Some(""), Some("null")]))];
    let floats = Float16Array::from_iter([Some(F16::from_f32(-1.0)), None, Some(F16::from_f32(f32::NAN))]);
    let cases = [
        (batch(two()), new(), "a,b\n\"x,y\",\"\"\n,null\n"),
        (batch(two()), new().without_header(), "\"x,y\",\"\"\n,null\n"),
        (batch(two()), new().with_crlf(), "a,b\r\n\"x,y\",\"\"\r\n,null\r\n"),
        (batch(two()), with(b';'), "a;b\nx,y;\"\"\n;null\n"),
        (batch(two()), with(b'a'), "\"a\"ab\nx,ya\"\"\nanull\n"),
        // In a single column, an empty cell would make a blank line, which is not a row.
        (batch([("n", texts([None, Some(""), Some("x")]))]), new(), "n\n\"\"\n\"\"\nx\n"),
        (batch([("", NullArray::new(2).into())]), new(), "\"\"\n\"\"\n\"\"\n"),
        (batch([("n", NullArray::new(0).into())]), new(), "n\n"),
        (batch([("f", floats.clone().into())]), new(), "f\n-1.0\n\"\"\nNaN\n"),
        (
            batch([("f", floats.into()), ("t", texts([Some("1.5"), None, None]))]),
            with(b';').with_number_marks(',', Some('.')).expect("they differ"),
            "f;t\n-1,0;1.5\n;\nNaN;\n",
        ),
        // Names are written unchanged, even if they repeat.
        (
            batch([("a", texts([])), ("a", texts([])), ("", texts([])), ("x,\"\n", texts([]))]),
            new(),
            "a,a,\"\",\"x,\"\"\n\"\n",
        ),
        // Text that looks like a value of another type, and text that spreadsheet programs would calculate.
        (
            batch([("t", texts([Some("=1+1"), Some("@a"), Some(" x "), Some("12"), Some("\\N")]))]),
            new(),
            "t\n=1+1\n@a\n x \n12\n\\N\n",
        ),
        // What a reader with the same options would take for a comment or a null.
        (
            batch([
                ("#a", texts([Some("#x"), Some("NA"), Some("y")])),
                ("n", texts([Some("NA"), None, Some("z#")])),
            ]),
            new()
                .with_comment(b'#')
                .and_then(|options| options.with_null_text("NA"))
                .expect("they are short"),
            "\"#a\",n\n\"#x\",\"NA\"\n\"NA\",\ny,z#\n",
        ),
        (
            batch([("n", Int8Array::from_iter([-1, 1, 0]).into())]),
            new().with_comment(b'-').and_then(|options| options.with_null_text("0")).expect("they are short"),
            "n\n\"-1\"\n1\n\"0\"\n",
        ),
        (batch([("b", BinaryViewArray::from_iter([b"\x00\xff"]).into())]), new(), "b\n00ff\n"),
        (
            batch([("i", IntervalYearMonthArray::from_iter([14]).into())]),
            new(),
            "i\n\"{\"\"months\"\":14}\"\n",
        ),
        (RecordBatch::try_new_with_rows(Schema::default(), [], 2).expect("no columns"), new(), "\n\n\n"),
    ];
    for (batch, options, expected) in cases {
        assert_eq!(csv(&batch, options), expected, "{options:?}");
    }
}

/// Decimals with a scale far beyond their digits are numbers like others: with the decimal mark of the options, and no formulas.
#[test]
fn decimals_of_any_scale_are_numbers() {
    for data_type in
        ["decimal32(9, 100)", "decimal32(9, -100)", "decimal128(3, 1000)", "decimal256(3, -1001)"]
    {
        let data_type: DataType = data_type.parse().expect("a type");
        let mut builder = AnyBuilder::new(&data_type);
        for number in ["5", "-5", "0", "120"] {
            let (_, scale) = data_type.as_decimal().expect("a decimal");
            append_text(&mut builder, &format!("{number}e{}", -scale)).expect("it has no more digits");
        }
        builder.append_nulls(1);
        let column = builder.finish_data().expect("all are decimals");
        let batch = batch([("d", column.clone()), ("e", column)]);
        let marked = CsvOptions::new().with_delimiter(b';').expect("it can separate cells");
        let marked = marked.with_number_marks(',', None).expect("they differ");
        for options in [CsvOptions::new(), marked, marked.with_escaped_formulas()] {
            let text = csv(&batch, options);
            assert!(!text.contains('\''), "{text}");
            let reader = CsvReader::try_new_with(text.as_bytes(), batch.schema().clone(), options);
            let mut reader = reader.expect("the header fits");
            let read = reader.next().expect("a batch").expect("it is valid");
            assert_eq!(read.columns(), batch.columns(), "{text}");
        }
    }
}

#[test]
fn delimiters_are_judged() {
    for byte in 0..=u8::MAX {
        let is_fine = byte.is_ascii() && !b"\"\r\n".contains(&byte);
        assert_eq!(CsvOptions::new().with_delimiter(byte).is_ok(), is_fine, "{byte}");
        assert_eq!(CsvOptions::new().with_comment(byte).is_ok(), is_fine && byte != b',', "{byte}");
        let may_quote = byte == b'"' || is_fine && byte != b',';
        assert_eq!(CsvOptions::new().with_quote(Some(byte)).is_ok(), may_quote, "{byte}");
    }
    let error = CsvOptions::new().with_delimiter(b'"').expect_err("it is a quote");
    assert_eq!(
        error.to_string(),
        "'\"' cannot be a separator, quote or comment character: these must be different ASCII characters, no line ends, and '\"' can only be the quote"
    );
}

#[test]
fn nulls_that_are_written_like_empty_texts_are_counted() {
    for (data_type, n_like_empty) in [
        ("utf8", 1),
        ("dictionary<int8, binary_view>", 1),
        ("fixed_size_binary(0)", 1),
        ("dictionary<int8, fixed_size_binary(0)>", 1),
        ("fixed_size_binary(1)", 0),
        ("int8", 0),
    ] {
        let schema = format!("v: {data_type}").parse::<Schema>().expect("it is a type");
        let batch = JsonReader::read_batch("{\"v\":null}\n", schema).expect("it is nullable");
        assert_eq!(
            CsvRows::try_new(&batch).expect("it is valid").n_like_empty(),
            n_like_empty,
            "{data_type}"
        );
    }
    // Rows without bytes are not visited: these would take years.
    let n_rows = usize::MAX;
    let column = NullArray::new(n_rows).into_data();
    let schema = "v: null".parse::<Schema>().expect("it is a type");
    let batch = RecordBatch::try_new_with_rows(schema, vec![column], n_rows).expect("it is one column");
    assert_eq!(CsvRows::try_new(&batch).expect("it is valid").n_like_empty(), 0);
}
