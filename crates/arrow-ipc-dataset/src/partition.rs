//! Partition columns have their values in names of folders: `day=2024-02-29/city=Oslo/…`.

use std::{
    borrow::Cow,
    path::{Component, Path},
    sync::Arc,
};

use arrow_array::{AnyBuilder, Builder, Scalar, append_text};
use arrow_compute::ColumnBounds;
use arrow_schema::DataType;

use crate::{error::DatasetErrorKind as Kind, store::StoreNames};

/// The bounds of a column that has the same value in all rows, or is null in all.
pub(crate) fn constant_bounds(value: Option<Scalar>) -> ColumnBounds {
    ColumnBounds {
        n_rows: Some(1),
        null_count: Some(u64::from(value.is_none())),
        is_min_exact: true,
        is_max_exact: true,
        min: value.clone(),
        max: value,
    }
}

/// The text that means null in the name of a folder.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The value that a partition column has in all rows of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PartitionValue {
    /// The name of the column.
    pub name: Arc<str>,
    /// The type of the column.
    pub data_type: DataType,
    /// The decoded value from the name of the folder; `None` for null.
    pub text: Option<Arc<str>>,
}

impl PartitionValue {
    /// This column with the value that `folders` have for it; null if they have none.
    pub(crate) fn with_text_of(&self, folders: &[PartitionValue]) -> PartitionValue {
        let own = folders.iter().find(|value| value.name == self.name);
        PartitionValue { text: own.and_then(|value| value.text.clone()), ..self.clone() }
    }

    /// The bounds of the value, which all rows have; none if the text cannot be converted to the type.
    pub(crate) fn bounds(&self) -> ColumnBounds {
        let constant = |scalar| constant_bounds(self.text.is_some().then_some(scalar));
        self.to_scalar().map_or_else(|_| ColumnBounds::default(), constant)
    }

    /// The value. If the type is a dictionary, it has the type of the dictionary's values.
    ///
    /// # Errors
    /// If the text cannot be converted to the type.
    pub(crate) fn to_scalar(&self) -> Result<Scalar, Kind> {
        let data_type = self.data_type.value_type();
        let Some(text) = &self.text else { return Ok(Scalar::try_new_null(data_type)?) };
        let mut builder = AnyBuilder::new(data_type);
        let number = if data_type.is_integer() { text.parse::<i64>().ok() } else { None };
        let number = number.map(|number| number.to_string());
        if append_text(&mut builder, number.as_deref().unwrap_or(text)).is_err() {
            let text = text.to_string();
            let data_type = self.data_type.clone();
            return Err(Kind::PartitionValue { text, data_type });
        }
        Ok(Scalar::try_from_slot(&builder.finish_data()?, 0)?)
    }
}

/// The name of the column in the name of a folder, of the form `name=value`.
pub(crate) fn partition_name(folder: &[u8]) -> Option<&[u8]> {
    let n_bytes = folder.iter().position(|byte| *byte == b'=').filter(|n_bytes| *n_bytes > 0)?;
    folder.get(..n_bytes)
}

/// The part of a path that is names of folders and of a file.
fn names_in(path: &Path, names: StoreNames) -> &Path {
    let ends: &[char] = match names {
        StoreNames::Plain => return path,
        StoreNames::Url => &[],
        StoreNames::HttpUrl => &['?', '#'],
    };
    let url = path.to_str().and_then(|url| url.split(ends).next());
    let Some((_, rest)) = url.and_then(|url| url.split_once("://")) else { return path };
    let (authority, below) = rest.split_once('/').unwrap_or((rest, ""));
    Path::new(match names {
        StoreNames::HttpUrl => below,
        // Stores without hosts begin with a name at once.
        StoreNames::Plain | StoreNames::Url => {
            authority.rfind('@').and_then(|at| rest.get(at + 1..)).unwrap_or(rest)
        }
    })
}

