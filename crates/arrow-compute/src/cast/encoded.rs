//! Casts dictionaries and runs to decoded values, and back.

use std::sync::Arc;

use arrow_array::{AnyArray, Array, DictionaryArray, RunEndEncodedArray, Scalar};
use arrow_buffer::{Bitmap, BitmapBuilder, Buffer, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, Comparer, DataError, Nulls, Validation, layout};
use arrow_schema::{DataType, RunEndType};
use arrow_select::{Insertion, ValueReader, ValueTable};

use super::{
    CastContext, CastErrorKind, check_nulls, dictionary_cache::CastDictionary, error::CastError,
    error::CastResult, hidden, memory, numbers,
};

/// Casts a dictionary-encoded array to another dictionary type, by casting the dictionary and the indices.
pub(super) fn cast(casting: CastContext<'_>, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
    let (values, to_values) = values_of(array, to)?;
    cast_dictionary(casting, values, to_values).and_then(|values| with_values(casting, array, to, values))
}

/// Decodes a dictionary or runs. `None` if the array is neither. Also `None` if a dictionary is cast to runs, since the
/// values of the runs may be dictionary-encoded.
#[inline(never)]
pub(super) fn decode(
    casting: CastContext<'_>,
    array: &ArrayData,
    to: &DataType,
) -> CastResult<Option<Box<ArrayData>>> {
    let any = AnyArray::try_new(array)?;
    let decoded = match (any.downcast_ref::<DictionaryArray>(), any.downcast_ref::<RunEndEncodedArray>()) {
        (Some(words), _) if !to.is_run_end_encoded() => selected(words, words.values(), casting.budget)?,
        (_, Some(runs)) => selected(runs, runs.values(), casting.budget)?,
        _ => return Ok(None),
    };
    Ok(Some(Box::new(decoded)))
}

/// Casts the values of a dictionary. Reuses the values that were cast for an earlier array. The functions that do not
/// recurse, or rarely, are separate, so that this one uses little stack.
#[inline(never)]
fn cast_dictionary(casting: CastContext<'_>, values: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
    let before = casting.count.before_dictionary();
    if let Some(known) = known_dictionary(casting, values, to) {
        return known;
    }
    let new = casting.inside(0).array(values, to);
    new_dictionary(casting, (values, to), new, before)
}

/// The cast values of a dictionary that is known, or has grown. `None` if all values must be cast.
#[inline(never)]
fn known_dictionary(
    casting: CastContext<'_>,
    values: &ArrayData,
    to: &DataType,
) -> Option<CastResult<ArrayData>> {
    if let Some(error) = casting.known.refusal(casting.child_id, values, to) {
        return Some(Err(error));
    }
    // The lock is not held during a cast, since the values may contain other dictionaries.
    let last = casting.known.find(casting.child_id, values, to)?;
    if last.old.len() == values.len() {
        return Some(Ok(last.new));
    }
    let before = casting.count.before_dictionary();
    // If this fails, all values are cast again, so that the error has the right slot.
    let added = casting.inside(0).array(&last.added(values), to);
    let Some(next) = last.grown(values, (&added, casting.count.n_cut_since(before)), casting.budget) else {
        casting.count.restore(before);
        return None;
    };
    Some(Ok(add_dictionary(casting, next, before)))
}

/// Stores the cast values of a dictionary, or the error. If a value is at fault, casts again without what no value shows.
#[inline(never)]
fn new_dictionary(
    casting: CastContext<'_>,
    (values, to): (&ArrayData, &DataType),
    new: CastResult<ArrayData>,
    before: [u64; 2],
) -> CastResult<ArrayData> {
    let new = new.or_else(|error| {
        casting.count.restore(before);
        shown_values(casting, values, to, error)
    });
    let n_cut = casting.count.n_cut_since(before);
    match new {
        Ok(new) => Ok(add_dictionary(casting, CastDictionary::first(values, new, n_cut), before)),
        Err(error) => {
            casting.count.add_dictionary(before, n_cut);
            Err(casting.known.refuse(casting.child_id, (values, to), error))
        }
    }
}

