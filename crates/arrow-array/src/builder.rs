//! Builders make arrays value by value. Each layout has a file.
//!
//! All builders have the same methods. If a value cannot be appended, for example a list of the wrong length, its slot becomes
//! null. [`Builder::finish_data`] returns the first such error, so a loop that appends values need not check for errors.

mod any;
mod append;
mod binary;
mod boolean;
mod children;
mod dictionary;
mod fixed_size_binary;
mod fixed_size_list;
mod list;
mod list_view;
mod lists;
mod map;
mod methods;
mod null;
mod offsets;
pub(crate) mod primitive;
mod runs;
mod slots;
mod structs;
mod text;
mod union;
mod validity;
mod value_comparer;
mod values;
mod views;

use std::fmt;

use arrow_data::ArrayData;
use arrow_schema::DataType;
use arrow_select::{SelectError, ValueWriter};

use crate::array::assemble;
use crate::error::ArrayError;

pub use self::{
    any::AnyBuilder,
    append::{Append, AppendTo, ListSlot},
    binary::{BinaryBuilder, GenericBinaryBuilder, LargeBinaryBuilder},
    boolean::BooleanBuilder,
    children::{Children, NamedChildren},
    dictionary::DictionaryBuilder,
    fixed_size_binary::FixedSizeBinaryBuilder,
    fixed_size_list::FixedSizeListBuilder,
    list::{GenericListBuilder, LargeListBuilder, ListBuilder},
    list_view::{GenericListViewBuilder, LargeListViewBuilder, ListViewBuilder},
    lists::ListsBuilder,
    map::MapBuilder,
    null::NullBuilder,
    primitive::PrimitiveBuilder,
    runs::RunEndEncodedBuilder,
    slots::{BoolSlot, BytesSlot, TextSlot},
    structs::StructBuilder,
    text::{GenericUtf8Builder, LargeUtf8Builder, Utf8Builder},
    union::UnionBuilder,
    values::ValuesBuilder,
    views::{BinaryViewBuilder, Utf8ViewBuilder},
};

/// The methods that all builders have. Also works as `dyn Builder`.
///
/// Each builder also has these methods without the trait, so the trait need not be in scope. Each also has a `finish()` that
/// returns a typed array. Values are appended through [`Append`].
///
/// ```
/// use arrow_array::{Builder, Int64Builder, ListBuilder};
///
/// let mut lists = ListBuilder::new(Int64Builder::new());
/// lists.append(vec![1, 2]);
/// lists.append_null();
/// let builder: &mut dyn Builder = &mut lists;
/// builder.append_nulls(2);
/// assert_eq!((builder.len(), builder.data_type().to_string()), (4, "list<item: int64>".to_owned()));
/// builder.truncate(2);
/// let lists = lists.finish()?;
/// assert_eq!((lists.len(), lists.null_count()), (2, 1));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
pub trait Builder: sealed::Slots + fmt::Debug + Send + Sync {
    /// The Arrow type that the finished array will have.
    fn data_type(&self) -> &DataType;

    /// The number of slots that were appended since the builder was empty.
    fn len(&self) -> usize;

    /// Whether the builder has no slots.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a null slot.
    ///
    /// A union has no nulls of its own, so a null is appended to its first child. Structs, sparse unions and fixed-size lists
    /// need child slots for each slot, so a null is appended to their children, too, or an empty value where a null would need
    /// a field that is nullable.
    fn append_null(&mut self) {
        self.append_nulls(1);
    }

    /// Appends `n_slots` null slots, which is faster than one call for each.
    fn append_nulls(&mut self, n_slots: usize);

    /// Reserves memory for `n_slots` more slots, so that later appends allocate less often.
    fn reserve(&mut self, n_slots: usize);

    /// Removes all slots after the first `n_slots`, with their items, their errors, and the dictionary values that only they
    /// use. Does nothing if the builder has at most `n_slots` slots.
    fn truncate(&mut self, n_slots: usize);

