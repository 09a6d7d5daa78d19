//! The values of an array, read in the simplest way: the reference for faster code.

use arrow_data::{ArrayData, RecordBatch};
use arrow_schema::{DataType, IntervalUnit, UnionMode};

/// The value of one slot. Dictionaries and runs are decoded; temporal values are the stored numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer, or a temporal value in its unit.
    Int(i128),
    /// The bits of a floating-point number of 16, 32 or 64 bits.
    Float(u64),
    /// The unscaled number of a decimal, in digits.
    Decimal(String),
    /// Months, days, and milliseconds or nanoseconds.
    Interval(i32, i32, i64),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Text.
    Str(String),
    /// The items of a list of any kind.
    List(Vec<Value>),
    /// The fields of a struct.
    Struct(Vec<Value>),
    /// The pairs of a map.
    Map(Vec<(Value, Value)>),
    /// The type id, and the value of that child.
    Union(i8, Box<Value>),
}

/// All slots of an array.
///
/// # Panics
/// If the content of the array is not valid.
pub fn values(array: &ArrayData) -> Vec<Value> {
    (0..array.len()).map(|slot| value(array, slot)).collect()
}

/// The rows of a batch. Each row has the values of its columns.
///
/// # Panics
/// If the content of the batch is not valid.
pub fn rows(batch: &RecordBatch) -> Vec<Vec<Value>> {
    let row = |idx| batch.columns().iter().map(|column| value(column, idx)).collect();
    (0..batch.n_rows()).map(row).collect()
}

/// One slot of an array.
///
/// # Panics
/// If the slot is out of bounds, or if the content of the array is not valid.
pub fn value(array: &ArrayData, slot: usize) -> Value {
    use DataType::*;
    assert!(slot < array.len(), "slot {slot} of {}", array.len());
    if array.validity().is_some_and(|validity| validity.get(slot) == Some(false)) {
        return Value::Null;
    }
    let children = array.children();
    match array.data_type() {
        Null => Value::Null,
        Boolean => {
            let bit = array.offset() + slot;
            Value::Bool(array.buffer(0)[bit / 8] >> (bit % 8) & 1 == 1)
        }
        Int8 => Value::Int(i8::from_ne_bytes(at(array, 0, slot)).into()),
        Int16 => Value::Int(i16::from_ne_bytes(at(array, 0, slot)).into()),
        Int32 | Date32 | Time32(_) => Value::Int(i32::from_ne_bytes(at(array, 0, slot)).into()),
        Int64 | Date64 | Time64(_) | Timestamp(..) | Duration(_) => {
            Value::Int(i64::from_ne_bytes(at(array, 0, slot)).into())
        }
        UInt8 => Value::Int(u8::from_ne_bytes(at(array, 0, slot)).into()),
        UInt16 => Value::Int(u16::from_ne_bytes(at(array, 0, slot)).into()),
        UInt32 => Value::Int(u32::from_ne_bytes(at(array, 0, slot)).into()),
        UInt64 => Value::Int(u64::from_ne_bytes(at(array, 0, slot)).into()),
        Float16 => Value::Float(u16::from_ne_bytes(at(array, 0, slot)).into()),
        Float32 => Value::Float(u32::from_ne_bytes(at(array, 0, slot)).into()),
        Float64 => Value::Float(u64::from_ne_bytes(at(array, 0, slot))),
        Decimal32(..) => Value::Decimal(i32::from_ne_bytes(at(array, 0, slot)).to_string()),
        Decimal64(..) => Value::Decimal(i64::from_ne_bytes(at(array, 0, slot)).to_string()),
        Decimal128(..) => Value::Decimal(i128::from_ne_bytes(at(array, 0, slot)).to_string()),
        Decimal256(..) => Value::Decimal(digits_of(at::<32>(array, 0, slot))),
        Interval(IntervalUnit::YearMonth) => Value::Interval(i32::from_ne_bytes(at(array, 0, slot)), 0, 0),
        Interval(IntervalUnit::DayTime) => Value::Interval(
            0,
            i32::from_ne_bytes(at(array, 0, slot * 2)),
            i32::from_ne_bytes(at(array, 0, slot * 2 + 1)).into(),
        ),
        Interval(IntervalUnit::MonthDayNano) => Value::Interval(
            i32::from_ne_bytes(at(array, 0, slot * 4)),
            i32::from_ne_bytes(at(array, 0, slot * 4 + 1)),
            i64::from_ne_bytes(at(array, 0, slot * 2 + 1)),
        ),
        FixedSizeBinary(width) => {
            let width = width.as_usize();
            Value::Bytes(array.buffer(0)[slot * width..(slot + 1) * width].to_vec())
        }
        Binary => Value::Bytes(array.buffer(1)[offsets_32(array, slot)].to_vec()),
        LargeBinary => Value::Bytes(array.buffer(1)[offsets_64(array, slot)].to_vec()),
        Utf8 => text(&array.buffer(1)[offsets_32(array, slot)]),
        LargeUtf8 => text(&array.buffer(1)[offsets_64(array, slot)]),
        BinaryView => Value::Bytes(view(array, slot)),
        Utf8View => text(&view(array, slot)),
        List(_) => list(&children[0], offsets_32(array, slot)),
        LargeList(_) => list(&children[0], offsets_64(array, slot)),
        ListView(_) => {
            let start = position(i32::from_ne_bytes(at(array, 0, slot)).into());
            list(&children[0], start..start + position(i32::from_ne_bytes(at(array, 1, slot)).into()))
        }
        LargeListView(_) => {
            let start = position(i64::from_ne_bytes(at(array, 0, slot)));
            list(&children[0], start..start + position(i64::from_ne_bytes(at(array, 1, slot))))
        }
        FixedSizeList(_, size) => {
            let size = size.as_usize();
            list(&children[0], slot * size..(slot + 1) * size)
        }
        Struct(_) => Value::Struct(children.iter().map(|child| value(child, slot)).collect()),
        Map(_) => Value::Map(
            offsets_32(array, slot)
                .map(|entry| {
                    let Value::Struct(pair) = value(&children[0], entry) else { panic!("a null entry") };
                    let [key, value] = <[Value; 2]>::try_from(pair).expect("entries are pairs");
                    (key, value)
                })
                .collect(),
        ),
        Union(union) => {
            let id = i8::from_ne_bytes(at(array, 0, slot));
            let child = &children[union.child_of(id).expect("a known type id")];
            let slot = match union.mode() {
                UnionMode::Sparse => slot,
                UnionMode::Dense => position(i32::from_ne_bytes(at(array, 1, slot)).into()),
            };
            Value::Union(id, Box::new(value(child, slot)))
        }
        Dictionary(dictionary) => {
            let index = match dictionary.index().n_bits() {
                8 => u8::from_ne_bytes(at(array, 0, slot)).into(),
                16 => u16::from_ne_bytes(at(array, 0, slot)).into(),
                32 => u32::from_ne_bytes(at(array, 0, slot)).into(),
                _ => u64::from_ne_bytes(at(array, 0, slot)),
            };
            value(array.dictionary().expect("a dictionary"), index.try_into().expect("a small index"))
        }
        RunEndEncoded(_) => {
            let ends_after = |run: &usize| match value(&children[0], *run) {
                Value::Int(end) => end > (array.offset() + slot) as i128,
                other => panic!("a run end {other:?}"),
            };
            value(&children[1], (0..children[0].len()).find(ends_after).expect("a run for the slot"))
        }
    }
}

