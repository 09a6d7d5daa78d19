//! One column of data: its buffers, children and dictionary. Their structure is always valid.

use std::sync::Arc;

use arrow_buffer::{AllocationSet, Bitmap, Buffer, Text, TextSlots, TextViews};
use arrow_schema::DataType;

use crate::{
    error::DataError,
    layout::{BufferSpec, ChildLen, Count, Layout, Nulls, OffsetType, is_null_type, layout},
    slot_range::check_range,
    validation::Validation,
};

mod null_count;
mod proven;
mod structure;

pub use self::proven::ProvenText;

pub(crate) use self::null_count::NullCount;

/// One column of any type: its buffers, children and dictionary.
///
/// **Structure** is always valid: buffers are long enough and aligned, and children and dictionary have the right type
/// and length. **Content** (offsets in order, valid UTF-8, indices in range …) is valid once
/// [`validate`](ArrayData::validate) has succeeded; [`checked`](ArrayData::checked) returns the level that has been
/// checked.
///
/// Slicing an array also slices its values, offsets and bitmap, so each of these buffers begins with the first slot.
/// For bit-packed values and runs, a slice changes the [`offset`](ArrayData::offset) instead. Cloning and slicing copy
/// no data.
///
/// ```
/// use arrow_buffer::Buffer;
/// use arrow_data::{ArrayData, ArrayParts, Validation};
/// use arrow_schema::DataType;
///
/// // Offsets, and the text that they point into.
/// let names = ArrayData::try_new(ArrayParts {
///     buffers: [Buffer::from(vec![0i32, 3, 8]), Buffer::copy_from(b"adagrace")],
///     ..ArrayParts::new(DataType::Utf8, 2)
/// })?;
/// assert!(names.text().is_none()); // so far these are bytes
///
/// let names = names.validate(Validation::Content)?;
/// assert_eq!(names.text().map(|text| &text[3..8]), Some("grace"));
/// assert_eq!(names.slice(1, 1).checked(), Validation::Content);
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Clone)]
pub struct ArrayData {
    pub(crate) data_type: DataType,
    pub(crate) n_slots: usize,
    pub(crate) offset: usize,
    pub(crate) null_count: NullCount,
    pub(crate) validity: Option<Bitmap>,
    pub(crate) storage: Storage,
    pub(crate) children: Option<Arc<[ArrayData]>>,
    pub(crate) dictionary: Option<Arc<ArrayData>>,
    pub(crate) checked: Validation,
    /// Whether other code has said that the content is valid, and it has not been read here.
    pub(crate) is_assumed: bool,
}

/// All buffers except validity. Checked utf8 is stored as a type that proves that the text is valid.
#[derive(Debug, Clone)]
pub(crate) enum Storage {
    /// Buffers of other types, or of unchecked utf8, in the order of the layout table.
    Plain { buffers: [Buffer; 2], variadic: Option<Arc<[Buffer]>> },
    /// Checked utf8 with 32-bit offsets. No offset lies inside a character.
    Text32(TextSlots<i32>),
    /// Checked utf8 with 64-bit offsets. No offset lies inside a character.
    Text64(TextSlots<i64>),
    /// Offsets and checked text. Offsets of null slots may lie inside characters.
    Text { offsets: Buffer, text: Text },
    /// Views and their text.
    TextViews(TextViews),
}

