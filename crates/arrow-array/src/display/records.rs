//! Rows, structs and unions: values with names.

use std::{collections::HashSet, fmt};

use arrow_schema::Field;

use super::{NULL, WriteSlot, strings::write_json};
use crate::array::{StructArray, UnionArray, UnionValue};

/// Values with names: a JSON object, or where names repeat, an array of pairs.
pub(super) struct Record {
    members: Vec<Member>,
    end: &'static str,
}

/// One value with all that stands before it.
struct Member {
    before: String,
    column: Box<dyn WriteSlot>,
}

impl Record {
    /// A record of columns, one for each field.
    pub(super) fn new(fields: &[Field], columns: Vec<Box<dyn WriteSlot>>) -> Record {
        let (first, next, end) = match Names::of(fields) {
            _ if fields.is_empty() => ("", "", "{}"),
            Names::Unique => ("{", ",", "}"),
            Names::Repeated => ("[[", "],[", "]]"),
        };
        let between = if first == "{" { ":" } else { "," };
        let member = |(position, (field, column)): (usize, (&Field, Box<dyn WriteSlot>))| {
            let name = json_name(field.name());
            let before = format!("{}{name}{between}", if position == 0 { first } else { next });
            Member { before, column }
        };
        Record { members: fields.iter().zip(columns).enumerate().map(member).collect(), end }
    }
}

impl WriteSlot for Record {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        for Member { before, column } in &self.members {
            out.write_str(before)?;
            column.write(slot, out)?;
        }
        out.write_str(self.end)
    }
}

/// Structs as records.
pub(super) struct Structs {
    pub(super) array: StructArray,
    pub(super) record: Record,
}

impl WriteSlot for Structs {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        if self.array.is_valid(slot) { self.record.write(slot, out) } else { out.write_str(NULL) }
    }
}

/// Unions: an object with one member, named as the child, or where those names repeat, a pair of type id and
/// value.
pub(super) struct Unions {
    array: UnionArray,
    children: Vec<Member>,
    end: &'static str,
}

impl Unions {
    pub(super) fn new(array: UnionArray, columns: Vec<Box<dyn WriteSlot>>) -> Unions {
        let fields = array.fields();
        let names = Names::of(fields);
        let type_ids = array.data().data_type().as_union().map(|union| union.type_ids()).unwrap_or_default();
        let member = |((field, type_id), column): ((&Field, &i8), Box<dyn WriteSlot>)| {
            let before = match names {
                Names::Unique => format!("{{{}:", json_name(field.name())),
                Names::Repeated => format!("[{type_id},"),
            };
            Member { before, column }
        };
        let children = fields.iter().zip(type_ids).zip(columns).map(member).collect();
        let end = match names {
            Names::Unique => "}",
            Names::Repeated => "]",
        };
        Unions { array, children, end }
    }
}

impl WriteSlot for Unions {
    fn write(&self, slot: usize, out: &mut dyn fmt::Write) -> fmt::Result {
        let Some(UnionValue { child_idx, slot, .. }) = self.array.get(slot) else {
            return out.write_str(NULL);
        };
        let Some(Member { before, column }) = self.children.get(child_idx) else {
            return out.write_str(NULL);
        };
        out.write_str(before)?;
        column.write(slot, out)?;
        out.write_str(self.end)
    }
}

#[derive(Clone, Copy)]
enum Names {
    Unique,
    Repeated,
}

impl Names {
    fn of(fields: &[Field]) -> Names {
        let mut seen = HashSet::with_capacity(fields.len());
        if fields.iter().all(|field| seen.insert(field.name())) { Names::Unique } else { Names::Repeated }
    }
}

fn json_name(name: &str) -> String {
    let mut json = String::with_capacity(name.len() + 2);
    // A `String` takes all that is written.
    let _ = write_json(name, &mut json);
    json
}
