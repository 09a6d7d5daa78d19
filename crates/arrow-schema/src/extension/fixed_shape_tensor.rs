//! The extension type `arrow.fixed_shape_tensor`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType, Field, FixedSize,
    extension::{
        dimensions::{DimensionMembers, Dimensions, JsonObject},
        error::NameContext,
        storage::other_storage,
    },
    parse::read_object,
};

/// Tensors that all have the same shape. Each tensor is a list of its elements in row-major order.
///
/// ```
/// use arrow_schema::{DataType, ExtensionType, Field, FixedShapeTensor};
///
/// let tensor = FixedShapeTensor::try_new([100, 200, 500])?.with_permutation([2, 0, 1])?;
/// assert_eq!(tensor.metadata().unwrap(), r#"{"shape":[100,200,500],"permutation":[2,0,1]}"#);
/// assert_eq!(tensor.logical_shape(), [500, 100, 200]);
///
/// let storage = tensor.storage(Field::new("item", DataType::Float32));
/// assert_eq!(storage.to_string(), "fixed_size_list<item: float32; 10000000>");
/// let field = Field::new("tensor", storage).with_extension_type(&tensor)?;
/// assert_eq!(field.extension_type()?, Some(tensor));
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Specification: canonical extension types, "Fixed shape tensor".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FixedShapeTensor {
    shape: Vec<u64>,
    n_elements: FixedSize,
    dimensions: Dimensions,
}

/// The largest size that metadata can state for a dimension if another dimension has size 0.
const MAX_SIZE: i64 = i64::MAX;

impl FixedShapeTensor {
    /// The type of tensors with this shape. The sizes are in the order in which the dimensions lie in memory.
    ///
    /// # Errors
    ///
    /// [`ExtensionErrorKind::TooManyElements`] if the shape has more elements than a fixed-size list allows, and
    /// [`ExtensionErrorKind::DimensionSize`] if a size is above `i64::MAX`.
    pub fn try_new(shape: impl Into<Vec<u64>>) -> Result<Self, ExtensionError> {
        Self::from_shape(shape.into()).named(Self::NAME)
    }

    /// Sets a name for each dimension, in the order of the shape.
    ///
    /// # Errors
    ///
    /// [`ExtensionErrorKind::DimensionCount`] if the number of names is not the number of dimensions.
    pub fn with_dim_names<S: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<Self, ExtensionError> {
        let names = names.into_iter().map(Into::into).collect();
        self.dimensions.set_names(names, self.shape.len()).named(Self::NAME)?;
        Ok(self)
    }

    /// Sets the logical order of the dimensions: logical dimension `i` is dimension `permutation[i]` of the shape.
    ///
    /// # Errors
    ///
    /// If the permutation does not have each number from 0 to the number of dimensions − 1 exactly once.
    pub fn with_permutation(mut self, permutation: impl Into<Vec<usize>>) -> Result<Self, ExtensionError> {
        self.dimensions.set_permutation(permutation.into(), self.shape.len()).named(Self::NAME)?;
        Ok(self)
    }

    /// The sizes of the dimensions, in the order in which they lie in memory.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The sizes of the dimensions, in logical order.
    pub fn logical_shape(&self) -> Vec<u64> {
        match self.permutation() {
            Some(permutation) => permutation.iter().filter_map(|&idx| self.shape.get(idx).copied()).collect(),
            None => self.shape.clone(),
        }
    }

    /// The number of elements of each tensor: the product of the shape, which is 1 if there are no dimensions.
    pub fn n_elements(&self) -> FixedSize {
        self.n_elements
    }

    /// The names of the dimensions, in the order of the shape.
    pub fn dim_names(&self) -> Option<&[String]> {
        self.dimensions.names()
    }

    /// The logical order of the dimensions; `None` if the metadata has none.
    pub fn permutation(&self) -> Option<&[usize]> {
        self.dimensions.permutation()
    }

    /// The storage of tensors whose elements have this type: lists with one item for each element of the shape.
    pub fn storage(&self, element: Field) -> DataType {
        DataType::FixedSizeList(element.into(), self.n_elements)
    }

    fn from_shape(shape: Vec<u64>) -> Result<Self, ExtensionErrorKind> {
        let max = MAX_SIZE.unsigned_abs();
        if let Some(&found) = shape.iter().find(|size| **size > max) {
            return Err(ExtensionErrorKind::DimensionSize { found, max });
        }
        // If one dimension has size 0, a tensor has no elements, and the other dimensions may have any size.
        let n_elements = if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size))
        };
        let n_elements = n_elements.and_then(|n| u32::try_from(n).ok()).and_then(FixedSize::new);
        let n_elements = n_elements.ok_or(ExtensionErrorKind::TooManyElements)?;
        Ok(Self { shape, n_elements, dimensions: Dimensions::default() })
    }

    fn read(text: &str) -> Result<Self, ExtensionErrorKind> {
        let mut shape = None;
        let mut dimensions = DimensionMembers::default();
        read_object(text, |name, cursor| {
            if name != "shape" {
                return dimensions.read(name, cursor);
            }
            let sizes = cursor
                .json_list(|cursor| cursor.json_whole_number("size", 0..=MAX_SIZE).map(i64::unsigned_abs))?;
            shape = Some(sizes);
            Ok(true)
        })?;
        let shape = shape.ok_or(ExtensionErrorKind::MissingMember { name: "shape" })?;
        let tensor = Self::from_shape(shape)?;
        Ok(Self { dimensions: dimensions.for_dimensions(tensor.shape.len())?, ..tensor })
    }

    fn check(&self, storage: &DataType) -> Result<(), ExtensionErrorKind> {
        match storage.as_fixed_size_list() {
            Some((_, size)) if size == self.n_elements => Ok(()),
            Some((_, found)) => Err(ExtensionErrorKind::ElementCount { expected: self.n_elements, found }),
            None => Err(other_storage("a fixed_size_list", storage)),
        }
    }
}

impl ExtensionType for FixedShapeTensor {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.fixed_shape_tensor";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        let tensor = Self::read(metadata.unwrap_or_default()).named(Self::NAME)?;
        tensor.check_storage(storage)?;
        Ok(tensor)
    }

    fn metadata(&self) -> Option<String> {
        let mut object = JsonObject::default();
        object.list("shape", &self.shape);
        self.dimensions.write_members(&mut object);
        Some(object.finish())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        self.check(storage).named(Self::NAME)
    }
}
