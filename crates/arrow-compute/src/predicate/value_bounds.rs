//! Finds the bounds of a column from its values.

use arrow_array::{AnyArray, BinaryArray, Scalar, Utf8Array, with_ordered};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use super::{
    ColumnBounds, ComparisonOperator, ConstantReading, bounds,
    constant::{BoundConstant, Constant, NumberPosition},
};
use crate::statistics::{
    ApproximateNumber, Extreme, Extremes, Slots, StatisticsError, ValueCounts, has_order, value_type,
};

impl ColumnBounds {
    /// The bounds of the values in all rows of an array. Values of dictionaries and runs that no row selects do not count. If a
    /// value is NaN, there is no upper bound. Text and bytes are cut after `max_bytes`, and the upper bound is rounded up. If
    /// the rounded bound would need more bytes, there is no upper bound.
    ///
    /// ```
    /// use arrow_array::Utf8Array;
    /// use arrow_compute::ColumnBounds;
    ///
    /// let names = Utf8Array::try_from_iter([Some("Rome"), None, Some("Oslo")])?;
    /// let known = ColumnBounds::from_array(names.data(), 2)?;
    /// assert_eq!((known.n_rows, known.null_count), (Some(3), Some(1)));
    /// assert_eq!((known.min.unwrap().to_string(), known.max.unwrap().to_string()), ("Os".into(), "Rp".into()));
    /// assert!(!known.is_min_exact && !known.is_max_exact);
    /// # Ok::<(), arrow_compute::StatisticsError>(())
    /// ```
    ///
    /// # Errors
    /// If the content of `array` is invalid.
    pub fn from_array(array: &ArrayData, max_bytes: usize) -> Result<ColumnBounds, StatisticsError> {
        let data_type = array.data_type();
        let array = AnyArray::try_new(array)?;
        let n_rows = array.len() as u64;
        let ValueCounts { array, slots, n_rows: n_valid } = ValueCounts::from_array(array)?;
        let mut extremes = Extremes::new(data_type, max_bytes);
        extremes.add(&array, &slots)?;
        let min = extremes.min();
        let max = if has_nan(&array, &slots) { None } else { extremes.max() };
        let is_exact = |extreme: &Option<Extreme>| extreme.as_ref().is_some_and(|extreme| !extreme.is_cut());
        Ok(ColumnBounds {
            n_rows: Some(n_rows),
            null_count: Some(n_rows.saturating_sub(n_valid)),
            is_min_exact: is_exact(&min),
            is_max_exact: is_exact(&max),
            min: min.map(|min| min.value().clone()),
            max: max.and_then(|max| above(&max, max_bytes)),
        })
    }

    /// Whether these bounds enclose the bounds `found` of the actual values. Bounds of types without an order enclose
    /// everything.
    pub fn encloses(&self, found: &ColumnBounds) -> bool {
        let has_no_value = found.null_count.is_some() && found.null_count == found.n_rows;
        let stated = |bound: &Option<Scalar>| -> Option<Scalar> {
            bound.clone().filter(|bound| has_order(bound.data_type()))
        };
        let is_below = match (stated(&self.min), &found.min) {
            (Some(bound), Some(found)) => compares(&bound, ComparisonOperator::LessOrEqual, found),
            // Without a least value, all values are NaN, which is the greatest value.
            (Some(bound), None) => has_no_value || bound.data_type().is_floating_point(),
            (None, _) => true,
        };
        let is_above = match (stated(&self.max), &found.max) {
            (Some(bound), Some(found)) => compares(&bound, ComparisonOperator::GreaterOrEqual, found),
            // Without a greatest value, one of the values is NaN.
            (Some(bound), None) => has_no_value || has_nan(bound.as_array(), &Slots::All(1)),
            (None, _) => true,
        };
        is_below && is_above
    }

    /// Drops bounds that cannot be compared with values of this type. For example, a utf8 bound is dropped for a binary column,
    /// since other writers may sort text and bytes differently, and a bound of a type without an order is dropped for each
    /// column. A lower bound that is NaN is dropped, too: other writers may have made it of a column with one NaN.
    #[must_use]
    pub(super) fn comparable_with(self, data_type: &DataType) -> ColumnBounds {
        let fits = |bound: &Scalar| are_comparable(bound.data_type(), value_type(data_type));
        let is_number = |min: &Scalar| !has_nan(min.as_array(), &Slots::All(1));
        ColumnBounds { min: self.min.filter(fits).filter(is_number), max: self.max.filter(fits), ..self }
    }

    /// Approximates both bounds as numbers. For text and bytes, the numbers are the first eight bytes. `None` if a bound is
    /// unknown.
    pub fn approximate_range(&self) -> Option<[f64; 2]> {
        let [min, max] = [self.min.as_ref()?, self.max.as_ref()?].map(approximate);
        Some([min?, max?])
    }
}

