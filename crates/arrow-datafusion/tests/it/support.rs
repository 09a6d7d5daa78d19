//! A store in memory that counts what is asked of it, and sessions that read from it.

use std::{
    fmt,
    sync::{Arc, Mutex},
};

use arrow_array::{Int64Array, Utf8Array};
use arrow_data::RecordBatch;
use arrow_datafusion::{IpcFormat, IpcOptions};
use arrow_ipc::{FileWriter, WriteOptions};
use arrow_ipc_statistics::StatisticsBuilder;
use async_trait::async_trait;
use datafusion::{
    arrow::{array::RecordBatch as RsRecordBatch, compute::concat_batches},
    datasource::{listing::ListingOptions, object_store::ObjectStoreUrl},
    error::Result,
    object_store::{
        CopyOptions, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
        ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result as StoreResult,
        memory::InMemory, path::Path,
    },
    physical_plan::{ExecutionPlan, ExecutionPlanProperties},
    prelude::{SessionConfig, SessionContext},
};
use futures_util::stream::BoxStream;

/// The URL of the store.
pub(crate) const URL: &str = "test://store/";

/// A store in memory. Each answer is counted, with its path and its number of bytes.
#[derive(Debug, Default)]
pub(crate) struct CountingStore {
    inner: InMemory,
    answers: Mutex<Vec<(String, u64)>>,
}

impl CountingStore {
    pub(crate) fn put(&self, path: &str, bytes: Vec<u8>) {
        // The store in memory never waits.
        let put = futures_util::FutureExt::now_or_never(self.inner.put(&Path::from(path), bytes.into()));
        put.unwrap().unwrap();
    }

    /// The answers since the last call.
    pub(crate) fn take(&self) -> Vec<(String, u64)> {
        std::mem::take(&mut self.answers.lock().unwrap())
    }
}

impl fmt::Display for CountingStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CountingStore")
    }
}

#[async_trait]
impl ObjectStore for CountingStore {
    async fn put_opts(
        &self,
        path: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> StoreResult<PutResult> {
        self.inner.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> StoreResult<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    async fn get_opts(&self, path: &Path, options: GetOptions) -> StoreResult<GetResult> {
        let is_head = options.head;
        let found = self.inner.get_opts(path, options).await?;
        let n_bytes = if is_head { 0 } else { found.range.end - found.range.start };
        self.answers.lock().unwrap().push((path.to_string(), n_bytes));
        Ok(found)
    }

    fn delete_stream(
        &self,
        paths: BoxStream<'static, StoreResult<Path>>,
    ) -> BoxStream<'static, StoreResult<Path>> {
        self.inner.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, StoreResult<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> StoreResult<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> StoreResult<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

/// A session with a store, in which files are split however small they are. Partitions keep the order of the files.
pub(crate) fn session(store: &Arc<CountingStore>, n_partitions: usize) -> SessionContext {
    let mut config = SessionConfig::new()
        .with_target_partitions(n_partitions)
        .with_repartition_file_min_size(1)
        .with_collect_statistics(true);
    config.options_mut().execution.enable_file_stream_work_stealing = false;
    let session = SessionContext::new_with_config(config);
    let store: Arc<dyn ObjectStore> = Arc::<CountingStore>::clone(store);
    session.register_object_store(ObjectStoreUrl::parse(URL).unwrap().as_ref(), store);
    session
}

/// Makes the files below a path the table `t`.
pub(crate) async fn register(session: &SessionContext, path: &str, options: IpcOptions) -> Result<()> {
    let files = ListingOptions::new(Arc::new(IpcFormat::new_with(options))).with_file_extension("");
    session.register_listing_table("t", format!("{URL}{path}"), files, None, None).await
}

/// The batches of a query that have rows, in the order of the partitions.
pub(crate) async fn batches(session: &SessionContext, sql: &str) -> Result<Vec<RsRecordBatch>> {
    let parts = session.sql(sql).await?.collect_partitioned().await?;
    Ok(parts.into_iter().flatten().filter(|batch| batch.num_rows() > 0).collect())
}

/// All rows of a query as one batch.
pub(crate) async fn rows(session: &SessionContext, sql: &str) -> Result<RsRecordBatch> {
    let schema = Arc::clone(session.sql(sql).await?.schema().inner());
    let batches = batches(session, sql).await?;
    let schema = batches.first().map_or(schema, RsRecordBatch::schema);
    Ok(concat_batches(&schema, &batches)?)
}

/// The only number of a query.
pub(crate) async fn number(session: &SessionContext, sql: &str) -> Result<i64> {
    use datafusion::arrow::{array::AsArray, datatypes::Int64Type};
    let found = rows(session, sql).await?;
    assert_eq!((found.num_rows(), found.num_columns()), (1, 1), "{sql}");
    Ok(found.column(0).as_primitive::<Int64Type>().value(0))
}

/// The number of partitions of the scan in a plan.
pub(crate) fn n_scan_partitions(plan: &Arc<dyn ExecutionPlan>) -> usize {
    match plan.children().first() {
        Some(child) => n_scan_partitions(child),
        None => plan.output_partitioning().partition_count(),
    }
}

/// A batch of ascending ids, their names, and a number that is the same in all rows of a batch.
pub(crate) fn batch(first_id: i64, n_rows: i64) -> RecordBatch {
    let ids = first_id..first_id + n_rows;
    let names = Utf8Array::try_from_iter(ids.clone().map(|id| format!("name {id:08}"))).unwrap();
    let same = Int64Array::from_iter(ids.clone().map(|_| first_id));
    let ids = Int64Array::from_iter(ids);
    RecordBatch::try_from_columns([
        ("id", ids.into_data()),
        ("name", names.into_data()),
        ("first", same.into_data()),
    ])
    .unwrap()
}

/// A file with row counts and statistics.
pub(crate) fn file(batches: &[RecordBatch], options: WriteOptions) -> Vec<u8> {
    let mut writer = FileWriter::try_new_with(Vec::new(), batches[0].schema(), options).unwrap();
    let mut statistics = StatisticsBuilder::new(batches[0].schema());
    for batch in batches {
        writer.write(batch).unwrap();
        statistics.add(batch).unwrap();
    }
    statistics.put_into(&mut writer).unwrap();
    writer.finish().unwrap()
}
