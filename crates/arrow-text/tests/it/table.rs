//! The layout of printed tables.

use arrow_array::*;
use arrow_data::{RecordBatch, Table};
use arrow_schema::{DataType, IndexType, Schema, TimeUnit};
use arrow_text::*;

fn batch(texts: &[Option<&str>]) -> RecordBatch {
    let ids = Int64Array::from_iter((0..).take(texts.len()).map(|k: i64| k * 100));
    RecordBatch::try_from_columns([
        ("id", ids.into()),
        ("text", Utf8ViewArray::from_iter(texts.iter().copied()).into()),
        ("flag", BooleanArray::from_iter(texts.iter().map(Option::is_some)).into()),
    ])
    .expect("equal lengths")
}

fn table(options: &TableOptions, first: &RecordBatch, more: &[RecordBatch]) -> String {
    let table = TablePrinter::try_new_with(first.schema(), Some(first), *options).expect("it is valid");
    let mut text = table.header().to_string();
    for batch in [first].into_iter().chain(more) {
        text += &table.rows(batch).expect("it is valid").to_string();
    }
    text
}

#[test]
fn columns_are_aligned() {
    let first = batch(&[Some("東京"), None, Some(""), Some("a\tb")]);
    assert_eq!(
        table(&TableOptions::new(), &first, &[]),
        "\x20  id  text       flag
int64  utf8_view  bool
-----  ---------  -----
    0  東京       true
  100  null       false
  200             true
  300  a\\tb       true
"
    );
}

#[test]
fn later_batches_keep_the_widths() {
    let first = batch(&[Some("abcdefghijkl")]);
    let later = batch(&[None, Some("a much longer text than before")]);
    let unlimited = "\x20  id  text          flag
int64  utf8_view     bool
-----  ------------  ----
    0  abcdefghijkl  true
    0  null          false
  100  a much longer text than before  true
";
    assert_eq!(table(&TableOptions::new(), &first, std::slice::from_ref(&later)), unlimited);
    let limited = "\x20  id  text          flag
int64  utf8_view     bool
-----  ------------  ----
    0  abcdefghijkl  true
    0  null          fal…
  100  a much long…  true
";
    assert_eq!(table(&TableOptions::new().with_max_width(80), &first, &[later]), limited);
}

#[test]
fn lines_fit() {
    let first = batch(&[Some("a text of some length, to be cut")]);
    let cases = [
        (25, "   id  text          flag\nint64  utf8_view     bool\n"),
        (24, "   id  text         flag\nint64  utf8_view    bool\n"),
        (20, "   id  text        …\nint64  utf8_view   …\n"),
        (5, "   id  …\nint64  …\n"),
        (1, "…  …\n…  …\n"),
    ];
    for (max_width, header) in cases {
        let text = table(&TableOptions::new().with_max_width(max_width), &first, &[]);
        assert!(text.starts_with(header), "in {max_width}:\n{text}");
    }
}

#[test]
fn no_row_is_padded_far() {
    let long = "n".repeat(10_000);
    let ids = || arrow_data::ArrayData::from(Int8Array::from_iter([1, 2]));
    let texts = Utf8ViewArray::from_iter([long.as_str(), "short"]).into();
    let batch = RecordBatch::try_from_columns([(long.as_str(), ids()), ("text", texts), ("z", ids())])
        .expect("equal");
    let text = table(&TableOptions::new(), &batch, &[]);
    let lines: Vec<&str> = text.lines().collect();
    let header = |name: &str, data_type: &str| format!("{name}  {data_type:200}  ");
    assert_eq!(lines[0], header(&format!("{}…{}", "n".repeat(30), "n".repeat(29)), "text") + "   z");
    assert_eq!(lines[1], header(&format!("{:>60}", "int8"), "utf8_view") + "int8");
    assert_eq!(lines[2], header(&"-".repeat(60), &"-".repeat(200)) + "----");
    assert_eq!(lines[3], format!("{:>60}  {long}     1", 1));
    assert_eq!(lines[4], format!("{:>60}  {:200}     2", 2, "short"));
    assert_eq!(lines.len(), 5);
    // If values are wide, more of a name is printed.
    let name = "n".repeat(100);
    let values = Utf8ViewArray::from_iter(["x".repeat(90)]).into();
    let batch = RecordBatch::try_from_columns([(name.as_str(), values)]).expect("one column");
    let text = table(&TableOptions::new(), &batch, &[]);
    assert!(text.starts_with(&format!("{}…{}\n", "n".repeat(45), "n".repeat(44))), "{text}");
}

