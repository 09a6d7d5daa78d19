//! The parts of an array, and the check of their structure: lengths, counts, types and alignment. Reads no content.

use std::sync::Arc;

use arrow_buffer::{Bitmap, Buffer};
use arrow_schema::{DataType, PathStep};

use super::{ArrayData, NullCount, Storage};
use crate::{
    error::{DataError, DataErrorKind as Kind},
    layout::{BufferSpec, ChildLen, Layout, Nulls, Role, dictionary_value, layout},
    validation::Validation,
};

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

/// Checks the parts of an array. Takes `&mut`, since a move takes as long as the check. Removes a declared null count
/// from types without a validity bitmap, and slices a child that is too long.
pub(super) fn check(parts: &mut ArrayParts) -> Result<(), DataError> {
    let layout = layout(&parts.data_type);
    if parts.offset != 0 && !layout.slices_by_offset() {
        let data_type = parts.data_type.clone();
        return Err(Kind::UnexpectedOffset { offset: parts.offset, data_type }.into());
    }
    check_nulls(parts, &layout)?;
    check_buffers(parts, &layout)?;
    if parts.children.is_some() || layout.child_len() != ChildLen::NoChildren {
        check_children(parts, &layout)?;
    }
    check_dictionary(parts)
}

/// An array without slots, which needs no buffers. Its children and dictionaries are empty, too.
pub(super) fn empty(data_type: &DataType) -> ArrayData {
    let fields = data_type.children();
    let children: Option<Arc<[ArrayData]>> =
        (!fields.is_empty()).then(|| fields.iter().map(|field| empty(field.data_type())).collect());
    ArrayData {
        data_type: data_type.clone(),
        n_slots: 0,
        offset: 0,
        null_count: NullCount::new(None),
        validity: None,
        storage: Storage::Plain { buffers: [Buffer::new(), Buffer::new()], variadic: None },
        children,
        dictionary: dictionary_value(data_type).map(|value| Arc::new(empty(value))),
        checked: Validation::Structure,
        is_assumed: false,
    }
}

fn check_nulls(parts: &mut ArrayParts, layout: &Layout) -> Result<(), DataError> {
    if layout.nulls() != Nulls::Bitmap {
        // Producers declare different null counts for types without a bitmap. These counts have no meaning.
        parts.declared_null_count = None;
        return match parts.validity {
            Some(_) => Err(Kind::UnexpectedValidity { data_type: parts.data_type.clone() }.into()),
            None => Ok(()),
        };
    }
    let n_slots = parts.n_slots as u64;
    if let Some(validity) = &parts.validity
        && validity.len() != parts.n_slots
    {
        let kind = Kind::BitmapLength { expected: n_slots, found: validity.len() as u64 };
        return Err(DataError::from(kind).in_role(Role::Validity));
    }
    match parts.declared_null_count {
        Some(null_count) if null_count > parts.n_slots => {
            Err(Kind::TooManyNulls { null_count: null_count as u64, n_slots }.into())
        }
        Some(null_count) if null_count > 0 && parts.validity.is_none() => {
            let kind = Kind::MissingValidity { null_count: null_count as u64 };
            Err(DataError::from(kind).in_role(Role::Validity))
        }
        Some(_) | None => Ok(()),
    }
}

fn check_buffers(parts: &ArrayParts, layout: &Layout) -> Result<(), DataError> {
    for (spec, buffer) in layout.data_buffers().iter().zip(&parts.buffers) {
        check_buffer(parts, spec, buffer).map_err(|kind| DataError::from(kind).in_role(spec.role))?;
    }
    if !layout.is_variadic() && parts.variadic.is_some() {
        return Err(Kind::UnexpectedVariadic { data_type: parts.data_type.clone() }.into());
    }
    Ok(())
}

