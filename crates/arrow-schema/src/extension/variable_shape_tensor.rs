//! The extension type `arrow.variable_shape_tensor`.

use crate::{
    DataType, ExtensionError, ExtensionErrorKind, ExtensionType, Field, FixedSize,
    extension::{
        dimensions::{DimensionMembers, Dimensions, JsonObject, expect_entries},
        error::NameContext,
        storage::{Member, expect, other_storage, struct_fields},
    },
    parse::read_object,
};

/// Tensors that have the same number of dimensions. Each tensor consists of its shape and a list of its elements in
/// row-major order.
///
/// ```
/// use arrow_schema::{DataType, ExtensionType, Field, VariableShapeTensor};
///
/// // Images of three colours that are 400 pixels high.
/// let images = VariableShapeTensor::new(3.into())
///     .with_dim_names(["H", "W", "C"])?
///     .with_uniform_shape([Some(400), None, Some(3)])?;
/// assert_eq!(
///     images.metadata().unwrap(),
///     r#"{"dim_names":["H","W","C"],"uniform_shape":[400,null,3]}"#
/// );
///
/// let storage = images.storage(Field::new("item", DataType::UInt8));
/// let field = Field::new("image", storage).with_extension_type(&images)?;
/// assert_eq!(field.extension_type()?, Some(images));
/// # Ok::<(), arrow_schema::ExtensionError>(())
/// ```
///
/// Without parameters, metadata is written as an empty JSON object. An empty text is also valid, but Arrow C++ 26 refuses it.
///
/// Specification: canonical extension types, "Variable shape tensor".
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VariableShapeTensor {
    n_dims: FixedSize,
    dimensions: Dimensions,
    uniform_shape: Option<Vec<Option<u32>>>,
}

/// The largest size that the storage can state.
const MAX_SIZE: u32 = i32::MAX.unsigned_abs();

const STORAGE: &str = "a struct of \"data\" and \"shape\"";

impl VariableShapeTensor {
    /// The type of tensors with this number of dimensions.
    pub fn new(n_dims: FixedSize) -> Self {
        Self { n_dims, dimensions: Dimensions::default(), uniform_shape: None }
    }

