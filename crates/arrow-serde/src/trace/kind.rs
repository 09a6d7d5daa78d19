//! Kinds of values, and which kind fits the values of two kinds.

use std::collections::HashMap;

use arrow_schema::PathStep;

use crate::{
    MAX_DEPTH,
    error::{Result, SerdeErrorKind},
};

/// What is known about the values of a field.
#[derive(Debug, Default)]
pub(super) struct TracedType {
    pub(super) is_nullable: bool,
    pub(super) kind: Kind,
}

/// The kind of all values of a field so far.
#[derive(Debug, Default)]
pub(super) enum Kind {
    /// The field had no value, or only `None`.
    #[default]
    Unknown,
    Unit,
    Scalar(ScalarKind),
    List(Box<TracedType>),
    Tuple(Vec<TracedType>),
    Struct(StructFields),
    Map(Box<[TracedType; 2]>),
    /// An enum, with its variants by index. Values of several Rust enums may be in one field.
    Enum(Variants),
}

/// The variants of an enum, by index. Variants with the same index are in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct Variants {
    variants: Vec<Variant>,
    by_name: HashMap<&'static str, usize>,
}

impl Variants {
    /// The variant with this name. Adds it if it is new.
    pub(super) fn variant(&mut self, idx: u32, name: &'static str) -> &mut Variant {
        let n_variants = self.variants.len();
        let position = *self.by_name.entry(name).or_insert(n_variants);
        if position == n_variants {
            self.variants.push(Variant { idx, name, value: TracedType::default(), has_value: false });
        }
        let Some(variant) = self.variants.get_mut(position) else {
            unreachable!("names are those of variants")
        };
        variant
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Variant> {
        let mut sorted: Vec<&Variant> = self.variants.iter().collect();
        sorted.sort_by_key(|variant| variant.idx);
        sorted.into_iter()
    }

    /// Whether all variants are without values.
    pub(super) fn are_names(&self) -> bool {
        self.variants.iter().all(|variant| !variant.has_value)
    }
}

/// What is known about a variant of an enum.
#[derive(Debug)]
pub(super) struct Variant {
    idx: u32,
    pub(super) name: &'static str,
    pub(super) value: TracedType,
    /// Whether a sample had a value, which may be `()`.
    pub(super) has_value: bool,
}

/// The kind of a value that is not nested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScalarKind {
    Boolean,
    /// The number of bits: 8, 16, 32 or 64. The same for `Unsigned`.
    Signed(u8),
    Unsigned(u8),
    /// An integer of 128 bits, signed or unsigned.
    Wide,
    Float(u8),
    Text,
    Bytes,
}

impl ScalarKind {
    /// The kind that fits the values of both kinds. `None` if no kind does.
    fn with(self, other: ScalarKind) -> Option<ScalarKind> {
        use ScalarKind::*;
        Some(match (self, other) {
            (one, other) if one == other => one,
            (Signed(one), Signed(other)) => Signed(one.max(other)),
            (Unsigned(one), Unsigned(other)) => Unsigned(one.max(other)),
            (Float(one), Float(other)) => Float(one.max(other)),
            (Signed(signed), Unsigned(unsigned)) | (Unsigned(unsigned), Signed(signed)) => {
                Signed(signed.max(unsigned.saturating_mul(2).min(64)))
            }
            (Wide, Signed(_) | Unsigned(_)) | (Signed(_) | Unsigned(_), Wide) => Wide,
            (Float(_), Signed(_) | Unsigned(_)) | (Signed(_) | Unsigned(_), Float(_)) => Float(64),
            (Boolean | Signed(_) | Unsigned(_) | Wide | Float(_) | Text | Bytes, _) => return None,
        })
    }
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::Unknown => "nothing",
            Kind::Unit => "a unit",
            Kind::Scalar(ScalarKind::Boolean) => "a boolean",
            Kind::Scalar(ScalarKind::Signed(_) | ScalarKind::Unsigned(_) | ScalarKind::Wide) => "an integer",
            Kind::Scalar(ScalarKind::Float(_)) => "a floating-point number",
            Kind::Scalar(ScalarKind::Text) => "text",
            Kind::Scalar(ScalarKind::Bytes) => "bytes",
            Kind::List(_) => "a sequence",
            Kind::Tuple(_) => "a tuple",
            Kind::Struct(_) => "a struct",
            Kind::Map(_) => "a map",
            Kind::Enum(_) => "an enum",
        }
    }
}

