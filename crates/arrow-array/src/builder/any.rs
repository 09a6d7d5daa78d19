//! Builders of types that are not known before run time.

use std::{any::Any, fmt};

use arrow_data::ArrayData;
use arrow_schema::{DataType, visit};
use arrow_select::{SelectError, ValueWriter};

use super::{methods::builder_methods, primitive::*, sealed::Slots, *};
use crate::{
    dispatch::AnyArray,
    error::ArrayError,
    kind::{Kind, each_type, kind},
    types::PrimitiveType,
};

/// Generates the enum and its matches from a list of variants and builders.
macro_rules! any_builder {
    ($($group:ident {
        $($variant:ident $(($parameters:ty: $value:expr))? = $types:pat => $array:ident, $builder:ty, $what:literal;)*
    })*) => {
        /// A builder for any type, made from a [`DataType`]. To append values, match on the variants, or use
        /// [`downcast_mut`](AnyBuilder::downcast_mut).
        ///
        /// ```
        /// use arrow_array::AnyBuilder;
        /// use arrow_schema::{DataType, Field};
        ///
        /// let data_type = DataType::list(Field::new("item", DataType::Int64));
        /// let mut builder = AnyBuilder::new(&data_type);
        /// if let AnyBuilder::List(lists) = &mut builder {
        ///     lists.append_with(|items| match &mut **items {
        ///         AnyBuilder::Int64(numbers) => numbers.append_slice(&[1, 2]),
        ///         other => other.append_null(),
        ///     });
        /// }
        /// builder.append_null();
        /// assert_eq!(format!("{:?}", builder.finish()?), "list<item: int64> [[1,2], null]");
        /// # Ok::<(), arrow_array::ArrayError>(())
        /// ```
        #[derive(Clone)]
        pub enum AnyBuilder {
            $($(#[doc = $what] $variant($builder),)*)*
        }

        impl Builder for AnyBuilder {
            fn data_type(&self) -> &DataType {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.data_type(),)*)*
                }
            }

            fn len(&self) -> usize {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.len(),)*)*
                }
            }

            fn append_nulls(&mut self, n_slots: usize) {
                visit(1);
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.append_nulls(n_slots),)*)*
                }
            }

            fn reserve(&mut self, n_slots: usize) {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.reserve(n_slots),)*)*
                }
            }

            fn truncate(&mut self, n_slots: usize) {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.truncate(n_slots),)*)*
                }
            }

            fn error(&self) -> Option<ArrayError> {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.error(),)*)*
                }
            }

            fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.finish_data(),)*)*
                }
            }
        }

        impl Slots for AnyBuilder {
            fn is_null_slot(&self, slot: usize) -> bool {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.is_null_slot(slot),)*)*
                }
            }

            fn max_nulls(&self) -> usize {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.max_nulls(),)*)*
                }
            }

            fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.write_value(slot, to),)*)*
                }
            }

            fn refuses_nulls(&self) -> bool {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.refuses_nulls(),)*)*
                }
            }

            fn append_zeros(&mut self, n_slots: usize) {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.append_zeros(n_slots),)*)*
                }
            }

            fn is_unfinished(&self) -> bool {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder.is_unfinished(),)*)*
                }
            }
        }

        impl AnyBuilder {
            fn variant(&self) -> &'static str {
                match self {
                    $($(AnyBuilder::$variant(_) => stringify!($variant),)*)*
                }
            }

            fn as_any(&mut self) -> &mut dyn Any {
                match self {
                    $($(AnyBuilder::$variant(builder) => builder,)*)*
                }
            }
        }

        $($(impl From<$builder> for AnyBuilder {
            fn from(builder: $builder) -> AnyBuilder {
                AnyBuilder::$variant(builder)
            }
        })*)*

        /// Makes the builder of a type. `children` are the builders of its child types.
        #[inline(never)]
        fn from_children(data_type: &DataType, children: Vec<AnyBuilder>) -> Result<AnyBuilder, ArrayError> {
            let data_type = data_type.clone();
            match kind(&data_type) {
                $($(Kind::$variant { .. } => {
                    <$builder as FromDataType>::from_data_type(data_type, children).map(AnyBuilder::$variant)
                })*)*
            }
        }
    };
}

each_type!(any_builder);

/// Prints the variant, the type and the number of slots.
impl fmt::Debug for AnyBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.variant())
            .field("data_type", &format_args!("{}", self.data_type()))
            .field("n_slots", &self.len())
            .finish_non_exhaustive()
    }
}

impl AnyBuilder {
    /// Makes an empty builder for arrays of this type.
    ///
    /// Recurses once for each level of nesting. If the type comes from untrusted input, check
    /// [`DataType::depth`](arrow_schema::DataType::depth) first.
    pub fn new(data_type: &DataType) -> AnyBuilder {
        // The builders of children are made first, so that each level of recursion uses little stack.
        let mut children = Vec::new();
        if let Some(dictionary) = data_type.as_dictionary() {
            children.push(AnyBuilder::new(dictionary.value()));
        }
        for field in data_type.children() {
            children.push(AnyBuilder::new(field.data_type()));
        }
        from_children(data_type, children).expect("the builders of its children are of its types")
    }

