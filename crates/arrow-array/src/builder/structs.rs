//! Builders of structs.

use std::{fmt, sync::Arc};

use arrow_data::{ArrayData, ArrayParts, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::{SelectError, ValueWriter};

use super::{
    AnyBuilder, Append, AppendTo, Builder, Children, FirstFailure, NamedChildren,
    append::SlotLookup,
    assemble,
    children::{append_unused, each, error_of, finish, for_each, retyped},
    methods::builder_methods,
    sealed::Slots,
    validity::Validity,
};
use crate::{
    array::StructArray,
    error::{ArrayError, ArrayErrorKind},
};

/// Builds arrays of structs, or the rows of a batch. `C` builds the columns.
///
/// If no value is appended to a column for a struct, the column gets a null. If several values are appended to a column, or if
/// a column that is not nullable gets a null, `finish` returns an error. `C` is a tuple of up to 16 builders;
/// [`from_schema`](StructBuilder::from_schema) makes a builder for any number of columns.
///
/// ```
/// use arrow_array::{Int64Builder, StructBuilder, Utf8Builder};
///
/// let mut people = StructBuilder::new((("id", Int64Builder::new()), ("name", Utf8Builder::new())));
/// people.append((1, "ada"));
/// people.append((2, None::<&str>));
/// people.append_with(|(id, _)| id.append(3));
/// let batch = people.finish_batch()?;
/// assert_eq!(batch.schema().to_string(), "id: int64\nname: utf8");
/// assert_eq!((batch.n_rows(), batch.column_at(1).map(|names| names.null_count())), (3, Some(2)));
/// # Ok::<(), arrow_array::ArrayError>(())
/// ```
#[derive(Clone)]
pub struct StructBuilder<C> {
    data_type: DataType,
    n_slots: usize,
    columns: C,
    validity: Validity,
    /// The first error of a struct, or of a column that `column_mut` has returned.
    failure: FirstFailure,
    /// The indices of the columns that `column_mut` has returned since the last struct was completed.
    given: Vec<usize>,
    /// Whether `columns_mut` or `column_mut` was called since the last struct was completed, so that there may be values of
    /// an unfinished struct.
    is_open: bool,
    /// Whether columns may have fewer slots than there are structs. `even_out` appends the lacking nulls.
    is_uneven: bool,
    /// Whether `columns_mut` was called, so that any column may have new values.
    is_whole: bool,
    /// While there are fewer structs than this, appending a null to a column cannot fail, so it may be done later.
    max_uneven: usize,
}

impl<C: Children> StructBuilder<C> {
    /// Makes an empty builder for structs of these columns: pairs of a name and a builder. All fields are nullable. Removes
    /// values that are already in the builders.
    pub fn new(columns: impl NamedChildren<Children = C>) -> Self {
        let (fields, columns) = columns.split();
        StructBuilder::from_data_type(DataType::struct_(fields), columns)
    }

    pub(super) fn from_data_type(data_type: DataType, mut columns: C) -> Self {
        for_each(&mut columns, |_, column| column.truncate(0));
        let max_uneven = each(&columns).map(|column| column.max_nulls()).min().unwrap_or(usize::MAX);
        StructBuilder {
            data_type,
            n_slots: 0,
            columns,
            validity: Validity::default(),
            failure: FirstFailure::default(),
            given: Vec::new(),
            is_open: false,
            is_uneven: false,
            is_whole: false,
            max_uneven,
        }
    }

    /// Sets the type of the array, which may differ from the previous type in names, nullability and metadata of fields.
    ///
    /// # Errors
    /// If the number of fields or the type of a field differs.
    pub fn with_type(self, data_type: DataType) -> Result<Self, ArrayError> {
        let found: Vec<&DataType> = each(&self.columns).map(|column| column.data_type()).collect();
        let data_type = retyped(&self.data_type, data_type, &found)?;
        Ok(StructBuilder { data_type, ..self })
    }

    /// Sets the fields of the structs. Names, nullability and metadata may differ from the previous fields, types may not.
    ///
    /// ```
    /// use arrow_array::{Int64Builder, StructBuilder};
    /// use arrow_schema::{DataType, Field};
    ///
    /// let rows = StructBuilder::new((("id", Int64Builder::new()),));
    /// let mut rows = rows.with_fields([Field::new("id", DataType::Int64).required()])?;
    /// rows.append((None::<i64>,));
    /// let error = rows.finish_batch().unwrap_err();
    /// assert_eq!(error.to_string(), "field `id`, validity, slot 0: the value is null, but the field is not nullable");
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    ///
    /// # Errors
    /// If the number of fields or the type of a field differs.
    pub fn with_fields(self, fields: impl Into<Arc<[Field]>>) -> Result<Self, ArrayError> {
        self.with_type(DataType::struct_(fields))
    }

    /// The builders of the columns. A column may have fewer slots than there are structs; the lacking slots are nulls that are
    /// appended later.
    pub fn columns(&self) -> &C {
        &self.columns
    }

    pub(super) fn into_columns(self) -> C {
        self.columns
    }

    /// Appends one struct. `append` must append one value to each column; a column without a value gets a null.
    #[inline]
    pub fn append_with(&mut self, append: impl FnOnce(&mut C)) {
        append(self.columns_mut());
        self.close_whole(1);
    }

    /// Like [`append_with`](StructBuilder::append_with), for an `append` that can fail. After an error, the values that it
    /// appended stay until [`truncate`](StructBuilder::truncate) removes them.
    #[inline]
    pub fn try_append_with<E>(&mut self, append: impl FnOnce(&mut C) -> Result<(), E>) -> Result<(), E> {
        append(self.columns_mut())?;
        self.close_whole(1);
        Ok(())
    }

    /// Like [`try_append_with`](StructBuilder::try_append_with), for `n_structs` structs: `append` must append that many values
    /// to each column. It may append them column by column, which is faster than row by row.
    ///
    /// ```
    /// use arrow_array::{Int64Builder, StructBuilder, Utf8Builder};
    ///
    /// let mut people = StructBuilder::new((("id", Int64Builder::new()), ("name", Utf8Builder::new())));
    /// people.try_append_many_with(2, |(id, name)| {
    ///     [1, 2].into_iter().for_each(|value| id.append(value));
    ///     ["ada", "grace"].into_iter().for_each(|value| name.append(value));
    ///     Ok::<(), arrow_array::ArrayError>(())
    /// })?;
    /// assert_eq!(format!("{:?}", people.finish()?.value(1)), r#"{"id":2,"name":"grace"}"#);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    #[inline]
    pub fn try_append_many_with<E>(
        &mut self,
        n_structs: usize,
        append: impl FnOnce(&mut C) -> Result<(), E>,
    ) -> Result<(), E> {
        let was_whole = self.is_whole;
        append(self.columns_mut())?;
        self.close_whole(n_structs);
        self.is_whole = was_whole || error_of(&self.columns, &self.data_type).is_some();
        Ok(())
    }

    /// The builders of the columns, for appending the values of the next struct one by one. After the values, call
    /// [`close`](StructBuilder::close), which makes a struct of them. Otherwise the values stay for the next struct, until a
    /// null, `truncate` or `finish` removes them.
    ///
    /// ```
    /// use arrow_array::{Int64Builder, StructBuilder, Utf8Builder};
    ///
    /// let mut people = StructBuilder::new((("id", Int64Builder::new()), ("name", Utf8Builder::new())));
    /// people.columns_mut().1.append("ada");
    /// people.columns_mut().0.append(1);
    /// people.close();
    /// assert_eq!(format!("{:?}", people.finish()?.value(0)), r#"{"id":1,"name":"ada"}"#);
    /// # Ok::<(), arrow_array::ArrayError>(())
    /// ```
    #[inline]
    pub fn columns_mut(&mut self) -> &mut C {
        self.is_open = true;
        self.whole_columns()
    }

    #[inline]
    fn whole_columns(&mut self) -> &mut C {
        if self.is_uneven {
            self.even_out();
        }
        self.is_whole = true;
        &mut self.columns
    }

    /// Makes a struct of the values that were appended to [`columns_mut`](StructBuilder::columns_mut) or
    /// [`column_mut`](StructBuilder::column_mut) since the last struct, one for each column.
    #[inline]
    pub fn close(&mut self) {
        if self.is_whole {
            self.close_whole(1);
        } else {
            self.close_given();
        }
    }

    #[inline]
    fn close_whole(&mut self, n_structs: usize) {
        let n_slots = self.n_slots.saturating_add(n_structs);
        if !self.columns.all_have(n_slots) {
            (0..self.columns.n_children()).for_each(|position| self.settle(position, n_slots));
        }
        self.is_open = false;
        self.n_slots = n_slots;
        self.validity.append_valids(n_structs);
    }

    /// Ends a struct. Visits only the columns in `given`; `even_out` appends nulls to the other columns later.
    fn close_given(&mut self) {
        if self.n_slots >= self.max_uneven {
            self.whole_columns();
            return self.close_whole(1);
        }
        let n_slots = self.n_slots.saturating_add(1);
        let mut given = std::mem::take(&mut self.given);
        for position in given.drain(..) {
            self.settle(position, n_slots);
            if let Some(error) = self.columns.child(position).and_then(|column| column.error()) {
                self.remember(self.n_slots, (position, error));
            }
        }
        self.given = given;
        self.is_open = false;
        self.is_uneven = true;
        self.n_slots = n_slots;
        self.validity.append_valid();
    }

    /// Appends nulls to a column, or removes values, until the column has `n_slots` slots.
    fn settle(&mut self, position: usize, n_slots: usize) {
        let Some(column) = self.columns.child_mut(position) else { return };
        let n_found = column.len();
        if n_found != n_slots {
            column.truncate(n_slots);
            column.append_nulls(n_slots.saturating_sub(n_found));
            if n_found != self.n_slots {
                let (expected, found) = (n_slots as u64, n_found as u64);
                let error = ArrayErrorKind::ColumnLength { expected, found }.into();
                self.remember(n_found.min(self.n_slots), (position, error));
            }
        }
    }

    #[cold]
    fn remember(&mut self, slot: usize, (position, error): (usize, ArrayError)) {
        let name = self.data_type.children().get(position).map_or("", Field::name);
        self.failure.remember(slot, error.in_field(position, name));
    }

    /// Removes the values of an unfinished struct.
    #[inline]
    fn forget_unfinished(&mut self) {
        if self.is_open {
            self.truncate(self.n_slots);
        }
    }

    /// Appends nulls until each column has as many slots as there are structs.
    #[cold]
    fn even_out(&mut self) {
        self.is_uneven = false;
        for_each(&mut self.columns, |_, column| {
            // A column that lacks nothing may have an unfinished value, which a null would remove.
            let n_late = self.n_slots.saturating_sub(column.len());
            if n_late > 0 {
                column.append_nulls(n_late);
            }
        });
    }

    /// Returns the structs as the rows of a batch. The builder is then empty, even after an error, and can be used again.
    ///
    /// # Errors
    /// The first error since the builder was empty. If a struct is null, since a row cannot be null.
    pub fn finish_batch(&mut self) -> Result<RecordBatch, ArrayError> {
        let n_rows = self.n_slots;
        let data = self.finish_data()?;
        let null_count = data.null_count() as u64;
        if null_count > 0 {
            return Err(ArrayErrorKind::NullStructs { null_count }.into());
        }
        let fields = data.data_type().as_struct().expect("structs are built");
        let schema = Schema::new(fields);
        Ok(RecordBatch::try_new_with_rows(schema, data.children(), n_rows)?)
    }
}

/// Prints the type and the number of slots. Large tuples have no `Debug`.
impl StructBuilder<Vec<AnyBuilder>> {
    /// Makes a builder for the rows of a schema. The batches have the metadata of the fields, but not of the schema;
    /// [`RecordBatch::with_schema`] adds it.
    pub fn from_schema(schema: &Schema) -> Self {
        let columns = schema.fields().iter().map(|field| AnyBuilder::new(field.data_type())).collect();
        StructBuilder::from_data_type(DataType::struct_(schema.shared_fields().clone()), columns)
    }

    /// The builder of one column, for appending its value of the next struct. After the values of all columns, call
    /// [`close`](StructBuilder::close), which makes a struct. Columns without a value take no time: their nulls are
    /// appended later, all at once.
    ///
    /// ```
    /// use arrow_array::{AnyBuilder, StructBuilder};
    /// use arrow_schema::Schema;
    ///
    /// let mut rows = StructBuilder::from_schema(&"a: int64\nb: int64".parse::<Schema>()?);
    /// rows.close();
    /// if let Some(AnyBuilder::Int64(b)) = rows.column_mut(1) {
    ///     b.append(7);
    /// }
    /// rows.close();
    /// assert_eq!(format!("{:?}", rows.finish()?), r#"struct<a: int64, b: int64> [{"a":null,"b":null}, {"a":null,"b":7}]"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn column_mut(&mut self, position: usize) -> Option<&mut AnyBuilder> {
        let column = self.columns.get_mut(position)?;
        let n_late = self.n_slots.saturating_sub(column.len());
        if n_late > 0 {
            column.append_nulls(n_late);
        }
        self.is_open = true;
        if !self.is_whole {
            self.given.push(position);
        }
        Some(column)
    }
}

