//! Shows the values of a tensor as rows: a column for the index in each dimension, and a column for the value.

use std::{ops::Range, sync::Arc};

use arrow_array::{ArrayError, UInt64Array};
use arrow_buffer::Buffer;
use arrow_data::{ArrayData, RecordBatch};
use arrow_ipc::IpcError;
use arrow_ipc_tensor::{AnyTensor, SparseTensor, Tensor, TensorError};
use arrow_schema::{DataType, Field, Schema};

/// The values of a dense tensor in row-major order, or the stored values of a sparse tensor.
pub(crate) struct ElementRows {
    schema: Arc<Schema>,
    data_type: DataType,
    n_dims: usize,
    stored: ElementStorage,
}

enum ElementStorage {
    Dense(Tensor),
    Sparse {
        /// The indices of all values in sequence, one number for each dimension.
        positions: Vec<u64>,
        values: Vec<u8>,
        n_value_bytes: usize,
    },
}

impl ElementRows {
    /// Makes the rows for the values of a tensor.
    ///
    /// # Errors
    /// If the index of a sparse tensor is not valid.
    pub(crate) fn try_new(tensor: AnyTensor) -> Result<ElementRows, TensorError> {
        let dims = tensor.shape().iter().enumerate().map(|(idx, dim)| {
            let name = dim.name().map_or_else(|| format!("dim{idx}"), str::to_owned);
            Field::new(name, DataType::UInt64).required()
        });
        let data_type = tensor.data_type().clone();
        let value = Field::new("value", data_type.clone()).required();
        let schema = Arc::new(Schema::from_iter(dims.chain([value])));
        let n_dims = tensor.shape().len();
        let stored = match tensor {
            AnyTensor::Dense(tensor) => ElementStorage::Dense(tensor),
            AnyTensor::Sparse(tensor) => ElementStorage::from_sparse(&tensor)?,
        };
        Ok(ElementRows { schema, data_type, n_dims, stored })
    }

    pub(crate) fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    pub(crate) fn n_rows(&self) -> u64 {
        match &self.stored {
            ElementStorage::Dense(tensor) => tensor.n_elements(),
            ElementStorage::Sparse { values, n_value_bytes, .. } => {
                (values.len() / n_value_bytes.max(&1)) as u64
            }
        }
    }

    /// The rows in this range. Ignores numbers after the last row.
    ///
    /// # Errors
    /// The tensor was already checked, so no error is expected.
    pub(crate) fn batch(&self, rows: Range<u64>) -> Result<RecordBatch, ArrayError> {
        let mut positions = vec![Vec::new(); self.n_dims];
        let mut values = Vec::new();
        let mut n_rows = 0;
        for row in rows.start..rows.end.min(self.n_rows()) {
            let (position, value) = self.stored.element(row, self.n_dims);
            positions.iter_mut().zip(position).for_each(|(column, number)| column.push(number));
            values.extend_from_slice(value);
            n_rows += 1;
        }
        let values = Tensor::try_new(self.data_type.clone(), [n_rows], Buffer::from(values));
        let values = values.map_err(IpcError::from).and_then(|values| values.to_array(u64::MAX));
        let Ok(values) = values else { panic!("as many values as rows, each as wide as the tensor's") };
        let positions = positions.into_iter().map(|column| UInt64Array::from_iter(column).into_data());
        let columns: Vec<ArrayData> = positions.chain([values]).collect();
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }
}

impl ElementStorage {
    fn from_sparse(tensor: &SparseTensor) -> Result<ElementStorage, TensorError> {
        let mut positions = Vec::new();
        let mut values = Vec::new();
        tensor.visit(|position, value| {
            positions.extend_from_slice(position);
            values.extend_from_slice(value);
        })?;
        Ok(ElementStorage::Sparse { positions, values, n_value_bytes: tensor.n_element_bytes() })
    }

    /// The indices of a value in each dimension, and its bytes.
    fn element(&self, row: u64, n_dims: usize) -> (Vec<u64>, &[u8]) {
        match self {
            ElementStorage::Dense(tensor) => {
                let mut position = vec![0; n_dims];
                let mut rest = row;
                for (number, dim) in position.iter_mut().zip(tensor.shape()).rev() {
                    // The tensor has at least this value, so no dimension has the size 0.
                    let size = dim.size().max(1);
                    (*number, rest) = (rest % size, rest / size);
                }
                let value = tensor.element(&position).expect("the position is inside of the shape");
                (position, value)
            }
            ElementStorage::Sparse { positions, values, n_value_bytes } => {
                let row = usize::try_from(row).expect("the values are in memory");
                let value = &values[row * n_value_bytes..(row + 1) * n_value_bytes];
                (positions[row * n_dims..(row + 1) * n_dims].to_vec(), value)
            }
        }
    }
}
