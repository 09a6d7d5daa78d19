//! The text form of types.

use std::fmt;

use super::table::{Shape, TypeRow};
use crate::{DataType, Field, QuotedText};

/// Writes the [text form](crate#text-form), without metadata. Recurses once per level.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TypeRow { name, family: _, width: _, shape } = self.row();
        f.write_str(name)?;
        match shape {
            Shape::Plain => Ok(()),
            Shape::Decimal(precision, scale) => write!(f, "({precision}, {scale})"),
            Shape::Unit(unit) => write!(f, "({unit})"),
            Shape::Timestamp(unit, None) => write!(f, "({unit})"),
            Shape::Timestamp(unit, Some(zone)) => write!(f, "({unit}, {})", QuotedText(zone)),
            Shape::FixedSizeBinary(size) => write!(f, "({size})"),
            Shape::List(item, _) => write!(f, "<{item}>"),
            Shape::FixedSizeList(item, size) => write!(f, "<{item}; {size}>"),
            Shape::Struct(fields) => write_fields(f, fields),
            Shape::Map(map) => {
                write!(f, "<{}{}>", map.entries(), if map.keys_sorted() { ", sorted" } else { "" })
            }
            Shape::Union(union) => {
                f.write_str("<")?;
                for (position, (type_id, field)) in union.type_ids().iter().zip(union.fields()).enumerate() {
                    write!(f, "{}{type_id}={field}", separator(position))?;
                }
                f.write_str(">")
            }
            Shape::Dictionary(dictionary) => {
                let order = if dictionary.is_ordered() { ", ordered" } else { "" };
                write!(f, "<{}, {}{order}>", dictionary.index(), dictionary.value())
            }
            Shape::RunEndEncoded(runs) => write_fields(f, runs.children()),
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
