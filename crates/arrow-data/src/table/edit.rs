//! Selects, adds and removes columns of tables.

use std::sync::Arc;

use arrow_schema::{Field, LookupError, Schema};

use super::Table;
use crate::{chunked::ChunkedArray, columns::with_column, error::DataError};

impl Table {
    /// Returns a table of the columns at these positions, in the given order.
    ///
    /// # Errors
    /// If a position is out of bounds.
    pub fn project(&self, positions: &[usize]) -> Result<Table, LookupError> {
        let schema = Arc::new(self.schema.project(positions)?);
        let columns = positions.iter().filter_map(|position| self.columns.get(*position).cloned()).collect();
        Ok(Table { schema, columns, n_rows: self.n_rows })
    }

    /// Returns a table of the columns with these names, in the given order.
    ///
    /// # Errors
    /// If no column has one of the names, or several columns have it.
    ///
    /// ```
    /// use arrow_data::Table;
    /// use arrow_schema::Schema;
    ///
    /// let table = Table::try_from_batches("id: int64\nname: utf8\nage: int8".parse::<Schema>()?, [])?;
    /// assert_eq!(table.select(&["age", "id"])?.schema().to_string(), "age: int8\nid: int64");
    /// assert_eq!(table.select(&["size"]).unwrap_err().to_string(), r#"no field is named "size""#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn select(&self, names: &[&str]) -> Result<Table, LookupError> {
        let positions = names.iter().map(|name| self.schema.index_of(name));
        self.project(&positions.collect::<Result<Vec<usize>, LookupError>>()?)
    }

    /// Replaces the column with the name of `field`, or adds the column at the end if there is none.
    ///
    /// # Errors
    /// If several columns have the name. If the column does not have the type of the field, or the length of the table.
    pub fn with_column(&self, field: Field, column: impl Into<ChunkedArray>) -> Result<Table, DataError> {
        let (schema, columns) = with_column(&self.schema, &self.columns, field, column.into())?;
        Table::try_new_with_rows(schema, columns, self.n_rows)
    }

    /// The table without the column of this name. A table that loses its last column keeps its number of rows.
    ///
    /// # Errors
    /// If no column has the name, or several columns have it.
    pub fn without_column(&self, name: &str) -> Result<Table, LookupError> {
        let position = self.schema.index_of(name)?;
        let others: Vec<usize> = (0..self.n_columns()).filter(|other| *other != position).collect();
        self.project(&others)
    }

    /// Replaces the schema and keeps the columns: see [`RecordBatch::with_schema`](crate::RecordBatch::with_schema).
    ///
    /// # Errors
    /// If the number of columns or a type differs.
    pub fn with_schema(&self, schema: impl Into<Arc<Schema>>) -> Result<Table, DataError> {
        Table::try_new_with_rows(schema, Arc::clone(&self.columns), self.n_rows)
    }
}
