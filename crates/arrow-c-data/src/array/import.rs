//! Arrays and batches of the structures of others. Lengths and pointers are checked on the way; types come from the caller.

use std::sync::Arc;

use arrow_buffer::Buffer;
use arrow_data::{
    ArrayData, ArrayParts, BufferSpec, Count, Layout, OffsetType, Physical, RecordBatch, Repairs, Role,
    layout,
};
use arrow_schema::{DataType, Field, PathStep, Schema};

use super::ArrowArray;
use super::buffers::{Source, Window};
use crate::error::{CDataError, CDataErrorKind as Kind};
use crate::options::{CopyStats, ImportOptions};
use crate::raw::Released;

impl ArrowArray {
    /// The array, which shares the memory of this structure. The structure is released with the last buffer of the array, and on errors.
    ///
    /// A structure does not say its type, so nothing can find out whether it is this one:
    ///
    /// ```compile_fail,E0133
    /// use arrow_c_data::{ArrowArray, ImportOptions};
    /// use arrow_data::ArrayData;
    /// use arrow_schema::DataType;
    ///
    /// let exported = ArrowArray::try_from_array(&ArrayData::new_empty(&DataType::Int32))?;
    /// let imported = exported.import(&DataType::Int64, &ImportOptions::default())?;
    /// # Ok::<(), arrow_c_data::CDataError>(())
    /// ```
    ///
    /// # Safety
    /// The structure is one of an array of this type, whose buffers are as long as [the contract](crate#the-contract) says.
    ///
    /// # Errors
    /// If the structure says what no array of this type says, or its content is wrong.
    pub unsafe fn import(
        self,
        data_type: &DataType,
        options: &ImportOptions,
    ) -> Result<ArrayData, CDataError> {
        Typed { base: Arc::new(self), read_as: data_type }.import(options, &mut CopyStats::new())
    }

    /// As [`import`](ArrowArray::import), adding to `stats` what had to be copied.
    ///
    /// # Safety
    /// As [`import`](ArrowArray::import).
    ///
    /// # Errors
    /// As [`import`](ArrowArray::import).
    pub unsafe fn import_counted(
        self,
        data_type: &DataType,
        options: &ImportOptions,
        stats: &mut CopyStats,
    ) -> Result<ArrayData, CDataError> {
        Typed { base: Arc::new(self), read_as: data_type }.import(options, stats)
    }

    /// The record batch of this schema, which shares the memory of this structure: a struct whose children are the columns.
    ///
    /// ```
    /// use arrow_buffer::Buffer;
    /// use arrow_c_data::{ArrowArray, ImportOptions};
    /// use arrow_data::{ArrayData, ArrayParts, RecordBatch};
    /// use arrow_schema::{DataType, Schema};
    ///
    /// let flags = ArrayData::try_new(ArrayParts {
    ///     buffers: [Buffer::from(vec![0b101_u8]), Buffer::new()],
    ///     ..ArrayParts::new(DataType::Boolean, 3)
    /// })?;
    /// let batch = RecordBatch::try_from_columns([("flag", flags)])?;
    /// let other: Schema = "flag: utf8".parse()?;
    /// let exported = ArrowArray::try_from_batch(&batch)?;
    /// // SAFETY: text has another number of buffers, so that it is not read.
    /// let error = unsafe { exported.import_batch(other, &ImportOptions::default()) }.unwrap_err();
    /// assert_eq!(error.to_string(), "field `flag`: expected 3 buffers, found 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Safety
    /// The structure is one of a batch of this schema, whose buffers are as long as [the contract](crate#the-contract) says.
    ///
    /// # Errors
    /// If the structure says what no batch of this schema says, if one of its rows is null, or if its content is wrong.
    pub unsafe fn import_batch(
        self,
        schema: impl Into<Arc<Schema>>,
        options: &ImportOptions,
    ) -> Result<RecordBatch, CDataError> {
        let typed = Typed { base: Arc::new(self), read_as: schema.into() };
        typed.import_batch(options, &mut CopyStats::new())
    }