/// The `idx`-th group of `N` bytes in the `k`-th buffer.
fn at<const N: usize>(array: &ArrayData, k: usize, idx: usize) -> [u8; N] {
    array.buffer(k)[idx * N..(idx + 1) * N].try_into().expect("N bytes")
}

fn position(number: i64) -> usize {
    usize::try_from(number).expect("a position is not negative")
}

fn offsets_32(array: &ArrayData, slot: usize) -> std::ops::Range<usize> {
    let offset = |idx| position(i32::from_ne_bytes(at(array, 0, idx)).into());
    offset(slot)..offset(slot + 1)
}

fn offsets_64(array: &ArrayData, slot: usize) -> std::ops::Range<usize> {
    let offset = |idx| position(i64::from_ne_bytes(at(array, 0, idx)));
    offset(slot)..offset(slot + 1)
}

fn text(bytes: &[u8]) -> Value {
    Value::Str(String::from_utf8(bytes.to_vec()).expect("text is UTF-8"))
}

fn list(child: &ArrayData, slots: std::ops::Range<usize>) -> Value {
    Value::List(slots.map(|slot| value(child, slot)).collect())
}

fn view(array: &ArrayData, slot: usize) -> Vec<u8> {
    let view: [u8; 16] = at(array, 0, slot);
    let number =
        |idx: usize| position(i32::from_ne_bytes(view[idx..idx + 4].try_into().expect("4 bytes")).into());
    let n_bytes = number(0);
    if n_bytes <= 12 {
        return view[4..4 + n_bytes].to_vec();
    }
    let offset = number(12);
    let bytes = array.variadic()[number(8)][offset..offset + n_bytes].to_vec();
    assert_eq!(bytes[..4], view[4..8], "the prefix is that of the value");
    bytes
}

/// The decimal digits of a number in two's complement, by repeated division by ten.
fn digits_of(mut bytes: [u8; 32]) -> String {
    if cfg!(target_endian = "big") {
        bytes.reverse();
    }
    let is_negative = bytes[31] >= 0x80;
    if is_negative {
        let mut carry = true;
        for byte in &mut bytes {
            let (negated, overflow) = (!*byte).overflowing_add(carry.into());
            (*byte, carry) = (negated, overflow);
        }
    }
    let mut digits = Vec::new();
    while bytes.iter().any(|byte| *byte != 0) {
        let mut remainder = 0_u16;
        for byte in bytes.iter_mut().rev() {
            let number = remainder * 256 + u16::from(*byte);
            *byte = (number / 10) as u8;
            remainder = number % 10;
        }
        digits.push(char::from(b'0' + remainder as u8));
    }
    if digits.is_empty() {
        digits.push('0');
    }
    if is_negative {
        digits.push('-');
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use arrow_buffer::I256;

    use super::*;

    #[test]
    fn digits() {
        let numbers = ["0", "1", "-1", "10", "-256", "99999999999999999999999999999999999999999999999999"];
        for text in numbers {
            let number: I256 = text.parse().expect("it fits");
            let bytes: Vec<u8> = number.to_words().into_iter().flat_map(u64::to_le_bytes).collect();
            assert_eq!(digits_of(bytes.try_into().expect("32 bytes")), text);
        }
    }
}
