//! Statistics in the footer of a file.

use std::{fmt::Write as _, sync::Arc};

use arrow_array::Scalar;
use arrow_compute::ColumnBounds;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::FileDecoder;
use arrow_ipc_statistics::FileStatistics;
use arrow_schema::{Field, Schema};

use crate::{failure::Result, schema_json::fields_as_json};

/// What the footer says of the columns.
pub(crate) struct Statistics {
    columns: Vec<(usize, ColumnBounds)>,
    fields: Vec<Field>,
}

impl Statistics {
    /// Reads the statistics; none if there are none that fit the batches.
    pub(crate) fn new(decoder: &FileDecoder) -> Statistics {
        let Some(known) = FileStatistics::from_footer(decoder.footer()) else {
            return Statistics { columns: Vec::new(), fields: Vec::new() };
        };
        let paths = known.columns().filter_map(|path| {
            let mut positions = path.positions();
            let column = positions.next()?;
            if positions.next().is_some() {
                return None;
            }
            let bounds = known.bounds_of_all(path);
            let is_known = bounds.null_count.is_some() || bounds.min.is_some() || bounds.max.is_some();
            is_known.then_some((column as usize, bounds))
        });
        let columns: Vec<_> = paths.collect();
        let fields = decoder.ipc_schema().schema().fields();
        let fields = columns.iter().filter_map(|(column, _)| fields.get(*column).cloned()).collect();
        Statistics { columns, fields }
    }

    /// For each column, its position, the number of nulls, and whether a bound is known.
    pub(crate) fn as_json(&self) -> String {
        let mut json = String::from("{\"columns\":[");
        for (idx, (column, bounds)) in self.columns.iter().enumerate() {
            let separator = if idx == 0 { "" } else { "," };
            let null_count = bounds.null_count.map_or("null".to_owned(), |null_count| null_count.to_string());
            let (min, max) = (bounds.min.is_some(), bounds.max.is_some());
            // Writing to a text does not fail.
            let _ = write!(
                json,
                "{separator}{{\"position\":{column},\"nullCount\":{null_count},\"hasMin\":{min},\"hasMax\":{max}}}"
            );
        }
        json.push_str("],\"min\":");
        json.push_str(&fields_as_json(&self.fields_of(|bounds| bounds.min.as_ref())));
        json.push_str(",\"max\":");
        json.push_str(&fields_as_json(&self.fields_of(|bounds| bounds.max.as_ref())));
        json.push('}');
        json
    }

    /// A row of the least or the greatest values of the columns that have one.
    pub(crate) fn bounds(&self, bound: fn(&ColumnBounds) -> Option<&Scalar>) -> Result<RecordBatch> {
        let values = self.columns.iter().filter_map(|(_, bounds)| bound(bounds));
        let values: Vec<ArrayData> = values.map(|value| value.as_array().data().clone()).collect();
        let schema = Arc::new(Schema::new(self.fields_of(bound)));
        Ok(RecordBatch::try_new_with_rows(schema, values, 1)?)
    }

    /// The fields of these values: those of dictionaries and runs are plain.
    fn fields_of(&self, bound: fn(&ColumnBounds) -> Option<&Scalar>) -> Vec<Field> {
        let of_column = |((_, bounds), field): (&(usize, ColumnBounds), &Field)| {
            let data_type = bound(bounds)?.as_array().data().data_type().clone();
            Some(field.clone().with_data_type(data_type))
        };
        self.columns.iter().zip(&self.fields).filter_map(of_column).collect()
    }
}
