//! Writes two values side by side, on one line and shortened.

use std::fmt::{self, Write as _};

use arrow_array::{ArrayError, ColumnText, DictionaryArray, Positions, RunEndEncodedArray, TextStyle};
use arrow_data::{ArrayData, ColumnDifference, DifferenceKind};
use arrow_schema::{Field, Schema};

use arrow_text::format::{EscapedJson, LimitedText};

/// The maximal number of characters that are shown of a value.
const SHOWN_CHARS: usize = 80;

/// The maximal number of equal characters that are shown before the first difference.
const COMMON_CHARS: usize = 20;

/// The number of bytes of each text that are compared.
const TEXT_BYTES: usize = 1 << 20;

/// Writes two different values: `5 in A, 7 in B`. If their first difference is far from the start, both texts begin
/// up to 20 characters before it.
pub(crate) struct ValuePair {
    a: LimitedText,
    b: LimitedText,
}

/// Formats a value, shortened if it is long.
pub(crate) struct CutValue<T>(pub(crate) T);

impl ValuePair {
    pub(crate) fn new(a: impl fmt::Display, b: impl fmt::Display) -> ValuePair {
        ValuePair { a: LimitedText::from_value(a, TEXT_BYTES), b: LimitedText::from_value(b, TEXT_BYTES) }
    }
}

impl fmt::Display for ValuePair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pairs = self.a.as_str().chars().zip(self.b.as_str().chars());
        let n_common = pairs.take_while(|(a, b)| a == b).count();
        let fits = n_common + COMMON_CHARS < SHOWN_CHARS;
        let n_skipped = if fits { 0 } else { n_common.saturating_sub(COMMON_CHARS) };
        let [a, b] = [&self.a, &self.b].map(|text| text.shortened(n_skipped, SHOWN_CHARS));
        write!(f, "{a} in A, {b} in B")
    }
}

impl<T: fmt::Display> fmt::Display for CutValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LimitedText::from_value(&self.0, TEXT_BYTES).shortened(0, SHOWN_CHARS).fmt(f)
    }
}

/// The field of the two values. It is `column`, or a field inside `column`.
fn field_of(column: &Field, difference: &ColumnDifference) -> Field {
    let below = || Schema::new(column.data_type().children()).field_by_path(difference.path()).cloned();
    let found = if difference.path().is_root() { Some(column.clone()) } else { below() };
    found.unwrap_or_else(|| Field::new("", difference.left().data_type().clone()))
}

/// Writes the two values of a column. If only the numbers of items, the type ids or the bits of the values differ,
/// the text has these, too.
///
/// # Errors
/// If a value is not valid.
pub(crate) fn values(difference: &ColumnDifference, column: &Field) -> Result<String, ArrayError> {
    let field = field_of(column, difference);
    let text = |side: &ArrayData| ColumnText::try_with_field(side, &field, TextStyle::Json);
    let a = text(difference.left())?;
    let b = text(difference.right())?;
    let both = ValuePair::new(a.value(0), b.value(0));
    let mut text = EscapedJson(&both.to_string()).to_string();
    match difference.kind() {
        DifferenceKind::Length { left, right } => write_pair(&mut text, "items", left, right),
        DifferenceKind::TypeId { left, right } => write_pair(&mut text, "type ids", left, right),
        DifferenceKind::Value if both.a.as_str() == both.b.as_str() && both.a.is_whole() => {
            let left = bits(difference.left())?;
            let right = bits(difference.right())?;
            write_pair(&mut text, "bits", left, right);
        }
        DifferenceKind::Value if both.a.as_str() == both.b.as_str() => {
            text.push_str(", which differ further on")
        }
        DifferenceKind::Value | DifferenceKind::Null => {}
    }
    Ok(text)
}

fn write_pair(text: &mut String, what: &str, a: impl fmt::Display, b: impl fmt::Display) {
    // Writing to a `String` cannot fail.
    let _ = write!(text, " ({what}: {a} and {b})");
}

/// Writes the bits of a number in hexadecimal, because NaNs with different bits have the same text in JSON.
fn bits(array: &ArrayData) -> Result<String, ArrayError> {
    let mut number = array.clone();
    loop {
        let (position, values) = if number.dictionary().is_some() {
            let array = DictionaryArray::try_from(number)?;
            (array.positions().next().flatten(), array.encoded_values().clone())
        } else if number.data_type().as_run_end_encoded().is_some() {
            let array = RunEndEncodedArray::try_from(number)?;
            (array.positions().next().flatten(), array.encoded_values().clone())
        } else {
            break;
        };
        let value = position.and_then(|position| values.try_slice(position, 1).ok());
        number = value.unwrap_or_else(|| ArrayData::new_empty(values.data_type()));
    }
    let bytes = number.buffer(0).iter().rev();
    Ok(bytes.fold("0x".to_owned(), |text, byte| format!("{text}{byte:02x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shown_where_they_differ() {
        let long = "x".repeat(100);
        let shown = "x".repeat(SHOWN_CHARS);
        let cases = [
            ("5".to_owned(), "7".to_owned(), "5 in A, 7 in B".to_owned()),
            (long.clone(), "y".to_owned(), format!("{shown}… in A, y in B")),
            (
                format!("{long}1{long}"),
                format!("{long}2"),
                format!("…{}1{}… in A, …{}2 in B", &long[..20], &long[..59], &long[..20]),
            ),
            (format!("{long}é"), long.clone(), format!("…{}é in A, …{} in B", &long[..20], &long[..20])),
        ];
        for (a, b, expected) in cases {
            assert_eq!(ValuePair::new(a, b).to_string(), expected);
        }
        let endless = std::fmt::from_fn(|f| {
            loop {
                f.write_str("abc")?;
            }
        });
        assert_eq!(CutValue(endless).to_string().chars().count(), SHOWN_CHARS + 1);
    }
}