    /// As [`import_batch`](ArrowArray::import_batch), adding to `stats` what had to be copied.
    ///
    /// # Safety
    /// As [`import_batch`](ArrowArray::import_batch).
    ///
    /// # Errors
    /// As [`import_batch`](ArrowArray::import_batch).
    pub unsafe fn import_batch_counted(
        self,
        schema: impl Into<Arc<Schema>>,
        options: &ImportOptions,
        stats: &mut CopyStats,
    ) -> Result<RecordBatch, CDataError> {
        Typed { base: Arc::new(self), read_as: schema.into() }.import_batch(options, stats)
    }
}

/// A structure that is one of an array of the type, or of a batch of the schema, as which it is read. The promise that it is has been
/// made to the unsafe functions above, which alone make one of these.
pub(super) struct Typed<T> {
    pub(super) base: Arc<ArrowArray>,
    read_as: T,
}

impl Typed<&DataType> {
    fn import(self, options: &ImportOptions, stats: &mut CopyStats) -> Result<ArrayData, CDataError> {
        self.base.check_not_released()?;
        let mut source = Source::new(&self, stats);
        let array = import(&mut source, &self.base, self.read_as, Window::all(&self.base)?)?;
        let mut repairs = Repairs::default();
        let array = array.validate_counted(options.validation().level(), &mut repairs)?;
        stats.add(repairs.n_buffers(), repairs.n_bytes());
        Ok(array)
    }
}

impl Typed<Arc<Schema>> {
    fn import_batch(self, options: &ImportOptions, stats: &mut CopyStats) -> Result<RecordBatch, CDataError> {
        self.base.check_not_released()?;
        let mut source = Source::new(&self, stats);
        let batch = import_rows(&mut source, &self.base, Arc::clone(&self.read_as))?;
        let mut repairs = Repairs::default();
        let batch = batch.validate_counted(options.validation().level(), &mut repairs)?;
        stats.add(repairs.n_buffers(), repairs.n_bytes());
        Ok(batch)
    }
}

/// The columns of a struct, as a batch.
fn import_rows(
    source: &mut Source<'_>,
    array: &ArrowArray,
    schema: Arc<Schema>,
) -> Result<RecordBatch, CDataError> {
    let window = Window::all(array)?;
    check_buffer_count(array, 1)?;
    if array.dictionary()?.is_some() {
        let data_type = DataType::Struct(schema.shared_fields().clone());
        return Err(Kind::UnexpectedDictionary { data_type }.into());
    }
    let n_nulls = match (array.null_count, array.buffer(0)?) {
        (n_nulls @ 1.., None) => n_nulls.unsigned_abs(),
        (-1.., None) => 0,
        (-1.., Some(_)) => source.bits(array, 0, Role::Validity, window)?.count_unset() as u64,
        (found, _) => return Err(Kind::NullCount { found }.into()),
    };
    if n_nulls > 0 {
        return Err(Kind::NullRows { n_nulls }.into());
    }
    let n_rows = slots(array, window)?;
    let columns = import_children(source, array, schema.fields(), |column| {
        Window::of(column, window.start, window.n_slots)
    })?;
    Ok(RecordBatch::try_new_with_rows(schema, columns, n_rows)?)
}

/// Some slots of a structure, which is not released, as an array of this type.
fn import(
    source: &mut Source<'_>,
    array: &ArrowArray,
    data_type: &DataType,
    window: Window,
) -> Result<ArrayData, CDataError> {
    let mut parts = ArrayParts::new(data_type.clone(), slots(array, window)?);
    fill(source, array, window, &mut parts)?;
    ArrayData::try_new(parts).map_err(CDataError::from)
}

