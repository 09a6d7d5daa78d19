//! Runs a query on a folder of Arrow files, which is the table `t`: `arrow-ipc-datafusion FOLDER SQL [--trust-statistics]`. The
//! result is written as an Arrow stream; standard error has the number of bytes that were read, if the system counts them.

use std::{error::Error, fs, io, sync::Arc};

use arrow_datafusion::{IpcFormat, IpcOptions};
use arrow_ipc::FetchCost;
use datafusion::{
    arrow::ipc::writer::StreamWriter, datasource::listing::ListingOptions, prelude::SessionContext,
};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    // The default for local files joins ranges up to 50 kB apart. The tests count bytes, so ranges are joined within 4 kB.
    let options = IpcOptions::new().with_fetch_cost(FetchCost::DISK);
    let (folder, sql, options) = match &args[..] {
        [folder, sql] => (folder, sql, options),
        [folder, sql, flag] if flag == "--trust-statistics" => {
            (folder, sql, options.with_trusted_statistics())
        }
        _ => return Err("usage: arrow-ipc-datafusion FOLDER SQL [--trust-statistics]".into()),
    };
    let before = n_read();
    let files = ListingOptions::new(Arc::new(IpcFormat::new_with(options)));
    let answer = tokio::runtime::Runtime::new()?.block_on(async {
        let session = SessionContext::new();
        let state = session.state();
        let url = datafusion::datasource::listing::ListingTableUrl::parse(format!("{folder}/"))?;
        let partition = files.infer_partitions(&state, &url).await?;
        let partition =
            partition.into_iter().map(|name| (name, datafusion::arrow::datatypes::DataType::Utf8));
        let files = files.with_table_partition_cols(partition.collect());
        session.register_listing_table("t", url, files, None, None).await?;
        let answer = session.sql(sql).await?;
        let schema = Arc::clone(answer.schema().inner());
        answer.collect().await.map(|batches| (schema, batches))
    });
    let (schema, batches) = answer?;
    let mut stream = StreamWriter::try_new(io::stdout(), &schema)?;
    batches.iter().try_for_each(|batch| stream.write(batch))?;
    stream.finish()?;
    if let (Some(before), Some(after)) = (before, n_read()) {
        eprintln!("{} bytes were read", after - before);
    }
    Ok(())
}

/// The number of bytes that this process has read; `None` if the system does not count them.
fn n_read() -> Option<u64> {
    fs::read_to_string("/proc/self/io").ok()?.split_whitespace().nth(1)?.parse().ok()
}
