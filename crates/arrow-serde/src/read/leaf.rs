//! Reads values that are not nested: as the kind of value of their column, or as another kind.

use std::{fmt::Write as _, ops::Range};

use arrow_array::{AnyArray, Decimal, DecimalNative};
use serde_core::de::{Visitor, value::MapDeserializer};

use super::slot::Slot;
use crate::error::Result;

/// Passes a value to the visitor as the kind of value that its column has. Dates, times, timestamps and decimals are text; binary
/// values are bytes.
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
    /// Evaluates to the value of an array of this kind. The slot is not null.
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
        return visitor.visit_map(MapDeserializer::new(parts));
    }
    visit_written(value, visitor)
}

/// Passes a value to the visitor in the form of JSON rows.
pub(super) fn visit_written<'de, V: Visitor<'de>>(value: Slot<'de, '_>, visitor: V) -> Result<V::Value> {
    match &value.column.text {
        Some(text) => {
            let mut written = String::new();
            // Writing to a string never fails.
            let _ = write!(written, "{}", text.value(value.slot));
            visitor.visit_string(written)
        }
        None => visitor.visit_unit(),
    }
}

/// Evaluates an expression with the array of decimals. Evaluates another expression if the array has another type.
macro_rules! with_decimal {
    ($array:expr, $decimals:ident => $body:expr, $other:expr) => {
        if let AnyArray::Decimal32($decimals) = $array {
            $body
        } else if let AnyArray::Decimal64($decimals) = $array {
            $body
        } else if let AnyArray::Decimal128($decimals) = $array {
            $body
        } else if let AnyArray::Decimal256($decimals) = $array {
            $body
        } else {
            $other
        }
    };
}

/// The nearest floating-point number to a decimal.
pub(super) fn nearest(array: &AnyArray, slot: usize) -> Option<f64> {
    with_decimal!(
        array,
        decimals => {
            let scale = decimals.parameters().scale;
            Some(Decimal::new(decimals.get(slot)?, scale).to_f64_lossy())
        },
        None
    )
}

/// The stored number of a temporal value, or a decimal as an integer.
pub(super) fn integer(array: &AnyArray, slot: usize) -> Option<i128> {
    fn of_decimal<N: DecimalNative>(unscaled: N, scale: i32) -> Option<i128> {
        Decimal::new(unscaled, scale).rescaled(0)?.unscaled().to_string().parse().ok()
    }
    /// Evaluates to the number in a slot of an array of this kind.
    macro_rules! counted {
        ($($variant:ident)*) => {
            $(if let AnyArray::$variant(values) = array {
                return values.get(slot).map(i128::from);
            })*
        };
    }
    counted!(Date32 Date64 Time32 Time64 Timestamp Duration IntervalYearMonth);
    with_decimal!(array, decimals => of_decimal(decimals.get(slot)?, decimals.parameters().scale), None)
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

/// The bytes of a slot, which need not be UTF-8.
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

/// The range of the items of a list.
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

/// The units of an interval, with their names.
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
