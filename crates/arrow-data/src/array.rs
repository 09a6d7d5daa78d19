//! One column of data: its buffers, children and dictionary. Their structure is always valid.

use std::sync::Arc;

use arrow_buffer::{AllocationSet, Bitmap, Buffer, Text, TextSlots, TextViews};
use arrow_schema::{DataType, FieldPath};

use crate::{
    error::{DataError, DataErrorKind as Kind},
    layout::{BufferSpec, ChildLen, Count, Layout, Nulls, OffsetType, Role, is_null_type, layout},
    validation::Validation,
};

pub(crate) mod at_path;
mod compare;
mod dump;
mod logical;
mod memory;
pub mod positions;
mod slice;
mod storage;
mod structure;
mod trimmed;
pub(crate) mod validate;

use self::{
    positions::check_range,
    storage::{NullCount, Storage},
};

pub use self::{
    compare::{ColumnDifference, Comparer, DifferenceKind},
    dump::Dump,
    storage::ProvenText,
    structure::ArrayParts,
    trimmed::trimmed,
    validate::{CheckedArrays, Repairs},
};

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

    /// An array of checked text. It is [checked](ArrayData::checked) up to content; the text is not read again.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, TextSlotsBuilder};
    /// use arrow_data::{ArrayData, Validation};
    ///
    /// let mut texts = TextSlotsBuilder::<i32>::new();
    /// texts.push("ada")?;
    /// texts.push_empty(1);
    /// let array = ArrayData::try_from_text(texts.finish(), Some(Bitmap::from_iter([true, false])))?;
    /// assert_eq!((array.len(), array.null_count(), array.checked()), (2, 1, Validation::Content));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the validity does not have one bit for each slot.
    pub fn try_from_text(
        text: impl Into<ProvenText>,
        validity: Option<Bitmap>,
    ) -> Result<ArrayData, DataError> {
        let (data_type, n_slots, storage) = text.into().into_storage();
        if let Some(found) = validity.as_ref().map(Bitmap::len).filter(|n_bits| *n_bits != n_slots) {
            let (expected, found) = (n_slots as u64, found as u64);
            let kind = Kind::BitmapLength { expected, found };
            return Err(DataError::from(kind).in_role(Role::Validity));
        }
        Ok(ArrayData {
            data_type,
            n_slots,
            offset: 0,
            null_count: NullCount::new(None),
            validity,
            storage,
            children: None,
            dictionary: None,
            checked: Validation::Content,
            is_assumed: false,
        })
    }

    /// Makes an array without slots.
    pub fn new_empty(data_type: &DataType) -> ArrayData {
        structure::empty(data_type)
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

    /// The type of the values, including the types of its children and dictionary.
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The [`Layout`] of this type: its buffers and their rules.
    pub fn layout(&self) -> Layout {
        layout(&self.data_type)
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

    /// Whether the slot is not null in this array's own bitmap; `false` if out of bounds. Without a bitmap, only slots
    /// of the null type are null.
    pub fn is_valid(&self, slot: usize) -> bool {
        match &self.validity {
            Some(validity) => validity.get(slot) == Some(true),
            None => slot < self.n_slots && !is_null_type(&self.data_type),
        }
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

    /// One bit per slot, which is set if the slot has a value; `None` if no slot is null.
    ///
    /// [`validity`](ArrayData::validity) only has the bits of the array itself. This method also reads the values that
    /// slots select. A slot is null if it selects a null of a dictionary or of a child of a union, or lies in a run of
    /// nulls. This applies at any depth. All slots of the null type are null. For types without dictionaries, runs and
    /// unions, the result shares the bitmap of `validity`.
    ///
    /// # Errors
    /// If offsets, indices or other numbers that refer to values are unchecked and invalid. If the system refuses
    /// memory for a bit per slot.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::{DataType, IndexType};
    ///
    /// let values = ArrayData::try_new(ArrayParts {
    ///     validity: Some(Bitmap::from_iter([true, false])),
    ///     buffers: [Buffer::from(vec![7i32, 0]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 2)
    /// })?;
    /// let array = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i8, 1, 0]), Buffer::new()],
    ///     dictionary: Some(Arc::new(values)),
    ///     ..ArrayParts::new(DataType::dictionary(IndexType::Int8, DataType::Int32)?, 3)
    /// })?;
    /// assert_eq!((array.null_count(), array.validity()), (0, None));
    /// assert_eq!(array.logical_validity()?, Some(Bitmap::from_iter([true, false, true])));
    /// assert_eq!(array.logical_null_count()?, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn logical_validity(&self) -> Result<Option<Bitmap>, DataError> {
        logical::validity(self)
    }

    /// The number of slots that are null in [`logical_validity`](ArrayData::logical_validity). Each call reads all
    /// encoded arrays and unions.
    ///
    /// # Errors
    /// The errors of [`logical_validity`](ArrayData::logical_validity).
    pub fn logical_null_count(&self) -> Result<usize, DataError> {
        logical::null_count(self)
    }

    /// Buffer `k` after validity, in the order of the layout table, counted from 0; empty if the type has no such
    /// buffer.
    pub fn buffer(&self, k: usize) -> &Buffer {
        self.storage.buffer(k)
    }

    /// The data buffers that views refer to; empty for types without views.
    pub fn variadic(&self) -> &[Buffer] {
        self.storage.variadic()
    }

    /// Like [`variadic`](ArrayData::variadic), shared; `None` if there are none.
    pub fn shared_variadic(&self) -> Option<&Arc<[Buffer]>> {
        self.storage.shared_variadic()
    }

    /// The child arrays, in the order of the type's fields.
    pub fn children(&self) -> &[ArrayData] {
        self.children.as_deref().unwrap_or_default()
    }

    /// The values that a dictionary-encoded array's indices select; `None` for other types.
    pub fn dictionary(&self) -> Option<&Arc<ArrayData>> {
        self.dictionary.as_ref()
    }

    /// Returns the values of the field at `path`, one for each slot. A value is also null if one of its parents is
    /// null.
    ///
    /// The path may lead through structs and lists of all kinds. Below a list, the result is the same list. Its items
    /// are the values at the rest of the path, and the item field keeps its name. No values are copied. If both a
    /// parent and the values have nulls, a new bitmap is made. The result is [checked](ArrayData::checked) up to the
    /// level of this array.
    ///
    /// # Errors
    /// If a step names no child, or a child of a map, a union, runs or a dictionary: such children cannot be selected
    /// alone. If the values are a union or runs, which have no validity bitmap, and a parent has nulls.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::{DataType, Field, FieldPath};
    ///
    /// let zip = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![101, 102]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int32, 2)
    /// })?;
    /// let address = ArrayData::try_new(ArrayParts {
    ///     validity: Some(Bitmap::from_iter([true, false])),
    ///     children: Some(Arc::new([zip])),
    ///     ..ArrayParts::new(DataType::struct_([Field::new("zip", DataType::Int32)]), 2)
    /// })?;
    /// let zip = address.at_path(&FieldPath::root().child(0, "zip"))?;
    /// assert_eq!((zip.data_type(), zip.null_count()), (&DataType::Int32, 1));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn at_path(&self, path: &FieldPath) -> Result<ArrayData, DataError> {
        at_path::in_array(self, path)
    }

    /// The checked text of all slots, into which the offsets in buffer 0 point; `None` for types other than `utf8` and
    /// `large_utf8`, and until the content has been validated.
    pub fn text(&self) -> Option<&Text> {
        self.storage.text()
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
        Ok(slice::slice(self, start, n_slots))
    }

    /// Whether both have the same values in the same order, in any layouts. Slices, bytes in null slots, widths of
    /// offsets, views, dictionaries, runs and the modes of unions make no difference.
    ///
    /// Floating-point numbers are equal if they have the same bits: a NaN equals the same NaN, and -0.0 does not equal 0.0.
    /// A slot is null if it selects a null of a dictionary, or lies in a run of nulls.
    ///
    /// The fields of structs and unions need the same names in the same order. Unions also need the same type ids.
    /// Names of list items and map entries do not matter. Fixed-size lists and fixed-size binary values only equal
    /// values of the same size. Arrays whose types cannot have the same values are not equal, even if both are empty.
    ///
    /// Nullability and metadata make no difference. `==` also compares types.
    ///
    /// # Errors
    /// If an array was unchecked and is invalid.
    ///
    /// ```
    /// use arrow_buffer::{Buffer, View};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let offsets = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0i64, 3, 8]), Buffer::copy_from(b"adagrace")],
    ///     ..ArrayParts::new(DataType::LargeUtf8, 2)
    /// })?;
    /// let views = ["ada", "grace"].map(|name| View::inline(name.as_bytes()).unwrap_or_default());
    /// let views = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(views.to_vec()), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Utf8View, 2)
    /// })?;
    /// assert!(offsets.same_values(&views)?);
    /// assert!(!offsets.slice(0, 1).same_values(&views)?);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn same_values(&self, other: &ArrayData) -> Result<bool, DataError> {
        Ok(self.len() == other.len() && other.begins_with(self)?)
    }

    /// Whether the array begins with the [same values](ArrayData::same_values) as `start`, and is at least as long. Only
    /// the first values of the array are compared.
    ///
    /// # Errors
    /// If an array was unchecked and is invalid.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let ints = |values: Vec<i32>| {
    ///     let parts = ArrayParts::new(DataType::Int32, values.len());
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })
    /// };
    /// assert!(ints(vec![5, 6])?.begins_with(&ints(vec![5])?)?);
    /// assert!(!ints(vec![5, 6])?.begins_with(&ints(vec![6])?)?);
    /// assert!(!ints(vec![5])?.begins_with(&ints(vec![5, 6])?)?);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn begins_with(&self, start: &ArrayData) -> Result<bool, DataError> {
        compare::begins_with(self, start)
    }

    /// Whether both arrays have the same type, length and memory, and so the same values. Reads no values.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let parts = ArrayParts::new(DataType::Int32, 2);
    /// let numbers =
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![5, 6]), Buffer::new()], ..parts })?;
    /// assert!(numbers.same_memory(&numbers.clone()));
    /// assert!(!numbers.same_memory(&numbers.slice(0, 1)));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn same_memory(&self, other: &ArrayData) -> bool {
        self.len() == other.len()
            && self.data_type().same_type(other.data_type())
            && (std::ptr::eq(self, other) || memory::continues(self, other))
    }

    /// Whether this array has the type of `start`, is at least as long, and begins in the memory of `start`. Then it
    /// also begins with the same values. Reads no values. The result is `true` for snapshots of a
    /// growing array until the growing array moves to larger memory.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let parts = ArrayParts::new(DataType::Int32, 2);
    /// let numbers =
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(vec![5, 6]), Buffer::new()], ..parts })?;
    /// assert!(numbers.continues_memory(&numbers.slice(0, 1)));
    /// assert!(!numbers.continues_memory(&numbers.slice(1, 1)));
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn continues_memory(&self, start: &ArrayData) -> bool {
        std::ptr::eq(start, self)
            || self.data_type().same_type(start.data_type()) && memory::continues(start, self)
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
        memory::n_bytes(self)
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
        memory::add_allocations(self, allocations);
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

    /// The buffers of the array as text: a line for its type, a line for each buffer, then children and dictionary.
    ///
    /// A line begins with the path of the field. Bytes are hexadecimal, and cut short in long buffers. Validity is
    /// written as bits, the first slot first. A dump works at every [`Validation`](crate::Validation), since it interprets no
    /// values.
    ///
    /// ```
    /// use arrow_buffer::{Bitmap, Buffer};
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let array = ArrayData::try_new(ArrayParts {
    ///     validity: Some(Bitmap::from_iter([true, false])),
    ///     buffers: [Buffer::copy_from(&[1, 2]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Int8, 2)
    /// })?;
    /// assert_eq!(
    ///     array.dump().to_string(),
    ///     ".: int8, 2 slots, 1 null\n.: validity, 2 bits, 10\n.: values, 2 bytes, 01 02\n"
    /// );
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    pub fn dump(&self) -> Dump<'_> {
        Dump::new(self)
    }
}

impl PartialEq for ArrayData {
    /// Whether both arrays have the same type, except for metadata, and the same values and nulls.
    ///
    /// Slices, bytes in null slots, and the order of values in a dictionary make no difference, as in
    /// [`same_values`](ArrayData::same_values). Floating-point numbers are compared by their bits: a NaN equals the same
    /// NaN, and 0.0 differs from -0.0. Unchecked content is checked; an array whose content is invalid equals no array,
    /// not even itself.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_data::{ArrayData, ArrayParts};
    /// use arrow_schema::DataType;
    ///
    /// let ints = |values: Vec<i32>| {
    ///     let parts = ArrayParts::new(DataType::Int32, values.len());
    ///     ArrayData::try_new(ArrayParts { buffers: [Buffer::from(values), Buffer::new()], ..parts })
    /// };
    /// assert_eq!(ints(vec![1, 2, 3])?.slice(1, 2), ints(vec![2, 3])?);
    /// assert_ne!(ints(vec![1, 2, 3])?, ints(vec![2, 3])?);
    /// # Ok::<(), arrow_data::DataError>(())
    /// ```
    fn eq(&self, other: &ArrayData) -> bool {
        self.data_type().same_type(other.data_type()) && self.same_values(other).unwrap_or(false)
    }
}

impl Default for ArrayData {
    /// An array of the null type without slots.
    fn default() -> ArrayData {
        ArrayData::new_empty(&DataType::Null)
    }
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
