//! Builders of unions.

use std::fmt;

use arrow_buffer::Buffer;
use arrow_data::{ArrayData, ArrayParts};
use arrow_schema::{DataType, UnionMode};
use arrow_select::{SelectError, ValueWriter};

use super::{
    Append, AppendTo, Builder, Children, FirstFailure, NamedChildren,
    append::SlotLookup,
    assemble,
    children::{append_unused, each, error_of, finish, for_each, retyped},
    methods::builder_methods,
    offsets::overflow,
    sealed::Slots,
};
use crate::{
    array::UnionArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of unions, sparse or dense. `C` builds the children.
///
/// Each value is appended to one child, which determines the type id. If no child or more than one gets a value for a slot,
/// `finish` returns an error. A union has no nulls of its own, so `append_null` appends a null to the first child.
///
/// ```
/// use arrow_array::{AppendTo, Int64Builder, UnionBuilder, Utf8Builder};
/// use arrow_schema::UnionMode;
///
/// enum Id {
///     Number(i64),
///     Name(&'static str),
/// }
///
/// type IdChildren = (Int64Builder, Utf8Builder);
///
/// impl AppendTo<IdChildren> for Id {
///     fn append_to(self, (numbers, names): &mut IdChildren) {
///         match self {
///             Id::Number(number) => numbers.append(number),
///             Id::Name(name) => names.append(name),
///         }
///     }
/// }
///
/// let children = (("number", Int64Builder::new()), ("name", Utf8Builder::new()));
/// let mut ids = UnionBuilder::try_new(UnionMode::Dense, children)?;
/// ids.extend([Id::Number(7), Id::Name("ada")]);
/// ids.append_with(|(_, names)| names.append_null());
/// let ids = ids.finish()?;
/// assert_eq!(ids.type_ids(), [0, 1, 1]);
/// assert_eq!(
///     format!("{ids:?}"),
///     r#"dense_union<0=number: int64, 1=name: utf8> [{"number":7}, {"name":"ada"}, {"name":null}]"#
/// );
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Clone)]
pub struct UnionBuilder<C> {
    data_type: DataType,
    mode: UnionMode,
    /// The type id of each child.
    ids_of_children: Vec<i8>,
    type_ids: Vec<i8>,
    /// For each slot of the union, the slot of the child that has the value.
    child_slots: Vec<usize>,
    /// For each child, the number of slots that belong to slots of the union.
    n_slots_of: Vec<usize>,
    children: C,
    /// Whether `children_mut` was called since the last slot was made, so that there may be values without a slot.
    is_open: bool,
    failure: FirstFailure,
}

impl<C: Children> UnionBuilder<C> {
    /// Makes an empty builder for unions of these children: pairs of a name and a builder. All fields are nullable, and type
    /// ids count from 0. Removes values that are already in the builders.
    ///
    /// # Errors
    /// If there are more than 128 children.
    pub fn try_new(mode: UnionMode, children: impl NamedChildren<Children = C>) -> Result<Self, ArrayError> {
        let (fields, children) = children.split();
        let data_type = arrow_schema::UnionType::try_new(fields, None, mode)?.into();
        Ok(UnionBuilder::from_data_type(data_type, children))
    }

    pub(super) fn from_data_type(data_type: DataType, mut children: C) -> Self {
        for_each(&mut children, |_, child| child.truncate(0));
        let (mode, ids_of_children) = mode_and_ids(&data_type);
        let type_ids = Vec::new();
        let child_slots = Vec::new();
        let n_slots_of = vec![0; children.n_children()];
        let failure = FirstFailure::default();
        let is_open = false;
        UnionBuilder {
            data_type,
            mode,
            ids_of_children,
            type_ids,
            child_slots,
            n_slots_of,
            children,
            is_open,
            failure,
        }
    }

