//! Casts columns to other types: other encodings, widths and units.

mod bytes;
mod decoded;
mod dictionary_cache;
mod encoded;
mod error;
mod hidden;
mod intervals;
mod lists;
mod memory;
mod numbers;
mod text;

use std::{
    cell::Cell,
    collections::{HashMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arrow_array::{AnyArray, TimeZones};
use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, ArrayParts, Physical, Validation};
use arrow_schema::{DataType, Field};

pub(crate) use self::error::shown;
use self::{dictionary_cache::DictionaryCache, error::CastResult};

pub use self::decoded::Decode;
pub use self::error::{CastError, CastErrorKind};

/// What a cast does with digits that the new type cannot store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Digits {
    /// Returns an error.
    #[default]
    Keep,
    /// Rounds floating-point numbers, and text that becomes one, to the nearest number of the new type. All other digits that
    /// cannot be stored are an error. Use this for numbers whose last digits have no meaning, such as measurements in float64 that become float32.
    RoundFloats,
    /// Drops the digits. Timestamps become the preceding timestamp of the new unit: 1969-12-31T23:59:59.5 becomes
    /// 1969-12-31T23:59:59. Durations and other numbers are truncated toward zero: -1.5 becomes -1. Casts to floating-point
    /// numbers round to the nearest number.
    Drop,
}

/// Casts the values of an array to another type. A value that the type cannot express exactly is an error, unless `digits`
/// allows the loss. These casts exist:
///
/// - dictionaries and runs to values that are not encoded, and back;
/// - text and bytes with offsets of 32 or 64 bits, with views, and of fixed size; bytes to text if they are UTF-8;
/// - lists with offsets of 32 or 64 bits, list views, and lists of a fixed size, if each valid list has that size;
/// - integers and decimals of any width and scale, if each value fits;
/// - times, timestamps, durations and dates in any unit; dates to timestamps without a time zone and back; timestamps of one
///   time zone to the same instants in another;
/// - floating-point numbers of any width; integers to floating-point numbers and back, if the number does not change; decimals
///   to floating-point numbers and back: a whole floating-point number is the same number as a decimal, with all of its digits; all
///   others have the digits of their shortest text. So 0.1 is cast both ways, and 10²² too, but not the decimal 10²⁷, since the
///   nearest floating-point number is 1000000000000000013287555072;
/// - integers to times, timestamps and durations and back: the integer counts the unit of the type;
/// - booleans to integers, which are 0 and 1;
/// - intervals of months, and of days and milliseconds, to those of months, days and nanoseconds;
/// - with [`Digits::Drop`]: timestamps without a time zone or of UTC to times of day, and timestamps of UTC to dates and to
///   timestamps without a time zone; for other zones, see [`Cast::with_time_zones`];
/// - numbers, booleans, dates and times to text and back, in the notation of lossless JSON; text to a floating-point number that
///   is the number of the text when it is rounded to as many digits: `0.1` and `1e300`, but not `9007199254740993`. If two
///   shortest texts are equally near, both are accepted, since the standard library of Rust prints the greater one; the even
///   one is written. Decimals are strict;
/// - structs by the names of their fields, in any order; new fields are null. If the names differ, fields are renamed in their
///   order. A field is not renamed if the old struct has the new name at another position;
/// - maps, unions and lists by their children, in order. The names come from the new type.
///
/// Values of children that no slot shows need not fit, such as those below a null struct: they may become null.
///
/// The result has the metadata of the new type. If the array already has the new type, the result shares its memory. A result
/// takes at most 1,024 times the bytes of the array, or 256 MiB if that is more. Without this limit, a small dictionary-encoded
/// array could be decoded to any length. For another limit, or for many arrays, use a [`Cast`].
///
/// ```
/// use arrow_array::{Int64Array, Utf8ViewArray};
/// use arrow_compute::{Digits, cast};
/// use arrow_schema::{DataType, TimeUnit};
///
/// let numbers = Int64Array::from_iter([Some(1), None, Some(300)]);
/// let narrow = cast(numbers.data(), &DataType::Int16, Digits::Keep)?;
/// assert_eq!(format!("{:?}", arrow_array::AnyArray::try_new(&narrow)?), "int16 [1, null, 300]");
/// let error = cast(numbers.data(), &DataType::Int8, Digits::Keep).unwrap_err();
/// assert_eq!(error.to_string(), "the value 300 in slot 2 does not fit int8");
///
/// let words = Utf8ViewArray::from_iter(["red", "blue", "red"]);
/// let encoded = cast(words.data(), &"dictionary<int8, utf8>".parse()?, Digits::Keep)?;
/// assert_eq!(encoded.dictionary().map(|values| values.len()), Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no cast between the types. If a value does not fit the type, or would lose digits that `digits` protects. If the
/// array has nulls that the new type does not allow. If the array is invalid. If the memory for the values is refused. If very long
/// texts that slots share would be parsed more than 64 times.
pub fn cast(array: &ArrayData, to: &DataType, digits: Digits) -> Result<ArrayData, CastError> {
    let budget = MemoryBudget::new(MemoryBudget::default_limit(array.n_bytes()));
    Cast::new(to.clone(), digits).array(array, &budget)
}

