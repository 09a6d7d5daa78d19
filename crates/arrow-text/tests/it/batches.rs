//! Batches of every type, and batches with invalid content.

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use arrow_text::*;
use testing_support::{Generator, all_types, schema_of_all_types};

#[test]
fn batches_of_all_types_are_written() {
    let schema = schema_of_all_types();
    let batches = Generator::new(3).batches(&schema, &[5, 0, 33]);
    let options = TableOptions::new().with_max_width(100);
    let table =
        TablePrinter::try_new_with(&schema, batches.first(), options).expect("generated batches are valid");
    assert_eq!(table.n_shown() + table.n_omitted(), schema.fields().len());
    for batch in &batches {
        let rows = JsonRows::try_new(batch).expect("generated batches are valid");
        let mut written = Vec::new();
        rows.write_to(&mut written).expect("memory takes all");
        let lines: Vec<String> = rows.iter().map(|row| format!("{row}\n")).collect();
        assert_eq!(String::from_utf8(written), Ok(lines.concat()));
        assert!(lines.iter().all(|line| line.matches('\n').count() == 1));
        let table_rows = table.rows(batch).expect("generated batches are valid");
        let text = table_rows.to_string();
        assert_eq!(text.lines().count(), batch.n_rows());
        assert!(text.lines().all(|line| unicode_width::UnicodeWidthStr::width(line) <= 100), "{text}");
        assert!(!text.chars().any(|char| char.is_control() && char != '\n'));
        let mut written = Vec::new();
        table_rows.write_to(&mut written).expect("memory takes all");
        assert_eq!(String::from_utf8(written), Ok(text));
    }
}

#[test]
fn errors_name_the_column() {
    let text = |bytes: &[u8]| {
        ArrayData::try_new(ArrayParts {
            buffers: [Buffer::from(vec![0, 1, 2]), Buffer::copy_from(bytes)],
            ..ArrayParts::new(DataType::Utf8, 2)
        })
        .expect("the structure is sound")
    };
    let batch = RecordBatch::try_from_columns([("a", text(b"ab")), ("b", text(b"a\xff"))]);
    let batch = batch.expect("two rows each");
    let errors = [
        JsonRows::try_new(&batch).expect_err("column b is not text"),
        CsvRows::try_new(&batch).expect_err("column b is not text"),
        BatchTable::try_new(&batch).expect_err("column b is not text"),
    ];
    assert!(errors.iter().all(|error| error.to_string().starts_with("field `b`")), "{errors:?}");
    // Columns that are not printed are not read.
    let table = TablePrinter::try_new_with(batch.schema(), None, TableOptions::new().with_max_width(7))
        .expect("no data");
    assert_eq!((table.n_shown(), table.n_omitted()), (1, 1));
    assert_eq!(table.rows(&batch).map(|rows| rows.to_string()).as_deref(), Ok("a     …\nb     …\n"));
}

#[test]
fn one_writer_writes_what_many_do() {
    let mut writer = JsonWriter::new();
    for (type_idx, (name, data_type)) in all_types().into_iter().enumerate() {
        let mut generator = Generator::new(type_idx as u64);
        let schema = Schema::new([Field::new("a", data_type.clone()), Field::new("b", data_type)]);
        let table = TablePrinter::try_new(&schema, None).expect("no data");
        for batch in &generator.batches(&schema, &[5, 0, 12]) {
            let expected = JsonRows::try_new(batch).expect("it is valid");
            let rows = writer.rows(batch).expect("it is valid");
            assert!(
                rows.iter().map(|row| row.to_string()).eq(expected.iter().map(|row| row.to_string())),
                "{name}"
            );
            let fresh = table.clone();
            let (rows, expected) = (table.rows(batch), fresh.rows(batch));
            let rows = rows.expect("it is valid").to_string();
            assert_eq!(rows, expected.expect("it is valid").to_string(), "{name}");
        }
    }
}

#[test]
fn rows_are_shared_between_threads() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<JsonRows>();
    shared::<CsvRows>();
    shared::<TablePrinter>();
}