/// The fields of structs, in order of first occurrence.
#[derive(Debug, Default)]
pub(super) struct StructFields {
    pub(super) fields: Vec<StructField>,
    by_name: HashMap<Box<str>, usize>,
    /// The number of structs that were added.
    pub(super) n_structs: u64,
}

#[derive(Debug)]
pub(super) struct StructField {
    pub(super) name: Box<str>,
    pub(super) value: TracedType,
    /// The number of structs that had this field.
    pub(super) n_seen: u64,
}

impl StructFields {
    /// The index of the field with this name, and what is known about it. Adds a field that is new.
    pub(super) fn field(&mut self, name: &str) -> (usize, &mut TracedType) {
        let n_fields = self.fields.len();
        let position = self.by_name.get(name).copied().unwrap_or(n_fields);
        if position == n_fields {
            self.by_name.insert(name.into(), position);
            self.fields.push(StructField { name: name.into(), value: TracedType::default(), n_seen: 0 });
        }
        let Some(field) = self.fields.get_mut(position) else { unreachable!("names are those of fields") };
        field.n_seen = field.n_seen.saturating_add(1);
        (position, &mut field.value)
    }
}

/// Sets the kind of the values, or checks that it equals the known kind.
macro_rules! becomes {
    ($($method:ident, $kind:ident($parts:ty), $new:expr, $name:literal;)*) => {$(
        pub(super) fn $method(&mut self) -> Result<&mut $parts> {
            if let Kind::Unknown | Kind::Unit = self.kind {
                self.kind = Kind::$kind($new);
            }
            let before = self.kind.name();
            if let Kind::$kind(parts) = &mut self.kind { Ok(parts) } else { Err(mixed(before, $name)) }
        }
    )*};
}

impl TracedType {
    pub(super) fn null(&mut self) {
        self.is_nullable = true;
    }

    pub(super) fn unit(&mut self) {
        self.is_nullable = true;
        if let Kind::Unknown = self.kind {
            self.kind = Kind::Unit;
        }
    }

    pub(super) fn scalar(&mut self, found: ScalarKind) -> Result<()> {
        let known = match &self.kind {
            Kind::Unknown | Kind::Unit => Some(found),
            Kind::Scalar(known) => known.with(found),
            Kind::List(_) | Kind::Tuple(_) | Kind::Struct(_) | Kind::Map(_) | Kind::Enum(_) => None,
        };
        let known = known.ok_or_else(|| mixed(self.kind.name(), Kind::Scalar(found).name()))?;
        self.kind = Kind::Scalar(known);
        Ok(())
    }

    becomes! {
        list, List(Box<TracedType>), Box::default(), "a sequence";
        structure, Struct(StructFields), StructFields::default(), "a struct";
        map, Map(Box<[TracedType; 2]>), Box::default(), "a map";
        enumeration, Enum(Variants), Variants::default(), "an enum";
        any_tuple, Tuple(Vec<TracedType>), Vec::new(), "a tuple";
    }

    pub(super) fn tuple(&mut self, n_items: usize) -> Result<&mut Vec<TracedType>> {
        let is_new = matches!(self.kind, Kind::Unknown | Kind::Unit);
        let items = self.any_tuple()?;
        if is_new {
            items.resize_with(n_items, TracedType::default);
        }
        if items.len() != n_items {
            let (expected, found) = (items.len() as u64, n_items as u64);
            return Err(SerdeErrorKind::Count { expected, found, unit: "values of a tuple" }.into());
        }
        Ok(items)
    }
}

#[cold]
fn mixed(before: &'static str, found: &'static str) -> crate::SerdeError {
    SerdeErrorKind::Mixed { before, found }.into()
}

/// The depth of a child. Returns an error if the depth exceeds the maximum.
pub(super) fn deeper(depth: usize) -> Result<usize> {
    match depth.checked_add(1) {
        Some(depth) if depth <= MAX_DEPTH => Ok(depth),
        _ => Err(SerdeErrorKind::TooDeep { max: MAX_DEPTH as u64 }.into()),
    }
}

pub(super) fn step(position: usize, name: &str) -> PathStep {
    PathStep::Child { position: u32::try_from(position).unwrap_or(u32::MAX), name: name.into() }
}
