//! Rows of text become rows of a file. Rows of every type are written as text and read again. Endless lines take
//! bounded memory.

use std::io::{BufReader, Read};

use arrow_data::RecordBatch;
use arrow_ipc::{Compression, FileReader, WriteOptions, WrittenContainer};
use arrow_ipc_tools::{
    ConvertOptions, Import, ImportOptions, Observer, Progress, ToolErrorKind, convert, import::TextFormat,
};
use arrow_schema::Schema;
use arrow_text::{CsvOptions, CsvWriter, JsonWriter};
use testing_support::{CountingAllocator, Generator, schema_of_all_types};

fn imported(text: &str, options: &ImportOptions) -> Vec<RecordBatch> {
    let text = Box::new(std::io::Cursor::new(text.to_owned()));
    let import = Import::open("text", text, options).unwrap();
    let writing = WriteOptions::new().with_compression(Some(Compression::lz4()));
    let options = ConvertOptions { writing: Some(writing), ..ConvertOptions::new(WrittenContainer::Stream) };
    let (stream, _) = convert(import.into_input(), Vec::new(), &options, &mut ()).unwrap();
    arrow_ipc::StreamReader::try_new(&*stream).unwrap().map(Result::unwrap).collect()
}

fn json_of(batches: &[RecordBatch]) -> String {
    let (mut json, mut writer) = (Vec::new(), JsonWriter::new());
    for batch in batches {
        writer.rows(batch).unwrap().write_to(&mut json).unwrap();
    }
    String::from_utf8(json).unwrap()
}

fn csv_of(batches: &[RecordBatch]) -> String {
    let (mut csv, mut writer) = (Vec::new(), CsvWriter::new());
    for batch in batches {
        writer.rows(batch).unwrap().write_to(&mut csv).unwrap();
    }
    String::from_utf8(csv).unwrap()
}

/// Rows of every type are equal after writing and reading text. Only the first text loses the bits of NaN.
#[test]
fn what_was_written_as_text_comes_back() {
    let schema = schema_of_all_types();
    let batches = Generator::new(12).batches(&schema, &[40, 3]);
    let json = json_of(&batches);
    let found = imported(
        &json,
        &ImportOptions { schema: Some(schema.clone()), ..ImportOptions::new(TextFormat::JsonLines) },
    );
    assert_eq!(found[0].schema().fields(), schema.fields());
    assert!(json_of(&found) == json, "rows differ");

    let csv = csv_of(&batches);
    let found = imported(
        &csv,
        &ImportOptions { schema: Some(schema), ..ImportOptions::new(TextFormat::Csv(CsvOptions::new())) },
    );
    assert!(csv_of(&found) == csv, "rows differ");
}

#[test]
fn first_rows_are_read_once_more() {
    for n_rows in [1, 2, 1000, 70_000] {
        let text: String =
            std::iter::once("n\n".to_owned()).chain((0..70_000).map(|n| format!("{n}\n"))).collect();
        let options = ImportOptions {
            infer_rows: n_rows.into(),
            ..ImportOptions::new(TextFormat::Csv(CsvOptions::new()))
        };
        let found = imported(&text, &options);
        assert_eq!(found.len(), 2);
        assert_eq!(found.iter().map(RecordBatch::n_rows).sum::<usize>(), 70_000);
    }
}

/// 1 GB on one line of CSV and JSON, with and without a schema.
#[test]
fn endless_lines_are_refused_in_bounded_memory() {
    let schema: Schema = "a: utf8".parse().unwrap();
    for format in [TextFormat::Csv(CsvOptions::new()), TextFormat::JsonLines] {
        for schema in [None, Some(schema.clone())] {
            let begin = if format == TextFormat::JsonLines { "{\"a\":\"" } else { "a\n\"" };
            let text = begin.as_bytes().chain(std::io::repeat(b'x').take(1 << 30));
            let options = ImportOptions::new(format);
            let options = ImportOptions { schema, ..options };
            let (error, usage) = CountingAllocator.measure(|| {
                let import = Import::open("text", Box::new(BufReader::new(text)), &options);
                let written = import.and_then(|import| {
                    convert(
                        import.into_input(),
                        Vec::new(),
                        &ConvertOptions::new(WrittenContainer::File),
                        &mut (),
                    )
                });
                written.unwrap_err()
            });
            assert!(matches!(error.kind(), ToolErrorKind::Row(_)), "{error}");
            assert!(error.to_string().contains("more than 16777216 bytes"), "{error}");
            assert!(usage.peak_bytes < 128 << 20, "{}", usage.peak_bytes);
        }
    }
}

