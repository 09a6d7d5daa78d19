//! Runs a query on a data set, which is the table `t`: `arrow-ipc-datafusion FOLDER SQL [--trust-statistics]`. The result
//! is written as an Arrow stream; standard error has the number of bytes that were read, if the system counts them.

use std::{error::Error, fs, io, sync::Arc};

use arrow_datafusion::DatasetTable;
use arrow_ipc_dataset::{Dataset, DatasetOptions};
use datafusion::{arrow::ipc::writer::StreamWriter, prelude::SessionContext};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, sql, options) = match &args[..] {
        [folder, sql] => (folder, sql, DatasetOptions::new()),
        [folder, sql, flag] if flag == "--trust-statistics" => {
            (folder, sql, DatasetOptions::new().with_trusted_statistics())
        }
        _ => return Err("usage: arrow-ipc-datafusion FOLDER SQL [--trust-statistics]".into()),
    };
    let before = n_read();
    let table = DatasetTable::try_new(Dataset::open_with([folder], options)?)?;
    let answer = tokio::runtime::Runtime::new()?.block_on(async {
        let session = SessionContext::new();
        session.register_table("t", Arc::new(table))?;
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