/// The [cast](cast()) of many arrays to one type, such as one column of all batches. Each value of a dictionary is cast once,
/// even if several arrays share the dictionary, or if it grows from array to array. Several threads can share a `Cast`.
///
/// ```
/// use arrow_array::{DictionaryArray, Int8Array, Utf8Array};
/// use arrow_buffer::MemoryBudget;
/// use arrow_compute::{Cast, Digits};
///
/// let words = Utf8Array::try_from_iter(["red", "blue"])?;
/// let cast = Cast::new("dictionary<int8, utf8_view>".parse()?, Digits::Keep);
/// let mut made = Vec::new();
/// for indices in [[0, 1], [1, 1]] {
///     let column = DictionaryArray::try_new(Int8Array::from_iter(indices), words.clone())?;
///     made.push(cast.array(column.data(), &MemoryBudget::new(1 << 20))?);
/// }
/// let [first, second] = [0, 1].map(|idx| made[idx].dictionary().unwrap());
/// assert!(first.same_memory(second));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cast {
    to: DataType,
    digits: Digits,
    renaming: RenameRule,
    /// Whether 16 bytes can be cast to the text of a UUID and back.
    has_uuids: bool,
    zones: Option<TimeZones>,
    known: DictionaryCache,
    n_cut: AtomicU64,
    n_cut_in_dictionaries: AtomicU64,
}

impl Cast {
    /// Makes a cast to the type `to`.
    pub fn new(to: DataType, digits: Digits) -> Cast {
        let known = DictionaryCache::default();
        let [n_cut, n_cut_in_dictionaries] = [0; 2].map(AtomicU64::new);
        Cast {
            to,
            digits,
            renaming: RenameRule::Allowed,
            has_uuids: false,
            zones: None,
            known,
            n_cut,
            n_cut_in_dictionaries,
        }
    }

    /// Makes it an error to change the names of fields of structs and unions. Use this for types that come from different
    /// files, where a field with another name probably has another meaning. The names of the fields in the entries of maps may
    /// change.
    #[must_use]
    pub fn with_same_names(self) -> Cast {
        Cast { renaming: RenameRule::Refused, ..self }
    }

    /// Also casts 16 bytes to the text form of a UUID and back. By default, this is an error.
    #[must_use]
    pub fn with_uuids(self) -> Cast {
        Cast { has_uuids: true, ..self }
    }

