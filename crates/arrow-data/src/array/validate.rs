//! Checks content and strict rules.
//!
//! The layout table lists the rules of each type. Each check is one pass without branches over a whole buffer. If the
//! check fails, a slow pass finds the invalid slot. The slow pass ignores null slots where the format allows any value
//! in them.

use std::sync::Arc;

use arrow_buffer::{MemoryBudget, NativeType};
use arrow_schema::{PathStep, visit};

use crate::{
    array::ArrayData,
    error::{DataError, DataErrorKind as Kind},
    layout::{Content, Role},
    validation::Validation,
};

mod hidden;
mod indices;
mod list_views;
mod live;
mod offsets;
mod runs;
mod slots;
mod strict;
mod text;
mod union;
mod views;

pub use self::slots::CheckedArrays;
pub(crate) use self::slots::SlotChecks;
use self::strict::required;

/// Counts and limits the buffers that a check makes for unusual but valid data.
///
/// The bytes of null slots, and bytes that no slot refers to, need not be UTF-8. If they are not, a check copies the
/// buffer once, and sets these bytes to zero in the copy. If values of a child are invalid below a null of the parent,
/// a check gives the child a validity bitmap in which these slots are null.
///
/// In data from outside, many columns may share the same bytes. Their copies then take more memory than the data, so
/// [`new`](Repairs::new) sets a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repairs {
    n_buffers: u64,
    n_bytes: u64,
    max_bytes: u64,
    budget: Option<MemoryBudget>,
}

impl Repairs {
    /// Starts with no copies, and allows at most `max_bytes` copied bytes in total.
    pub const fn new(max_bytes: u64) -> Repairs {
        Repairs { n_buffers: 0, n_bytes: 0, max_bytes, budget: None }
    }

    /// Charges copies to the budget, if there is one.
    #[must_use]
    pub fn with_memory_budget(self, budget: Option<MemoryBudget>) -> Repairs {
        Repairs { budget, ..self }
    }

    /// The number of buffers that checks have copied.
    pub const fn n_buffers(&self) -> u64 {
        self.n_buffers
    }

    /// The number of bytes that checks have copied.
    pub const fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Counts a copy before it is made.
    fn count(&mut self, n_bytes: usize) -> Result<(), DataError> {
        let sum = self.n_bytes.saturating_add(n_bytes as u64);
        if sum > self.max_bytes {
            return Err(crate::DataErrorKind::TooManyRepairs { n_bytes: sum, limit: self.max_bytes }.into());
        }
        self.n_buffers = self.n_buffers.saturating_add(1);
        self.n_bytes = sum;
        Ok(())
    }
}

impl Default for Repairs {
    /// Starts with no copies, and sets no limit.
    fn default() -> Repairs {
        Repairs::new(u64::MAX)
    }
}

