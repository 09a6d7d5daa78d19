//! Reads values that are not nested.

use std::{fmt, ops::Range, str::FromStr};

use arrow_array::{AnyArray, Decimal, NativeDecimal};
use serde_core::de::{Visitor, value::MapDeserializer};

use super::{budget::RowBudget, slot::Slot};
use crate::error::Result;

/// Reads a value without a request, as what its column contains. Dates, times, timestamps and decimals become text, and binary
/// values become bytes.
pub(super) fn visit<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
    let Slot { column, slot, budget } = value;
    let array = &column.array;
    if let Some(text) = text(array, slot) {
        budget.bytes(text.len())?;
        return visitor.visit_borrowed_str(text);
    }
    if let Some(bytes) = bytes(array, slot) {
        budget.bytes(bytes.len())?;
        return visitor.visit_borrowed_bytes(bytes);
    }
    /// Reads the value if the array is of one of these types. The slot is not null.
    macro_rules! given {
        ($($variant:ident => $visit:ident)*) => {
            $(if let AnyArray::$variant(values) = array {
                return visitor.$visit(values.get(slot).unwrap_or_default());
            })*
        };
    }
    given! {
        Boolean => visit_bool
        Int8 => visit_i8
        Int16 => visit_i16
        Int32 => visit_i32
        Int64 => visit_i64
        UInt8 => visit_u8
        UInt16 => visit_u16
        UInt32 => visit_u32
        UInt64 => visit_u64
        Float32 => visit_f32
        Float64 => visit_f64
        Duration => visit_i64
    }
    if let AnyArray::Float16(values) = array {
        return visitor.visit_f32(values.get(slot).unwrap_or_default().to_f32());
    }
    if let Some(parts) = interval(array, slot) {
        let parts = parts.into_iter().flatten();
        // Each number becomes a value of a map.
        parts.clone().try_for_each(|_| budget.value())?;
        return visitor.visit_map(MapDeserializer::new(parts));
    }
    visit_written(value, visitor)
}

/// Reads a value as the text that JSON rows write. Counts the bytes of the text.
pub(super) fn visit_written<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
    match &value.column.text {
        Some(text) => {
            let mut written = CountedText { text: String::new(), budget: value.budget };
            // Nothing else than the limit ends the text.
            text.write(value.slot, &mut written).map_err(|fmt::Error| value.budget.exceeded())?;
            visitor.visit_string(written.text)
        }
        None => visitor.visit_unit(),
    }
}

/// A text whose bytes are counted before they are stored. A few bytes can have a long text: decimals with a scale of 1,000.
struct CountedText<'b> {
    text: String,
    budget: &'b RowBudget,
}

impl fmt::Write for CountedText<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.budget.bytes(part.len()).map_err(|_| fmt::Error)?;
        self.text.push_str(part);
        Ok(())
    }
}

/// A decimal as text, which is also a number for Rust. `None` for other values.
pub(super) fn decimal(value: Slot<'_, '_>) -> Option<String> {
    if !value.column.array.data_type().is_decimal() {
        return None;
    }
    Some(value.column.text.as_ref()?.value(value.slot).to_string())
}

/// An integer, the stored number of a temporal value, or a decimal without a fraction. `None` for other values.
pub(super) fn integer(array: &AnyArray, slot: usize) -> Option<i128> {
    /// Returns the number in the slot if the array is of one of these types.
    macro_rules! counted {
        ($($variant:ident)*) => {
            $(if let AnyArray::$variant(values) = array {
                return values.get(slot).map(i128::from);
            })*
        };
    }
    counted!(Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64);
    counted!(Date32 Date64 Time32 Time64 Timestamp Duration IntervalYearMonth);
    whole(array, slot)
}

/// A decimal without a fraction as an integer of the type `T`. `None` for other values.
pub(super) fn whole<T: FromStr>(array: &AnyArray, slot: usize) -> Option<T> {
    fn from_decimal<N: NativeDecimal, T: FromStr>(unscaled: N, scale: i32) -> Option<T> {
        Decimal::new(unscaled, scale).rescaled(0)?.unscaled().to_string().parse().ok()
    }
    macro_rules! decimals {
        ($($variant:ident)*) => {
            $(if let AnyArray::$variant(values) = array {
                return from_decimal(values.get(slot)?, values.scale());
            })*
        };
    }
    decimals!(Decimal32 Decimal64 Decimal128 Decimal256);
    None
}

#[inline]
pub(super) fn text(array: &AnyArray, slot: usize) -> Option<&str> {
    if let AnyArray::Utf8(texts) = array {
        texts.get(slot)
    } else if let AnyArray::LargeUtf8(texts) = array {
        texts.get(slot)
    } else if let AnyArray::Utf8View(texts) = array {
        texts.get(slot)
    } else {
        None
    }
}

/// The bytes of a utf8 or binary value. `None` if the array has another type.
pub(super) fn bytes(array: &AnyArray, slot: usize) -> Option<&[u8]> {
    if let AnyArray::Binary(values) = array {
        values.get(slot)
    } else if let AnyArray::LargeBinary(values) = array {
        values.get(slot)
    } else if let AnyArray::BinaryView(values) = array {
        values.get(slot)
    } else if let AnyArray::FixedSizeBinary(values) = array {
        values.get(slot)
    } else {
        None
    }
}

/// The range of the items of a list. `None` if the array has another type.
pub(super) fn items(array: &AnyArray, slot: usize) -> Option<Range<usize>> {
    if let AnyArray::List(lists) = array {
        Some(lists.range(slot))
    } else if let AnyArray::LargeList(lists) = array {
        Some(lists.range(slot))
    } else if let AnyArray::ListView(lists) = array {
        Some(lists.range(slot))
    } else if let AnyArray::LargeListView(lists) = array {
        Some(lists.range(slot))
    } else if let AnyArray::FixedSizeList(lists) = array {
        Some(lists.range(slot))
    } else {
        None
    }
}

/// The numbers of an interval with the names of their units. `None` if the array has another type.
pub(super) fn interval(array: &AnyArray, slot: usize) -> Option<[Option<(&'static str, i64)>; 3]> {
    if let AnyArray::IntervalYearMonth(months) = array {
        Some([Some(("months", months.get(slot)?.into())), None, None])
    } else if let AnyArray::IntervalDayTime(intervals) = array {
        let interval = intervals.get(slot)?;
        Some([
            Some(("days", interval.days.into())),
            Some(("milliseconds", interval.milliseconds.into())),
            None,
        ])
    } else if let AnyArray::IntervalMonthDayNano(intervals) = array {
        let interval = intervals.get(slot)?;
        let (months, days) = (interval.months.into(), interval.days.into());
        Some([Some(("months", months)), Some(("days", days)), Some(("nanoseconds", interval.nanoseconds))])
    } else {
        None
    }
}