    /// Also casts by the rules of these time zones:
    ///
    /// - timestamps without a zone to timestamps with one: they are local times of that zone. A local time that clocks skip or
    ///   show twice is an error. With [`Digits::Drop`], the first is moved forward as the clocks are, and the second is the
    ///   earlier of both instants;
    /// - with [`Digits::Drop`]: timestamps with any zone to local times and dates of that zone.
    ///
    /// ```
    /// use arrow_array::{Date32Array, TimeZones, TimestampArray};
    /// use arrow_buffer::MemoryBudget;
    /// use arrow_compute::{Cast, Digits};
    /// use arrow_schema::DataType;
    ///
    /// let evening = TimestampArray::try_from_iter("timestamp(s, \"+02:00\")".parse()?, [82_800])?;
    /// let cast = Cast::new(DataType::Date32, Digits::Drop).with_time_zones(TimeZones::default());
    /// let days = Date32Array::try_from(cast.array(evening.data(), &MemoryBudget::new(1 << 20))?)?;
    /// assert_eq!(days.value(0), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_time_zones(self, zones: TimeZones) -> Cast {
        Cast { zones: Some(zones), ..self }
    }

    /// The number of values that have lost digits so far, which only [`Digits::Drop`] allows. A value of a dictionary counts
    /// once.
    pub fn n_cut(&self) -> u64 {
        self.n_cut.load(Ordering::Relaxed)
    }

    /// How many of the values that have lost digits are values of dictionaries. Arrays that another `Cast` casts may share these
    /// dictionaries.
    pub fn n_cut_in_dictionaries(&self) -> u64 {
        self.n_cut_in_dictionaries.load(Ordering::Relaxed)
    }

    /// Casts an array. Memory is charged to `budget` before it is allocated. The result stays charged until its last buffer is
    /// dropped, and intermediate values until they are dropped. The values of a dictionary that continues an earlier one stay charged
    /// as long as the `Cast` keeps them. Several columns may share one budget.
    ///
    /// # Errors
    /// The errors of [`cast()`], and an error if the budget refuses memory.
    pub fn array(&self, array: &ArrayData, budget: &MemoryBudget) -> Result<ArrayData, CastError> {
        let array = array.clone().validate(Validation::Content)?;
        // Hidden values are cast with the others, which is fast. They may be at fault, or lose digits. Then only the others are
        // cast.
        let (cast, count) = self.once(&array, budget, &self.known);
        let (cast, count) = match cast {
            Ok(cast) if count.n_cut.get() > 0 => self.without_hidden_cuts(&array, budget, (cast, count)),
            Ok(cast) => (cast, count),
            Err(error) if error.kind().is_of_value() => {
                self.without_hidden_faults(&array, budget, (error, count))?
            }
            Err(error) => return Err(error),
        };
        self.n_cut.fetch_add(count.n_cut.get(), Ordering::Relaxed);
        self.n_cut_in_dictionaries.fetch_add(count.n_in_dictionaries.get(), Ordering::Relaxed);
        Ok(cast)
    }

    /// Casts an array with all values of its children and dictionaries.
    fn once(
        &self,
        array: &ArrayData,
        budget: &MemoryBudget,
        known: &DictionaryCache,
    ) -> (CastResult<ArrayData>, CutCount) {
        let count = CutCount::default();
        let digits = self.digits;
        let renaming = self.renaming;
        let has_uuids = self.has_uuids;
        let zones = self.zones;
        let casting =
            CastContext { digits, count: &count, renaming, has_uuids, zones, budget, known, child_id: 0 };
        let cast = casting.array(array, &self.to);
        (cast, count)
    }
}

/// Counts the values that have lost digits.
#[derive(Debug, Default)]
struct CutCount {
    n_cut: Cell<u64>,
    /// How many of them are values of dictionaries, which may contain other dictionaries.
    n_in_dictionaries: Cell<u64>,
}

impl CutCount {
    /// The state to pass to [`add_dictionary`](CutCount::add_dictionary) or [`restore`](CutCount::restore).
    fn before_dictionary(&self) -> [u64; 2] {
        [self.n_cut.get(), self.n_in_dictionaries.get()]
    }

    /// Forgets what has been counted since `before`.
    fn restore(&self, [n_cut, n_in_dictionaries]: [u64; 2]) {
        self.n_cut.set(n_cut);
        self.n_in_dictionaries.set(n_in_dictionaries);
    }

    /// Adds values of dictionaries.
    fn with_dictionaries(self, n_values: u64) -> CutCount {
        self.n_cut.set(self.n_cut.get().saturating_add(n_values));
        self.n_in_dictionaries.set(self.n_in_dictionaries.get().saturating_add(n_values));
        self
    }

    /// The values outside of dictionaries.
    fn without_dictionaries(self) -> CutCount {
        let n_cut = self.n_cut.get().saturating_sub(self.n_in_dictionaries.get());
        CutCount { n_cut: Cell::new(n_cut), n_in_dictionaries: Cell::new(0) }
    }

    /// The number of values since `before`.
    fn n_cut_since(&self, [n_cut, _]: [u64; 2]) -> u64 {
        self.n_cut.get().saturating_sub(n_cut)
    }

