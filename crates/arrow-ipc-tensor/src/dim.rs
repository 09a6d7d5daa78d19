//! One dimension of a tensor.

use std::{fmt, sync::Arc};

use crate::TensorError;

/// The maximum number of dimensions. Other libraries allow at most 64.
pub(crate) const MAX_DIMENSIONS: usize = 256;

/// One dimension of a tensor: its length, and an optional name.
///
/// ```
/// use arrow_ipc_tensor::TensorDim;
///
/// let rows = TensorDim::new(480).with_name("row");
/// assert_eq!((rows.size(), rows.name(), rows.to_string().as_str()), (480, Some("row"), "row: 480"));
/// assert_eq!(TensorDim::from(640).to_string(), "640");
/// ```
///
/// Specification: `Tensor.fbs`, table `TensorDim`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TensorDim {
    size: u64,
    name: Option<Arc<str>>,
}

impl TensorDim {
    /// A dimension of this length, without a name.
    pub const fn new(size: u64) -> TensorDim {
        TensorDim { size, name: None }
    }

    /// Sets the name. An empty text removes the name.
    #[must_use]
    pub fn with_name(self, name: impl Into<Arc<str>>) -> TensorDim {
        let name = Some(name.into()).filter(|name| !name.is_empty());
        TensorDim { name, ..self }
    }

    /// The length of the dimension, in elements.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The name; `None` if the dimension has none. A name is not empty.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl From<u64> for TensorDim {
    fn from(size: u64) -> TensorDim {
        TensorDim::new(size)
    }
}

impl fmt::Display for TensorDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{name}: {}", self.size),
            None => self.size.fmt(f),
        }
    }
}

/// Checks the number of dimensions and each length, but not the product of the lengths.
pub(crate) fn check_dims(dims: &[TensorDim]) -> Result<(), TensorError> {
    if dims.len() > MAX_DIMENSIONS {
        return Err(TensorError::TooManyDimensions { found: dims.len(), limit: MAX_DIMENSIONS });
    }
    dims.iter().try_for_each(|dim| wire_number("the size of a dimension", dim.size))
}

/// Checks that a number fits into 63 bits, as the format requires.
pub(crate) fn wire_number(what: &'static str, found: u64) -> Result<(), TensorError> {
    i64::try_from(found).map(drop).map_err(|_| TensorError::NumberRange { what, found })
}

/// A shape as text, such as `[2, 3]`.
pub(crate) fn show_shape(dims: &[TensorDim]) -> String {
    let sizes: Vec<String> = dims.iter().map(|dim| dim.size.to_string()).collect();
    format!("[{}]", sizes.join(", "))
}
