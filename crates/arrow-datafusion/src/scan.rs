//! Reads one file, or the batches that begin in a range of it, as a query wants them.

use std::{collections::HashMap, sync::Arc};

use arrow_buffer::{Budget, LimitExceeded};
use arrow_ipc::{IpcError, Projection, file::Footer};
use arrow_ipc_async::{AsyncBatches, AsyncFileReader};
use arrow_ipc_statistics::FileStatistics;
use arrow_rs_adapter::v59::BatchConverter;
use datafusion::{
    arrow::{
        array::{RecordBatch, RecordBatchOptions},
        datatypes::SchemaRef,
    },
    common::ScalarValue,
    datasource::{
        listing::{FileRange, PartitionedFile},
        physical_plan::{FileOpenFuture, FileOpener},
        table_schema::TableSchema,
    },
    error::{DataFusionError, Result},
    object_store::path::Path,
    physical_expr::{
        PhysicalExpr,
        projection::{ProjectionExprs, Projector},
        utils::reassign_expr_columns,
    },
    physical_expr_adapter::{
        PhysicalExprAdapterFactory, replace_columns_with_literals,
        rewrite::rewrite_input_file_name_in_projection,
    },
    physical_optimizer::pruning::PruningPredicateBuilder,
    physical_plan::metrics::Count,
};
use futures_util::{FutureExt, StreamExt, TryStreamExt, stream, stream::BoxStream};

use crate::{
    error::{IpcFileError, IpcFileErrorKind},
    fields::needed_fields,
    object::ObjectFile,
    opened::{FileInUse, OpenedFiles, OpeningContext, RecentFiles},
    ordered_casts::with_ordered_casts,
    schema::FileColumns,
    statistics::BatchStatistics,
};

/// The batches of a file, as a stream.
type Batches = BoxStream<'static, Result<RecordBatch>>;

/// What a query wants of each file.
pub(crate) struct FileScan {
    pub(crate) files: OpenedFiles,
    pub(crate) recent: RecentFiles,
    pub(crate) context: OpeningContext,
    pub(crate) table: TableSchema,
    /// The columns of the result, by columns of the table.
    pub(crate) projection: ProjectionExprs,
    /// A condition that leaves out batches, if statistics are trusted.
    pub(crate) predicate: Option<Arc<dyn PhysicalExpr>>,
    pub(crate) adapters: Arc<dyn PhysicalExprAdapterFactory>,
    pub(crate) limit: Option<usize>,
    pub(crate) counts: BatchCounts,
}

/// How many batches statistics have left out, and how many are read.
#[derive(Debug, Clone)]
pub(crate) struct BatchCounts {
    pub(crate) n_pruned: Count,
    pub(crate) n_read: Count,
    /// Conditions that could not be compared with statistics.
    pub(crate) n_not_pruning: Count,
}

/// Opens files for a stream of DataFusion.
pub(crate) struct IpcOpener(pub(crate) Arc<FileScan>);

impl FileOpener for IpcOpener {
    fn open(&self, file: PartitionedFile) -> Result<FileOpenFuture> {
        let scan = Arc::clone(&self.0);
        Ok(async move { scan.open(&file).await }.boxed())
    }
}

impl FileScan {
    async fn open(&self, file: &PartitionedFile) -> Result<Batches> {
        let path = &file.object_meta.location;
        let (reader, in_use) = self.files.reader(&self.context, &file.object_meta).await?;
        if file.range.is_some() {
            self.recent.keep(&in_use);
        }
        let table = self.table.file_schema();
        let is_needed = |name: &str| table.field_with_name(name).is_ok();
        let columns = FileColumns::try_needed(path, reader.ipc_schema(), is_needed)?;
        let adaptation = Adaptation::try_new(self, file, &columns.schema)?;
        let selected = self.batches(&reader, &columns, file.range.as_ref(), &adaptation);
        let all = adaptation.projection(&self.projection)?;
        let fields = needed_fields(&all, reader.ipc_schema().schema(), &columns.positions)?;
        let is_without_columns = fields.is_empty();
        let failed = |error| IpcFileError::at(path, error);
        let reader = reader.project(&Projection::FieldPaths(fields)).map_err(failed)?;
        let converter = BatchConverter::try_new(Arc::clone(reader.schema()));
        let converter = converter.map_err(|error| IpcFileError::at(path, error))?;
        let input = Arc::clone(converter.rs_schema());
        let all = all.try_map_exprs(|expr| reassign_expr_columns(expr, &input))?;
        let output = self.projection.project_schema(self.table.table_schema())?;
        let projector = all.make_projector_with_schema_metadata(&input, &output)?;
        let budget = PartRows::new(reader.footer(), &selected);
        let part = FilePart { path: path.clone(), selected, converter, projector, budget };
        // A stream that is cut or malformed says so in the part that has its end.
        let is_last = file.range.as_ref().is_none_or(|range| is_end(range, file.object_meta.size));
        let counts = if is_without_columns { row_counts(reader.footer(), &part.selected) } else { None };
        let batches = match counts {
            Some(counts) => part.count(counts),
            None => part.read(reader.clone(), in_use, self.limit),
        };
        if !is_last {
            return Ok(batches);
        }
        let path = path.clone();
        let end = stream::once(async move { reader.check_end().await });
        let end = end.filter_map(move |checked| {
            let error = checked.err().map(|error| Err(IpcFileError::at(&path, error).into()));
            std::future::ready(error)
        });
        Ok(batches.chain(end).boxed())
    }