/// Stores a cast dictionary, and counts its values that have lost digits, unless another thread has counted them.
fn add_dictionary(casting: CastContext<'_>, next: Box<CastDictionary>, before: [u64; 2]) -> ArrayData {
    let (new, n_uncounted) = casting.known.keep(casting.child_id, next);
    casting.count.add_dictionary(before, n_uncounted);
    new
}

#[inline(never)]
fn shown_values(
    casting: CastContext<'_>,
    values: &ArrayData,
    to: &DataType,
    error: CastError,
) -> CastResult<ArrayData> {
    if !error.kind().is_of_value() || values.children().is_empty() {
        return Err(error);
    }
    let Ok(Some(shown)) = hidden::with_nulls(values, casting.budget).map(|shown| shown.map(Box::new)) else {
        return Err(error);
    };
    let again = casting.inside(0).array(&shown, to);
    again.map_err(|other| if other.kind().is_of_value() { other } else { error })
}

/// Casts the indices of the array to the new index type. `values` becomes the dictionary.
#[inline(never)]
fn with_values(
    casting: CastContext<'_>,
    array: &ArrayData,
    to: &DataType,
    values: ArrayData,
) -> CastResult<ArrayData> {
    let unsupported = || CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() };
    let new = to.as_dictionary().ok_or_else(unsupported)?;
    let indices: AnyArray = DictionaryArray::try_from(array.clone())?.indices_as()?;
    let indices = numbers::cast(casting, &indices, &new.index_type())?.ok_or_else(unsupported)?;
    let parts = indices.into_parts();
    let dictionary = Some(Arc::new(values));
    Ok(ArrayData::try_new(ArrayParts { data_type: to.clone(), dictionary, ..parts })?
        .validate(Validation::Content)?)
}
/// The dictionary of an array, and the type of the values in the new dictionary type.
#[inline(never)]
fn values_of<'a>(array: &'a ArrayData, to: &'a DataType) -> CastResult<(&'a ArrayData, &'a DataType)> {
    // An ordered dictionary has values in an order with a meaning. Casting does not change the order of values.
    let from_ordered = array.data_type().as_dictionary().is_some_and(|old| old.is_ordered());
    match (to.as_dictionary().filter(|new| from_ordered || !new.is_ordered()), array.dictionary()) {
        (Some(new), Some(values)) => Ok((values, new.value())),
        _ => Err(CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() }.into()),
    }
}

/// Selects a value for each slot by its index. A null index makes a null slot.
fn selected<A>(array: &A, values: &ArrayData, budget: &MemoryBudget) -> CastResult<ArrayData>
where
    A: for<'a> Array<Item<'a> = usize>,
{
    let is_null_type = *values.data_type() == DataType::Null;
    if is_null_type || values.is_empty() || array.null_count() > 0 && array.null_count() == array.len() {
        return nulls(values.data_type(), array.len(), budget);
    }
    let (mut indices, _charge) = memory::list::<u64>(array.len(), budget)?;
    let _plan = memory::charge(array.len() as u128 * memory::PLANNED_BYTES, budget)?;
    indices.extend(array.iter().map(|index| index.unwrap_or(0) as u64));
    let taken = memory::selector(budget).take(values, &indices)?;
    if array.null_count() == 0 {
        return Ok(taken);
    }
    let mut valid =
        BitmapBuilder::try_with_capacity_in(array.len(), Some(budget)).map_err(DataError::from)?;
    valid.extend((0..array.len()).map(|slot| array.is_valid(slot) && taken.is_valid(slot)));
    with_nulls(taken, valid.finish())
}

/// Replaces the validity of an array: slots whose bit in `valid` is not set become null.
fn with_nulls(array: ArrayData, valid: Bitmap) -> CastResult<ArrayData> {
    let data_type = array.data_type().clone();
    let parts = ArrayParts { validity: Some(valid), declared_null_count: None, ..array.into_parts() };
    match ArrayData::try_new(parts) {
        Ok(array) => Ok(array.validate(Validation::Content)?),
        // Unions and runs have no nulls of their own, so they cannot express null indices.
        Err(_) => Err(CastErrorKind::Unsupported { from: DataType::Null, to: data_type }.into()),
    }
}

