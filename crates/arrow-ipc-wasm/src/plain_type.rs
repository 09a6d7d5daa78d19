//! The types without views, run-end encoding and 64-bit offsets, which JavaScript reads and other JavaScript libraries know.

use std::sync::Arc;

use arrow_schema::{DataType, DictionaryType, Field, IndexType, Nullability};

/// The type in which the same values have a plain form: utf8, binary and lists with offsets of 32 bits, and values instead of
/// runs. A dictionary stays, with values of such a type.
///
/// Types may be deep, so this recursive function does little.
pub(crate) fn plain_type(data_type: &DataType) -> DataType {
    if data_type.is_text() {
        return DataType::Utf8;
    }
    if matches!(data_type, DataType::LargeBinary | DataType::BinaryView) {
        return DataType::Binary;
    }
    if let Some(runs) = data_type.as_run_end_encoded() {
        return plain_type(runs.values().data_type());
    }
    if let Some(dictionary) = data_type.as_dictionary() {
        let values = plain_type(dictionary.value());
        let plain = DictionaryType::try_new(dictionary.index(), values, dictionary.order());
        return plain.map_or_else(|_| data_type.clone(), |plain| DataType::Dictionary(Arc::new(plain)));
    }
    if let DataType::LargeList(item) | DataType::ListView(item) | DataType::LargeListView(item) = data_type {
        return DataType::List(Arc::new(plain_field(item)));
    }
    match data_type.children() {
        [] => data_type.clone(),
        children => {
            let plain = data_type.with_children(children.iter().map(plain_field).collect());
            plain.unwrap_or_else(|_| data_type.clone())
        }
    }
}

/// The field with the plain type. Runs that were not null may select nulls.
pub(crate) fn plain_field(field: &Field) -> Field {
    let is_encoded = field.data_type().is_run_end_encoded();
    let nullability = if is_encoded { Nullability::Nullable } else { field.nullability() };
    field.clone().with_data_type(plain_type(field.data_type())).with_nullability(nullability)
}

/// The type in which the package apache-arrow reads the values of a plain type: decimals have 128 bits or more, and
/// dictionaries are only those of columns, with values that are not nested and indices of 32 bits or less.
pub(crate) fn legacy_type(data_type: &DataType) -> DataType {
    let Some(dictionary) = data_type.as_dictionary().filter(|dictionary| !dictionary.value().is_nested())
    else {
        return without_dictionaries(data_type);
    };
    let index = match dictionary.index() {
        IndexType::Int64 | IndexType::UInt64 => IndexType::Int32,
        index @ (IndexType::Int8
        | IndexType::Int16
        | IndexType::Int32
        | IndexType::UInt8
        | IndexType::UInt16
        | IndexType::UInt32) => index,
    };
    let values = without_dictionaries(dictionary.value());
    let legacy = DictionaryType::try_new(index, values, dictionary.order());
    legacy.map_or_else(|_| data_type.clone(), |legacy| DataType::Dictionary(Arc::new(legacy)))
}

fn without_dictionaries(data_type: &DataType) -> DataType {
    if let Some(dictionary) = data_type.as_dictionary() {
        return without_dictionaries(dictionary.value());
    }
    if let DataType::Decimal32(..) | DataType::Decimal64(..) = data_type
        && let Some((precision, scale)) = data_type.as_decimal()
    {
        return DataType::decimal128(precision, scale).unwrap_or_else(|_| data_type.clone());
    }
    match data_type.children() {
        [] => data_type.clone(),
        children => {
            let decoded = |field: &Field| {
                let is_encoded = field.data_type().is_dictionary();
                let nullability = if is_encoded { Nullability::Nullable } else { field.nullability() };
                let data_type = without_dictionaries(field.data_type());
                field.clone().with_data_type(data_type).with_nullability(nullability)
            };
            let decoded = data_type.with_children(children.iter().map(decoded).collect());
            decoded.unwrap_or_else(|_| data_type.clone())
        }
    }
}
