//! A data set of Apache Arrow IPC files as a table of DataFusion.
//!
//! [`DatasetTable`] is a `TableProvider`. DataFusion passes columns and conditions to the data set of
//! `arrow-ipc-dataset`, which reads only these columns, and skips files and batches whose statistics exclude the
//! conditions. Batches share the memory of the readers: `arrow-rs-adapter` passes them on without a copy.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use arrow_datafusion::DatasetTable;
//! use arrow_ipc_dataset::Dataset;
//! use datafusion::prelude::SessionContext;
//!
//! # async fn show() -> datafusion::error::Result<()> {
//! let set = Dataset::open(["events"]).map_err(|error| datafusion::error::DataFusionError::External(error.into()))?;
//! let session = SessionContext::new();
//! session.register_table("events", Arc::new(DatasetTable::try_new(set)?))?;
//! session.sql("SELECT count(*) FROM events WHERE id >= 100").await?.show().await?;
//! # Ok(())
//! # }
//! ```
//!
//! The types of DataFusion are part of the interface, so a program needs the same major version: 55.
#![forbid(unsafe_code)]

use std::{error::Error, sync::Arc};

use arrow_compute::{ComparisonOperator, Predicate};
use arrow_ipc_dataset::{Dataset, ReadTask};
use arrow_rs_adapter::v59::{ArrowRsReader, ToArrowRs};
use async_trait::async_trait;
use datafusion::{
    arrow::{
        array::types::Date32Type,
        datatypes::{DataType, Schema, SchemaRef},
        error::ArrowError,
    },
    catalog::{Session, TableProvider},
    common::ScalarValue,
    error::{DataFusionError, Result},
    execution::{SendableRecordBatchStream, TaskContext},
    logical_expr::{BinaryExpr, Expr, Operator, TableProviderFilterPushDown, TableType},
    physical_plan::{
        ExecutionPlan,
        stream::RecordBatchReceiverStream,
        streaming::{PartitionStream, StreamingTableExec},
    },
};

/// The approximate number of bytes of files that a task reads.
const TASK_BYTES: u64 = 16 << 20;

/// A data set as a table.
///
/// Conditions on integers, text and dates go to the data set: comparisons, `BETWEEN`, `IN`, `IS NULL`, `AND` and `OR`.
/// DataFusion applies all conditions again to the rows that it gets.
#[derive(Debug, Clone)]
pub struct DatasetTable {
    set: Dataset,
    schema: SchemaRef,
}

impl DatasetTable {
    /// Makes a table of a data set.
    ///
    /// # Errors
    ///
    /// If DataFusion has no type for a column.
    pub fn try_new(set: Dataset) -> Result<DatasetTable> {
        let schema = set.schema().to_arrow_rs().map_err(ArrowError::from)?;
        Ok(DatasetTable { set, schema })
    }
}

