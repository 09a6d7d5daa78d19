//! The child builders of a struct or a union builder.

use std::sync::Arc;

use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, visit};

use super::{AnyBuilder, Builder};
use crate::{
    error::{ArrayError, ArrayErrorKind},
    kind::kind,
};

/// The builders of the columns of structs, or of the children of a union: a tuple of up to 16 builders. For more builders, or
/// types that are not known before run time, use a `Vec` of [`AnyBuilder`]. Other crates cannot implement this trait.
pub trait Children: Send + Sync + sealed::Lengths {
    /// The number of child builders.
    fn n_children(&self) -> usize;

    /// The builder with the index `position`. `None` if out of bounds.
    fn child(&self, position: usize) -> Option<&dyn Builder>;

    /// The builder with the index `position`, for appending. `None` if out of bounds.
    fn child_mut(&mut self, position: usize) -> Option<&mut dyn Builder>;
}

/// Builders with field names, as a tuple of pairs: `(("id", Int64Builder::new()), …)`.
pub trait NamedChildren: sealed::Sealed {
    /// The tuple of the builders without the names.
    type Children: Children;

    /// Splits the pairs into fields and builders. The fields are nullable.
    fn split(self) -> (Vec<Field>, Self::Children);
}

mod sealed {
    /// This trait is private, so other crates cannot implement [`Children`](super::Children).
    pub trait Lengths {
        /// Whether each builder has exactly `n_slots` slots.
        fn all_have(&self, n_slots: usize) -> bool;
    }

    pub trait Sealed {}
}

/// Calls a macro once for each length of tuple, up to 16. For each builder, the macro gets two type names and the index.
macro_rules! all_tuples {
    ($tuples:ident) => {
        #[rustfmt::skip]
        $tuples! {
            (A VA 0)
            (A VA 0, B VB 1)
            (A VA 0, B VB 1, C VC 2)
            (A VA 0, B VB 1, C VC 2, D VD 3)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13, O VO 14)
            (A VA 0, B VB 1, C VC 2, D VD 3, E VE 4, F VF 5, G VG 6, H VH 7, I VI 8, J VJ 9, K VK 10, L VL 11, M VM 12, N VN 13, O VO 14, P VP 15)
        }
    };
}

pub(super) use all_tuples;

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

/// Iterates over the builders in order.
pub(super) fn each(children: &impl Children) -> impl Iterator<Item = &dyn Builder> {
    visit(children.n_children());
    (0..children.n_children()).map_while(|position| children.child(position))
}

/// Calls `act` with each builder and its index.
pub(super) fn for_each(children: &mut impl Children, mut act: impl FnMut(usize, &mut dyn Builder)) {
    visit(children.n_children());
    for position in 0..children.n_children() {
        if let Some(child) = children.child_mut(position) {
            act(position, child);
        }
    }
}

/// Appends slots that have no meaning, since a parent is null there or selects another child: nulls, unless the builder
/// refuses them.
pub(super) fn append_unused(child: &mut (impl Builder + ?Sized), n_slots: usize) {
    if child.refuses_nulls() {
        child.append_zeros(n_slots);
    } else {
        child.append_nulls(n_slots);
    }
}

/// The error of the first child builder that has one. The error names the field of the child.
pub(super) fn error_of(children: &impl Children, data_type: &DataType) -> Option<ArrayError> {
    let in_child = |(position, child): (usize, &dyn Builder)| {
        let error = child.error()?;
        let name = data_type.children().get(position).map_or("", Field::name);
        Some(error.in_field(position, name))
    };
    each(children).enumerate().find_map(in_child)
}

/// Finishes each builder, even after one has failed. Returns the arrays, or the first error.
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

/// Checks that `new` can replace the type of a nested builder, and returns the type. `new` must have the same kind and
/// parameters as `current`, and its fields the types in `children`.
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