/// The parts of an array, for [`ArrayData::try_new`]. [`new`](ArrayParts::new) leaves the optional parts empty; set
/// those that the type requires.
///
/// ```
/// use arrow_buffer::{Bitmap, Buffer};
/// use arrow_data::{ArrayData, ArrayParts};
/// use arrow_schema::DataType;
///
/// let array = ArrayData::try_new(ArrayParts {
///     validity: Some(Bitmap::from_iter([true, false, true])),
///     buffers: [Buffer::from(vec![1i32, 0, 3]), Buffer::new()],
///     ..ArrayParts::new(DataType::Int32, 3)
/// })?;
/// assert_eq!((array.len(), array.null_count()), (3, 1));
/// # Ok::<(), arrow_data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ArrayParts {
    /// The type of the values; it determines which buffers and children are required.
    pub data_type: DataType,
    /// The number of slots, including nulls.
    pub n_slots: usize,
    /// The number of nulls that the source of the data declares. Validation of content compares this number with the
    /// bitmap. Ignored for types without a validity bitmap.
    pub declared_null_count: Option<usize>,
    /// One bit per slot; `None` if no slot is null.
    pub validity: Option<Bitmap>,
    /// The buffers after validity, in the order of the layout table.
    pub buffers: [Buffer; 2],
    /// The data buffers that views refer to.
    pub variadic: Option<Arc<[Buffer]>>,
    /// The children, in the order of the type's fields.
    pub children: Option<Arc<[ArrayData]>>,
    /// The values of a dictionary-encoded array.
    pub dictionary: Option<Arc<ArrayData>>,
    /// The offset of the first slot: in bits for boolean values, in slots for runs, and 0 for all other types.
    pub offset: usize,
}