/// Makes an array of nulls. An error for types without nulls, such as unions, where a null would be a value of the first child.
#[inline(never)]
pub(super) fn nulls(to: &DataType, n_slots: usize, budget: &MemoryBudget) -> CastResult<ArrayData> {
    if n_slots == 0 {
        return Ok(ArrayData::new_empty(to).validate(Validation::Content)?);
    }
    if !has_null(to) {
        return Err(CastErrorKind::Unsupported { from: DataType::Null, to: to.clone() }.into());
    }
    // One null may have any number of items, so memory is charged before it is made.
    memory::charge(memory::null_bytes(to).saturating_mul(n_slots as u128), budget)?;
    Ok(Scalar::try_new_null(to)?.to_array_with(n_slots, &memory::selector(budget))?.into_data())
}

/// Whether an array of this type can be null in a slot. True for runs whose values can be null.
fn has_null(data_type: &DataType) -> bool {
    match (layout(data_type).nulls(), data_type.as_run_end_encoded()) {
        (Nulls::Bitmap | Nulls::All, _) => true,
        (Nulls::InChildren, Some(runs)) => runs.values().is_nullable() && has_null(runs.values().data_type()),
        (Nulls::InChildren, None) => false,
    }
}

/// Makes a dictionary of the distinct values, in order of first occurrence, and the indices.
#[inline(never)]
pub(super) fn to_dictionary(
    values: &ArrayData,
    to: &DataType,
    budget: &MemoryBudget,
) -> CastResult<ArrayData> {
    let unsupported = || CastErrorKind::Unsupported { from: values.data_type().clone(), to: to.clone() };
    let dictionary = to.as_dictionary().filter(|new| !new.is_ordered()).ok_or_else(unsupported)?;
    // The null type has no bitmap, although all of its slots are null.
    let is_null_type = *values.data_type() == DataType::Null;
    let validity = if is_null_type {
        Some(Bitmap::try_new_unset_in(values.len(), Some(budget)).map_err(DataError::from)?)
    } else {
        values.validity().cloned()
    };
    let mut table = ValueTable::default();
    let mut reader = reader(values)?;
    let (mut indices, _charge) = memory::list::<u64>(values.len(), budget)?;
    // The memory that the table uses for values is charged as it grows, with twice the amount each time.
    let mut first_slots = Vec::new();
    let mut table_charges = Vec::new();
    let mut n_retained = 0_usize;
    let mut n_charged = 0_usize;
    for slot in 0..values.len() {
        if validity.as_ref().is_some_and(|validity| validity.get(slot) != Some(true)) {
            indices.push(0);
            continue;
        }
        let n_read = reader.n_bytes_read();
        let (Insertion::Known(index) | Insertion::New(index)) = table.insert(&mut reader, slot)?;
        if index == first_slots.len() {
            first_slots.push(slot as u64);
            n_retained = n_retained.saturating_add(reader.n_bytes_read().saturating_sub(n_read));
            if n_retained > n_charged {
                table_charges.push(memory::charge(n_retained as u128, budget)?);
                n_charged = n_charged.saturating_add(n_retained);
            }
        }
        // The conversion is exact, since there are at most as many values as slots.
        indices.push(index as u64);
    }
    let index_type = dictionary.index_type();
    let buffer = indices.iter().map(|index| i128::from(*index));
    let buffer = numbers::buffer(&index_type, buffer, indices.len(), budget)?;
    let buffer = buffer.map_err(|slot| CastErrorKind::OutOfRange {
        value: format!("of index {}", indices.get(slot).map_or(u64::MAX, |index| *index)),
        slot,
        to: to.clone(),
    })?;
    let parts = ArrayParts::new(to.clone(), values.len());
    let _plan = memory::charge(first_slots.len() as u128 * memory::PLANNED_BYTES, budget)?;
    let dictionary =
        Some(Arc::new(memory::selector(budget).take(values, &first_slots)?.validate(Validation::Content)?));
    let buffers = [buffer, parts.buffers[1].clone()];
    Ok(ArrayData::try_new(ArrayParts { validity, buffers, dictionary, ..parts })?
        .validate(Validation::Content)?)
}