/// The values in the names of all folders on a path, of the form `name=value`. All have the type utf8.
pub(crate) fn values_of(path: &Path, names: StoreNames) -> Result<Vec<PartitionValue>, Kind> {
    let mut values: Vec<PartitionValue> = Vec::new();
    for component in names_in(path, names).parent().into_iter().flat_map(Path::components) {
        let Component::Normal(folder) = component else { continue };
        let bytes = match names {
            StoreNames::Plain | StoreNames::Url => Cow::Borrowed(folder.as_encoded_bytes()),
            StoreNames::HttpUrl => Cow::Owned(percent_decoded(folder.as_encoded_bytes())),
        };
        let Some(name) = partition_name(&bytes) else { continue };
        let value = bytes.get(name.len()..).unwrap_or_default();
        let decode = |bytes: &[u8]| {
            String::from_utf8(percent_decoded(bytes))
                .map_err(|_| Kind::PartitionName(folder.to_string_lossy().into_owned()))
        };
        let name = decode(name)?;
        let value = decode(value.get(1..).unwrap_or_default())?;
        if values.iter().any(|known| *known.name == *name) {
            return Err(Kind::RepeatedPartition(name));
        }
        let text = (value != NULL).then(|| value.into());
        values.push(PartitionValue { name: name.into(), data_type: DataType::Utf8, text });
    }
    Ok(values)
}

/// The type of a partition column with these values: int64, date32 or utf8. Codes such as `007` are text, but `01`,
/// as in months and days, is a number.
pub(crate) fn type_of<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> DataType {
    let mut with_any = texts.clone().peekable();
    if with_any.peek().is_none() {
        return DataType::Utf8;
    }
    if texts.clone().all(is_number) {
        DataType::Int64
    } else if texts.clone().all(is_date) {
        DataType::Date32
    } else {
        DataType::Utf8
    }
}

/// Whether a text is an integer without plus sign. Leading zeros are allowed only if the text has two digits.
fn is_number(text: &str) -> bool {
    let has_two_digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    has_two_digits || text.parse::<i64>().is_ok_and(|number| number.to_string() == text)
}

fn is_date(text: &str) -> bool {
    let is_like = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    let day = PartitionValue { name: Arc::default(), data_type: DataType::Date32, text: Some(text.into()) };
    is_like && day.to_scalar().is_ok()
}

/// Replaces `%` and two hexadecimal digits by a byte. Any other `%` stays.
fn percent_decoded(bytes: &[u8]) -> Vec<u8> {
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let escaped = (*byte == b'%').then(|| digit(at + 1).zip(digit(at + 2))).flatten();
        let value = escaped.and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        decoded.push(value.unwrap_or(*byte));
        at += if value.is_some() { 3 } else { 1 };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the path of a URL has folders. Its authority may be a password, and its query a signature.
    #[test]
    fn folders_of_urls_are_in_their_paths() {
        let cases = [
            (StoreNames::Plain, "a=1/b=%2Fx/c.arrow", "a=1 b=/x"),
            (StoreNames::Plain, "x:/a=1?b=2/c.arrow", "a=1?b=2"),
            (StoreNames::Url, "s3://bucket/a=1/b=2?c=3/d.arrow", "a=1 b=2?c=3"),
            (StoreNames::Url, "ftp://ada:pa=ss@h/a=1/d.arrow", "a=1"),
            (StoreNames::Url, "memory://a=1", ""),
            (StoreNames::Url, "memory://a=1/b=2/c.arrow", "a=1 b=2"),
            (StoreNames::Url, "memory:///a=1/b@c=2/d.arrow", "a=1 b@c=2"),
            (StoreNames::Url, "a=1/d.arrow", "a=1"),
            (StoreNames::HttpUrl, "https://h/a=1/d.arrow?path=/b=2/c", "a=1"),
            (StoreNames::HttpUrl, "https://h/d.arrow?token=ab/cd", ""),
            (StoreNames::HttpUrl, "https://h/a=1/d.arrow#b=2/c", "a=1"),
            (StoreNames::HttpUrl, "https://ada:pa=ss@h/a%3D1/d.arrow", "a=1"),
            (StoreNames::HttpUrl, "https://ada:pa=ss@h?a=1/d.arrow", ""),
            (StoreNames::HttpUrl, "https://h?x/a=1/d.arrow", ""),
        ];
        for (names, path, expected) in cases {
            let values = values_of(Path::new(path), names).unwrap();
            let values =
                values.iter().map(|value| format!("{}={}", value.name, value.text.as_deref().unwrap()));
            assert_eq!(values.collect::<Vec<_>>().join(" "), expected, "{path}");
        }
    }
}
