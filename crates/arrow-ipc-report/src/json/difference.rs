//! Differences as JSON.

use arrow_ipc_tools::{
    Difference,
    diff::{DiffSummary, MetadataScope, RowLabel, Side},
};
use arrow_schema::FieldPath;
use serde_core::ser::SerializeMap;

use super::{AsText, Items, JsonMembers, JsonObject};
use crate::{diff_summary::DiffSummaryText, difference::DifferenceText};

/// The kind and text of a difference, and for some kinds its field, row and side.
impl JsonMembers for Difference {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("kind", kind(self))?;
        object.serialize_entry("text", &AsText(DifferenceText(self)))?;
        match self {
            Difference::Metadata { of: MetadataScope::Whole | MetadataScope::Schema, .. }
            | Difference::Order { .. } => Ok(()),
            Difference::Metadata { of: MetadataScope::Field(path), .. }
            | Difference::Name { path, .. }
            | Difference::Nullability { path, .. }
            | Difference::Type { path, .. }
            | Difference::NotCompared { path } => object.serialize_entry("field", &AsText(path)),
            Difference::OnlyIn { side, path, .. } => {
                object.serialize_entry("side", &AsText(side))?;
                object.serialize_entry("field", &AsText(path))
            }
            Difference::Value { row, column, .. } => {
                row.serialize_members(object)?;
                object.serialize_entry("field", &AsText(column))
            }
            Difference::MoreColumns { row, n_columns } => {
                row.serialize_members(object)?;
                object.serialize_entry("n_columns", n_columns)
            }
            Difference::OneMoreRow { row, .. } => object.serialize_entry("row", row),
            Difference::OnlyRow { side, row, n_rows } => {
                row.serialize_members(object)?;
                RowsOfSide(*side, *n_rows).serialize_members(object)
            }
            Difference::OnlyRows { side, n_rows } | Difference::MoreRows { side, n_rows } => {
                RowsOfSide(*side, *n_rows).serialize_members(object)
            }
            Difference::Rows { n_different, n_compared } => {
                object.serialize_entry("n_different", n_different)?;
                object.serialize_entry("n_compared", n_compared)
            }
        }
    }
}

fn kind(difference: &Difference) -> &'static str {
    match difference {
        Difference::Metadata { .. } => "metadata",
        Difference::OnlyIn { .. } => "only_field",
        Difference::Order { .. } => "order",
        Difference::Name { .. }
        | Difference::Nullability { .. }
        | Difference::Type { .. }
        | Difference::NotCompared { .. } => "field",
        Difference::Value { .. } => "value",
        Difference::MoreColumns { .. } => "more_columns",
        Difference::OneMoreRow { .. } => "one_more_row",
        Difference::OnlyRow { .. } => "only_rows",
        Difference::OnlyRows { .. } => "n_only_rows",
        Difference::MoreRows { .. } => "more_rows",
        Difference::Rows { .. } => "rows",
    }
}

impl JsonMembers for RowLabel {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("row", &self.number)?;
        if let Some(in_b) = &self.in_b {
            object.serialize_entry("row_in_b", in_b)?;
        }
        self.key.iter().try_for_each(|key| object.serialize_entry("key", &**key))
    }
}

/// The number of rows that only one side has.
struct RowsOfSide(Side, u64);

impl JsonMembers for RowsOfSide {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("side", &AsText(self.0))?;
        object.serialize_entry("n_rows", &self.1)
    }
}

impl JsonMembers for DiffSummary {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let [only_a, only_b] = self.n_only;
        let more = self.more_rows.map(|(side, n_rows)| JsonObject(RowsOfSide(side, n_rows)));
        object.serialize_entry("kind", "summary")?;
        object.serialize_entry("text", &AsText(DiffSummaryText(self)))?;
        object.serialize_entry("is_equal", &(self.is_same == Some(true)))?;
        object.serialize_entry("is_cut", &self.is_cut)?;
        object.serialize_entry("n_columns", &self.n_columns)?;
        object.serialize_entry("n_not_compared", &self.n_not_compared)?;
        object.serialize_entry("n_rows", &self.n_rows)?;
        object.serialize_entry("n_different", &self.n_different)?;
        object.serialize_entry("n_only_a", &only_a)?;
        object.serialize_entry("n_only_b", &only_b)?;
        object.serialize_entry("more_rows", &more)?;
        object.serialize_entry("n_of_schema", &self.n_of_schema)?;
        object.serialize_entry("n_of_metadata", &self.n_of_metadata)?;
        let columns = Items(|| self.columns.iter().map(|(path, n)| JsonObject(ColumnRows(path, *n))));
        object.serialize_entry("columns", &columns)
    }
}

/// The number of rows in which a column differs.
struct ColumnRows<'a>(&'a FieldPath, u64);

impl JsonMembers for ColumnRows<'_> {
    fn serialize_members<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("field", &AsText(self.0))?;
        object.serialize_entry("n_different", &self.1)
    }
}