    /// The builder as a builder of type `B`, which has `append`. `None` if the variant contains another type.
    ///
    /// ```
    /// use arrow_array::{AnyBuilder, Int64Builder};
    /// use arrow_schema::DataType;
    ///
    /// let mut builder = AnyBuilder::new(&DataType::Int64);
    /// if let Some(numbers) = builder.downcast_mut::<Int64Builder>() {
    ///     numbers.extend([1, 2]);
    /// }
    /// assert_eq!(builder.len(), 2);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    pub fn downcast_mut<B: Builder + 'static>(&mut self) -> Option<&mut B> {
        self.as_any().downcast_mut()
    }
}

/// A builder that can be made from a type and the builders of its children.
trait FromDataType: Sized {
    /// # Errors
    /// If there is no builder for this type.
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError>;
}

impl<T: PrimitiveType> FromDataType for PrimitiveBuilder<T> {
    fn from_data_type(data_type: DataType, _: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        PrimitiveBuilder::try_new(data_type)
    }
}

/// Implements `FromDataType` for the builders of types without parameters.
macro_rules! from_plain_types {
    ($($builder:ident),*) => {$(
        impl FromDataType for $builder {
            fn from_data_type(_: DataType, _: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
                Ok($builder::new())
            }
        }
    )*};
}

from_plain_types!(
    NullBuilder,
    BooleanBuilder,
    BinaryBuilder,
    LargeBinaryBuilder,
    BinaryViewBuilder,
    Utf8Builder,
    LargeUtf8Builder,
    Utf8ViewBuilder
);

/// Implements `FromDataType` for the builders of lists with offsets.
macro_rules! from_lists {
    ($($builder:ident),*) => {$(
        impl FromDataType for $builder<Box<AnyBuilder>> {
            fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
                $builder::new(last(children, &data_type)?).with_type(data_type)
            }
        }
    )*};
}

from_lists!(ListBuilder, LargeListBuilder, ListViewBuilder, LargeListViewBuilder);

impl FromDataType for FixedSizeListBuilder<Box<AnyBuilder>> {
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        let size = data_type.as_fixed_size_list().map(|(_, size)| size.get());
        let size = size.ok_or_else(|| ArrayError::type_mismatch("fixed_size_list", &data_type))?;
        FixedSizeListBuilder::try_new(last(children, &data_type)?, size)?.with_type(data_type)
    }
}

impl FromDataType for FixedSizeBinaryBuilder {
    fn from_data_type(data_type: DataType, _: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        let Kind::FixedSizeBinary(n_bytes) = kind(&data_type) else {
            return Err(ArrayError::type_mismatch("fixed_size_binary", &data_type));
        };
        // This cannot fail, since a type has a length of at most `i32::MAX`.
        FixedSizeBinaryBuilder::try_new(u32::try_from(n_bytes).unwrap_or(u32::MAX))
    }
}

impl FromDataType for StructBuilder<Vec<AnyBuilder>> {
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        Ok(StructBuilder::from_data_type(data_type, children))
    }
}

impl FromDataType for UnionBuilder<Vec<AnyBuilder>> {
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        Ok(UnionBuilder::from_data_type(data_type, children))
    }
}

impl FromDataType for MapBuilder<Box<AnyBuilder>, Box<AnyBuilder>> {
    /// Takes the keys and the values out of the only child, which is a struct.
    fn from_data_type(data_type: DataType, mut children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        let entries = match children.pop() {
            Some(AnyBuilder::Struct(entries)) => entries.into_columns(),
            _ => Vec::new(),
        };
        match <[AnyBuilder; 2]>::try_from(entries) {
            Ok([keys, values]) => MapBuilder::new(Box::new(keys), Box::new(values)).with_type(data_type),
            Err(_) => Err(ArrayError::type_mismatch("map", &data_type)),
        }
    }
}

impl FromDataType for DictionaryBuilder<Box<AnyBuilder>> {
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        let index = data_type.as_dictionary().map(|dictionary| dictionary.index());
        let index = index.ok_or_else(|| ArrayError::type_mismatch("dictionary", &data_type))?;
        let values = last(children, &data_type)?;
        Ok(DictionaryBuilder::from_data_type(data_type, index, values))
    }
}

impl FromDataType for RunEndEncodedBuilder<Box<AnyBuilder>> {
    fn from_data_type(data_type: DataType, children: Vec<AnyBuilder>) -> Result<Self, ArrayError> {
        let run_ends = data_type.as_run_end_encoded().map(|runs| runs.run_end_type());
        let run_ends = run_ends.ok_or_else(|| ArrayError::type_mismatch("run_end_encoded", &data_type))?;
        RunEndEncodedBuilder::new(run_ends, last(children, &data_type)?).with_type(data_type)
    }
}

/// The last of the children: the items of a list, or the values of runs.
fn last(mut children: Vec<AnyBuilder>, data_type: &DataType) -> Result<Box<AnyBuilder>, ArrayError> {
    let last = children.pop();
    last.map(Box::new).ok_or_else(|| ArrayError::type_mismatch("a type with children", data_type))
}

builder_methods!(@common [] AnyBuilder => AnyArray);
