//! Batches with a column more or less, and columns by the text of a path.

use arrow_schema::{Field, LookupError, Schema};

use super::RecordBatch;
use crate::{array::ArrayData, error::DataError};

impl RecordBatch {
    /// The batch with this column: in the place of the one of the same name, or after all others. Shares all data.
    ///
    /// # Errors
    /// If several columns have the name, or if the column is of another type than the field says or of another length
    /// than the batch.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let ids = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![7i64, 8]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 2)
    /// })?;
    /// let batch = RecordBatch::try_from_columns([("id", ids.clone())])?;
    /// let batch = batch.with_column(Field::new("copy", DataType::Int64), ids)?;
    /// assert_eq!(batch.schema().to_string(), "id: int64\ncopy: int64");
    /// assert_eq!(batch.without_column("id")?.schema().to_string(), "copy: int64");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_column(&self, field: Field, column: impl Into<ArrayData>) -> Result<RecordBatch, DataError> {
        let column = column.into();
        let (mut fields, mut columns) = (self.schema().fields().to_vec(), self.columns().to_vec());
        match self.schema().index_of(field.name()) {
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
        let schema = Schema::new(fields).with_metadata(self.schema().metadata().clone());
        RecordBatch::try_new_with_rows(schema, columns, self.n_rows())
    }

    /// The batch without the column of this name. Shares all data; without columns there are still the rows.
    ///
    /// # Errors
    /// If no column has the name, or more than one.
    pub fn without_column(&self, name: &str) -> Result<RecordBatch, LookupError> {
        let position = self.schema().index_of(name)?;
        let others: Vec<usize> = (0..self.n_columns()).filter(|other| *other != position).collect();
        self.project(&others)
    }

    /// The values at the path that prints as this text, as in `address.zip`: [`Schema::path`] finds it, and
    /// [`at_path`](RecordBatch::at_path) says what the values are.
    ///
    /// # Errors
    /// As both.
    ///
    /// ```
    /// use arrow_data::{ArrayData, RecordBatch};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let address = DataType::struct_([Field::new("zip", DataType::Int32)]);
    /// let batch = RecordBatch::try_from_columns([("address", ArrayData::new_empty(&address))])?;
    /// assert_eq!(batch.column_by_path("address.zip")?.data_type(), &DataType::Int32);
    /// let error = batch.column_by_path("address.city").unwrap_err();
    /// assert_eq!(error.to_string(), r#"in address: no field is named "city""#);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn column_by_path(&self, path: &str) -> Result<ArrayData, DataError> {
        self.at_path(&self.schema().path(path)?)
    }
}