    /// Sets a name for each dimension, in the order of the shapes.
    ///
    /// # Errors
    ///
    /// [`ExtensionErrorKind::DimensionCount`] if the number of names is not the number of dimensions.
    pub fn with_dim_names<S: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = S>,
    ) -> Result<Self, ExtensionError> {
        let names = names.into_iter().map(Into::into).collect();
        self.dimensions.set_names(names, self.n_dims.as_usize()).named(Self::NAME)?;
        Ok(self)
    }

    /// Sets the logical order of the dimensions: logical dimension `i` is dimension `permutation[i]` of each shape.
    ///
    /// # Errors
    ///
    /// If the permutation does not have each number from 0 to the number of dimensions − 1 exactly once.
    pub fn with_permutation(mut self, permutation: impl Into<Vec<usize>>) -> Result<Self, ExtensionError> {
        self.dimensions.set_permutation(permutation.into(), self.n_dims.as_usize()).named(Self::NAME)?;
        Ok(self)
    }

    /// Sets the sizes that are the same for all tensors, in the order of the shapes; `None` for dimensions whose size
    /// varies.
    ///
    /// # Errors
    ///
    /// [`ExtensionErrorKind::DimensionCount`] if the number of sizes is not the number of dimensions, and
    /// [`ExtensionErrorKind::DimensionSize`] if a size is above `i32::MAX`.
    pub fn with_uniform_shape(mut self, sizes: impl Into<Vec<Option<u32>>>) -> Result<Self, ExtensionError> {
        self.set_uniform_shape(sizes.into()).named(Self::NAME)?;
        Ok(self)
    }

    /// The number of dimensions.
    pub fn n_dims(&self) -> FixedSize {
        self.n_dims
    }

    /// The names of the dimensions, in the order of the shapes.
    pub fn dim_names(&self) -> Option<&[String]> {
        self.dimensions.names()
    }

    /// The logical order of the dimensions; `None` if the metadata has none.
    pub fn permutation(&self) -> Option<&[usize]> {
        self.dimensions.permutation()
    }

    /// For each dimension, its size if all tensors share it, else `None`. The outer `None` means that the metadata gives
    /// no sizes.
    pub fn uniform_shape(&self) -> Option<&[Option<u32>]> {
        self.uniform_shape.as_deref()
    }

    /// The storage of tensors whose elements have this type: a struct with the fields `data`, a list of elements, and
    /// `shape`, a list of sizes. The fields are nullable, like the fields that Arrow C++ writes.
    pub fn storage(&self, element: Field) -> DataType {
        let shape = DataType::FixedSizeList(Field::new("item", DataType::Int32).into(), self.n_dims);
        DataType::struct_([Field::new("data", DataType::list(element)), Field::new("shape", shape)])
    }

    fn set_uniform_shape(&mut self, sizes: Vec<Option<u32>>) -> Result<(), ExtensionErrorKind> {
        expect_entries("uniform_shape", sizes.len(), self.n_dims.as_usize())?;
        if let Some(found) = sizes.iter().flatten().find(|size| **size > MAX_SIZE) {
            let found = u64::from(*found);
            let max = u64::from(MAX_SIZE);
            return Err(ExtensionErrorKind::DimensionSize { found, max });
        }
        self.uniform_shape = Some(sizes);
        Ok(())
    }

    fn read(text: &str, n_dims: FixedSize) -> Result<Self, ExtensionErrorKind> {
        let mut tensor = Self::new(n_dims);
        if text.is_empty() {
            return Ok(tensor);
        }
        let mut dimensions = DimensionMembers::default();
        let mut uniform_shape = None;
        read_object(text, |name, cursor| {
            if name != "uniform_shape" {
                return dimensions.read(name, cursor);
            }
            uniform_shape = cursor.json_optional(|cursor| {
                cursor.json_list(|cursor| {
                    let size = cursor
                        .json_optional(|cursor| cursor.json_whole_number("size", 0..=MAX_SIZE.into()))?;
                    Ok(size.map(|size| u32::try_from(size).unwrap_or(u32::MAX)))
                })
            })?;
            Ok(true)
        })?;
        tensor.dimensions = dimensions.for_dimensions(n_dims.as_usize())?;
        if let Some(sizes) = uniform_shape {
            tensor.set_uniform_shape(sizes)?;
        }
        Ok(tensor)
    }
}

/// The number of dimensions of the tensors in a storage.
fn dimensions_of(storage: &DataType) -> Result<FixedSize, ExtensionErrorKind> {
    let fields = struct_fields(storage, STORAGE)?;
    let data = Member::named(fields, "data")?;
    let shape = Member::named(fields, "shape")?;
    expect(storage, STORAGE, |_| fields.len() == 2)?;
    data.check(|data| expect(data, "a list", |data| data.name() == "list"))?;
    shape.check(|shape| match shape.as_fixed_size_list() {
        Some((size, n_dims)) if *size.data_type() == DataType::Int32 => Ok(n_dims),
        Some(_) | None => Err(other_storage("a fixed_size_list of int32", shape)),
    })
}

impl ExtensionType for VariableShapeTensor {
    type Error = ExtensionError;

    const NAME: &'static str = "arrow.variable_shape_tensor";

    fn parse(metadata: Option<&str>, storage: &DataType) -> Result<Self, ExtensionError> {
        let n_dims = dimensions_of(storage).named(Self::NAME)?;
        Self::read(metadata.unwrap_or_default(), n_dims).named(Self::NAME)
    }

    fn metadata(&self) -> Option<String> {
        let mut object = JsonObject::default();
        self.dimensions.write_members(&mut object);
        if let Some(sizes) = &self.uniform_shape {
            let null = || "null".to_owned();
            object.list(
                "uniform_shape",
                sizes.iter().map(|size| size.map_or_else(null, |size| size.to_string())),
            );
        }
        Some(object.finish())
    }

    fn check_storage(&self, storage: &DataType) -> Result<(), ExtensionError> {
        let n_dims = dimensions_of(storage).named(Self::NAME)?;
        if n_dims == self.n_dims {
            return Ok(());
        }
        let found = n_dims.as_usize();
        let n_dims = self.n_dims.as_usize();
        Err(ExtensionErrorKind::DimensionCount { name: "shape", found, n_dims }).named(Self::NAME)
    }
}
