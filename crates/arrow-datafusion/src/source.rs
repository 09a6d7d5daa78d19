//! How plans of DataFusion read Arrow IPC files and streams.

use std::{fmt, sync::Arc};

use arrow_ipc::FetchCost;
use datafusion::{
    arrow::datatypes::{DataType, Schema},
    common::tree_node::{TreeNode, TreeNodeRecursion},
    config::ConfigOptions,
    datasource::{
        physical_plan::{FileOpener, FileScanConfig, FileSource},
        table_schema::TableSchema,
    },
    error::Result,
    execution::cache::cache_manager::FileMetadataCache,
    object_store::ObjectStore,
    physical_expr::{
        PhysicalExpr, conjunction, expressions::DynamicFilterPhysicalExpr, projection::ProjectionExprs,
    },
    physical_expr_adapter::DefaultPhysicalExprAdapterFactory,
    physical_plan::{
        DisplayFormatType, apply_expression_roots,
        filter_pushdown::{FilterPushdownPropagation, PushedDown},
        metrics::{ExecutionPlanMetricsSet, MetricBuilder},
    },
};

use crate::{
    object::RequestCounts,
    opened::{OpenedFiles, OpeningContext, RecentFiles},
    options::IpcOptions,
    scan::{BatchCounts, FileScan, IpcOpener},
};

/// Reads Arrow IPC files and streams for a `FileScanConfig`: of each file only the columns that are wanted, and of a byte
/// range the batches that begin in it.
///
/// [`IpcFormat`](crate::IpcFormat) makes it. Programs that make plans of files themselves do not need a format.
#[derive(Clone)]
pub struct IpcSource {
    table: TableSchema,
    projection: ProjectionExprs,
    predicate: Option<Arc<dyn PhysicalExpr>>,
    options: IpcOptions,
    files: OpenedFiles,
    recent: RecentFiles,
    cache: Option<Arc<FileMetadataCache>>,
    metrics: ExecutionPlanMetricsSet,
}

impl IpcSource {
    /// A source of all columns of a table.
    pub fn new(table: impl Into<TableSchema>) -> IpcSource {
        IpcSource::new_with(table, IpcOptions::default())
    }

    /// Like [`new`](IpcSource::new), with options.
    pub fn new_with(table: impl Into<TableSchema>, options: IpcOptions) -> IpcSource {
        IpcSource::with_files(table.into(), options, OpenedFiles::default())
    }

    pub(crate) fn with_files(table: TableSchema, options: IpcOptions, files: OpenedFiles) -> IpcSource {
        let all: Vec<usize> = (0..table.table_schema().fields().len()).collect();
        IpcSource {
            projection: ProjectionExprs::from_indices(&all, table.table_schema()),
            table,
            predicate: None,
            options,
            files,
            recent: RecentFiles::default(),
            cache: None,
            metrics: ExecutionPlanMetricsSet::new(),
        }
    }

    pub(crate) fn with_cache(self, cache: Arc<FileMetadataCache>) -> IpcSource {
        IpcSource { cache: Some(cache), ..self }
    }
}

/// The cost of a range of a local file, which a thread that may block reads from the open file.
const LOCAL_FILES: FetchCost =
    FetchCost::new(std::time::Duration::from_micros(20), 1_000_000_000).with_requests_in_flight(4);

impl FileSource for IpcSource {
    fn create_file_opener(
        &self,
        store: Arc<dyn ObjectStore>,
        config: &FileScanConfig,
        partition: usize,
    ) -> Result<Arc<dyn FileOpener>> {
        let is_local = config.object_store_url.as_str().starts_with("file:");
        let default_cost = if is_local { LOCAL_FILES } else { FetchCost::OBJECT_STORE };
        let context = OpeningContext {
            store,
            cache: self.cache.clone(),
            options: self.options.clone(),
            cost: self.options.fetch_cost().unwrap_or(default_cost),
            is_local,
            counts: RequestCounts::for_partition(&self.metrics, partition),
        };
        let count = |name: &'static str| MetricBuilder::new(&self.metrics).counter(name, partition);
        let adapters = config.expr_adapter_factory.clone();
        Ok(Arc::new(IpcOpener(Arc::new(FileScan {
            files: self.files.clone(),
            recent: self.recent.clone(),
            context,
            table: self.table.clone(),
            projection: self.projection.clone(),
            predicate: self.predicate.clone(),
            adapters: adapters.unwrap_or_else(|| Arc::new(DefaultPhysicalExprAdapterFactory)),
            limit: config.limit,
            counts: BatchCounts {
                n_pruned: count("batches_pruned"),
                n_read: count("batches_read"),
                n_not_pruning: count("predicate_creation_errors"),
            },
        }))))
    }

