//! Casts an array of any type: chooses the cast for each pair of types, and recurses into children.

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use arrow_array::{AnyArray, TimeZones};
use arrow_buffer::{Buffer, IntervalMonthDayNano, MemoryBudget};
use arrow_data::{ArrayData, ArrayParts, Physical, Validation};
use arrow_schema::{DataType, Field, IntervalUnit};

use super::{
    CastError, CastErrorKind, Digits, bytes, dictionary_cache::DictionaryCache, encoded, error::CastResult,
    lists, memory, numbers, text,
};

const NANOSECONDS_OF_MILLISECOND: i64 = 1_000_000;

/// Counts the values that have lost digits.
#[derive(Debug, Default)]
pub(super) struct CutCount {
    pub(super) n_cut: Cell<u64>,
    /// How many of them are values of dictionaries, which may contain other dictionaries.
    pub(super) n_in_dictionaries: Cell<u64>,
}

impl CutCount {
    /// The state to pass to [`add_dictionary`](CutCount::add_dictionary) or [`restore`](CutCount::restore).
    pub(super) fn before_dictionary(&self) -> [u64; 2] {
        [self.n_cut.get(), self.n_in_dictionaries.get()]
    }

    /// Forgets what has been counted since `before`.
    pub(super) fn restore(&self, [n_cut, n_in_dictionaries]: [u64; 2]) {
        self.n_cut.set(n_cut);
        self.n_in_dictionaries.set(n_in_dictionaries);
    }

    /// Adds values of dictionaries.
    pub(super) fn with_dictionaries(self, n_values: u64) -> CutCount {
        self.n_cut.set(self.n_cut.get().saturating_add(n_values));
        self.n_in_dictionaries.set(self.n_in_dictionaries.get().saturating_add(n_values));
        self
    }

    /// The values outside of dictionaries.
    pub(super) fn without_dictionaries(self) -> CutCount {
        let n_cut = self.n_cut.get().saturating_sub(self.n_in_dictionaries.get());
        CutCount { n_cut: Cell::new(n_cut), n_in_dictionaries: Cell::new(0) }
    }

    /// The number of values since `before`.
    pub(super) fn n_cut_since(&self, [n_cut, _]: [u64; 2]) -> u64 {
        self.n_cut.get().saturating_sub(n_cut)
    }

    /// Counts `n_values` values of a dictionary instead of the values since `before`.
    pub(super) fn add_dictionary(&self, [n_cut, n_in_dictionaries]: [u64; 2], n_values: u64) {
        self.restore([n_cut.saturating_add(n_values), n_in_dictionaries.saturating_add(n_values)]);
    }
}

/// Whether fields may change their names. If they may, fields are matched in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RenameRule {
    Allowed,
    Refused,
    /// Only the fields in the entries of a map may change their names.
    OfEntries,
}

/// The settings and the state for casting one array or one of its children.
#[derive(Debug, Clone, Copy)]
pub(super) struct CastContext<'a> {
    pub(super) digits: Digits,
    pub(super) count: &'a CutCount,
    pub(super) renaming: RenameRule,
    /// Whether 16 bytes can be cast to the text of a UUID and back.
    pub(super) has_uuids: bool,
    /// The time zones whose rules are used. `None` if no cast uses them.
    pub(super) zones: Option<TimeZones>,
    /// The budget that is charged for all memory of the cast.
    pub(super) budget: &'a MemoryBudget,
    pub(super) known: &'a DictionaryCache,
    /// Identifies this child within the whole type. If two children have the same number, their dictionaries replace each other
    /// in `known`, and are cast more often than needed.
    pub(super) child_id: u64,
}