impl<C> fmt::Debug for StructBuilder<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { data_type, n_slots, failure, .. } = self;
        f.debug_struct("StructBuilder")
            .field("data_type", &format_args!("{data_type}"))
            .field("n_slots", n_slots)
            .field("failure", failure)
            .finish_non_exhaustive()
    }
}

impl<C: Children> Builder for StructBuilder<C> {
    fn data_type(&self) -> &DataType {
        &self.data_type
    }

    fn len(&self) -> usize {
        self.n_slots
    }

    fn append_nulls(&mut self, n_slots: usize) {
        self.forget_unfinished();
        self.validity.append_nulls(self.n_slots, n_slots);
        let n_after = self.n_slots.saturating_add(n_slots);
        if n_after > self.max_uneven || self.is_whole {
            for_each(self.whole_columns(), |_, column| append_unused(column, n_slots));
        } else {
            self.is_uneven = true;
        }
        self.n_slots = n_after;
    }

    fn reserve(&mut self, n_slots: usize) {
        for_each(&mut self.columns, |_, column| column.reserve(n_slots));
    }

    fn truncate(&mut self, n_slots: usize) {
        let has_only_given = n_slots >= self.n_slots && !self.is_whole;
        self.is_open = false;
        self.n_slots = self.n_slots.min(n_slots);
        self.validity.truncate(n_slots);
        self.failure.truncate(n_slots);
        let Self { columns, given, n_slots, .. } = self;
        // This also removes values of an unfinished struct.
        if has_only_given {
            for position in given.drain(..) {
                columns.child_mut(position).into_iter().for_each(|column| column.truncate(*n_slots));
            }
        } else {
            given.clear();
            for_each(columns, |_, column| column.truncate(*n_slots));
            self.is_whole = self.is_whole && error_of(&self.columns, &self.data_type).is_some();
        }
    }