#[test]
fn nulls_are_not_text() {
    let texts = ["null", "\"null\"", "\"", "nulls", ""].map(Some).into_iter().chain([None]);
    let words = DictionaryBuilder::try_new(IndexType::Int8, Utf8Builder::new()).expect("no dictionary");
    let words = words.with_values(texts.clone()).finish().expect("six slots");
    let batch = RecordBatch::try_from_columns([
        ("text", Utf8ViewArray::from_iter(texts).into()),
        ("word", words.into()),
    ]);
    let text = table(&TableOptions::new(), &batch.expect("equal lengths"), &[]);
    let cells: Vec<&str> =
        text.lines().skip(3).map(|line| line.get(..11).unwrap_or(line).trim_end()).collect();
    let expected = ["\"null\"", "\"\\\"null\\\"\"", "\"\\\"\"", "nulls", "", "null"];
    assert_eq!(cells, expected, "{text}");
    for line in text.lines().skip(3) {
        let (left, right) = line.split_at(12);
        assert_eq!(left.trim_end(), right, "{text}");
    }
}

#[test]
fn durations_have_units() {
    for (unit, expected) in [(TimeUnit::Second, "-1500 s"), (TimeUnit::Nanosecond, "-1500 ns")] {
        let spans =
            DurationArray::try_from_iter(DataType::Duration(unit), [Some(-1500), None]).expect("a duration");
        let batch = RecordBatch::try_from_columns([("span", spans.into())]).expect("one column");
        let text = table(&TableOptions::new(), &batch, &[]);
        let width = format!("duration({unit})").len();
        assert!(text.ends_with(&format!("{expected:>width$}\n{:>width$}\n", "null")), "{text}");
    }
}

#[test]
fn the_ends_of_long_names_are_shown() {
    let names = ["measurements_of_the_first_sensor_in_celsius", "measurements_of_the_first_sensor_in_kelvin"];
    let columns = names.map(|name| (name, Int8Array::from_iter([1]).into()));
    let batch = RecordBatch::try_from_columns(columns).expect("equal lengths");
    let text = table(&TableOptions::new().with_max_width(34), &batch, &[]);
    assert!(text.starts_with("measurem…celsius  measurem…_kelvin\n"), "{text}");
}

#[test]
fn only_sampled_rows_decide() {
    let first = batch(&[Some("x"), Some("a text of some length")]);
    let text = table(&TableOptions::new().with_max_width(80).with_sample_rows(1), &first, &[]);
    assert!(text.contains("  100  a text o…  true\n"), "{text}");
}

#[test]
fn names_and_cells_cannot_command_a_terminal() {
    let evil = "\u{1b}]0;title\u{7}\u{202e}\r\n";
    let batch =
        RecordBatch::try_from_columns([(evil, Utf8ViewArray::from_iter([evil]).into())]).expect("one column");
    let text = table(&TableOptions::new(), &batch, &[]);
    assert_eq!(text.lines().count(), 4);
    assert!(!text.chars().any(|char| (char.is_control() && char != '\n') || char == '\u{202e}'), "{text:?}");
    assert_eq!(text.matches(r"\u{1b}]0;title\u{7}\u{202e}\r\n").count(), 2);
}

#[test]
fn numbers_are_aligned_to_the_right_however_encoded() {
    let keys = Int8Array::from_iter([0, 1]).into_data();
    let numbers = arrow_data::ArrayData::try_new(arrow_data::ArrayParts {
        data_type: DataType::dictionary(IndexType::Int8, DataType::Int32).expect("not nested"),
        dictionary: Some(Int32Array::from_iter([5, 50]).into_data().into()),
        ..keys.into_parts()
    });
    let numbers = numbers.expect("the structure is sound");
    let batch = RecordBatch::try_from_columns([("n", numbers)]).expect("one column");
    let text = table(&TableOptions::new(), &batch, &[]);
    assert!(text.ends_with("\n                      5\n                     50\n"), "{text}");
}

#[test]
fn tables_without_columns_or_rows() {
    let table = TablePrinter::try_new(&Schema::default(), None).expect("there is nothing");
    assert_eq!(table.header().to_string(), "");
    let batch = RecordBatch::try_new_with_rows(Schema::default(), [], 2).expect("no columns, two rows");
    assert_eq!(table.rows(&batch).map(|rows| rows.to_string()).as_deref(), Ok("\n\n"));
    let empty = batch_of_nothing();
    let table = TablePrinter::try_new(empty.schema(), Some(&empty)).expect("there is nothing");
    assert_eq!(table.header().to_string(), "n\nnull\n----\n");
    assert!(table.rows(&empty).is_ok_and(|rows| rows.is_empty() && rows.to_string().is_empty()));
}

