//! Casts columns to other types: other encodings, widths and units.

mod bytes;
mod context;
mod decoded;
mod dictionary_cache;
mod encoded;
mod error;
mod hidden;
mod lists;
mod memory;
mod numbers;
mod text;

use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::TimeZones;
use arrow_buffer::MemoryBudget;
use arrow_data::{ArrayData, Validation};
use arrow_schema::DataType;

pub(crate) use self::error::shown;
use self::{
    context::{CastContext, CutCount, RenameRule, check_nulls},
    dictionary_cache::DictionaryCache,
    error::CastResult,
};

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