/// Makes a reader of values as bytes, with a limit on their total length. Views and lists may refer to the same bytes many
/// times, so that without a limit their values could exceed memory.
fn reader(values: &ArrayData) -> CastResult<ValueReader> {
    const PER_BYTE: usize = 64;
    // A slot may take a single bit, but the table stores a hash and positions for its value.
    const PER_SLOT: usize = 64;
    const LEAST: usize = 16 << 20;
    let n_bytes = usize::try_from(values.n_bytes()).unwrap_or(usize::MAX);
    let n_bytes = n_bytes.saturating_mul(PER_BYTE).saturating_add(values.len().saturating_mul(PER_SLOT));
    Ok(ValueReader::try_new(values)?.with_max_bytes(n_bytes.saturating_add(LEAST)))
}

#[inline(never)]
pub(super) fn to_runs(values: &ArrayData, to: &DataType, budget: &MemoryBudget) -> CastResult<ArrayData> {
    let unsupported = || CastErrorKind::Unsupported { from: values.data_type().clone(), to: to.clone() };
    let runs = to.as_run_end_encoded().ok_or_else(unsupported)?;
    check_nulls(values, None, runs.values()).map_err(|error| error.in_child(1, runs.values()))?;
    let (first_slots, ends) = run_starts_and_ends(values, budget)?;
    let first_slots = memory::numbers(&first_slots)?;
    let ends = memory::numbers(&ends)?;
    let end_type = match runs.run_end_type() {
        RunEndType::Int16 => DataType::Int16,
        RunEndType::Int32 => DataType::Int32,
        RunEndType::Int64 => DataType::Int64,
    };
    let n_runs = ends.len();
    let buffer = numbers::buffer(&end_type, ends.iter().map(|end| i128::from(*end)), n_runs, budget)?;
    let too_long =
        |_| CastErrorKind::OutOfRange { value: format!("{} slots", values.len()), slot: 0, to: to.clone() };
    let parts = ArrayParts::new(end_type, n_runs);
    let ends = ArrayData::try_new(ArrayParts {
        buffers: [buffer.map_err(too_long)?, parts.buffers[1].clone()],
        ..parts
    })?;
    let _plan = memory::charge(n_runs as u128 * memory::PLANNED_BYTES, budget)?;
    let children: Arc<[ArrayData]> = Arc::new([ends, memory::selector(budget).take(values, first_slots)?]);
    let parts = ArrayParts::new(to.clone(), values.len());
    Ok(ArrayData::try_new(ArrayParts { children: Some(children), ..parts })?.validate(Validation::Content)?)
}

/// For each run of equal values, its first slot and its end.
fn run_starts_and_ends(values: &ArrayData, budget: &MemoryBudget) -> CastResult<(Buffer, Buffer)> {
    let (mut first_slots, mut ends) = (memory::bytes(0, budget)?, memory::bytes(0, budget)?);
    if values.is_empty() {
        return Ok((first_slots.freeze(), ends.freeze()));
    }
    // All slots have the same value. There may be too many to compare them.
    let n_compared = if values.is_uniform() { 1 } else { values.len() };
    let mut comparer = Comparer::try_new(values, values)?;
    let mut slot = 0_usize;
    memory::push(&mut first_slots, 0)?;
    // Compares each slot with the next one.
    while slot.saturating_add(1) < n_compared
        && let Some(n_same) = comparer.first_mismatch(slot..n_compared - 1, slot.saturating_add(1))?
    {
        slot = slot.saturating_add(n_same).saturating_add(1);
        memory::push(&mut ends, slot as u64)?;
        memory::push(&mut first_slots, slot as u64)?;
    }
    memory::push(&mut ends, values.len() as u64)?;
    Ok((first_slots.freeze(), ends.freeze()))
}
