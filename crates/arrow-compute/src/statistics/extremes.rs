//! Finds the least and the greatest value.

use std::{cmp::Ordering, fmt};

use arrow_array::{AnyArray, ArrayError, BooleanArray, Scalar, with_bytes, with_ordered};
use arrow_buffer::{Buffer, NativeType};
use arrow_data::{ArrayData, ArrayParts, Validation};
use arrow_schema::DataType;
use arrow_select::{Select, concat};

use super::{StatisticsError, sample, slots::Slots};

/// The least or the greatest value of a column, decoded if it is from a dictionary or runs. The value of any text type is utf8,
/// and of any binary type is binary.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    value: Scalar,
    is_cut: bool,
}

impl Extreme {
    /// The value, or its first bytes if it is [cut](Extreme::is_cut).
    pub fn value(&self) -> &Scalar {
        &self.value
    }

    /// Whether the value was too long, so that only its first bytes are stored.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

/// Prints like [`Scalar`], with `…` where the value was cut.
impl fmt::Display for Extreme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.value, if self.is_cut { "…" } else { "" })
    }
}

/// The least and the greatest value so far.
#[derive(Debug)]
pub(crate) struct Extremes {
    is_text: bool,
    /// The number of bytes after which a text or binary value is cut.
    max_bytes: usize,
    /// The least and the greatest number or boolean, in an array of two slots.
    numbers: Option<ArrayData>,
    /// The least and the greatest text or bytes.
    bytes: Option<ByteExtremes>,
}

#[derive(Debug)]
struct ByteExtremes {
    min: ValuePrefix<Vec<u8>>,
    max: ValuePrefix<Vec<u8>>,
}

/// The first bytes of a value, and whether the value was cut.
#[derive(Debug, Clone, Copy)]
struct ValuePrefix<B> {
    bytes: B,
    is_cut: bool,
}

impl Extremes {
    /// Makes extremes without values for a column of this type.
    pub(crate) fn new(data_type: &DataType, max_bytes: usize) -> Extremes {
        Extremes { is_text: value_type(data_type).is_text(), max_bytes, numbers: None, bytes: None }
    }

    pub(crate) fn add(&mut self, array: &AnyArray, slots: &Slots) -> Result<(), StatisticsError> {
        with_bytes!(
            array,
            values => slots.for_each_value(values, |value, _| self.add_bytes(value)),
            other => self.add_numbers(other, slots)?,
        );
        Ok(())
    }

    fn add_numbers(&mut self, array: &AnyArray, slots: &Slots) -> Result<(), StatisticsError> {
        let found = match slots {
            Slots::All(_) | Slots::Valid(_) => least_and_greatest(array)?,
            Slots::Listed(slots) if has_order(array.data_type()) => {
                let indices: Vec<u64> = slots.iter().map(|slot| slot.idx as u64).collect();
                least_and_greatest(&AnyArray::try_from(array.data().take(&indices)?)?)?
            }
            Slots::Listed(_) => None,
        };
        self.numbers = match (self.numbers.take(), found) {
            (Some(previous), Some(found)) => {
                least_and_greatest(&AnyArray::try_from(concat(&[previous, found])?)?)?
            }
            (previous, found) => previous.or(found),
        };
        Ok(())
    }

    #[inline]
    fn add_bytes(&mut self, value: &[u8]) {
        let found = cut(value, self.max_bytes);
        match &mut self.bytes {
            Some(bytes) => bytes.add(found),
            None => {
                let first = ValuePrefix { bytes: found.bytes.to_vec(), is_cut: found.is_cut };
                self.bytes = Some(ByteExtremes { min: first.clone(), max: first });
            }
        }
    }

    pub(crate) fn min(&self) -> Option<Extreme> {
        self.extreme(0, |bytes| &bytes.min)
    }

    pub(crate) fn max(&self) -> Option<Extreme> {
        self.extreme(1, |bytes| &bytes.max)
    }

    /// Approximates both numbers as floating-point numbers.
    pub(super) fn range(&self) -> Option<[f64; 2]> {
        sample::range(&AnyArray::try_new(self.numbers.as_ref()?).ok()?)
    }