    /// The first error since the builder was empty. [`finish_data`](Builder::finish_data) will return it.
    fn error(&self) -> Option<ArrayError>;

    /// Returns the array of all slots. The builder is then empty, even after an error, and can be used again.
    ///
    /// # Errors
    /// The first error since the builder was empty.
    fn finish_data(&mut self) -> Result<ArrayData, ArrayError>;
}

impl<B: Builder + ?Sized> Builder for Box<B> {
    fn data_type(&self) -> &DataType {
        (**self).data_type()
    }

    fn len(&self) -> usize {
        (**self).len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        (**self).append_nulls(n_slots);
    }

    fn reserve(&mut self, n_slots: usize) {
        (**self).reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        (**self).truncate(n_slots);
    }

    fn error(&self) -> Option<ArrayError> {
        (**self).error()
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        (**self).finish_data()
    }
}

impl<B: Builder + ?Sized> sealed::Slots for Box<B> {
    fn is_null_slot(&self, slot: usize) -> bool {
        (**self).is_null_slot(slot)
    }

    fn max_nulls(&self) -> usize {
        (**self).max_nulls()
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        (**self).write_value(slot, to)
    }

    fn refuses_nulls(&self) -> bool {
        (**self).refuses_nulls()
    }

    fn append_zeros(&mut self, n_slots: usize) {
        (**self).append_zeros(n_slots);
    }

    fn is_unfinished(&self) -> bool {
        (**self).is_unfinished()
    }
}

pub(crate) mod sealed {
    use arrow_select::{SelectError, ValueWriter};

    pub(crate) use super::value_comparer::SlotHasher;

    /// Reads appended slots as bytes, which the builders of dictionaries and runs compare to find equal values, and appends
    /// slots for the builders of nested types. The trait is private to this crate, so other crates cannot implement [`Builder`].
    pub trait Slots {
        /// Whether a slot is null or selects a null value.
        fn is_null_slot(&self, slot: usize) -> bool;

        /// While the builder has fewer slots than this, appending a null cannot fail. [`ValueWriter::null`] writes the
        /// bytes of such a null.
        fn max_nulls(&self) -> usize {
            usize::MAX
        }

        /// Writes the value of a slot as bytes: the same bytes that [`arrow_select::ValueBytes`] writes for the finished array.
        fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError>;

        /// Whether `finish` refuses nulls of this builder: its type has no bitmap, so a null is stored in a child, and the
        /// field of the child is not nullable.
        fn refuses_nulls(&self) -> bool {
            false
        }

        /// Appends slots of zeros and empty values, which are not null unless the type has only nulls.
        fn append_zeros(&mut self, n_slots: usize);

        /// Whether children may have values that belong to no slot and that the next slot would take, or may lack values.
        /// `truncate` removes the former.
        fn is_unfinished(&self) -> bool {
            false
        }
    }
}

/// The slot that failed first, and its error.
#[derive(Debug, Clone, Default)]
struct FirstFailure(Option<Box<(usize, ArrayError)>>);

impl FirstFailure {
    /// Stores the error of a slot, unless this slot or an earlier one already has an error.
    ///
    /// Slots may fail out of order: if the caller removes values of a nested builder, earlier slots fail.
    #[cold]
    fn remember(&mut self, slot: usize, error: impl Into<ArrayError>) {
        if self.0.as_ref().is_none_or(|failure| slot < failure.0) {
            self.0 = Some(Box::new((slot, error.into())));
        }
    }

    fn error(&self) -> Option<ArrayError> {
        self.0.as_ref().map(|failure| failure.1.clone())
    }

    /// Removes the error of a slot after the first `n_slots`.
    fn truncate(&mut self, n_slots: usize) {
        self.0.take_if(|failure| failure.0 >= n_slots);
    }

    /// Returns the stored error, if any, and removes it.
    fn take(&mut self) -> Result<(), ArrayError> {
        match self.0.take() {
            Some(failure) => Err(failure.1),
            None => Ok(()),
        }
    }
}