/// Whether values of both types can be compared, and have an order. Text forms of types without an order can only be equal.
fn are_comparable(left: &DataType, right: &DataType) -> bool {
    let is_bytes = |data_type: &DataType| data_type.is_binary_like() && !data_type.is_text();
    left.is_text() && right.is_text()
        || is_bytes(left) && is_bytes(right)
        || left.same_type(right) && has_order(left)
}

fn compares(bound: &Scalar, comparison: ComparisonOperator, found: &Scalar) -> bool {
    let is_number = with_ordered!(found.as_array(), _numbers => true, _ => false);
    let constant = if is_number {
        Ok(BoundConstant::Number(Box::new(NumberPosition::At(found.as_array().data().clone()))))
    } else {
        Constant::from_scalar(found).bind(bound.data_type(), ConstantReading::default())
    };
    let compares = |constant| bounds::holds(bound, comparison, &constant) == Some(true);
    are_comparable(bound.data_type(), found.data_type()) && constant.is_ok_and(compares)
}

fn approximate(bound: &Scalar) -> Option<f64> {
    if let Some(bytes) = bytes_of(bound) {
        let mut first = [0; 8];
        first.iter_mut().zip(bytes).for_each(|(byte, value)| *byte = *value);
        return Some(u64::from_be_bytes(first) as f64);
    }
    with_ordered!(bound.as_array(), numbers => numbers.values().first().map(|number| number.approximate()), _ => None)
}

/// Whether one of the values is NaN.
fn has_nan(array: &AnyArray, slots: &Slots) -> bool {
    let mut found = false;
    if array.data_type().is_floating_point() {
        with_ordered!(
            array,
            numbers => slots.for_each_value(numbers, |number, _| found |= number.partial_cmp(&number).is_none()),
            _ => {}
        );
    }
    found
}

/// The bytes of a utf8 or binary bound. `None` for other types.
fn bytes_of(bound: &Scalar) -> Option<&[u8]> {
    match bound.value_as::<Utf8Array>() {
        Ok(text) => text.map(str::as_bytes),
        Err(_) => bound.value_as::<BinaryArray>().ok().flatten(),
    }
}

/// An upper bound. If the greatest value was cut, a value of at most `max_bytes` that is greater than all values with the same
/// start.
fn above(max: &Extreme, max_bytes: usize) -> Option<Scalar> {
    let cut = if max.is_cut() { bytes_of(max.value()) } else { None };
    let Some(cut) = cut else { return Some(max.value().clone()) };
    if !max.value().data_type().is_text() {
        let last = cut.iter().rposition(|byte| *byte < u8::MAX)?;
        let mut greater = cut.get(..=last)?.to_vec();
        *greater.last_mut()? += 1;
        return Some(Scalar::from(greater.as_slice()));
    }
    // UTF-8 sorts like the characters that it encodes.
    let mut text = String::from_utf8_lossy(cut).into_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = (last..=char::MAX).nth(1)
            && text.len().saturating_add(next.len_utf8()) <= max_bytes
        {
            text.push(next);
            return Some(Scalar::from(text.as_str()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_bounds_enclose_what_is_cut() {
        let cases: [(&str, usize, Option<&str>); 10] = [
            ("abc", 3, Some("abc")),
            ("abc", 2, Some("ac")),
            ("a\u{10ffff}c", 5, Some("b")),
            ("\u{10ffff}\u{10ffff}c", 8, None),
            ("\u{d7ff}c", 3, Some("\u{e000}")),
            // An incomplete character is dropped.
            ("aé", 2, Some("b")),
            ("é", 1, None),
            // The next character has more bytes.
            ("\u{7f}z", 1, None),
            ("a\u{7f}z", 2, Some("b")),
            ("\u{7f}z\u{7f}", 2, Some("\u{7f}{")),
        ];
        for (text, max_bytes, expected) in cases {
            let known = ColumnBounds::from_array(Utf8Array::try_from_iter([text]).unwrap().data(), max_bytes)
                .unwrap();
            let max = known.max.map(|max| max.value_as::<Utf8Array>().unwrap().unwrap().to_owned());
            assert_eq!(max.as_deref(), expected, "{text:?}");
            assert!(max.is_none_or(|max| *max >= *text));
            let min = known.min.unwrap();
            assert!(min.value_as::<Utf8Array>().unwrap().unwrap() <= text);
            assert_eq!(known.is_max_exact, text.len() <= max_bytes);
        }
        let bytes = BinaryArray::try_from_iter([&[7, 0xff, 0xff, 1][..]]).unwrap();
        let known = ColumnBounds::from_array(bytes.data(), 3).unwrap();
        assert_eq!(known.max.unwrap().value_as::<BinaryArray>().unwrap(), Some(&[8][..]));
        let bytes = BinaryArray::try_from_iter([&[0xff; 9][..]]).unwrap();
        assert!(ColumnBounds::from_array(bytes.data(), 8).unwrap().max.is_none());
    }
}
