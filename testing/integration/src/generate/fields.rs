//! Descriptions of fields, and their JSON.

use std::fmt::Write;

use crate::separated::separated;

#[derive(Clone)]
pub(super) struct FieldSpec {
    pub(super) name: String,
    pub(super) nullable: bool,
    /// The type of the field, or of its values if the field is dictionary-encoded.
    pub(super) kind: Kind,
    pub(super) children: Vec<FieldSpec>,
    pub(super) dictionary: Option<DictionarySpec>,
    pub(super) metadata: Vec<(String, String)>,
}

/// The dictionary encoding of a field.
#[derive(Clone, Copy)]
pub(super) struct DictionarySpec {
    pub(super) id: i64,
    pub(super) signed: bool,
    pub(super) n_bits: u32,
    pub(super) ordered: bool,
    pub(super) n_values: usize,
}

/// The name of the type in documents, with its parameters.
#[derive(Clone, PartialEq)]
pub(super) enum Kind {
    Null,
    Bool,
    Int {
        signed: bool,
        n_bits: u32,
    },
    /// `HALF`, `SINGLE` or `DOUBLE`.
    Float(&'static str),
    Decimal {
        n_bits: u32,
        precision: usize,
        scale: i32,
    },
    /// In days, or in milliseconds if wide.
    Date {
        wide: bool,
    },
    Time(&'static str),
    Timestamp(&'static str, Option<&'static str>),
    Duration(&'static str),
    Interval(&'static str),
    FixedBytes(usize),
    Bytes {
        n_bits: u32,
    },
    Text {
        n_bits: u32,
    },
    /// Views of text or bytes. Some are too long to be inlined, or none.
    View {
        text: bool,
        long: bool,
    },
    List {
        n_bits: u32,
    },
    ListView {
        n_bits: u32,
    },
    FixedList(usize),
    Struct,
    Map {
        sorted: bool,
    },
    Union {
        dense: bool,
        ids: &'static [i8],
    },
    Runs,
}

pub(super) const UNITS: [&str; 4] = ["SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND"];

/// A nullable field without children.
pub(super) fn field(name: &str, kind: Kind) -> FieldSpec {
    let name = name.to_owned();
    FieldSpec { name, nullable: true, kind, children: Vec::new(), dictionary: None, metadata: Vec::new() }
}

/// A field of signed integers.
pub(super) fn int(name: &str, n_bits: u32) -> FieldSpec {
    field(name, Kind::Int { signed: true, n_bits })
}

pub(super) fn text(name: &str) -> FieldSpec {
    field(name, Kind::Text { n_bits: 32 })
}

/// A map of text to integers, with these names of entries, keys and values.
pub(super) fn map(name: &str, [entries, key, value]: [&str; 3]) -> FieldSpec {
    let pair = [text(key).required(), int(value, 32)];
    field(name, Kind::Map { sorted: false }).with([field(entries, Kind::Struct).required().with(pair)])
}

pub(super) fn runs(name: &str, n_bits: u32, values: FieldSpec) -> FieldSpec {
    let values = FieldSpec { name: "values".to_owned(), ..values };
    field(name, Kind::Runs).with([int("run_ends", n_bits).required(), values])
}

impl FieldSpec {
    pub(super) fn required(self) -> FieldSpec {
        FieldSpec { nullable: false, ..self }
    }

    pub(super) fn with(self, children: impl IntoIterator<Item = FieldSpec>) -> FieldSpec {
        FieldSpec { children: children.into_iter().collect(), ..self }
    }

    pub(super) fn noted(self, pairs: &[(&str, &str)]) -> FieldSpec {
        FieldSpec { metadata: owned(pairs), ..self }
    }

    /// The same field, encoded by a dictionary of ten values, with signed indices.
    pub(super) fn encoded(self, id: i64, n_bits: u32) -> FieldSpec {
        let dictionary = DictionarySpec { id, signed: true, n_bits, ordered: false, n_values: 10 };
        FieldSpec { dictionary: Some(dictionary), ..self }
    }

    /// The same field, with its dictionary changed by `change`.
    pub(super) fn with_dictionary(mut self, change: impl FnOnce(&mut DictionarySpec)) -> FieldSpec {
        self.dictionary.as_mut().map(change);
        self
    }

    pub(super) fn write(&self, out: &mut String) {
        let name = quoted(&self.name);
        let _ = write!(out, "{{\"name\":{name},\"type\":{},\"nullable\":{}", self.kind.json(), self.nullable);
        out.push_str(",\"children\":");
        separated(out, &self.children, |out, child| child.write(out));
        if let Some(DictionarySpec { id, signed, n_bits, ordered, .. }) = self.dictionary {
            let index = Kind::Int { signed, n_bits }.json();
            let _ =
                write!(out, ",\"dictionary\":{{\"id\":{id},\"indexType\":{index},\"isOrdered\":{ordered}}}");
        }
        write_metadata(out, &self.metadata);
        out.push('}');
    }
}

impl Kind {
    fn json(&self) -> String {
        let named = |name: &str| format!(r#"{{"name":"{name}"}}"#);
        let unit = |name: &str, unit: &str| format!(r#"{{"name":"{name}","unit":"{unit}"}}"#);
        match self {
            Kind::Null => named("null"),
            Kind::Bool => named("bool"),
            Kind::Int { signed, n_bits } => {
                format!(r#"{{"name":"int","isSigned":{signed},"bitWidth":{n_bits}}}"#)
            }
            Kind::Float(precision) => format!(r#"{{"name":"floatingpoint","precision":"{precision}"}}"#),
            Kind::Decimal { n_bits, precision, scale } => {
                format!(r#"{{"name":"decimal","precision":{precision},"scale":{scale},"bitWidth":{n_bits}}}"#)
            }
            Kind::Date { wide } => unit("date", if *wide { "MILLISECOND" } else { "DAY" }),
            Kind::Time(of) => {
                let n_bits = if UNITS[..2].contains(of) { 32 } else { 64 };
                format!(r#"{{"name":"time","unit":"{of}","bitWidth":{n_bits}}}"#)
            }
            Kind::Timestamp(of, None) => unit("timestamp", of),
            Kind::Timestamp(of, Some(zone)) => {
                format!(r#"{{"name":"timestamp","unit":"{of}","timezone":"{zone}"}}"#)
            }
            Kind::Duration(of) => unit("duration", of),
            Kind::Interval(of) => unit("interval", of),
            Kind::FixedBytes(n_bytes) => format!(r#"{{"name":"fixedsizebinary","byteWidth":{n_bytes}}}"#),
            Kind::Bytes { n_bits } => named(if *n_bits == 64 { "largebinary" } else { "binary" }),
            Kind::Text { n_bits } => named(if *n_bits == 64 { "largeutf8" } else { "utf8" }),
            Kind::View { text, .. } => named(if *text { "utf8view" } else { "binaryview" }),
            Kind::List { n_bits } => named(if *n_bits == 64 { "largelist" } else { "list" }),
            Kind::ListView { n_bits } => named(if *n_bits == 64 { "largelistview" } else { "listview" }),
            Kind::FixedList(size) => format!(r#"{{"name":"fixedsizelist","listSize":{size}}}"#),
            Kind::Struct => named("struct"),
            Kind::Map { sorted } => format!(r#"{{"name":"map","keysSorted":{sorted}}}"#),
            Kind::Union { dense, ids } => {
                let mode = if *dense { "DENSE" } else { "SPARSE" };
                format!(r#"{{"name":"union","mode":"{mode}","typeIds":{ids:?}}}"#)
            }
            Kind::Runs => named("runendencoded"),
        }
    }
}

/// Appends metadata, if there are any pairs.
pub(super) fn write_metadata(out: &mut String, pairs: &[(String, String)]) {
    if pairs.is_empty() {
        return;
    }
    out.push_str(",\"metadata\":");
    separated(out, pairs, |out, (key, value)| {
        let _ = write!(out, "{{\"key\":{},\"value\":{}}}", quoted(key), quoted(value));
    });
}

pub(super) fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// A text as a string of JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
