//! Tables of other columns.

use std::sync::Arc;

use arrow_schema::{Field, LookupError, Schema};

use super::Table;
use crate::{chunked::ChunkedArray, error::DataError};

impl Table {
    /// The columns at these positions, in this order.
    ///
    /// # Errors
    /// If a position is outside of the schema.
    pub fn project(&self, positions: &[usize]) -> Result<Table, LookupError> {
        let schema = Arc::new(self.schema.project(positions)?);
        let columns = positions.iter().filter_map(|position| self.columns.get(*position).cloned()).collect();
        Ok(Table { schema, columns, n_rows: self.n_rows })
    }

    /// The columns of these names, in this order.
    ///
    /// # Errors
    /// If no column has a name, or more than one.
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

    /// The table with this column: in the place of the one of the same name, or after all others.
    ///
    /// # Errors
    /// If several columns have the name, or if the column is of another type than the field says or of another length
    /// than the table.
    pub fn with_column(&self, field: Field, column: impl Into<ChunkedArray>) -> Result<Table, DataError> {
        let column = column.into();
        let (mut fields, mut columns) = (self.schema.fields().to_vec(), self.columns.to_vec());
        match self.schema.index_of(field.name()) {
            Ok(position) => {
                fields.splice(position..=position, [field]);
                columns.splice(position..=position, [column]);
            }
            Err(LookupError::Missing { .. }) => {
                fields.push(field);
                columns.push(column);
            }
            Err(error) => return Err(error.into()),
        }
        let schema = Schema::new(fields).with_metadata(self.schema.metadata().clone());
        Table::try_new_with_rows(schema, columns, self.n_rows)
    }

    /// The table without the column of this name; without columns there are still the rows.
    ///
    /// # Errors
    /// If no column has the name, or more than one.
    pub fn without_column(&self, name: &str) -> Result<Table, LookupError> {
        let position = self.schema.index_of(name)?;
        let others: Vec<usize> = (0..self.n_columns()).filter(|other| *other != position).collect();
        self.project(&others)
    }

    /// The same columns under another schema, as [`RecordBatch::with_schema`](crate::RecordBatch::with_schema) has it.
    ///
    /// # Errors
    /// If the number of columns differs, or a type.
    pub fn with_schema(&self, schema: impl Into<Arc<Schema>>) -> Result<Table, DataError> {
        Table::try_new_with_rows(schema, Arc::clone(&self.columns), self.n_rows)
    }
}
