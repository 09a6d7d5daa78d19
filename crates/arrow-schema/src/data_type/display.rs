//! The text form of types.

use std::fmt;

use crate::{DataType, Field, Quoted};

/// Writes the [text form](crate#text-form), without metadata. Recurses once per level.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Null
            | Self::Boolean
            | Self::Int8
            | Self::Int16
            | Self::Int32
            | Self::Int64
            | Self::UInt8
            | Self::UInt16
            | Self::UInt32
            | Self::UInt64
            | Self::Float16
            | Self::Float32
            | Self::Float64
            | Self::Date32
            | Self::Date64
            | Self::Binary
            | Self::LargeBinary
            | Self::BinaryView
            | Self::Utf8
            | Self::LargeUtf8
            | Self::Utf8View => Ok(()),
            Self::Decimal32(precision, scale) => write!(f, "({precision}, {scale})"),
            Self::Decimal64(precision, scale) => write!(f, "({precision}, {scale})"),
            Self::Decimal128(precision, scale) => write!(f, "({precision}, {scale})"),
            Self::Decimal256(precision, scale) => write!(f, "({precision}, {scale})"),
            Self::Time32(unit) => write!(f, "({unit})"),
            Self::Time64(unit) => write!(f, "({unit})"),
            Self::Timestamp(unit, None) => write!(f, "({unit})"),
            Self::Timestamp(unit, Some(zone)) => write!(f, "({unit}, {})", Quoted(zone)),
            Self::Duration(unit) => write!(f, "({unit})"),
            Self::Interval(unit) => write!(f, "({unit})"),
            Self::FixedSizeBinary(size) => write!(f, "({size})"),
            Self::List(item) | Self::LargeList(item) | Self::ListView(item) | Self::LargeListView(item) => {
                write!(f, "<{item}>")
            }
            Self::FixedSizeList(item, size) => write!(f, "<{item}; {size}>"),
            Self::Struct(fields) => write_fields(f, fields),
            Self::Map(map) => {
                write!(f, "<{}{}>", map.entries(), if map.keys_sorted() { ", sorted" } else { "" })
            }
            Self::Union(union) => {
                f.write_str("<")?;
                for (position, (type_id, field)) in union.type_ids().iter().zip(union.fields()).enumerate() {
                    write!(f, "{}{type_id}={field}", separator(position))?;
                }
                f.write_str(">")
            }
            Self::Dictionary(dictionary) => {
                let order = if dictionary.is_ordered() { ", ordered" } else { "" };
                write!(f, "<{}, {}{order}>", dictionary.index(), dictionary.value())
            }
            Self::RunEndEncoded(runs) => write_fields(f, runs.children()),
        }
    }
}

fn write_fields(f: &mut fmt::Formatter<'_>, fields: &[Field]) -> fmt::Result {
    f.write_str("<")?;
    for (position, field) in fields.iter().enumerate() {
        write!(f, "{}{field}", separator(position))?;
    }
    f.write_str(">")
}

fn separator(position: usize) -> &'static str {
    if position == 0 { "" } else { ", " }
}