impl CastContext<'_> {
    /// Counts a value that loses digits. Returns whether `digits` allows this.
    pub(super) fn cuts(self) -> bool {
        self.count.n_cut.set(self.count.n_cut.get().saturating_add(1));
        self.digits == Digits::Drop
    }

    /// Casts a value in steps of which several may lose digits. The value counts once.
    pub(super) fn in_steps<T>(self, steps: impl FnOnce() -> T) -> T {
        let n_cut = self.count.n_cut.get();
        let cast = steps();
        self.count.n_cut.set(self.count.n_cut.get().min(n_cut.saturating_add(1)));
        cast
    }

    /// The settings for the child at `position`.
    pub(super) fn inside(self, position: usize) -> Self {
        let child_id = self.child_id.wrapping_mul(31).wrapping_add(position as u64).wrapping_add(1);
        CastContext { child_id, ..self }
    }

    /// Casts a validated array. Recurses once for each level of nesting.
    pub(super) fn array(self, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
        let from = array.data_type();
        if from == to {
            return Ok(array.clone());
        }
        if let (Some(_), Some(_)) = (from.as_dictionary(), to.as_dictionary()) {
            return encoded::cast(self, array, to);
        }
        if [from, to].iter().any(|of| of.is_dictionary() || of.is_run_end_encoded()) {
            return self.encoded(array, to);
        }
        let unsupported =
            || CastError::from(CastErrorKind::Unsupported { from: from.clone(), to: to.clone() });
        use Physical as P;
        match (array.layout().physical(), arrow_data::layout(to).physical()) {
            _ if from.same_type(to) && from.children().is_empty() => relabeled(array, to, None),
            (P::Null, _) => encoded::nulls(to, array.len(), self.budget),
            (P::Struct, P::Struct) | (P::Union(_), P::Union(_)) => {
                if !same_form(from, to) {
                    return Err(unsupported());
                }
                let sources = sources_of(from, to, self.renaming).ok_or_else(unsupported)?;
                let is_allowed = self.renaming == RenameRule::Allowed;
                let renaming = if is_allowed { RenameRule::Allowed } else { RenameRule::Refused };
                CastContext { renaming, ..self }.with_children(array, to, &sources)
            }
            (
                P::List(_) | P::ListView(_) | P::FixedSizeList(_),
                P::List(_) | P::ListView(_) | P::FixedSizeList(_),
            ) => {
                if from.is_map() != to.is_map() || !same_form(from, to) {
                    return Err(unsupported());
                }
                let has_entries = from.is_map() && self.renaming == RenameRule::Refused;
                let renaming = if has_entries { RenameRule::OfEntries } else { self.renaming };
                let casting = CastContext { renaming, ..self };
                let has_same_layout = array.layout().physical() == arrow_data::layout(to).physical();
                // A slice keeps all items.
                if has_same_layout && !lists::shows_few_items(array)? {
                    casting.with_children(array, to, &[Some(0)])
                } else {
                    lists::cast(casting, array, to)
                }
            }
            _ => self.values(array, to),
        }
    }

    /// Casts from or to a dictionary or a run-end encoded type.
    #[inline(never)]
    fn encoded(self, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
        let decoded = encoded::decode(self, array, to)?;
        let plain = decoded.as_deref().unwrap_or(array);
        if let Some(runs) = to.as_run_end_encoded() {
            let values = self.child(plain, runs.values(), 1);
            return values.and_then(|values| encoded::to_runs(&values, to, self.budget));
        }
        match to.as_dictionary() {
            Some(dictionary) if decoded.is_none() => {
                let values = self.array(array, dictionary.value());
                values.and_then(|values| encoded::to_dictionary(&values, to, self.budget))
            }
            _ => self.array(plain, to),
        }
    }

    /// Casts numbers, booleans, intervals, text and bytes. Does not recurse, and is a separate function, so that [`CastContext::array`] uses
    /// less stack.
    #[inline(never)]
    fn values(self, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
        let any = AnyArray::try_new(array)?;
        let mut found = numbers::cast(self, &any, to)?;
        // UUIDs are bytes, so this comes before the cast of bytes.
        if found.is_none() && self.has_uuids {
            found = text::cast(self, &any, to)?;
        }
        if found.is_none() {
            found = flags(self, &any, to)?;
        }
        if found.is_none() {
            found = intervals(self, &any, to)?;
        }
        for cast in [bytes::cast, text::cast] {
            found = found.map_or_else(|| cast(self, &any, to), |array| Ok(Some(array)))?;
        }
        let unsupported = || CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() };
        Ok(found.ok_or_else(unsupported)?)
    }

    /// Casts the child at `position` to the type of `field`.
    pub(super) fn child(self, child: &ArrayData, field: &Field, position: usize) -> CastResult<ArrayData> {
        self.inside(position).array(child, field.data_type()).map_err(|error| error.in_child(position, field))
    }

    /// Replaces the children of an array. `sources` has the index of the old child for each new child; `None` makes a child of
    /// nulls.
    fn with_children(
        self,
        array: &ArrayData,
        to: &DataType,
        sources: &[Option<usize>],
    ) -> CastResult<ArrayData> {
        let mut children = Vec::with_capacity(sources.len());
        for (position, (source, field)) in sources.iter().zip(to.children()).enumerate() {
            let child = match source.and_then(|source| array.children().get(source)) {
                Some(child) => {
                    let old = source.and_then(|source| array.data_type().children().get(source));
                    check_nulls(child, old, field).map_err(|error| error.in_child(position, field))?;
                    self.child(child, field, position)
                }
                None => {
                    let n_slots = array.children().first().map_or(array.len(), ArrayData::len);
                    encoded::nulls(field.data_type(), n_slots, self.budget)
                }
            };
            children.push(child?);
        }
        relabeled(array, to, Some(children))
    }
}