    fn error(&self) -> Option<ArrayError> {
        let in_columns = || if self.is_whole { error_of(&self.columns, &self.data_type) } else { None };
        self.failure.error().or_else(in_columns)
    }

    fn finish_data(&mut self) -> Result<ArrayData, ArrayError> {
        self.forget_unfinished();
        self.even_out();
        self.given.clear();
        self.is_whole = false;
        let parts = ArrayParts::new(self.data_type.clone(), std::mem::take(&mut self.n_slots));
        let validity = self.validity.finish();
        let columns = finish(&mut self.columns, &self.data_type);
        self.failure.take()?;
        assemble(ArrayParts { validity, children: Some(columns?), ..parts })
    }
}

impl<C: Children> Slots for StructBuilder<C> {
    fn is_null_slot(&self, slot: usize) -> bool {
        !self.validity.is_valid(slot)
    }

    fn max_nulls(&self) -> usize {
        self.max_uneven
    }

    fn write_value(&self, slot: usize, to: &mut ValueWriter<'_>) -> Result<(), SelectError> {
        if !self.validity.is_valid(slot) {
            return to.null();
        }
        to.fields()?;
        each(&self.columns)
            .try_for_each(|column| if slot < column.len() { column.write_value(slot, to) } else { to.null() })
    }

    fn append_zeros(&mut self, n_slots: usize) {
        self.forget_unfinished();
        for_each(self.whole_columns(), |_, column| column.append_zeros(n_slots));
        self.close_whole(n_slots);
    }

    fn is_unfinished(&self) -> bool {
        self.is_open
    }
}

impl<C: Children, V: AppendTo<C>> Append<V> for StructBuilder<C> {
    #[inline]
    fn append(&mut self, value: V) {
        if value.is_null() {
            self.append_nulls(1);
        } else {
            value.append_to(self.columns_mut());
            self.close_whole(1);
        }
    }
}

impl<C: Children, V: AppendTo<C>> SlotLookup<V> for StructBuilder<C> {}

builder_methods!([C: Children,] StructBuilder<C> => StructArray);
