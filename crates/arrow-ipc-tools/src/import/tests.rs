//! Reads text with several threads, and compares the result with the result of one thread.

use std::ops::ControlFlow;

use arrow_text::{CsvRows, JsonWriter};
use testing_support::{Generator, schema_of_all_types};

use super::*;
use arrow_ipc::WrittenContainer;

use crate::{
    convert::{ConvertOptions, convert},
    count::count_rows,
    observer::{Observer, Progress, Unit},
    summary::{SummaryOptions, summarize},
};

/// The rows of each batch as JSON, and the error.
fn read(schema: &Schema, rows: ReadText, n_threads: usize) -> (Vec<Vec<u8>>, Option<String>) {
    let n_threads = NonZeroUsize::new(n_threads).unwrap();
    let skipped = SkipCounter::default();
    let name = InputName::from("text");
    let import = Import {
        name,
        schema: Arc::new(schema.clone()),
        rows,
        has_row_numbers: false,
        n_threads,
        n_null_bytes: u64::MAX,
        bytes_read: None,
        skipped,
    };
    let mut writer = JsonWriter::new();
    let mut batches = Vec::new();
    let mut error = None;
    for batch in import.into_batches() {
        assert_eq!(error, None, "rows after an error");
        match batch {
            Ok(batch) => batches.push(json_of(&mut writer, &batch)),
            Err(failure) => error = Some(failure.to_string()),
        }
    }
    (batches, error)
}

fn json_of(writer: &mut JsonWriter, batch: &RecordBatch) -> Vec<u8> {
    let mut rows = Vec::new();
    writer.rows(batch).unwrap().write_to(&mut rows).unwrap();
    rows
}

fn source(text: &str) -> TextSource {
    Box::new(io::Cursor::new(text.to_owned()))
}

fn read_csv(text: &str, schema: &Schema, n_threads: usize) -> (Vec<Vec<u8>>, Option<String>) {
    let parts = CsvParts::try_new(source(text), schema.clone()).unwrap();
    read(
        schema,
        Box::new(|n_threads| read_parts(parts.with_part_records(7), n_threads, CsvPart::reader)),
        n_threads,
    )
}

fn read_json(text: &str, schema: &Schema, n_threads: usize) -> (Vec<Vec<u8>>, Option<String>) {
    let parts = JsonParts::try_new(source(text), schema.clone()).unwrap();
    read(
        schema,
        Box::new(|n_threads| read_parts(parts.with_part_lines(7), n_threads, JsonPart::reader)),
        n_threads,
    )
}

/// Compares the batches and the error of several threads with those of one thread. The texts have rows of every type,
/// a wrong row, and a quote without an end.
#[test]
fn any_number_of_threads_reads_the_same() {
    let schema = schema_of_all_types();
    let batch = Generator::new(14).batches(&schema, &[40]).remove(0);
    let two: Schema = "n: int64\ntext: utf8".parse().unwrap();
    let sound = CsvRows::try_new(&batch).unwrap().to_string();
    let rows = |range: std::ops::Range<u64>| range.map(|n| format!("{n},\"a\n{n}\"\n")).collect::<String>();
    let wrong = ["n,text\n", &rows(0..50), "x,y\n", &rows(50..100)].concat();
    let open = ["n,text\n", &rows(0..50), "1,\"y\n", &rows(50..100)].concat();
    let in_first = ["n,text\n", "x,y\n", &rows(0..50)].concat();
    let json = String::from_utf8(json_of(&mut JsonWriter::new(), &batch)).unwrap();
    let lines = |range: std::ops::Range<u64>| range.map(|n| format!("{{\"n\":{n}}}\n")).collect::<String>();
    let wrong_json = [&lines(0..50), "\n{\"n\":1.5}\n", &lines(50..100)].concat();
    type Read = fn(&str, &Schema, usize) -> (Vec<Vec<u8>>, Option<String>);
    let cases: [(Read, _, _, _, _); 6] = [
        (read_csv, &sound, &schema, 6, None),
        (read_csv, &wrong, &two, 8, Some("line 102: field `n`")),
        (read_csv, &open, &two, 8, Some("closing quote")),
        (read_csv, &in_first, &two, 0, Some("line 2: field `n`")),
        (read_json, &json, &schema, 6, None),
        (read_json, &wrong_json, &two, 8, Some("line 52, byte 6: field `n`")),
    ];
    for (read, text, schema, n_batches, error) in cases {
        let expected = read(text, schema, 1);
        assert_eq!(expected.0.len(), n_batches, "{:?}", expected.1);
        let found = expected.1.as_deref().unwrap_or_default();
        assert!(error.map_or(found.is_empty(), |error| found.contains(error)), "{found}");
        for n_threads in [2, 3, 8, 100] {
            assert!(read(text, schema, n_threads) == expected, "{n_threads} threads");
        }
        assert!(error.is_some() || expected.0.concat() == json.as_bytes());
    }
}

