//! What DataFusion's own tests check of Arrow files and streams: with the example files of its package `datafusion-datasource-arrow`,
//! and with its file of cases, if the package `datafusion-sqllogictest` is there.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use arrow_datafusion::{IpcFormat, IpcSource};
use arrow_ipc::{FileWriter, StreamWriter};
use arrow_rs_adapter::v59::FromArrowRs;
use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, Int64Array, RecordBatch as RsRecordBatch, StringArray},
        util::display::{ArrayFormatter, FormatOptions},
    },
    datasource::{
        file_format::FileFormat,
        listing::PartitionedFile,
        object_store::ObjectStoreUrl,
        physical_plan::{FileScanConfigBuilder, FileSource},
    },
    error::Result,
    object_store::{ObjectMeta, ObjectStore, ObjectStoreExt, chunked::ChunkedStore, memory::InMemory},
    prelude::SessionContext,
};
use futures_util::TryStreamExt;

/// The folder of a package of DataFusion beside those that were built; `None` if cargo has not fetched it.
fn package_dir(name: &str) -> Option<PathBuf> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--format-version", "1", "--manifest-path"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"))
        .output()
        .unwrap();
    let metadata = String::from_utf8(metadata.stdout).unwrap();
    let paths = metadata.split("\"manifest_path\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut folders = paths.filter_map(|path| Path::new(path).parent());
    let built = "datafusion-datasource-arrow-";
    let built = folders
        .find(|folder| folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(built)));
    let built = built.expect("the package of the format that this one replaces");
    let version = built.file_name()?.to_str()?.strip_prefix("datafusion-datasource-arrow-")?;
    let folder = built.with_file_name(format!("{name}-{version}"));
    folder.is_dir().then_some(folder)
}

fn example_dir() -> PathBuf {
    package_dir("datafusion-datasource-arrow").unwrap().join("tests/data")
}

/// A case of sqllogictest.
#[derive(Debug)]
struct Case {
    /// `statement ok`, `query error …`, `query IT rowsort` and so on.
    kind: String,
    sql: String,
    expected: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).filter(|line| !line.starts_with('#')).collect();
    let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
    let mut cases: Vec<Case> = Vec::new();
    for block in blocks {
        let is_begin = block[0].starts_with("statement") || block[0].starts_with("query");
        let lines: Vec<String> = block.iter().map(|line| line.to_string()).collect();
        match cases.last_mut() {
            // An empty line after the first line of a case.
            Some(last) if !is_begin => last.sql.push_str(&lines.join("\n")),
            _ => {
                let end = lines.iter().position(|line| line == "----").unwrap_or(lines.len());
                let expected = lines.iter().skip(end + 1).cloned().collect();
                cases.push(Case { kind: lines[0].clone(), sql: lines[1..end].join("\n"), expected });
            }
        }
    }
    cases
}

/// The rows of a query, with one space between values.
fn lines(batches: &[RsRecordBatch]) -> Result<Vec<String>> {
    let options = FormatOptions::default().with_null("NULL");
    let mut lines = Vec::new();
    for batch in batches {
        let columns = batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
        let columns = columns.collect::<std::result::Result<Vec<_>, _>>()?;
        for row in 0..batch.num_rows() {
            let values: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
            lines.extend(values.join(" ").lines().map(|line| line.trim_end().to_owned()));
        }
    }
    Ok(lines)
}

/// A line of a plan without the folders of its files and the name of the format.
fn without_paths(line: &str, folders: &[&str]) -> String {
    let mut line = line.to_owned();
    for folder in folders {
        line = line.replace(folder, "").replace(folder.trim_start_matches('/'), "");
    }
    match line.split_once("file_type=") {
        Some((before, _)) => before.to_owned(),
        None => line,
    }
}

