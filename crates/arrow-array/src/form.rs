//! The text form of values of extension types.

use std::fmt;

use arrow_schema::{CanonicalExtension, DataType, Field, FixedShapeTensor, VariableShapeTensor};

/// The text form of an extension type whose values are not written like values of their storage type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueForm {
    /// `arrow.bool8`: `true` and `false`.
    Bool8,
    /// `arrow.json`: each value is written as JSON, not as a JSON string.
    Json,
    /// `arrow.uuid`: hexadecimal digits with hyphens.
    Uuid,
    /// Tensors as nested lists.
    Tensor(Box<TensorForm>),
}

impl ValueForm {
    /// The text form of the values of a field; a dictionary or runs may encode them. `None` if the values are written
    /// like those of the storage type, if the metadata is invalid, or if the storage has another type.
    pub fn of(field: &Field) -> Option<ValueForm> {
        let storage = storage_of(field.data_type());
        match CanonicalExtension::parse(field.extension()?, storage).ok()?? {
            CanonicalExtension::Bool8(_) => Some(ValueForm::Bool8),
            CanonicalExtension::Json(_) => Some(ValueForm::Json),
            CanonicalExtension::Uuid(_) => Some(ValueForm::Uuid),
            CanonicalExtension::FixedShapeTensor(tensor) => {
                TensorForm::of_fixed(&tensor, storage).map(ValueForm::of_tensor)
            }
            CanonicalExtension::VariableShapeTensor(tensor) => {
                TensorForm::of_variable(&tensor, storage).map(ValueForm::of_tensor)
            }
            CanonicalExtension::Opaque(_)
            | CanonicalExtension::ParquetVariant(_)
            | CanonicalExtension::TimestampWithOffset(_)
            | _ => None,
        }
    }

    fn of_tensor(tensor: TensorForm) -> ValueForm {
        ValueForm::Tensor(Box::new(tensor))
    }

    /// The text form of tensors; `None` if the values are not tensors.
    pub fn as_tensor(&self) -> Option<&TensorForm> {
        match self {
            ValueForm::Tensor(tensor) => Some(tensor),
            ValueForm::Bool8 | ValueForm::Json | ValueForm::Uuid => None,
        }
    }
}

/// The type of the values in dictionaries and runs.
fn storage_of(data_type: &DataType) -> &DataType {
    let mut storage = data_type;
    loop {
        storage = match (storage.as_dictionary(), storage.as_run_end_encoded()) {
            (Some(dictionary), _) => dictionary.value(),
            (None, Some(runs)) => runs.values().data_type(),
            (None, None) => return storage,
        };
    }
}

/// A tensor that is written as nested lists: `arrow.fixed_shape_tensor` with 2 to 32 dimensions, or
/// `arrow.variable_shape_tensor` with 1 to 32 dimensions. Its elements are not nested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorForm {
    /// For each logical dimension, the index of the dimension in the storage.
    permutation: Vec<usize>,
    shape: TensorShape,
}

/// The source of the shape: the type, or each value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensorShape {
    /// All tensors of a list of a fixed size have this shape.
    OfAll(Box<TensorAxes>),
    /// Each tensor is a struct with its own shape. The variant has the positions of the fields.
    OfEach {
        /// The position of the list of elements.
        data: usize,
        /// The position of the list of sizes.
        shape: usize,
    },
}

/// The axes of a tensor with elements: the sizes and positions of its nested lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorAxes {
    n_dims: usize,
    n_elements: usize,
    /// The axes in logical order; only the first `n_dims` are used.
    axes: [Axis; MAX_DIMS],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Axis {
    size: usize,
    /// The number of elements in each list of this axis, including those in nested lists.
    n_elements: usize,
    /// The distance in the storage between two neighbours on this axis.
    stride: usize,
}

/// The number of dimensions that are written as nested lists.
pub(crate) const MAX_DIMS: usize = 32;

impl TensorForm {
    /// `None` if tensors of this type are written like their storage.
    fn of_fixed(tensor: &FixedShapeTensor, storage: &DataType) -> Option<TensorForm> {
        let (element, _) = storage.as_fixed_size_list()?;
        let sizes: Option<Vec<usize>> =
            tensor.shape().iter().map(|size| usize::try_from(*size).ok()).collect();
        let sizes = sizes.filter(|sizes| sizes.len() > 1 && is_plain(element.data_type()))?;
        let permutation = permutation_of(tensor.permutation(), sizes.len());
        let axes = TensorAxes::try_new(&sizes, &permutation)?;
        Some(TensorForm { permutation, shape: TensorShape::OfAll(Box::new(axes)) })
    }