    /// Sets the type of the array, which may differ from the previous type in type ids, and in names, nullability and metadata
    /// of fields. The type ids of existing slots change, too.
    ///
    /// # Errors
    /// If the mode, the number of children or the type of a child differs.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let found: Vec<&DataType> = each(&self.children).map(|child| child.data_type()).collect();
        let data_type = retyped(&self.data_type, data_type, &found)?;
        let (mode, ids_of_children) = mode_and_ids(&data_type);
        if mode != self.mode {
            return Err(ArrayError::type_mismatch(self.data_type.name(), &data_type));
        }
        let child_of = |id: &i8| self.ids_of_children.iter().position(|known| known == id);
        let new_id = |id: &i8| child_of(id).and_then(|child| ids_of_children.get(child)).copied();
        let type_ids = self.type_ids.iter().filter_map(new_id).collect();
        Ok(UnionBuilder { data_type, ids_of_children, type_ids, ..self })
    }

    /// The builders of the children, with the values of all slots so far.
    pub fn children(&self) -> &C {
        &self.children
    }

    /// Appends one slot. `append` must append exactly one value, to one of the children.
    pub fn append_with(&mut self, append: impl FnOnce(&mut C)) {
        append(self.children_mut());
        self.close();
    }

    /// The builders of the children, for appending the next value to one of them. After the value, call
    /// [`close`](UnionBuilder::close), which makes a slot from it. Until then, a null, `truncate` or `finish`
    /// removes the value.
    #[inline]
    pub fn children_mut(&mut self) -> &mut C {
        self.is_open = true;
        &mut self.children
    }

    /// Makes a slot from the one value that was appended to [`children_mut`](UnionBuilder::children_mut) since the last slot.
    pub fn close(&mut self) {
        self.is_open = false;
        let mut n_values = 0_usize;
        let mut selected = 0;
        let mut truncated = None;
        for (position, (child, n_before)) in each(&self.children).zip(&self.n_slots_of).enumerate() {
            match child.len().checked_sub(*n_before) {
                Some(0) => {}
                Some(n) => (n_values, selected) = (n_values.saturating_add(n), position),
                None => truncated = Some(position),
            }
        }
        if let Some(position) = truncated {
            self.remember_truncated(position);
        }
        if n_values == 1 && truncated.is_none() {
            self.select(selected);
        } else {
            self.fail(ArrayErrorKind::NotOneValue { found: n_values as u64 });
        }
    }

    /// Makes a slot of the union from the last value of the child `selected`.
    fn select(&mut self, selected: usize) {
        let child_slot = *self.n_slots_of.get(selected).expect("a child was selected");
        if self.mode == UnionMode::Dense && i32::try_from(child_slot).is_err() {
            return self.fail(overflow::<i32>(child_slot, "values of a child"));
        }
        self.type_ids.push(*self.ids_of_children.get(selected).expect("a child was selected"));
        self.child_slots.push(child_slot);
        let Self { mode, children, n_slots_of, .. } = self;
        for (position, n_slots) in n_slots_of.iter_mut().enumerate() {
            if position == selected {
                *n_slots += 1;
            } else if *mode == UnionMode::Sparse {
                *n_slots += 1;
                // In a sparse union, the other children need a slot, too. Its value has no meaning.
                if let Some(child) = children.child_mut(position) {
                    append_unused(child, 1);
                }
            }
        }
    }

    /// Removes the values without a slot and stores the error. The slot becomes a null of the first child that can take one.
    #[cold]
    fn fail(&mut self, kind: ArrayErrorKind) {
        self.failure.remember(self.type_ids.len(), kind);
        self.forget_unfinished();
        let fits = |n_slots: &usize| self.mode == UnionMode::Sparse || i32::try_from(*n_slots).is_ok();
        if let Some(position) = self.n_slots_of.iter().position(fits)
            && let Some(child) = self.children.child_mut(position)
        {
            child.append_null();
            self.select(position);
        }
    }

    /// Stores an error because the caller removed values of a child. The error names the first slot that lost its value.
    #[cold]
    fn remember_truncated(&mut self, position: usize) {
        let n_left = self.children.child(position).map_or(0, |child| child.len());
        let id = self.ids_of_children.get(position);
        let is_missed = |(type_id, child_slot): (&i8, &usize)| {
            *child_slot >= n_left && (self.mode == UnionMode::Sparse || Some(type_id) == id)
        };
        let slot = self.type_ids.iter().zip(&self.child_slots).position(is_missed);
        let kind = ArrayErrorKind::NotOneValue { found: 0 };
        self.failure.remember(slot.unwrap_or(self.type_ids.len()), kind);
    }

    /// Removes values of children that belong to no slot.
    fn forget_unfinished(&mut self) {
        self.is_open = false;
        let Self { children, n_slots_of, .. } = self;
        for_each(children, |position, child| {
            let n_slots = *n_slots_of.get(position).expect("there is a count for each child");
            child.truncate(n_slots);
        });
    }

    /// Appends slots that select the first child. `append` appends one value to it.
    fn append_to_first(&mut self, n_slots: usize, append: impl Fn(&mut dyn Builder)) {
        if n_slots == 0 {
            return;
        }
        self.forget_unfinished();
        let Some(n_before) = self.n_slots_of.first() else {
            return self.fail(ArrayErrorKind::NotOneValue { found: 0 });
        };
        let last = n_before.saturating_add(n_slots - 1);
        if self.mode == UnionMode::Dense && i32::try_from(last).is_err() {
            return self.fail(overflow::<i32>(last, "values of a child"));
        }
        self.reserve(n_slots);
        for _ in 0..n_slots {
            self.children.child_mut(0).into_iter().for_each(&append);
            self.select(0);
        }
    }

    fn child_of(&self, slot: usize) -> Option<(&dyn Builder, usize)> {
        let type_id = self.type_ids.get(slot)?;
        let position = self.ids_of_children.iter().position(|id| id == type_id)?;
        self.children.child(position).zip(self.child_slots.get(slot).copied())
    }
}