async fn run(case: &Case, session: &SessionContext, folders: &[&str]) {
    let case_text = format!("{}\n{}", case.kind, case.sql);
    let found = async { session.sql(&case.sql).await?.collect().await }.await;
    let mut words = case.kind.split_whitespace();
    match (words.next(), words.next()) {
        (Some("statement"), Some("ok")) => {
            found.unwrap_or_else(|error| panic!("{case_text}: {error}"));
        }
        (_, Some("error")) => {
            let message = found.map(|_| ()).expect_err(&case_text).to_string();
            let words: Vec<&str> = words.collect();
            let expected = without_paths(&words.join(" "), folders);
            let is_of_a_file = expected.starts_with("DataFusion error: Arrow error");
            let expected = expected.strip_prefix("DataFusion error: ").unwrap_or(&expected);
            assert!(
                is_of_a_file || without_paths(&message, folders).contains(expected),
                "{case_text}: {message}"
            );
        }
        (Some("query"), _) => {
            let found = found.unwrap_or_else(|error| panic!("{case_text}: {error}"));
            let mut found = lines(&found).unwrap();
            let mut expected = case.expected.clone();
            if words.next() == Some("rowsort") {
                found.sort();
                expected.sort();
            }
            let [found, expected] = [found, expected]
                .map(|lines| lines.iter().map(|line| without_paths(line, folders)).collect::<Vec<_>>());
            assert_eq!(found, expected, "{case_text}");
        }
        _ => panic!("{case_text}: no case"),
    }
}

#[tokio::test]
async fn cases_of_files_and_streams() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (data, new) = (example_dir(), folder.path());
    let [data, new] = [&data, new].map(|folder| folder.to_str().unwrap());
    let text = include_str!("../cases/files.slt").replace("DATA", data).replace("NEW", new);
    let cases = cases(&text);
    assert!(cases.len() > 40);
    let session = SessionContext::new();
    arrow_datafusion::register(&session)?;
    for case in &cases {
        run(case, &session, &[data]).await;
    }
    Ok(())
}

/// The same values as in the folders that these cases read, which are in no package.
fn write_partitions(folder: &Path) {
    let batch = |ids: [i64; 2], words: [Option<&str>; 2], flags: [Option<bool>; 2]| {
        RsRecordBatch::try_from_iter_with_nullable([
            ("f0", Arc::new(Int64Array::from_iter_values(ids)) as ArrayRef, true),
            ("f1", Arc::new(StringArray::from_iter(words)), true),
            ("f2", Arc::new(BooleanArray::from_iter(flags)), true),
        ])
        .unwrap()
    };
    let of_parts = [
        ("part=123", batch([1, 2], [Some("foo"), Some("bar")], [Some(true), Some(false)])),
        ("part=456", batch([3, 4], [Some("baz"), None], [Some(true), None])),
    ];
    for (part, batch) in of_parts {
        let batch = arrow_data::RecordBatch::try_from_arrow_rs(&batch).unwrap();
        let batches = std::slice::from_ref(&batch);
        let file = FileWriter::write_to_vec(batch.schema(), batches).unwrap();
        let stream = StreamWriter::write_to_vec(batch.schema(), batches).unwrap();
        for (table, bytes) in [("partitioned_table_arrow", file), ("partitioned_table_arrow_stream", stream)]
        {
            let part = folder.join(table).join(part);
            fs::create_dir_all(&part).unwrap();
            fs::write(part.join("data.arrow"), bytes).unwrap();
        }
    }
}