/// Fills the parts of an array in their place: they are large to move.
fn fill(
    source: &mut Source<'_>,
    array: &ArrowArray,
    window: Window,
    parts: &mut ArrayParts,
) -> Result<(), CDataError> {
    let layout = layout(&parts.data_type);
    match layout.physical() {
        // After the views their data, and the lengths of these.
        Physical::Views => check_least_buffers(array, layout.buffers().len().saturating_add(1))?,
        // Some libraries have a bitmap here, which says nothing.
        Physical::Null if array.n_buffers == 1 => {}
        Physical::Null
        | Physical::Bits
        | Physical::Fixed(_)
        | Physical::Bytes(_)
        | Physical::List(_)
        | Physical::ListView(_)
        | Physical::FixedSizeList(_)
        | Physical::Struct
        | Physical::Union(_)
        | Physical::Runs(_)
        | Physical::Dictionary(_) => check_buffer_count(array, layout.buffers().len())?,
    }
    if array.null_count < -1 {
        return Err(Kind::NullCount { found: array.null_count }.into());
    }
    if layout.has_validity() {
        import_validity(source, array, window, parts)?;
    }
    import_buffers(source, array, window, &layout, parts)?;
    let children = import_children(source, array, parts.data_type.children(), |child| {
        window
            .of_child(layout.child_len(), child)
            .ok_or(Kind::SizeOverflow { length: array.length, offset: array.offset })?
    })?;
    parts.children = (!children.is_empty()).then(|| children.into());
    parts.dictionary = import_dictionary(source, array, &parts.data_type)?;
    Ok(())
}

fn check_buffer_count(array: &ArrowArray, expected: usize) -> Result<(), Kind> {
    match usize::try_from(array.n_buffers) {
        Ok(found) if found == expected => Ok(()),
        _ => Err(Kind::BufferCount { expected, found: array.n_buffers }),
    }
}

fn check_least_buffers(array: &ArrowArray, least: usize) -> Result<(), Kind> {
    match usize::try_from(array.n_buffers) {
        Ok(found) if found >= least => Ok(()),
        _ => Err(Kind::TooFewBuffers { least, found: array.n_buffers }),
    }
}

fn slots(array: &ArrowArray, window: Window) -> Result<usize, Kind> {
    let overflow = |_| Kind::SizeOverflow { length: array.length, offset: array.offset };
    usize::try_from(window.n_slots).map_err(overflow)
}

fn import_validity(
    source: &mut Source<'_>,
    array: &ArrowArray,
    window: Window,
    parts: &mut ArrayParts,
) -> Result<(), Kind> {
    // What was counted for all slots says something of some of them only if there are no nulls.
    let is_all = window.n_slots == array.length.unsigned_abs();
    // The -1 of what was not counted is none.
    parts.declared_null_count =
        usize::try_from(array.null_count).ok().filter(|n_nulls| is_all || *n_nulls == 0);
    if array.buffer(0)?.is_some() {
        parts.validity = Some(source.bits(array, 0, Role::Validity, window)?);
    } else if array.null_count > 0 && window.n_slots > 0 {
        let n_bytes = window.start.saturating_add(window.n_slots).div_ceil(8);
        return Err(Kind::NullBuffer { role: Role::Validity, n_bytes });
    }
    Ok(())
}

fn import_buffers(
    source: &mut Source<'_>,
    array: &ArrowArray,
    window: Window,
    layout: &Layout,
    parts: &mut ArrayParts,
) -> Result<(), Kind> {
    let n_before = layout.buffers().len().saturating_sub(layout.data_buffers().len());
    for ((k, spec), position) in layout.data_buffers().iter().enumerate().zip(n_before..) {
        let buffer = match spec.count {
            Count::PerSlot if spec.bits == 1 => {
                let bits = source.bits(array, position, spec.role, window)?;
                parts.offset = bits.bit_offset();
                bits.buffer().clone()
            }
            Count::PerSlot | Count::PerSlotPlusOne => source.elements(array, position, spec, window)?,
            Count::FromData => {
                let n_bytes = last_offset(layout.physical(), &parts.buffers[0])?;
                let all = last_offset_of_all(source, array, window, layout)?;
                source.data(array, position, spec.role, all.map_or(n_bytes, |all| n_bytes.min(all)))?
            }
        };
        if let Some(place) = parts.buffers.get_mut(k) {
            *place = buffer;
        }
    }
    if layout.is_variadic() {
        parts.variadic = Some(import_variadic(source, array, layout.buffers())?);
    }
    if layout.slices_by_offset() && layout.data_buffers().is_empty() {
        // Runs: slots are counted through the children.
        let overflow = |_| Kind::SizeOverflow { length: array.length, offset: array.offset };
        parts.offset = usize::try_from(window.start).map_err(overflow)?;
    }
    Ok(())
}

