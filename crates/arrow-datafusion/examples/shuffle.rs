//! A shuffle file: one Arrow file with the batches of all consumers, one consumer after the other. Its footer is the index.
//! Each consumer fetches the footer and then only its own range, by any store that answers ranges.
//!
//! `cargo run --example shuffle`
use std::{collections::BTreeMap, ops::Range, sync::Arc};

use arrow_array::Int64Array;
use arrow_data::RecordBatch;
use arrow_datafusion::IpcSource;
use arrow_ipc::{FileWriter, WriteOptions};
use arrow_ipc_async::AsyncFileReader;
use arrow_ipc_object_store::v0_13::ObjectSource;
use arrow_rs_adapter::v59::ToArrowRs;
use arrow_schema::Metadata;
use datafusion::{
    datasource::{
        listing::PartitionedFile,
        object_store::ObjectStoreUrl,
        physical_plan::{FileGroup, FileScanConfigBuilder},
        source::DataSourceExec,
    },
    object_store::{ObjectStore, ObjectStoreExt, memory::InMemory, path::Path},
    physical_plan::{ExecutionPlan, collect},
    prelude::SessionContext,
};

/// The key of the footer's metadata with the number of batches of each consumer, separated by commas.
const BATCHES_OF_CONSUMERS: &str = "shuffle.batches";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
    let path = Path::from("stage-1/task-0.arrow");
    tokio::runtime::Runtime::new()?.block_on(async {
        store.put(&path, shuffled(3)?.into()).await?;
        for consumer in 0..3 {
            let rows = consume(&store, &path, consumer).await?;
            println!("consumer {consumer}: {rows} rows");
        }
        Ok(())
    })
}

/// Writes rows for each consumer. A producer buffers the batches of a consumer, or copies the files of its own spills.
fn shuffled(n_consumers: usize) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut of_consumers: BTreeMap<usize, Vec<RecordBatch>> = BTreeMap::new();
    for batch_idx in 0..10_i64 {
        for consumer in 0..n_consumers {
            let ids = (batch_idx * 1_000..(batch_idx + 1) * 1_000)
                .filter(|id| id % n_consumers as i64 == consumer as i64);
            let batch = RecordBatch::try_from_columns([("id", Int64Array::from_iter(ids).into_data())])?;
            of_consumers.entry(consumer).or_default().push(batch);
        }
    }
    let counts: Vec<String> = of_consumers.values().map(|batches| batches.len().to_string()).collect();
    let metadata = Metadata::from_iter([(BATCHES_OF_CONSUMERS, counts.join(","))]);
    let options = WriteOptions::new().with_footer_metadata(metadata);
    let schema = Arc::clone(of_consumers[&0][0].schema());
    let mut writer = FileWriter::try_new_with(Vec::new(), schema, options)?;
    for batch in of_consumers.values().flatten() {
        writer.write(batch)?;
    }
    Ok(writer.finish()?)
}

/// The bytes of the batches of a consumer, by the footer.
fn range_of(footer: &arrow_ipc::file::Footer, consumer: usize) -> Option<Range<u64>> {
    let counts = footer.metadata().get(BATCHES_OF_CONSUMERS)?;
    let counts: Vec<usize> = counts.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let first: usize = counts.iter().take(consumer).sum();
    let last = first.checked_add(*counts.get(consumer)?)?.checked_sub(1)?;
    let [first, last] = [footer.batch(first)?, footer.batch(last)?];
    Some(first.position()..last.position() + last.n_bytes())
}

/// Reads the rows of a consumer by a plan of DataFusion.
async fn consume(
    store: &Arc<dyn ObjectStore>,
    path: &Path,
    consumer: usize,
) -> Result<usize, Box<dyn std::error::Error>> {
    // Usually the producer tells each consumer its range.
    let file = AsyncFileReader::try_new(ObjectSource::new(Arc::clone(store), path.clone())).await?;
    let range = range_of(file.footer(), consumer).ok_or("no such consumer")?;
    let meta = store.head(path).await?;
    let part = PartitionedFile::new_from_meta(meta).with_range(range.start as i64, range.end as i64);

    let session = SessionContext::new();
    let url = ObjectStoreUrl::parse("shuffle://stage")?;
    session.register_object_store(url.as_ref(), Arc::clone(store));
    let source = IpcSource::new(file.ipc_schema().schema().to_arrow_rs()?);
    let config =
        FileScanConfigBuilder::new(url, Arc::new(source)).with_file_group(FileGroup::new(vec![part])).build();
    let plan: Arc<dyn ExecutionPlan> = DataSourceExec::from_data_source(config);
    let batches = collect(plan, session.task_ctx()).await?;
    Ok(batches.iter().map(|batch| batch.num_rows()).sum())
}
