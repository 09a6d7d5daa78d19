//! The builders below a struct or a union.

use std::sync::Arc;

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, visit};

use super::{AnyBuilder, Builder, tuples::all_tuples};
use crate::{
    error::{ArrayError, ArrayErrorKind},
    kind::kind,
};

/// The builders of the columns of structs, or of the children of a union: a tuple of up to 16 builders. Use a `Vec` of
/// [`AnyBuilder`] for more builders, or for types that are known only at run time. Other crates cannot implement this
/// trait.
pub trait Children: Send + Sync + sealed::Lengths {
    /// The number of builders.
    fn n_children(&self) -> usize;

    /// The builder at a position; `None` if there are fewer builders.
    fn child(&self, position: usize) -> Option<&dyn Builder>;

    /// The builder at a position, mutably; `None` if there are fewer builders.
    fn child_mut(&mut self, position: usize) -> Option<&mut dyn Builder>;
}

/// Builders with the names of their fields, as a tuple of pairs: `(("id", Int64Builder::new()), …)`.
pub trait NamedChildren: sealed::Sealed {
    /// The builders without the names.
    type Children: Children;

    /// The fields, all nullable, and the builders.
    fn split(self) -> (Vec<Field>, Self::Children);
}

mod sealed {
    /// A private trait, so that other crates cannot implement [`Children`](super::Children).
    pub trait Lengths {
        /// Whether all builders have `n_slots` slots.
        fn all_have(&self, n_slots: usize) -> bool;
    }

    pub trait Sealed {}
}

macro_rules! tuples {
    ($(($($builder:ident $name:ident $position:tt),*))*) => {$(
        impl<$($builder: Builder),*> sealed::Lengths for ($($builder,)*) {
            #[inline]
            fn all_have(&self, n_slots: usize) -> bool {
                $(self.$position.len() == n_slots)&&*
            }
        }

        impl<$($builder: Builder),*> Children for ($($builder,)*) {
            fn n_children(&self) -> usize {
                const { [$(stringify!($builder)),*].len() }
            }

            fn child(&self, position: usize) -> Option<&dyn Builder> {
                match position {
                    $($position => Some(&self.$position),)*
                    _ => None,
                }
            }

            fn child_mut(&mut self, position: usize) -> Option<&mut dyn Builder> {
                match position {
                    $($position => Some(&mut self.$position),)*
                    _ => None,
                }
            }
        }

        impl<$($builder: Builder, $name: Into<Arc<str>>),*> NamedChildren for ($(($name, $builder),)*) {
            type Children = ($($builder,)*);

            fn split(self) -> (Vec<Field>, Self::Children) {
                let fields = vec![$(Field::new(self.$position.0, self.$position.1.data_type().clone())),*];
                (fields, ($(self.$position.1,)*))
            }
        }

        impl<$($builder: Builder, $name: Into<Arc<str>>),*> sealed::Sealed for ($(($name, $builder),)*) {}
    )*};
}

all_tuples!(tuples);

impl sealed::Lengths for Vec<AnyBuilder> {
    fn all_have(&self, n_slots: usize) -> bool {
        visit(Vec::len(self));
        self.iter().all(|builder| builder.len() == n_slots)
    }
}

impl Children for Vec<AnyBuilder> {
    fn n_children(&self) -> usize {
        self.len()
    }

    fn child(&self, position: usize) -> Option<&dyn Builder> {
        self.get(position).map(|builder| builder as &dyn Builder)
    }

    fn child_mut(&mut self, position: usize) -> Option<&mut dyn Builder> {
        self.get_mut(position).map(|builder| builder as &mut dyn Builder)
    }
}

impl<N: Into<Arc<str>>> sealed::Sealed for Vec<(N, AnyBuilder)> {}

impl<N: Into<Arc<str>>> NamedChildren for Vec<(N, AnyBuilder)> {
    type Children = Vec<AnyBuilder>;

    fn split(self) -> (Vec<Field>, Vec<AnyBuilder>) {
        let field = |(name, builder): (N, AnyBuilder)| {
            (Field::new(name, Builder::data_type(&builder).clone()), builder)
        };
        self.into_iter().map(field).unzip()
    }
}

/// The builders in order.
pub(super) fn each(children: &impl Children) -> impl Iterator<Item = &dyn Builder> {
    visit(children.n_children());
    (0..children.n_children()).map_while(|position| children.child(position))
}

/// Calls a function for each builder.
pub(super) fn for_each(children: &mut impl Children, mut act: impl FnMut(usize, &mut dyn Builder)) {
    visit(children.n_children());
    for position in 0..children.n_children() {
        if let Some(child) = children.child_mut(position) {
            act(position, child);
        }
    }
}

/// The error of the first builder that has one, with its field.
pub(super) fn error_of(children: &impl Children, data_type: &DataType) -> Option<ArrayError> {
    let in_child = |(position, child): (usize, &dyn Builder)| {
        let error = child.error()?;
        let name = data_type.children().get(position).map_or("", Field::name);
        Some(error.in_field(position, name))
    };
    each(children).enumerate().find_map(in_child)
}

/// The arrays of all builders. Every builder is finished, even if another builder fails.
pub(super) fn finish(
    children: &mut impl Children,
    data_type: &DataType,
) -> Result<Arc<[ArrayData]>, ArrayError> {
    let mut arrays = Vec::with_capacity(children.n_children());
    for_each(children, |position, child| {
        let name = data_type.children().get(position).map_or("", Field::name);
        arrays.push(child.finish_data().map_err(|error| error.in_field(position, name)));
    });
    arrays.into_iter().collect()
}

/// Replaces the type of a nested builder. The new type must have the same kind and parameters, and children with the
/// same types.
pub(super) fn retyped(
    current: &DataType,
    new: DataType,
    children: &[&DataType],
) -> Result<DataType, ArrayError> {
    if kind(current) != kind(&new) {
        return Err(ArrayError::type_mismatch(current.name(), &new));
    }
    if new.children().len() != children.len() {
        let (expected, found) = (new.children().len() as u64, children.len() as u64);
        return Err(ArrayErrorKind::ChildCount { expected, found }.into());
    }
    for (position, (field, found)) in new.children().iter().zip(children).enumerate() {
        if !field.data_type().same_type(found) {
            let (expected, found) = (field.data_type().clone(), (*found).clone());
            let error = ArrayError::from(ArrayErrorKind::FieldType { expected, found });
            return Err(error.in_field(position, field.name()));
        }
    }
    Ok(new)
}