impl ArrayData {
    /// Makes an array from its parts, after checking their structure.
    ///
    /// # Errors
    /// If the structure is invalid: a buffer is too short or misaligned; a child or dictionary is absent, or has the
    /// wrong type or length; more nulls are declared than there are slots. The content of buffers is not checked.
    // A call would copy the array once more, which takes longer than the checks. Modules of WebAssembly have to be small.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub fn try_new(mut parts: ArrayParts) -> Result<ArrayData, DataError> {
        structure::check(&mut parts)?;
        Ok(ArrayData {
            data_type: parts.data_type,
            n_slots: parts.n_slots,
            offset: parts.offset,
            null_count: NullCount::new(parts.declared_null_count),
            validity: parts.validity,
            storage: Storage::Plain { buffers: parts.buffers, variadic: parts.variadic },
            children: parts.children,
            dictionary: parts.dictionary,
            checked: Validation::Structure,
            is_assumed: false,
        })
    }

    /// Makes an array without slots.
    pub fn new_empty(data_type: &DataType) -> ArrayData {
        structure::empty(data_type)
    }

    /// The type of the values, including the types of its children and dictionary.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The number of slots, including nulls.
    pub fn len(&self) -> usize {
        self.n_slots
    }

    /// Whether the array has no slots.
    pub fn is_empty(&self) -> bool {
        self.n_slots == 0
    }

    /// The offset of the first slot: in bits for bit-packed values, in slots for runs, and 0 for all other types.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The [`Layout`] of this type: its buffers and their rules.
    pub fn layout(&self) -> Layout {
        layout(&self.data_type)
    }

    /// The validity bitmap with one bit per slot; `None` if no slot is null, or the type has no bitmap.
    pub fn validity(&self) -> Option<&Bitmap> {
        self.validity.as_ref()
    }

    /// The validity bitmap; `None` if no slot is null.
    pub fn validity_with_nulls(&self) -> Option<&Bitmap> {
        if self.null_count() > 0 { self.validity() } else { None }
    }

    /// The number of null slots. The first call counts the bits of the bitmap; later calls return the stored number.
    ///
    /// Follows "Null count" of the specification. The null type counts all slots. Unions and run-end encoded arrays
    /// count 0, since their nulls are in their children; nulls of a dictionary are not counted either.
    /// [`logical_null_count`](ArrayData::logical_null_count) counts the nulls in children and dictionaries.
    pub fn null_count(&self) -> usize {
        match layout(&self.data_type).nulls() {
            Nulls::All => self.n_slots,
            Nulls::InChildren => 0,
            Nulls::Bitmap => self.null_count.counted_by(self.validity.as_ref()),
        }
    }

    /// The declared null count that has not been checked yet. `None` after the check, or if the source of the data
    /// declared none.
    pub fn declared_null_count(&self) -> Option<usize> {
        self.null_count.declared()
    }

    /// Returns [`null_count`](ArrayData::null_count) if the number is known without reading a bitmap; `None` if the
    /// bits have not been counted yet.
    pub fn known_null_count(&self) -> Option<usize> {
        let is_known = self.validity.is_none() || self.null_count.is_counted();
        is_known.then(|| self.null_count())
    }

    /// Whether the slot is not null in this array's own bitmap; `false` if out of bounds. Without a bitmap, only slots
    /// of the null type are null.
    pub fn is_valid(&self, slot: usize) -> bool {
        match &self.validity {
            Some(validity) => validity.get(slot) == Some(true),
            None => slot < self.n_slots && !is_null_type(&self.data_type),
        }
    }

    /// Buffer `k` after validity, in the order of the layout table, counted from 0; empty if the type has no such
    /// buffer.
    pub fn buffer(&self, k: usize) -> &Buffer {
        const EMPTY: &Buffer = &Buffer::new();
        match (&self.storage, k) {
            (Storage::Plain { buffers, .. }, k) => buffers.get(k).unwrap_or(EMPTY),
            (Storage::Text32(slots), 0) => slots.offsets().as_buffer(),
            (Storage::Text32(slots), 1) => slots.text().as_buffer(),
            (Storage::Text64(slots), 0) => slots.offsets().as_buffer(),
            (Storage::Text64(slots), 1) => slots.text().as_buffer(),
            (Storage::Text { offsets, .. }, 0) => offsets,
            (Storage::Text { text, .. }, 1) => text.as_buffer(),
            (Storage::TextViews(views), 0) => views.views().as_buffer(),
            (Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } | Storage::TextViews(_), _) => {
                EMPTY
            }
        }
    }

    /// The data buffers that views refer to; empty for types without views.
    pub fn variadic(&self) -> &[Buffer] {
        match &self.storage {
            Storage::Plain { variadic, .. } => variadic.as_deref().unwrap_or_default(),
            Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } => &[],
            Storage::TextViews(views) => views.data(),
        }
    }

    /// Like [`variadic`](ArrayData::variadic), shared; `None` if there are none.
    pub fn shared_variadic(&self) -> Option<&Arc<[Buffer]>> {
        match &self.storage {
            Storage::Plain { variadic, .. } => variadic.as_ref(),
            Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } => None,
            Storage::TextViews(views) => views.shared_data(),
        }
    }

    /// The child arrays, in the order of the type's fields.
    pub fn children(&self) -> &[ArrayData] {
        self.children.as_deref().unwrap_or_default()
    }

    /// The values that a dictionary-encoded array's indices select; `None` for other types.
    pub fn dictionary(&self) -> Option<&Arc<ArrayData>> {
        self.dictionary.as_ref()
    }

    /// The checked text of all slots, into which the offsets in buffer 0 point; `None` for types other than `utf8` and
    /// `large_utf8`, and until the content has been validated.
    pub fn text(&self) -> Option<&Text> {
        match &self.storage {
            Storage::Text32(slots) => Some(slots.text()),
            Storage::Text64(slots) => Some(slots.text()),
            Storage::Text { text, .. } => Some(text),
            Storage::Plain { .. } | Storage::TextViews(_) => None,
        }
    }

    /// The checked text of a `utf8` array with its checked offsets. `None` until the content has been validated, or if
    /// offsets of null slots lie inside characters.
    pub fn text_slots(&self) -> Option<&TextSlots<i32>> {
        if let Storage::Text32(slots) = &self.storage { Some(slots) } else { None }
    }

    /// Like [`text_slots`](ArrayData::text_slots), but for a `large_utf8` array.
    pub fn large_text_slots(&self) -> Option<&TextSlots<i64>> {
        if let Storage::Text64(slots) = &self.storage { Some(slots) } else { None }
    }

    /// The checked text of a `utf8_view` array; `None` until its content has been validated.
    pub fn text_views(&self) -> Option<&TextViews> {
        match &self.storage {
            Storage::TextViews(views) => Some(views),
            Storage::Plain { .. } | Storage::Text32(_) | Storage::Text64(_) | Storage::Text { .. } => None,
        }
    }

    /// Returns a utf8 array of any kind as the binary array of the same kind. Both share their buffers and have the
    /// same checked level. `None` for other types.
    ///
    /// ```
    /// use arrow_data::ArrayData;
    /// use arrow_schema::DataType;
    ///
    /// let text = ArrayData::new_empty(&DataType::Utf8View);
    /// assert_eq!(text.text_as_bytes().map(|bytes| bytes.data_type().clone()), Some(DataType::BinaryView));
    /// assert!(ArrayData::new_empty(&DataType::Int8).text_as_bytes().is_none());
    /// ```
    pub fn text_as_bytes(&self) -> Option<ArrayData> {
        let data_type = match self.layout().physical().offset_type() {
            _ if !self.data_type.is_text() => return None,
            Some(OffsetType::Int32) => DataType::Binary,
            Some(OffsetType::Int64) => DataType::LargeBinary,
            None => DataType::BinaryView,
        };
        let storage = Storage::Plain {
            buffers: [self.buffer(0).clone(), self.buffer(1).clone()],
            variadic: self.shared_variadic().cloned(),
        };
        Some(ArrayData { data_type, storage, ..self.clone() })
    }

    /// The level up to which this array has been checked.
    pub fn checked(&self) -> Validation {
        self.checked
    }

    /// Marks the content as checked up to `level`, without reading it. For code that makes an array of parts whose content
    /// has been checked. `null_count` is the number of nulls, if it is known.
    ///
    /// The level is at most that of the children and of the dictionary. It does not change for utf8, unless the array was made
    /// [of checked text](ArrayData::try_from_text). If the content is invalid nevertheless, code that uses the array returns
    /// errors or wrong values; memory is safe in any case. Code that hands the memory to others reads the content anew:
    /// [`forget_assumptions`](ArrayData::forget_assumptions).
    #[must_use]
    pub fn assume_checked(self, level: Validation, null_count: Option<usize>) -> ArrayData {
        if self.data_type.is_text() && matches!(self.storage, Storage::Plain { .. }) {
            return self;
        }
        let values = self.dictionary.as_ref().map_or(Validation::Strict, |values| values.checked);
        let level = self.children().iter().map(ArrayData::checked).fold(level.min(values), Validation::min);
        ArrayData {
            checked: level.max(self.checked),
            is_assumed: self.is_assumed || self.checked < Validation::Content && level >= Validation::Content,
            null_count: null_count.map_or(self.null_count, NullCount::counted),
            ..self
        }
    }

    /// The same array, unchecked if the content of the array, of a child or of a dictionary was
    /// [assumed](ArrayData::assume_checked) to be valid.
    #[must_use]
    pub fn forget_assumptions(self) -> ArrayData {
        if !self.has_assumptions() {
            return self;
        }
        let children = self.children.as_ref();
        ArrayData {
            checked: Validation::Structure,
            is_assumed: false,
            null_count: NullCount::new(None),
            children: children.map(|all| all.iter().cloned().map(ArrayData::forget_assumptions).collect()),
            dictionary: self
                .dictionary
                .as_ref()
                .map(|values| Arc::new(ArrayData::clone(values).forget_assumptions())),
            ..self
        }
    }

    /// Whether the content of the array, of a child or of a dictionary was [assumed](ArrayData::assume_checked) to be valid.
    #[inline]
    pub fn has_assumptions(&self) -> bool {
        self.is_assumed
            || self.children().iter().any(ArrayData::has_assumptions)
            || self.dictionary.as_ref().is_some_and(|values| values.has_assumptions())
    }

    /// The parts of the array, from which another array can be made with [`try_new`](ArrayData::try_new).
    pub fn into_parts(self) -> ArrayParts {
        let mut parts = ArrayParts::new(self.data_type.clone(), self.n_slots);
        parts.declared_null_count = self.null_count.declared();
        parts.buffers = [self.buffer(0).clone(), self.buffer(1).clone()];
        parts.variadic = self.shared_variadic().cloned();
        parts.offset = self.offset;
        parts.validity = self.validity;
        parts.children = self.children;
        parts.dictionary = self.dictionary;
        parts
    }

    /// The number of bytes in all buffers of the array, including those of its children and its dictionary. The call reads
    /// no values. It is an estimate that lies between two exact numbers, unless buffers share memory:
    ///
    /// - [`n_held_bytes`](ArrayData::n_held_bytes): memory that stays allocated as long as the array lives;
    /// - `arrow_select::ReferredBytes`: what the slots refer to, and a compact copy would have;
    /// - `arrow_ipc::EncodedBytes`: the length of the message that a writer writes.
    ///
    /// For a slice, fixed-width buffers and offsets count only its slots. Bitmaps, and buffers and children that
    /// offsets or views refer to, count as a whole. Memory that several buffers share counts once for each buffer.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let buffers = [Buffer::from(vec![0i32, 1, 3]), Buffer::copy_from(b"abc")];
    /// let array = ArrayData::try_new(ArrayParts { buffers, ..ArrayParts::new(DataType::Utf8, 2) })?;
    /// assert_eq!(array.n_bytes(), 15);
    /// assert_eq!(array.slice(1, 1).n_bytes(), 11);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn n_bytes(&self) -> u64 {
        let validity = self.validity().map_or(0, |validity| validity.buffer().len());
        let own = [validity, self.buffer(0).len(), self.buffer(1).len()].into_iter();
        let variadic = self.variadic().iter().map(Buffer::len);
        let children = self.children().iter().map(ArrayData::n_bytes);
        let dictionary = self.dictionary().into_iter().map(|dictionary| dictionary.n_bytes());
        let buffers = own.chain(variadic).map(|n_bytes| n_bytes as u64);
        buffers.chain(children).chain(dictionary).fold(0, u64::saturating_add)
    }

    /// The number of bytes of memory that stay allocated as long as this array lives. Each allocation counts once and as a
    /// whole, however little of it the array uses; [`AllocationSet`] says what counts. The structures of arrays do not count.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0_i64; 1_000]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int64, 1_000)
    /// })?;
    /// let few = array.slice(10, 2);
    /// assert_eq!((few.n_held_bytes(), few.n_bytes()), (8_000, 16));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn n_held_bytes(&self) -> u64 {
        let mut allocations = AllocationSet::new();
        self.add_allocations(&mut allocations);
        allocations.n_bytes()
    }

    /// Adds the allocations of all buffers, children and dictionaries to a set. With one set for several arrays, memory that
    /// they share counts once.
    pub fn add_allocations(&self, allocations: &mut AllocationSet) {
        let validity = self.validity().map(Bitmap::buffer).into_iter();
        let own = validity.chain([self.buffer(0), self.buffer(1)]).chain(self.variadic());
        own.for_each(|buffer| {
            allocations.insert(buffer);
        });
        let below = self.children().iter().chain(self.dictionary().map(|values| &**values));
        below.for_each(|array| array.add_allocations(allocations));
    }

    /// Whether slots take no memory, as for the null type, structs without fields, and values of zero bytes. Then all
    /// slots are equal, and `len` may be too large for a loop over all slots.
    pub fn is_uniform(&self) -> bool {
        let layout = self.layout();
        let children = || self.children().iter().all(ArrayData::is_uniform);
        self.validity_with_nulls().is_none()
            && layout.data_buffers().iter().all(|spec| spec.bits == 0)
            && match layout.child_len() {
                ChildLen::NoChildren | ChildLen::SameAsParent => children(),
                ChildLen::Times(size) => size == 0 || children(),
                ChildLen::FromData | ChildLen::Runs => false,
            }
    }

    /// Whether each slot has a bit or a byte of its own. If not, as for runs, there may be too many slots to visit one
    /// by one.
    pub fn is_backed(&self) -> bool {
        let layout = self.layout();
        let has_bytes = |spec: &BufferSpec| spec.bits > 0 && spec.count != Count::FromData;
        let children = || self.children().iter().any(ArrayData::is_backed);
        self.validity().is_some()
            || layout.data_buffers().iter().any(has_bytes)
            || match layout.child_len() {
                ChildLen::SameAsParent => children(),
                ChildLen::Times(size) => size > 0 && children(),
                ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => false,
            }
    }

    /// The slots `start..start + n_slots`, sharing all buffers.
    ///
    /// Buffers of fixed-width values and of offsets are sliced, and so are children of structs, sparse unions and
    /// fixed-size lists. Children and data that offsets refer to stay whole.
    ///
    /// # Panics
    /// If the range is out of bounds, as for a slice of a `[T]`; [`try_slice`](ArrayData::try_slice) does not panic.
    #[must_use]
    pub fn slice(&self, start: usize, n_slots: usize) -> ArrayData {
        match self.try_slice(start, n_slots) {
            Ok(slice) => slice,
            Err(error) => panic!("{error}"),
        }
    }

    /// Like [`slice`](ArrayData::slice), but returns an error if the slots are out of bounds. Use it if the numbers
    /// come from an input.
    ///
    /// # Errors
    /// If the range is out of bounds.
    pub fn try_slice(&self, start: usize, n_slots: usize) -> Result<ArrayData, DataError> {
        check_range(start, n_slots, self.n_slots)?;
        Ok(self.slice_inside(start, n_slots))
    }

    /// The caller has checked `start + n_slots <= self.len()`.
    fn slice_inside(&self, start: usize, n_slots: usize) -> ArrayData {
        if start == 0 && n_slots == self.n_slots {
            return self.clone();
        }
        let layout = layout(&self.data_type);
        let offset = if layout.slices_by_offset() { self.offset + start } else { 0 };
        let narrow = |k: usize| match layout.data_buffers().get(k) {
            Some(spec) => narrow(self.buffer(k), spec, start, n_slots),
            None => Buffer::new(),
        };
        let storage = match &self.storage {
            Storage::Plain { variadic, .. } => {
                Storage::Plain { buffers: [narrow(0), narrow(1)], variadic: variadic.clone() }
            }
            Storage::Text32(slots) => Storage::Text32(slots.slice(start, n_slots)),
            Storage::Text64(slots) => Storage::Text64(slots.slice(start, n_slots)),
            Storage::Text { text, .. } => Storage::Text { offsets: narrow(0), text: text.clone() },
            Storage::TextViews(views) => Storage::TextViews(views.slice(start, n_slots)),
        };
        ArrayData {
            data_type: self.data_type.clone(),
            n_slots,
            offset,
            null_count: NullCount::new(None),
            validity: self.validity.as_ref().map(|validity| validity.slice(start, n_slots)),
            storage,
            children: self.slice_children(layout.child_len(), start, n_slots),
            dictionary: self.dictionary.clone(),
            checked: self.checked,
            is_assumed: self.is_assumed,
        }
    }

    fn slice_children(&self, child_len: ChildLen, start: usize, n_slots: usize) -> Option<Arc<[ArrayData]>> {
        let times = match child_len {
            ChildLen::NoChildren | ChildLen::FromData | ChildLen::Runs => return self.children.clone(),
            ChildLen::SameAsParent => 1,
            ChildLen::Times(size) => size as usize,
        };
        // No overflow: the structure check has computed the product for the whole length.
        let slice = |child: &ArrayData| child.slice_inside(start * times, n_slots * times);
        self.children.as_deref().map(|children| children.iter().map(slice).collect())
    }
}

