//! The text form of values of extension types.

use std::fmt;

use arrow_schema::{CanonicalExtension, DataType, Field, FixedShapeTensor, VariableShapeTensor};

/// An extension type whose values have another text than values of the storage type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueForm {
    /// `arrow.bool8`: the numbers 0 and 1 are written as `false` and `true`.
    Bool8,
    /// `arrow.json`: values are written as JSON, not as strings that contain JSON.
    Json,
    /// `arrow.uuid`: values are written as hexadecimal digits with hyphens.
    Uuid,
    /// Tensors: values are written as nested lists.
    Tensor(Box<TensorForm>),
}

impl ValueForm {
    /// The text form of the values of a field, which may be encoded by a dictionary or runs. `None` if values are written like
    /// those of the storage type, if the metadata is invalid, or if the storage has another type.
    pub fn from_field(field: &Field) -> Option<ValueForm> {
        let storage = storage_of(field.data_type());
        match CanonicalExtension::parse(field.extension()?, storage).ok()?? {
            CanonicalExtension::Bool8(_) => Some(ValueForm::Bool8),
            CanonicalExtension::Json(_) => Some(ValueForm::Json),
            CanonicalExtension::Uuid(_) => Some(ValueForm::Uuid),
            CanonicalExtension::FixedShapeTensor(tensor) => {
                TensorForm::from_fixed_shape(&tensor, storage).map(ValueForm::from_tensor)
            }
            CanonicalExtension::VariableShapeTensor(tensor) => {
                TensorForm::from_variable_shape(&tensor, storage).map(ValueForm::from_tensor)
            }
            CanonicalExtension::Opaque(_)
            | CanonicalExtension::ParquetVariant(_)
            | CanonicalExtension::TimestampWithOffset(_)
            | _ => None,
        }
    }

    fn from_tensor(tensor: TensorForm) -> ValueForm {
        ValueForm::Tensor(Box::new(tensor))
    }

    /// How tensors are nested. `None` for the other variants.
    pub fn as_tensor(&self) -> Option<&TensorForm> {
        match self {
            ValueForm::Tensor(tensor) => Some(tensor),
            ValueForm::Bool8 | ValueForm::Json | ValueForm::Uuid => None,
        }
    }
}

/// The type of decoded values.
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

/// The nesting of tensors as lists: `arrow.fixed_shape_tensor` with 2 to 32 dimensions, or `arrow.variable_shape_tensor` with 1
/// to 32 dimensions. Elements are not nested types.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorForm {
    /// For each logical dimension, the index of the stored dimension.
    permutation: Vec<usize>,
    shape: TensorShape,
}

/// Where the shape of a tensor comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensorShape {
    /// The type: all tensors are lists of a fixed size and have this shape.
    OfAll(Box<TensorAxes>),
    /// The value: each tensor is a struct that contains its shape.
    OfEach {
        /// The index of the field with the elements.
        data: usize,
        /// The index of the field with the sizes.
        shape: usize,
    },
}

/// The sizes of the nested lists of one tensor, and the order of its stored elements. It has at least one element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorAxes {
    n_dims: usize,
    n_elements: usize,
    /// The axes in logical order. Only the first `n_dims` are used.
    axes: [Axis; MAX_DIMS],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Axis {
    size: usize,
    /// The number of elements in each list of this axis, counted through all inner lists.
    n_elements: usize,
    /// The distance between neighbours on this axis, in stored elements.
    stride: usize,
}

/// The maximum number of dimensions that are written as nested lists.
pub(crate) const MAX_DIMS: usize = 32;

impl TensorForm {
    /// Returns `None` if tensors of this type are written like their storage.
    fn from_fixed_shape(tensor: &FixedShapeTensor, storage: &DataType) -> Option<TensorForm> {
        let (element, _) = storage.as_fixed_size_list()?;
        let sizes: Option<Vec<usize>> =
            tensor.shape().iter().map(|size| usize::try_from(*size).ok()).collect();
        let sizes = sizes.filter(|sizes| sizes.len() > 1 && is_plain(element.data_type()))?;
        let permutation = permutation_of(tensor.permutation(), sizes.len());
        let axes = TensorAxes::try_new(&sizes, &permutation)?;
        Some(TensorForm { permutation, shape: TensorShape::OfAll(Box::new(axes)) })
    }

    /// Returns `None` if tensors of this type are written like their storage.
    fn from_variable_shape(tensor: &VariableShapeTensor, storage: &DataType) -> Option<TensorForm> {
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

    /// Where the shape of each tensor comes from.
    pub fn shape(&self) -> &TensorShape {
        &self.shape
    }

    /// The number of dimensions, which is the same for all tensors.
    pub fn n_dims(&self) -> usize {
        self.permutation.len()
    }

    /// Converts the sizes of a tensor from logical order to the order of the storage.
    pub fn stored_sizes(&self, logical: &[usize]) -> Vec<usize> {
        let mut sizes = vec![0; self.n_dims()];
        for (dimension, size) in self.permutation.iter().zip(logical) {
            if let Some(stored) = sizes.get_mut(*dimension) {
                *stored = *size;
            }
        }
        sizes
    }

    /// The nesting of a tensor with these stored sizes. `None` if it has no elements, or if the number of elements overflows.
    pub fn axes(&self, sizes: &[usize]) -> Option<TensorAxes> {
        TensorAxes::try_new(sizes, &self.permutation)
    }
}

/// Whether a type is not nested, after decoding.
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
            // This does not overflow, since it is a factor of the number of elements.
            let stride = sizes.get(dimension.checked_add(1)?..)?.iter().product();
            *axis = Axis { size, n_elements: n_in_list, stride };
            n_in_list /= size;
        }
        Some(TensorAxes { n_dims: sizes.len(), n_elements, axes })
    }

    fn axes(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().take(self.n_dims)
    }

    /// The sizes of the dimensions, in logical order.
    pub fn sizes(&self) -> impl Iterator<Item = usize> {
        self.axes().map(|axis| axis.size)
    }

    /// The number of elements of the tensor, at least 1.
    pub fn n_elements(&self) -> usize {
        self.n_elements
    }

    /// Converts the index of an element from logical order to the order of the storage.
    pub fn storage_index(&self, position: usize) -> usize {
        // Each list has a multiple of `size` elements, and at least one. The sum is below the number of elements.
        self.axes().map(|axis| position % axis.n_elements / (axis.n_elements / axis.size) * axis.stride).sum()
    }

    /// Writes the elements as nested lists. Calls `element` with the stored index of each element.
    pub(crate) fn write(
        &self,
        out: &mut dyn fmt::Write,
        element: impl Fn(usize, &mut dyn fmt::Write) -> fmt::Result,
    ) -> fmt::Result {
        let lists_at = |index: usize| self.axes().filter(move |axis| index.is_multiple_of(axis.n_elements));
        for position in 0..self.n_elements {
            out.write_str(if position == 0 { "" } else { "," })?;
            lists_at(position).try_for_each(|_| out.write_str("["))?;
            element(self.storage_index(position), out)?;
            lists_at(position + 1).try_for_each(|_| out.write_str("]"))?;
        }
        Ok(())
    }
}