    /// The batches that begin in a range of the file and may have rows that the query wants.
    fn batches(
        &self,
        reader: &AsyncFileReader<ObjectFile>,
        columns: &FileColumns,
        range: Option<&FileRange>,
        adaptation: &Adaptation,
    ) -> Vec<usize> {
        let footer = reader.footer();
        let in_range: Vec<usize> = (0..footer.n_batches())
            .filter(|batch_idx| range.is_none_or(|range| begins_in(footer, *batch_idx, range)))
            .collect();
        let matching =
            self.matching(footer, columns, &in_range, adaptation).unwrap_or_else(|| in_range.clone());
        self.counts.n_pruned.add(in_range.len().saturating_sub(matching.len()));
        let matching = first_of(footer, matching, self.limit);
        self.counts.n_read.add(matching.len());
        matching
    }

    /// Those batches that statistics do not exclude. `None` if they cannot tell.
    fn matching(
        &self,
        footer: &Footer,
        columns: &FileColumns,
        batches: &[usize],
        adaptation: &Adaptation,
    ) -> Option<Vec<usize>> {
        let predicate = adaptation.expr(Arc::clone(self.predicate.as_ref()?)).ok()?;
        let predicate = with_ordered_casts(&predicate, &columns.schema)?;
        let known = FileStatistics::from_footer(footer)?;
        let pruning = PruningPredicateBuilder::new()
            .with_file_schema(Arc::clone(&columns.schema))
            .with_error_counter(&self.counts.n_not_pruning)
            .build(predicate)?;
        let statistics = BatchStatistics { footer, known: &known, columns, batches };
        let may_match = pruning.prune(&statistics).ok().filter(|all| all.len() == batches.len())?;
        Some(batches.iter().zip(may_match).filter(|(_, may_match)| *may_match).map(|(idx, _)| *idx).collect())
    }
}

fn begins_in(footer: &Footer, batch_idx: usize, range: &FileRange) -> bool {
    let position = footer.batch(batch_idx).and_then(|block| i64::try_from(block.position()).ok());
    position.is_some_and(|position| range.contains(position))
}

fn is_end(range: &FileRange, file_bytes: u64) -> bool {
    u64::try_from(range.end).is_ok_and(|end| end >= file_bytes)
}

/// As many batches as have the first rows, if the footer says how many rows they have.
fn first_of(footer: &Footer, mut batches: Vec<usize>, limit: Option<usize>) -> Vec<usize> {
    let Some(limit) = limit else { return batches };
    let mut n_rows = 0u64;
    let enough = batches.iter().position(|batch_idx| match footer.n_rows_of(*batch_idx) {
        Some(n_more) => {
            n_rows = n_rows.saturating_add(n_more);
            n_rows >= limit as u64
        }
        None => false,
    });
    if let Some(last) = enough {
        batches.truncate(last + 1);
    }
    batches
}

/// How expressions of the table become expressions of a file, whose columns may be missing or have other types.
struct Adaptation {
    adapter: Arc<dyn datafusion::physical_expr_adapter::PhysicalExprAdapter>,
    partition: HashMap<String, ScalarValue>,
    path: Path,
}

impl Adaptation {
    fn try_new(scan: &FileScan, file: &PartitionedFile, columns: &SchemaRef) -> Result<Adaptation> {
        let names = scan.table.table_partition_cols().iter().map(|field| field.name().clone());
        Ok(Adaptation {
            adapter: scan.adapters.create(Arc::clone(scan.table.file_schema()), Arc::clone(columns))?,
            partition: names.zip(file.partition_values.iter().cloned()).collect(),
            path: file.object_meta.location.clone(),
        })
    }

    fn expr(&self, expr: Arc<dyn PhysicalExpr>) -> Result<Arc<dyn PhysicalExpr>> {
        self.adapter.rewrite(replace_columns_with_literals(expr, &self.partition)?)
    }

    fn projection(&self, projection: &ProjectionExprs) -> Result<ProjectionExprs> {
        let projection = rewrite_input_file_name_in_projection(projection.clone(), self.path.as_ref())?;
        projection.try_map_exprs(|expr| self.expr(expr))
    }
}

/// The batches that are read of a file, and what becomes of them.
struct FilePart {
    path: Path,
    selected: Vec<usize>,
    converter: BatchConverter,
    projector: Projector,
    budget: PartRows,
}