    fn table_schema(&self) -> &TableSchema {
        &self.table
    }

    fn with_batch_size(&self, _: usize) -> Arc<dyn FileSource> {
        // Batches are those of the file.
        Arc::new(self.clone())
    }

    fn filter(&self) -> Option<Arc<dyn PhysicalExpr>> {
        self.predicate.clone()
    }

    fn projection(&self) -> Option<&ProjectionExprs> {
        Some(&self.projection)
    }

    fn metrics(&self) -> &ExecutionPlanMetricsSet {
        &self.metrics
    }

    fn file_type(&self) -> &str {
        "arrow-ipc"
    }

    fn fmt_extra(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.predicate {
            Some(predicate) => write!(f, ", pruned by {predicate}"),
            None => Ok(()),
        }
    }

    /// Conditions leave out batches if statistics are trusted. DataFusion applies them again to the rows, since a batch
    /// also has rows that do not match. It computes a dynamic filter only for a source that takes it.
    fn try_pushdown_filters(
        &self,
        filters: Vec<Arc<dyn PhysicalExpr>>,
        _: &ConfigOptions,
    ) -> Result<FilterPushdownPropagation<Arc<dyn FileSource>>> {
        let answer =
            FilterPushdownPropagation::with_parent_pushdown_result(vec![PushedDown::No; filters.len()]);
        if !self.options.trusts_statistics() {
            return Ok(answer);
        }
        let filters = filters.into_iter().filter(|filter| is_computed(filter, self.table.table_schema()));
        let filters: Vec<_> = filters.collect();
        if filters.is_empty() {
            return Ok(answer);
        }
        let all = conjunction(self.predicate.iter().cloned().chain(filters));
        Ok(answer.with_updated_node(Arc::new(IpcSource { predicate: Some(all), ..self.clone() })))
    }

    fn try_pushdown_projection(&self, projection: &ProjectionExprs) -> Result<Option<Arc<dyn FileSource>>> {
        let projection = self.projection.try_merge(projection)?;
        Ok(Some(Arc::new(IpcSource { projection, ..self.clone() })))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let projected = self.projection.iter().map(|column| &column.expr);
        apply_expression_roots(self.predicate.iter().chain(projected), f)
    }
}

/// Whether DataFusion can compute a filter. For a dynamic filter of a join it computes the bounds of the keys. Those of a dictionary
/// of integers are integers, by which DataFusion 55 then also joins, and fails.
fn is_computed(filter: &Arc<dyn PhysicalExpr>, table: &Schema) -> bool {
    fn is_refused(data_type: &DataType) -> bool {
        match data_type {
            DataType::Dictionary(_, value) => value.is_integer() || is_refused(value),
            _ => false,
        }
    }
    let fails = |expr: &Arc<dyn PhysicalExpr>| {
        let mut keys = expr.children().into_iter().map(|key| key.data_type(table));
        let is_dynamic = expr.downcast_ref::<DynamicFilterPhysicalExpr>().is_some();
        Ok(is_dynamic && keys.any(|key| key.is_ok_and(|key| is_refused(&key))))
    };
    !filter.exists(fails).unwrap_or(true)
}

impl fmt::Debug for IpcSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("IpcSource");
        shown.field("options", &self.options).field("predicate", &self.predicate).finish_non_exhaustive()
    }
}