#[tokio::test]
async fn cases_of_datafusion() -> Result<()> {
    let Some(package) = package_dir("datafusion-sqllogictest") else {
        eprintln!("SKIPPED: cases of DataFusion: cargo has not fetched the package datafusion-sqllogictest");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    write_partitions(folder.path());
    let data = example_dir();
    let [data, parts] = [&data, folder.path()].map(|folder| folder.to_str().unwrap());
    let text = fs::read_to_string(package.join("test_files/arrow_files.slt"))?;
    let text = text.replace("../datasource-arrow/tests/data", data).replace("../core/tests/data", parts);
    let folders = [
        data,
        parts,
        "WORKSPACE_ROOT/datafusion/datasource-arrow/tests/data",
        "WORKSPACE_ROOT/datafusion/core/tests/data",
    ];
    let cases = cases(&text);
    assert!(cases.len() > 40);
    let session = SessionContext::new();
    arrow_datafusion::register(&session)?;
    for case in &cases {
        run(case, &session, &folders).await;
    }
    Ok(())
}

/// A store with one object that answers in pieces, and an entry that does not know its length.
async fn in_pieces(bytes: Vec<u8>, piece_bytes: usize) -> Result<(Arc<dyn ObjectStore>, ObjectMeta)> {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let file = PartitionedFile::new("one.arrow", u64::MAX);
    store.put(&file.object_meta.location, bytes.into()).await?;
    Ok((Arc::new(ChunkedStore::new(store, piece_bytes)), file.object_meta))
}

#[tokio::test]
async fn columns_are_found_in_pieces_of_any_length() -> Result<()> {
    let session = SessionContext::new();
    for (name, n_cut) in [("example.arrow", 0), ("example_stream.arrow", 0), ("example_stream.arrow", 20)] {
        let mut bytes = fs::read(example_dir().join(name))?;
        bytes.truncate(bytes.len() - n_cut);
        for piece_bytes in [7, 3_000] {
            let (store, meta) = in_pieces(bytes.clone(), piece_bytes).await?;
            let found = IpcFormat::new().infer_schema(&session.state(), &store, &[meta]).await?;
            let found: Vec<String> = found
                .fields()
                .iter()
                .map(|field| format!("{}: {}", field.name(), field.data_type()))
                .collect();
            assert_eq!(found, ["f0: Int64", "f1: Utf8", "f2: Boolean"], "{name}");
        }
        bytes.truncate(20);
        let (store, meta) = in_pieces(bytes, 7).await?;
        assert!(IpcFormat::new().infer_schema(&session.state(), &store, &[meta]).await.is_err(), "{name}");
    }
    for other in [Vec::new(), vec![0x43, 0x4f, 0x52, 0x41]] {
        let (store, meta) = in_pieces(other, 7).await?;
        let found = IpcFormat::new().infer_schema(&session.state(), &store, &[meta]).await;
        assert!(found.unwrap_err().to_string().contains("one.arrow"));
    }
    Ok(())
}

#[tokio::test]
async fn files_and_streams_are_opened_with_and_without_ranges() -> Result<()> {
    let session = SessionContext::new();
    for name in ["example.arrow", "example_stream.arrow"] {
        let bytes = fs::read(example_dir().join(name))?;
        let n_bytes = bytes.len() as u64;
        let (store, meta) = in_pieces(bytes, 3_000).await?;
        let schema = IpcFormat::new().infer_schema(&session.state(), &store, &[meta]).await?;
        let whole = PartitionedFile::new("one.arrow", n_bytes);
        // A range in which all batches begin.
        let ranged = PartitionedFile::new_with_range("one.arrow".into(), n_bytes, 0, n_bytes as i64 - 1);
        for (file, columns) in [(whole, 0..3), (ranged, 0..1)] {
            let source: Arc<dyn FileSource> = Arc::new(IpcSource::new(Arc::clone(&schema)));
            let config = FileScanConfigBuilder::new(ObjectStoreUrl::local_filesystem(), source);
            let config = config.with_projection_indices(Some(columns.clone().collect()))?.build();
            let source = Arc::clone(config.file_source());
            let opener = source.create_file_opener(Arc::clone(&store), &config, 0)?;
            let batches: Vec<RsRecordBatch> = opener.open(file)?.await?.try_collect().await?;
            assert_eq!(batches.iter().map(RsRecordBatch::num_rows).sum::<usize>(), 4, "{name}");
            assert!(batches.iter().all(|batch| batch.num_columns() == columns.len()), "{name}");
        }
    }
    Ok(())
}
