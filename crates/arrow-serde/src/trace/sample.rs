//! Finds the kinds of values by serializing samples.

use serde_core::ser::{Serialize, SerializeMap, Serializer};

use super::kind::{ScalarKind, StructFields, TracedType, Variant, deeper, step};
use crate::{
    compound::{name_of, parts},
    error::{Result, SerdeError, SerdeErrorKind},
};

/// A serializer that stores the kind of a value.
pub(super) struct Sample<'a> {
    traced: &'a mut TracedType,
    /// The number of levels above the value, 0 for a row.
    depth: usize,
}

impl<'a> Sample<'a> {
    pub(super) fn for_row(traced: &'a mut TracedType) -> Sample<'a> {
        Sample { traced, depth: 0 }
    }

    /// A variant, and the depth of its value.
    fn variant(self, variant_idx: u32, name: &'static str) -> Result<(&'a mut Variant, usize)> {
        let depth = deeper(self.depth)?;
        Ok((self.traced.enumeration()?.variant(variant_idx, name), depth))
    }

    /// The value of a variant that has one.
    fn value_of(self, variant_idx: u32, name: &'static str) -> Result<Sample<'a>> {
        let (variant, depth) = self.variant(variant_idx, name)?;
        variant.has_value = true;
        Ok(Sample { traced: &mut variant.value, depth })
    }

    fn fields(self) -> Result<FieldTracer<'a>> {
        let depth = deeper(self.depth)?;
        let fields = self.traced.structure()?;
        fields.n_structs = fields.n_structs.saturating_add(1);
        Ok(FieldTracer { fields, depth, key: String::new() })
    }

    fn tuple(self, n_items: usize) -> Result<TupleTracer<'a>> {
        let depth = deeper(self.depth)?;
        Ok(TupleTracer { items: self.traced.tuple(n_items)?, next: 0, depth })
    }
}

macro_rules! scalars {
    ($($method:ident: $value:ty => $scalar:expr;)*) => {$(
        fn $method(self, _: $value) -> Result<()> {
            self.traced.scalar($scalar)
        }
    )*};
}

impl<'a> Serializer for Sample<'a> {
    type Ok = ();
    type Error = SerdeError;
    type SerializeSeq = ListTracer<'a>;
    type SerializeTuple = TupleTracer<'a>;
    type SerializeTupleStruct = TupleTracer<'a>;
    type SerializeTupleVariant = TupleTracer<'a>;
    type SerializeMap = EntryTracer<'a>;
    type SerializeStruct = FieldTracer<'a>;
    type SerializeStructVariant = FieldTracer<'a>;

    scalars! {
        serialize_bool: bool => ScalarKind::Boolean;
        serialize_i8: i8 => ScalarKind::Signed(8);
        serialize_i16: i16 => ScalarKind::Signed(16);
        serialize_i32: i32 => ScalarKind::Signed(32);
        serialize_i64: i64 => ScalarKind::Signed(64);
        serialize_i128: i128 => ScalarKind::Wide;
        serialize_u8: u8 => ScalarKind::Unsigned(8);
        serialize_u16: u16 => ScalarKind::Unsigned(16);
        serialize_u32: u32 => ScalarKind::Unsigned(32);
        serialize_u64: u64 => ScalarKind::Unsigned(64);
        serialize_u128: u128 => ScalarKind::Wide;
        serialize_f32: f32 => ScalarKind::Float(32);
        serialize_f64: f64 => ScalarKind::Float(64);
        serialize_char: char => ScalarKind::Text;
        serialize_str: &str => ScalarKind::Text;
        serialize_bytes: &[u8] => ScalarKind::Bytes;
    }

    fn serialize_none(self) -> Result<()> {
        self.traced.null();
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        self.traced.null();
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.traced.unit();
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
    ) -> Result<()> {
        let (variant, _) = self.variant(variant_idx, variant)?;
        variant.value.unit();
        Ok(())
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
        let variant_step = step(usize::try_from(variant_idx).unwrap_or(usize::MAX), variant);
        let child = self.value_of(variant_idx, variant)?;
        value.serialize(child).map_err(|error| error.in_step(&variant_step))
    }

