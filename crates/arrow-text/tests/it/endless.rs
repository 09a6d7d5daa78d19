//! Values that take a few bytes, but whose text is almost endless. No writer stores the whole text.

use std::{fmt::Write as _, io, sync::Arc};

use arrow_array::*;
use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, IndexType};
use arrow_text::*;
use testing_support::{endless_nulls, endless_views};

use crate::ALLOCATOR;

fn make(parts: ArrayParts) -> ArrayData {
    ArrayData::try_new(parts).expect("the parts fit")
}

fn encoded() -> ArrayData {
    let values = endless_nulls();
    let data_type = DataType::dictionary(IndexType::Int8, values.data_type().clone()).expect("no dictionary");
    make(ArrayParts {
        data_type,
        dictionary: Some(Arc::new(values)),
        ..Int8Array::from_iter([0]).into_data().into_parts()
    })
}

/// Batches with the column before, between and after other columns, so that it is also padded.
fn batches() -> impl Iterator<Item = RecordBatch> {
    [endless_nulls(), endless_views(), encoded()].into_iter().map(|column| {
        let id = ArrayData::from(Int64Array::from_iter((0..).take(column.len())));
        RecordBatch::try_from_columns([("id", id.clone()), ("endless", column), ("z", id)])
            .expect("of equal lengths")
    })
}

/// Accepts a number of bytes, then fails.
struct LimitedSink(usize);

impl io::Write for LimitedSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const N_BYTES: usize = 4 << 20;

/// Writes until `LimitedSink` fails, and checks how much memory was used.
fn check(what: &str, write: impl FnOnce(&mut LimitedSink) -> io::Result<()>) {
    let mut out = LimitedSink(N_BYTES);
    let (written, usage) = ALLOCATOR.measure(|| write(&mut out));
    let error = written.expect_err("it has no end");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{what}");
    assert!(out.0 < 128 << 10, "{what}: {} bytes were left", out.0);
    assert!(usage.peak_bytes < 256 << 10, "{what}: {} bytes of memory", usage.peak_bytes);
}

#[test]
fn json_is_written_as_it_comes() {
    for batch in batches() {
        check("rows", |out| {
            let rows = JsonRows::try_new(&batch).expect("it is valid");
            rows.write_to(out)
        });
    }
}

#[test]
fn csv_is_written_as_it_comes() {
    for (batch, delimiter) in batches().flat_map(|batch| [(batch.clone(), b','), (batch, b'\t')]) {
        check("csv", |out| {
            let options = CsvOptions::new().with_delimiter(delimiter).expect("it can separate cells");
            CsvWriter::new_with(options).rows(&batch).expect("it is valid").write_to(out)
        });
    }
}

#[test]
fn tables_without_limit_are_written_as_they_come() {
    for batch in batches() {
        check("table", |out| {
            let table = TablePrinter::try_new(batch.schema(), Some(&batch)).expect("it is valid");
            assert!(table.header().to_string().lines().all(|line| line.chars().count() < 300));
            table.rows(&batch).expect("it is valid").write_to(out)
        });
    }
}

#[test]
fn tables_with_any_limit_end() {
    for batch in batches() {
        for max_width in [0, 1, 80, 5_000, usize::MAX] {
            let options = TableOptions::new().with_max_width(max_width);
            let (text, usage) = ALLOCATOR.measure(|| {
                let table =
                    TablePrinter::try_new_with(batch.schema(), Some(&batch), options).expect("it is valid");
                format!("{}{}", table.header(), table.rows(&batch).expect("it is valid"))
            });
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest.is_some_and(|longest| longest <= max_width.clamp(4, 5_000)), "{longest:?}");
            assert!(usage.peak_bytes < 1 << 20, "in {max_width}: {} bytes of memory", usage.peak_bytes);
        }
    }
}

#[test]
fn debug_is_cut() {
    for batch in batches() {
        let column = batch.column("endless").expect("there is one");
        let array = AnyArray::try_new(column).expect("it is valid");
        let rows = JsonRows::try_new(&batch).expect("it is valid");
        let values = ColumnText::try_new(column, TextStyle::Json).expect("it is valid");
        let table = TablePrinter::try_new(batch.schema(), None).expect("no data");
        let table_rows = table.rows(&batch).expect("it is valid");
        let csv = CsvRows::try_new(&batch).expect("it is valid");
        let shown: [(String, usize); 3] = [
            (format!("{array:?}"), array.data().len() + 1),
            (format!("{:?}", rows.row(0)), 1),
            (format!("{:?}", values.value(0)), 1),
        ];
        for (text, n_parts) in shown {
            assert!(text.len() <= n_parts * 1_100, "{} bytes: {text}", text.len());
            assert!(text.ends_with("…") || text.ends_with("…]"), "{text}");
        }
        let shown = format!("CsvRow {{ rows: CsvRows {{ n_rows: {}, .. }}, row: 0 }}", csv.len());
        assert_eq!(format!("{:?}", csv.row(0)), shown);
        assert_eq!(format!("{:?}", table_rows.row(0)), "TableRow { row: 0, .. }");
        let mut text = String::new();
        write!(text, "{:?}", rows.iter().take(1).collect::<Vec<_>>()).expect("a string takes all");
        assert!(text.len() < 1_100);
    }
}
