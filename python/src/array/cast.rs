//! Casts arrays to other types.

use arrow_buffer::MemoryBudget;
use arrow_compute::Digits;
use arrow_ipc_tools::Reshaping;
use arrow_schema as schema;
use pyo3::prelude::*;

use super::Array;
use crate::{calls::stoppable, error::Result};

impl Array {
    /// Casts the values. Ctrl-C ends the call, but not the thread that casts.
    pub(crate) fn cast_to(&self, py: Python<'_>, to: &schema::Field, digits: Digits) -> Result<Array> {
        // If only the encoding changes, the field keeps its extension type. In files it loses the extension type,
        // because pyarrow refuses such fields.
        let values = to.data_type().value_type();
        let is_same = values.same_type(&schema::DataType::Null)
            || values.same_type(self.field.data_type().value_type());
        let own = if is_same && to.extension().is_none() { self.field.extension() } else { None };
        let to = own.map_or_else(|| to.clone(), |own| to.clone().with_extension(own));
        let (field, cast) = Reshaping::cast_of(&self.field, &to, digits);
        let cast = cast.with_same_names();
        let array = self.inner.clone();
        let budget = MemoryBudget::new(MemoryBudget::default_limit(array.n_bytes()));
        let is_same_type = array.data_type().same_type(field.data_type());
        let is_long = !is_same_type && (array.len() > 1 << 16 || array.n_bytes() > 1 << 20);
        let made = if is_long {
            stoppable(py, move || cast.array(&array, &budget))??
        } else {
            cast.array(&array, &budget)?
        };
        Ok(Array::new(field.with_data_type(made.data_type().clone()), made))
    }
}