#[async_trait]
impl TableProvider for DatasetTable {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        // DataFusion has the last word, so a predicate may have more rows than the filter.
        let is_understood = |filter: &&Expr| match predicate_of(filter, &self.schema) {
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(is_understood).collect())
    }

    async fn scan(
        &self,
        session: &dyn Session,
        columns: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (mut set, mut schema) = (self.set.clone(), Arc::clone(&self.schema));
        for predicate in filters.iter().filter_map(|filter| predicate_of(filter, &self.schema)) {
            // What the data set does not take, DataFusion does alone.
            set = set.clone().with_predicate(predicate).unwrap_or(set);
        }
        if let Some(columns) = columns {
            schema = Arc::new(schema.project(columns)?);
            set = set.with_columns(schema.fields().iter().map(|field| field.name())).map_err(external)?;
        }
        let tasks = set.split(TASK_BYTES);
        let n_each = tasks.len().div_ceil(session.config().target_partitions().max(1)).max(1);
        let partition = |tasks: &[ReadTask]| {
            Arc::new(TaskPartition { schema: Arc::clone(&schema), tasks: tasks.into() })
                as Arc<dyn PartitionStream>
        };
        let mut partitions: Vec<_> = tasks.chunks(n_each).map(partition).collect();
        if partitions.is_empty() {
            partitions.push(partition(&[]));
        }
        let plan = StreamingTableExec::try_new(Arc::clone(&schema), partitions, None, [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// A partition: tasks that are read one after the other.
#[derive(Debug)]
struct TaskPartition {
    schema: SchemaRef,
    tasks: Arc<[ReadTask]>,
}

impl PartitionStream for TaskPartition {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut batches = RecordBatchReceiverStream::builder(Arc::clone(&self.schema), 2);
        let (found, tasks) = (batches.tx(), Arc::clone(&self.tasks));
        // Files are read by threads that may wait.
        batches.spawn_blocking(move || {
            for task in &*tasks {
                let task = task.read().map_err(external)?;
                let reader =
                    ArrowRsReader::try_new(Arc::clone(task.schema()), task).map_err(ArrowError::from)?;
                for batch in reader {
                    if found.blocking_send(batch.map_err(DataFusionError::from)).is_err() {
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        batches.build()
    }
}

fn external(error: impl Into<Box<dyn Error + Send + Sync>>) -> DataFusionError {
    DataFusionError::External(error.into())
}

/// A condition that is true for all rows that pass a filter; `None` if the filter cannot be translated.
fn predicate_of(filter: &Expr, schema: &Schema) -> Option<Predicate> {
    let of = |filter: &Expr| predicate_of(filter, schema);
    match filter {
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::And, right }) => match (of(left), of(right)) {
            (Some(left), Some(right)) => Some(left.and(right)),
            (left, right) => left.or(right),
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => Some(of(left)?.or(of(right)?)),
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match (&**left, &**right) {
            (Expr::Column(column), Expr::Literal(value, _)) => compared(&column.name, *op, value, schema),
            (Expr::Literal(value, _), Expr::Column(column)) => {
                compared(&column.name, op.swap()?, value, schema)
            }
            _ => None,
        },
        Expr::Between(between) if !between.negated => {
            let side = |op, side: &Expr| {
                of(&Expr::BinaryExpr(BinaryExpr::new(between.expr.clone(), op, Box::new(side.clone()))))
            };
            Some(side(Operator::GtEq, &between.low)?.and(side(Operator::LtEq, &between.high)?))
        }
        Expr::InList(list) if !list.negated => {
            let is = |value: &Expr| {
                let is = BinaryExpr::new(list.expr.clone(), Operator::Eq, Box::new(value.clone()));
                of(&Expr::BinaryExpr(is))
            };
            list.list.iter().map(is).reduce(|all, one| Some(all?.or(one?)))?
        }
        Expr::IsNull(column) => Some(Predicate::is_null(&column.try_as_col()?.name)),
        Expr::IsNotNull(column) => Some(Predicate::is_null(&column.try_as_col()?.name).not()),
        _ => None,
    }
}

/// A comparison of integers, text or dates. Comparisons of floating-point numbers are not translated, since DataFusion
/// treats NaN and zeros differently.
fn compared(column: &str, op: Operator, value: &ScalarValue, schema: &Schema) -> Option<Predicate> {
    let comparison = match op {
        Operator::Eq => ComparisonOperator::Equal,
        Operator::NotEq => ComparisonOperator::NotEqual,
        Operator::Lt => ComparisonOperator::Less,
        Operator::LtEq => ComparisonOperator::LessOrEqual,
        Operator::Gt => ComparisonOperator::Greater,
        Operator::GtEq => ComparisonOperator::GreaterOrEqual,
        _ => return None,
    };
    let data_type = schema.field_with_name(column).ok()?.data_type();
    if let ScalarValue::Date32(Some(days)) = value {
        let day = Date32Type::to_naive_date_opt(*days)?.to_string();
        return (*data_type == value.data_type())
            .then(|| Predicate::compare(column, comparison, day.as_str()));
    }
    if data_type.is_string() {
        return Some(Predicate::compare(column, comparison, value.try_as_str()??));
    }
    match value.cast_to(&DataType::Int64) {
        Ok(ScalarValue::Int64(Some(number))) if data_type.is_integer() && value.data_type().is_integer() => {
            Some(Predicate::compare(column, comparison, number))
        }
        _ => None,
    }
}

/// The examples of the README are compiled as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