/// All threads share one limit for the nulls of a text.
#[test]
fn nulls_of_all_parts_have_one_bound() {
    const N_NULL_BYTES: u64 = 600;
    let schema: Schema = "a: fixed_size_binary(600)".parse().unwrap();
    // Each part has 65,536 rows, whose nulls alone are below the limit.
    let n_rows = 80_000;
    let csv = TextFormat::Csv(CsvOptions::new().with_null_text("-").unwrap());
    for (format, text, line) in [
        (TextFormat::JsonLines, "{}\n".repeat(n_rows), "{}\n"),
        (csv, format!("a\n{}", "-\n".repeat(n_rows)), "-\n"),
    ] {
        let read = |n_threads: usize, max_rows: u64| {
            let options = ImportOptions { schema: Some(schema.clone()), ..ImportOptions::new(format) };
            let options = ImportOptions { max_null_bytes: max_rows * N_NULL_BYTES, ..options };
            let import = Import::open("text", Box::new(io::Cursor::new(text.clone())), &options).unwrap();
            let import = import.with_n_threads(NonZeroUsize::new(n_threads).unwrap());
            import.into_batches().find_map(Result::err).map(|error| error.to_string())
        };
        assert_eq!(read(2, n_rows as u64), None, "{line}");
        let errors = [1, 2].map(|n_threads| read(n_threads, 70_000));
        let expected = "the nulls of the rows so far take more than 42000000 bytes of memory";
        assert!(errors[0].as_ref().is_some_and(|error| error.contains(expected)), "{errors:?}");
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    }
}

/// Progress counts the bytes of the text.
#[test]
fn progress_counts_what_was_read() {
    struct ProgressLog(Vec<Progress>);
    impl Observer for ProgressLog {
        fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
            self.0.push(progress);
            ControlFlow::Continue(())
        }
    }
    type Tool = fn(Input, &mut ProgressLog);
    let works: [Tool; 3] = [
        |input, log| {
            convert(input, Vec::new(), &ConvertOptions::new(WrittenContainer::Stream), log).unwrap();
        },
        |input, log| assert_eq!(count_rows(input, log).unwrap().n_rows, 2),
        |input, log| assert_eq!(summarize(input, &SummaryOptions::new(), log).unwrap().n_rows, 2),
    ];
    let text: &'static [u8] = b"n\n1\n2\n";
    for tool in works {
        let count = ByteCounter::with_total(Some(text.len() as u64));
        let counted = Box::new(io::BufReader::new(count.count(text)));
        let import = Import::open("text", counted, &ImportOptions::new(TextFormat::Csv(CsvOptions::new())));
        let mut log = ProgressLog(Vec::new());
        tool(import.unwrap().with_bytes_read(count).into_input(), &mut log);
        assert!(log.0.iter().all(|log| (log.unit, log.n_total) == (Unit::Bytes, Some(6))), "{:?}", log.0);
        assert_eq!(log.0.last().map(|log| log.n_done), Some(6));
    }
}
