//! What is known of a column, from its values.

use arrow_array::{AnyArray, BinaryArray, Scalar, Utf8Array, with_ordered};
use arrow_data::ArrayData;

use super::{ColumnBounds, ComparisonOperator, bounds, constant::Constant};
use crate::statistics::{Approximate, DecodedValues, Extreme, Extremes, StatisticsError, first_text};

impl ColumnBounds {
    /// Of all rows of an array. Dictionaries and runs count by the values that rows have. If there is a NaN, no greatest value is
    /// known. Text and bytes with more than `max_bytes` are cut: then the bounds do not occur, and if no bound of that length is greater,
    /// there is none.
    ///
    /// ```
    /// use arrow_array::Utf8Array;
    /// use arrow_compute::ColumnBounds;
    ///
    /// let names = Utf8Array::try_from_iter([Some("Rome"), None, Some("Oslo")])?;
    /// let known = ColumnBounds::of(names.data(), 2)?;
    /// assert_eq!((known.n_rows, known.n_nulls), (Some(3), Some(1)));
    /// assert_eq!((known.min.unwrap().to_string(), known.max.unwrap().to_string()), ("Os".into(), "Rp".into()));
    /// assert!(!known.is_min_exact && !known.is_max_exact);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the content of the array is not valid.
    pub fn of(array: &ArrayData, max_bytes: usize) -> Result<ColumnBounds, StatisticsError> {
        let data_type = array.data_type();
        let array = AnyArray::try_new(array)?;
        let n_rows = array.len() as u64;
        let DecodedValues { array, slots, n_rows: n_valid } = DecodedValues::of(array)?;
        let mut extremes = Extremes::new(data_type);
        extremes.add(&array, &slots)?;
        let max = extremes.max().filter(|_| !has_nan(&array));
        let (min, max) =
            (extremes.min().map(|min| below(&min, max_bytes)), max.and_then(|max| above(&max, max_bytes)));
        let (min, is_min_exact) = min.unzip();
        let (max, is_max_exact) = max.unzip();
        Ok(ColumnBounds {
            n_rows: Some(n_rows),
            n_nulls: Some(n_rows.saturating_sub(n_valid)),
            min,
            max,
            is_min_exact: is_min_exact.unwrap_or(false),
            is_max_exact: is_max_exact.unwrap_or(false),
        })
    }

    /// Whether these bounds are true of values for which `found` is known.
    pub fn encloses(&self, found: &ColumnBounds) -> bool {
        let has_no_value = found.n_nulls.is_some() && found.n_nulls == found.n_rows;
        let encloses = |bound: &Option<Scalar>, comparison, found: &Option<Scalar>| match (bound, found) {
            (Some(bound), Some(found)) => compares(bound, comparison, found),
            // Without a greatest value there is a NaN, or no value at all.
            (Some(_), None) => has_no_value,
            (None, _) => true,
        };
        encloses(&self.min, ComparisonOperator::LessOrEqual, &found.min)
            && encloses(&self.max, ComparisonOperator::GreaterOrEqual, &found.max)
    }

    /// Numbers that are about as far apart as both bounds are: of text and bytes, of their first eight bytes. `None` if one is not
    /// known.
    pub fn approximate_range(&self) -> Option<[f64; 2]> {
        let [min, max] = [self.min.as_ref()?, self.max.as_ref()?].map(approximate);
        Some([min?, max?])
    }
}

fn compares(bound: &Scalar, comparison: ComparisonOperator, found: &Scalar) -> bool {
    let constant = Constant::of_scalar(found).bind(bound.data_type());
    constant.is_ok_and(|constant| bounds::holds(bound, comparison, &constant) == Some(true))
}

fn approximate(bound: &Scalar) -> Option<f64> {
    if let Some(bytes) = bytes_of(bound) {
        let mut first = [0; 8];
        first.iter_mut().zip(bytes).for_each(|(byte, value)| *byte = *value);
        return Some(u64::from_be_bytes(first) as f64);
    }
    with_ordered!(bound.as_array(), numbers => numbers.values().first().map(|number| number.approximate()), _ => None)
}