fn check_buffer(parts: &ArrayParts, spec: &BufferSpec, buffer: &Buffer) -> Result<(), Kind> {
    let n_slots = parts.n_slots as u64;
    // Arrays of runs have no buffers, so an offset here is a number of bits in bit-packed values.
    let needed = n_slots.checked_add(parts.offset as u64).and_then(|n_elements| spec.min_bytes(n_elements));
    let Some(needed) = needed else { return Err(Kind::SizeOverflow { n_slots }) };
    let found = buffer.len() as u64;
    if found < needed {
        return Err(Kind::BufferTooShort { n_slots, needed, found });
    }
    let alignment = spec.alignment_bytes();
    if !buffer.is_empty() && !buffer.is_aligned_to(alignment) {
        return Err(Kind::Misaligned { needed: alignment });
    }
    Ok(())
}

fn check_children(parts: &mut ArrayParts, layout: &Layout) -> Result<(), DataError> {
    let fields = parts.data_type.children();
    let children = parts.children.as_deref().unwrap_or_default();
    if fields.len() != children.len() {
        return Err(Kind::ChildCount { expected: fields.len(), found: children.len() }.into());
    }
    for (position, (field, child)) in fields.iter().zip(children).enumerate() {
        if !field.data_type().same_type(child.data_type()) {
            let kind =
                Kind::TypeMismatch { expected: field.data_type().clone(), found: child.data_type().clone() };
            return Err(DataError::from(kind).in_child(&parts.data_type, position));
        }
    }
    match layout.child_len() {
        ChildLen::NoChildren | ChildLen::FromData => Ok(()),
        ChildLen::SameAsParent => {
            let n_slots = parts.n_slots;
            match children.iter().position(|child| child.len() != n_slots) {
                Some(position) => Err(child_length(parts, position, n_slots as u64)),
                None => Ok(()),
            }
        }
        ChildLen::Times(size) => narrow_child(parts, size),
        ChildLen::Runs => check_runs(parts),
    }
}

fn child_length(parts: &ArrayParts, position: usize, expected: u64) -> DataError {
    let child = parts.children.as_deref().and_then(|children| children.get(position));
    let found = child.map_or(0, |child| child.len() as u64);
    DataError::from(Kind::ChildLength { expected, found }).in_child(&parts.data_type, position)
}

/// Slices the child of a fixed-size list to the length that the list needs. A longer child is valid, but other code
/// expects exactly this length.
fn narrow_child(parts: &mut ArrayParts, size: u32) -> Result<(), DataError> {
    let n_slots = parts.n_slots as u64;
    let needed = n_slots.checked_mul(u64::from(size)).ok_or(Kind::SizeOverflow { n_slots })?;
    let child = parts.children.as_deref().and_then(<[ArrayData]>::first);
    match (child, usize::try_from(needed)) {
        (Some(child), Ok(needed)) if child.len() == needed => Ok(()),
        (Some(child), Ok(needed)) if child.len() > needed => {
            parts.children = Some(Arc::new([child.slice(0, needed)]));
            Ok(())
        }
        _ => Err(child_length(parts, 0, needed)),
    }
}

fn check_runs(parts: &ArrayParts) -> Result<(), DataError> {
    let [run_ends, values] = parts.children.as_deref().unwrap_or_default() else {
        return Err(Kind::ChildCount { expected: 2, found: 0 }.into());
    };
    let n_slots = parts.n_slots as u64;
    n_slots.checked_add(parts.offset as u64).ok_or(Kind::SizeOverflow { n_slots })?;
    if run_ends.len() > values.len() {
        let (n_runs, n_values) = (run_ends.len() as u64, values.len() as u64);
        return Err(Kind::RunCount { n_runs, n_values }.into());
    }
    if run_ends.is_empty() && n_slots > 0 {
        return Err(Kind::NoRuns { n_slots }.into());
    }
    Ok(())
}

fn check_dictionary(parts: &ArrayParts) -> Result<(), DataError> {
    match (dictionary_value(&parts.data_type), &parts.dictionary) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(Kind::UnexpectedDictionary { data_type: parts.data_type.clone() }.into()),
        (Some(_), None) => Err(Kind::MissingDictionary.into()),
        (Some(value), Some(dictionary)) if value.same_type(dictionary.data_type()) => Ok(()),
        (Some(value), Some(dictionary)) => {
            let (expected, found) = (value.clone(), dictionary.data_type().clone());
            Err(DataError::from(Kind::TypeMismatch { expected, found }).below(PathStep::Dictionary))
        }
    }
}