    /// Counts `n_values` values of a dictionary instead of the values since `before`.
    fn add_dictionary(&self, [n_cut, n_in_dictionaries]: [u64; 2], n_values: u64) {
        self.restore([n_cut.saturating_add(n_values), n_in_dictionaries.saturating_add(n_values)]);
    }
}

/// Whether fields may change their names. If they may, fields are matched in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RenameRule {
    Allowed,
    Refused,
    /// Only the fields in the entries of a map may change their names.
    OfEntries,
}

/// The settings and the state for casting one array or one of its children.
#[derive(Debug, Clone, Copy)]
struct CastContext<'a> {
    digits: Digits,
    count: &'a CutCount,
    renaming: RenameRule,
    /// Whether 16 bytes can be cast to the text of a UUID and back.
    has_uuids: bool,
    /// The time zones whose rules are used. `None` if no cast uses them.
    zones: Option<TimeZones>,
    /// The budget that is charged for all memory of the cast.
    budget: &'a MemoryBudget,
    known: &'a DictionaryCache,
    /// Identifies this child within the whole type. If two children have the same number, their dictionaries replace each other
    /// in `known`, and are cast more often than needed.
    child_id: u64,
}

impl CastContext<'_> {
    /// Counts a value that loses digits. Returns whether `digits` allows this.
    fn cuts(self) -> bool {
        self.count.n_cut.set(self.count.n_cut.get().saturating_add(1));
        self.digits == Digits::Drop
    }

    /// Casts a value in steps of which several may lose digits. The value counts once.
    fn in_steps<T>(self, steps: impl FnOnce() -> T) -> T {
        let n_cut = self.count.n_cut.get();
        let cast = steps();
        self.count.n_cut.set(self.count.n_cut.get().min(n_cut.saturating_add(1)));
        cast
    }

    /// The settings for the child at `position`.
    fn inside(self, position: usize) -> Self {
        let child_id = self.child_id.wrapping_mul(31).wrapping_add(position as u64).wrapping_add(1);
        CastContext { child_id, ..self }
    }

    /// Casts a validated array. Recurses once for each level of nesting.
    fn array(self, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
        let from = array.data_type();
        if from == to {
            return Ok(array.clone());
        }
        if let (Some(_), Some(_)) = (from.as_dictionary(), to.as_dictionary()) {
            return self.dictionaries(array, to);
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
                    casting.lists(array, to)
                }
            }
            _ => self.values(array, to),
        }
    }

    /// Casts from or to a dictionary or a run-end encoded type.
    #[inline(never)]
    fn encoded(self, array: &ArrayData, to: &DataType) -> CastResult<ArrayData> {
        let decoded = self.decoded(array, to)?;
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
        let mut found = self.numbers(&any, to)?;
        // UUIDs are bytes, so this comes before the cast of bytes.
        if found.is_none() && self.has_uuids {
            found = text::cast(self, &any, to)?;
        }
        if found.is_none() {
            found = self.flags(&any, to)?;
        }
        if found.is_none() {
            found = self.intervals(&any, to)?;
        }
        for cast in [CastContext::bytes, text::cast] {
            found = found.map_or_else(|| cast(self, &any, to), |array| Ok(Some(array)))?;
        }
        let unsupported = || CastErrorKind::Unsupported { from: array.data_type().clone(), to: to.clone() };
        Ok(found.ok_or_else(unsupported)?)
    }

    /// Casts booleans to integers. `None` if the array is not boolean, or `to` is not an integer type.
    fn flags(self, array: &AnyArray, to: &DataType) -> CastResult<Option<ArrayData>> {
        let (AnyArray::Boolean(flags), true) = (array, to.is_integer()) else { return Ok(None) };
        let ones = flags.iter().map(|flag| i128::from(flag == Some(true)));
        let Ok(buffer) = numbers::buffer(to, ones, array.len(), self.budget)? else { return Ok(None) };
        let parts = ArrayParts::new(to.clone(), array.len());
        let buffers = [buffer, parts.buffers[1].clone()];
        let parts = ArrayParts { validity: array.validity().cloned(), buffers, ..parts };
        Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
    }

    /// Casts the child at `position` to the type of `field`.
    fn child(self, child: &ArrayData, field: &Field, position: usize) -> CastResult<ArrayData> {
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
fn check_nulls(child: &ArrayData, old: Option<&Field>, new: &Field) -> CastResult<()> {
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