impl ArrayData {
    /// Checks the array, its children and its dictionary up to `level`, unless they have been checked.
    ///
    /// The array, its clones and slices then count as checked: see [`checked`](ArrayData::checked). Checked utf8 is
    /// available as [`text`](ArrayData::text) or [`text_views`](ArrayData::text_views).
    ///
    /// Slots below a null of a struct or fixed-size list are not valid ("Struct Validity"), whatever the bitmap of the child
    /// says. If a value is wrong in such a slot, all such slots become null in the children.
    ///
    /// # Errors
    /// The first rule that is broken, with path, buffer and slot.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, Validation};
    /// use arrow_schema::DataType;
    ///
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i32, 3, 1]), Buffer::copy_from(b"abc")],
    ///     ..ArrayParts::new(DataType::Utf8, 2)
    /// })?;
    /// let error = array.validate(Validation::Content).unwrap_err();
    /// assert_eq!(error.to_string(), "offsets, slot 1: offset 1 is less than the preceding offset 3");
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    #[inline]
    pub fn validate(self, level: Validation) -> Result<ArrayData, DataError> {
        let uncounted = &mut Repairs::default();
        if self.checked >= level { Ok(self) } else { self.validate_counted(level, uncounted) }
    }

    /// Like [`validate`](ArrayData::validate), and counts copies in `repairs`.
    ///
    /// # Errors
    /// The errors of [`validate`](ArrayData::validate).
    #[doc(hidden)] // For readers, which limit the copies of all batches together.
    pub fn validate_counted(
        mut self,
        level: Validation,
        repairs: &mut Repairs,
    ) -> Result<ArrayData, DataError> {
        self.validate_in_place(level, repairs)?;
        Ok(self)
    }

    /// Like [`validate_counted`](ArrayData::validate_counted), but changes the array in place. After an error the array
    /// has its old level; slots below a null may have become null in the children.
    ///
    /// # Errors
    /// The errors of [`validate`](ArrayData::validate).
    #[doc(hidden)] // For readers, which limit the copies of all batches together.
    pub fn validate_in_place(&mut self, level: Validation, repairs: &mut Repairs) -> Result<(), DataError> {
        let checked = self.check_as_is(level, repairs);
        let Err(error) = &checked else { return checked };
        // With an empty path, no child has an error. If the path enters a dictionary, the check of the dictionary has
        // already called `make_null`.
        let mut steps = error.path().steps().iter().peekable();
        if steps.peek().is_none() || steps.any(|step| matches!(step, PathStep::Dictionary)) {
            return checked;
        }
        hidden::make_null(self, repairs)?;
        self.check_as_is(level, repairs)
    }

    /// Like [`validate_in_place`](ArrayData::validate_in_place), but slots below a null of the parent have to be valid.
    fn check_as_is(&mut self, level: Validation, repairs: &mut Repairs) -> Result<(), DataError> {
        if self.checked >= level {
            return Ok(());
        }
        // Children are checked first, since rules of the parent read them.
        let ArrayData { data_type, children, dictionary, .. } = self;
        if let Some(children) = children
            && children.iter().any(|child| child.checked < level)
        {
            for (position, child) in Arc::make_mut(children).iter_mut().enumerate() {
                child.check_as_is(level, repairs).map_err(|error| error.in_child(data_type, position))?;
            }
        }
        if let Some(dictionary) = dictionary
            && dictionary.checked < level
        {
            Arc::make_mut(dictionary)
                .validate_in_place(level, repairs)
                .map_err(|error| error.below(PathStep::Dictionary))?;
        }
        if self.checked < Validation::Content {
            null_count(self)?;
            content(self, repairs)?;
            self.checked = Validation::Content;
        }
        if level == Validation::Strict {
            strict::check(self)?;
            self.checked = Validation::Strict;
        }
        Ok(())
    }

    /// Checks that children that are not nullable have no null in their own bitmap below a valid slot of the parent.
    /// [`Validation::Strict`] checks more: it also finds nulls in dictionaries, runs and unions, and refuses children of the
    /// null type that are not nullable. This method does not check the children of children. Unchecked content is
    /// checked.
    ///
    /// # Errors
    /// The first null, with the child and its slot. If content is invalid.
    pub fn check_required_children(&self) -> Result<(), DataError> {
        let checked = self.clone().validate(Validation::Content)?;
        required::check_children(&checked, |child| Ok(required::Nulls::own(child)))
    }

    /// Checks the numbers of this array that refer to values: offsets, sizes, views, indices, type ids and run ends. It
    /// checks neither values, such as text, nor children and dictionaries, and does not raise the level.
    ///
    /// Call it before you follow these numbers in an array that has not been [checked](ArrayData::checked).
    ///
    /// # Errors
    /// The first wrong number, with path, buffer and slot.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts, Validation};
    /// use arrow_schema::DataType;
    ///
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i32, 2]), Buffer::copy_from(b"\xff\xff")],
    ///     ..ArrayParts::new(DataType::Utf8, 1)
    /// })?;
    /// array.check_positions()?;
    /// assert!(array.validate(Validation::Content).is_err());
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn check_positions(&self) -> Result<(), DataError> {
        if self.checked >= Validation::Content {
            return Ok(());
        }
        match self.layout().content() {
            Content::Any => Ok(()),
            Content::Offsets | Content::Text | Content::MapEntries => offsets::check(self),
            Content::OffsetsAndSizes => list_views::check(self),
            Content::Views | Content::TextViews => views::check(self),
            Content::RunEnds => runs::check(self),
            Content::Indices => indices::check(self),
            Content::SparseTypeIds => union::check_sparse(self),
            Content::DenseTypeIds => union::check_dense(self),
        }
    }

    /// Checks that offsets of lists, utf8 or binary are neither negative nor decrease. Reads no items and no bytes, which may be
    /// missing.
    ///
    /// # Errors
    /// If an offset is negative or less than the offset before it.
    pub fn check_offset_order(&self) -> Result<(), DataError> {
        offsets::check_within(self, usize::MAX)
    }

    /// Like [`validate_counted`](ArrayData::validate_counted), for an array from outside that may be a slice. What no slot
    /// refers to is not checked, and is left out of children and text that are. Offsets that change are copied and counted.
    /// What is `known` is not checked again.
    ///
    /// # Errors
    /// The errors of [`validate`](ArrayData::validate).
    #[doc(hidden)] // For imports of arrays of other libraries.
    pub fn validate_slots(
        mut self,
        level: Validation,
        repairs: &mut Repairs,
        known: &mut CheckedArrays,
    ) -> Result<ArrayData, DataError> {
        if level >= Validation::Content {
            SlotChecks::new(level, repairs, known).prepare(&mut self)?;
        }
        self.validate_counted(level, repairs)
    }
}

