//! Remote files for tests, and their object stores.

use std::{
    error::Error,
    fs::{self, File},
    io::{BufWriter, Write},
    path::Path,
    sync::Arc,
    time::Duration,
};

use arrow_array::{Int64Array, Utf8Array};
use arrow_buffer::Buffer;
use arrow_data::RecordBatch;
use arrow_ipc::{FileWriter, StreamWriter, WriteOptions};
use object_store_0_14::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig, http::HttpBuilder};

/// A batch of 100 columns of numbers, `c0` to `c99`.
pub fn wide(n_rows: usize, batch_idx: usize) -> RecordBatch {
    let column = |column_idx: usize| {
        let values = (0..n_rows).map(|row| ((batch_idx * n_rows + row) * 100 + column_idx) as i64);
        (format!("c{column_idx}"), Int64Array::from_iter(values).into())
    };
    RecordBatch::try_from_columns((0..100).map(column)).expect("columns of one length")
}

/// Writes a file of the batches of [`wide`].
///
/// # Panics
/// If the file cannot be written.
pub fn write_wide<W: Write>(sink: W, n_batches: usize, n_rows: usize) -> W {
    let schema = wide(0, 0);
    let mut writer = FileWriter::try_new(sink, schema.schema()).expect("a schema");
    (0..n_batches).for_each(|batch_idx| writer.write(&wide(n_rows, batch_idx)).expect("a batch"));
    writer.finish().expect("a footer")
}

/// Writes a stream of the batches of [`wide`].
///
/// # Panics
/// If the stream cannot be written.
pub fn wide_stream(n_batches: usize, n_rows: usize) -> Buffer {
    let batches: Vec<RecordBatch> = (0..n_batches).map(|batch_idx| wide(n_rows, batch_idx)).collect();
    StreamWriter::write_to_buffer(wide(0, 0).schema(), &batches).expect("a stream")
}

/// Writes a file of batches as in [`wide`], all with the same numbers, unless the file exists. If its name ends in
/// `.arrows`, it is a stream.
///
/// # Errors
/// If the file cannot be written.
pub fn write_once(
    path: &Path,
    (n_batches, n_rows): (usize, usize),
    options: &WriteOptions,
) -> Result<(), Box<dyn Error>> {
    if path.exists() {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    let unfinished = path.with_extension("unfinished");
    // Writing takes less time than making numbers.
    let batch = wide(n_rows, 0);
    let sink = BufWriter::new(File::create(&unfinished)?);
    if path.extension().is_some_and(|extension| extension == "arrows") {
        let mut writer = StreamWriter::try_new_with(sink, batch.schema(), options.clone())?;
        (0..n_batches).try_for_each(|_| writer.write(&batch))?;
        writer.finish()?;
    } else {
        let mut writer = FileWriter::try_new_with(sink, batch.schema(), options.clone())?;
        (0..n_batches).try_for_each(|_| writer.write(&batch))?;
        writer.finish()?;
    }
    Ok(fs::rename(unfinished, path)?)
}

/// A small file of numbers and names, with several batches.
pub fn people(n_batches: usize, n_rows: usize) -> (Vec<RecordBatch>, Buffer) {
    let batch = |batch_idx: usize| {
        let rows = batch_idx * n_rows..(batch_idx + 1) * n_rows;
        let ids = Int64Array::from_iter(rows.clone().map(|row| row as i64));
        let names =
            Utf8Array::try_from_iter(rows.map(|row| Some(format!("name {row}")))).expect("short names");
        RecordBatch::try_from_columns([("id", ids.into()), ("name", names.into())]).expect("equal lengths")
    };
    let batches: Vec<RecordBatch> = (0..n_batches).map(batch).collect();
    let mut writer = FileWriter::try_new(Vec::new(), batches[0].schema()).expect("a schema");
    batches.iter().for_each(|batch| writer.write(batch).expect("a batch"));
    (batches, writer.finish().expect("a footer").into())
}

/// Runs a future, with timers and sockets.
///
/// # Panics
/// If the runtime cannot be created.
pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// The object store for the URL of a server. A request that fails is repeated up to three times, without a pause.
///
/// # Panics
/// If the URL is invalid.
pub fn store(url: &str) -> Arc<dyn ObjectStore> {
    install_tls();
    let options = ClientOptions::new().with_allow_http(true);
    let store = HttpBuilder::new().with_url(url).with_client_options(options).with_retry(retry()).build();
    Arc::new(store.expect("a store"))
}

/// Up to three repetitions, without a pause.
pub fn retry() -> RetryConfig {
    let moment = Duration::from_millis(1);
    let backoff = BackoffConfig { init_backoff: moment, max_backoff: moment, base: 2.0 };
    RetryConfig { backoff, max_retries: 3, retry_timeout: Duration::from_secs(20) }
}

/// Installs the TLS provider. This must be done before a store is made.
pub fn install_tls() {
    // It is an error that another test was faster.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