/// For each child of the new type, the index of the old child, or `None` for a new field, whose values are null. Children are
/// matched in order if all names agree or may change. Otherwise fields of structs are matched by name. The result is `None` if
/// an old field would be dropped, or if names repeat.
#[inline(never)]
fn sources_of(from: &DataType, to: &DataType, renaming: RenameRule) -> Option<Vec<Option<usize>>> {
    let (old, new) = (from.children(), to.children());
    let positions: HashMap<&str, usize> =
        (0..).zip(old).map(|(position, field)| (field.name(), position)).collect();
    let may_rename = |new: &Field| !from.is_struct() || !positions.contains_key(new.name());
    let stays = |(old, new): (&Field, &Field)| {
        old.name() == new.name() || renaming != RenameRule::Refused && may_rename(new)
    };
    if old.len() == new.len() && old.iter().zip(new).all(stays) {
        return Some((0..old.len()).map(Some).collect());
    }
    let sources: Vec<Option<usize>> = new.iter().map(|field| positions.get(field.name()).copied()).collect();
    let taken: HashSet<usize> = sources.iter().copied().flatten().collect();
    let n_new =
        new.iter().filter(|field| !positions.contains_key(field.name()) && field.is_nullable()).count();
    // Fields can be matched by name if each old field is also a new field, and all other new fields are nullable. Structs
    // without a common field probably have different meanings.
    let is_clear =
        !old.is_empty() && taken.len() == old.len() && taken.len().checked_add(n_new) == Some(new.len());
    (from.is_struct() && is_clear).then_some(sources)
}

/// Returns an error if a field that is not nullable would get nulls. Checks nothing if the old field was not nullable either.
///
/// Nulls below a null of the parent count, too.
#[inline(never)]
pub(super) fn check_nulls(child: &ArrayData, old: Option<&Field>, new: &Field) -> CastResult<()> {
    if new.is_nullable() || old.is_some_and(|old| !old.is_nullable()) {
        return Ok(());
    }
    match child.logical_null_count()? {
        0 => Ok(()),
        null_count => Err(CastErrorKind::Nulls { null_count, field: new.clone() }.into()),
    }
}

/// Whether two types differ only in their children. Unions must have the same mode and type ids. A map type must not declare
/// sorted keys if the old one does not.
fn same_form(from: &DataType, to: &DataType) -> bool {
    match (from.as_union(), to.as_union()) {
        (Some(from), Some(to)) => from.mode() == to.mode() && from.type_ids() == to.type_ids(),
        _ => match (from.as_map(), to.as_map()) {
            // Sorted keys are also valid for a type whose keys may have any order.
            (Some(from), Some(to)) => from.keys_sorted() || !to.keys_sorted(),
            _ => true,
        },
    }
}

/// Replaces the type of an array by one with the same layout, and its children if `children` is given. Keeps the buffers.
#[inline(never)]
fn relabeled(array: &ArrayData, to: &DataType, children: Option<Vec<ArrayData>>) -> CastResult<ArrayData> {
    let parts = array.clone().into_parts();
    let children: Option<Arc<[ArrayData]>> = children.map(Arc::from).or(parts.children);
    Ok(ArrayData::try_new(ArrayParts { data_type: to.clone(), children, ..parts })?
        .validate(Validation::Content)?)
}

/// Casts booleans to integers. `None` if the array is not boolean, or `to` is not an integer type.
fn flags(casting: CastContext<'_>, array: &AnyArray, to: &DataType) -> CastResult<Option<ArrayData>> {
    let (AnyArray::Boolean(flags), true) = (array, to.is_integer()) else { return Ok(None) };
    let ones = flags.iter().map(|flag| i128::from(flag == Some(true)));
    let Ok(buffer) = numbers::buffer(to, ones, array.len(), casting.budget)? else { return Ok(None) };
    let parts = ArrayParts::new(to.clone(), array.len());
    let buffers = [buffer, parts.buffers[1].clone()];
    let parts = ArrayParts { validity: array.validity().cloned(), buffers, ..parts };
    Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
}

/// Casts intervals to months, days and nanoseconds. `None` if the array has no intervals, or `to` is another type. No value can
/// be too large.
fn intervals(casting: CastContext<'_>, array: &AnyArray, to: &DataType) -> CastResult<Option<ArrayData>> {
    if *to != DataType::Interval(IntervalUnit::MonthDayNano) {
        return Ok(None);
    }
    let none = IntervalMonthDayNano::default();
    let bytes = || memory::bytes(array.len() as u128 * size_of_val(&none) as u128, casting.budget);
    let intervals = if let AnyArray::IntervalYearMonth(intervals) = array {
        let mut bytes = bytes()?;
        for months in intervals.values() {
            bytes.push(IntervalMonthDayNano { months: *months, ..none });
        }
        bytes
    } else if let AnyArray::IntervalDayTime(intervals) = array {
        let mut bytes = bytes()?;
        for interval in intervals.values() {
            let nanoseconds = i64::from(interval.milliseconds).saturating_mul(NANOSECONDS_OF_MILLISECOND);
            bytes.push(IntervalMonthDayNano { days: interval.days, nanoseconds, ..none });
        }
        bytes
    } else {
        return Ok(None);
    };
    let parts = ArrayParts::new(to.clone(), array.len());
    let validity = array.validity().cloned();
    let parts = ArrayParts { validity, buffers: [intervals.freeze(), Buffer::new()], ..parts };
    Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
}