/// Members of nested objects and of all rows are counted together. A member with a known name is not counted again.
#[test]
fn too_many_members_are_refused() {
    let members = |value: &str, n: u32| {
        let members: Vec<String> = (0..n).map(|name| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let half = members(&members("1", 1024), 520);
    let same = members("1", 64);
    let same = [&*same; 8192].join(",");
    let text = format!("{{\"a\":{half}}}\n{{\"b\":[{same}]}}\n{{\"c\":[{half}]}}\n");
    let options = ImportOptions::new(TextFormat::JsonLines);
    let error = Import::open("text", Box::new(std::io::Cursor::new(text)), &options).unwrap_err().to_string();
    let expected = "the rows have more than 1048576 different members, counting those of inner objects; this is the limit for inferring a schema";
    assert!(error.contains("line 3, ") && error.ends_with(expected), "{error}");
}

#[test]
fn the_work_can_be_stopped() {
    struct Impatient;
    impl Observer for Impatient {
        fn progress(&mut self, progress: Progress) -> std::ops::ControlFlow<()> {
            if progress.n_done < 2 {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        }
    }
    let text = [&b"n\n"[..], &b"1\n".repeat(1 << 20)].concat();
    let options = ImportOptions::new(TextFormat::Csv(CsvOptions::new()));
    let import = Import::open("text", Box::new(std::io::Cursor::new(text)), &options).unwrap();
    let options = ConvertOptions::new(WrittenContainer::File);
    let error = convert(import.into_input(), Vec::new(), &options, &mut Impatient).unwrap_err();
    assert!(matches!(error.kind(), ToolErrorKind::Stopped), "{error}");
}

#[test]
fn text_without_rows_is_a_file_without_rows() {
    let csv = ImportOptions::new(TextFormat::Csv(CsvOptions::new()));
    let import = Import::open("text", Box::new(&b"a,b\n"[..]), &csv).unwrap();
    let options = ConvertOptions::new(WrittenContainer::File);
    let (file, _) = convert(import.into_input(), Vec::new(), &options, &mut ()).unwrap();
    let reader = FileReader::try_from_buffer(file.into()).unwrap();
    assert_eq!((reader.schema().to_string(), reader.n_batches()), ("a: utf8\nb: utf8".to_owned(), 0));
}

/// Text that is no JSON has an error of its own, with the name of the input: it is not an error of reading the bytes.
#[test]
fn malformed_text_differs_from_bytes_that_cannot_be_read() {
    let cases = [
        (
            r#"[{"a":1} {"a":2}]"#,
            "text: malformed JSON: expected a comma or the end of the array of rows, at byte 9",
        ),
        (r#"[{"a":1}"#, "text: the array of rows has no end, at byte 8"),
    ];
    for (text, expected) in cases {
        for n_threads in [1, 4] {
            let source = Box::new(std::io::Cursor::new(text));
            let import = Import::open("text", source, &ImportOptions::new(TextFormat::Json));
            let batches =
                import.map(|import| import.with_n_threads(n_threads.try_into().unwrap()).into_batches());
            let error = match batches {
                Ok(batches) => batches.filter_map(Result::err).next().unwrap(),
                Err(error) => error,
            };
            assert!(matches!(error.kind(), ToolErrorKind::Text(_)), "{error:?}");
            assert_eq!(error.to_string(), expected);
        }
    }
}
