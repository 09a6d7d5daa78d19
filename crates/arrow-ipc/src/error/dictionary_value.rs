//! A value of a dictionary, to be shown in an error.

use std::fmt;

use arrow_schema::{DataType, QuotedText};
use arrow_select::ValueEncoding;

/// A value of a dictionary that an error names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DictionaryValue {
    /// Text. Long text is cut.
    Text(Box<str>),
    /// An integer.
    Number(i128),
    /// A null.
    Null,
    /// A value of another type.
    OfType(DataType),
}

impl DictionaryValue {
    /// The value with these bytes, as [`ValueBytes`](arrow_select::ValueBytes) writes them.
    pub(crate) fn from_bytes(bytes: &[u8], data_type: &DataType) -> DictionaryValue {
        const MAX_CHARS: usize = 40;
        let value = match ValueEncoding::read(bytes, data_type) {
            Some(ValueEncoding::Null) => Some(DictionaryValue::Null),
            Some(ValueEncoding::Sized(text)) if data_type.is_text() => {
                str::from_utf8(text).ok().map(|text| {
                    DictionaryValue::Text(match text.char_indices().nth(MAX_CHARS) {
                        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
                        None => text.into(),
                    })
                })
            }
            Some(ValueEncoding::Fixed(number)) if data_type.is_signed_integer() => {
                signed(number).map(DictionaryValue::Number)
            }
            Some(ValueEncoding::Fixed(number)) if data_type.is_unsigned_integer() => {
                unsigned(number).map(DictionaryValue::Number)
            }
            Some(ValueEncoding::Fixed(_) | ValueEncoding::Sized(_) | ValueEncoding::Nested) | None => None,
        };
        value.unwrap_or_else(|| DictionaryValue::OfType(data_type.clone()))
    }
}

fn signed(bytes: &[u8]) -> Option<i128> {
    Some(match bytes.len() {
        1 => i8::from_ne_bytes(bytes.try_into().ok()?).into(),
        2 => i16::from_ne_bytes(bytes.try_into().ok()?).into(),
        4 => i32::from_ne_bytes(bytes.try_into().ok()?).into(),
        _ => i64::from_ne_bytes(bytes.try_into().ok()?).into(),
    })
}

fn unsigned(bytes: &[u8]) -> Option<i128> {
    Some(match bytes.len() {
        1 => u8::from_ne_bytes(bytes.try_into().ok()?).into(),
        2 => u16::from_ne_bytes(bytes.try_into().ok()?).into(),
        4 => u32::from_ne_bytes(bytes.try_into().ok()?).into(),
        _ => u64::from_ne_bytes(bytes.try_into().ok()?).into(),
    })
}

impl fmt::Display for DictionaryValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DictionaryValue::Text(text) => write!(f, "{}", QuotedText(text)),
            DictionaryValue::Number(number) => write!(f, "{number}"),
            DictionaryValue::Null => f.write_str("null"),
            DictionaryValue::OfType(data_type) => write!(f, "a value of type {data_type}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use arrow_buffer::Buffer;
    use arrow_data::{ArrayData, ArrayParts};
    use arrow_select::{ValueReader, ValueTable};
    use testing_support::{array, ints};

    use super::*;

    #[test]
    fn values_are_shown_as_text() {
        let text = format!("Ulm\u{1b}[2J{}é", "é".repeat(300));
        let first = 3;
        let all = text.len() as i32;
        let offsets = Buffer::from(vec![0, first, all]);
        let texts = array(DataType::Utf8, 2, [offsets, Buffer::from(text.into_bytes())], vec![]);
        let null = ArrayData::try_new(ArrayParts {
            validity: Some([false].into_iter().collect()),
            ..ints([5]).into_parts()
        });
        let nothing = array(DataType::Boolean, 1, [Buffer::from(vec![1_u8]), Buffer::new()], vec![]);
        let byte = array(DataType::UInt8, 1, [Buffer::from(vec![200_u8]), Buffer::new()], vec![]);
        let shown = |array: &ArrayData| {
            let mut table = ValueTable::default();
            let mut reader = ValueReader::try_new(array).unwrap();
            let bytes = (0..array.len()).map(|slot| table.push(&mut reader, slot).unwrap());
            let positions: Vec<usize> = bytes.collect();
            positions
                .into_iter()
                .map(|position| {
                    DictionaryValue::from_bytes(table.bytes(position).unwrap(), array.data_type()).to_string()
                })
                .collect::<Vec<String>>()
        };
        assert_eq!(shown(&ints([-7, 1 << 30])), ["-7", "1073741824"]);
        assert_eq!(shown(&null.unwrap()), ["null"]);
        assert_eq!(shown(&byte), ["200"]);
        assert_eq!(shown(&nothing), ["a value of type bool"]);
        let long = &shown(&texts)[1];
        assert!(long.starts_with("\"\\u001b[2Jééé") && long.ends_with("é…\""), "{long}");
        assert_eq!(shown(&texts)[0], "\"Ulm\"");
        assert!(long.chars().count() < 60, "{long}");
    }
}