    fn serialize_seq(self, _n_items: Option<usize>) -> Result<ListTracer<'a>> {
        let depth = deeper(self.depth)?;
        Ok(ListTracer { item: self.traced.list()?, depth })
    }

    fn serialize_tuple(self, n_items: usize) -> Result<TupleTracer<'a>> {
        self.tuple(n_items)
    }

    fn serialize_tuple_struct(self, _name: &'static str, n_items: usize) -> Result<TupleTracer<'a>> {
        self.tuple(n_items)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
        n_items: usize,
    ) -> Result<TupleTracer<'a>> {
        self.value_of(variant_idx, variant)?.tuple(n_items)
    }

    fn serialize_map(self, _n_entries: Option<usize>) -> Result<EntryTracer<'a>> {
        if self.depth == 0 {
            return self.fields().map(EntryTracer::Fields);
        }
        let depth = deeper(self.depth)?;
        Ok(EntryTracer::Entries(self.traced.map()?, depth))
    }

    fn serialize_struct(self, _name: &'static str, _n_fields: usize) -> Result<FieldTracer<'a>> {
        self.fields()
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        variant_idx: u32,
        variant: &'static str,
        _n_fields: usize,
    ) -> Result<FieldTracer<'a>> {
        self.value_of(variant_idx, variant)?.fields()
    }
}

/// Stores the kinds of the items of a sequence.
pub(super) struct ListTracer<'a> {
    item: &'a mut TracedType,
    depth: usize,
}

impl ListTracer<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let sample = Sample { traced: &mut *self.item, depth: self.depth };
        value.serialize(sample).map_err(|error| error.in_step(&step(0, "item")))
    }
}

/// Stores the kinds of the items of a tuple.
pub(super) struct TupleTracer<'a> {
    items: &'a mut [TracedType],
    next: usize,
    depth: usize,
}

impl TupleTracer<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let position = self.next;
        let expected = self.items.len() as u64;
        self.next = position.saturating_add(1);
        let found = self.next as u64;
        let too_many = SerdeErrorKind::Count { expected, found, unit: "values of a tuple" };
        let traced = self.items.get_mut(position).ok_or(too_many)?;
        let sample = Sample { traced, depth: self.depth };
        value.serialize(sample).map_err(|error| error.in_step(&step(position, &position.to_string())))
    }
}

pub(super) struct FieldTracer<'a> {
    fields: &'a mut StructFields,
    depth: usize,
    /// The name of the next field, if the fields come from a map.
    key: String,
}

impl FieldTracer<'_> {
    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        let (position, traced) = self.fields.field(name);
        let sample = Sample { traced, depth: self.depth };
        value.serialize(sample).map_err(|error| error.in_step(&step(position, name)))
    }
}

parts! {
    SerializeSeq for ListTracer: serialize_element() => item, done;
    SerializeTuple for TupleTracer: serialize_element() => item, done;
    SerializeTupleStruct for TupleTracer: serialize_field() => item, done;
    SerializeTupleVariant for TupleTracer: serialize_field() => item, done;
    SerializeStruct for FieldTracer: serialize_field(name) => field, done;
    SerializeStructVariant for FieldTracer: serialize_field(name) => field, done;
}

fn done<T>(_: T) -> Result<()> {
    Ok(())
}

/// Stores the kinds of the entries of a map. In a row, the entries are fields.
pub(super) enum EntryTracer<'a> {
    Fields(FieldTracer<'a>),
    Entries(&'a mut [TracedType; 2], usize),
}

impl SerializeMap for EntryTracer<'_> {
    type Ok = ();
    type Error = SerdeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match self {
            EntryTracer::Fields(fields) => name_of(key, &mut fields.key),
            EntryTracer::Entries([traced, _], depth) => key
                .serialize(Sample { traced, depth: *depth })
                .map_err(|error| error.in_step(&step(0, "key"))),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            EntryTracer::Fields(fields) => {
                let key = std::mem::take(&mut fields.key);
                let result = fields.field(&key, value);
                fields.key = key;
                result
            }
            EntryTracer::Entries([_, traced], depth) => value
                .serialize(Sample { traced, depth: *depth })
                .map_err(|error| error.in_step(&step(1, "value"))),
        }
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}
