//! What footers say about rows and values, for DataFusion.

use std::{collections::HashSet, sync::Arc};

use arrow_array::Scalar;
use arrow_compute::ColumnBounds;
use arrow_ipc::{
    FileDecoder,
    file::{Footer, StreamEnd},
};
use arrow_ipc_statistics::FileStatistics;
use arrow_rs_adapter::v59::ToArrowRs;
use datafusion::{
    arrow::{
        array::{ArrayRef, BooleanArray, UInt64Array},
        datatypes::{DataType, SchemaRef},
    },
    common::{
        Column, ColumnStatistics, ScalarValue, Statistics, pruning::PruningStatistics, stats::Precision,
    },
};

use crate::{options::IpcOptions, ordered_casts::is_castable, schema::FileColumns};

/// What a footer says about a file. Row counts are checked against each batch that is read; everything else must be trusted.
pub(crate) fn file_statistics(
    decoder: &FileDecoder,
    columns: &FileColumns,
    table: &SchemaRef,
    options: &IpcOptions,
) -> Statistics {
    let mut known = Statistics::new_unknown(table);
    // Reading all of such a stream is an error, so its complete batches are no answer.
    if decoder.stream_end() == Some(StreamEnd::Incomplete) {
        return known;
    }
    let footer = decoder.footer();
    if let Some(n_rows) = footer.n_rows() {
        known.num_rows = exact(n_rows);
    }
    let Some(statistics) = options.trusts_statistics().then(|| FileStatistics::from_footer(footer)).flatten()
    else {
        return known;
    };
    if footer.n_rows().is_none() {
        let mut n_rows = (0..statistics.n_batches()).map(|batch_idx| statistics.n_rows(batch_idx));
        let n_rows = n_rows.try_fold(0u64, |sum, n_rows| sum.checked_add(n_rows?));
        known.num_rows = n_rows.map_or(Precision::Absent, exact);
    }
    let n_known_rows = known.num_rows;
    for (field, column) in table.fields().iter().zip(&mut known.column_statistics) {
        *column = match columns.schema.index_of(field.name()) {
            // All values are null.
            Err(_) => ColumnStatistics { null_count: n_known_rows, ..ColumnStatistics::new_unknown() },
            Ok(idx) if columns.schema.field(idx).data_type() == field.data_type() => {
                let bounds = columns.path(footer, idx).map(|path| statistics.bounds_of_all(&path));
                let bounds = bounds.unwrap_or_default();
                column_statistics_from(&bounds, field.data_type())
            }
            // Values are cast, and bounds do not hold.
            Ok(_) => ColumnStatistics::new_unknown(),
        };
    }
    known
}

fn exact(count: u64) -> Precision<usize> {
    usize::try_from(count).map_or(Precision::Absent, Precision::Exact)
}

fn column_statistics_from(bounds: &ColumnBounds, data_type: &DataType) -> ColumnStatistics {
    let bound = |bound: &Option<Scalar>| {
        let value = bound.as_ref().and_then(bound_value).filter(is_castable);
        let value = value.and_then(|value| value.cast_to(data_type).ok());
        value.map_or(Precision::Absent, Precision::Inexact)
    };
    ColumnStatistics {
        null_count: bounds.null_count.map_or(Precision::Absent, exact),
        min_value: bound(&bounds.min),
        max_value: bound(&bounds.max),
        ..ColumnStatistics::new_unknown()
    }
}

/// A bound as a value of DataFusion. `None` if DataFusion has another order for such values: NaN and the two zeros.
fn bound_value(bound: &Scalar) -> Option<ScalarValue> {
    let array = bound.as_array().data().to_arrow_rs().ok()?;
    let has_same_order = match array.data_type() {
        DataType::Boolean
        | DataType::Binary
        | DataType::BinaryView
        | DataType::FixedSizeBinary(_)
        | DataType::LargeBinary => true,
        DataType::Interval(_) => false,
        other => other.is_integer() || other.is_string() || other.is_decimal() || other.is_temporal(),
    };
    if !has_same_order || array.is_empty() {
        return None;
    }
    ScalarValue::try_from_array(&array, 0).ok()
}

/// What a footer says about some batches, each of which is a container of rows.
pub(crate) struct BatchStatistics<'a> {
    pub(crate) footer: &'a Footer,
    pub(crate) known: &'a FileStatistics,
    pub(crate) columns: &'a FileColumns,
    pub(crate) batches: &'a [usize],
}

impl BatchStatistics<'_> {
    fn bounds(&self, column: &Column) -> Option<Vec<ColumnBounds>> {
        let idx = self.columns.schema.index_of(&column.name).ok()?;
        let path = self.columns.path(self.footer, idx)?;
        Some(self.batches.iter().map(|batch_idx| self.known.bounds(*batch_idx, &path)).collect())
    }

    fn values(&self, column: &Column, bound: fn(ColumnBounds) -> Option<Scalar>) -> Option<ArrayRef> {
        let values =
            self.bounds(column)?.into_iter().map(|bounds| bound(bounds).as_ref().and_then(bound_value));
        let values: Vec<Option<ScalarValue>> = values.collect();
        let unknown = ScalarValue::try_new_null(&values.iter().flatten().next()?.data_type()).ok()?;
        ScalarValue::iter_to_array(values.into_iter().map(|value| value.unwrap_or_else(|| unknown.clone())))
            .ok()
    }
}

impl PruningStatistics for BatchStatistics<'_> {
    fn min_values(&self, column: &Column) -> Option<ArrayRef> {
        self.values(column, |bounds| bounds.min)
    }

    fn max_values(&self, column: &Column) -> Option<ArrayRef> {
        self.values(column, |bounds| bounds.max)
    }

    fn num_containers(&self) -> usize {
        self.batches.len()
    }

    fn null_counts(&self, column: &Column) -> Option<ArrayRef> {
        let counts = self.bounds(column)?.into_iter().map(|bounds| bounds.null_count);
        Some(Arc::new(UInt64Array::from_iter(counts)))
    }

    fn row_counts(&self) -> Option<ArrayRef> {
        let counts = self.batches.iter();
        let counts = counts.map(|idx| self.footer.n_rows_of(*idx).or_else(|| self.known.n_rows(*idx)));
        Some(Arc::new(UInt64Array::from_iter(counts)))
    }

    fn contained(&self, _: &Column, _: &HashSet<ScalarValue>) -> Option<BooleanArray> {
        None
    }
}
