//! Queries that spill, and what DataFusion spills: streams, which are read as files.

use std::{fs, sync::Arc};

use arrow_datafusion::IpcOptions;
use arrow_ipc::WriteOptions;
use datafusion::{
    arrow::{
        array::RecordBatch as RsRecordBatch,
        compute::{concat_batches, sort_to_indices, take_record_batch},
    },
    error::Result,
    execution::runtime_env::RuntimeEnvBuilder,
    physical_plan::{
        ExecutionPlan, SpillManager, collect, displayable,
        metrics::{ExecutionPlanMetricsSet, SpillMetrics},
    },
    prelude::{SessionConfig, SessionContext},
};

use crate::support::{CountingStore, batch, file, number, register, rows, session};

fn big_file() -> Vec<u8> {
    let batches: Vec<_> = (0..40).rev().map(|idx| batch(idx * 5_000, 5_000)).collect();
    file(&batches, WriteOptions::new())
}

/// Sorting and grouping, by this format and by DataFusion's own, with a memory limit and without.
#[tokio::test]
async fn a_query_that_spills_gives_the_same() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("one.arrow");
    fs::write(&path, big_file())?;
    let create = format!("CREATE EXTERNAL TABLE t STORED AS ARROW LOCATION '{}'", path.display());
    for (sql, limit) in [
        ("SELECT id, name, first FROM t ORDER BY name", 4 << 20),
        ("SELECT name, count(*), max(id), min(first) FROM t GROUP BY name", 8 << 20),
    ] {
        let mut found: Vec<RsRecordBatch> = Vec::new();
        for (limit, is_ours) in [(None, true), (Some(limit), true), (Some(limit), false)] {
            let mut runtime = RuntimeEnvBuilder::new();
            if let Some(limit) = limit {
                runtime = runtime.with_memory_limit(limit, 1.0);
            }
            let config =
                SessionConfig::new().with_target_partitions(1).with_sort_spill_reservation_bytes(1 << 20);
            let session = SessionContext::new_with_config_rt(config, runtime.build_arc()?);
            if is_ours {
                arrow_datafusion::register(&session)?;
            }
            session.sql(&create).await?.collect().await?;
            let plan = session.sql(sql).await?.create_physical_plan().await?;
            let is_read_by_us = displayable(&*plan).indent(false).to_string().contains("file_type=arrow-ipc");
            assert_eq!(is_read_by_us, is_ours);
            let batches = collect(Arc::clone(&plan), session.task_ctx()).await?;
            assert_eq!(n_spills(&*plan) > 0, limit.is_some(), "{sql}, ours: {is_ours}");
            let rows = concat_batches(&batches[0].schema(), &batches)?;
            let by_name = sort_to_indices(rows.column_by_name("name").unwrap(), None, None)?;
            found.push(take_record_batch(&rows, &by_name)?);
        }
        let [all, ours, theirs] = &found[..] else { panic!("three answers") };
        assert_eq!(all.num_rows(), 200_000, "{sql}");
        assert!(all.columns() == ours.columns() && all.columns() == theirs.columns(), "{sql}");
    }
    Ok(())
}

fn n_spills(plan: &dyn ExecutionPlan) -> usize {
    let own = plan.metrics().and_then(|metrics| metrics.spill_count()).unwrap_or(0);
    own + plan.children().into_iter().map(|child| n_spills(&**child)).sum::<usize>()
}

#[tokio::test]
async fn spilled_batches_are_streams_that_queries_read() -> Result<()> {
    let store = Arc::new(CountingStore::default());
    store.put("one.arrow", big_file());
    let session = session(&store, 1);
    register(&session, "one.arrow", IpcOptions::new()).await?;
    let all = rows(&session, "SELECT * FROM t").await?;
    let batches: Vec<RsRecordBatch> = (0..all.num_rows())
        .step_by(8_192)
        .map(|first| all.slice(first, 8_192.min(all.num_rows() - first)))
        .collect();

    let metrics = SpillMetrics::new(&ExecutionPlanMetricsSet::new(), 0);
    let manager = SpillManager::new(session.runtime_env(), metrics, all.schema());
    let spilled = manager.spill_record_batch_and_finish(&batches, "a test")?.expect("a file");
    let path = spilled.path().expect("a file on the disk");
    for n_partitions in [1, 3] {
        let other = SessionContext::new_with_config(
            SessionConfig::new().with_target_partitions(n_partitions).with_repartition_file_min_size(1),
        );
        arrow_datafusion::register(&other)?;
        let create = format!("CREATE EXTERNAL TABLE t STORED AS ARROW LOCATION '{}'", path.display());
        other.sql(&create).await?.collect().await?;
        assert_eq!(number(&other, "SELECT count(*) FROM t").await?, 200_000);
        assert_eq!(number(&other, "SELECT sum(id) FROM t").await?, 200_000 * 199_999 / 2);
        let found = rows(&other, "SELECT * FROM t ORDER BY id").await?;
        assert_eq!(found, rows(&session, "SELECT * FROM t ORDER BY id").await?);
    }
    Ok(())
}
