//! Makes types from the kinds of values.

use arrow_array::ArrayError;
use arrow_schema::{DataType, Field, IndexType, Nullability, Schema, TypeError, UnionMode};

use super::kind::{Kind, ScalarKind, StructField as FieldOf, StructFields, TracedType, Variant, step};
use crate::error::{Result, SerdeError, SerdeErrorKind};

impl TracedType {
    /// Makes the schema of rows.
    pub(super) fn schema(&self, has_null_fields: bool) -> Result<Schema> {
        match &self.kind {
            Kind::Struct(fields) => Ok(Schema::new(fields.to_fields(has_null_fields)?)),
            Kind::Tuple(items) => Ok(Schema::new(numbered(items, has_null_fields)?)),
            Kind::Unknown => Err(SerdeErrorKind::UnknownType.into()),
            Kind::Unit | Kind::Scalar(_) | Kind::List(_) | Kind::Map(_) | Kind::Enum(_) => {
                Err(SerdeErrorKind::NotRows.into())
            }
        }
    }

    fn to_field(&self, position: usize, name: &str, has_null_fields: bool) -> Result<Field> {
        let data_type =
            self.data_type(has_null_fields).map_err(|error| error.in_step(&step(position, name)))?;
        let field = Field::new(name, data_type);
        Ok(if self.may_be_null() { field } else { field.required() })
    }

    /// Whether the field is nullable. A union has no nulls of its own, so it is nullable if one of its children is.
    fn may_be_null(&self) -> bool {
        match &self.kind {
            Kind::Unknown | Kind::Unit => true,
            Kind::Enum(variants) if !variants.are_names() => {
                variants.iter().any(|variant| variant.value.may_be_null())
            }
            Kind::Scalar(_)
            | Kind::List(_)
            | Kind::Tuple(_)
            | Kind::Struct(_)
            | Kind::Map(_)
            | Kind::Enum(_) => self.is_nullable,
        }
    }

    fn data_type(&self, has_null_fields: bool) -> Result<DataType> {
        Ok(match &self.kind {
            Kind::Unknown if !has_null_fields => {
                return Err(SerdeErrorKind::UnknownType.into());
            }
            Kind::Unknown | Kind::Unit => DataType::Null,
            Kind::Scalar(scalar) => scalar.data_type()?,
            Kind::List(item) => DataType::list(item.to_field(0, "item", has_null_fields)?),
            Kind::Tuple(items) => tuple_type(items, has_null_fields)?,
            Kind::Struct(fields) => DataType::struct_(fields.to_fields(has_null_fields)?),
            Kind::Map(entries) => {
                let [key, value] = &**entries;
                DataType::map(
                    key.to_field(0, "key", has_null_fields)?.required(),
                    value.to_field(1, "value", has_null_fields)?,
                )
            }
            Kind::Enum(variants) if variants.are_names() => {
                DataType::dictionary(IndexType::Int32, DataType::Utf8).map_err(type_error)?
            }
            Kind::Enum(_) if self.is_nullable => return Err(SerdeErrorKind::NullUnion.into()),
            Kind::Enum(variants) => {
                let child = |(position, variant): (usize, &Variant)| {
                    let field = variant.value.to_field(position, variant.name, has_null_fields)?;
                    // With too many variants, the union type cannot be made, which is an error.
                    Ok((i8::try_from(position).unwrap_or(i8::MAX), field))
                };
                let children = variants.iter().enumerate().map(child).collect::<Result<Vec<_>>>()?;
                DataType::union(UnionMode::Dense, children).map_err(type_error)?
            }
        })
    }
}

fn type_error(error: TypeError) -> SerdeError {
    ArrayError::from(error).into()
}

impl StructFields {
    fn to_fields(&self, has_null_fields: bool) -> Result<Vec<Field>> {
        let field = |(position, field): (usize, &FieldOf)| {
            let found = field.value.to_field(position, &field.name, has_null_fields)?;
            // A struct that lacks the field has a null there.
            let is_missing = field.n_seen < self.n_structs;
            if is_missing && found.data_type().is_union() {
                let error = SerdeError::from(SerdeErrorKind::NullUnion);
                return Err(error.in_step(&step(position, &field.name)));
            }
            Ok(if is_missing { found.with_nullability(Nullability::Nullable) } else { found })
        };
        self.fields.iter().enumerate().map(field).collect()
    }
}

fn numbered(items: &[TracedType], has_null_fields: bool) -> Result<Vec<Field>> {
    let field = |(position, item): (usize, &TracedType)| {
        item.to_field(position, &position.to_string(), has_null_fields)
    };
    items.iter().enumerate().map(field).collect()
}

/// A fixed-size list if all items have the same type, otherwise a struct.
fn tuple_type(items: &[TracedType], has_null_fields: bool) -> Result<DataType> {
    let fields = numbered(items, has_null_fields)?;
    let Some(first) = fields.first() else {
        return DataType::fixed_size_list(Field::new("item", DataType::Null), 0).map_err(type_error);
    };
    if fields.iter().any(|field| field.data_type() != first.data_type()) {
        return Ok(DataType::struct_(fields));
    }
    let item = fields.iter().find(|field| field.is_nullable()).unwrap_or(first).clone().with_name("item");
    let n_items = u32::try_from(fields.len()).unwrap_or(u32::MAX);
    DataType::fixed_size_list(item, n_items).map_err(type_error)
}

impl ScalarKind {
    fn data_type(self) -> Result<DataType> {
        Ok(match self {
            ScalarKind::Boolean => DataType::Boolean,
            ScalarKind::Signed(8) => DataType::Int8,
            ScalarKind::Signed(16) => DataType::Int16,
            ScalarKind::Signed(32) => DataType::Int32,
            ScalarKind::Signed(_) => DataType::Int64,
            ScalarKind::Unsigned(8) => DataType::UInt8,
            ScalarKind::Unsigned(16) => DataType::UInt16,
            ScalarKind::Unsigned(32) => DataType::UInt32,
            ScalarKind::Unsigned(_) => DataType::UInt64,
            ScalarKind::Wide => DataType::decimal128(38, 0).map_err(type_error)?,
            ScalarKind::Float(32) => DataType::Float32,
            ScalarKind::Float(_) => DataType::Float64,
            ScalarKind::Text => DataType::Utf8,
            ScalarKind::Bytes => DataType::Binary,
        })
    }
}
