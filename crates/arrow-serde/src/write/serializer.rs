//! Writes one value by the method that serde calls for it.

use arrow_array::AnyBuilder;
use serde_core::ser::{Serialize, Serializer};

use super::{
    items::SequenceWriter, leaf::Value, members::MemberWriter, open_value::under_encodings, slot::SlotWriter,
};
use crate::error::{Result, SerdeError};

/// Defines the methods for numbers. Appends a number directly if the column has its type. Otherwise the column's type decides.
macro_rules! numbers {
    ($($method:ident: $native:ty, $builder:ident, $value:expr;)*) => {$(
        #[inline]
        fn $method(self, number: $native) -> Result<()> {
            if let AnyBuilder::$builder(numbers) = self.builder {
                numbers.append(number);
                return Ok(());
            }
            let value: fn($native) -> Value<'static> = $value;
            self.leaf(value(number))
        }
    )*};
}

impl<'a> Serializer for SlotWriter<'a> {
    type Ok = ();
    type Error = SerdeError;
    type SerializeSeq = SequenceWriter<'a>;
    type SerializeTuple = SequenceWriter<'a>;
    type SerializeTupleStruct = SequenceWriter<'a>;
    type SerializeTupleVariant = SequenceWriter<'a>;
    type SerializeMap = MemberWriter<'a>;
    type SerializeStruct = MemberWriter<'a>;
    type SerializeStructVariant = MemberWriter<'a>;

    numbers! {
        serialize_bool: bool, Boolean, Value::Boolean;
        serialize_i8: i8, Int8, |number| Value::Integer(number.into());
        serialize_i16: i16, Int16, |number| Value::Integer(number.into());
        serialize_i32: i32, Int32, |number| Value::Integer(number.into());
        serialize_i64: i64, Int64, |number| Value::Integer(number.into());
        serialize_u8: u8, UInt8, |number| Value::Integer(number.into());
        serialize_u16: u16, UInt16, |number| Value::Integer(number.into());
        serialize_u32: u32, UInt32, |number| Value::Integer(number.into());
        serialize_u64: u64, UInt64, |number| Value::Integer(number.into());
        serialize_f32: f32, Float32, |number| Value::Float(number.into());
        serialize_f64: f64, Float64, Value::Float;
    }

    fn serialize_i128(self, number: i128) -> Result<()> {
        self.leaf(Value::Integer(number))
    }

    fn serialize_u128(self, number: u128) -> Result<()> {
        self.leaf(i128::try_from(number).map_or(Value::Large(number), Value::Integer))
    }

    fn serialize_char(self, character: char) -> Result<()> {
        self.leaf(Value::Text(character.encode_utf8(&mut [0; 4])))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<()> {
        if let AnyBuilder::Utf8(texts) = self.builder {
            texts.append(text);
            return Ok(());
        }
        self.leaf(Value::Text(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.leaf(Value::Bytes(bytes))
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        self.null()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.null()
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.null()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        variant_idx: u32,
        variant: &'static str,
    ) -> Result<()> {
        let SlotWriter { node, builder, context } = self;
        let is_union = matches!(under_encodings((node, &mut *builder)).1, AnyBuilder::Union(_));
        let slot = SlotWriter { node, builder, context };
        if is_union {
            return slot.serialize_newtype_variant(name, variant_idx, variant, &());
        }
        slot.leaf(Value::Text(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let mut open = self.variant(variant, variant_idx)?;
        let context = open.context;
        let (node, builder) = open.outer();
        value.serialize(SlotWriter { node, builder, context }).map_err(|error| error.in_step(&node.step))?;
        open.close_variant();
        Ok(())
    }

    fn serialize_seq(self, _n_items: Option<usize>) -> Result<SequenceWriter<'a>> {
        SequenceWriter::try_new(self.open(), None)
    }

    fn serialize_tuple(self, n_items: usize) -> Result<SequenceWriter<'a>> {
        SequenceWriter::try_new(self.open(), Some(n_items))
    }

    fn serialize_tuple_struct(self, _name: &'static str, n_items: usize) -> Result<SequenceWriter<'a>> {
        SequenceWriter::try_new(self.open(), Some(n_items))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
        n_items: usize,
    ) -> Result<SequenceWriter<'a>> {
        SequenceWriter::try_new(self.variant(variant, variant_idx)?, Some(n_items))
    }

    fn serialize_map(self, _n_entries: Option<usize>) -> Result<MemberWriter<'a>> {
        MemberWriter::try_new(self.open(), "a map")
    }

    fn serialize_struct(self, _name: &'static str, _n_fields: usize) -> Result<MemberWriter<'a>> {
        MemberWriter::try_new(self.open(), "a struct")
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
        _n_fields: usize,
    ) -> Result<MemberWriter<'a>> {
        MemberWriter::try_new(self.variant(variant, variant_idx)?, "a struct")
    }
}