fn batch_of_nothing() -> RecordBatch {
    RecordBatch::try_from_columns([("n", NullArray::new(0).into())]).expect("one column")
}

#[test]
fn rows_and_columns_are_limited() {
    let batch = batch(&[Some("a"), Some("b"), Some("c")]);
    let new = TableOptions::new;
    let header = "   id  text       flag\nint64  utf8_view  bool\n-----  ---------  ----\n";
    let rows = ["    0  a          true\n", "  100  b          true\n", "  200  c          true\n"];
    let cases = [
        (new().with_max_rows(3), header.to_owned() + &rows.concat()),
        (new().with_max_rows(2), header.to_owned() + rows[0] + rows[1] + "… 1 more row\n"),
        (new().with_max_rows(1), header.to_owned() + rows[0] + "… 2 more rows\n"),
        (new().with_max_rows(0), header.to_owned() + "… 3 more rows\n"),
        (new().with_max_columns(3).with_max_rows(0), header.to_owned() + "… 3 more rows\n"),
        (
            new().with_max_columns(1).with_max_rows(1),
            "   id  …\nint64  …\n-----  …\n    0  …\n… 2 more rows\n".to_owned(),
        ),
        (new().with_max_columns(0).with_max_rows(1), "…\n…\n…\n…\n… 2 more rows\n".to_owned()),
        (
            new().with_max_columns(2).with_max_width(12).with_max_rows(1),
            "   id  …\nint64  …\n-----  …\n    0  …\n… 2 more ro…\n".to_owned(),
        ),
    ];
    for (options, expected) in cases {
        let whole = BatchTable::try_new_with(&batch, options).expect("it is valid").to_string();
        assert_eq!(whole, expected, "{options:?}");
        assert_eq!(table(&options, &batch, &[]), expected, "{options:?}");
    }
    // Rows that are not printed do not widen columns.
    let long = self::batch(&[Some("a"), Some("a much longer text than before")]);
    let text = BatchTable::try_new_with(&long, new().with_max_rows(1)).expect("it is valid").to_string();
    assert_eq!(text, header.to_owned() + rows[0] + "… 1 more row\n");
    let options = new().with_max_columns(2).with_max_rows(1);
    let table = TablePrinter::try_new_with(batch.schema(), Some(&batch), options).expect("it is valid");
    assert_eq!((table.n_shown(), table.n_omitted()), (2, 1));
    // The limit applies to each batch. Single rows after the limit can still be printed.
    let printed = table.rows(&batch).expect("it is valid");
    assert_eq!((printed.len(), printed.row(2).to_string().as_str()), (3, "  200  c          …"));
    let mut written = Vec::new();
    printed.write_to(&mut written).expect("memory takes all");
    assert_eq!(written, "    0  a          …\n… 2 more rows\n".as_bytes());
}

#[test]
fn one_batch_is_a_table() {
    for texts in [&[Some("a"), None][..], &[]] {
        let batch = batch(texts);
        let whole = BatchTable::try_new(&batch).expect("it is valid");
        assert_eq!(whole.to_string(), table(&TableOptions::new(), &batch, &[]));
    }
}

/// A table in several chunks prints like one batch of all its rows.
#[test]
fn tables_of_several_chunks_print_as_one_batch() {
    let long = [Some("a"), Some("a much longer text than before"), None, Some("東京"), Some("e")];
    let whole = batch(&long);
    let pieces = [whole.slice(0, 1), whole.slice(1, 0), whole.slice(1, 3), whole.slice(4, 1)];
    let cut = Table::try_from_batches(whole.schema().clone(), pieces).expect("one schema");
    let new = TableOptions::new;
    let cases = [
        new(),
        new().with_max_rows(0),
        new().with_max_rows(1),
        new().with_max_rows(3),
        new().with_max_rows(5),
        new().with_sample_rows(1).with_max_width(20),
        new().with_sample_rows(3).with_max_width(30),
        new().with_max_columns(1).with_max_rows(4),
    ];
    for options in cases {
        let expected = BatchTable::try_new_with(&whole, options).expect("it is valid").to_string();
        let found = BatchTable::try_from_table_with(&cut, options).expect("it is valid");
        assert_eq!(found.to_string(), expected, "{options:?}");
    }
    let empty = Table::try_from_batches(whole.schema().clone(), []).expect("no rows");
    let found = BatchTable::try_from_table(&empty).expect("no rows").to_string();
    assert_eq!(found, BatchTable::try_new(&whole.slice(0, 0)).expect("no rows").to_string());
}