/// How many bytes there are, by the last offset of the array; `None` where the window ends with the array.
///
/// Only this one says how much there is: offsets in between may be larger, if the array is wrong.
fn last_offset_of_all(
    source: &Source<'_>,
    array: &ArrowArray,
    window: Window,
    layout: &Layout,
) -> Result<Option<u64>, Kind> {
    let last_slot = Window::last_slot(array)?;
    if window.end() > last_slot.start || window.n_slots == 0 {
        return Ok(None);
    }
    // The offsets follow the validity.
    let position = usize::from(layout.has_validity());
    let [spec, ..] = layout.data_buffers() else { return Ok(None) };
    last_offset(layout.physical(), &source.unaligned(array, position, spec, last_slot)?).map(Some)
}

/// How many bytes there are, by the last of some offsets; 0 without offsets.
fn last_offset(physical: Physical, offsets: &Buffer) -> Result<u64, Kind> {
    let last: Option<i64> = match physical.offset_type() {
        Some(OffsetType::Int32) => offsets.last_chunk().map(|offset| i64::from(i32::from_ne_bytes(*offset))),
        Some(OffsetType::Int64) => offsets.last_chunk().map(|offset| i64::from_ne_bytes(*offset)),
        None => None,
    };
    let found = last.unwrap_or(0);
    u64::try_from(found).map_err(|_| Kind::LastOffset { found })
}

/// The data buffers of views, whose lengths are in the last buffer.
fn import_variadic(
    source: &mut Source<'_>,
    array: &ArrowArray,
    fixed: &[BufferSpec],
) -> Result<Arc<[Buffer]>, Kind> {
    // At least one more than `fixed`, which `import` has checked.
    let n_buffers = usize::try_from(array.n_buffers).unwrap_or(0);
    let lengths_at = n_buffers.saturating_sub(1);
    let n_variadic = lengths_at.saturating_sub(fixed.len());
    let n_bytes = (n_variadic as u64).saturating_mul(size_of::<i64>() as u64);
    let lengths = source.data(array, lengths_at, Role::Sizes, n_bytes)?;
    let (lengths, _) = lengths.as_chunks::<8>();
    let data = lengths.iter().enumerate().map(|(position, length)| {
        let found = i64::from_ne_bytes(*length);
        let n_bytes = u64::try_from(found).map_err(|_| Kind::VariadicLength { position, found })?;
        source.data(array, fixed.len().saturating_add(position), Role::Variadic, n_bytes)
    });
    data.collect()
}

fn import_children(
    source: &mut Source<'_>,
    array: &ArrowArray,
    fields: &[Field],
    window_of: impl Fn(&ArrowArray) -> Result<Window, Kind>,
) -> Result<Vec<ArrayData>, CDataError> {
    if usize::try_from(array.n_children) != Ok(fields.len()) {
        return Err(Kind::ChildCount { expected: fields.len(), found: array.n_children }.into());
    }
    let mut children = Vec::with_capacity(fields.len());
    for (position, field) in fields.iter().enumerate() {
        let in_child = |error: CDataError| error.in_child(position, field.name());
        let child = array.child(position).map_err(in_child)?;
        let window = window_of(child).map_err(|kind| in_child(kind.into()))?;
        let n_slots = slots(child, window).map_err(|kind| in_child(kind.into()))?;
        let mut parts = ArrayParts::new(field.data_type().clone(), n_slots);
        fill(source, child, window, &mut parts).map_err(in_child)?;
        match ArrayData::try_new(parts) {
            Ok(child) => children.push(child),
            Err(error) => return Err(in_child(error.into())),
        }
    }
    Ok(children)
}

fn import_dictionary(
    source: &mut Source<'_>,
    array: &ArrowArray,
    data_type: &DataType,
) -> Result<Option<Arc<ArrayData>>, CDataError> {
    let values = array.dictionary().map_err(|error| error.below(PathStep::Dictionary))?;
    match (data_type.as_dictionary(), values) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Kind::UnexpectedDictionary { data_type: data_type.clone() }.into()),
        (Some(_), None) => Err(Kind::MissingDictionary.into()),
        (Some(dictionary), Some(values)) => Window::all(values)
            .map_err(CDataError::from)
            .and_then(|window| import(source, values, dictionary.value(), window))
            .map_err(|error| error.below(PathStep::Dictionary))
            .map(|values| Some(Arc::new(values))),
    }
}