impl FilePart {
    fn read(
        self,
        reader: AsyncFileReader<ObjectFile>,
        in_use: Arc<FileInUse>,
        limit: Option<usize>,
    ) -> Batches {
        let FilePart { path, selected, converter, projector, mut budget } = self;
        let batches = stream::once(async move {
            if !selected.is_empty() {
                in_use.load_dictionaries(&reader).await?;
            }
            let batches = in_order(reader, selected, limit);
            // The file stays in use until the last batch.
            Ok::<_, IpcError>(batches.inspect(move |_batch| {
                let _shared = &in_use;
            }))
        });
        let end = path.clone();
        let batches = batches.try_flatten().map(move |batch| -> Result<RecordBatch> {
            let batch = batch.map_err(|error| IpcFileError::at(&path, error))?;
            Ok(converter.to_arrow_rs(&batch).map_err(|error| IpcFileError::at(&path, error))?)
        });
        // Columns without bytes, such as those of type null, may have any number of rows, too.
        let pieces = batches.map_ok(|batch| {
            let mut start = 0;
            stream::iter(pieces_of(batch.num_rows() as u64)).map(move |n_rows| {
                let piece = batch.slice(start, n_rows);
                start = start.saturating_add(n_rows);
                Result::<_, DataFusionError>::Ok(piece)
            })
        });
        let pieces = pieces.try_flatten().map(move |piece| {
            let piece = piece?;
            budget.spend(piece.num_rows()).map_err(|kind| IpcFileError::at(&end, kind))?;
            projector.project_batch(&piece)
        });
        pieces.boxed()
    }

    /// Reads nothing, since no column is wanted and the footer has the numbers of rows.
    fn count(self, counts: Vec<u64>) -> Batches {
        let FilePart { path, converter, projector, mut budget, .. } = self;
        let batches = counts.into_iter().flat_map(pieces_of).map(move |n_rows| {
            budget.spend(n_rows).map_err(|kind| IpcFileError::at(&path, kind))?;
            projector.project_batch(&rows(converter.rs_schema(), n_rows)?)
        });
        stream::iter(batches).boxed()
    }
}

/// Reads batches, and prefetches later ones. If a limit is set and no row counts say how many batches it takes, the first is read
/// alone, since often it suffices.
fn in_order(
    reader: AsyncFileReader<ObjectFile>,
    mut selected: Vec<usize>,
    limit: Option<usize>,
) -> BoxStream<'static, arrow_ipc::Result<arrow_data::RecordBatch>> {
    if limit.is_none() || reader.footer().n_rows().is_some() || selected.len() < 2 {
        return reader.batches_of(selected).boxed();
    }
    let rest = selected.split_off(1);
    let first: AsyncBatches<ObjectFile> = reader.batches_of(selected);
    first.chain(stream::once(async move { reader.batches_of(rest) }).flatten()).boxed()
}

/// The number of rows of each of these batches, if the footer has it.
fn row_counts(footer: &Footer, batches: &[usize]) -> Option<Vec<u64>> {
    batches.iter().map(|batch_idx| footer.n_rows_of(*batch_idx)).collect()
}

/// The maximum number of rows of a batch before expressions make values of it. A few bytes can claim any number of rows.
const MAX_PIECE_ROWS: usize = 1 << 20;

/// How many rows a part of a file may still have. DataFusion divides batches into small ones, so rows that take no bytes would
/// keep it busy without an end.
struct PartRows {
    n_bytes: u64,
    rows: Budget,
}

/// For each byte of a part, as many rows as a small batch of DataFusion has. No codec makes more of them.
const ROWS_PER_BYTE: u64 = 8_192;

/// Any part may have so many rows. An expression over them takes seconds.
const LEAST_MAX_ROWS: u64 = 1 << 26;

impl PartRows {
    fn new(footer: &Footer, batches: &[usize]) -> PartRows {
        let blocks = batches.iter().filter_map(|batch_idx| footer.batch(*batch_idx));
        let n_bytes = blocks.fold(0, |sum: u64, block| sum.saturating_add(block.n_bytes()));
        let max_rows = n_bytes.saturating_mul(ROWS_PER_BYTE).max(LEAST_MAX_ROWS);
        PartRows { n_bytes, rows: Budget::new(max_rows) }
    }

    fn spend(&mut self, n_rows: usize) -> std::result::Result<(), IpcFileErrorKind> {
        let n_bytes = self.n_bytes;
        let exceeded =
            |LimitExceeded { limit: max_rows, .. }| IpcFileErrorKind::RowsWithoutBytes { n_bytes, max_rows };
        self.rows.spend("rows", n_rows as u64).map_err(exceeded)
    }
}

/// Divides a number of rows.
fn pieces_of(n_rows: u64) -> impl Iterator<Item = usize> {
    let mut n_left = n_rows;
    std::iter::from_fn(move || {
        let n_rows = usize::try_from(n_left).unwrap_or(usize::MAX).min(MAX_PIECE_ROWS);
        n_left = n_left.saturating_sub(n_rows as u64);
        (n_rows > 0).then_some(n_rows)
    })
}

/// Rows without columns.
fn rows(schema: &SchemaRef, n_rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(n_rows));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), Vec::new(), &options)?)
}