/// Whether a value may be NaN.
fn has_nan(array: &AnyArray) -> bool {
    array.data_type().is_floating_point()
        && with_ordered!(array, numbers => numbers.iter().flatten().any(|number| number.partial_cmp(&number).is_none()), _ => false)
}

/// The text or bytes of a bound.
fn bytes_of(bound: &Scalar) -> Option<&[u8]> {
    match bound.value_as::<Utf8Array>() {
        Ok(text) => text.map(str::as_bytes),
        Err(_) => bound.value_as::<BinaryArray>().ok().flatten(),
    }
}

fn is_text(bound: &Scalar) -> bool {
    bound.data_type().is_text()
}

/// The value, or the first of its bytes, and whether it is the value.
fn below(min: &Extreme, max_bytes: usize) -> (Scalar, bool) {
    match bytes_of(min.value()).and_then(|bytes| bytes.get(..max_bytes).filter(|cut| cut.len() < bytes.len()))
    {
        Some(cut) if is_text(min.value()) => (Scalar::from(first_text(cut)), false),
        Some(cut) => (Scalar::from(cut), false),
        None => (min.value().clone(), !min.is_cut()),
    }
}

/// The value, or something short that is greater than all that begins like it.
fn above(max: &Extreme, max_bytes: usize) -> Option<(Scalar, bool)> {
    let Some(bytes) = bytes_of(max.value()).filter(|bytes| max.is_cut() || bytes.len() > max_bytes) else {
        return Some((max.value().clone(), true));
    };
    let cut = bytes.get(..max_bytes).unwrap_or(bytes);
    if !is_text(max.value()) {
        let last = cut.iter().rposition(|byte| *byte < u8::MAX)?;
        let mut greater = cut.get(..=last)?.to_vec();
        *greater.last_mut()? += 1;
        return Some((Scalar::from(greater.as_slice()), false));
    }
    // The order of text in UTF-8 is that of its characters.
    let mut text = first_text(cut).to_owned();
    while let Some(last) = text.pop() {
        if let Some(next) = (last..=char::MAX).nth(1) {
            text.push(next);
            return Some((Scalar::from(text.as_str()), false));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_bounds_enclose_what_is_cut() {
        let cases: [(&str, usize, Option<&str>); 7] = [
            ("abc", 3, Some("abc")),
            ("abc", 2, Some("ac")),
            ("a\u{10ffff}c", 5, Some("b")),
            ("\u{10ffff}\u{10ffff}c", 8, None),
            ("\u{d7ff}c", 3, Some("\u{e000}")),
            // A character that is cut counts for nothing.
            ("aé", 2, Some("b")),
            ("é", 1, None),
        ];
        for (text, max_bytes, expected) in cases {
            let known =
                ColumnBounds::of(Utf8Array::try_from_iter([text]).unwrap().data(), max_bytes).unwrap();
            let max = known.max.map(|max| max.value_as::<Utf8Array>().unwrap().unwrap().to_owned());
            assert_eq!(max.as_deref(), expected, "{text:?}");
            assert!(max.is_none_or(|max| *max >= *text));
            let min = known.min.unwrap();
            assert!(min.value_as::<Utf8Array>().unwrap().unwrap() <= text);
            assert_eq!(known.is_max_exact, text.len() <= max_bytes);
        }
        let bytes = BinaryArray::try_from_iter([&[7, 0xff, 0xff, 1][..]]).unwrap();
        let known = ColumnBounds::of(bytes.data(), 3).unwrap();
        assert_eq!(known.max.unwrap().value_as::<BinaryArray>().unwrap(), Some(&[8][..]));
        let bytes = BinaryArray::try_from_iter([&[0xff; 9][..]]).unwrap();
        assert!(ColumnBounds::of(bytes.data(), 8).unwrap().max.is_none());
    }
}