/// Checks that a column of a field that is not nullable has a value in each slot.
pub(crate) fn check_required(column: &ArrayData) -> Result<(), DataError> {
    let column = column.clone().validate(Validation::Content)?;
    required::check(&required::Nulls::from_array(&column)?, || Ok(std::iter::once(Ok(0..column.len()))))
}

/// Compares the declared number of nulls with the bitmap.
fn null_count(array: &ArrayData) -> Result<(), DataError> {
    let Some(declared) = array.declared_null_count() else { return Ok(()) };
    // Only arrays with a bitmap have a declared number.
    let found = array.null_count.counted_by(array.validity.as_ref());
    if declared == found {
        return Ok(());
    }
    let kind = Kind::NullCount { declared: declared as u64, found: found as u64 };
    Err(DataError::from(kind).in_role(Role::Validity))
}

#[inline]
fn content(array: &mut ArrayData, repairs: &mut Repairs) -> Result<(), DataError> {
    let content = array.layout().content();
    visit(n_read_bytes(array, content));
    match content {
        Content::Any => Ok(()),
        // The checks of text also check offsets and views.
        Content::Text => text::check(array, repairs),
        Content::TextViews => views::check_text(array, repairs),
        Content::MapEntries => offsets::check_map(array),
        Content::Offsets
        | Content::OffsetsAndSizes
        | Content::Views
        | Content::RunEnds
        | Content::Indices
        | Content::SparseTypeIds
        | Content::DenseTypeIds => array.check_positions(),
    }
}

/// The number of bytes that the check of a rule reads, without values to which views refer.
fn n_read_bytes(array: &ArrayData, content: Content) -> usize {
    match content {
        Content::Any => 0,
        // The bytes to which offsets refer are not read.
        Content::Offsets => array.buffer(0).len(),
        Content::RunEnds => array.children().first().map_or(0, |run_ends| run_ends.buffer(0).len()),
        Content::Text
        | Content::TextViews
        | Content::Views
        | Content::MapEntries
        | Content::OffsetsAndSizes
        | Content::Indices
        | Content::SparseTypeIds
        | Content::DenseTypeIds => array.buffer(0).len().saturating_add(array.buffer(1).len()),
    }
}

/// The first `n` elements of the `k`-th buffer. The structure of arrays guarantees that they exist, but this function does
/// not depend on it.
fn elements<T: NativeType>(array: &ArrayData, k: usize, n: usize) -> Result<&[T], DataError> {
    let buffer = array.buffer(k);
    let role = || array.layout().data_buffers().get(k).map_or(Role::Values, |spec| spec.role);
    let all: &[T] = buffer
        .view()
        .map_err(|_| DataError::from(Kind::Misaligned { needed: align_of::<T>() }).in_role(role()))?;
    all.get(..n).ok_or_else(|| {
        let needed = (n as u64).saturating_mul(size_of::<T>() as u64);
        let kind = Kind::BufferTooShort { n_slots: array.len() as u64, needed, found: buffer.len() as u64 };
        DataError::from(kind).in_role(role())
    })
}