    /// `None` if tensors of this type are written like their storage.
    fn of_variable(tensor: &VariableShapeTensor, storage: &DataType) -> Option<TensorForm> {
        let n_dims = tensor.n_dims().as_usize();
        let position = |name| storage.children().iter().position(|field| field.name() == name);
        let (data, shape) = (position("data")?, position("shape")?);
        let element = storage.children().get(data)?.data_type().children().first()?;
        if !(1..=MAX_DIMS).contains(&n_dims) || !is_plain(element.data_type()) {
            return None;
        }
        let permutation = permutation_of(tensor.permutation(), n_dims);
        Some(TensorForm { permutation, shape: TensorShape::OfEach { data, shape } })
    }

    /// The source of the shape: the type, or each value.
    pub fn shape(&self) -> &TensorShape {
        &self.shape
    }

    /// The number of dimensions that each tensor has.
    pub fn n_dims(&self) -> usize {
        self.permutation.len()
    }

    /// Puts sizes in logical order into the order of the storage.
    pub fn stored_sizes(&self, logical: &[usize]) -> Vec<usize> {
        let mut sizes = vec![0; self.n_dims()];
        for (dimension, size) in self.permutation.iter().zip(logical) {
            if let Some(stored) = sizes.get_mut(*dimension) {
                *stored = *size;
            }
        }
        sizes
    }

    /// The axes of a tensor whose storage has these sizes. `None` if it has no elements, or more than can be counted.
    pub fn axes(&self, sizes: &[usize]) -> Option<TensorAxes> {
        TensorAxes::try_new(sizes, &self.permutation)
    }
}

/// Whether values of a type are not nested.
fn is_plain(element: &DataType) -> bool {
    !storage_of(element).is_nested()
}

fn permutation_of(permutation: Option<&[usize]>, n_dims: usize) -> Vec<usize> {
    permutation.map_or_else(|| (0..n_dims).collect(), <[usize]>::to_vec)
}

impl TensorAxes {
    fn try_new(sizes: &[usize], permutation: &[usize]) -> Option<TensorAxes> {
        let n_elements = sizes.iter().try_fold(1_usize, |n_elements, size| n_elements.checked_mul(*size))?;
        if n_elements == 0 || sizes.len() > MAX_DIMS || sizes.len() != permutation.len() {
            return None;
        }
        let mut axes = [Axis::default(); MAX_DIMS];
        let mut n_in_list = n_elements;
        for (axis, dimension) in axes.iter_mut().zip(permutation) {
            let size = *sizes.get(*dimension)?;
            // No overflow: the result is a factor of the number of elements.
            let stride = sizes.get(dimension.checked_add(1)?..)?.iter().product();
            *axis = Axis { size, n_elements: n_in_list, stride };
            n_in_list /= size;
        }
        Some(TensorAxes { n_dims: sizes.len(), n_elements, axes })
    }

    fn axes(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().take(self.n_dims)
    }

    /// The sizes in logical order.
    pub fn sizes(&self) -> impl Iterator<Item = usize> {
        self.axes().map(|axis| axis.size)
    }

    /// The number of elements that the tensor has: at least 1.
    pub fn n_elements(&self) -> usize {
        self.n_elements
    }

    /// The position in the storage of the element that has this position in logical order.
    pub fn place_of(&self, position: usize) -> usize {
        // Each list has a multiple of `size` elements, and at least one; the sum is below the number of elements.
        self.axes().map(|axis| position % axis.n_elements / (axis.n_elements / axis.size) * axis.stride).sum()
    }

    /// Writes the elements as nested lists. Calls `write` with the position of each element in the storage.
    pub(crate) fn write(
        &self,
        out: &mut dyn fmt::Write,
        element: impl Fn(usize, &mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        let lists_at = |place: usize| self.axes().filter(move |axis| place.is_multiple_of(axis.n_elements));
        for position in 0..self.n_elements {
            out.write_str(if position == 0 { "" } else { "," })?;
            lists_at(position).try_for_each(|_| out.write_str("["))?;
            element(self.place_of(position), out)?;
            lists_at(position + 1).try_for_each(|_| out.write_str("]"))?;
        }
        Ok(())
    }
}