impl Default for ArrayData {
    /// An array of the null type without slots.
    fn default() -> ArrayData {
        ArrayData::new_empty(&DataType::Null)
    }
}

impl ArrayParts {
    /// Parts without buffers, children or nulls.
    pub fn new(data_type: DataType, n_slots: usize) -> ArrayParts {
        ArrayParts {
            data_type,
            n_slots,
            declared_null_count: None,
            validity: None,
            buffers: [Buffer::new(), Buffer::new()],
            variadic: None,
            children: None,
            dictionary: None,
            offset: 0,
        }
    }
}

fn narrow(buffer: &Buffer, spec: &BufferSpec, start: usize, n_slots: usize) -> Buffer {
    let n_elements = match spec.count {
        _ if spec.bits == 1 => return buffer.clone(),
        Count::FromData => return buffer.clone(),
        Count::PerSlot => n_slots,
        // Only an array without slots may have no offsets. A slice of it has none either.
        Count::PerSlotPlusOne if buffer.is_empty() => return Buffer::new(),
        Count::PerSlotPlusOne => n_slots + 1,
    };
    // In range and without overflow: the structure check has found enough bytes for all slots.
    let element_bytes = spec.element_bytes() as usize;
    buffer.slice(start * element_bytes..(start + n_elements) * element_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_small_and_shared_between_threads() {
        fn shared<T: Send + Sync + 'static>() {}
        shared::<ArrayData>();
        assert!(size_of::<ArrayData>() <= 192, "{} bytes", size_of::<ArrayData>());
    }
}