    fn extreme(
        &self,
        slot: usize,
        prefix_of: impl Fn(&ByteExtremes) -> &ValuePrefix<Vec<u8>>,
    ) -> Option<Extreme> {
        if let Some(bytes) = &self.bytes {
            let prefix = prefix_of(bytes);
            let value = if self.is_text {
                Scalar::from(first_text(&prefix.bytes))
            } else {
                Scalar::from(prefix.bytes.as_slice())
            };
            return Some(Extreme { value, is_cut: prefix.is_cut });
        }
        let value = Scalar::try_from_slot(self.numbers.as_ref()?, slot).ok()?;
        Some(Extreme { value, is_cut: false })
    }
}

impl ByteExtremes {
    /// Adds the first bytes of a value. Cutting does not change the order: the least prefix is that of the least value. Among
    /// values with the same prefix, a value that is not cut is the least.
    #[inline]
    fn add(&mut self, found: ValuePrefix<&[u8]>) {
        match found.bytes.cmp(&self.min.bytes) {
            Ordering::Less => self.min.set(found),
            Ordering::Equal => self.min.is_cut &= found.is_cut,
            Ordering::Greater => {}
        }
        match found.bytes.cmp(&self.max.bytes) {
            Ordering::Greater => self.max.set(found),
            Ordering::Equal => self.max.is_cut |= found.is_cut,
            Ordering::Less => {}
        }
    }
}

impl ValuePrefix<Vec<u8>> {
    fn set(&mut self, found: ValuePrefix<&[u8]>) {
        self.bytes.clear();
        self.bytes.extend_from_slice(found.bytes);
        self.is_cut = found.is_cut;
    }
}

/// The text at the start of bytes. Drops an incomplete character at the end.
fn first_text(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

#[inline]
fn cut(value: &[u8], max_bytes: usize) -> ValuePrefix<&[u8]> {
    match value.get(..max_bytes) {
        Some(bytes) => ValuePrefix { bytes, is_cut: value.len() > max_bytes },
        None => ValuePrefix { bytes: value, is_cut: false },
    }
}

/// The type of the decoded values of dictionaries and runs, and otherwise the type itself.
pub(crate) fn value_type(mut data_type: &DataType) -> &DataType {
    loop {
        data_type = match (data_type.as_dictionary(), data_type.as_run_end_encoded()) {
            (Some(dictionary), _) => dictionary.value(),
            (None, Some(runs)) => runs.values().data_type(),
            (None, None) => return data_type,
        };
    }
}

/// Whether the values of a type have an order, so that a column has a least and a greatest value. For dictionaries and runs, the
/// type of their values decides.
///
/// ```
/// use arrow_compute::has_order;
/// use arrow_schema::DataType;
///
/// assert!(has_order(&DataType::Utf8) && has_order(&DataType::Boolean));
/// assert!(!has_order(&"list<item: int64>".parse()?) && !has_order(&"interval(month_day_nano)".parse()?));
/// # Ok::<(), arrow_schema::ParseError>(())
/// ```
pub fn has_order(data_type: &DataType) -> bool {
    let data_type = value_type(data_type);
    let Ok(array) = AnyArray::try_from(ArrayData::new_empty(data_type)) else { return false };
    let is_boolean = array.downcast_ref::<BooleanArray>().is_some();
    let is_bytes = data_type.is_text() || with_bytes!(&array, _values => true, _ => false);
    is_boolean || is_bytes || with_ordered!(&array, _numbers => true, _ => false)
}

/// The least and the greatest number or boolean, in an array of two slots. `None` if there are no values.
fn least_and_greatest(array: &AnyArray) -> Result<Option<ArrayData>, ArrayError> {
    if let Some(flags) = array.downcast_ref::<BooleanArray>() {
        let values = || flags.iter().flatten();
        let both = values().min().zip(values().max());
        return Ok(both.map(|(min, max)| BooleanArray::from_iter([min, max]).into_data()));
    }
    with_ordered!(array, numbers => pair(array.data_type(), numbers.min_max()), _ => Ok(None))
}

/// Makes an array of two numbers. Types with the same Rust type share the compiled code.
#[inline(never)]
fn pair<N: NativeType>(data_type: &DataType, both: Option<(N, N)>) -> Result<Option<ArrayData>, ArrayError> {
    let Some((min, max)) = both else { return Ok(None) };
    let buffers = [Buffer::from(vec![min, max]), Buffer::new()];
    let parts = ArrayParts { buffers, ..ArrayParts::new(data_type.clone(), 2) };
    Ok(Some(ArrayData::try_new(parts)?.validate(Validation::Content)?))
}
