//! Builders: arrays put together value by value, one file for each layout.
//!
//! All builders have the same functions. What may go wrong while values come (more bytes than offsets can hold, a
//! list of the wrong length) is remembered, the slot becomes null, and [`Builder::finish_data`] reports it: so a loop
//! that appends has nothing to check, and nothing ever wraps.

mod any;
mod append;
mod binary;
mod boolean;
mod children;
mod dictionary;
mod failure;
mod fixed_size_binary;
mod fixed_size_list;
mod list;
mod list_view;
mod lists;
mod map;
mod methods;
mod null;
mod numbers;
mod offsets;
pub(crate) mod primitive;
mod runs;
mod same;
mod slots;
mod structs;
mod text;
mod union;
mod validity;
mod views;

use std::fmt;

use arrow_data::{ArrayData, DataError, ValueWriter};
use arrow_schema::DataType;

use crate::error::ArrayError;

pub use self::{
    any::AnyBuilder,
    append::{Append, AppendTo, ListSlot},
    binary::{BinaryBuilder, BinaryBuilderOf, LargeBinaryBuilder},
    boolean::BooleanBuilder,
    children::{Children, NamedChildren},
    dictionary::DictionaryBuilder,
    fixed_size_binary::FixedSizeBinaryBuilder,
    fixed_size_list::FixedSizeListBuilder,
    list::{LargeListBuilder, ListBuilder, ListBuilderOf},
    list_view::{LargeListViewBuilder, ListViewBuilder, ListViewBuilderOf},
    lists::ListsBuilder,
    map::MapBuilder,
    null::NullBuilder,
    primitive::PrimitiveBuilder,
    runs::RunEndEncodedBuilder,
    slots::{BoolSlot, BytesSlot, TextSlot},
    structs::StructBuilder,
    text::{LargeUtf8Builder, Utf8Builder, Utf8BuilderOf},
    union::UnionBuilder,
    views::{BinaryViewBuilder, Utf8ViewBuilder},
};

/// What all builders have in common; also as `dyn Builder`.
///
/// Each builder has the same functions of its own, so this trait need not be in scope to use one, and a `finish()`
/// that gives its typed array. Values are appended through [`Append`].
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
    /// The type of the array that is built.
    fn data_type(&self) -> &DataType;

    /// The number of slots so far.
    fn len(&self) -> usize;

    /// Whether there are no slots so far.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends a null.
    ///
    /// A union has no nulls of its own: its first child gets one. In children of structs, of sparse unions and of
    /// fixed-size lists, which need a slot for each of their parent, get a null then, too.
    fn append_null(&mut self) {
        self.append_nulls(1);
    }

    /// Appends `n_slots` nulls.
    fn append_nulls(&mut self, n_slots: usize);

    /// Makes room for `n_slots` more, so that appending them allocates less. Never needed.
    fn reserve(&mut self, n_slots: usize);

    /// Forgets all but the first `n_slots` slots, with all that was appended for them: dictionaries lose the
    /// values that came with them, too, and what went wrong with them is forgotten. Does nothing when there are no more.
    fn truncate(&mut self, n_slots: usize);

    /// What went wrong so far, which [`finish_data`](Builder::finish_data) will report.
    fn error(&self) -> Option<ArrayError>;

    /// The array of all slots. The builder is empty afterwards, also on errors, and can be used again.
    ///
    /// # Errors
    /// If anything went wrong since the builder was empty: the first of it.
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

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError> {
        (**self).write_value(slot, to)
    }
}

pub(crate) mod sealed {
    use arrow_data::{DataError, ValueWriter};

    pub(crate) use super::same::SlotHasher;

    /// The values of slots that have been appended, by which dictionaries and runs recognise them. Closes the set of
    /// builders.
    pub trait Slots {
        /// Whether a slot is null, by the array's own bitmap or by what its position selects.
        fn is_null_slot(&self, slot: usize) -> bool;

        /// Up to so many slots there can be without one going wrong because it is null, and a null is one of the bytes of
        /// [`ValueWriter::null`].
        fn max_nulls(&self) -> usize {
            usize::MAX
        }

        /// Appends the bytes of the value of a slot: those that [`arrow_data::ValueBytes`] writes of the finished array.
        fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), DataError>;
    }
}
