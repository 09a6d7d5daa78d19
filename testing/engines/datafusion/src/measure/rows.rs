//! The rows: sales by time, in 20 Arrow files with row counts and statistics, and in 20 Parquet files as DataFusion writes them.

use std::{
    fs::{self, File},
    path::Path,
    sync::Arc,
};

use arrow_data::RecordBatch;
use arrow_datafusion::IpcFormat;
use arrow_ipc::{FileWriter, RowCounts, WriteOptions};
use arrow_ipc_statistics::StatisticsBuilder;
use arrow_rs_adapter::v59::FromArrowRs;
use datafusion::{
    arrow::{
        array::{
            ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int16Array, Int32Array, Int64Array,
            RecordBatch as RsRecordBatch, StringArray, TimestampMicrosecondArray,
        },
        datatypes::Int32Type,
    },
    datasource::listing::ListingOptions,
    prelude::{SessionConfig, SessionContext},
};

use crate::Failure;

const N_FILES: u64 = 20;
const N_BATCHES: u64 = 10;

/// Writes the files, unless they are there.
pub(crate) async fn write(folder: &Path, n_millions: u64) -> Result<(), Failure> {
    let [arrow, parquet] = ["arrow", "parquet"].map(|name| folder.join(name));
    if parquet.join("19.parquet").exists() {
        return Ok(());
    }
    fs::create_dir_all(&arrow)?;
    fs::create_dir_all(&parquet)?;
    let n_rows = n_millions * 1_000_000 / N_FILES / N_BATCHES;
    let regions: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..50).map(|idx| format!("region {idx:02}"))));
    let session = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(1));
    for file_idx in 0..N_FILES {
        let path = arrow.join(format!("{file_idx:02}.arrow"));
        let batch_of = |batch_idx: u64| -> Result<RecordBatch, Failure> {
            let first = (file_idx * N_BATCHES + batch_idx) * n_rows;
            let micros_of_a_row = 100 * 86_400_000_000 / (n_millions * 1_000_000);
            Ok(RecordBatch::try_from_arrow_rs(&batch(first..first + n_rows, micros_of_a_row, &regions)?)?)
        };
        let schema = Arc::clone(batch_of(0)?.schema());
        let options = WriteOptions::new().with_row_counts(RowCounts::Written);
        let mut writer = FileWriter::try_new_with(File::create(&path)?, Arc::clone(&schema), options)?;
        let mut statistics = StatisticsBuilder::new(&schema);
        for batch_idx in 0..N_BATCHES {
            let batch = batch_of(batch_idx)?;
            writer.write(&batch)?;
            statistics.add(&batch)?;
        }
        statistics.put_into(&mut writer)?;
        writer.finish()?;
        let files = ListingOptions::new(Arc::new(IpcFormat::new()));
        session.register_listing_table("one", path.to_string_lossy(), files, None, None).await?;
        let to = parquet.join(format!("{file_idx:02}.parquet"));
        let copy = format!("COPY one TO '{}' STORED AS PARQUET", to.display());
        session.sql(&copy).await?.collect().await?;
        session.deregister_table("one")?;
    }
    Ok(())
}

/// Rows by their numbers: the same in each run.
fn batch(
    ids: std::ops::Range<u64>,
    micros_of_a_row: u64,
    regions: &ArrayRef,
) -> Result<RsRecordBatch, Failure> {
    const BEGIN: u64 = 1_704_067_200_000_000;
    let random = |salt: u64| ids.clone().map(move |id| mixed(id.wrapping_mul(31).wrapping_add(salt)));
    let at = ids.clone().map(|id| (BEGIN + id * micros_of_a_row) as i64);
    let region = Int32Array::from_iter_values(random(1).map(|bits| (bits % 50) as i32));
    let product = random(2).map(|bits| format!("product {:04}", bits % 5_000));
    let note = random(3).map(|bits| {
        let is_there = bits % 10 < 3;
        is_there.then(|| {
            format!(
                "{} by {:08x}",
                ["late", "damaged", "gift", "called", "paid twice"][(bits >> 8) as usize % 5],
                bits >> 32
            )
        })
    });
    Ok(RsRecordBatch::try_from_iter_with_nullable([
        ("id", Arc::new(Int64Array::from_iter_values(ids.clone().map(|id| id as i64))) as ArrayRef, false),
        ("at", Arc::new(TimestampMicrosecondArray::from_iter_values(at)), false),
        (
            "customer",
            Arc::new(Int32Array::from_iter_values(random(4).map(|bits| (bits % 200_000) as i32))),
            false,
        ),
        ("region", Arc::new(DictionaryArray::<Int32Type>::try_new(region, Arc::clone(regions))?), false),
        ("product", Arc::new(StringArray::from_iter_values(product)), false),
        (
            "quantity",
            Arc::new(Int16Array::from_iter_values(random(5).map(|bits| (bits % 20 + 1) as i16))),
            false,
        ),
        (
            "cents",
            Arc::new(Int64Array::from_iter_values(random(6).map(|bits| (bits % 100_000) as i64))),
            false,
        ),
        ("note", Arc::new(StringArray::from_iter(note)), true),
        ("paid", Arc::new(BooleanArray::from_iter(random(7).map(|bits| Some(bits % 4 > 0)))), false),
        (
            "score",
            Arc::new(Float64Array::from_iter_values(random(8).map(|bits| bits as f64 / u64::MAX as f64))),
            false,
        ),
    ])?)
}

/// The bits of a number, well mixed.
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