fn mode_and_ids(data_type: &DataType) -> (UnionMode, Vec<i8>) {
    let union = data_type.as_union();
    let mode = union.map_or(UnionMode::Sparse, |union| union.mode());
    (mode, union.map_or(Vec::new(), |union| union.type_ids().to_vec()))
}

/// Prints the type and the number of slots. Large tuples have no `Debug`.
impl<C> fmt::Debug for UnionBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { data_type, type_ids, failure, .. } = self;
        f.debug_struct("UnionBuilder")
            .field("data_type", &format_args!("{data_type}"))
            .field("n_slots", &type_ids.len())
            .field("failure", failure)
            .finish_non_exhaustive()
    }
}

impl<C: Children> Builder for UnionBuilder<C> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.type_ids.len()
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.append_to_first(n_slots, |first| first.append_null());
    }

    fn reserve(&mut self, n_slots: usize) {
        self.type_ids.reserve(n_slots);
        self.child_slots.reserve(n_slots);
    }

    fn truncate(&mut self, n_slots: usize) {
        while self.type_ids.len() > n_slots
            && let (Some(type_id), Some(child_slot)) = (self.type_ids.pop(), self.child_slots.pop())
        {
            let position = self.ids_of_children.iter().position(|id| *id == type_id);
            if let Some(n) = position.and_then(|position| self.n_slots_of.get_mut(position)) {
                *n = child_slot;
            }
        }
        if self.mode == UnionMode::Sparse {
            self.n_slots_of.fill(self.type_ids.len());
        }
        self.failure.truncate(n_slots);
        self.forget_unfinished();
    }

    fn error(&self) -> Option<ArrayError> {
        self.failure.error().or_else(|| error_of(&self.children, &self.data_type))
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.forget_unfinished();
        let parts = ArrayParts::new(self.data_type.clone(), self.type_ids.len());
        let type_ids = Buffer::from(std::mem::take(&mut self.type_ids));
        let child_slots = std::mem::take(&mut self.child_slots);
        self.n_slots_of.fill(0);
        let children = finish(&mut self.children, &self.data_type);
        self.failure.take()?;
        let buffers = match self.mode {
            UnionMode::Sparse => [type_ids, Buffer::new()],
            // The casts lose nothing, since `select` has checked each offset.
            UnionMode::Dense => {
                [type_ids, child_slots.into_iter().map(|child_slot| child_slot as i32).collect()]
            }
        };
        assemble(ArrayParts { buffers, children: Some(children?), ..parts })
    }
}

impl<C: Children> Slots for UnionBuilder<C> {
    fn is_null_slot(&self, _slot: usize) -> bool {
        false
    }

    fn max_nulls(&self) -> usize {
        0
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        match (self.type_ids.get(slot), self.child_of(slot)) {
            (Some(type_id), Some((child, at))) => {
                to.type_id(*type_id)?;
                child.write_value(at, to)
            }
            _ => to.null(),
        }
    }

    fn refuses_nulls(&self) -> bool {
        let first = self.data_type.children().first().zip(self.children.child(0));
        first.is_some_and(|(field, child)| !field.is_nullable() || child.refuses_nulls())
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.append_to_first(n_slots, |first| first.append_zeros(1));
    }

    fn is_unfinished(&self) -> bool {
        self.is_open
    }
}

impl<C: Children, V: AppendTo<C>> Append<V> for UnionBuilder<C> {
    fn append(&mut self, value: V) {
        if value.is_null() {
            self.append_nulls(1);
        } else {
            value.append_to(self.children_mut());
            self.close();
        }
    }
}

impl<C: Children, V: AppendTo<C>> SlotLookup<V> for UnionBuilder<C> {}

builder_methods!([C: Children,] UnionBuilder<C> => UnionArray);
