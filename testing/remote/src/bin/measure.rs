//! Measures the cost of reading remote files: bytes, requests and time. A server of ranges on loopback delays each answer
//! by 30 ms.
//!
//! `cargo run --release --manifest-path testing/remote/Cargo.toml --bin measure [PYTHON]` prints a table. The first run
//! writes the files, 3.4 GB, to `testing/remote/target/measured`. With the path of a Python that has pyarrow, polars,
//! fsspec and aiohttp, the table includes these libraries, and DataFusion if it is installed.
#![forbid(unsafe_code)]

use std::{
    error::Error,
    fs::File,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use arrow_ipc::{FileReader, Projection, RowCounts, WriteOptions, file::StreamIndex};
use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::{BlockingObject, ObjectSource};
use remote::{RangeServer, block_on, store, write_once};

const DELAY: Duration = Duration::from_millis(30);

/// Files of 100 columns of 64-bit integers: the name, the number of batches, the rows of each batch, and the row counts
/// in the footer. `arrows` is the ending of streams.
const FILES: [(&str, usize, usize, RowCounts); 5] = [
    ("large.arrow", 16, 65_536, RowCounts::NotWritten),
    ("small.arrow", 1_000, 1_049, RowCounts::NotWritten),
    ("small-counted.arrow", 1_000, 1_049, RowCounts::Written),
    ("huge.arrow", 1, 400_000, RowCounts::NotWritten),
    ("small.arrows", 1_000, 1_049, RowCounts::NotWritten),
];

/// The cases: a file, and what is read. `measure_peers.py` has the same names.
const CASES: [(&str, &str); 13] = [
    ("open", "large.arrow"),
    ("count", "large.arrow"),
    ("count", "small.arrow"),
    ("count", "small-counted.arrow"),
    ("columns", "large.arrow"),
    ("columns", "small.arrow"),
    ("all", "small.arrow"),
    ("first-rows", "huge.arrow"),
    ("one-batch", "small.arrow"),
    ("open", "small.arrows"),
    ("open-indexed", "small.arrows"),
    ("one-batch-indexed", "small.arrows"),
    ("count", "small.arrows"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let python = std::env::args().nth(1);
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = package.join("target/measured");
    let server = RangeServer::start(DELAY);
    for (name, n_batches, n_rows, row_counts) in FILES {
        let path = folder.join(name);
        write_once(&path, (n_batches, n_rows), &WriteOptions::new().with_row_counts(row_counts))?;
        server.put_tagged(name, File::open(&path)?, "1");
        // As S3 has it, for DataFusion.
        server.put_tagged(&format!("bucket/{name}"), File::open(&path)?, "1");
    }
    println!("| read | file | reader | MB | requests | most at once | ms |\n|---|---|---|---|---|---|---|");
    for (case, file) in CASES {
        measure(&server, [case, file, "ours"], || {
            let source = ObjectSource::new(store(&server.url()), file.into());
            match case.strip_suffix("-indexed") {
                Some(case) => read_indexed(case, source, &FileReader::open(folder.join(file))?.index()?),
                None => block_on(read(case, source)),
            }
        })?;
        // None of the libraries has a short way to read a stream at a URL.
        let peers: &[&str] =
            if file.ends_with(".arrows") { &[] } else { &["pyarrow", "polars", "datafusion"] };
        for (program, peer) in
            python.iter().flat_map(|program| peers.iter().map(move |peer| (program, *peer)))
        {
            measure(&server, [case, file, peer], || {
                let url = format!("{}/{file}", server.url());
                run_peer(program, &package.join("measure_peers.py"), [peer, case, &url])
            })?;
        }
    }
    Ok(())
}

/// Prints a row of the table. The reader returns its time without the time for starting.
fn measure(
    server: &RangeServer,
    [case, file, reader]: [&str; 3],
    read: impl FnOnce() -> Result<Option<Duration>, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    server.reset();
    let Some(time) = read()? else { return Ok(()) };
    let counts = server.counts();
    let (mega_bytes, n_requests, at_once) =
        (counts.n_bytes as f64 / 1e6, counts.n_requests, counts.max_in_flight);
    println!(
        "| {case} | {file} | {reader} | {mega_bytes:.3} | {n_requests} | {at_once} | {} |",
        time.as_millis()
    );
    Ok(())
}

async fn read(case: &str, source: ObjectSource) -> Result<Option<Duration>, Box<dyn Error>> {
    let start = Instant::now();
    let file = AsyncFileReader::try_new(source).await?;
    match case {
        "open" => assert_eq!(file.schema().fields().len(), 100),
        "count" => {
            let n_rows = file.n_rows().await?;
            assert!([16 * 65_536, 1_049_000].contains(&n_rows), "{n_rows} rows");
        }
        "columns" | "all" => {
            let file = match case {
                "all" => file,
                _ => file.project(&Projection::names(["c7", "c50", "c93"]))?,
            };
            let (mut batches, mut n_rows) = (file.batches(), 0);
            while let Some(batch) = batches.next_batch().await? {
                n_rows += batch.n_rows();
            }
            assert!(n_rows > 1_000_000, "{n_rows} rows");
        }
        "first-rows" => assert_eq!(file.batch_rows(0, 0..10).await?.n_rows(), 10),
        "one-batch" => assert_eq!(file.batch(500).await?.n_rows(), 1_049),
        other => return Err(format!("no case is called {other}").into()),
    }
    Ok(Some(start.elapsed()))
}

/// Reads a stream of which the index was kept.
fn read_indexed(
    case: &str,
    source: ObjectSource,
    index: &StreamIndex,
) -> Result<Option<Duration>, Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let start = Instant::now();
    let object = BlockingObject::open(source, runtime.handle().clone())?;
    let file = FileReader::try_new_indexed(object, index)?;
    match case {
        "open" => assert_eq!(file.n_batches(), 1_000),
        "one-batch" => assert_eq!(file.batch(700)?.n_rows(), 1_049),
        other => return Err(format!("no case is called {other}-indexed").into()),
    }
    Ok(Some(start.elapsed()))
}

/// Runs a Python library. The result is the seconds that it prints; `None` if it does not support the case.
fn run_peer(
    program: &str,
    script: &Path,
    [peer, case, url]: [&str; 3],
) -> Result<Option<Duration>, Box<dyn Error>> {
    let output = Command::new(program).arg(script).args([peer, case, url]).output()?;
    if !output.status.success() {
        return Err(format!("{peer}, {case}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let text = String::from_utf8(output.stdout)?;
    match text.trim() {
        "None" => Ok(None),
        seconds => Ok(Some(Duration::from_secs_f64(seconds.parse()?))),
    }
}
